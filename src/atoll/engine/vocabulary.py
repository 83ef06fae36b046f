"""Vocabularies: choices as ints with one meaning in every state, and their text form.

A *kind* is a family of choices: the product of its ordered *domains*. The kinds of a game in order
form its *vocabulary*, decisions first, then chance. A choice is an index in it. The order of
definition is part of the file format, because saves, records and trained agents depend on it.
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
    """A fixed, ordered set of names for a part of a choice.

    Either the names or only the size is given. In the latter case `Rules.names` provides the names
    from the components, at most `size` of them.

    Args:
        name: Name of the domain.
        names: Names of the elements; None if the components name them.
        size: Maximum number of elements, if `names` is None.

    Attributes:
        name: Name of the domain.
        names: The given names; empty if the components name the elements. `Notation` knows those.
        size: Maximum number of elements.

    Raises:
        ValueError: If a name is invalid or occurs twice, or the domain is empty.
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
                raise ValueError(f"domain {name!r}: duplicate name")
            self.size: int = len(self.names)
        else:
            assert size is not None
            self.size = size
        if self.size < 1:
            raise ValueError(f"domain {name!r} is empty")

    def label(self, index: int) -> str:
        """Return the given name of an element.

        Args:
            index: Index of the element.

        Raises:
            ValueError: If there is none.
        """
        if not 0 <= index < len(self.names):
            raise ValueError(f"domain {self.name!r} has no name number {index}; it has {len(self.names)} names")
        return self.names[index]

    def index(self, name: str) -> int:
        """Return the index of a given name.

        Args:
            name: Name of the element.

        Raises:
            ValueError: If the domain has no such name.
        """
        if name not in self.names:
            raise ValueError(f"domain {self.name!r} has no {name!r}; allowed: {', '.join(self.names) or 'none'}")
        return self.names.index(name)


class Numbers(Domain):
    """A domain of consecutive integers; index 0 is `low`.

    Args:
        name: Name of the domain.
        low: Lowest number.
        high: Highest number.
        counts: Whether the numbers are amounts; False for numbers that only identify something.

    Attributes:
        low: Lowest number.
        high: Highest number.
        counts: Whether the numbers are amounts; False for numbers that only identify something.
    """

    __slots__ = ("counts", "high", "low")

    def __init__(self, name: str, low: int, high: int, *, counts: bool = True) -> None:
        super().__init__(name, [str(n) for n in range(low, high + 1)])
        self.low: int = low
        self.high: int = high
        self.counts: bool = counts


def numbers(name: str, low: int, high: int, *, counts: bool = True) -> Numbers:
    """Return the domain of the integers from `low` to `high`.

    Args:
        name: Name of the domain.
        low: Lowest number.
        high: Highest number.
        counts: Whether the numbers are amounts; False for numbers that only identify something.
    """
    return Numbers(name, low, high, counts=counts)


