"""Real scripts at a real server: honest games are proven, games of liars aren't."""

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from atoll.cli.chance_keeper import ChanceKeeper
from atoll.server.domain import wall_clock
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.table import chance_rounds, game_verification
from atoll.testing.shares import give_seals
from tests.server.conftest import DEVICE, GAMES, ME, OPEN, Browser, Site, site_at

from .browsers import Data, ScriptedBrowser, Serve, embedded_data, fails, page_data, scripted, served_by

BOT = SeatPlan("bot", bot="beginner")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('chance')}/atoll.db") as found:
        yield found


class Party:
    """People at a table, each with a browser that runs the real scripts."""

    def __init__(self, site: Site, game: str, *plans: SeatPlan, names: tuple[str, ...] = ("Ada",)) -> None:
        self.site = site
        self.people: list[Browser] = [site.browser(name) for name in names]
        self._stack = ExitStack()
        self.scripts: list[ScriptedBrowser] = [self._stack.enter_context(scripted()) for _ in names]
        setup = site.tables.table_setup
        self.table: str = site.call(setup.create, self.people[0].user, NewTable(game, plans))
        for each in self.people[1:]:
            site.call(setup.join, each.user, self.table)

    def __enter__(self) -> "Party":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def data(self, who: int = 0) -> Data:
        return page_data(self.people[who], self.table)

    def serve(self, who: int = 0) -> Serve:
        return served_by(self.people[who])

    def attend(self, who: int = 0, serve: Serve | None = None) -> list[Data]:
        return self.scripts[who].attend(self.data(who), serve or self.serve(who))

    def start(self) -> None:
        for _ in range(3):
            for who in range(len(self.people)):
                self.attend(who)

    def status(self) -> str:
        status: str = self.site.call(self.site.tables.table_views.table, None, self.table).status
        return status

    def play(self, most: int = 10_000) -> None:
        """Play at random; each browser hears the record after every choice."""
        rng = random.Random(2)
        for _ in range(most):
            if self.status() != "running":
                return
            self.site.call(self.site.tables.bot_turns.play, self.table)
            for person in self.people:
                view = self.site.call(self.site.tables.table_views.table, person.user, self.table)
                if view.turn is not None and view.turn.legal:
                    self.site.call(
                        self.site.tables.turns.choose,
                        person.user,
                        self.table,
                        view.seat,
                        [rng.choice(view.turn.legal)],
                        view.turn.stamp,
                        confirm=True,
                    )
                    break
            self.hear()

    def hear(self) -> None:
        for who, scripts in enumerate(self.scripts):
            data = self.data(who)
            scripts.attend(data, self.serve(who))
            scripts.hear(data, self.serve(who))

    def file(self) -> Data:
        found: Data = json.loads(self.people[0].get(f"/t/{self.table}/export").text)
        return found

    def verdict(self, who: int = 0, file: Data | None = None) -> tuple[str, list[str]]:
        """The verdict by the rules; the page must agree."""
        kept, judged = self.scripts[who].kept(self.table), file or self.file()
        found = game_verification.verify(GAMES, json.dumps(judged), game_verification.read_kept(json.dumps(kept)))
        page = self.scripts[who].judge(judged, kept)
        assert page == (("wrong", found.names) if found.value == "wrong" else ("open", ["rules", *found.names]))
        return found.value, found.names


@pytest.mark.parametrize("game", ["atacama", "toy"])
def test_an_honest_game_of_two_is_proven_to_both(site: Site, game: str) -> None:
    """With a reload between seal and share, and after the server has forgotten what it had in memory."""
    with Party(site, game, ME, OPEN, names=("Ada", "Bob")) as party:
        party.attend(0)
        party.attend(1)
        party.scripts[0].reload()
        for live in list(site.tables.executor._live.values()):
            site.tables.executor.evict(live)
        party.start()
        party.play()
        assert party.status() == "over"
        assert party.verdict(0) == ("proven", []) and party.verdict(1) == ("proven", [])


