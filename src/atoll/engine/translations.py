"""Translations: gettext catalogs whose message ids are keys, and names of seats and elements.

The catalogs of a game are in `words/<language>.po` of its package. English is complete and
replaces missing messages of other languages.
"""

from __future__ import annotations

import gettext
import importlib.resources
import io
import logging
import re
from collections import Counter
from collections.abc import Callable, KeysView, Mapping, Sequence
from functools import cache
from typing import Any, Final, Generic, cast

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from .decisions import Choose
from .errors import WordsError
from .json_types import JsonMapping
from .languages import ENGLISH, LANGUAGES
from .reasons import Reason
from .rules import Rules, ScoreLine, ScorePart
from .state import C, Event

log = logging.getLogger(__name__)

_SUFFIX: Final = re.compile(r"_\d+$")


def domain_of(field: str) -> str:
    """Return the domain that names a field's value: `ritual_2` is a ritual like `ritual`."""
    return _SUFFIX.sub("", field)


class Translations(gettext.GNUTranslations):
    """The messages of a catalog, with its language and its keys.

    Args:
        source: Content of a `.po` file.
        language: Code of the language.

    Attributes:
        language: Code of the language.
        keys: Keys of all messages with a text, in the order of the file.
    """

    def __init__(self, source: bytes, language: str) -> None:
        messages = read_po(io.BytesIO(source), locale=language, abort_invalid=True)
        compiled = io.BytesIO()
        write_mo(compiled, messages)
        compiled.seek(0)
        super().__init__(compiled)
        self.language: str = language
        self.keys: KeysView[str] = {
            message.id if isinstance(message.id, str) else message.id[0]: None
            for message in messages
            if message.id and message.string and not message.context
        }.keys()


