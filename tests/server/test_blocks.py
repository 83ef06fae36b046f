"""A block keeps two people apart on each route between them, in both directions, unnoticed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from sqlalchemy import select

from atoll.server.domain.model import Clock, NewTable, Refused, SeatPlan, TableView
from atoll.server.domain.notices import PERSONAL
from atoll.server.play.blocks import MOST_BLOCKS
from atoll.server.play.quick_match import Wish
from atoll.server.play.scheduler import Scheduler
from atoll.store import schema

from .conftest import INVITE, ME, OPEN, Browser, Program, Room, Site, Time, refused, site_at

DAY: Final = 86_400
BOT: Final = SeatPlan("bot", bot="beginner")


@dataclass
class House:
    """Two people whom a block keeps apart, a third one, and ways to bring them together."""

    site: Site
    clock: Time
    browsers: dict[str, Browser] = field(default_factory=dict)
    programs: dict[str, Program] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.room = Room(self.site.tables, Scheduler(self.site.tables))
        for name in ("Ada", "Bob", "Cy"):
            self.browsers[name] = self.site.browser(name)
            user = self.browsers[name].user
            assert user is not None
            self.room.people[name] = user
            self.programs[name] = Program(
                self.site, self.site.call(self.site.tables.users.sign_in, user.id, kind="api")
            )
            self.site.tables.executor.notifiable_users.add(user.id)

    def block(self) -> None:
        """Ada blocks Bob."""
        self.site.call(self.site.tables.blocks.add, self.room.people["Ada"], self.room.people["Bob"].id)

    def lift(self) -> None:
        """Ada lifts her blocks."""
        blocks, ada = self.site.tables.blocks, self.room.people["Ada"]
        for each in self.site.call(blocks.mine, ada):
            self.site.call(blocks.lift, ada, each.id)

    def table(self, *names: str, start: bool = False, **values: Any) -> str:
        """A table of these people, who met before the block."""
        self.lift()
        table: str = self.site.call(self.room.table, "atacama", *names, start=start, **values)
        self.block()
        return table

    def open_table(self, host: str) -> str:
        """A listed table with a free seat."""
        new = NewTable("atacama", (ME, OPEN), visibility="lobby")
        return self.site.call(self.site.tables.table_setup.create, self.room.people[host], new)  # type: ignore[no-any-return]

    def invitation(self, other: str) -> str:
        """An invitation of Cy to a table where somebody sits."""
        setup, cy = self.site.tables.table_setup, self.room.people["Cy"]
        table = self.site.call(setup.create, cy, NewTable("atacama", (ME, OPEN, INVITE, BOT), visibility="lobby"))
        self.site.call(setup.join, self.room.people[other], table, 1)
        return self.site.call(setup.invite, cy, table, 2)  # type: ignore[no-any-return]

    def view(self, name: str, table: str) -> TableView:
        """The table as somebody sees it."""
        return self.site.call(self.room.view, name, table)  # type: ignore[no-any-return]

    def told(self, name: str) -> list[str]:
        """The kinds of notices that somebody got because of another person."""
        table = schema.notices.c
        query = select(table.kind).where(table.user_id == self.room.people[name].id, table.kind.in_(PERSONAL))

        async def read() -> list[str]:
            return await self.site.tables.store._database.read(lambda connection: list(connection.scalars(query)))

        return self.site.call(read)  # type: ignore[no-any-return]

    def ended(self, sender: str, other: str) -> str:
        """A joint game that was canceled, so that its players can play again."""
        table = self.table(sender, other, start=True)
        for seat, name in enumerate((sender, other)):
            self.site.call(self.site.tables.votes.vote, self.room.people[name], table, seat, "cancel", True)
        return table

    def asked(self, other: str, sender: str) -> tuple[str, int]:
        """A joint game that has waited for somebody since yesterday, and the seat."""
        self.clock.passes(-DAY)
        table = self.table(sender, other, start=True)
        name, view = self.site.call(self.room.mover, table, sender, other)
        if name == sender:
            self.site.call(self.room.play, table, sender, most=1)
            name, view = self.site.call(self.room.mover, table, sender, other)
        self.clock.passes(DAY)
        assert name == other and view.seat is not None
        return table, view.seat

    def moved(self, sender: str, other: str) -> tuple[str, int, str]:
        """A joint game in which somebody can propose to take a move back: table, seat, subject."""
        table = self.table(sender, other, start=True, clock=Clock(DAY, 0, DAY))
        for _ in range(6):
            undo = next((each for each in self.view(sender, table).can if each.startswith("undo:")), "")
            if undo:
                return table, 0, undo
            name, _ = self.site.call(self.room.mover, table, sender, other)
            self.site.call(self.room.play, table, name, most=1)
        raise AssertionError("nothing can be taken back")

    def public_end(self, host: str) -> str:
        """A finished game where everybody may chat."""
        table = self.table(host, "+", start=True, chat_after="anyone")
        self.site.call(self.room.play, table, host)
        return table


Attempt = Callable[[House, str, str, Callable[[str, str, Any], int]], None]
"""Receives the house, the sender, the other person, and a function that sends a request and returns the status."""


def _joins(house: House, sender: str, other: str, send: Any) -> None:
    table = house.open_table(other)
    assert send("join", table, {}) == 409
    assert house.view(other, table).seats[1].kind == "open"


def _accepts(house: House, sender: str, other: str, send: Any) -> None:
    assert send("accept", house.invitation(other), {}) == 409


def _lets_in(house: House, sender: str, other: str, send: Any) -> None:
    """The other person has asked for a seat before the block; the host can still decline."""
    setup, people = house.site.tables.table_setup, house.room.people
    house.lift()
    table = house.site.call(setup.create, people[sender], NewTable("atacama", (ME, OPEN), approval=True))
    house.site.call(setup.join, people[other], table)
    house.block()
    form = {"seat": 1, "stamp": house.view(sender, table).seats[1].stamp}
    assert send("answer", table, {**form, "admit": True}) == 409
    assert house.view(other, table).seats[1].kind == "request"
    assert send("answer", table, {**form, "admit": False}) < 400


def _plays_again(house: House, sender: str, other: str, send: Any) -> None:
    table = house.ended(sender, other)
    assert send("rematch", table, {}) < 400
    again = house.view(sender, table).rematch
    assert [seat.name for seat in house.view(sender, again).seats if seat.name] == [sender]
    assert "accept" not in house.view(other, again).can


def _nudges(house: House, sender: str, other: str, send: Any) -> None:
    table, seat = house.asked(other, sender)
    assert send("nudge", table, {"seat": seat}) == 409


def _says(house: House, sender: str, other: str, send: Any) -> None:
    """Check messages to a user that has blocked the sender.

    In a joint game the third player reads it, and the page of the blocking user folds it. A stranger is
    refused.

    Args:
        house: The server.
        sender: The sender.
        other: The user that has blocked the sender.
        send: Sends a request of the sender.
    """
    table = house.table(sender, other, "Cy", "bot:beginner", start=True)
    assert send("say", table, {"text": "hello you"}) < 400
    assert [each.folded for each in house.view(other, table).chat] == [other == "Ada"]
    assert [each.folded for each in house.view("Cy", table).chat] == [False]
    assert ("<summary>" in house.browsers[other].get(f"/t/{table}").text.partition("page-chat")[2][:900]) == (
        other == "Ada"
    )
    assert send("say", house.public_end(other), {"text": "hello you"}) == 403


def _votes(house: House, sender: str, other: str, send: Any) -> None:
    """The game continues, so the vote counts; it calls nobody who isn't there."""
    table, seat, undo = house.moved(sender, other)
    assert send("vote", table, {"subject": undo, "seat": seat}) < 400
    assert [vote.subject for vote in house.view(other, table).votes] == [undo]


