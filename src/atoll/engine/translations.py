"""Texts by key, per language: gettext catalogues whose message ids are keys, and names for what is on the table.

A game's catalogues lie in `words/<language>.po` beside its rules. English, which is complete, stands where another
language has no text.
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
    """After which domain a value is named: `ritual_2` is a ritual like `ritual`."""
    return _SUFFIX.sub("", field)


class Translations(gettext.GNUTranslations):
    """The texts of a catalogue, with its language and its keys."""

    def __init__(self, source: bytes, language: str) -> None:
        """Compile a `.po` file."""
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
    """Return the texts of a package (`<package>/words/<language>.po`), English ones where the language has none.

    Raises:
        WordsError: The language is unknown, or the package has no texts in English either.
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
    """Return the name of each language in that language, by its code."""
    return {language: catalogue("atoll", language).gettext("language") for language in LANGUAGES}


def humanize(key: str) -> str:
    """What can be read off a key or an identifier: `prompt.play_card` is "Play card"."""
    last = key.removesuffix(".hidden").rpartition(".")[2]
    text = last.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def _shown(value: object) -> object:
    return f"−{-value}" if type(value) is int and value < 0 else value


class _Number(int):
    """A number in a text, which its placeholder may ask for in words: `{paid:for}` is " for 2 coconuts"."""

    form: Callable[[str, int], str]

    def __format__(self, form: str) -> str:
        return self.form(form, int(self)) if form else str(_shown(int(self)))


class MessageCatalogue:
    """Texts of one package in one language."""

    def __init__(self, package: str, language: str, prefix: str = "") -> None:
        """Read the texts.

        Args:
            package: Package with the catalogue.
            language: Language of the texts.
            prefix: What all keys of the package begin with, such as `wutaki.`.
        """
        self.package: str = package
        self._prefix: str = prefix
        self.language: str = language
        self._texts: gettext.NullTranslations = self._load(language)

    def _load(self, language: str) -> gettext.NullTranslations:
        return catalogue(self.package, language)

    def has(self, key: str) -> bool:
        """Whether there is a text of this key."""
        return self._texts.gettext(key) != key or self._texts.ngettext(key, key, 1) != key

    def text(self, key: str, /, **fields: object) -> str:
        """The text of a key with its placeholders filled in; `n` decides between singular and plural.

        A placeholder may ask for a number in words (`{hours:hours}`). Numbers below zero are written with a true minus.
        Raises WordsError if the text or the value of a placeholder is missing.
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
        """Return a text of the components, translated by the catalogue if the component data doesn't do it.

        A catalogue has it under the English text, in the context `components`.
        """
        return self._texts.pgettext("components", text)

    def with_count(self, form: str, number: int) -> str:
        """Return a number as a sentence needs it: `form.number.for` is " for {n} coconuts".

        For 0 it is `form.number.for.none`; without such a text it is left out.
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
    """Names in a text, which its placeholder may ask for in another form: `{rig:a}` is "a rig"."""

    __slots__ = ("form",)
    form: Callable[[str], str]

    def __format__(self, form: str) -> str:
        return self.form(form) if form else str(self)


class GameMessages(MessageCatalogue, Generic[C]):
    """The texts of one game in one language, with the names of its seats, cards, places and amounts."""

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
        """The name of the game."""
        return self.translated(self.game.title(self.language))

    def seat(self, seat: int) -> str:
        """The name of who sits there."""
        if 0 <= seat < len(self.seat_names):
            return self.seat_names[seat]
        return f"{catalogue('atoll', self.language).gettext('seat')} {seat + 1}"

    def name(self, domain: str, index: int) -> str:
        """What people call an element of a domain: from the component data, the catalogue, or else its identifier."""
        if domain == "seat":
            return self.seat(index)
        titles = self._titles.get(domain)
        if titles is not None:
            return titles[index]
        identifier = self.game.notation.name(domain, index)
        key = f"{self.game.id}.name.{domain}.{identifier}"
        return self.text(key) if self.has(key) else identifier

    def form(self, domain: str, index: int, form: str) -> str:
        """A name as a sentence needs it: `form.rig.double.a` is "a double rig"; where there is none, the bare name.

        A number is how many there are: `form.resource.stone.count` is "{n} stones".
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
        """Values for placeholders: what is named after a domain (`ritual`, `ritual_2`) becomes a name, lists too.

        A placeholder may ask for a form of the name (`{rig:a}`), how many there are (`{stone:{n}}`; `{stone:count}`:
        how often a list has each), or a number in words that says nothing of none (`{paid:for}`).
        `asked`, a pair of a prompt and its values, becomes the sentence that asks.
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
        """A text of this game; the key without the game's id in front."""
        return self.text(f"{self.game.id}.{key}", **{**self._printed, **self.fields(fields or {})})

    def choice(self, choice: int, prompt: str = "") -> str:
        """A choice in words.

        prompt: of the question that it answers: if there is `kind.pass.hire`, it is said there for `kind.pass`.
        """
        kind = self.game.vocabulary.kind_of(choice)
        parts = {d.name: part for d, part in zip(kind.domains, kind.parts(choice), strict=True)}
        answer = f"kind.{kind.name}.{prompt}"
        return self.say(answer if prompt and self.has(f"{self.game.id}.{answer}") else f"kind.{kind.name}", parts)

    def prompt(self, ask: Choose) -> str:
        """The sentence that asks."""
        return self.say(f"prompt.{ask.prompt}", {"seat": ask.seat, **(ask.placeholders or {})})

    def event(self, event: Event, viewer: int | None) -> str | None:
        """A line of the log as the viewer may read it; None if the viewer may not know of it."""
        seen = event.seen_by(viewer)
        if seen is None:
            return None
        key = f"log.{seen['key']}" + (".hidden" if seen["lacking"] else "")
        return self.say(key, seen["fields"])

    def reason(self, reason: Reason) -> str:
        """Why a choice isn't legal."""
        return self.say(f"reason.{reason.key}", reason.fields)

    def score(self, line: ScoreLine | ScorePart) -> str:
        """What a line of a score, or a part of one, counts."""
        return self.say(f"score.{line.key}", line.fields)


class FallbackMessages(GameMessages[C]):
    """The texts of a game for people who play it: where one is missing in English too, what its key says.

    Each is noted once. A game without a catalogue has none at all.
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
        """Note that a text is missing."""
        if error not in _lacking:
            _lacking.add(error)
            log.warning("%s", error)

    def text(self, key: str, /, **fields: object) -> str:
        """See Catalogue."""
        try:
            return super().text(key, **fields)
        except WordsError as error:
            self.report_missing(str(error))
        known = {*self._printed, "seat"} if ".prompt." in key else self._printed
        said = [str(_shown(value)) for name, value in fields.items() if name not in known]
        return ": ".join(filter(None, (humanize(key), ", ".join(said))))

    def name(self, domain: str, index: int) -> str:
        """See Words."""
        found = super().name(domain, index)
        is_bare = "_" in found and domain in self._domains and found == self.game.notation.name(domain, index)
        return found.replace("_", " ") if is_bare else found


_lacking: set[str] = set()


def catalogue_keys(package: str, language: str) -> KeysView[str]:
    """Return all keys of a catalogue that have a text, in its order, without texts of components. Raises WordsError."""
    found = catalogue(package, language)
    if found.language != language:
        raise WordsError(f"{package} has no texts in {language!r}")
    return found.keys
