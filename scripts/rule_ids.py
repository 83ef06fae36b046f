"""Rule ids: the sections of RULES.md, their citations in code and tests, and the tables of them.

`python -m scripts.rule_ids` writes the tables to the READMEs of all games.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CITED: Final = re.compile(r"\b([A-Z]{2}-\d+(?:\.\d+[a-z]?)?)(?![\w.]*\d)")
"""An id in running text: a chapter (`AC-3`), a section (`AC-3.2`) or a step of it (`AC-3.2b`)."""

BEGIN: Final = "<!-- table of rules -->\n"
END: Final = "<!-- end of the table -->\n"

WIDEST: Final = 120
"""Maximum width of a cell in characters; longer lists continue in the next row."""

_HEADING: Final = re.compile(r"^(#+) (?:([A-Z]{2}-\d+(?:\.\d+)?) )?(.*?)(?: <a id=\"([^\"]+)\"></a>)?$", re.MULTILINE)
_DECISION: Final = re.compile(r"^(?:\| |- |#+ )?(?:\*\*)?(?:[A-Z]{2}-)?([RE]\d+)\b", re.MULTILINE)
_NO_CODE: Final = re.compile(r"^No code: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """The location of a game's rules, code and tests.

    Attributes:
        prefix: Letters that its ids begin with.
        rules: Its RULES.md.
        code: Folder of its package.
        tests: Folder of its tests; it may be inside the package's folder.
        readme: README.md with the table of its rules; None if there is none.
    """

    prefix: str
    rules: Path
    code: Path
    tests: Path
    readme: Path | None


def _own(prefix: str, game: str) -> Place:
    """Return the place of one of Atoll's own games."""
    code = ROOT / "src" / "atoll" / "games" / game
    return Place(prefix, code / "RULES.md", code, ROOT / "tests" / "games" / game, code / "README.md")


_GIN: Final = ROOT / "examples" / "gin"
_STARTER: Final = ROOT / "src" / "atoll" / "starter"
_AROUND: Final = _STARTER / "package"
_TOY: Final = ROOT / "tests" / "toy"

PLACES: Final = {
    "atacama": _own("AC", "atacama"),
    "atlandice": _own("AL", "atlandice"),
    "atua": _own("AU", "atua"),
    "raiatea": _own("RA", "raiatea"),
    "wutaki": _own("WU", "wutaki"),
    "gin": Place("GI", _GIN / "RULES.md", _GIN / "src", _GIN / "tests", _GIN / "README.md"),
    "starter": Place("ST", _AROUND / "RULES.md", _STARTER, _AROUND / "tests", _AROUND / "README.md"),
    "toy": Place("TO", _TOY / "RULES.md", _TOY, _TOY, None),
}


@dataclass(frozen=True)
class Section:
    """A section of RULES.md with an id.

    Attributes:
        id: Its id, for example `AC-3.2`.
        name: Its English name.
        anchor: Id of the anchor in its heading, empty if there is none.
        text: All text below its heading, up to the next heading of its level.
    """

    id: str
    name: str
    anchor: str
    text: str

    @property
    def no_code(self) -> str:
        """The reason why no function carries the section out; empty if one must."""
        found = _NO_CODE.search(self.text)
        return found[1] if found else ""


@dataclass(frozen=True)
class Specification:
    """The RULES.md of a game.

    Attributes:
        sections: Sections with an id, in order.
        chapters: Ids of the chapters.
        decisions: Numbers of rulings and worked examples, such as `R6` and `E1`.
    """

    sections: tuple[Section, ...]
    chapters: frozenset[str]
    decisions: frozenset[str]


@dataclass
class Citations:
    """The citations in the Python files of a folder.

    Attributes:
        by_id: Id -> the functions and classes whose docstrings name it, as (file, name).
        named: All ids in the files, with the files.
        decisions: Numbers of rulings and examples in docstrings and comments, with the files.
    """

    by_id: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    named: set[tuple[str, str]] = field(default_factory=set)
    decisions: set[tuple[str, str]] = field(default_factory=set)


