"""Prints every text that a person can see, English above German, in the place where it appears.

`python -m scripts.texts atacama` prints the texts of a game, `server` those of the table server.
Placeholders show example values; numbers with plural forms are 1 and 3.
"""

from __future__ import annotations

import argparse
import importlib.resources
import re
import string
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import atoll
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import GameMessages, MessageCatalogue, catalogue, catalogue_keys, domain_of
from atoll.lessons import lessons

ROOT: Final = Path(__file__).parents[1]
GAMES: Final = ("atacama", "atlandice", "atua", "raiatea", "wutaki")
OTHERS: Final = {"server": "atoll.server.presentation", "starter": "atoll.starter", "atoll": "atoll"}
PACKAGES: Final = {name: f"atoll.games.{name}" for name in GAMES} | OTHERS
"""Package of each catalog by its name on the command line."""

FAMILIES: Final = {
    "goal": "card of the game",
    "prompt": "question to the player whose turn it is",
    "kind": "a choice, on its button and in the plan of a turn",
    "log": "log of the table",
    "form": "part of other sentences",
    "name": "name on the table and in sentences",
    "reason": "answer to an illegal choice",
    "score": "score sheet",
    "rule": "rules page",
    "option": "page for a new table",
    "table": "picture of the table",
    "coach": "coach",
}
"""Place of a game's message by the first part of its key."""

_QUOTED: Final = re.compile(r"""["']([a-z][\w.-]*)""")
_SCOPE: Final = re.compile(r"(?:def|class|macro|block|function) (\w+)")


def uses(package: str) -> Mapping[str, list[str]]:
    """Return the files and functions that use a key or the beginning of one, by this text."""
    folder = ROOT / "src" / package.replace(".", "/")
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((folder.parent if folder.name == "presentation" else folder).rglob("*.*")):
        scope = ""
        for line in path.read_text("utf-8").splitlines() if path.suffix in {".py", ".jinja", ".js"} else ():
            scope = " ".join(_SCOPE.findall(line)[:1]) or scope
            for literal in _QUOTED.findall(line):
                found[literal].append(f"{path.name} {scope}".strip())
    return found


def place(key: str, used: Mapping[str, list[str]], steps: Mapping[str, str], name: str) -> str:
    """Return the page, state or function in which a message appears."""
    parts = key.removeprefix(f"{name}.").split(".")
    if name in GAMES and parts[0] in FAMILIES:
        return f"{FAMILIES[parts[0]]}: {'.'.join(parts[:2])}" if parts[0] in {"rule", "coach"} else FAMILIES[parts[0]]
    if name in GAMES and parts[0] == "learn":
        return steps.get(".".join(parts[:3]), f"lesson {parts[1]}")
    starts = [".".join(parts[:end]) + "." * (end < len(parts)) for end in range(len(parts), 0, -1)]
    found = next((used[start] for start in starts if start in used), [f"{parts[0]}.*"])
    return ", ".join(dict.fromkeys(found[:4]))


def headings(name: str) -> dict[str, str]:
    """Return a heading for each step of a game's lessons, by the key of its message."""
    return {
        lesson.key(step.id): f"lesson {lesson.name}, step {step.id}: {step.ask}, at {step.at or step.after}; "
        f"rings: {', '.join(step.spot)}; right: {'; '.join(each.on for each in step.answers if each.passes)}"
        for lesson in lessons(atoll.games[name]).values()
        for step in lesson.steps
    }


def examples(raw: str, words: MessageCatalogue) -> dict[str, object]:
    """Return example values for placeholders; the name in braces if no value is known."""
    names = [(name, form) for _, name, form, _ in string.Formatter().parse(raw) if name]
    values: dict[str, object] = {name: 3 if form else f"{{{name}}}" for name, form in names}
    values |= dict.fromkeys(re.findall(r"{(\w+)}", " ".join(form or "" for _, form in names)), 3)
    if not isinstance(words, GameMessages):
        return values
    game = words.game
    domains = {*game.vocabulary.domains(), *game.titles(game.components, words.language), "seat"}
    named = words.fields({name: 1 for name in values if domain_of(name) in domains})
    return {**values, **named, **game.text_values(game.components)}


def forms(key: str, words: MessageCatalogue) -> list[str]:
    """Return a message with example values: twice if it depends on a number."""
    texts, found = catalogue(words.package, words.language), []
    for number in (1, 3):
        raw = texts.ngettext(key, key, number)
        raw = texts.gettext(key) if raw == key else raw
        found.append(words.text(key, **{**examples(raw, words), "n": number}))
    return list(dict.fromkeys(found))


def data_texts(value: Any, path: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the texts of component data with their paths in the file."""
    if isinstance(value, dict) and isinstance(value.get("en"), str):
        yield path, value
    for name, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from data_texts(each, f"{path}.{name}")


def report(name: str, languages: Sequence[str] = LANGUAGES) -> Iterator[str]:
    """Yield the places of a catalog with the keys and texts in each."""
    package, game = PACKAGES[name], atoll.games[name] if name in GAMES else None
    seats = ("Ada", "Bea", "Cleo", "Dan")
    words = [GameMessages(game, each, seats) if game else MessageCatalogue(package, each) for each in languages]
    used, steps = uses(package), headings(name) if game else {}
    groups: dict[str, list[str]] = {heading: [] for heading in steps.values()}
    for key in catalogue_keys(package, "en"):
        groups.setdefault(place(key, used, steps, name), []).append(key)
    for heading, keys in groups.items():
        yield f"\n## {heading}"
        for key in keys:
            lines = [f"  {each.language}  {text}" for each in words for text in forms(key, each)]
            yield "\n".join([f"\n{key}", *(line.replace("\n", "\n      ") for line in lines)])
    data = importlib.resources.files(package).joinpath("components.toml")
    for path, texts in data_texts(tomllib.loads(data.read_text("utf-8")), "components.toml") if data.is_file() else ():
        yield "\n".join([f"\n{path}", *(f"  {each}  {texts[each]}" for each in languages if each in texts)])


def main() -> None:
    """Print the texts of the named catalogs, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogs", nargs="*", metavar="catalog", help=f"some of {', '.join(PACKAGES)}")
    parser.add_argument("--language", choices=LANGUAGES, help="print this language alone")
    wanted = parser.parse_args()
    if unknown := set(wanted.catalogs) - PACKAGES.keys():
        parser.error(f"unknown catalog {', '.join(sorted(unknown))}: expected some of {', '.join(PACKAGES)}")
    for name in wanted.catalogs or PACKAGES:
        print(f"\n# {name}", *report(name, [wanted.language] if wanted.language else LANGUAGES), sep="\n")


if __name__ == "__main__":
    main()