class Kind:
    """A family of choices: the product of its domains, at a fixed place in the vocabulary.

    The choices are the ints from `first` to `end - 1`; the last domain varies fastest. Kinds are
    created by `Vocabulary`.

    Args:
        name: Name of the kind.
        domains: Domains of its parts.
        first: First choice.
        is_chance: Whether the choices are chance outcomes.

    Attributes:
        name: Name of the kind.
        domains: Domains of its parts.
        first: First choice.
        end: Choice after the last one.
        size: Number of choices.
        is_chance: Whether the choices are chance outcomes.
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
        # Caches, because rules ask for the same choices and parts in hot loops.
        self._choices: dict[tuple[int, ...], int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._rows: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._by_first: tuple[tuple[int, ...], ...] | None = None

    def choice(self, *parts: int) -> int:
        """Return the choice with these domain indices.

        Args:
            *parts: One index per domain.

        Raises:
            ValueError: If an index is out of range, or their number is wrong.
        """
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
                raise ValueError(
                    f"kind {self.name!r}: {domain.name} {part} is out of range: expected 0 to {domain.size - 1}"
                )
            index = index * domain.size + part
        return self.first + index

    def all_choices(self, indices: Iterable[int]) -> list[int]:
        """Return the choices with these indices in the kind, unchecked and in the same order."""
        first = self.first
        found = []
        for index in indices:
            found.append(first + index)  # noqa: PERF401 - the lists are short, and a comprehension costs more
        return found

    def choices(self, *parts: int) -> tuple[int, ...]:
        """Return all choices that begin with these domain indices, ascending.

        Args:
            *parts: Indices of the first domains; none for all choices of the kind.

        Raises:
            ValueError: If an index is out of range.
        """
        try:
            return self._rows[parts]
        except KeyError:
            row = self._rows[parts] = self._row_of(parts)
            return row

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Return all choices, ascending, grouped by the index of the first domain."""
        if self._by_first is None:
            self._by_first = tuple([self.choices(index) for index in range(self.domains[0].size)])
        return self._by_first

    def _row_of(self, parts: tuple[int, ...]) -> tuple[int, ...]:
        rest = self.domains[len(parts) :]
        first = self._choice_of((*parts, *(0 for _ in rest)))
        last = self._choice_of((*parts, *(domain.size - 1 for domain in rest)))
        return tuple(range(first, last + 1))

    def part(self, choice: int) -> int:
        """Return the index of a choice in this kind; for a single domain it is the domain index.

        Args:
            choice: The choice.

        Raises:
            ValueError: If the choice is of another kind.
        """
        index = choice - self.first
        if not 0 <= index < self.size:
            raise ValueError(f"choice {choice} isn't of kind {self.name!r} ({self.first}..{self.end - 1})")
        return index

    def parts(self, choice: int) -> tuple[int, ...]:
        """Return the domain indices of a choice.

        Args:
            choice: The choice.

        Raises:
            ValueError: If the choice is of another kind.
        """
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
    """All kinds of a game in order: decisions first, then chance.

    Attributes:
        kinds: The kinds.
        decisions: Number of choices of decisions.
        size: Number of all choices.
    """

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.decisions: int = 0
        self.size: int = 0
        self._firsts: list[int] = []
        self._by_name: dict[str, Kind] = {}

    def kind(self, name: str, *domains: Domain) -> Kind:
        """Define a kind of decision, before all kinds of chance.

        Args:
            name: Name of the kind.
            *domains: Domains of its parts.

        Returns:
            The new kind.

        Raises:
            ValueError: If a kind of chance is already defined, or the name is invalid or in use.
        """
        if self.size != self.decisions:
            raise ValueError(f"kind {name!r}: define the kinds of decisions before those of chance")
        kind = self._add(name, domains, is_chance=False)
        self.decisions = self.size
        return kind

    def chance(self, name: str, domain: Domain) -> Kind:
        """Define a kind of chance outcome.

        Args:
            name: Name of the kind.
            domain: Domain of the outcomes.

        Returns:
            The new kind.

        Raises:
            ValueError: If the name is invalid or in use.
        """
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
        """Return all domains by name."""
        return {domain.name: domain for kind in self.kinds for domain in kind.domains}

    def kind_of(self, choice: object) -> Kind:
        """Return the kind of a choice.

        Args:
            choice: The choice.

        Raises:
            MalformedChoice: If the value isn't a choice.
        """
        if type(choice) is not int or not 0 <= choice < self.size:
            raise MalformedChoice(f"invalid choice {choice!r}: expected an int from 0 to {self.size - 1}")
        return self.kinds[bisect_right(self._firsts, choice) - 1]

    def kind_named(self, name: str) -> Kind:
        """Return the kind with a name.

        Args:
            name: Name of the kind.

        Raises:
            MalformedChoice: If there is none.
        """
        kind = self._by_name.get(name)
        if kind is None:
            raise MalformedChoice(f"unknown kind of choice {name!r}; known: {', '.join(self._by_name)}")
        return kind


class Notation:
    """The text form of choices: the names of the kind and its parts, separated by spaces.

    Args:
        vocabulary: Vocabulary of the game.
        names: Names of the elements of domains that are declared by size only; see `Rules.names`.

    Attributes:
        vocabulary: Vocabulary of the game.

    Raises:
        ValueError: If names are missing, invalid, duplicate or too many.
    """

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
                raise ValueError(f"domain {domain.name!r}: duplicate name")

    def name(self, domain: str, index: int) -> str:
        """Return the name of an element.

        Args:
            domain: Name of the domain.
            index: Index of the element.

        Raises:
            MalformedChoice: If the domain is unknown or the index is out of range.
        """
        names = self._names.get(domain)
        if names is None:
            raise MalformedChoice(f"unknown domain {domain!r}; known: {', '.join(self._names)}")
        if not 0 <= index < len(names):
            raise MalformedChoice(f"{domain} {index} is out of range: expected 0 to {len(names) - 1}")
        return names[index]

    def names(self, domain: str) -> tuple[str, ...]:
        """Return all names of a domain, in order."""
        return self._names[domain]

    def index(self, domain: str, name: str) -> int:
        """Return the index of a name.

        Args:
            domain: Name of the domain.
            name: Name of the element.

        Raises:
            MalformedChoice: If the domain has no such name.
        """
        found = self._indices[domain].get(name)
        if found is None:
            allowed = ", ".join(self._names[domain][:12]) + (", ..." if len(self._names[domain]) > 12 else "")
            raise MalformedChoice(f"unknown {domain} {name!r}; allowed: {allowed}")
        return found

    def text(self, choice: object) -> str:
        """Return the text form of a choice, such as `place r1c1 base`.

        Args:
            choice: The choice.

        Raises:
            MalformedChoice: If the value isn't a choice of the game.
        """
        known = self._texts.get(choice) if type(choice) is int else None
        if known is not None:
            return known
        kind = self.vocabulary.kind_of(choice)
        assert isinstance(choice, int)  # only ints have a kind
        parts = [self.name(d.name, part) for d, part in zip(kind.domains, kind.parts(choice), strict=True)]
        text = self._texts[choice] = " ".join([kind.name, *parts])
        return text

    def texts(self, choices: Iterable[int]) -> list[str]:
        """Return the text forms of several choices.

        Args:
            choices: The choices.

        Raises:
            MalformedChoice: If a value isn't a choice of the game.
        """
        try:
            return list(map(self._texts.__getitem__, choices))
        except KeyError:
            return [self.text(choice) for choice in choices]

    def parse(self, text: object) -> int:
        """Return the choice with a text form.

        Args:
            text: Text form of the choice.

        Raises:
            MalformedChoice: If the text isn't a choice of the game.
        """
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
