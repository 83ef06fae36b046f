"""Choices as ints with one meaning in every state, and their text form.

A *kind* is a family of choices with a fixed, ordered domain (or a product of domains). The kinds of a game laid end to
end are its *vocabulary*: first the kinds of decisions, then those of chance. A choice is one int in it. The order of
definition is file format: saved games, records and trained agents depend on it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .errors import MalformedChoice

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_+#:.'-]+")


def _check_identifier(what: str, name: str) -> None:
    if not _IDENTIFIER.fullmatch(name):
        raise ValueError(f"{what} {name!r}: use letters, digits and _ + # : . ' - only, no spaces")


class Domain:
    """A fixed, ordered set of names that a part of a choice is taken from.

    Either the names are given (they never change), or only the size is, and the names come from the game's Box
    (`Game.names`); the Box may then name fewer than `size` of them. `names` holds what was given: it is empty where the
    Box names the elements, and only `Notation` knows what they are called.

    In rules, pictures and readers of components: `COMMODITY.names` for all names in order, `COMMODITY.label(index)` for
    one of them, `COMMODITY.index(name)` for the way back.
    """

    __slots__ = ("name", "names", "size")

    def __init__(self, name: str, names: Sequence[str] | None = None, *, size: int | None = None) -> None:
        _check_identifier("domain", name)
        if (names is None) == (size is None):
            raise ValueError(f"domain {name!r}: give either its names or its size")
        self.name: str = name
        self.names: tuple[str, ...] = ()
        if names is not None:
            self.names = tuple(names)
            for each in self.names:
                _check_identifier(f"domain {name!r}: name", each)
            if len(set(self.names)) != len(self.names):
                raise ValueError(f"domain {name!r}: a name stands twice")
            self.size: int = len(self.names)
        else:
            assert size is not None
            self.size = size
        if self.size < 1:
            raise ValueError(f"domain {name!r} is empty")

    def label(self, index: int) -> str:
        """The given name of an element. Raises ValueError if there is none."""
        if not 0 <= index < len(self.names):
            raise ValueError(f"domain {self.name!r} has no name number {index}; it has {len(self.names)} names")
        return self.names[index]

    def index(self, name: str) -> int:
        """The index of a given name. Raises ValueError, with the names that are allowed."""
        if name not in self.names:
            raise ValueError(f"domain {self.name!r} has no {name!r}; allowed: {', '.join(self.names) or 'none'}")
        return self.names.index(name)


class Numbers(Domain):
    """The whole numbers from `low` to `high`; index 0 stands for `low`.

    counts: whether they say how many there are of something; others tell things apart (a seat, a field).
    """

    __slots__ = ("counts", "high", "low")

    def __init__(self, name: str, low: int, high: int, *, counts: bool = True) -> None:
        super().__init__(name, [str(n) for n in range(low, high + 1)])
        self.low: int = low
        self.high: int = high
        self.counts: bool = counts


def numbers(name: str, low: int, high: int, *, counts: bool = True) -> Numbers:
    """The domain of the whole numbers from `low` to `high`, both included. counts: see Numbers."""
    return Numbers(name, low, high, counts=counts)


class Kind:
    """A family of choices: the product of its domains, at a fixed place in the vocabulary.

    The choices are the ints `first` to `end - 1`, the last domain counting fastest.
    """

    __slots__ = ("_by_first", "_choices", "_parts", "_rows", "domains", "end", "first", "is_chance", "name", "size")

    def __init__(self, name: str, domains: tuple[Domain, ...], first: int, is_chance: bool) -> None:
        _check_identifier("kind", name)
        self.name: str = name
        self.domains: tuple[Domain, ...] = domains
        self.is_chance: bool = is_chance
        size = 1
        for domain in domains:
            size *= domain.size
        self.size: int = size
        self.first: int = first
        self.end: int = first + size
        # Rules ask for the same choices and parts in their hottest loops: what was worked out once is remembered.
        self._choices: dict[tuple[int, ...], int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._rows: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._by_first: tuple[tuple[int, ...], ...] | None = None

    def choice(self, *parts: int) -> int:
        """The choice made of these domain indices. Raises ValueError if one lies outside of its domain."""
        try:
            return self._choices[parts]
        except KeyError:
            choice = self._choices[parts] = self._choice_of(parts)
            return choice

    def _choice_of(self, parts: tuple[int, ...]) -> int:
        if len(parts) != len(self.domains):
            raise ValueError(f"kind {self.name!r} has {len(self.domains)} parts, not {len(parts)}")
        index = 0
        for part, domain in zip(parts, self.domains, strict=True):
            if not 0 <= part < domain.size:
                raise ValueError(f"kind {self.name!r}: {domain.name} {part} lies outside of 0..{domain.size - 1}")
            index = index * domain.size + part
        return self.first + index

    def all_choices(self, indices: Iterable[int]) -> list[int]:
        """The choices with these indices (see `of`), in their order; for lists of options, so nothing is checked."""
        first = self.first
        found = []
        for index in indices:
            found.append(first + index)  # noqa: PERF401 - lists of options are short: a comprehension costs more
        return found

    def choices(self, *parts: int) -> tuple[int, ...]:
        """All choices that begin with these domain indices, ascending; without parts, all of the kind.

        Raises ValueError if a part lies outside of its domain.
        """
        try:
            return self._rows[parts]
        except KeyError:
            row = self._rows[parts] = self._row_of(parts)
            return row

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """All choices, ascending, by the index of their first domain."""
        if self._by_first is None:
            self._by_first = tuple([self.choices(index) for index in range(self.domains[0].size)])
        return self._by_first

    def _row_of(self, parts: tuple[int, ...]) -> tuple[int, ...]:
        rest = self.domains[len(parts) :]
        first = self._choice_of((*parts, *(0 for _ in rest)))
        last = self._choice_of((*parts, *(domain.size - 1 for domain in rest)))
        return tuple(range(first, last + 1))

    def part(self, choice: int) -> int:
        """The index of a choice within this kind (for one domain: the domain index)."""
        index = choice - self.first
        if not 0 <= index < self.size:
            raise ValueError(f"choice {choice} isn't of kind {self.name!r} ({self.first}..{self.end - 1})")
        return index

    def parts(self, choice: int) -> tuple[int, ...]:
        """The domain indices that a choice of this kind is made of. Raises ValueError if it is of another kind."""
        try:
            return self._parts[choice]
        except KeyError:
            found = self._parts[choice] = self._parts_of(choice)
            return found

    def _parts_of(self, choice: int) -> tuple[int, ...]:
        index = self.part(choice)
        found: list[int] = []
        for domain in reversed(self.domains):
            found.append(index % domain.size)
            index //= domain.size
        return tuple(reversed(found))

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, int) and self.first <= choice < self.end

    def __repr__(self) -> str:
        return f"Kind({self.name!r}, {self.first}..{self.end - 1})"


class Vocabulary:
    """All kinds of a game, end to end: decisions first, then chance."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.decisions: int = 0
        self.size: int = 0
        self._firsts: list[int] = []
        self._by_name: dict[str, Kind] = {}

    def kind(self, name: str, *domains: Domain) -> Kind:
        """Define a kind of decision. All of them come before the first kind of chance."""
        if self.size != self.decisions:
            raise ValueError(f"kind {name!r}: define the kinds of decisions before those of chance")
        kind = self._add(name, domains, is_chance=False)
        self.decisions = self.size
        return kind

    def chance(self, name: str, domain: Domain) -> Kind:
        """Define a kind of chance outcome; it has exactly one domain."""
        return self._add(name, (domain,), is_chance=True)

    def _add(self, name: str, domains: tuple[Domain, ...], *, is_chance: bool) -> Kind:
        if name in self._by_name:
            raise ValueError(f"kind {name!r} is defined twice")
        kind = Kind(name, domains, self.size, is_chance)
        self.kinds.append(kind)
        self._firsts.append(kind.first)
        self._by_name[name] = kind
        self.size = kind.end
        return kind

    def domains(self) -> dict[str, Domain]:
        """All domains by name."""
        return {domain.name: domain for kind in self.kinds for domain in kind.domains}

    def kind_of(self, choice: object) -> Kind:
        """The kind that a choice belongs to. Raises MalformedChoice."""
        if type(choice) is not int or not 0 <= choice < self.size:
            raise MalformedChoice(f"{choice!r} is no choice: choices are ints from 0 to {self.size - 1}")
        return self.kinds[bisect_right(self._firsts, choice) - 1]

    def kind_named(self, name: str) -> Kind:
        """The kind of this name. Raises MalformedChoice."""
        kind = self._by_name.get(name)
        if kind is None:
            raise MalformedChoice(f"unknown kind of choice {name!r}; known: {', '.join(self._by_name)}")
        return kind


