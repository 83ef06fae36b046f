"""Take-backs with everybody's consent: the state after them, the rights, and the checks for all."""

import contextlib
import json
import random
from collections.abc import AsyncIterator, Sequence

import anyio.to_thread
import msgspec
import pytest

import atoll
from atoll.engine import CHANCE
from atoll.engine import record as records
from atoll.server.domain.model import Clock, Refused
from atoll.server.play.record_files import export_game
from atoll.server.play.scheduler import Scheduler
from atoll.server.table import game_verification
from atoll.server.table.chance_protocol import head_of
from atoll.server.table.chance_verdict import Heard, Kept
from tests.server.conftest import GAMES, Room, Time, opened, refused, site_at
from tests.toy import GAME as TOY

pytestmark = pytest.mark.anyio

NAMES = ("Ada", "Bob")
SEATED = dict.fromkeys(("atacama", "toy", "wutaki", "atua", "atlandice"), NAMES) | {"raiatea": ("Ada", "Bob", "Cy")}
HOUR = 3600


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A service with all games."""
    async with opened(sqlite_url, {**GAMES, **atoll.games}) as found:
        yield found


async def turn(room: Room, table: str, names: Sequence[str], rng: random.Random) -> bool:
    """Somebody's next answer at random, confirmed as early as can be; whether anybody was asked."""
    for name in names:
        view = await room.view(name, table)
        while view.turn is not None and (view.turn.legal or view.turn.can_confirm):
            assert view.seat is not None
            who, stamp = room.people[name], view.turn.stamp
            if view.turn.can_confirm:
                await room.tables.turns.confirm(who, table, view.seat, stamp)
                return True
            chosen = [rng.choice(view.turn.legal)]
            with contextlib.suppress(Refused):  # a set isn't whole yet
                await room.tables.turns.choose(who, table, view.seat, chosen, stamp, confirm=True)
                return True
            await room.tables.turns.choose(who, table, view.seat, chosen, stamp, confirm=False)
            view = await room.view(name, table)
    return False


async def settled(room: Room, table: str, *names: str) -> tuple[str, int, int]:
    """Play random turns until a player can't take back the last answer.

    Returns:
        The player, the seat, and the moment before the answer.
    """
    rng, before = random.Random(3), 0
    while await turn(room, table, names, rng):
        for name in names:
            view = await room.view(name, table)
            if view.settled:
                assert view.seat is not None and not any(each.startswith("undo:") for each in view.can)
                return name, view.seat, before
            before = view.view_sequence
    raise AssertionError("everything can be taken back")


async def asks(room: Room, table: str, *names: str) -> tuple[str, int, str]:
    """Play random turns until a player can take back the last answer.

    Returns:
        The player, the seat, and the vote's subject.
    """
    found = await asks_in(room, table, *names)
    assert found is not None, "nothing can ever be taken back"
    return found


async def asks_in(room: Room, table: str, *names: str) -> tuple[str, int, str] | None:
    """As `asks`, or None for a game that ends before."""
    rng = random.Random(3)
    while await turn(room, table, names, rng):
        for name in names:
            view = await room.view(name, table)
            for each in view.can:
                if each.startswith("undo:") and view.turn is None:
                    assert view.seat is not None
                    return name, view.seat, each
    return None


async def vote(room: Room, name: str, table: str, subject: str, yes: bool = True) -> None:
    seat = (await room.view(name, table)).seat
    assert seat is not None
    await room.tables.votes.vote(room.people[name], table, seat, subject, yes)


def other(name: str) -> str:
    return "Bob" if name == "Ada" else "Ada"


