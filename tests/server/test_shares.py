"""The preparation of a table's chance: offers, seals, terms, shares, breaks, backups."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import ChanceState, Clock, NewTable, SeatPlan
from atoll.server.play.record_files import export_game
from atoll.server.play.restoring import restore_in_place
from atoll.server.table import game_verification
from atoll.server.table.chance_protocol import offer_digest, seal_of, share_of, start_digest, terms_digest
from atoll.store import JobRow
from atoll.testing.shares import SECRET, give_seals, give_shares

from .conftest import DEVICE, GAMES, ME, OPEN, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

SLOW = Clock(bank_s=7 * 86_400, increment_s=86_400, cap_s=14 * 86_400)


async def two(room: Room, **values: Any) -> str:
    """A full table of Ada and Bob that waits for their seals."""
    return await room.table("atacama", "Ada", "Bob", start=False, **values)


async def chance(room: Room, table: str) -> ChanceState:
    found = (await room.view(None, table)).chance
    assert found is not None
    return found


def terms_of(state: ChanceState) -> str:
    assert state.terms is not None
    return terms_digest(offer_digest(state.offer), state.terms, state.seals)


async def start_job(room: Room, table: str) -> JobRow | None:
    """The job that will start the table, however late."""
    jobs = await room.tables.store.lease_jobs(2**52, 2**52 + 1)
    await room.tables.store.release_jobs()
    return next((job for job in jobs if job.id == f"start:{table}"), None)


async def test_the_list_of_seals_is_closed_before_any_share_is_shown(both: Room) -> None:
    table, setup = await two(both), both.tables.table_setup
    ada, bob = both.people["Ada"], both.people["Bob"]
    offer = offer_digest((await chance(both, table)).offer)
    mine = share_of(SECRET, offer, 0)
    with refused("seals_open"):
        await setup.show(ada, table, 0, "ab" * 32, mine)
    await give_seals(both.tables, table, 0)
    await give_seals(both.tables, table, 0)
    state = await chance(both, table)
    assert (state.terms, state.missing, state.seals) == (None, (1,), (seal_of(offer, 0, mine), ""))
    await give_seals(both.tables, table, 1)
    await both.forget()
    state = await chance(both, table)
    assert state.terms is not None and state.missing == (0, 1) and state.names[0] is not None
    assert state.terms.seats[0].startswith("person ") and state.names[0].name == "Ada"
    terms = terms_of(state)
    with refused("seals_closed"):
        await setup.seal(ada, table, 0, offer, "ab" * 32)
    with refused("other_terms"):
        await setup.show(ada, table, 0, "ab" * 32, mine)
    with refused("other_share"):
        await setup.show(ada, table, 0, terms, "ab" * 32)
    await setup.show(ada, table, 0, terms, mine)
    await setup.show(ada, table, 0, terms, mine)
    for name in ("Bob", "Ada", None):
        assert mine not in str(await both.view(name, table)), "shown to nobody before the start"
    assert (await both.tables.history.fairness(ada, table)).shares is None
    yours = share_of(SECRET, offer, 1)
    await setup.show(bob, table, 1, terms, yours)
    await setup.show(bob, table, 1, terms, yours)
    view = await both.view("Bob", table)
    assert (view.status, view.chance, view.chance_table) == ("running", None, table)
    fair = await both.tables.history.fairness(None, table)
    assert (fair.shares, fair.seals, fair.terms, fair.seed) == ((mine, yours), state.seals, state.terms, None)
    assert await start_job(both, table) is None


async def test_a_seal_is_given_to_the_current_offer_once_and_by_its_player(room: Room) -> None:
    table, setup = await two(room), room.tables.table_setup
    ada = room.people["Ada"]
    offer = offer_digest((await chance(room, table)).offer)
    for bad in ("", "AB" * 32, "ab" * 31, "zz" * 32, "ab" * 32 + "\n"):
        with refused("malformed"):
            await setup.seal(ada, table, 0, offer, bad)
    with refused("not_yours"):
        await setup.seal(ada, table, 1, offer, "ab" * 32)
    with refused("sign_in"):
        await setup.seal(None, table, 0, offer, "ab" * 32)
    with refused("other_offer"):
        await setup.seal(ada, table, 0, "cd" * 32, "ab" * 32)
    await setup.seal(ada, table, 0, offer, "ab" * 32)
    with refused("taken"):
        await setup.seal(ada, table, 0, offer, "cd" * 32)
    with refused("malformed"):
        await setup.show(ada, table, 0, "ab" * 32, "x")


async def test_a_seat_without_a_seal_gives_nothing_and_further_seats_of_a_person_neither(room: Room) -> None:
    ada = await room.person("Ada")
    plans = (ME, OPEN, DEVICE, SeatPlan("bot"))
    table = await room.tables.table_setup.create(ada, NewTable("atacama", plans))
    await room.tables.table_setup.join(await room.person("Bob"), table)
    assert (await chance(room, table)).missing == (0, 1)
    offer = offer_digest((await chance(room, table)).offer)
    with refused("no_share"):
        await room.tables.table_setup.seal(ada, table, 2, offer, "ab" * 32)
    await give_seals(room.tables, table, 0)
    await room.tables.table_setup.start(ada, table)
    state = await chance(room, table)
    assert state.terms is not None and state.terms.seats[2:] == ("same 0", "bot expert")
    assert state.missing == (0,) and state.seals[1:] == ("", "", "")
    with refused("no_share"):
        await room.tables.table_setup.show(room.people["Bob"], table, 1, terms_of(state), "ab" * 32)
    await give_shares(room.tables, table, 0)
    fair = await room.tables.history.fairness(None, table)
    assert fair.shares is not None and fair.shares[0] and fair.shares[1:] == ("", "", "")


@pytest.mark.parametrize(
    ("clock", "first", "seconds"),
    [
        (None, 15, 600),
        (Clock(bank_s=900, increment_s=15, cap_s=900), 15, 600),
        (SLOW, 7 * 86_400, 7 * 86_400),
    ],
)
async def test_a_missing_share_breaks_the_start_off_and_a_new_round_follows(
    room: Room, clock: Clock | None, first: int, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    monkeypatch.setattr("atoll.server.domain.wall_clock.now_ms", time)
    table = await two(room, clock=clock)
    job = await start_job(room, table)
    assert job is not None and job.due == time() + 1000 * first
    await give_seals(room.tables, table)
    before = await chance(room, table)
    await give_shares(room.tables, table, 0)
    job = await start_job(room, table)
    assert job is not None and job.due == time() + 1000 * seconds
    time.passes(seconds - 1)
    await room.tables.table_setup.start_due(table)
    assert await chance(room, table) == msgspec.structs.replace(before, missing=(1,)), "a job that was leased before"
    again = await start_job(room, table)
    assert again is not None and again.due == job.due
    time.passes(1)
    await room.tables.table_setup.start_due(table)
    state = await chance(room, table)
    assert (state.offer.round, state.terms, state.seals, state.missing) == (2, None, ("", ""), (0,))
    assert state.offer.seed != before.offer.seed
    job = await start_job(room, table)
    assert job is not None and job.due == time() + 1000 * seconds, "nobody has just sat down"
    [line] = [each for each in (await room.view("Ada", table)).log if each.key.startswith("start_")]
    assert (line.key, line.fields) == ("start_unshown", {"seat": 1, "name": "Bob"})
    with refused("no_share"):
        offer = offer_digest(state.offer)
        await room.tables.table_setup.seal(room.people["Bob"], table, 1, offer, "ab" * 32)
    await give_shares(room.tables, table)
    fair = await room.tables.history.fairness(None, table)
    assert (await room.view("Ada", table)).status == "running"
    assert fair.shares is not None and [bool(each) for each in fair.shares] == [True, False]
    [broken] = fair.rounds
    assert (broken.number, broken.terms, broken.reason, broken.seats) == (1, terms_of(before), "unshown", (1,))


async def test_anybody_seated_says_to_wait_no_longer_once_browsers_had_time(room: Room, clock: Time) -> None:
    table = await two(room)
    await give_seals(room.tables, table)
    clock.passes(14)
    with refused("shares_awaited"):
        await room.tables.table_setup.start(room.people["Bob"], table)
    assert (await chance(room, table)).offer.round == 1
    clock.passes(1)
    assert "start" in (await room.view("Bob", table)).can
    await room.tables.table_setup.start(room.people["Bob"], table)
    assert (await room.view("Ada", table)).status == "running", "in the next round neither is waited for"
    fair = await room.tables.history.fairness(None, table)
    assert (fair.shares, len(fair.rounds)) == (("", ""), 1)


async def test_at_a_correspondence_table_nobody_gives_up_the_share_of_another(room: Room, clock: Time) -> None:
    table, setup = await two(room, clock=SLOW), room.tables.table_setup
    ada, bob = room.people["Ada"], room.people["Bob"]
    await give_seals(room.tables, table, 0)
    clock.passes(86_400)
    assert "start" not in (await room.view("Ada", table)).can
    with refused("others_awaited"):
        await setup.start(ada, table)
    assert "start" in (await room.view("Bob", table)).can
    await setup.start(bob, table)
    state = await chance(room, table)
    assert state.terms is not None and state.missing == (0,) and state.seals[1] == ""
    with refused("others_awaited"):
        await setup.start(bob, table)
    await setup.start(ada, table)  # her browser has lost its secret
    assert (await room.view("Ada", table)).status == "running"
    [broken] = (await room.tables.history.fairness(None, table)).rounds
    assert (broken.reason, broken.seats) == ("unshown", (0,))


async def test_a_second_press_leaves_the_round_alone_that_the_first_one_began(room: Room, clock: Time) -> None:
    table, bob = await two(room), room.people["Bob"]
    await give_seals(room.tables, table)
    await give_shares(room.tables, table, 0)
    clock.passes(16)
    await room.tables.table_setup.start(bob, table)
    with refused("seals_awaited"):
        await room.tables.table_setup.start(bob, table)
    await room.forget()
    with refused("seals_awaited"):
        await room.tables.table_setup.start(bob, table)
    state = await chance(room, table)
    assert (state.offer.round, state.terms, state.missing) == (2, None, (0,))
    clock.passes(15)
    await room.tables.table_setup.start(bob, table)
    assert (await room.view("Ada", table)).status == "running"


async def test_a_table_starts_by_itself_without_a_closed_browser(sqlite_url: str) -> None:
    async with opened(sqlite_url, start_after_s=0.05, show_after_s=0.05) as room:
        task = asyncio.create_task(room.scheduler.run())
        table = await two(room)
        await give_seals(room.tables, table, 0)
        await room.until(table, lambda view: view.status == "running")
        fair = await room.tables.history.fairness(None, table)
        assert (fair.shares, [each.reason for each in fair.rounds]) == (("", ""), ["unshown"])
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_only_the_seal_of_a_seat_that_changes_hands_goes_until_the_list_is_closed(room: Room) -> None:
    table = await two(room)
    offer = (await chance(room, table)).offer
    await give_seals(room.tables, table, 0)
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    await room.tables.table_setup.join(await room.person("Cy"), table)
    state = await chance(room, table)
    assert (state.offer, bool(state.seals[0]), state.missing) == (offer, True, (1,))
    await give_shares(room.tables, table)
    assert (await room.tables.history.fairness(None, table)).rounds == ()


async def test_who_leaves_a_closed_list_breaks_it_off(room: Room) -> None:
    table = await two(room)
    await give_seals(room.tables, table)
    await give_shares(room.tables, table, 0)
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    state = await chance(room, table)
    assert (state.offer.round, state.terms, state.missing) == (2, None, (0,))
    await room.tables.table_setup.set_seat(room.people["Ada"], table, 1, SeatPlan("bot"))
    await give_shares(room.tables, table)
    fair = await room.tables.history.fairness(None, table)
    assert [(each.reason, each.seats) for each in fair.rounds] == [("left", (1,))]


async def test_a_bot_that_is_replaced_in_a_closed_list_breaks_it_off(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, SeatPlan("bot"))))
    await give_seals(room.tables, table)
    await room.tables.table_setup.set_seat(ada, table, 1, OPEN)
    view = await room.view("Ada", table)
    assert view.chance is not None and view.chance.offer.round == 2
    assert "start_seat" in [each.key for each in view.log]


async def test_new_rules_break_a_closed_list_off(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await two(room)
    await give_seals(room.tables, table)
    monkeypatch.setattr(GAMES["atacama"], "rules_version", 99, raising=False)
    await give_shares(room.tables, table)
    state = await chance(room, table)
    assert (state.offer.round, state.terms) == (2, None)


# -- the record ----------------------------------------------------------------------------------------------------


async def test_the_record_grows_line_by_line_and_each_reader_is_told_their_own(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    people = {"Ada": room.people["Ada"], "Bob": room.people["Bob"], "": None}
    heard: dict[str, list[str]] = {name: [] for name in people}
    while (await room.view("Ada", table)).status == "running":
        for name, who in people.items():
            found = await room.tables.history.record(who, table, len(heard[name]))
            assert (found.table, found.first, len(found.terms)) == (table, len(heard[name]), 64)
            heard[name] += found.lines
        if len(heard[""]) % 3 == 0:
            await room.forget()
        await room.play(table, "Ada", "Bob", most=1, seed=len(heard[""]))
    for name, who in people.items():
        whole = list((await room.tables.history.record(who, table)).lines)
        assert whole[: len(heard[name])] == heard[name]
        assert (await room.tables.history.record(who, table, 10_000)).lines == ()
    assert "?" in heard[""] and "p0 ?" in heard[""] and "p1 ?" in heard[""]
    assert "p0 ?" not in heard["Ada"] and "p1 ?" in heard["Ada"], "one's own secrets are told"


# -- restored databases --------------------------------------------------------------------------------------------


async def test_after_a_backup_starts_begin_anew_and_games_go_on_at_another_table(room: Room) -> None:
    url = room.tables.store.url.render_as_string()
    waiting, open_ = await two(room), await two(room)
    await give_seals(room.tables, waiting)
    running = await room.table("toy", "Ada", "Bob")
    await room.play(running, "Ada", "Bob", most=12)
    over = await room.table("atacama", "Ada", "Bob")
    await room.play(over, "Ada", "Bob")
    offers = [(await chance(room, each)).offer for each in (waiting, open_)]
    before = await room.view("Ada", running)
    ended = await room.tables.history.fairness(None, over)
    await room.forget()
    found = await restore_in_place(url, GAMES)
    assert (found.starts, found.games, found.failed) == (2, 1, [])
    await room.forget()
    for each, offer in zip((waiting, open_), offers, strict=True):
        state = await chance(room, each)
        assert (state.offer.round, state.terms) == (1, None) and state.offer.seed != offer.seed
        assert state.offer.table != offer.table, "a new table of chance: the game may have begun after the backup"
        fair = await room.tables.history.fairness(None, each)
        assert [(broken.table, broken.reason) for broken in fair.rounds] == [(each, "restored")]
    assert await room.tables.history.fairness(None, over) == ended
    view = await room.view("Ada", running)
    assert (view.view_sequence, view.view) == (before.view_sequence, before.view)
    assert view.chance_table not in ("", running) and not any(each.startswith("undo:") for each in view.can)
    assert view.log[-1].key == "set_back"
    assert (await room.tables.history.record(None, running)).lines == (), "a new record"
    await room.play(running, "Ada", "Bob")
    fair = await room.tables.history.fairness(None, running)
    assert fair.offer is not None and fair.offer.table == view.chance_table
    assert [(each.table, each.reason) for each in fair.rounds] == [(running, "set_back")]
    verdict = game_verification.verify(GAMES, await saved(room, running))
    assert (verdict.value, verdict.names) == ("open", ["start", "terms"])
    file = json.loads(await saved(room, running))
    assert fair.terms is not None and fair.terms.start == start_digest(fair.seed or "", file["start"]), "salted"
    file["fairness"]["terms"]["start"] = start_digest("", file["start"])
    assert game_verification.verify(GAMES, json.dumps(file)).value == "wrong"


# -- files ---------------------------------------------------------------------------------------------------------


async def saved(room: Room, table: str) -> str:
    return msgspec.json.encode(await room.tables.history.export(room.people["Ada"], table)).decode()


@pytest.mark.parametrize("game", ["atacama", "toy"])
async def test_a_table_saves_all_that_is_needed_to_judge_it(room: Room, game: str) -> None:
    table = await room.table(game, "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    for file in (await saved(room, table), text):
        found = game_verification.verify(GAMES, file)
        assert (found.value, found.names) == ("open", ["terms"]), "only a player's browser is missing"
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("start "))
    lines[first] = "start 1" if lines[first] == "start 0" else "start 0"
    found = game_verification.verify(GAMES, "\n".join(line for line in lines if not line.startswith("= ")))
    assert found.value == "wrong"


async def test_a_game_that_went_on_from_a_moment_names_its_position(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    fork = await room.tables.history.continue_from(room.people["Ada"], table, 25)
    while (await room.view("Ada", fork)).status == "running":
        await room.tables.bot_turns.play(fork)
        if (await room.view("Ada", fork)).turn is not None:
            await room.play(fork, "Ada", most=1)
    file = json.loads(await saved(room, fork))
    found = game_verification.verify(GAMES, json.dumps(file))
    assert (found.value, found.names) == ("open", ["start", "terms"])
    file["start"]["chances"] += 5
    found = game_verification.verify(GAMES, json.dumps(file))
    assert (found.value, found.names) == ("wrong", ["rules"])


async def test_a_running_game_gives_no_seed_away(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=5)
    seed = (await room.tables.executor._find(table)).row.seed
    file = await saved(room, table)
    assert seed not in file and json.loads(file)["fairness"]["seed"] is None
    url = room.tables.store.url.render_as_string()
    assert seed not in await export_game(url, table, GAMES, running=True)
    with refused("not_over"):
        await room.tables.verification.table(room.people["Ada"], "1.2.3.4", table)


def test_the_page_judges_its_own_tables_and_files_from_anywhere(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN), {"setup": "enhanced"}))
    site.call(site.tables.table_setup.join, bob.user, table)
    for action in ("seal", "share"):
        for seat, who in enumerate((ada, bob)):
            state = site.call(site.tables.table_views.table, None, table).chance
            offer = offer_digest(state.offer)
            share = share_of(SECRET, offer, seat)
            sent = {"offer": offer, "seal": seal_of(offer, seat, share)}
            sent = sent if action == "seal" else {"terms": terms_of(state), "share": share}
            assert who.post(f"/t/{table}/{action}", {"seat": seat, **sent}).status_code == 303
    while (view := site.call(site.tables.table_views.table, ada.user, table)).status == "running":
        who = ada if view.seats[0].to_move else bob
        mine = site.call(site.tables.table_views.table, who.user, table)
        choice = [mine.turn.legal[0]]
        site.call(site.tables.turns.choose, who.user, table, mine.seat, choice, mine.turn.stamp, confirm=True)
    own = bob.post(f"/t/{table}/verify")
    assert own.status_code == 200 and 'id="page-verdict" class="open"' in own.text
    assert "This server judged its own game." in own.text and "Ada, Bob" in own.text
    text = bob.get(f"/t/{table}/export").text
    fair = json.loads(text)["fairness"]
    guest = site.browser()
    other = {"format": "atoll-kept-2", "table": table, "shown": [], "record": None}
    shown = {"offer": "ab" * 32, "terms": "cd" * 32, "seat": 1, "share": fair["shares"][1]}
    answer = guest.post("/verify", {"game": text, "kept": json.dumps([other, other | {"shown": [shown]}])})
    assert 'id="page-verdict" class="wrong"' in answer.text
    assert "showed its share under other terms" in answer.text
    malformed = json.loads(text)
    malformed["fairness"]["names"].pop()
    answer = guest.post("/verify", {"game": json.dumps(malformed)})
    assert answer.status_code == 200 and 'id="page-verdict" class="wrong"' in answer.text
    forged = text.replace(fair["shares"][0], "ee" * 32)
    assert "The share of seat 1 doesn" in guest.post("/verify", {"game": forged}).text
    for bad in ("", "x", "{}", '{"format": "something"}'):
        answer = guest.post("/verify", {"game": bad})
        assert answer.status_code == 422 and 'role="alert"' in answer.text
    older = guest.post("/verify", {"game": '{"format": "atoll-export-1"}'})
    assert "another protocol" in older.text and 'class="open"' in older.text
    large = guest.post("/verify", {"game": " " * (5 << 20)})
    assert large.status_code == 413
