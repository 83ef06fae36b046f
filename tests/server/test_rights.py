"""Rights: each route for anonymous, guest, other seat, seat, spectator and owner.

The tables are a listed and a private one. A route that isn't in the tables below fails the test, so
that each new route needs a decision here.
"""

import socket
from collections.abc import Iterator, Mapping
from typing import Any
from unittest.mock import Mock

import pytest

import atoll
from atoll.lessons.lesson import lessons
from atoll.lessons.puzzle import puzzles
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.domain.profile import PARTS
from atoll.testing.shares import give_shares

from .conftest import Browser, Program, Site, site_at

pytestmark = pytest.mark.timeout(300)

ROLES = ("anonymous", "guest", "spectator", "other seat", "seat", "owner")
# guest: signed in, has never been at the table. spectator: signed in and watching it. other seat: sits at this table,
# but not on the seat in question (seat 1). seat: sits on it. owner: made the table, sits on seat 0.

OK, NO, HIDDEN, WHO = "ok", 403, 404, 401
REFUSED = 400  # from here on nothing was done

# Answers that count as "ok": success, or a refusal that comes after the question of rights (stale, not absent, ...).
AFTER = frozenset({200, 201, 204, 303, 409, 410, 422})


def only(*roles: str, others: int = NO, anonymous: int = WHO) -> Mapping[str, Any]:
    """A route for these roles."""
    return {role: OK if role in roles else anonymous if role == "anonymous" else others for role in ROLES}


ALL = dict.fromkeys(ROLES, OK)
SIGNED_IN = only(*ROLES[1:])
SEATED = only("other seat", "seat", "owner")
SEAT = only("seat")
OWNER = only("owner")

STAMP = {"stamp": "0.0"}
DIGEST = "ab" * 32