@pytest.mark.parametrize("game", SEATED)
async def test_when_all_agree_the_game_stands_where_it_did(room: Room, game: str) -> None:
    names = SEATED[game]
    found, table = None, ""
    while found is None:  # in some games of Atua each card shows the next one
        table = await room.table(game, *names)
        found = await asks_in(room, table, *names)
    name, seat, subject = found
    moment = int(subject.split(":")[2])
    others = [each for each in names if each != name]
    before = [await room.tables.history.moment(room.people[each], table, moment) for each in names]
    await vote(room, name, table, subject)
    for number, each in enumerate(others):
        view = await room.view(each, table)
        [open_] = view.votes
        assert open_.subject == subject and seat in open_.given and len(open_.given) == number + 1
        told = [entry.key for entry in view.log if entry.sequence > moment and entry.origin == "game"]
        assert [entry.key for entry in open_.taken] == told
        await vote(room, each, table, subject)
    for each, past in zip(names, before, strict=True):
        view = await room.view(each, table)
        assert view.view_sequence == moment and view.view == past.view and not view.votes
        assert all(entry.undone == (entry.sequence > moment) for entry in view.log if entry.origin == "game")
        assert view.log[-1].key == "undone"
    mover = await room.view(name, table)
    assert mover.turn is not None and mover.turn.legal and not any(each.startswith("undo:") for each in mover.can)
    acts = await room.tables.history.acts(None, table, since=-1)
    assert acts.acts[-1].end == moment and not any(entry.undone for act in acts.acts for entry in act.log)


@pytest.mark.parametrize("game", ["raiatea", "wutaki", "atua", "toy"])
async def test_nothing_goes_back_across_chance(room: Room, game: str) -> None:
    names = SEATED[game]
    table = await room.table(game, *names)
    rng = random.Random(5)
    offered = refused_ = 0
    for _ in range(40):
        if not await turn(room, table, names, rng):
            break
        async with room.tables.executor.locked(table) as live:
            steps = list(await room.tables.history.steps(live))
        for name in names:
            found = [each for each in (await room.view(name, table)).can if each.startswith("undo:")]
            offered += len(found)
            refused_ += not found
            assert all(who != CHANCE for at, who in steps for each in found if at >= int(each.split(":")[2]))
    assert offered and refused_


async def test_undone_games_are_replayed_verified_and_as_browsers_heard_them(room: Room) -> None:
    table = await room.table("atacama", *NAMES, options={"setup": "enhanced"})
    for _ in range(3):
        name, _, subject = await asks(room, table, *NAMES)
        await room.tables.history.record(None, table)
        for each in (name, other(name)):
            await vote(room, each, table, subject)
        await room.play(table, *NAMES, most=3)
    heard = list((await room.tables.history.record(None, table)).lines)
    assert sum(line.startswith("undo ") for line in heard) == 3
    async with room.tables.executor.locked(table) as live:
        room.tables.executor.evict(live)
    assert list((await room.tables.history.record(None, table)).lines) == heard, "read anew it is the same"
    await room.play(table, *NAMES)
    lines = list((await room.tables.history.record(None, table)).lines)
    assert lines[: len(heard)] == heard
    saved = await room.tables.history.export(None, table)
    terms = (await room.tables.history.record(None, table)).terms
    heard_all = Heard(terms, len(lines), len(lines), head_of(terms, lines), ())
    kept = Kept("atoll-kept-2", table, (), heard_all)
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    assert records.check(GAMES["atacama"], text) is None
    for file in (json.dumps(saved), text):
        found = game_verification.verify(GAMES, file, [kept])
        assert (found.value, found.names) == ("open", ["terms"]), found
        forged = msgspec.structs.replace(kept, record=msgspec.structs.replace(heard_all, head="00" * 32))
        assert game_verification.verify(GAMES, file, [forged]).names == ["record"]


@pytest.mark.parametrize("change", ["length", "sequence", "choice", "chance"])
async def test_a_file_that_lies_about_what_was_taken_back_is_found(room: Room, change: str) -> None:
    table = await room.table("atacama", *NAMES)
    name, _, subject = await asks(room, table, *NAMES)
    for each in (name, other(name)):
        await vote(room, each, table, subject)
    await room.play(table, *NAMES)
    saved = await room.tables.history.export(None, table)
    [undone] = saved["undone"]
    if change == "choice":
        undone["record"][0]["choice"] = "nonsense"
    elif change == "chance":
        undone["record"].append({"seat": None, "choice": "die 3"})
    else:
        undone[change] += 1000
    found = game_verification.verify(GAMES, json.dumps(saved))
    assert (found.value, found.names) == ("wrong", ["back"])