class Notation:
    """The text form of choices of one game with one Box: the kind's name and its parts' names, separated by blanks."""

    def __init__(self, vocabulary: Vocabulary, names: Mapping[str, Sequence[str]]) -> None:
        self.vocabulary: Vocabulary = vocabulary
        self._names: dict[str, tuple[str, ...]] = {}
        self._indices: dict[str, dict[str, int]] = {}
        self._texts: dict[int, str] = {}
        for domain in vocabulary.domains().values():
            given = domain.names or tuple(names.get(domain.name, ()))
            if not given:
                raise ValueError(f"domain {domain.name!r} has no names: Game.names() must give them")
            if len(given) > domain.size:
                raise ValueError(f"domain {domain.name!r}: {len(given)} names, but the game has {domain.size} at most")
            for each in given:
                _check_identifier(f"domain {domain.name!r}: name", each)
            self._names[domain.name] = given
            self._indices[domain.name] = {each: index for index, each in enumerate(given)}
            if len(self._indices[domain.name]) != len(given):
                raise ValueError(f"domain {domain.name!r}: a name stands twice")

    def name(self, domain: str, index: int) -> str:
        """The name of one element of a domain. Raises MalformedChoice."""
        names = self._names.get(domain)
        if names is None:
            raise MalformedChoice(f"unknown domain {domain!r}; known: {', '.join(self._names)}")
        if not 0 <= index < len(names):
            raise MalformedChoice(f"{domain} {index} lies outside of 0..{len(names) - 1}")
        return names[index]

    def names(self, domain: str) -> tuple[str, ...]:
        """All names of a domain, in order."""
        return self._names[domain]

    def index(self, domain: str, name: str) -> int:
        """The index of a name in its domain. Raises MalformedChoice, with the names that are allowed."""
        found = self._indices[domain].get(name)
        if found is None:
            allowed = ", ".join(self._names[domain][:12]) + (", ..." if len(self._names[domain]) > 12 else "")
            raise MalformedChoice(f"unknown {domain} {name!r}; allowed: {allowed}")
        return found

    def text(self, choice: object) -> str:
        """The one text form of a choice, such as `place r1c1 base`. Raises MalformedChoice."""
        known = self._texts.get(choice) if type(choice) is int else None
        if known is not None:
            return known
        kind = self.vocabulary.kind_of(choice)
        assert isinstance(choice, int)  # nothing else has a kind
        parts = [self.name(d.name, part) for d, part in zip(kind.domains, kind.parts(choice), strict=True)]
        text = self._texts[choice] = " ".join([kind.name, *parts])
        return text

    def texts(self, choices: Iterable[int]) -> list[str]:
        """The text forms of many choices. Raises MalformedChoice."""
        try:
            return list(map(self._texts.__getitem__, choices))
        except KeyError:
            return [self.text(choice) for choice in choices]

    def parse(self, text: object) -> int:
        """The choice with this text form. Raises MalformedChoice."""
        if not isinstance(text, str):
            raise MalformedChoice(f"a text is needed, not {type(text).__name__}")
        if len(text) > 400:
            raise MalformedChoice("the text is too long for a choice")
        words = text.split()
        if not words:
            raise MalformedChoice("the text is empty; a choice looks like 'kind part part'")
        kind = self.vocabulary.kind_named(words[0])
        if len(words) - 1 != len(kind.domains):
            wanted = " ".join([kind.name, *(f"<{domain.name}>" for domain in kind.domains)])
            raise MalformedChoice(f"{text!r} has {len(words) - 1} parts; the form is '{wanted}'")
        return kind.choice(
            *(self.index(domain.name, word) for domain, word in zip(kind.domains, words[1:], strict=True))
        )