def test_a_page_that_is_closed_after_each_move_has_stored_what_the_move_led_to(site: Site) -> None:
    """The answer to a move brings its lines, and no other request is needed for them."""
    with Party(site, "atacama", ME, BOT) as party:
        party.start()
        ada, scripts = party.people[0], party.scripts[0]
        while party.status() == "running":
            party.site.call(site.tables.bot_turns.play, party.table)
            data = party.data()
            while data["mine"] and not data["over"]:
                heard = scripts.kept(party.table)["record"] or {"lines": 0}
                command = "confirm" if data["confirm"] else "choose"
                choices = "" if data["confirm"] else str(data["question"]["legal"][0][0])
                answer = ada.post(
                    f"/t/{party.table}/{command}",
                    {"seat": "0", "stamp": data["stamp"], "choices": choices},
                    headers={"x-fragments": "", "x-heard": str(heard["lines"])},
                )
                data = embedded_data(answer.text)
                scripts.attend(data, fails)
                told = data["record"]
                assert scripts.kept(party.table)["record"]["lines"] == told["first"] + len(told["lines"])
            scripts.reload()
        party.hear()
        assert party.verdict() == ("proven", [])


def test_alone_against_bots_one_s_own_share_proves_it(site: Site) -> None:
    with Party(site, "atacama", ME, BOT) as party:
        party.start()
        party.play()
        assert party.verdict() == ("proven", [])


def test_several_seats_at_a_device_are_proven_with_one_share(site: Site) -> None:
    with Party(site, "toy", ME, DEVICE) as party:
        party.start()
        assert [each["url"].rpartition("/")[2] for each in party.scripts[0].sent] == ["seal", "share"]
        party.play()
        assert party.verdict() == ("proven", [])


def test_an_answer_that_is_lost_changes_nothing(site: Site) -> None:
    def loses(request: Data) -> tuple[int, str]:
        party.serve()(request)
        return 500, "{}"

    with Party(site, "atacama", ME, BOT) as party:
        party.attend(0, loses)
        party.attend(0, loses)
        party.start()
        party.play()
        assert party.verdict() == ("proven", [])


