"""Results files: JSON lines, first the plan, then the rows of each game in order. A killed run goes on where it was."""

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
    """Make a folder, unless it is there. Raises ResultsError where a file is, OSError."""
    for each in (folder, *folder.parents):
        if each.exists() and not each.is_dir():
            raise ResultsError(f"{each} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)


def line(row: Row) -> str:
    """A row as one line of JSON."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


class ResultsFile:
    """A file to which the games of a plan are added. games_done: how many of them are in it."""

    def __init__(self, path: Path, plan: Row) -> None:
        """Open the file, or go on with it. Raises ResultsError if it holds another plan's games."""
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
        """How many bytes are whole games of this plan, and how many games these are."""
        whole = position = games = 0
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
                    whole = position
        return whole, games

    def add(self, rows: Iterable[Row]) -> None:
        """Write the rows of one game. They are safe from a crash of the program when this returns.

        Raises ResultsError if another program has written into the file.
        """
        self._write("".join(map(line, rows)))
        self.games_done += 1

    def _write(self, text: str) -> None:
        if fstat(self._file.fileno()).st_size != self._size:
            raise ResultsError(f"{self.path}: another program writes into it; let it end, then go on")
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
    try:
        row = json.loads(text)
    except ValueError:
        raise ResultsError(f"{path}: line {number} is no JSON") from None
    if not isinstance(row, dict):
        raise ResultsError(f"{path}: line {number} is no JSON object")
    return row


def _compare(found: Row, plan: Row, path: Path) -> None:
    if found.get("row") != "plan":
        raise ResultsError(f"{path} is no results file: its first line must be the plan")
    wanted = json.loads(line(plan))
    for key in wanted:
        if found.get(key) != wanted[key]:
            raise ResultsError(
                f"{path} holds games of another plan: {key} is {found.get(key)!r} there, {wanted[key]!r} here; "
                "choose another file, or delete this one"
            )


def read(path: Path) -> Iterator[Row]:
    """All rows of a results file, the plan first. Raises ResultsError."""
    try:
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                row = _parse(text, path, number)
                if number == 1 and row.get("row") != "plan":
                    raise ResultsError(f"{path} is no results file: its first line must be the plan")
                yield row
    except OSError as error:
        raise ResultsError(f"{path}: can't be read ({error.strerror})") from None


def to_parquet(path: Path) -> list[Path]:
    """Write the games (and decisions) of a results file as Parquet beside it. Raises ResultsError; needs `atoll[lab]`.

    `used` and `points`, whose keys differ from game to game, become JSON text.
    """
    try:
        import polars  # noqa: PLC0415 - part of an extra
    except ImportError:
        raise ResultsError("Parquet needs the extra: pip install '.[lab]' in the clone") from None
    tables: dict[str, list[Row]] = {"game": [], "decision": []}
    for row in read(path):
        if row["row"] in tables:
            tables[row["row"]].append(
                {key: json.dumps(value) if key in ("points", "used") else value for key, value in row.items()}
            )
    written = []
    for kind, rows in tables.items():
        if rows:
            target = path.with_suffix(f".{kind}s.parquet")
            polars.DataFrame(rows, infer_schema_length=None).drop("row").write_parquet(target)
            written.append(target)
    return written
