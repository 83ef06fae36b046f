"""Skeletons of names: the same text for names that look alike (Unicode UTS #39)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

from .sanitize import shows_nothing

_TABLE: Final = "confusables.txt"
_FOLDED: Final = {ord("i"): "l"}
"""Case folding turns a capital I, which looks like an l, into an i."""

_RESERVED: Final = (
    *("Atoll", "admin", "administrator", "operator", "moderator", "moderation", "support", "system"),
    *("Betreiber", "Betreiberin", "Moderatorin", "Administratorin"),
)
"""Names of roles that nobody may take, in all languages."""


@lru_cache(1)
def _confusables() -> Mapping[int, str]:
    """Return the text that each confusable character looks like, by code point."""
    lines = files(__package__).joinpath(_TABLE).read_text("utf-8").splitlines()
    pairs = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(source, 16): "".join(chr(int(each, 16)) for each in target.split()) for source, target in pairs}


def skeleton(name: str) -> str:
    """Return the same text for names that look alike, whatever their case and blanks."""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    alike = unicodedata.normalize("NFD", folded.translate(_confusables())).casefold().translate(_FOLDED)
    return "".join(each for each in alike if not shows_nothing(each))


def reserved_skeletons(names: Iterable[str]) -> frozenset[str]:
    """Return the skeletons that no user may take: those of roles, and of the given names."""
    return frozenset(map(skeleton, (*_RESERVED, *names)))