def _reads_lists(house: House, sender: str, other: str, send: Any) -> None:
    table = house.open_table(other)
    assert table not in send("list", "", {}), "the row is hidden"


def _invites(house: House, sender: str, other: str, send: Any) -> None:
    """An invitation by name is refused like that of a person who wants none."""
    table = house.open_table(sender)
    assert send("invite", table, {"name": other}) >= 400
    assert "accept" not in house.view(other, table).can


def _seeks(house: House, sender: str, other: str, send: Any) -> None:
    """Both look for the same game, and don't get one."""
    quick, people = house.site.tables.quick_match, house.room.people
    for name in (other, sender):
        assert not house.site.call(quick.begin, people[name], Wish("atacama", 2, "quick", False)).table
    assert send("seek", "", {"game": "atacama", "seats": 2, "pace": "quick"}) < 400
    for name in (other, sender):
        search = house.site.call(quick.stay, people[name])
        assert (search.table, search.others) == ("", 0)
        house.site.call(quick.end, people[name])


def _reads_chat(house: House, sender: str, other: str, send: Any) -> None:
    table = house.table(sender, other, start=True)
    house.site.call(house.site.tables.chat.say, house.room.people[other], table, "hello")
    assert send("read", table, {}) == (["folded"] if sender == "Ada" else [""])


