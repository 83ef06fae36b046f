"""Shares of the chance: fixed before any is shown, shown by all or counted without, and no table waits for ever."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import Clock, NewTable, SeatPlan
from atoll.server.play.record_files import export_game
from atoll.server.table import game_verification
from atoll.server.table.fair_chance import commitment, public_lines, record_digest
from atoll.store import JobRow

from .conftest import DEVICE, GAMES, ME, OPEN, SHARE, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

MINE, YOURS = "aa" * 32, "bb" * 32


async def two(room: Room, **values: Any) -> str:
    """A full table of Ada and Bob that waits for their shares."""
    return await room.table("atacama", "Ada", "Bob", start=False, **values)


async def commit(room: Room, table: str, *seats: int) -> None:
    for seat in seats:
        share, name = ((MINE, "Ada"), (YOURS, "Bob"))[seat]
        await room.tables.table_setup.commit(room.people[name], table, seat, commitment(share))


async def start_job(room: Room, table: str) -> JobRow | None:
    """The job that will start the table, however late."""
    jobs = await room.tables.store.lease_jobs(2**52, 2**52 + 1)
    await room.tables.store.release_jobs()
    return next((job for job in jobs if job.id == f"start:{table}"), None)


async def test_a_game_begins_at_once_when_its_last_seat_becomes_a_bot(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
    await room.tables.table_setup.contribute(ada, table, 0, MINE)
    assert (await room.view("Ada", table)).status == "gathering"
    await room.tables.table_setup.set_seat(ada, table, 1, SeatPlan("bot"))
    assert (await room.view("Ada", table)).status == "running"


async def test_shares_are_fixed_by_all_before_any_is_shown(both: Room) -> None:
    table = await two(both)
    gathering = both.tables.table_setup
    await commit(both, table, 0)
    with refused("shares_open"):
        await gathering.contribute(both.people["Ada"], table, 0, MINE)
    view = await both.view("Bob", table)
    assert (view.showing, view.commitments) == (False, (commitment(MINE), ""))
    assert [seat.committed for seat in view.seats] == [True, False]
    await commit(both, table, 1)
    await both.forget()
    view = await both.view("Bob", table)
    assert (view.showing, view.status, view.commitments) == (True, "gathering", (commitment(MINE), commitment(YOURS)))
    with refused("shares_closed"):
        await gathering.commit(both.people["Ada"], table, 0, commitment(SHARE))
    with refused("other_share"):
        await gathering.contribute(both.people["Ada"], table, 0, SHARE)
    await gathering.contribute(both.people["Ada"], table, 0, MINE)
    assert (await both.tables.history.fairness(None, table)).contributions is None, "shown to nobody before the start"
    await gathering.contribute(both.people["Bob"], table, 1, YOURS)
    view = await both.view("Bob", table)
    assert (view.status, view.showing) == ("running", False)
    fair = await both.tables.history.fairness(None, table)
    assert (fair.contributions, fair.commitments) == ((MINE, YOURS), (commitment(MINE), commitment(YOURS)))
    assert await start_job(both, table) is None


async def test_a_commitment_is_checked_and_given_once(room: Room) -> None:
    table = await two(room)
    ada = room.people["Ada"]
    for bad in ("", "AB" * 32, "ab" * 31, "zz" * 32, "ab" * 32 + "\n"):
        with refused("malformed"):
            await room.tables.table_setup.commit(ada, table, 0, bad)
    with refused("not_yours"):
        await room.tables.table_setup.commit(ada, table, 1, SHARE)
    await commit(room, table, 0)
    await commit(room, table, 0)
    with refused("taken"):
        await room.tables.table_setup.commit(ada, table, 0, commitment(SHARE))
    with refused("sign_in"):
        await room.tables.table_setup.commit(None, table, 0, commitment(SHARE))


async def test_a_share_given_at_once_is_fixed_for_the_others_too(room: Room) -> None:
    """As programs do that don't commit: from then on it can't be changed, so nobody else suffers."""
    table = await two(room)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, MINE)
    assert (await room.view("Bob", table)).commitments == (commitment(MINE), "")
    await commit(room, table, 1)
    assert (await room.view("Bob", table)).showing
    await room.tables.table_setup.contribute(room.people["Bob"], table, 1, YOURS)
    assert (await room.view("Bob", table)).status == "running"


async def test_who_has_committed_to_nothing_can_give_nothing_later(room: Room) -> None:
    """Or the last one could choose."""
    table = await two(room)
    await commit(room, table, 0)
    await room.tables.table_setup.start(room.people["Ada"], table)
    view = await room.view("Bob", table)
    assert view.showing and "contribute" not in view.can and "contribute" in (await room.view("Ada", table)).can
    with refused("shares_closed"):
        await room.tables.table_setup.contribute(room.people["Bob"], table, 1, YOURS)
    with refused("shares_closed"):
        await room.tables.table_setup.commit(room.people["Bob"], table, 1, commitment(YOURS))
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, MINE)
    assert (await room.tables.history.fairness(None, table)).contributions == (MINE, "")


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (None, 600),
        (Clock(bank_s=900, increment_s=15, cap_s=900), 900),
        (Clock(bank_s=7 * 86_400, increment_s=86_400, cap_s=14 * 86_400), 86_400),
    ],
)
async def test_a_closed_browser_is_waited_for_but_not_for_ever(
    room: Room, clock: Clock | None, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    monkeypatch.setattr("atoll.server.domain.wall_clock.now_ms", time)
    table = await two(room, clock=clock)
    job = await start_job(room, table)
    assert job is not None and job.due == time() + 15_000
    await commit(room, table, 0, 1)
    time.passes(3)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, MINE)
    job = await start_job(room, table)
    assert job is not None and job.due == time() - 3000 + 1000 * seconds
    await room.tables.table_setup.start_due(table)
    fair = await room.tables.history.fairness(None, table)
    assert (await room.view("Ada", table)).status == "running"
    assert (fair.contributions, fair.commitments) == ((MINE, ""), (commitment(MINE), commitment(YOURS)))


async def test_a_table_starts_by_itself_without_the_share_of_a_closed_browser(sqlite_url: str) -> None:
    async with opened(sqlite_url, start_after_s=0.05, show_after_s=0.05) as room:
        task = asyncio.create_task(room.scheduler.run())
        table = await two(room)
        await commit(room, table, 0)
        await room.until(table, lambda view: view.status == "running")
        fair = await room.tables.history.fairness(None, table)
        assert (fair.contributions, fair.commitments) == (("", ""), (commitment(MINE), ""))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_anybody_seated_may_begin_without_the_shares_that_lack(room: Room) -> None:
    table = await two(room)
    await commit(room, table, 0, 1)
    await room.tables.table_setup.contribute(room.people["Bob"], table, 1, YOURS)
    assert "start" in (await room.view("Bob", table)).can
    await room.tables.table_setup.start(room.people["Bob"], table)
    assert (await room.tables.history.fairness(None, table)).contributions == ("", YOURS)


async def test_who_leaves_a_start_makes_all_give_new_shares(room: Room) -> None:
    """A share that was shown is known to the server before the next one is fixed."""
    table = await two(room)
    await commit(room, table, 0, 1)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, MINE)
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    view = await room.view("Ada", table)
    assert (view.showing, view.commitments) == (False, ("", ""))
    assert not any(seat.contributed or seat.committed for seat in view.seats)
    await room.tables.table_setup.join(await room.person("Cy"), table)
    await room.tables.table_setup.commit(room.people["Ada"], table, 0, commitment(SHARE))
    await room.tables.table_setup.commit(room.people["Cy"], table, 1, commitment(YOURS))
    await room.tables.table_setup.contribute(room.people["Cy"], table, 1, YOURS)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, SHARE)
    assert (await room.tables.history.fairness(None, table)).contributions == (SHARE, YOURS)


async def test_a_seat_that_is_opened_again_makes_all_give_new_shares(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.create(
        ada, NewTable("atacama", (ME, SeatPlan("bot"), DEVICE, SeatPlan("bot")))
    )
    await room.tables.table_setup.commit(ada, table, 0, commitment(MINE))
    await room.tables.table_setup.commit(ada, table, 2, commitment(YOURS))
    assert (await room.view("Ada", table)).showing
    await room.tables.table_setup.set_seat(ada, table, 1, OPEN)
    view = await room.view("Ada", table)
    assert (view.showing, view.commitments) == (False, ("",) * 4)


async def test_the_commitment_and_secrets_stay_where_they_belong(room: Room) -> None:
    table = await two(room)
    await commit(room, table, 0, 1)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, MINE)
    seen = [await room.view(name, table) for name in ("Bob", "Ada", None)]
    seen.append(await room.tables.history.fairness(room.people["Bob"], table))  # type: ignore[arg-type]
    assert MINE not in str(seen)


# -- the public record ---------------------------------------------------------------------------------------------


async def test_the_public_record_grows_line_by_line_and_shows_nothing_hidden(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    heard: list[str] = []
    while (await room.view("Ada", table)).status == "running":
        found = await room.tables.history.record(None, table, len(heard))
        assert (found.table, found.first) == (table, len(heard))
        heard += found.lines
        if len(heard) % 3 == 0:
            await room.forget()
        await room.play(table, "Ada", "Bob", most=1, seed=len(heard))
        exported = await room.tables.history.export(None, table)
        if exported["status"] == "running":
            known = {each["choice"] for each in exported["record"] if each["choice"] is not None}
            told = {line.removeprefix("p0 ").removeprefix("p1 ") for line in heard} - {"?"}
            assert told <= known
    heard += (await room.tables.history.record(None, table, len(heard))).lines
    _, answers = await room.tables.history.proof(None, table)
    assert heard == public_lines((each.seat, each.choice if each.public else None) for each in answers)
    assert "?" in heard and (await room.tables.history.record(None, table, 10_000)).lines == ()
    again = await room.tables.history.record(None, table)
    assert record_digest(table, again.lines) == record_digest(table, heard)


# -- whole games, verified -----------------------------------------------------------------------------------------


def states(found: list[game_verification.Finding]) -> dict[str, str]:
    return {each.key: each.state for each in found}


async def saved(room: Room, table: str) -> str:
    return msgspec.json.encode(await room.tables.history.export(room.people["Ada"], table)).decode()


@pytest.mark.parametrize("game", ["atacama", "toy"])
async def test_a_table_saves_all_that_is_needed_to_verify_it(room: Room, game: str) -> None:
    table = await room.table(game, "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    found = states(game_verification.verify(game_verification.read(GAMES, await saved(room, table))))
    assert set(found.values()) == {"right"}
    assert found.keys() == {"rules_right", "seed_right", "shares_right", "draws_right", "pools_right"}
    record = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    found = states(game_verification.verify(game_verification.read(GAMES, record)))
    assert found == dict.fromkeys(("rules_right", "seed_right", "shares_right", "draws_right"), "right")


async def test_a_record_with_one_draw_changed_names_it(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    lines = (await export_game(room.tables.store.url.render_as_string(), table, GAMES)).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("start "))
    due = lines[first]
    lines[first] = "start 1" if due == "start 0" else "start 0"
    found = game_verification.verify(
        game_verification.read(GAMES, "\n".join(line for line in lines if not line.startswith("= ")))
    )
    wrong = next(each for each in found if each.key == "draws_due")
    assert wrong.fields == {"number": 1, "kind": "start", "found": lines[first], "due": due}


async def test_a_game_that_went_on_from_a_moment_is_verified_from_there(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    fork = await room.tables.history.continue_from(room.people["Ada"], table, 25)
    while (await room.view("Ada", fork)).status == "running":
        await room.tables.bot_turns.play(fork)
        if (await room.view("Ada", fork)).turn is not None:
            await room.play(fork, "Ada", most=1)
    found = states(game_verification.verify(game_verification.read(GAMES, await saved(room, fork))))
    assert {key for key, state in found.items() if state != "right"} == {"shares_none"}
    assert {"rules_right", "draws_right", "pools_right"} <= found.keys()


async def test_a_running_game_gives_no_seed_away(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=5)
    seed = (await room.tables.executor._find(table)).row.seed
    assert seed not in await saved(room, table)
    assert json.loads(await saved(room, table))["fairness"]["seed"] is None
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES, running=True)
    assert seed not in text
    with refused("not_over"):
        await room.tables.verification.table(room.people["Ada"], "1.2.3.4", table)


def test_the_page_verifies_its_own_tables_and_files_from_anywhere(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN), {"setup": "enhanced"}))
    site.call(site.tables.table_setup.join, bob.user, table)
    for seat, (who, share) in enumerate(((ada, MINE), (bob, YOURS))):
        assert who.post(f"/t/{table}/commit", {"seat": seat, "share": commitment(share)}).status_code == 303
    for seat, (who, share) in enumerate(((ada, MINE), (bob, YOURS))):
        assert who.post(f"/t/{table}/contribute", {"seat": seat, "share": share}).status_code == 303
    while (view := site.call(site.tables.table_views.table, ada.user, table)).status == "running":
        who = ada if view.seats[0].to_move else bob
        mine = site.call(site.tables.table_views.table, who.user, table)
        choice = [mine.turn.legal[0]]
        site.call(site.tables.turns.choose, who.user, table, mine.seat, choice, mine.turn.stamp, confirm=True)
    own = bob.post(f"/t/{table}/verify")
    assert own.status_code == 200 and 'id="page-verdict" class="right"' in own.text
    text = bob.get(f"/t/{table}/export").text
    kept = game_verification.BrowserRecord(
        table, "00" * 32, {"1": game_verification.OwnShare(YOURS, given=True, shown=True)}
    )
    guest = site.browser()
    answer = guest.post("/verify", {"game": text, "kept": msgspec.json.encode(kept).decode()})
    assert 'id="page-verdict" class="wrong"' in answer.text
    assert "The seal isn't the one that this browser saw" in answer.text.replace("&#39;", "'")
    assert "share is part of the chance: Bob" in answer.text
    forged = text.replace(MINE, "ee" * 32)
    assert "A share doesn" in guest.post("/verify", {"game": forged}).text
    for bad in ("", "x", "{}", '{"format": "atoll-export-1"}'):
        answer = guest.post("/verify", {"game": bad})
        assert answer.status_code == 422 and 'role="alert"' in answer.text
    large = guest.post("/verify", {"game": " " * (5 << 20)})
    assert large.status_code == 413
