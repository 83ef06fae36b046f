"""Legal pages of the operator: imprint, privacy, rules of conduct, and `security.txt`.

The facts of the privacy page come from the settings; the rest is in the folder of `--site`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ...domain.model import Refused
from ...domain.settings import ServerSettings
from ...notify.dispatcher import NOTICE_DAYS
from ...play.scheduler import ANSWER_DAYS, AUDIT_DAYS, NETWORK_DAYS
from ...play.users import ACCOUNT_SESSION_DAYS, FORMER_NAME_DAYS, GUEST_SESSION_DAYS
from ...presentation.operator_texts import operator_text, security_txt
from ..session import COOKIE_DAYS, tables
from .context import Pages, language_of, render

Sentence = tuple[str, dict[str, Any]]
"""Key of a text after `privacy.`, and its values."""

pages = Pages()


@dataclass(frozen=True, slots=True)
class Fact:
    """Data that the server stores.

    Attributes:
        key: Key of its name, after `privacy.of.`.
        sentences: Purpose and retention.
    """

    key: str
    sentences: tuple[Sentence, ...]


@pages.route("/imprint")
async def imprint(request: Request) -> Response:
    """Show the operator's imprint."""
    return _page(request, "imprint")


@pages.route("/rules-of-conduct")
async def rules_of_conduct(request: Request) -> Response:
    """Show the operator's rules of conduct."""
    return _page(request, "rules")


@pages.route("/privacy")
async def privacy(request: Request) -> Response:
    """Show the operator's privacy notice, and the facts that follow from the settings."""
    settings = tables(request).settings
    text = operator_text(settings.site, "privacy", language_of(request))
    return render(request, "privacy", text=text, facts=privacy_facts(settings))


@pages.route("/.well-known/security.txt")
async def security(request: Request) -> Response:
    """Return the operator's contact for reports of vulnerabilities (RFC 9116)."""
    found = security_txt(tables(request).settings.site)
    if found is None:
        raise Refused("no_page", 404, "the operator has published no security.txt")
    return PlainTextResponse(found)


def _page(request: Request, name: str) -> Response:
    """Return the page of a text, or refuse the request if there is none."""
    text = operator_text(tables(request).settings.site, name, language_of(request))
    if text is None:
        raise Refused("no_page", 404, "the operator has published no such text")
    return render(request, "operator_text", text=text, name=name)


def privacy_facts(settings: ServerSettings) -> list[Fact]:
    """Return what a server with these settings stores about people, why, and for how long."""
    return [
        Fact("name", (_said("name"), _for_days("guests", settings.guest_days), _said("former", n=FORMER_NAME_DAYS))),
        Fact(
            "games",
            (
                _said("games"),
                _for_days("gathering", settings.gathering_days),
                _for_days("finished", settings.finished_days),
            ),
        ),
        Fact("results", (_said("results"),)),
        Fact("ratings", (_said("ratings.none" if settings.no_ratings else "ratings"),)),
        Fact("learning", (_said("learning"),)),
        Fact("sessions", (_said("sessions", accounts=ACCOUNT_SESSION_DAYS, guests=GUEST_SESSION_DAYS),)),
        Fact("ways", (_said("ways"),)),
        Fact("openid", (_openid(settings),)),
        Fact("mail", (_mail(settings),)),
        Fact("push", (_said("push" if settings.secret else "push.none"),)),
        Fact("webhooks", (_said("webhooks"),)),
        Fact("presence", (_said("presence"),)),
        Fact("conduct", (_said("conduct", audit=AUDIT_DAYS),)),
        *([] if settings.no_leagues else [Fact("competitions", (_said("competitions"),))]),
        Fact("short", (_said("short", answers=ANSWER_DAYS, notices=NOTICE_DAYS, networks=NETWORK_DAYS),)),
        Fact("cookies", (_said("cookies", n=COOKIE_DAYS),)),
        Fact("log", (_said("log"), *([_said("log.refused")] if settings.log_refused else []))),
    ]


def _said(key: str, **values: Any) -> Sentence:
    return key, values


def _for_days(key: str, days: float) -> Sentence:
    """Return the sentence on data that is deleted after some days, or never if there are none."""
    if not days:
        return f"{key}.never", {}
    return key, {"n": int(days) if days.is_integer() else days}


def _openid(settings: ServerSettings) -> Sentence:
    if not settings.oidc_issuer:
        return _said("openid.none")
    return _said("openid", provider=settings.oidc_name, host=urlsplit(settings.oidc_issuer).netloc)


def _mail(settings: ServerSettings) -> Sentence:
    return _said("mail", host=urlsplit(settings.smtp).hostname) if settings.smtp else _said("mail.none")