MATRIX: Final[dict[tuple[str, str], Attempt]] = {
    ("POST", "/t/{id}/join"): _joins,
    ("POST", "/join"): _accepts,
    ("POST", "/t/{id}/request"): _lets_in,
    ("POST", "/t/{id}/rematch"): _plays_again,
    ("POST", "/t/{id}/nudge"): _nudges,
    ("POST", "/t/{id}/say"): _says,
    ("POST", "/t/{id}/vote"): _votes,
    ("POST", "/new"): _invites,
    ("POST", "/t/{id}/invite-person"): _invites,
    ("POST", "/quick"): _seeks,
    ("GET", "/quick/wait"): _seeks,
    ("GET", "/"): _reads_lists,
    ("GET", "/lobby"): _reads_lists,
    ("POST", "/api/v1/tables/{table}/join"): _joins,
    ("POST", "/api/v1/invitations/accept"): _accepts,
    ("POST", "/api/v1/tables/{table}/seats/{seat}/request"): _lets_in,
    ("POST", "/api/v1/tables/{table}/rematch"): _plays_again,
    ("POST", "/api/v1/tables/{table}/seats/{seat}/nudge"): _nudges,
    ("POST", "/api/v1/tables/{table}/chat"): _says,
    ("POST", "/api/v1/tables/{table}/seats/{seat}/vote"): _votes,
    ("POST", "/api/v1/tables/{table}/invite"): _invites,
    ("POST", "/api/v1/quick"): _seeks,
    ("GET", "/api/v1/quick"): _seeks,
    ("GET", "/api/v1/tables"): _reads_lists,
    ("GET", "/api/v1/tables/{table}"): _reads_chat,
    ("GET", "/api/v1/tables/{table}/chat"): _reads_chat,
}
"""By route: what happens if one of the two tries to reach the other."""