def specification(text: str) -> Specification:
    """Parse a RULES.md.

    Args:
        text: Text of the file.

    Returns:
        Its sections, chapters and decisions.
    """
    headings = list(_HEADING.finditer(text))
    sections = []
    chapters = set()
    for at, heading in enumerate(headings):
        level, id, name, anchor = heading.groups()
        if id is None:
            continue
        chapters.add(id.partition(".")[0])
        if "." in id:
            after = (each.start() for each in headings[at + 1 :] if len(each[1]) <= len(level))
            sections.append(Section(id, name, anchor or "", text[heading.end() : next(after, len(text))]))
    return Specification(tuple(sections), frozenset(chapters), frozenset(_DECISION.findall(text)))


def citations(folder: Path, *, tests: bool) -> Citations:
    """Collect the citations in the Python files of a folder.

    Args:
        folder: The folder; its subfolders are included.
        tests: Whether to read the test modules, or all others.

    Returns:
        The citations.
    """
    found = Citations()
    for path in sorted(folder.rglob("*.py")):
        if path.name.startswith("test_") != tests:
            continue
        file = path.relative_to(folder).as_posix()
        text = path.read_text("utf-8")
        found.named |= {(id, file) for id in CITED.findall(text)}
        for prose in _prose(text):
            found.decisions |= {(number, file) for number in re.findall(r"(?<![-\w])[RE]\d+\b", prose)}
        for name, docstring in _documented(ast.parse(text)):
            for id in dict.fromkeys(CITED.findall(docstring)):
                found.by_id.setdefault(id.rstrip("abcdefghijklmnopqrstuvwxyz"), []).append((file, name))
    return found


def table(place: Place) -> str:
    """Return the table of a game's rules: id, section, functions, tests.

    Args:
        place: Location of its rules.
    """
    code, tests = citations(place.code, tests=False), citations(place.tests, tests=True)
    lines = ["| rule | section | functions | tests |", "|---|---|---|---|"]
    for section in specification(place.rules.read_text("utf-8")).sections:
        functions = _cells(code.by_id.get(section.id, [])) or [f"none: {section.no_code}"]
        first = [f"[{section.id}](RULES.md#{section.anchor})"], [section.name]
        rows = zip_longest(*first, functions, _cells(tests.by_id.get(section.id, [])), fillvalue="")
        lines += [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join(lines) + "\n"


def with_table(readme: str, place: Place) -> str:
    """Return a game's README with the table of its rules.

    Args:
        readme: The text, with `BEGIN` and `END` around the table.
        place: Location of its rules.

    Raises:
        ValueError: If the text has no `BEGIN` or `END`.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{place.readme} has no place for the table of rules")
    return f"{before}{BEGIN}\n{table(place)}\n{END}{after}"


def _documented(tree: ast.Module | ast.ClassDef, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield the functions and classes with their docstrings."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{inside}{node.name}"
            yield name, ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef):
                yield from _documented(node, f"{name}.")


def _prose(text: str) -> Iterator[str]:
    """Yield docstrings and comments."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""')):
            yield token.string


def _cells(found: list[tuple[str, str]]) -> list[str]:
    """Return the files and names as Markdown cells of a column, each of limited width."""
    cells: list[str] = []
    last = ""
    for file, name in found:
        longer = f"{cells[-1]}, `{name}`" if file == last else f"`{file}`: `{name}`"
        if file == last and len(longer) <= WIDEST:
            cells[-1] = longer
        else:
            cells.append(f"`{file}`: `{name}`")
        last = file
    return cells


def main() -> None:
    """Write the tables of all games."""
    for place in PLACES.values():
        if place.readme is not None:
            place.readme.write_text(with_table(place.readme.read_text("utf-8"), place), "utf-8")


if __name__ == "__main__":
    main()
