"""Results files: JSON lines with the plan first, then the rows of each game in order.

A run that was killed is continued after its last complete game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import fstat
from pathlib import Path
from typing import Any

from atoll.engine import AtollError

Row = dict[str, Any]


class ResultsError(AtollError, ValueError):
    """A results file can't be read or continued; the message says why."""


def make_folder(folder: Path) -> None:
    """Create a folder if it doesn't exist.

    Args:
        folder: The folder.

    Raises:
        ResultsError: If the path or one of its parents is a file.
        OSError: If the folder can't be created.
    """
    for each in (folder, *folder.parents):
        if each.exists() and not each.is_dir():
            raise ResultsError(f"{each} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)


def line(row: Row) -> str:
    """Return a row as one line of JSON."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


class ResultsFile:
    """A file to which the games of a plan are appended.

    Attributes:
        path: Path of the file.
        games_done: Number of complete games in the file.
    """

    def __init__(self, path: Path, plan: Row) -> None:
        """Create the file, or open it after its last complete game.

        Args:
            path: Path of the file.
            plan: First row of the file.

        Raises:
            ResultsError: If the file contains games of another plan, or isn't a results file.
            OSError: If the file can't be opened.
        """
        self.path: Path = path
        self.games_done: int = 0
        size = 0
        if path.exists() and path.stat().st_size:
            size, self.games_done = self._measure(plan)
        self._file = path.open("r+b" if size else "wb")
        self._file.truncate(size)
        self._file.seek(size)
        self._size: int = size
        if not size:
            self._write(line(plan))

    def _measure(self, plan: Row) -> tuple[int, int]:
        """Return the size of the complete games of this plan in bytes, and their number.

        Args:
            plan: First row of the file.

        Raises:
            ResultsError: If the file contains games of another plan, or a game is missing.
        """
        complete = position = games = 0
        with self.path.open("rb") as file:
            for number, text in enumerate(file):
                position += len(text)
                if not text.endswith(b"\n"):
                    break  # the run was killed while it wrote this row
                row = _parse(text, self.path, number + 1)
                if number == 0:
                    _compare(row, plan, self.path)
                if row.get("row") == "game":
                    if row.get("number") != games:
                        raise ResultsError(f"{self.path}: line {number + 1}: game {games} is missing")
                    games += 1
                if row.get("row") != "decision":
                    complete = position
        return complete, games

    def add(self, rows: Iterable[Row]) -> None:
        """Append the rows of one game.

        After the return they survive a crash of the program.

        Args:
            rows: Rows of the game, the row of the game last.

        Raises:
            ResultsError: If another program has written to the file.
        """
        self._write("".join(map(line, rows)))
        self.games_done += 1

    def _write(self, text: str) -> None:
        """Append text.

        Args:
            text: The text.

        Raises:
            ResultsError: If another program has written to the file.
        """
        if fstat(self._file.fileno()).st_size != self._size:
            raise ResultsError(f"{self.path}: another program writes to it; continue after it has ended")
        self._size += self._file.write(text.encode())
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parse(text: bytes, path: Path, number: int) -> Row:
    """Return a line as a row.

    Args:
        text: The line.
        path: Path of the file.
        number: Number of the line, from 1.

    Raises:
        ResultsError: If the line isn't a JSON object.
    """
    try:
        row = json.loads(text)
    except ValueError:
        raise ResultsError(f"{path}: line {number} isn't valid JSON") from None
    if not isinstance(row, dict):
        raise ResultsError(f"{path}: line {number} isn't a JSON object")
    return row


def _compare(found: Row, plan: Row, path: Path) -> None:
    """Check that a file's first row is the plan.

    Args:
        found: First row of the file.
        plan: The plan.
        path: Path of the file.

    Raises:
        ResultsError: If it isn't, or is another plan.
    """
    if found.get("row") != "plan":
        raise ResultsError(f"{path} isn't a results file: the first line must be the plan")
    wanted = json.loads(line(plan))
    for key in wanted:
        if found.get(key) != wanted[key]:
            raise ResultsError(
                f"{path} holds games of another plan: {key} is {found.get(key)!r} there, {wanted[key]!r} here; "
                "choose another file, or delete this one"
            )


def read(path: Path) -> Iterator[Row]:
    """Yield all rows of a results file, the plan first.

    Args:
        path: Path of the file.

    Raises:
        ResultsError: If the file can't be read or isn't a results file.
    """
    try:
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                row = _parse(text, path, number)
                if number == 1 and row.get("row") != "plan":
                    raise ResultsError(f"{path} isn't a results file: the first line must be the plan")
                yield row
    except OSError as error:
        raise ResultsError(f"{path}: can't be read ({error.strerror})") from None


def to_parquet(path: Path) -> list[Path]:
    """Write the games and decisions of a results file as Parquet files next to it.

    `used`, `points` and `course`, whose keys or lengths differ from game to game, become JSON text.
    Needs the extra `atoll[lab]`.

    Args:
        path: Path of the results file.

    Returns:
        The paths of the files.

    Raises:
        ResultsError: If the file can't be read, or the extra isn't installed.
    """
    try:
        import polars  # noqa: PLC0415 - an extra that may not be installed
    except ImportError:
        raise ResultsError("Parquet needs the extra: pip install 'atoll[lab]', or '.[lab]' in a clone") from None
    tables: dict[str, list[Row]] = {"game": [], "decision": []}
    for row in read(path):
        if row["row"] in tables:
            tables[row["row"]].append(
                {key: json.dumps(value) if key in ("points", "used", "course") else value for key, value in row.items()}
            )
    written = []
    for kind, rows in tables.items():
        if rows:
            target = path.with_suffix(f".{kind}s.parquet")
            polars.DataFrame(rows, infer_schema_length=None).drop("row").write_parquet(target)
            written.append(target)
    return written
