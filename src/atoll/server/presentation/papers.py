"""The papers next to a table, as fragments: tabs, log and chat.

Names and messages are escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from atoll.picture.fragments import Fragment, fragment

from ..domain.model import LogEntry, Message
from ..domain.names import bdi, isolated
from . import texts
from .links import linkify
from .log_lines import lines
from .markup import Say, marked, radio

_RUN: Final = 16
"""Number of lines or messages per fragment."""


@fragment
def tabs(say: Say, coached: bool, begun: bool) -> Fragment:
    """Return the tabs of the papers next to the table.

    Args:
        say: Returns a text of the site.
        coached: Whether there is a coach.
        begun: Whether there is a log.
    """
    available = [("coach", "coach.title")] if coached else []
    available += [("log", "tabs.log")] if begun else []
    available += [("chat", "chat.title"), ("about", "more.title")]
    inner = [f'<legend class="unseen">{escape(say("papers.label"))}</legend>']
    inner += [radio("paper", id, str(escape(say(key))), checked=not place) for place, (id, key) in enumerate(available)]
    return Fragment("fieldset", "page-papers", 'class="papers"', inner)


@fragment
def _line(words: texts.GameTexts, site: texts.Texts, before: str, after: str, entry: LogEntry) -> Markup:
    (line,) = lines((entry,), words, site)
    undone = " undone" if line.undone else ""
    names = f' data-names="{escape(" ".join(line.names))}"' if line.names else ""
    opening = f'<li id="log-{line.number}" class="{line.origin}{undone}" data-at="{line.at}"{names}>'
    text = escape(line.words)
    linked_ = f'<a href="{escape(before)}{line.at}{escape(after)}">{text}</a>'
    return Markup(f"{opening}{f'<s>{text}</s>' if line.undone else linked_}</li>")  # noqa: S704 - escaped above


@fragment
def _lines(
    words: texts.GameTexts, site: texts.Texts, before: str, after: str, start: int, entries: tuple[LogEntry, ...]
) -> Fragment:
    items = [_line(words, site, before, after, each) for each in reversed(entries)]
    return Fragment("ol", f"log-from-{start}", "", items)


def log(
    entries: Sequence[LogEntry], words: texts.GameTexts, site: texts.Texts, before: str, after: str
) -> list[Fragment]:
    """Return the lines of a log, newest first.

    Args:
        entries: All entries that the reader may know, oldest first.
        words: Messages of the game.
        site: Messages of the site.
        before: Start of the address that shows the moment of a line.
        after: Rest of that address.
    """
    starts = range((len(entries) - 1) // _RUN * _RUN, -1, -_RUN)
    return [_lines(words, site, before, after, at, tuple(entries[at : at + _RUN])) for at in starts]


def written(say: Say, each: Message) -> Markup:
    """Return the text of a message: its words, its reaction, or that it was deleted.

    Args:
        say: Returns a text of the site.
        each: The message.
    """
    if each.deleted_by:
        return Markup("<i>{}</i>").format(say(f"chat.deleted.{each.deleted_by}"))
    text = escape(say(f"chat.reaction.{each.reaction}")) if each.reaction else bdi(linkify(each.text))
    if each.folded:
        return Markup("<details><summary>{}</summary>{}</details>").format(say("chat.folded"), text)
    return text


@fragment
def _messages(say: Say, place: str, start: int, messages: tuple[Message, ...]) -> Fragment:
    guest = say("seat.guest")
    items = [
        f'<li id="chat-{each.number}"{" class=mine" if each.mine else ""}>'
        f"<b{marked(guest if each.guest else '')}>{bdi(each.name)}</b> {written(say, each)}"
        f'<a class="about-it" href="{place}/message/{each.number}" '
        f'aria-label="{escape(say("chat.about", name=isolated(each.name)))}">\u22ef</a></li>'
        for each in messages
    ]
    return Fragment("ol", f"chat-from-{start}", "", items)


def chat(say: Say, place: str, messages: Sequence[Message]) -> list[Fragment]:
    """Return the messages of a table, oldest first.

    Args:
        say: Returns a text of the site.
        place: Path of the table's page.
        messages: The messages.
    """
    return [_messages(say, place, at, tuple(messages[at : at + _RUN])) for at in range(0, len(messages), _RUN)]
