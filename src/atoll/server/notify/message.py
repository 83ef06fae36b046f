"""The text of notifications: in the recipient's language, with a link, and without secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game

from ..domain.notices import ACCOUNT, COMPETITION, CONDUCT, CONFIRM, TEST
from ..presentation import clocks
from ..presentation.competitions import competition_name
from ..presentation.outcome import outcome
from ..presentation.texts import Texts, bot, person, site

_PART: Final = Markup(
    '<div style="margin:0 0 16px;padding:16px 20px;border:1px solid #d8cfb8;border-top:4px solid #0b6e78;'
    'border-radius:4px;background:#fbf8f0"><p style="margin:0;font-size:18px"><b>{title}</b></p>'
    '<p style="margin:6px 0 14px">{text}</p><p style="margin:0"><a href="{link}" style="display:inline-block;'
    'padding:9px 18px;border-radius:4px;background:#0b6e78;color:#ffffff;text-decoration:none">{go}</a></p></div>'
)
_PAGE: Final = Markup(
    '<!doctype html><html lang="{language}"><meta name="viewport" content="width=device-width">'
    '<body style="margin:0;padding:20px 12px;background:#f3efe4;color:#22302f;font:16px/1.5 sans-serif">'
    '<div style="max-width:480px;margin:0 auto">{parts}'
    '<p style="font-size:13px"><a href="{stop}" style="color:#4d5c5a">{end}</a></p></div></body></html>'
)


@dataclass(frozen=True, slots=True)
class NotificationMessage:
    """A notification as text.

    Attributes:
        id: Id that stays the same when it is sent again.
        kind: Kind of notification; see `domain.notices`.
        title: Title.
        text: Text below the title; may be empty.
        link: Address of the table, or of the site.
        table: Id of the table, or "".
    """

    id: str
    kind: str
    title: str
    text: str
    link: str
    table: str


def notification_message(
    id: str, kind: str, table: str, data: Mapping[str, Any], game: Game | None, language: str, zone: str, base: str
) -> NotificationMessage:
    """Return a notice as text.

    Args:
        id: Id of the notification.
        kind: Kind of notification.
        table: Id of the table, or "".
        data: Values of the text: `names` of the others, `ends` (time at which the player's time
            runs out, in milliseconds), `name` of the acting player, `share` of the time that is
            over in percent. For a finished game, the `places`, the `seats` by name and level, and
            the recipient's seats as `mine`. Before a game, `awaited` is what the recipient's
            browser has to give, and `admitted` tells whether the host lets the recipient in. For a
            competition, `what` happened, its `competition` id, `format` and `season`, the
            recipient's `rank`, or the time `at` that matters.
        game: The game, or None.
        language: Language code.
        zone: Time zone of the recipient, or "".
        base: Address of this site, with a slash at its end.
    """
    words = site(language)
    by = person(data.get("name", ""), words)
    called = "" if game is None else game.title(language)
    sentences = []
    if kind == COMPETITION:
        named = competition_name(words, called, data["format"], data["season"])
        title = words.text(_key(kind, data), competition=named, rank=data.get("rank", 0))
    else:
        title = words.text(_key(kind, data), game=called, name=by)
    if data.get("at"):
        at = datetime.fromtimestamp(data["at"] / 1000, UTC)
        moment = str(clocks.format_moment(at, zone, language).striptags())
        sentences.append(words.text("notice.competition.at", moment=moment))
    if data.get("places"):
        seats = [
            bot(seat, level, words) if level else person(name, words)
            for seat, (name, level) in enumerate(data["seats"])
        ]
        sentences.append(outcome(data["places"], data["mine"], seats, words) + ".")
    if data.get("names"):
        sentences.append(words.text("notice.with", names=", ".join(person(each, words) for each in data["names"])))
    if data.get("ends"):
        at = datetime.fromtimestamp(data["ends"] / 1000, UTC)
        sentences.append(words.text("notice.due", moment=str(clocks.format_moment(at, zone, language).striptags())))
    if kind in (TEST, CONFIRM):
        sentences.append(words.text(f"notice.{kind}.text"))
    if kind == ACCOUNT:
        sentences.append(words.text("notice.account.refuse" if "rescue" in data else "notice.account.text"))
    if kind == CONDUCT:
        sentences.append(words.text("notice.conduct.thanks" if _is_outcome(data) else "notice.conduct.text"))
    account = f"rescue/{data['rescue']}/refuse" if "rescue" in data else "account"
    link = f"{base}{account}" if kind == ACCOUNT else f"{base}t/{table}" if table else base
    if kind == COMPETITION:
        link = f"{base}competitions/{data['competition']}"
    if kind == CONDUCT:
        link = f"{base}report" if _is_outcome(data) else f"{base}sanctions"
    return NotificationMessage(id, kind, title, " ".join(sentences), link, table)


def _key(kind: str, data: Mapping[str, Any]) -> str:
    if kind in (ACCOUNT, COMPETITION, CONDUCT):
        return f"notice.{kind}.{data['what']}"
    if kind == "reminder":
        return f"notice.reminder.{data['share']}"
    if kind == "turn" and "awaited" in data:
        return "notice.awaited"
    if kind == "answer":
        return "notice.answer.yes" if data["admitted"] else "notice.answer.no"
    return "notice.cancelled" if kind == "over" and data.get("cancelled") else f"notice.{kind}"


def _is_outcome(data: Mapping[str, Any]) -> bool:
    """Return whether a notice about house rules tells a reporter the outcome of a report."""
    return str(data["what"]).startswith("report_")


def _link_text(message: NotificationMessage, words: Texts) -> str:
    if message.kind == CONFIRM:
        return words.text("mails.confirm")
    if message.kind == COMPETITION:
        return words.text("notice.open.competition")
    return words.text("notice.open.table" if message.table else "notice.open")


def sign_in_mail(link: str, code: str, language: str) -> tuple[str, str]:
    """Return the subject and the plain text of a mail with a sign-in link.

    Args:
        link: The link.
        code: The code.
        language: Language code.
    """
    words: Texts = site(language)
    return words.text("mail_link.subject", code=code), words.text("mail_link.text", code=code, link=link)


def outcome_mail(base: str, outcome: str, language: str) -> tuple[str, str]:
    """Return the subject and the plain text of a mail with the outcome of a report.

    Args:
        base: Address of this site, with a slash at its end.
        outcome: "upheld" or "rejected".
        language: Language code.
    """
    words: Texts = site(language)
    subject = words.text(f"notice.conduct.report_{outcome}")
    return subject, f"{subject}\n\n{words.text('notice.conduct.thanks')}\n{base}\n"


def mail(letters: Sequence[NotificationMessage], language: str, stop: str) -> tuple[str, str, str]:
    """Return the subject, plain text and HTML of a mail.

    Args:
        letters: The notifications; several for a digest.
        language: Language code.
        stop: Address that unsubscribes from such mails.
    """
    words: Texts = site(language)
    subject = letters[0].title if len(letters) == 1 else words.text("notice.digest", n=len(letters))
    plain = "\n\n".join("\n".join(filter(None, (each.title, each.text, each.link))) for each in letters)
    parts = (
        _PART.format(title=each.title, text=each.text, link=each.link, go=_link_text(each, words)) for each in letters
    )
    end = words.text("notice.stop")
    page = _PAGE.format(language=language, parts=Markup("").join(parts), stop=stop, end=end)
    return subject, f"{plain}\n\n-- \n{end}: {stop}\n", str(page)
