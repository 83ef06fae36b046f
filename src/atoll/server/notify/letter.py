"""What somebody is told: in words of its language, with the table's address, and nothing that isn't for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game

from ..web import clocks
from ..web.texts import Texts, site

KINDS: Final = ("turn", "reminder", "started", "over", "message", "invitation", "nudge", "undo", "plan")
"""What one can be told of."""

TEST: Final = "test"
CONFIRM: Final = "confirm"
"""Asks whether somebody wants to get mails at all."""


@dataclass(frozen=True, slots=True)
class Letter:
    """id: the same whenever it is sent again. kind: see KINDS. link: the table's address."""

    id: str
    kind: str
    title: str
    text: str
    link: str
    table: str


def letter(
    id: str, kind: str, table: str, data: Mapping[str, Any], game: Game | None, language: str, zone: str, base: str
) -> Letter:
    """A notice in words. data: `names` of the others, `ends`: when its
    time does (milliseconds), `name` of who did it, `share` that is gone.

    base: the address of this site, with a slash at its end.
    """
    words = site(language)
    title = words.text(_key(kind, data), game="" if game is None else game.title(language), name=data.get("name", ""))
    said = []
    if data.get("names"):
        said.append(words.text("notice.with", names=", ".join(data["names"])))
    if data.get("ends"):
        at = datetime.fromtimestamp(data["ends"] / 1000, UTC)
        said.append(words.text("notice.due", moment=str(clocks.moment(at, zone, language).striptags())))
    if kind in (TEST, CONFIRM):
        said.append(words.text(f"notice.{kind}.text"))
    return Letter(id, kind, title, " ".join(said), f"{base}t/{table}" if table else base, table)


def _key(kind: str, data: Mapping[str, Any]) -> str:
    if kind == "reminder":
        return f"notice.reminder.{data['share']}"
    return "notice.cancelled" if kind == "over" and data.get("cancelled") else f"notice.{kind}"


def mail(letters: Sequence[Letter], language: str, stop: str) -> tuple[str, str, str]:
    """Subject, plain text and HTML of a mail. stop: the address that ends such mails."""
    words: Texts = site(language)
    subject = letters[0].title if len(letters) == 1 else words.text("notice.digest", n=len(letters))
    plain = "\n\n".join("\n".join(filter(None, (each.title, each.text, each.link))) for each in letters)
    parts = [
        Markup('<p><b>{}</b><br>{}<br><a href="{}">{}</a></p>').format(
            each.title, each.text, each.link, words.text("notice.open")
        )
        for each in letters
    ]
    end = words.text("notice.stop")
    page = Markup('<!doctype html><html lang="{}"><body style="font:16px/1.5 sans-serif">{}').format(
        language, Markup("").join(parts)
    )
    page += Markup('<p style="font-size:13px"><a href="{}">{}</a></p></body></html>').format(stop, end)
    return subject, f"{plain}\n\n-- \n{end}: {stop}\n", str(page)
