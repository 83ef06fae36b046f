"""Languages of texts: those with a catalog in `atoll/words`.

See docs/develop/howto-add-a-language.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

ENGLISH: Final = "en"
"""Code of the language that has every text. It is used where another language has none."""


def _found() -> tuple[str, ...]:
    names = (each.name for each in files("atoll").joinpath("words").iterdir())
    codes = {name.removesuffix(".po") for name in names if name.endswith(".po")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


LANGUAGES: Final = _found()
"""Codes of all languages as Babel knows them, English first."""


def said(texts: Mapping[str, str], language: str) -> str:
    """Return the text in a language, or in English if there is none."""
    return texts.get(language) or texts[ENGLISH]
