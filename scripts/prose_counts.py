"""Count prose that breaks the writing guide: `python -m scripts.prose_counts`.

The script counts; it doesn't judge style. `make check` compares the counts with
`scripts/prose_limits.json` and fails if one is higher, so prose can only get better. After an
improvement, `--json` prints the new limits.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).parent.parent

HEADLESS: Final = re.compile(
    r"^(What|Whether|How|Who|Whoever|Whose|Whom|Where|Why|When|That|So many|So much|So few|Which)\b(?!.*\?$)"
)
SEE_ONLY: Final = re.compile(r"^See [^.]*\.$")
INLINE_PARAMETER: Final = re.compile(r"\.\s+_?[a-z][a-z0-9_]*(?:, _?[a-z][a-z0-9_]*)*:\s")
INLINE_RAISES: Final = re.compile(r"\bRaises? [A-Z]\w*(?:Error|Exception|Seat|Choice|Game|Bot|Refused|Over)?\b")
SECTION: Final = re.compile(
    r"^\s*(Args|Attributes|Raises|Returns|Yields|Example|Examples|Note|Warning):\s*$", re.MULTILINE
)
ARGUMENTS: Final = re.compile(r"^\s*Args:\s*$", re.MULTILINE)
RAISES: Final = re.compile(r"^\s*Raises:\s*$", re.MULTILINE)
LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
COMMENT: Final = {
    ".js": re.compile(
        r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/""",
        re.DOTALL,
    ),
    ".css": re.compile(r"/\*(?P<block>.*?)\*/", re.DOTALL),
    ".jinja": re.compile(r"\{#(?P<block>.*?)#\}", re.DOTALL),
}
"""Comments by suffix of the file. In scripts it also finds texts, which may contain `//`."""
MESSAGE: Final = re.compile(r'^(?:msgstr(?:\[\d\])? )?"(.*)"$')

BLACKLIST: Final = {
    "told": "reported, notified, recorded (or name the thing)",
    "kept": "stored, cached, retained",
    "mended": "fixed",
    "beside": "next to, in addition to, alongside",
    "besides": "in addition to, also",
    "whoever": "the user/seat/caller that",
    "so many": "`count`, N, the given number of",
    "so much": "the given amount of",
    "lacks": "is missing, has no",
    "lacking": "missing, without",
    "anew": "again, from scratch",
    "as far as": "(state the condition)",
    "of one's own": "custom, own",
    "one's": "your, the user's, the seat's",
    "is no": "isn't a",
    "by itself": "automatically",
    "comes of": "results from",
    "dear": "expensive",
    "makes of": "builds from, converts",
    "goes on": "continues",
    "go on": "continue",
    "stands in": "is in (a file), replaces (a player)",
    "of which": "(split the sentence)",
    "told apart": "distinguished",
    "learnt": "learned",
    "in its turn": "(rephrase)",
    "what is": "(name the thing)",
    "what was": "(name the thing)",
}
"""Words of docstrings, comments and docs, and what to write instead."""

UI_BLACKLIST: Final = (
    *("whoever", "dear", "lacks", "lacking", "so many", "is no"),
    *("shall", "beside", "anew", "told", "one's"),
)
"""Words of English texts that people see."""

LONGEST_ONE_LINER: Final = 100
LONGEST_DOCS_LINE: Final = 100
VERY_LONG_DOCS_LINE: Final = 120
LONGEST_CELL: Final = 160
MOST_WORDS: Final = 35
PARAMETERS_THAT_NEED_ARGS: Final = 3


def _whole_word(word: str) -> re.Pattern[str]:
    """Return a pattern that finds a word, in any case, but no part of another one."""
    return re.compile(rf"(?<![\w-]){word}(?![\w-])", re.IGNORECASE)


_BLACK: Final = {word: _whole_word(word) for word in BLACKLIST}
_UI_BLACK: Final = {word: _whole_word(word) for word in UI_BLACKLIST}