async def test_who_may_ask_agree_and_refuse(room: Room) -> None:
    table = await room.table("atacama", *NAMES)
    name, seat, subject = await asks(room, table, *NAMES)
    me, you = room.people[name], room.people[other(name)]
    stranger = await room.person("Eve")
    for who, own in ((stranger, seat), (you, seat)):
        with refused("not_yours"):
            await room.tables.votes.vote(who, table, own, subject, True)
    with refused("not_yours"):
        await vote(room, other(name), table, subject)  # only who has answered asks
    for wrong, code in ((f"undo:{seat}:0", "stale"), ("undo:9:1", "bad_seats"), ("undo:x:1", "malformed")):
        with refused(code):
            await room.tables.votes.vote(me, table, seat, wrong, True)
    with refused("nothing"):
        await vote(room, other(name), table, subject, False)
    for _ in range(2):
        await vote(room, name, table, subject)
    keys = [each.key for each in (await room.view(name, table)).log]
    assert keys.count("undo_asked") == 1
    await vote(room, name, table, subject, False)
    view = await room.view(name, table)
    assert subject in view.can and view.log[-1].key == "vote_withdrawn", "who withdraws may ask again"
    await vote(room, name, table, subject)
    await vote(room, other(name), table, subject, False)
    view = await room.view(name, table)
    assert not view.votes and view.log[-1].key == "undo_refused" and subject not in view.can
    with refused("no_undo"):
        await vote(room, name, table, subject)


async def test_a_request_lapses_when_somebody_moves_on_and_an_old_one_does_nothing(room: Room) -> None:
    table = await room.table("atacama", *NAMES)
    name, _, subject = await asks(room, table, *NAMES)
    await vote(room, name, table, subject)
    await room.play(table, *NAMES, most=1)
    view = await room.view(name, table)
    assert not view.votes and "undo_lapsed" in [each.key for each in view.log]
    with refused("not_yours"):
        await vote(room, other(name), table, subject)
    await room.play(table, *NAMES)
    with refused("over"):
        await vote(room, name, table, subject)


async def test_two_requests_at_once_are_two_votes_and_the_one_that_all_agree_to_ends_both(room: Room) -> None:
    table = await room.table("atacama", *NAMES)
    name, _, subject = await asks(room, table, *NAMES)
    await room.play(table, *NAMES, most=1)
    both = {each: [c for c in (await room.view(each, table)).can if c.startswith("undo:")] for each in NAMES}
    subjects = [found[0] for found in both.values() if found]
    assert len(subjects) == 2 and subject in subjects
    for each in NAMES:
        await vote(room, each, table, both[each][0])
    await vote(room, other(name), table, subject)
    view = await room.view(name, table)
    assert not view.votes and view.view_sequence == int(subject.split(":")[2])


async def test_bots_agree_and_what_they_did_goes_back_too(room: Room) -> None:
    table = await room.table("atacama", "Ada", "bot:beginner")
    rng = random.Random(3)
    found: list[str] = []
    while not found:
        await turn(room, table, ("Ada",), rng)
        await room.tables.bot_turns.play(table)
        view = await room.view("Ada", table)
        found = [each for each in view.can if each.startswith("undo:")]
    moment = int(found[0].split(":")[2])
    async with room.tables.executor.locked(table) as live:
        steps = await room.tables.history.steps(live)
        assert {who for at, who in steps if at >= moment} == {0, 1}
    await vote(room, "Ada", table, found[0])
    after = await room.view("Ada", table)
    assert after.view_sequence == moment and after.turn is not None and after.turn.legal


async def test_time_goes_back_too_and_nobody_wins_any(room: Room, clock: Time) -> None:
    table = await room.table("atacama", *NAMES, clock=Clock(10 * HOUR, HOUR, 12 * HOUR))
    name, seat, subject = await asks(room, table, *NAMES)

    async def banks() -> list[int | None]:
        async with room.tables.executor.locked(table) as live:
            return [each.bank_ms for each in live.seats]

    row = (await room.tables.store.table(table) or (None, []))[1][seat]
    assert row.turn is not None
    held = row.turn[1]
    waits = 1 - seat
    before = (await banks())[waits]
    clock.passes(2 * HOUR)
    for each in (name, other(name)):
        await vote(room, each, table, subject)
    after = await banks()
    assert after[seat] == held
    assert before is not None and after[waits] == before - 2 * HOUR * 1000, "no increment for what wasn't a turn"
    view = await room.view(name, table)
    assert [info.seat for info in view.seats if info.to_move] == [seat]