_NOBODY = """
GET /.well-known/security.txt
GET /competitions
GET /competitions/new
GET /competitions/{competition}
GET /imprint
GET /privacy
GET /rules-of-conduct
POST /api/v1/tables/{table}/seats/{seat}/swap
POST /competitions/new
POST /competitions/{competition}/{act}
POST /t/{id}/swap
GET /@{person}
POST /@{person}/follow
GET /@{person}/{game}
GET /about
GET /account
GET /account/code
POST /account/code
POST /account/credentials/{credential}/remove
POST /account/end-others
POST /account/mail
POST /account/oidc
POST /account/passkeys
POST /account/passkeys/options
POST /account/sessions/{session}/end
POST /account/tokens
GET /api/v1/archive
GET /api/v1/competitions
GET /api/v1/competitions/{competition}
POST /api/v1/competitions/{competition}/check-in
DELETE /api/v1/competitions/{competition}/entry
POST /api/v1/competitions/{competition}/entry
GET /api/v1/events
GET /api/v1/games
POST /api/v1/guests
DELETE /api/v1/me
GET /api/v1/me
GET /api/v1/me/blocks
POST /api/v1/me/blocks
DELETE /api/v1/me/blocks/{block}
POST /api/v1/me/calendar
GET /api/v1/me/channels
POST /api/v1/me/channels
DELETE /api/v1/me/channels/{channel}
PUT /api/v1/me/channels/{channel}
POST /api/v1/me/channels/{channel}/test
GET /api/v1/me/export
GET /api/v1/me/following
DELETE /api/v1/me/following/{person}
PUT /api/v1/me/following/{person}
PUT /api/v1/me/hours
GET /api/v1/me/profile
PUT /api/v1/me/profile
PUT /api/v1/me/quiet
GET /api/v1/me/ratings
GET /api/v1/me/reports
GET /api/v1/me/sanctions
POST /api/v1/me/sanctions/{sanction}/objection
DELETE /api/v1/me/sessions
GET /api/v1/me/sessions
DELETE /api/v1/me/sessions/{session}
POST /api/v1/me/tokens
DELETE /api/v1/me/vacation
GET /api/v1/me/vacation
POST /api/v1/me/vacation
GET /api/v1/people/{person}
GET /api/v1/people/{person}/statistics/{game}
DELETE /api/v1/quick
GET /api/v1/ratings/{game}
POST /api/v1/reports
GET /api/v1/statistics/{game}
POST /api/v1/tables
GET /api/v1/tables/mine
GET /api/v1/tables/{table}/acts
GET /api/v1/tables/{table}/analysis
POST /api/v1/tables/{table}/analysis
DELETE /api/v1/tables/{table}/chat/{message}
GET /api/v1/tables/{table}/export
GET /api/v1/tables/{table}/fairness
POST /api/v1/tables/{table}/friendly
GET /api/v1/tables/{table}/log
GET /api/v1/tables/{table}/moments/{sequence}
PUT /api/v1/tables/{table}/notes
POST /api/v1/tables/{table}/play-on
GET /api/v1/tables/{table}/record
PUT /api/v1/tables/{table}/seats/{seat}
POST /api/v1/tables/{table}/seats/{seat}/advice
POST /api/v1/tables/{table}/seats/{seat}/apply
POST /api/v1/tables/{table}/seats/{seat}/confirm
POST /api/v1/tables/{table}/seats/{seat}/invitation
POST /api/v1/tables/{table}/seats/{seat}/leave
GET /api/v1/tables/{table}/seats/{seat}/legal
PUT /api/v1/tables/{table}/seats/{seat}/plan
POST /api/v1/tables/{table}/seats/{seat}/restart
POST /api/v1/tables/{table}/seats/{seat}/return
POST /api/v1/tables/{table}/seats/{seat}/seal
POST /api/v1/tables/{table}/seats/{seat}/share
POST /api/v1/tables/{table}/seats/{seat}/try
POST /api/v1/tables/{table}/seats/{seat}/undo
POST /api/v1/tables/{table}/start
GET /api/v1/versions
GET /archive
GET /blocks
POST /blocks
POST /blocks/{block}/lift
GET /calendar/{token}.ics
GET /confirm/{token}
POST /confirm/{token}
GET /deleted
GET /device
POST /device
POST /device-link
POST /device/finish
POST /device/{link}/allow
POST /device/{link}/deny
GET /docs
GET /events
GET /events/poll
GET /healthz
GET /join
GET /learn
GET /learn/{game}
GET /learn/{game}/{lesson}
POST /learn/{game}/{lesson}/choose
GET /learn/{game}/{lesson}/preview
GET /learn/{game}/{lesson}/why
GET /livez
GET /manifest.webmanifest
GET /mine
GET /mine/cancelled
GET /moderation
GET /moderation/log
GET /moderation/people/{member}
POST /moderation/people/{member}
GET /moderation/reports/{report}
POST /moderation/reports/{report}
POST /moderation/sanctions/{sanction}
GET /new
GET /next
GET /offline
GET /operator
POST /operator/maintenance
POST /play
POST /profile
GET /puzzles
GET /puzzles/{game}
GET /puzzles/{game}/today
GET /puzzles/{game}/{puzzle}
POST /puzzles/{game}/{puzzle}/choose
GET /puzzles/{game}/{puzzle}/preview
GET /puzzles/{game}/{puzzle}/why
GET /quick
POST /quick/stop
POST /quick/table
GET /ratings/{game}
GET /report
POST /report
GET /rescue
POST /rescue
GET /rescue/{rescue}/refuse
POST /rescue/{rescue}/refuse
GET /robots.txt
GET /rules
GET /rules/{game}
GET /rules/{game}/{picture}.svg
GET /sanctions
POST /sanctions/read
POST /sanctions/{sanction}/object
GET /settings
POST /settings
POST /settings/calendar
GET /settings/delete
POST /settings/delete
POST /settings/hours
GET /settings/kept.json
GET /settings/notices
POST /settings/notices
POST /settings/notices/{channel}
GET /settings/push
POST /settings/push
POST /settings/quiet
POST /settings/vacation
POST /settings/vacation/end
GET /sign-in
POST /sign-in
GET /sign-in/mail
POST /sign-in/mail
POST /sign-in/mail/confirm
POST /sign-in/oidc
GET /sign-in/oidc/callback
POST /sign-in/passkey
POST /sign-in/passkey/options
POST /sign-out
GET /static/games/{game}/cover.svg
GET /static/games/{game}/page.css
GET /static/games/{game}/page.js
GET /static/games/{game}/preview.png
GET /static/games/{game}/table.css
GET /static/js/late/{name}
GET /static/page.js
GET /static/picture.css
GET /statistics
GET /statistics/{game}
GET /t/{id}
GET /t/{id}/acts
POST /t/{id}/advice
POST /t/{id}/analyse
POST /t/{id}/check
POST /t/{id}/choose
POST /t/{id}/coach
POST /t/{id}/confirm
POST /t/{id}/dismiss
GET /t/{id}/export
GET /t/{id}/fairness
POST /t/{id}/friendly
POST /t/{id}/invite
POST /t/{id}/leave
GET /t/{id}/message/{message}
POST /t/{id}/message/{message}/delete
GET /t/{id}/moment
POST /t/{id}/notes
POST /t/{id}/notices
GET /t/{id}/person/{seat}
GET /t/{id}/plan
POST /t/{id}/plan
POST /t/{id}/plan/choose
GET /t/{id}/plan/preview
POST /t/{id}/plan/undo
GET /t/{id}/plan/why
POST /t/{id}/play-on
GET /t/{id}/preview
GET /t/{id}/profile
GET /t/{id}/record
GET /t/{id}/replay
POST /t/{id}/restart
POST /t/{id}/return
POST /t/{id}/seal
POST /t/{id}/seat
POST /t/{id}/share
POST /t/{id}/start
GET /t/{id}/try
POST /t/{id}/try/choose
GET /t/{id}/try/preview
POST /t/{id}/try/undo
GET /t/{id}/try/why
POST /t/{id}/undo
POST /t/{id}/verify
GET /t/{id}/why
GET /unsubscribe/{token}
POST /unsubscribe/{token}
GET /verify
POST /verify
GET /worker.js
GET /workshop/{game}
POST /workshop/{game}
GET /workshop/{game}/changes.toml
GET /workshop/{game}/play
POST /workshop/{game}/play/choose
GET /workshop/{game}/play/preview
POST /workshop/{game}/play/undo
GET /workshop/{game}/play/why
POST /workshop/{game}/simulate
GET /workshop/{game}/table.svg
"""
REACHES_NOBODY: Final = {tuple(line.split(" ")) for line in _NOBODY.split("\n") if line}
"""Routes by which nobody can reach a person: they concern the reader, a game that both play, files, or moderators."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Ada has blocked Bob."""
    clock = Time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("atoll.server.domain.wall_clock.now_ms", clock)
        with site_at(
            f"sqlite:///{tmp_path_factory.mktemp('blocks')}/atoll.db", tables_per_user=1000, lobby_per_host=100
        ) as site:
            found = House(site, clock)
            for name in ("Ada", "Bob"):
                found.browsers[name].post("/account/code")
                found.room.people[name] = site.call(found.room.signed_in, name)
            assert (
                found.browsers["Ada"].post("/blocks", {"table": found.open_table("Bob"), "seat": "0"}).status_code
                == 303
            )
            yield found