# (method, path) -> (body, roles at a listed table). A path with {table} is tried at a private one as well.
API: Mapping[tuple[str, str], tuple[Any, Mapping[str, Any]]] = {
    ("POST", "/guests"): ({"name": "New"}, ALL),
    ("GET", "/me"): (None, SIGNED_IN),
    ("GET", "/me/sessions"): (None, SIGNED_IN),
    ("DELETE", "/me/sessions"): (None, SIGNED_IN),
    ("DELETE", "/me/sessions/{session}"): (None, only(others=404)),
    ("POST", "/me/tokens"): ({"label": "a bot"}, SIGNED_IN),
    ("GET", "/me/blocks"): (None, SIGNED_IN),
    ("POST", "/me/blocks"): ({"name": "nobody"}, only(others=404, anonymous=404)),
    ("DELETE", "/me/blocks/{block}"): (None, only(others=404)),
    ("POST", "/reports"): ({"reason": "spam", "text": "x"}, ALL),
    ("GET", "/me/reports"): (None, SIGNED_IN),
    ("GET", "/me/sanctions"): (None, SIGNED_IN),
    ("POST", "/me/sanctions/{sanction}/objection"): ({"text": "no"}, only(others=404)),
    ("GET", "/me/export"): (None, SIGNED_IN),
    ("DELETE", "/me"): ({"name": "not mine"}, SIGNED_IN),
    ("PUT", "/me/hours"): ({"zone": "Europe/Berlin", "first": 9, "last": 21}, SIGNED_IN),
    ("GET", "/me/vacation"): (None, SIGNED_IN),
    ("POST", "/me/vacation"): ({"days": 1}, SIGNED_IN),
    ("DELETE", "/me/vacation"): (None, SIGNED_IN),
    ("POST", "/me/calendar"): (None, SIGNED_IN),
    ("PUT", "/me/quiet"): ({"first": 22, "last": 7}, SIGNED_IN),
    ("GET", "/me/channels"): (None, SIGNED_IN),
    ("POST", "/me/channels"): ({"kind": "ntfy", "address": {"url": "https://ntfy.sh/x"}}, SIGNED_IN),
    ("PUT", "/me/channels/{channel}"): ({"kinds": []}, only(others=404)),
    ("POST", "/me/channels/{channel}/test"): (None, only(others=404)),
    ("DELETE", "/me/channels/{channel}"): (None, only(others=404)),
    ("GET", "/games"): (None, ALL),
    ("GET", "/tables"): (None, ALL),
    ("GET", "/tables/mine"): (None, SIGNED_IN),
    ("POST", "/tables"): ({"game": "atacama", "seats": [{"kind": "me"}, {"kind": "open"}]}, SIGNED_IN),
    ("GET", "/tables/{table}"): (None, ALL),
    ("POST", "/tables/{table}/join"): ({}, SIGNED_IN),
    ("POST", "/invitations/accept"): ({"token": "x"}, SIGNED_IN),
    ("POST", "/tables/{table}/invite"): ({"name": "none"}, only()),  # guests invite by link
    ("GET", "/me/ratings"): (None, ALL),
    ("GET", "/ratings/{game}"): (None, ALL),
    ("GET", "/quick"): (None, SIGNED_IN),
    ("POST", "/quick"): ({"game": "atacama", "seats": 2}, SIGNED_IN),
    ("DELETE", "/quick"): (None, SIGNED_IN),
    ("POST", "/tables/{table}/friendly"): (None, OWNER),
    ("GET", "/competitions"): (None, ALL),
    ("GET", "/competitions/{competition}"): (None, only(others=404, anonymous=404)),
    ("POST", "/competitions/{competition}/entry"): (None, only(others=404)),
    ("DELETE", "/competitions/{competition}/entry"): (None, only(others=404)),
    ("POST", "/competitions/{competition}/check-in"): (None, only(others=404)),
    ("GET", "/archive"): (None, ALL),
    ("GET", "/statistics/{game}"): (None, ALL),
    ("GET", "/people/{person}"): (None, only(others=404, anonymous=404)),
    ("GET", "/people/{person}/statistics/{game}"): (None, only(others=404, anonymous=404)),
    ("GET", "/me/profile"): (None, only()),
    ("PUT", "/me/profile"): (dict.fromkeys(PARTS, "all"), only()),
    ("GET", "/me/following"): (None, only()),
    ("PUT", "/me/following/{person}"): (None, only()),
    ("DELETE", "/me/following/{person}"): (None, only()),
    ("POST", "/tables/{table}/start"): (None, SEATED),
    ("POST", "/tables/{table}/rematch"): (None, SEATED),
    ("PUT", "/tables/{table}/seats/{seat}"): ({"kind": "bot"}, OWNER),
    ("POST", "/tables/{table}/seats/{seat}/swap"): ({"other": 0}, OWNER),
    ("POST", "/tables/{table}/seats/{seat}/invitation"): (None, OWNER),
    ("POST", "/tables/{table}/seats/{seat}/request"): ({"admit": True, **STAMP}, OWNER),
    ("POST", "/tables/{table}/seats/{seat}/seal"): ({"offer": DIGEST, "seal": DIGEST}, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/share"): ({"terms": DIGEST, "share": DIGEST}, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/leave"): (None, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/return"): (None, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/vote"): ({"subject": "cancel"}, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/nudge"): (None, SEATED),
    ("PUT", "/tables/{table}/seats/{seat}/plan"): ({"steps": []}, SEAT),
    ("GET", "/tables/{table}/seats/{seat}/legal"): (None, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/apply"): ({"choices": [0], **STAMP}, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/undo"): (STAMP, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/restart"): (STAMP, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/confirm"): (STAMP, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/try"): ({}, SEAT),
    ("POST", "/tables/{table}/seats/{seat}/advice"): ({}, SEAT),
    ("POST", "/tables/{table}/analysis"): (None, SIGNED_IN),
    ("GET", "/tables/{table}/analysis"): (None, ALL),
    ("GET", "/tables/{table}/log"): (None, ALL),
    ("GET", "/tables/{table}/chat"): (None, ALL),
    ("POST", "/tables/{table}/chat"): ({"text": "hi"}, SEATED),
    ("DELETE", "/tables/{table}/chat/{message}"): (None, only(others=404)),
    ("PUT", "/tables/{table}/notes"): ({"text": "hi"}, SEATED),
    ("GET", "/tables/{table}/moments/{sequence}"): (None, ALL),
    ("GET", "/tables/{table}/acts"): (None, ALL),
    ("POST", "/tables/{table}/play-on"): ({"sequence": 1}, SIGNED_IN),
    ("GET", "/tables/{table}/export"): (None, ALL),
    ("GET", "/tables/{table}/record"): (None, ALL),
    ("GET", "/tables/{table}/fairness"): (None, ALL),
    ("GET", "/versions"): (None, ALL),
    ("GET", "/events"): (None, ALL),
}

SEAT_FORM = {"seat": "1", "stamp": "0.0"}

PAGES: Mapping[tuple[str, str], tuple[Any, Mapping[str, Any]]] = {
    ("GET", "/livez"): (None, ALL),
    ("GET", "/healthz"): (None, ALL),
    ("GET", "/events"): (None, ALL),
    ("GET", "/events/poll"): (None, ALL),
    ("GET", "/"): (None, ALL),
    ("POST", "/play"): ({"game": "atacama"}, ALL),
    ("GET", "/lobby"): (None, ALL),
    ("GET", "/mine"): (None, ALL),
    ("GET", "/new"): (None, ALL),
    ("POST", "/new"): ({"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open"}, ALL),
    ("GET", "/competitions"): (None, ALL),
    ("GET", "/competitions/new"): (None, ALL),
    ("POST", "/competitions/new"): ({"game": "atacama", "seats": "2", "kind": "mini", "division": "6"}, only()),
    ("GET", "/competitions/{competition}"): (None, only(others=404, anonymous=404)),
    ("POST", "/competitions/{competition}/{act}"): ({}, only(others=404, anonymous=404)),
    ("GET", "/settings"): (None, ALL),
    ("POST", "/settings"): ({}, ALL),
    ("GET", "/settings/kept.json"): (None, SIGNED_IN),
    ("GET", "/settings/delete"): (None, ALL),
    ("POST", "/settings/delete"): ({"name": "not mine"}, SIGNED_IN),
    ("GET", "/deleted"): (None, ALL),
    ("GET", "/mine/cancelled"): (None, ALL),
    ("GET", "/quick"): (None, ALL),
    ("POST", "/quick"): ({"game": "atacama", "seats": "2", "pace": "quick"}, ALL),
    ("GET", "/quick/wait"): (None, ALL),
    ("POST", "/quick/stop"): ({}, ALL),
    ("POST", "/quick/table"): ({}, SIGNED_IN),
    ("GET", "/ratings/{game}"): (None, ALL),
    ("POST", "/t/{id}/friendly"): ({}, OWNER),
    ("GET", "/archive"): (None, ALL),
    ("GET", "/statistics"): (None, ALL),
    ("GET", "/statistics/{game}"): (None, ALL),
    ("GET", "/@{person}"): (None, only(others=404, anonymous=404)),
    ("GET", "/@{person}/{game}"): (None, only(others=404, anonymous=404)),
    ("POST", "/@{person}/follow"): ({"follow": "yes"}, only()),
    ("POST", "/profile"): ({"results": "all"}, only()),
    ("GET", "/t/{id}/profile"): (None, only(others=404, anonymous=404)),
    ("POST", "/t/{id}/invite-person"): ({"name": "none"}, only()),
    ("POST", "/settings/hours"): ({"zone": "", "first": "9", "last": "21"}, SIGNED_IN),
    ("POST", "/settings/vacation"): ({"days": "1"}, SIGNED_IN),
    ("POST", "/settings/vacation/end"): ({}, SIGNED_IN),
    ("POST", "/settings/quiet"): ({"first": "22", "last": "7"}, SIGNED_IN),
    ("GET", "/settings/notices"): (None, ALL),
    ("POST", "/settings/notices"): ({"kind": "ntfy", "url": "https://ntfy.sh/x"}, SIGNED_IN),
    ("GET", "/settings/push"): (None, SIGNED_IN),
    ("POST", "/settings/push"): ({}, SIGNED_IN),
    ("POST", "/settings/notices/{channel}"): ({"act": "drop"}, only(others=404)),
    ("GET", "/confirm/{token}"): (None, ALL),
    ("POST", "/confirm/{token}"): ({}, ALL),
    ("GET", "/unsubscribe/{token}"): (None, ALL),
    ("POST", "/unsubscribe/{token}"): ({}, ALL),
    ("GET", "/worker.js"): (None, ALL),
    ("GET", "/manifest.webmanifest"): (None, ALL),
    ("GET", "/robots.txt"): (None, ALL),
    ("GET", "/offline"): (None, ALL),
    ("POST", "/settings/calendar"): ({}, SIGNED_IN),
    ("GET", "/next"): (None, SIGNED_IN),
    ("GET", "/calendar/{token}.ics"): (None, ALL),
    ("GET", "/account"): (None, ALL),
    ("POST", "/account/sessions/{session}/end"): ({}, only(others=404)),
    ("POST", "/account/end-others"): ({}, SIGNED_IN),
    ("POST", "/account/tokens"): ({"label": "a bot"}, SIGNED_IN),
    ("GET", "/account/code"): (None, ALL),
    ("POST", "/account/code"): ({}, SIGNED_IN),
    ("POST", "/account/credentials/{credential}/remove"): ({}, only(others=404)),
    ("POST", "/account/passkeys/options"): ({}, SIGNED_IN),
    ("POST", "/account/passkeys"): ({"answer": "{}"}, only()),
    ("POST", "/sign-in/passkey/options"): ({}, ALL),
    ("POST", "/sign-in/passkey"): ({"answer": "{}"}, only(anonymous=NO)),
    ("POST", "/account/mail"): ({"mail": "x"}, SIGNED_IN),
    ("POST", "/sign-in/mail"): ({"mail": "x"}, ALL),
    ("GET", "/sign-in/mail"): (None, ALL),
    ("POST", "/sign-in/mail/confirm"): ({"token": "x"}, ALL),
    ("POST", "/account/oidc"): ({}, only(others=404)),
    ("POST", "/sign-in/oidc"): ({}, only(others=404, anonymous=404)),
    ("GET", "/sign-in/oidc/callback"): (None, only(others=404, anonymous=404)),
    ("GET", "/rescue"): (None, ALL),
    ("POST", "/rescue"): ({"token": "x"}, ALL),
    ("GET", "/rescue/{rescue}/refuse"): (None, ALL),
    ("POST", "/rescue/{rescue}/refuse"): ({}, ALL),
    ("GET", "/sign-in"): (None, ALL),
    ("POST", "/sign-in"): ({"code": "x"}, ALL),
    ("POST", "/device-link"): ({}, SIGNED_IN),
    ("POST", "/device/{link}/allow"): ({}, SIGNED_IN),
    ("POST", "/device/{link}/deny"): ({}, SIGNED_IN),
    ("GET", "/device"): (None, ALL),
    ("POST", "/device"): ({"token": "x"}, ALL),
    ("POST", "/device/finish"): ({}, ALL),
    ("POST", "/sign-out"): ({}, ALL),
    ("GET", "/join"): (None, ALL),
    ("POST", "/join"): ({"token": "x"}, ALL),
    ("GET", "/about"): (None, ALL),
    ("GET", "/privacy"): (None, ALL),
    ("GET", "/imprint"): (None, only(others=404, anonymous=404)),
    ("GET", "/rules-of-conduct"): (None, only(others=404, anonymous=404)),
    ("GET", "/.well-known/security.txt"): (None, only(others=404, anonymous=404)),
    ("GET", "/docs"): (None, ALL),
    ("GET", "/rules/{game}"): (None, ALL),
    ("GET", "/rules/{game}/{picture}.svg"): (None, ALL),
    ("GET", "/learn"): (None, ALL),
    ("GET", "/puzzles"): (None, ALL),
    ("GET", "/rules"): (None, ALL),
    ("GET", "/learn/{game}"): (None, ALL),
    ("GET", "/learn/{game}/{lesson}"): (None, ALL),
    ("POST", "/learn/{game}/{lesson}/choose"): ({"step": "1", "choices": "0"}, ALL),
    ("GET", "/learn/{game}/{lesson}/preview"): (None, ALL),
    ("GET", "/learn/{game}/{lesson}/why"): (None, ALL),
    ("GET", "/puzzles/{game}"): (None, ALL),
    ("GET", "/puzzles/{game}/today"): (None, ALL),
    ("GET", "/puzzles/{game}/{puzzle}"): (None, ALL),
    ("POST", "/puzzles/{game}/{puzzle}/choose"): ({"choices": "0"}, ALL),
    ("GET", "/puzzles/{game}/{puzzle}/preview"): (None, ALL),
    ("GET", "/puzzles/{game}/{puzzle}/why"): (None, ALL),
    ("GET", "/t/{id}"): (None, ALL),
    ("POST", "/t/{id}/choose"): ({"choices": "0", **SEAT_FORM}, SEAT),
    ("POST", "/t/{id}/undo"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/restart"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/confirm"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/advice"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/dismiss"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/check"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/coach"): ({"wanted": "on"}, SIGNED_IN),
    ("POST", "/t/{id}/analyse"): ({}, SIGNED_IN),
    ("GET", "/t/{id}/preview"): (None, ALL),
    ("GET", "/t/{id}/why"): (None, ALL),
    ("GET", "/t/{id}/try"): (None, SEATED),
    ("POST", "/t/{id}/try/choose"): ({"seat": "1", "step": "0.0", "choices": "0"}, SEAT),
    ("POST", "/t/{id}/try/undo"): ({"seat": "1", "step": "0.0", "choice": "0"}, SEAT),
    ("GET", "/t/{id}/try/preview"): (None, SEATED),
    ("GET", "/t/{id}/try/why"): (None, SEATED),
    ("GET", "/t/{id}/acts"): (None, ALL),
    ("GET", "/t/{id}/moment"): (None, ALL),
    ("GET", "/t/{id}/replay"): (None, ALL),
    ("POST", "/t/{id}/play-on"): ({"at": "1"}, SIGNED_IN),
    ("GET", "/t/{id}/fairness"): (None, ALL),
    ("GET", "/t/{id}/record"): (None, ALL),
    ("POST", "/t/{id}/verify"): ({}, ALL),
    ("GET", "/verify"): (None, ALL),
    ("POST", "/verify"): ({"game": "{}"}, ALL),
    ("POST", "/t/{id}/notices"): ({"notices": "turn"}, SIGNED_IN),
    ("POST", "/t/{id}/notes"): ({"text": "hi", "seat": "1"}, SEATED),
    ("GET", "/t/{id}/plan"): (None, SEATED),
    ("POST", "/t/{id}/plan"): ({"act": "drop", **SEAT_FORM}, SEAT),
    ("POST", "/t/{id}/plan/choose"): ({"seat": "1", "step": "0.0", "choices": "0"}, SEAT),
    ("POST", "/t/{id}/plan/undo"): ({"seat": "1", "step": "0.0", "choice": "0"}, SEAT),
    ("GET", "/t/{id}/plan/preview"): (None, SEATED),
    ("GET", "/t/{id}/plan/why"): (None, SEATED),
    ("POST", "/t/{id}/say"): ({"text": "hi", "seat": "1"}, SEATED),
    ("POST", "/t/{id}/join"): ({}, ALL),
    ("POST", "/t/{id}/seat"): ({"take": "1", "bot": "casual"}, OWNER),
    ("POST", "/t/{id}/swap"): ({"take": "1", "other": "0"}, OWNER),
    ("POST", "/t/{id}/request"): ({"take": "1", "stamp": "0.0", "answer": "yes"}, OWNER),
    ("POST", "/t/{id}/invite"): (SEAT_FORM, OWNER),
    ("POST", "/t/{id}/seal"): ({"offer": DIGEST, "seal": DIGEST, **SEAT_FORM}, SEAT),
    ("POST", "/t/{id}/share"): ({"terms": DIGEST, "share": DIGEST, **SEAT_FORM}, SEAT),
    ("POST", "/t/{id}/start"): ({}, SEATED),
    ("POST", "/t/{id}/leave"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/return"): (SEAT_FORM, SEAT),
    ("POST", "/t/{id}/nudge"): ({"take": "1"}, SEATED),
    ("POST", "/t/{id}/vote"): ({"subject": "cancel", "answer": "yes", **SEAT_FORM}, SEAT),
    ("POST", "/t/{id}/rematch"): ({}, SEATED),
    ("GET", "/t/{id}/export"): (None, ALL),
    ("GET", "/t/{id}/person/{seat}"): (None, ALL),
    ("GET", "/t/{id}/message/{message}"): (None, only(others=404, anonymous=404)),
    ("POST", "/t/{id}/message/{message}/delete"): ({}, only(others=404)),
    ("GET", "/report"): (None, ALL),
    ("POST", "/report"): ({"reason": "spam", "text": "x"}, ALL),
    ("GET", "/blocks"): (None, ALL),
    ("POST", "/blocks"): ({"name": "nobody"}, only(others=404, anonymous=404)),
    ("POST", "/blocks/{block}/lift"): ({}, only(others=404)),
    ("GET", "/sanctions"): (None, ALL),
    ("POST", "/sanctions/read"): ({}, SIGNED_IN),
    ("POST", "/sanctions/{sanction}/object"): ({"text": "no"}, only(others=404)),
    ("GET", "/moderation"): (None, only()),
    ("GET", "/moderation/log"): (None, only()),
    ("GET", "/moderation/reports/{report}"): (None, only()),
    ("POST", "/moderation/reports/{report}"): ({"what": "take"}, only()),
    ("GET", "/moderation/people/{member}"): (None, only()),
    ("POST", "/moderation/people/{member}"): ({"kind": "ban", "reason": "spam", "text": "x"}, only()),
    ("POST", "/moderation/sanctions/{sanction}"): ({"what": "lift"}, only()),
    ("GET", "/operator"): (None, only()),
    ("POST", "/operator/maintenance"): ({"what": "on"}, only()),
    ("GET", "/workshop/{game}"): (None, ALL),
    ("POST", "/workshop/{game}"): ({}, ALL),
    ("POST", "/workshop/{game}/simulate"): ({}, ALL),
    ("GET", "/workshop/{game}/changes.toml"): (None, ALL),
    ("GET", "/workshop/{game}/table.svg"): (None, ALL),
    ("GET", "/workshop/{game}/play"): (None, ALL),
    ("POST", "/workshop/{game}/play/choose"): ({}, ALL),
    ("POST", "/workshop/{game}/play/undo"): ({"choice": "0"}, ALL),
    ("GET", "/workshop/{game}/play/preview"): (None, ALL),
    ("GET", "/workshop/{game}/play/why"): (None, ALL),
    ("GET", "/static/page.js"): (None, ALL),
    ("GET", "/static/js/late/{name}"): (None, ALL),
    ("GET", "/static/games/{game}/page.css"): (None, ALL),
    ("GET", "/static/games/{game}/page.js"): (None, ALL),
    ("GET", "/static/games/{game}/cover.svg"): (None, ALL),
    ("GET", "/static/games/{game}/preview.png"): (None, ALL),
    ("GET", "/static/games/{game}/table.css"): (None, ALL),
    ("GET", "/static/picture.css"): (None, ALL),
}


class House:
    """One person per role, and a listed and a private running table of four."""

    def __init__(self, site: Site) -> None:
        self.site: Site = site
        self.programs: dict[str, Program] = {}
        self.browsers: dict[str, Browser] = {}
        for role in ROLES:
            if role == "anonymous":
                self.programs[role], self.browsers[role] = Program(site, None), site.browser()
            else:
                self.browsers[role] = site.browser(role)
                who = self.browsers[role].user
                assert who is not None
                self.programs[role] = Program(site, site.call(site.tables.users.sign_in, who.id, kind="api"))

    def table(self, visibility: str, *, running: bool = True) -> str:
        """A fresh table: owner, seat, other seat, and a seat behind the owner's curtain."""
        tables, call = self.site.tables, self.site.call
        owner, seat, other = (self.browsers[role].user for role in ("owner", "seat", "other seat"))
        plans = (SeatPlan("me"), SeatPlan("invite"), SeatPlan("invite"), SeatPlan("device"))
        table: str = call(tables.table_setup.create, owner, NewTable("atacama", plans, visibility=visibility))  # type: ignore[arg-type]
        for number, who in ((1, seat), (2, other)):
            call(tables.table_setup.accept, who, call(tables.table_setup.invite, owner, table, number))
        if running:
            call(give_shares, tables, table)
        if visibility != "private":
            # A spectator is one who watches; that gives no right.
            call(tables.table_views.table, self.browsers["spectator"].user, table)
        return table


@pytest.fixture
def house(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Everybody, and no way out to the services that notices would go to."""
    monkeypatch.setattr(socket, "getaddrinfo", Mock(side_effect=socket.gaierror("no such name")))
    with site_at(sqlite_url, tables_per_user=10_000) as site:
        yield House(site)


def _gathers(path: str) -> bool:
    """Return whether a route is for tables that haven't started."""
    proof = ("/seal", "/share")
    return path.endswith(("/start", "/invitation", "/invite", "/seat", "/seats/{seat}", "/swap", "/request", *proof))


def _expected(rule: Mapping[str, Any], role: str, path: str, private: bool) -> Any:
    """At a private table everybody but its seats finds nothing."""
    at_table = "{table}" in path or "{id}" in path
    if private and at_table and role in ("anonymous", "guest", "spectator"):
        return WHO if rule["anonymous"] == WHO and role == "anonymous" else HIDDEN
    return rule[role]


def _check(answer: int, expected: Any, what: str) -> None:
    if expected == OK:
        assert answer in AFTER, f"{what}: {answer}"
    else:
        assert answer == expected, f"{what}: {answer}, not {expected}"


@pytest.mark.parametrize("visibility", ["lobby", "private"])
def test_the_api_gives_everybody_what_is_theirs(house: House, visibility: str) -> None:
    paths = house.site.client.get("/api/v1/openapi.json").json()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert routes == set(API)
    for (method, path), (body, rule) in API.items():
        if path == "/events" or (visibility == "private" and "{table}" not in path):
            continue  # an endless answer: tests/server/test_news.py
        table = ""
        for role, program in house.programs.items():
            if not table and "{table}" in path:
                table = house.table(visibility, running=not _gathers(path))
            filled = path.replace("{table}", table).replace("{seat}", "1").replace("{sequence}", "1")
            filled = filled.replace("{channel}", "none").replace("{session}", "none")
            filled = filled.replace("{block}", "none").replace("{sanction}", "none").replace("{message}", "0")
            filled = filled.replace("{game}", "atacama").replace("{person}", "none").replace("{competition}", "none")
            answer = program.ask(method, filled, body)
            if method != "GET" and answer.status_code < REFUSED:
                table = ""  # the change can't be made again
            expected = _expected(rule, role, path, visibility == "private")
            _check(answer.status_code, expected, f"{role}: {method} {path} {answer.text[:100]}")


@pytest.mark.parametrize("visibility", ["lobby", "private"])
def test_the_pages_give_everybody_what_is_theirs(house: House, visibility: str) -> None:
    routes = {
        (method, route.path)
        for route in house.site.app.routes
        for method in (getattr(route, "methods", None) or ())
        if method != "HEAD"
    }
    assert routes == set(PAGES)
    for (method, path), (form, rule) in PAGES.items():
        if path == "/events" or (visibility == "private" and "{id}" not in path):
            continue
        table = ""
        for role, browser in house.browsers.items():
            if not table and "{id}" in path:
                table = house.table(visibility, running=not _gathers(path))
            kept = dict(browser.cookies)
            filled = (
                path.replace("{id}", table)
                .replace("{game}", "atacama")
                .replace("{puzzle}", next(iter(puzzles(atoll.games["atacama"]))))
                .replace("{picture}", "table")
                .replace("{channel}", "none")
                .replace("{token}", "x.y")
                .replace("{session}", "none")
                .replace("{seat}", "1")
                .replace("{message}", "0")
                .replace("{link}", "none")
                .replace("{credential}", "none")
                .replace("{name}", "sounds.js")
                .replace("{person}", "none")
                .replace("{lesson}", next(iter(lessons(atoll.games["atacama"]))))
            )
            answer = browser.get(filled) if method == "GET" else browser.post(filled, form)
            if method != "GET" and answer.status_code < REFUSED:
                table = ""
            if path == "/sign-out" and browser.user is not None:
                # Signing out ends the token for good: come back with another.
                kept[house.site.cookie()] = house.site.call(house.site.tables.users.sign_in, browser.user.id).token
            browser.cookies = kept
            expected = _expected(rule, role, path, visibility == "private")
            _check(answer.status_code, expected, f"{role}: {method} {path} {answer.text[:100]}")


def test_nobody_sees_through_anothers_seat(house: House) -> None:
    """Asking for the view of somebody else's seat is refused on every route that takes a seat."""
    table = house.table("lobby")
    for role in ("guest", "spectator", "other seat", "owner"):
        for path in ("", "/log", "/moments/1", "/acts", "/export"):
            assert house.programs[role].ask("GET", f"/tables/{table}{path}?seat=1").status_code == NO
        for path in (
            "",
            "/replay",
            "/moment",
            "/acts",
            "/preview",
            "/why",
            "/export",
            "/try",
            "/try/preview",
            "/try/why",
            "/plan",
            "/plan/preview",
            "/plan/why",
        ):
            assert house.browsers[role].get(f"/t/{table}{path}?seat=1&at=1").status_code == NO
    assert house.programs["anonymous"].ask("GET", f"/tables/{table}?seat=1").status_code == NO


def test_two_devices_of_one_person_have_the_same_rights(house: House) -> None:
    table = house.table("private")
    seat = house.browsers["seat"].user
    assert seat is not None
    other = Browser(house.site, house.site.call(house.site.tables.users.sign_in, seat.id))
    assert other.get(f"/t/{table}").status_code == 200
    assert house.browsers["seat"].get(f"/t/{table}").status_code == 200