async def test_a_server_that_starts_anew_knows_what_can_be_taken_back(sqlite_url: str) -> None:
    async with opened(sqlite_url) as room:
        table = await room.table("atacama", *NAMES)
        name, _, subject = await asks(room, table, *NAMES)
        await vote(room, name, table, subject)
        people = room.people
    async with opened(sqlite_url) as again:
        again.people = people
        await vote(again, other(name), table, subject)
        view = await again.view(name, table)
        assert view.view_sequence == int(subject.split(":")[2])
        await again.play(table, *NAMES)
        assert (await again.view(name, table)).status == "over"


async def test_a_card_that_was_played_stays_shown(room: Room) -> None:
    """A played card of the hand lies open, so that its player can't take it back."""
    table = await room.table("toy", *NAMES)
    rng = random.Random(4)
    played = 0
    while await turn(room, table, NAMES, rng):
        last = (await room.tables.store.choices(table))[-1]
        if TOY.text(last.choice).startswith("play "):
            played += 1
            for name in NAMES:
                assert not [each for each in (await room.view(name, table)).can if each.startswith("undo:")]
    assert played


async def test_pages_ask_without_scripts_and_say_what_would_go(sqlite_url: str) -> None:
    def work() -> None:
        with site_at(sqlite_url, {**GAMES, **atoll.games}) as site:
            ada, bob = site.browser("Ada"), site.browser("Bob")
            people_at = {"Ada": ada, "Bob": bob}
            people = {"Ada": ada.user, "Bob": bob.user}
            room = Room(site.tables, Scheduler(site.tables), {name: who for name, who in people.items() if who})
            table = site.call(room.table, "atacama", *NAMES)
            name, seat, subject = site.call(asks, room, table, *NAMES)
            mine, yours = (ada, bob) if name == "Ada" else (bob, ada)
            page = mine.get(f"/t/{table}").text
            assert f'value="{subject}">Ask to take back my last move<' in page
            assert subject not in yours.get(f"/t/{table}").text
            asked = {"seat": seat, "subject": subject, "answer": "yes"}
            assert mine.post(f"/t/{table}/vote", asked).status_code == 303
            page = yours.get(f"/t/{table}").text
            assert f"Take back the last move of {name}?" in page and "Since then, nothing hidden was shown" in page
            [open_vote] = site.call(room.view, other(name), table).votes
            assert open_vote.taken and page.count("<li>") >= len(open_vote.taken)
            assert ">Refuse<" in page and ">Refuse<" not in mine.get(f"/t/{table}").text
            assert yours.post(f"/t/{table}/vote", asked | {"seat": 1 - seat}).status_code == 303
            page = yours.get(f"/t/{table}").text
            assert page.count("<s>") == len(open_vote.taken) and "is taken back" in page
            name, seat, subject = site.call(asks, room, table, *NAMES)
            mine, yours = (ada, bob) if name == "Ada" else (bob, ada)
            site.call(vote, room, name, table, subject)
            site.call(vote, room, other(name), table, subject, False)
            assert subject not in mine.get(f"/t/{table}").text
            answer = mine.post(f"/t/{table}/vote", {"seat": seat, "subject": subject, "answer": "yes"})
            assert answer.status_code == 409 and "This can’t be taken back: since then" in answer.text
            table = site.call(room.table, "atlandice", *NAMES)
            name, seat, moment = site.call(settled, room, table, *NAMES)
            page = people_at[name].get(f"/t/{table}").text
            assert "Your last move can’t be taken back: since then" in page and 'value="undo:' not in page
            with refused("no_undo"):
                site.call(vote, room, name, table, f"undo:{seat}:{moment}")
            program = site.program("Eve")
            body = {"subject": subject, "yes": True}
            assert program.ask("POST", f"/tables/{table}/seats/{seat}/vote", body).status_code == 403

    await anyio.to_thread.run_sync(work)
