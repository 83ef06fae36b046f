"""Signs of abuse as sentences, for moderators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.names import isolated
from .score_chart import decimal
from .texts import site


def flag_text(context: Mapping[str, Any], titles: Mapping[str, str], language: str) -> str:
    """Return the facts of a sign of abuse.

    Args:
        context: Context of a report of the system; see `play.flags`.
        titles: Titles of games by id.
        language: Language code.
    """
    words, flag = site(language), context["flag"]
    facts = {
        name: decimal(value, language) if isinstance(value, float) else value for name, value in flag["facts"].items()
    }
    if "game" in facts:
        facts["game"] = titles.get(facts["game"], facts["game"])
    unknown = words.text("seat.kind.person")
    names = {role: context.get(role, {}).get("name") or unknown for role in ("person", "other")}
    return words.text(f"flag.{flag['kind']}", **facts, **{role: isolated(name) for role, name in names.items()})