@cache
def catalogue(package: str, language: str) -> Translations:
    """Return the catalog of a package, with English messages for those that are missing.

    Args:
        package: Package with `words/<language>.po`.
        language: Code of the language.

    Raises:
        WordsError: If the language is unknown, or the package has no English catalog.
    """
    if language not in LANGUAGES:
        raise WordsError(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    try:
        source = importlib.resources.files(package).joinpath("words", f"{language}.po").read_bytes()
    except (OSError, ModuleNotFoundError):
        if language != ENGLISH:
            log.warning("%s has no texts in %r", package, language)
            return catalogue(package, ENGLISH)
        raise WordsError(f"{package} has no texts in {language!r}") from None
    found = Translations(source, language)
    if language != ENGLISH:
        english = catalogue(package, ENGLISH)
        found.add_fallback(english)
        lacking = sorted(english.keys - found.keys)
        if lacking:
            log.warning("%s has no texts in %r for %s", package, language, ", ".join(lacking))
    return found


def language_names() -> dict[str, str]:
    """Return the name of each language in that language, by code."""
    return {language: catalogue("atoll", language).gettext("language") for language in LANGUAGES}


def humanize(key: str) -> str:
    """Return a readable text for a key or an identifier: `prompt.play_card` becomes "Play card"."""
    last = key.removesuffix(".hidden").rpartition(".")[2]
    text = last.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def _shown(value: object) -> object:
    return f"−{-value}" if type(value) is int and value < 0 else value


class _Number(int):
    """A number that a format spec can spell out: `{paid:for}` gives " for 2 coconuts"."""

    form: Callable[[str, int], str]

    def __format__(self, form: str) -> str:
        return self.form(form, int(self)) if form else str(_shown(int(self)))


class MessageCatalogue:
    """The messages of one package in one language.

    Args:
        package: Package with the catalog.
        language: Code of the language.
        prefix: Prefix of all keys of the package, such as `wutaki.`.

    Attributes:
        package: Package with the catalog.
        language: Code of the language.

    Raises:
        WordsError: If the language is unknown, or the package has no English catalog.
    """

    def __init__(self, package: str, language: str, prefix: str = "") -> None:
        self.package: str = package
        self._prefix: str = prefix
        self.language: str = language
        self._texts: gettext.NullTranslations = self._load(language)

    def _load(self, language: str) -> gettext.NullTranslations:
        return catalogue(self.package, language)

    def has(self, key: str) -> bool:
        """Return whether there is a message with this key."""
        return self._texts.gettext(key) != key or self._texts.ngettext(key, key, 1) != key

    def text(self, key: str, /, **fields: object) -> str:
        """Return a message with its placeholders replaced.

        Args:
            key: Key of the message.
            **fields: Values of the placeholders. `n` selects singular or plural. A format spec such
                as `{hours:hours}` spells a number out. Negative numbers get a true minus sign.

        Raises:
            WordsError: If the message or the value of a placeholder is missing.
        """
        number = fields.get("n")
        found = self._texts.ngettext(key, key, number) if isinstance(number, int) else key
        if found == key:
            found = self._texts.gettext(key)
        if found == key:
            raise WordsError(f"no text {key!r} in {self.language!r} of {self.package}")
        try:
            return found.format_map({name: self._numbered(value) for name, value in fields.items()})
        except (KeyError, IndexError, ValueError) as error:
            raise WordsError(f"text {key!r} in {self.language!r}: placeholder {error} has no value") from None

    def translated(self, text: str) -> str:
        """Return the translation of a text of the component data, or the text itself.

        Catalogs have it under the English text in the context `components`.
        """
        return self._texts.pgettext("components", text)

    def with_count(self, form: str, number: int) -> str:
        """Return a number as a sentence needs it: `form.number.for` may be " for {n} coconuts".

        For 0 the message is `form.number.for.none`, or "" without such a message.

        Args:
            form: Name of the form.
            number: The number.

        Raises:
            WordsError: If the message is missing.
        """
        key = f"{self._prefix}form.number.{form}"
        if number:
            return self.text(key, n=number)
        return self.text(f"{key}.none") if self.has(f"{key}.none") else ""

    def _numbered(self, value: object) -> object:
        if type(value) is not int:
            return value
        numbered = _Number(value)
        numbered.form = self.with_count
        return numbered


class _Named(str):
    """Names in a message that a format spec can put in another form: `{rig:a}` gives "a rig"."""

    __slots__ = ("form",)
    form: Callable[[str], str]

    def __format__(self, form: str) -> str:
        return self.form(form) if form else str(self)


class GameMessages(MessageCatalogue, Generic[C]):
    """The messages of one game in one language, with names of seats, cards, places and amounts.

    Args:
        game: The rules.
        language: Code of the language.
        seat_names: Names of the players by seat; missing ones become "Seat 1" and so on.

    Attributes:
        game: The rules.
        seat_names: Names of the players by seat.

    Raises:
        WordsError: If the language is unknown, or the game has no English catalog.
    """

    def __init__(self, game: Rules[Any, C], language: str, seat_names: Sequence[str] = ()) -> None:
        super().__init__(game.package, language, f"{game.id}.")
        self.game: Rules[Any, C] = game
        self.seat_names: tuple[str, ...] = tuple(seat_names)
        self._titles: Mapping[str, Sequence[str]] = {
            domain: tuple(map(self.translated, titles))
            for domain, titles in game.titles(game.components, language).items()
        }
        self._printed: Mapping[str, object] = {
            key: self._numbered(value) for key, value in game.text_values(game.components).items()
        }
        self._ids: Mapping[str, Sequence[str]] = game.names(game.components)
        self._domains = set(game.vocabulary.domains()) | set(self._titles)

    def title(self) -> str:
        """Return the title of the game."""
        return self.translated(self.game.title(self.language))

    def seat(self, seat: int) -> str:
        """Return the name of the player of a seat."""
        if 0 <= seat < len(self.seat_names):
            return self.seat_names[seat]
        return f"{catalogue('atoll', self.language).gettext('seat')} {seat + 1}"

    def name(self, domain: str, index: int) -> str:
        """Return the name of an element: from the components, the catalog, or its identifier.

        Args:
            domain: Name of the domain, or `seat`.
            index: Index of the element.
        """
        if domain == "seat":
            return self.seat(index)
        titles = self._titles.get(domain)
        if titles is not None:
            return titles[index]
        identifier = self.game.notation.name(domain, index)
        key = f"{self.game.id}.name.{domain}.{identifier}"
        return self.text(key) if self.has(key) else identifier

    def form(self, domain: str, index: int, form: str) -> str:
        """Return a name as a sentence needs it, or the name itself without such a message.

        The message `form.rig.double.a` may be "a double rig".

        Args:
            domain: Name of the domain.
            index: Index of the element.
            form: Name of the form, or a number in digits: it selects the message
                `form.resource.stone.count`, such as "{n} stones".
        """
        known = self._ids.get(domain)
        key = (
            f"{self.game.id}.form.{domain}.{self.game.notation.name(domain, index) if known is None else known[index]}"
        )
        if form.isdecimal():
            counted = f"{key}.count"
            return self.text(counted, n=int(form)) if self.has(counted) else f"{form} {self.name(domain, index)}"
        return self.text(f"{key}.{form}") if self.has(f"{key}.{form}") else self.name(domain, index)

    def _named(self, domain: str, indices: Sequence[int]) -> _Named:
        named = _Named(", ".join([self.name(domain, each) for each in indices]))
        named.form = lambda form: ", ".join(self._formed(domain, indices, form))
        return named

    def _formed(self, domain: str, indices: Sequence[int], form: str) -> list[str]:
        if form == "count":
            return [self.form(domain, each, str(n)) for each, n in Counter(indices).items()]
        return [self.form(domain, each, form) for each in indices]

    def fields(self, fields: Mapping[str, object]) -> dict[str, object]:
        """Return the values for placeholders; those named after a domain become names.

        A placeholder may request a form of the name (`{rig:a}`), an amount (`{stone:{n}}`), the
        count of each element of a list (`{stone:count}`), or a number that is spelled out
        (`{paid:for}`). The field `asked`, a pair of a prompt and its values, becomes the text of
        that question.

        Args:
            fields: Values by name of the placeholder.
        """
        shown: dict[str, object] = {}
        for key, value in fields.items():
            domain = domain_of(key)
            if key == "asked":
                prompt, about = cast("tuple[str, JsonMapping]", value)
                shown[key] = self.say(f"prompt.{prompt}", about)
            elif domain != "seat" and domain not in self._domains:
                shown[key] = self._numbered(value)
            elif domain == "seat" and type(value) is int:
                shown[key] = self.seat(value)
            elif isinstance(value, list | tuple):
                shown[key] = self._named(domain, value)
            elif type(value) is int:
                shown[key] = self._named(domain, (value,))
            else:
                shown[key] = value
        return shown

    def say(self, key: str, /, fields: Mapping[str, object] | None = None) -> str:
        """Return a message of the game.

        Args:
            key: Key without the game's id.
            fields: Values of placeholders; None for none.

        Raises:
            WordsError: If the message or the value of a placeholder is missing.
        """
        return self.text(f"{self.game.id}.{key}", **{**self._printed, **self.fields(fields or {})})

    def choice(self, choice: int, prompt: str = "") -> str:
        """Return a choice as text.

        Args:
            choice: The choice.
            prompt: Key of the question that it answers; "" for none. The message `kind.pass.hire`,
                if it exists, then replaces `kind.pass`.
        """
        kind = self.game.vocabulary.kind_of(choice)
        parts = {d.name: part for d, part in zip(kind.domains, kind.parts(choice), strict=True)}
        answer = f"kind.{kind.name}.{prompt}"
        return self.say(answer if prompt and self.has(f"{self.game.id}.{answer}") else f"kind.{kind.name}", parts)

    def prompt(self, ask: Choose) -> str:
        """Return the text of a question."""
        return self.say(f"prompt.{ask.prompt}", {"seat": ask.seat, **(ask.placeholders or {})})

    def event(self, event: Event, viewer: int | None) -> str | None:
        """Return the log text of an event for a viewer.

        Args:
            event: The event.
            viewer: The seat; None for a spectator.

        Returns:
            The text; None if the viewer may not know of the event.
        """
        seen = event.seen_by(viewer)
        if seen is None:
            return None
        key = f"log.{seen['key']}" + (".hidden" if seen["lacking"] else "")
        return self.say(key, seen["fields"])

    def reason(self, reason: Reason) -> str:
        """Return the text of a reason why a choice isn't legal."""
        return self.say(f"reason.{reason.key}", reason.fields)

    def score(self, line: ScoreLine | ScorePart) -> str:
        """Return the text of a score line or a part of one."""
        return self.say(f"score.{line.key}", line.fields)


class FallbackMessages(GameMessages[C]):
    """Messages of a game that never fail: a missing message is replaced by text made from its key.

    Each missing message is logged once. The game may have no catalog at all.
    """

    def _load(self, language: str) -> gettext.NullTranslations:
        try:
            return super()._load(language)
        except WordsError as error:
            if language not in LANGUAGES:
                raise
            self.report_missing(str(error))
            return gettext.NullTranslations()

    def report_missing(self, error: str) -> None:
        """Log a missing message once."""
        if error not in _lacking:
            _lacking.add(error)
            log.warning("%s", error)

    def text(self, key: str, /, **fields: object) -> str:
        """Return a message, or a text made from its key and values if the message is missing."""
        try:
            return super().text(key, **fields)
        except WordsError as error:
            self.report_missing(str(error))
        known = {*self._printed, "seat"} if ".prompt." in key else self._printed
        said = [str(_shown(value)) for name, value in fields.items() if name not in known]
        return ": ".join(filter(None, (humanize(key), ", ".join(said))))

    def name(self, domain: str, index: int) -> str:
        """Return the name of an element; an identifier without a message gets spaces."""
        found = super().name(domain, index)
        is_bare = "_" in found and domain in self._domains and found == self.game.notation.name(domain, index)
        return found.replace("_", " ") if is_bare else found


_lacking: set[str] = set()


def catalogue_keys(package: str, language: str) -> KeysView[str]:
    """Return the keys of a catalog's own messages in their order, without texts of components.

    Args:
        package: Package with the catalog.
        language: Code of the language.

    Raises:
        WordsError: If the package has no catalog in this language.
    """
    found = catalogue(package, language)
    if found.language != language:
        raise WordsError(f"{package} has no texts in {language!r}")
    return found.keys