def routes(site: Site) -> set[tuple[str, str]]:
    """All routes of pages and API."""
    found = {
        (method, route.path)
        for route in site.app.routes
        for method in (getattr(route, "methods", None) or ())
        if method != "HEAD"
    }
    paths = site.client.get("/api/v1/openapi.json").json()["paths"]
    return found | {(method.upper(), f"/api/v1{path}") for path, methods in paths.items() for method in methods}


def test_each_route_reaches_a_person_in_the_matrix_or_nobody(house: House) -> None:
    """A new route needs a decision here: can a person reach another one by it?"""
    assert routes(house.site) == MATRIX.keys() | REACHES_NOBODY
    assert not MATRIX.keys() & REACHES_NOBODY


@pytest.mark.parametrize("sender", ["Ada", "Bob"])
@pytest.mark.parametrize("route", sorted(MATRIX), ids=" ".join)
def test_a_block_keeps_apart_in_both_directions(house: House, route: tuple[str, str], sender: str) -> None:
    other = "Bob" if sender == "Ada" else "Ada"
    before = house.told(other)
    MATRIX[route](house, sender, other, lambda what, of, form: _send(house, route, sender, of, form))
    assert house.told(other) == before, "nobody is called"


def _send(house: House, route: tuple[str, str], sender: str, of: str, form: dict[str, Any]) -> Any:
    """Send a request by a route, and return its status, or what it lists."""
    method, path = route
    filled = re.sub(r"{id}|{table}", of, path)
    if path.startswith("/api/"):
        seat = form.pop("seat", 0)
        body = {"token": of} if path.endswith("/accept") else form
        filled = filled.replace("{seat}", str(seat)).removeprefix("/api/v1")
        answer = house.programs[sender].ask(method, filled, None if method == "GET" else body)
        if method == "GET" and "/quick" not in path:
            found = answer.json()
            if path.endswith("/tables"):
                return [card["id"] for card in found]
            return ["folded" if each["folded"] else "" for each in found["chat"]]
        return answer.status_code
    browser = house.browsers[sender]
    if method == "GET" and path.startswith("/quick"):
        return browser.get(filled).status_code
    if method == "GET":
        return re.findall(r'href="/t/(\w+)"', browser.get(filled).text)
    if path == "/join":
        form = {"token": f"#{of}", "accept": "1"}
    elif path == "/new":
        form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "invite", "invited": form["name"]}
    elif path.endswith("/nudge"):
        form = {"take": form["seat"]}
    elif path.endswith("/vote"):
        form = {**form, "answer": "yes"}
    elif path.endswith("/request"):
        form = {"take": form["seat"], "stamp": form["stamp"], "answer": "yes" if form["admit"] else "no"}
    return browser.post(filled, form).status_code