class Hit(NamedTuple):
    """A place that breaks the guide.

    Attributes:
        file: Path from the root.
        line: Number of the line, from 1.
        text: The text that was found.
    """

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class ProseCounter:
    """Collects the places of a source tree that break the guide.

    Attributes:
        root: Root of the repository.
        hits: The places by key of the count.
    """

    def __init__(self, root: Path) -> None:
        self.root: Path = root
        self.hits: defaultdict[str, list[Hit]] = defaultdict(list)

    def scan(self) -> None:
        """Look through all Python files, files of pages, docs and English catalogs."""
        for path in python_files(self.root):
            self._scan_python(path)
        for path in page_files(self.root):
            self._scan_page_file(path)
        for path in docs_files(self.root):
            self._scan_docs(path)
        for path in sorted((self.root / "src").rglob("en.po")):
            self._scan_catalog(path)

    def counts(self) -> dict[str, int]:
        """Return the number of places by key."""
        return {key: len(found) for key, found in sorted(self.hits.items())}

    def _add(self, key: str, file: str, line: int, text: str) -> None:
        """Add a place."""
        self.hits[key].append(Hit(file, line, text.replace("\n", " ")))

    def _add_words(self, file: str, line: int, text: str) -> None:
        """Add every blacklisted word of a text."""
        for word, pattern in _BLACK.items():
            for _ in pattern.finditer(text):
                self._add("blacklist", file, line, f"{word}: {text}")

    def _scan_python(self, path: Path) -> None:
        """Look through the docstrings and comments of a Python file."""
        text = path.read_text("utf-8")
        file = str(path.relative_to(self.root))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                self._scan_definition(file, node)
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comment = token.string.lstrip("# ").strip()
                if HEADLESS.match(comment):
                    self._add("headless_comment", file, token.start[0], comment)
                self._add_words(file, token.start[0], comment)

    def _scan_page_file(self, path: Path) -> None:
        """Look through the comments of a script, style sheet or template."""
        text = path.read_text("utf-8")
        file = str(path.relative_to(self.root))
        for found in COMMENT[path.suffix].finditer(text):
            for group in found.groupdict():
                start = text.count("\n", 0, found.start(group)) + 1
                for number, line in enumerate((found[group] or "").splitlines(), start):
                    comment = line.strip("* \t")
                    if HEADLESS.match(comment):
                        self._add("headless_comment", file, number, comment)

    def _scan_definition(
        self, file: str, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    ) -> None:
        """Look through the docstring of a module, class or function."""
        doc = ast.get_docstring(node)
        name, line = getattr(node, "name", ""), getattr(node, "lineno", 1)
        is_public = file.startswith("src/") and bool(name) and not name.startswith("_")
        if doc is None:
            if is_public:
                self._add("public_without_docstring", file, line, name)
            return
        self._scan_summary(file, line, doc)
        if INLINE_PARAMETER.search(doc) and not SECTION.search(doc):
            self._add("parameters_inline", file, line, doc)
        if INLINE_RAISES.search(doc) and not RAISES.search(doc):
            self._add("raises_inline", file, line, doc)
        names = _parameters(node)
        if is_public and len(names) >= PARAMETERS_THAT_NEED_ARGS and not ARGUMENTS.search(doc):
            self._add("public_3_params_without_args", file, line, f"{name}({', '.join(names)})")
        if "\N{SECTION SIGN}" in doc and "/games/" in file:
            self._add("section_sign", file, line, doc)
        self._add_words(file, line, doc)

    def _scan_summary(self, file: str, line: int, doc: str) -> None:
        """Look at the first line of a docstring."""
        first = doc.splitlines()[0].strip()
        if HEADLESS.match(first):
            self._add("headless_docstring", file, line, first)
            if file.startswith("src/"):
                self._add("headless_docstring_src", file, line, first)
        if SEE_ONLY.match(doc.strip()):
            self._add("see_only_docstring", file, line, first)
        if len(doc.splitlines()) == 1 and len(first) > LONGEST_ONE_LINER:
            self._add("one_liner_over_100", file, line, first)

    def _scan_docs(self, path: Path) -> None:
        """Look through a Markdown file without its code blocks."""
        file = str(path.relative_to(self.root))
        in_code = False
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif not in_code:
                self._scan_docs_line(file, number, line)

    def _scan_docs_line(self, file: str, number: int, line: str) -> None:
        """Look at a line of a Markdown file."""
        bare = LINK.sub(r"\1", line)
        if line.lstrip().startswith("|"):
            if any(len(cell.strip()) > LONGEST_CELL for cell in bare.split("|")):
                self._add("table_cell_over_160", file, number, line)
        else:
            if len(line) > VERY_LONG_DOCS_LINE:
                self._add("docs_line_over_120", file, number, line)
            if len(bare) > LONGEST_DOCS_LINE:
                self._add("docs_line_over_100", file, number, line)
            for sentence in re.split(r"(?<=[.!?])\s+", re.sub(r"^[-*#\s\d.]+", "", bare)):
                if len(sentence.split()) > MOST_WORDS:
                    self._add("sentence_over_35_words", file, number, sentence)
                if HEADLESS.match(sentence):
                    self._add("headless_sentence_docs", file, number, sentence)
        self._add_words(file, number, bare)

    def _scan_catalog(self, path: Path) -> None:
        """Look through the texts of an English catalog."""
        file = str(path.relative_to(self.root))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found = MESSAGE.match(line)
            for word, pattern in _UI_BLACK.items():
                if found and pattern.search(found[1]):
                    self._add("ui_blacklist", file, number, f"{word}: {found[1]}")


