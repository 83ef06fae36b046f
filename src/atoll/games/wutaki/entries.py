"""Reading component data key by key, so that whatever is wrong or unknown is refused by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from atoll.engine import ComponentError

LANGUAGES: Final = ("en", "de")


class Entry:
    """One table of the file, read key by key. What isn't read, is missing or has a wrong value is refused by name."""

    def __init__(self, table: str, data: Any, id: str = "") -> None:
        self.table: str = table
        self.id: str = id
        if not isinstance(data, Mapping):
            self.fail(f"{data!r} is no table", "keys with values")
        self.data: Mapping[str, Any] = data
        self.read: set[str] = set()
        if not id and "id" in data:
            self.id = self.text("id")

    def fail(self, problem: str, allowed: str) -> NoReturn:
        """Raise the error that names this entry."""
        raise ComponentError(f"[{self.table}] {self.id or '(no id)'}: {problem}; allowed: {allowed}")

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self.data

    def get(self, key: str, needed: str) -> Any:
        """The value of a key that must be there."""
        self.read.add(key)
        if key not in self.data:
            self.fail(f"key {key!r} is missing", needed)
        return self.data[key]

    def number(self, key: str, default: int | None = None, *, lo: int = 0, hi: int = 999) -> int:
        """A whole number from lo to hi."""
        if default is not None and key not in self.data:
            return default
        value = self.get(key, f"a whole number from {lo} to {hi}")
        if type(value) is not int or not lo <= value <= hi:
            self.fail(f"{key} = {value!r}", f"a whole number from {lo} to {hi}")
        return value

    def numbers(self, key: str, *, lo: int = 0, hi: int = 999, size: int | None = None) -> tuple[int, ...]:
        """A list of whole numbers from lo to hi."""
        needed = f"a list of {'' if size is None else f'{size} '}whole numbers from {lo} to {hi}"
        value = self.get(key, needed)
        good = isinstance(value, list) and all(type(n) is int and lo <= n <= hi for n in value)
        if not good or (size is not None and len(value) != size):
            self.fail(f"{key} = {value!r}", needed)
        return tuple(value)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Yes or no."""
        if default is not None and key not in self.data:
            return default
        value = self.get(key, "true, false")
        if not isinstance(value, bool):
            self.fail(f"{key} = {value!r}", "true, false")
        return value

    def text(self, key: str) -> str:
        """A text that isn't empty."""
        value = self.get(key, "a text")
        if not isinstance(value, str) or not value:
            self.fail(f"{key} = {value!r}", "a text")
        return value

    def one_of(self, key: str, allowed: Sequence[str]) -> int:
        """The index of a word in the list of those allowed."""
        value = self.get(key, ", ".join(allowed))
        if value not in allowed:
            self.fail(f"{key} = {value!r}", ", ".join(allowed))
        return list(allowed).index(value)

    def some_of(self, key: str, allowed: Sequence[str]) -> tuple[int, ...]:
        """The indices of several words in the list of those allowed."""
        value = self.get(key, f"a list of {', '.join(allowed)}")
        if not isinstance(value, list):
            self.fail(f"{key} = {value!r}", f"a list of {', '.join(allowed)}")
        for each in value:
            if each not in allowed:
                self.fail(f"{key} has {each!r}", ", ".join(allowed))
        return tuple(list(allowed).index(each) for each in value)

    def list(self, key: str) -> list[Any]:
        """A list of anything."""
        value = self.get(key, "a list")
        if not isinstance(value, list):
            self.fail(f"{key} = {value!r}", "a list")
        return value

    def part(self, key: str) -> Entry:
        """A table inside of this one; errors name this entry."""
        return Entry(f"{self.table}.{key}", self.get(key, "a table"), self.id)

    def titles(self) -> dict[str, str]:
        """The name in all languages: key `name`."""
        name = self.part("name")
        found = {language: name.text(language) for language in LANGUAGES}
        name.done()
        return found

    def done(self) -> None:
        """Refuse what nobody has asked for, but for `source` (where a number comes from) and `text` (for designers)."""
        unknown = [key for key in self.data if key not in self.read and key not in ("source", "text")]
        if unknown:
            self.fail(f"unknown key {unknown[0]!r}", ", ".join(sorted(self.read)) or "nothing")