def test_a_third_person_meets_both(house: House) -> None:
    """The requests above have no other reason to be refused."""
    for name in ("Ada", "Bob"):
        table = house.open_table(name)
        assert table in _send(house, ("GET", "/lobby"), "Cy", "", {})
        assert _send(house, ("POST", "/t/{id}/join"), "Cy", table, {}) == 303
        assert _send(house, ("POST", "/t/{id}/say"), "Cy", table, {"text": "hi"}) == 303
    assert house.told("Ada").count("message") == house.told("Bob").count("message") == 1


def test_blocks_are_listed_and_lifted_and_the_other_isnt_told(house: House) -> None:
    ada, bob = house.browsers["Ada"], house.browsers["Bob"]
    page = ada.get("/blocks").text
    [lift] = re.findall(r'action="(/blocks/\w+/lift)"', page)
    assert "Bob" in page and "Ada" not in bob.get("/blocks").text.partition("<main")[2]
    assert bob.post(lift).status_code == 404
    refusals = {bob.post(f"/t/{house.open_table('Ada')}/join").text for _ in range(1)}
    taken = house.open_table("Cy")
    house.site.call(house.site.tables.table_setup.join, house.room.people["Ada"], taken)
    cy = house.site.browser("Dan").post(f"/t/{taken}/join")
    said = [re.findall(r'<p class="lead">(.*?)</p>', each) for each in (*refusals, cy.text)]
    assert said[0] == said[1], "a refusal reads like a seat that is taken"
    assert ada.post(lift).status_code == 303
    assert bob.post(f"/t/{house.open_table('Ada')}/join").status_code == 303
    own = house.open_table("Ada")
    assert ada.post("/blocks", {"table": own, "seat": "0"}).status_code == 409
    assert ada.post("/blocks", {"table": own, "seat": "1"}).status_code == 404