def test_a_start_that_was_broken_off_is_named(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with Party(site, "atacama", ME, OPEN, names=("Ada", "Bob")) as party:
        party.attend(0)
        party.attend(1)
        party.attend(0)
        later = wall_clock.now_ms() + 15_000
        monkeypatch.setattr(wall_clock, "now_ms", lambda: later)
        site.call(site.tables.table_setup.start, party.people[0].user, party.table)
        page = party.people[0].get(f"/t/{party.table}").text
        assert "The start was canceled: <bdi>Bob</bdi>" in page or "The start was canceled: " in page
        party.start()
        party.play()
        assert party.verdict(0) == ("open", ["starts"]) and party.verdict(1) == ("open", ["terms"])


def test_another_device_and_a_late_one_are_named(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with Party(site, "atacama", ME, BOT) as party:
        site.call(give_seals, site.tables, party.table)
        assert party.attend() == [], "another device has sealed"
        later = wall_clock.now_ms() + 15_000
        monkeypatch.setattr(wall_clock, "now_ms", lambda: later)
        site.call(site.tables.table_setup.start, party.people[0].user, party.table)
        party.play()
        assert party.verdict() == ("open", ["terms"])


def test_a_page_that_is_opened_after_the_end_hears_the_rest(site: Site) -> None:
    with Party(site, "atacama", ME, BOT) as party:
        party.start()
        party.play(4)
        heard, party.scripts = party.scripts, []
        party.play()
        party.scripts = heard
        party.scripts[0].reload()
        party.hear()
        assert party.verdict() == ("open", ["record"])


def test_the_server_that_takes_a_share_and_says_that_it_failed_gains_nothing(site: Site) -> None:
    """The share oracle: it has Ada's share, breaks off, and offers again."""
    stolen: list[Data] = []

    def steals(request: Data) -> tuple[int, str]:
        if request["url"].endswith("/share"):
            stolen.append(request["fields"])
            return 500, "{}"
        return party.serve()(request)

    async def breaks_off() -> None:
        executor = site.tables.executor
        async with executor.locked(party.table) as live:
            chance_rounds.break_off(live, wall_clock.now_ms(), "unshown", (1,))
            await executor._write(live)

    with Party(site, "atacama", ME, OPEN, names=("Ada", "Bob")) as party:
        for _ in range(3):
            party.attend(1)
            for _ in range(2):
                party.attend(0, steals)
            site.call(breaks_off)
        party.start()
        party.play()
        assert len({each["share"] for each in stolen}) == 3, "each offer gets another share"
        assert party.verdict() == ("open", ["starts"])


def test_a_program_does_a_seats_part_for_somebody_who_plays_in_a_browser(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Party(site, "atacama", ME, BOT) as party:
        ada = party.people[0].user
        assert ada is not None
        token = site.call(site.tables.users.sign_in, ada.id, kind="api").token
        said: list[str] = []
        url = f"http://127.0.0.1/t/{party.table}"
        keeper = ChanceKeeper(url, token, tmp_path / "kept.json", said.append, site.client)
        view: Data = {}
        for _ in range(2):
            site.client.cookies.clear()
            view = keeper._ask("GET", "")
            keeper.give(view)
        rng = random.Random(2)
        while party.status() == "running":
            site.call(site.tables.bot_turns.play, party.table)
            turn = site.call(site.tables.table_views.table, ada, party.table).turn
            if turn is not None and turn.legal:
                chosen = [rng.choice(turn.legal)]
                site.call(site.tables.turns.choose, ada, party.table, 0, chosen, turn.stamp, confirm=True)
            keeper.hear(party.table, over=party.status() == "over")
        requests = site.client.request
        failures: Iterator[httpx2.ConnectError | httpx2.Response] = iter(
            [httpx2.ConnectError("no route"), httpx2.Response(503)]
        )

        def unsteady(method: str, url: str, **values: Any) -> httpx2.Response:
            failure = next(failures, None)
            if isinstance(failure, Exception):
                raise failure
            if failure is not None:
                failure.request = httpx2.Request(method, f"http://127.0.0.1{url}")
                return failure
            return requests(method, url, **values)

        monkeypatch.setattr(site.client, "request", unsteady)
        monkeypatch.setattr("atoll.cli.chance_keeper._WAIT_S", 0)
        kept = keeper.run().read_text("utf-8")
        assert [each.partition(",")[0] for each in said[1:]] == ["the server can't be reached", "the server is busy"]
        assert json.loads(kept)["shown"][0]["share"]
        sent = list(said)
        keeper.give(view)
        assert said == [*sent, said[0]], "the same share under the terms that were heard"
        view["chance"]["seals"].reverse()
        keeper.give(view)
        assert len(said) == len(sent) + 1, "no share under others"
        found = game_verification.verify(GAMES, json.dumps(party.file()), game_verification.read_kept(kept))
        assert (found.value, found.names) == ("proven", [])


def test_a_program_that_was_away_until_the_end_heard_nothing_live(site: Site, tmp_path: Path) -> None:
    with Party(site, "atacama", ME, BOT) as party:
        ada = party.people[0].user
        assert ada is not None
        token = site.call(site.tables.users.sign_in, ada.id, kind="api").token
        url = f"http://127.0.0.1/t/{party.table}"

        def keeper() -> ChanceKeeper:
            site.client.cookies.clear()
            return ChanceKeeper(url, token, tmp_path / "kept.json", lambda _: None, site.client)

        first = keeper()
        while party.status() == "gathering":
            first._follow()
        first._follow()
        party.scripts = []
        party.play()
        site.client.cookies.clear()
        kept = keeper().run().read_text("utf-8")
        found = game_verification.verify(GAMES, json.dumps(party.file()), game_verification.read_kept(kept))
        assert (found.value, found.names) == ("open", ["record"])


def test_changed_files_of_a_real_game_are_never_proven(site: Site) -> None:
    """Attacks on the former protocol, in files of a real game."""
    with Party(site, "toy", ME, OPEN, names=("Ada", "Bob")) as party:
        party.start()
        party.play()
        file = party.file()

        def lie(change: Any) -> tuple[str, list[str]]:
            changed = json.loads(json.dumps(file))
            change(changed["fairness"])
            kept = party.scripts[0].kept(party.table)
            found = game_verification.verify(GAMES, json.dumps(changed), game_verification.read_kept(json.dumps(kept)))
            return found.value, found.names

        assert lie(lambda fair: fair["shares"].__setitem__(1, "")) == ("wrong", ["seals"])
        assert lie(lambda fair: (fair["shares"].__setitem__(1, ""), fair["seals"].__setitem__(1, "")))[0] == "wrong"
        assert lie(lambda fair: fair["terms"].update(start="ab" * 32))[0] == "wrong"
        assert lie(lambda fair: fair["terms"]["seats"].__setitem__(1, "bot beginner")) == ("wrong", ["form"])
        assert lie(lambda fair: fair["terms"]["options"].update(rounds=2))[0] == "wrong"
        assert lie(lambda fair: fair["offer"].update(round=2)) == ("wrong", ["seed"])
        assert lie(lambda fair: fair.update(draws=[])) == ("proven", []), "a list for display"