def python_files(root: Path) -> Iterator[Path]:
    """Yield the Python files of a repository."""
    for folder in ("src", "tests", "scripts", "benchmarks", "examples"):
        yield from (path for path in sorted((root / folder).rglob("*.py")) if "build" not in path.parts)


def page_files(root: Path) -> Iterator[Path]:
    """Yield the scripts, style sheets and templates of a repository, without vendored ones."""
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in COMMENT and "vendor" not in path.parts:
            yield path


def docs_files(root: Path) -> Iterator[Path]:
    """Yield the Markdown files of a repository that people read."""
    yield from sorted(root.glob("*.md"))
    yield from sorted((root / "docs").rglob("*.md"))
    yield from sorted((root / "src").rglob("README.md"))
    yield from sorted((root / "examples").rglob("*.md"))


def _parameters(node: ast.AST) -> list[str]:
    """Return the names of a function's parameters, without `self` and `cls`."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    given = node.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")]


def over_limit(counts: dict[str, int], limits: dict[str, int]) -> list[str]:
    """Return a line for each count above its limit; a count without a limit may not occur at all.

    Args:
        counts: The counts by key.
        limits: The highest allowed counts by key.
    """
    return [
        f"{key}: {count} places: expected at most {limits.get(key, 0)}"
        for key, count in counts.items()
        if count > limits.get(key, 0)
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status.

    Args:
        arguments: The arguments; None for those of the process.

    Returns:
        1 if a count is above its limit, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="root of the repository")
    parser.add_argument("--list", metavar="KEY", help="print the places of one count")
    parser.add_argument("--limit", type=Path, metavar="FILE", help="fail if a count is above its limit in this file")
    parser.add_argument("--json", action="store_true", help="print the counts as a limit file")
    options = parser.parse_args(arguments)
    counter = ProseCounter(options.root.resolve())
    counter.scan()
    if options.list:
        print(*counter.hits[options.list], sep="\n")
    elif options.json:
        print(json.dumps(counter.counts(), indent=2))
    elif options.limit:
        worse = over_limit(counter.counts(), json.loads(options.limit.read_text("utf-8")))
        for line in worse:
            print(line, file=sys.stderr)
        if worse:
            print("print the places with `python -m scripts.prose_counts --list KEY`", file=sys.stderr)
        return bool(worse)
    else:
        for key, count in counter.counts().items():
            print(f"{key:40} {count:6}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