def test_a_blocked_message_or_nudge_is_refused_like_another_one(house: House) -> None:
    """A message as in a chat for players, and a nudge like the second one of a day."""
    tables, people = house.site.tables, house.room.people

    def refusal(call: Any, *args: Any) -> tuple[Any, ...]:
        with pytest.raises(Refused) as caught:
            house.site.call(call, *args)
        error = caught.value
        return error.code, error.status, error.detail, error.fields, error.retry_after

    for sender, other in (("Ada", "Bob"), ("Bob", "Ada")):
        players_only = house.table("Cy", "+", start=True)
        house.site.call(house.room.play, players_only, "Cy")
        blocked = refusal(tables.chat.say, people[sender], house.public_end(other), "hi")
        assert blocked == refusal(tables.chat.say, people[sender], players_only, "hi")
        table, seat = house.asked(other, sender)
        free, at = house.asked("Cy", sender)
        house.site.call(tables.nudges.nudge, people[sender], free, at)
        blocked = refusal(tables.nudges.nudge, people[sender], table, seat)
        assert blocked == refusal(tables.nudges.nudge, people[sender], free, at)


@pytest.mark.anyio
async def test_blocks_have_a_limit_and_need_a_person(both: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atoll.server.play.blocks.MOST_BLOCKS", 1)
    ada, bob, cy = [await both.person(name) for name in ("Ada", "Bob", "Cy")]
    assert MOST_BLOCKS == 500
    blocks = both.tables.blocks
    for _ in range(2):
        await blocks.add(ada, bob.id)
    with refused("many_blocks"):
        await blocks.add(ada, cy.id)
    with refused("no_person"):
        await blocks.require_reachable(bob, ada.id)
    table = await both.table("atacama", "Cy", "Bob", start=False, visibility="lobby")
    lists = both.tables.table_lists
    assert [[card.id for card in await lists.lobby(who)] for who in (ada, bob, cy, None)] == [[], *[[table]] * 3]
    assert [(each.name, each.guest) for each in await blocks.mine(ada)] == [("Bob", True)]
    await both.delete_account("Bob")
    assert await blocks.mine(ada) == ()
