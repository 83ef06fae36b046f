"""Planned answers: the decisions that they answer, their ends, and their secrecy."""

import re
from collections.abc import AsyncIterator
from typing import Any

import anyio.to_thread
import pytest

import atoll
from atoll.engine.languages import LANGUAGES
from atoll.server.domain.model import Clock, TableView
from atoll.server.domain.planned_answers import Plan, PlannedAnswer
from atoll.server.play.tryouts import TryoutStep
from atoll.server.presentation.texts import GameTexts
from tests.server.conftest import GAMES, Room, Time, opened, refused, site_at
from tests.server.test_secrecy import NAMES, at_checkpoint, rewrite, twins
from tests.server.test_tryouts import data_of

pytestmark = pytest.mark.anyio

CORNER, EDGE = PlannedAnswer("place", ("place r9c9 base",)), PlannedAnswer("place", ("place r9c1 base",))


@pytest.fixture
async def room(sqlite_url: str, clock: Time) -> AsyncIterator[Room]:
    """A service with all games, in a time that stands still."""
    async with opened(sqlite_url, {**GAMES, **atoll.games}) as found:
        yield found


async def waiting(room: Room, game: str = "atacama", *names: str, **values: Any) -> tuple[str, str, str, int]:
    """A table, who is asked there, and another person with its seat."""
    names = names or ("Ada", "Bob")
    table = await room.table(game, *names, **values)
    asked, _ = await room.mover(table, *names)
    other = next(name for name in names if name != asked)
    seat = (await room.view(other, table)).seat
    assert seat is not None
    return table, asked, other, seat


async def plan(room: Room, name: str, table: str, seat: int, *steps: PlannedAnswer, **values: Any) -> None:
    await room.tables.planned_turns.plan(room.people[name], table, seat, Plan(steps, **values))


async def choose(room: Room, name: str, table: str, choice: str) -> TableView:
    view = await room.view(name, table)
    assert view.turn is not None and view.seat is not None
    await room.tables.turns.choose(room.people[name], table, view.seat, [choice], view.turn.stamp, confirm=True)
    return await room.view(name, table)


def automatic(view: TableView) -> int:
    return sum(entry.key == "automatic" for entry in view.log)


async def test_planned_answers_are_given_by_a_job_one_after_the_other(room: Room, clock: Time) -> None:
    table, asked, other, seat = await waiting(room)
    before = await room.view(asked, table)
    assert f"plan:{seat}" in (await room.view(other, table)).can
    await plan(room, other, table, seat, CORNER, EDGE)
    seen = await room.view(asked, table)
    assert (seen.version, seen.plan, seen.can) == (before.version, None, before.can), "nobody else notices"
    assert (await room.view(None, table)).plan is None
    await room.forget()
    assert (await room.view(other, table)).plan == Plan((CORNER, EDGE)), "it survives a start"
    waits = await choose(room, asked, table, "place r1c1 base")
    clock.passes(2)
    await room.scheduler.look()
    assert (await room.view(asked, table)).view_sequence == waits.view_sequence, "not at once"
    clock.passes(10)
    await room.scheduler.look()
    seen = await room.until(table, lambda view: view.view_sequence > waits.view_sequence)
    [line] = [entry for entry in seen.log if entry.key == "automatic"]
    assert line.fields["seat"] == seat and line.sequence == seen.view_sequence
    assert (await room.view(other, table)).plan == Plan((EDGE,))
    await room.tables.planned_turns.answer_due(table)
    assert (await room.view(asked, table)).view_sequence == seen.view_sequence, "who isn't asked doesn't answer"
    await choose(room, asked, table, "place r1c9 base")
    await room.tables.planned_turns.answer_due(table)
    after = await room.view(other, table)
    assert automatic(after) == 2 and after.plan is None


@pytest.mark.parametrize(
    ("step", "choice"),
    [
        (PlannedAnswer("must_buy", ("buy turquoise columns base",)), "place r1c1 base"),
        (CORNER, "place r9c9 base"),
        (PlannedAnswer("place", ("place r9c9 base", "place r1c9 base")), "place r1c1 base"),
    ],
)
async def test_a_surprise_ends_a_plan(room: Room, step: PlannedAnswer, choice: str) -> None:
    table, asked, other, seat = await waiting(room)
    await plan(room, other, table, seat, step, CORNER)
    sequence = (await choose(room, asked, table, choice)).view_sequence
    version = (await room.view(asked, table)).version
    for _ in range(2):
        await room.tables.planned_turns.answer_due(table)
    view = await room.view(other, table)
    assert view.plan == Plan((step, CORNER), ended=True) and view.view_sequence == sequence
    seen = await room.view(asked, table)
    assert not automatic(seen) and seen.version == version, "nobody else learns of it"
    await choose(room, other, table, "place r5c5 base")
    assert (await room.view(other, table)).plan is None, "it is told until the person has answered"


async def test_what_belongs_to_a_seat_may_be_part_of_what_was_foreseen(room: Room) -> None:
    for untouched in (True, False):
        table, asked, other, seat = await waiting(room)
        await plan(room, other, table, seat, CORNER, untouched=untouched)
        async with room.tables.executor.locked(table) as live:
            assert live.position is not None
            state: Any = live.position.state
            state.base[seat] -= 1
        await choose(room, asked, table, "place r1c1 base")
        await room.tables.planned_turns.answer_due(table)
        view = await room.view(other, table)
        assert automatic(view) == (not untouched) and (view.plan is not None) == untouched


async def test_a_repeated_answer_ends_when_the_options_change(room: Room) -> None:
    table, asked, other, seat = await waiting(room)
    double = PlannedAnswer("place", ("place r9c9 base",))
    await plan(room, other, table, seat, double, repeat=True)
    await choose(room, asked, table, "place r1c1 base")
    await room.tables.planned_turns.answer_due(table)
    assert (await room.view(other, table)).plan == Plan((double,), repeat=True)
    await choose(room, asked, table, "place r1c9 base")
    await room.tables.planned_turns.answer_due(table)
    view = await room.view(other, table)
    assert automatic(view) == 1 and view.plan is not None and view.plan.ended


async def test_a_set_is_planned_as_a_whole_and_in_secret(room: Room) -> None:
    table = await room.table("raiatea", "Ada", "Bob", "Cy")
    keeps = {}
    for name in ("Ada", "Bob"):
        view = await room.view(name, table)
        assert view.turn is not None and view.seat is not None
        keeps[name] = [text for text in view.turn.texts if text.startswith("keep ")][:2]
        with refused("no_plan"):
            await plan(room, name, table, view.seat, PlannedAnswer("keep_rituals", tuple(keeps[name])))
    # As if he hadn't been asked yet: at the first question of a game nobody could plan before.
    async with room.tables.executor.locked(table) as live:
        live.seats[1].asked = None
    await plan(room, "Bob", table, 1, PlannedAnswer("keep_rituals", tuple(keeps["Bob"])))
    await room.tables.planned_turns.answer_due(table)
    view = await room.view("Bob", table)
    assert view.turn is not None and view.turn.sealed_in and automatic(view) == 1
    for other in ("Ada", None):
        log = (await room.view(other, table)).log
        assert [entry.key for entry in log if entry.origin == "table"][-1] == "automatic"
        assert not any(keeps["Bob"][0].removeprefix("keep ") in str(entry.fields) for entry in log)
    async with room.tables.executor.locked(table) as live:
        assert live.position is not None
        kept = [live.position.text(choice) for choice in live.position.sealed_answers[1]]
        assert set(keeps["Bob"]) <= set(kept)


async def test_whoever_acts_itself_leaves_loses_or_goes_back_has_no_plan_any_more(room: Room, clock: Time) -> None:
    table, asked, other, seat = await waiting(room)
    await plan(room, other, table, seat, CORNER)
    await choose(room, asked, table, "place r1c1 base")
    await choose(room, other, table, "place r5c5 base")
    assert (await room.view(other, table)).plan is None
    view = await room.view(other, table)
    await plan(room, other, table, seat, CORNER)
    [subject] = [each for each in view.can if each.startswith("undo:")]
    await room.tables.votes.vote(room.people[other], table, seat, subject, True)
    await room.tables.votes.vote(room.people[asked], table, 1 - seat, subject, True)
    assert (await room.view(other, table)).plan is None
    await choose(room, other, table, "place r5c5 base")
    await plan(room, other, table, seat, CORNER)
    await room.tables.departures.leave(room.people[other], table, seat)
    await room.tables.departures.come_back(room.people[other], table, seat)
    assert (await room.view(other, table)).plan is None
    await plan(room, other, table, seat, CORNER)
    for name, place in ((asked, 1 - seat), (other, seat)):
        await room.tables.votes.vote(room.people[name], table, place, "cancel", True)
    view = await room.view(other, table)
    assert view.status == "cancelled" and view.plan is None
    table, asked, other, seat = await waiting(room, clock=Clock(60, 60, 60))
    await plan(room, other, table, seat, CORNER)
    await choose(room, asked, table, "place r1c1 base")
    clock.passes(61)
    await room.tables.timeouts.decide(table)
    assert (await room.view(other, table)).plan is None


async def test_what_cannot_be_planned_is_refused(room: Room) -> None:
    table, asked, other, seat = await waiting(room)
    for steps, repeat in (
        ([PlannedAnswer("plac", CORNER.choices)], False),
        ([PlannedAnswer("place", ())], False),
        ([PlannedAnswer("place", ("place r10c1 base",))], False),
        ([PlannedAnswer("place", ("lay A",))], False),
        ([PlannedAnswer("must_buy", CORNER.choices)], False),
        ([CORNER] * 9, False),
        ([CORNER, EDGE], True),
    ):
        with refused("bad_plan"):
            await plan(room, other, table, seat, *steps, repeat=repeat)
    with refused("no_plan"):
        await plan(room, asked, table, 1 - seat, CORNER)
    with refused("not_yours"):
        await plan(room, asked, table, seat, CORNER)
    alone = await room.table("atacama", "Ada", "+")
    for place in (0, 1):
        with refused("no_plan"):
            await plan(room, "Ada", alone, place, CORNER)
    assert (await room.view(other, table)).plan is None
    await plan(room, other, table, seat, CORNER)
    await plan(room, other, table, seat)
    assert (await room.view(other, table)).plan is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(atoll.games))
def test_questions_have_words(name: str, language: str) -> None:
    words = GameTexts(atoll.games[name], language)
    assert all("{" not in each and "_" not in each for each in map(words.question, words.game.prompts))


@pytest.mark.parametrize("game", list(atoll.games))
async def test_answers_are_chosen_to_questions_that_can_come(room: Room, game: str) -> None:
    """Bots guess what others do until then; the answers chosen so far are a plan."""
    names = ("Ada", "Bob", "Cy")[: max(2, atoll.games[game].min_multiplayer_seats)]
    table = await room.table(game, *names)
    views: list[TableView] = []
    for _ in range(40):  # until one isn't asked while another decides
        views = [await room.view(name, table) for name in names]
        if any(f"plan:{each.seat}" in each.can for each in views):
            break
        await room.play(table, *names, most=1)
    waits = next(each for each in views if f"plan:{each.seat}" in each.can)
    assert waits.seat is not None
    who, seat, services = room.people[names[views.index(waits)]], waits.seat, room.tables.tryouts
    found, answers = await services.plan(who, table, seat)
    assert (found.asked, answers) == (seat, ()) and found.legal and found.sequence == waits.view_sequence
    assert (await services.plan(who, table, seat))[0] == found, "the guess is the same each time"
    prompt = found.view["decision"]["prompt"]
    chosen: list[int] = []
    while len(answers) < 2 and found.legal:
        chosen.append(found.legal[0])
        found, answers = await services.plan(who, table, seat, TryoutStep(found.sequence, 0, chosen))
    assert answers[0].prompt == prompt and answers[0].choices[0] == atoll.games[game].text(chosen[0])
    assert seat in {each.seat for each in found.tried} or len(answers) == 1
    await room.tables.planned_turns.plan(who, table, seat, Plan(answers))
    kept = await room.view(names[views.index(waits)], table)
    assert kept.plan == Plan(answers) and kept.view_sequence == waits.view_sequence
    with refused("illegal"):
        illegal = next(each for each in range(10**4) if each not in found.legal)
        await services.plan(who, table, seat, TryoutStep(found.sequence, 0, [*chosen, illegal]))


async def test_a_plan_tells_nothing_that_is_hidden(room: Room) -> None:
    table, position = await at_checkpoint(room, 20)
    asked, _ = await room.mover(table, *NAMES)
    name = next(each for each in NAMES if each != asked)
    seat = (await room.view(name, table)).seat
    assert seat is not None
    true = [await room.tables.tryouts.plan(room.people[name], table, seat, TryoutStep(None, each)) for each in range(3)]
    assert len({str(found.view) for found, _ in true}) > 1
    for twin in twins(position, seat):
        await rewrite(room, table, twin)
        for guess, before in enumerate(true):
            assert await room.tables.tryouts.plan(room.people[name], table, seat, TryoutStep(None, guess)) == before


async def test_who_is_asked_cannot_plan_on_the_table(room: Room) -> None:
    table, asked, _, seat = await waiting(room)
    with refused("no_plan"):
        await room.tables.tryouts.plan(room.people[asked], table, 1 - seat)
    with refused("not_yours"):
        await room.tables.tryouts.plan(room.people[asked], table, seat)


async def test_pages_and_programs_plan_ahead(sqlite_url: str) -> None:
    def work() -> None:
        with site_at(sqlite_url, {**GAMES, **atoll.games}) as site:
            ada, bob = site.browser("Ada"), site.browser("Bob")
            assert ada.user is not None and bob.user is not None
            room = Room(site.tables, None, {"Ada": ada.user, "Bob": bob.user})  # type: ignore[arg-type]
            table, asked, other, seat = site.call(waiting, room)
            browser, rival = (ada, bob) if other == "Ada" else (bob, ada)
            assert f"/t/{table}/plan?seat={seat}" in browser.get(f"/t/{table}").text
            assert f"/t/{table}/plan" not in rival.get(f"/t/{table}").text
            # Step by step without scripts: each answer has an address.
            address = browser.get(f"/t/{table}/plan").headers["location"]
            for choice in ("place r9c9 base", "place r9c1 base"):
                page = browser.get(address).text
                legal = {text: number for number, text, *_ in data_of(page)["question"]["legal"]}
                form = {"seat": str(seat), "step": data_of(page)["step"], "choices": str(legal[choice])}
                ahead = browser.get(f"/t/{table}/plan/preview", params=form)
                assert "page-regions" in ahead.json()["html"]
                address = browser.post(f"/t/{table}/plan/choose", form).headers["location"]
            page = browser.get(address).text
            assert 'id="page-keep"' in page and data_of(page)["unsure"], "what isn't so yet is marked"
            form = {"seat": str(seat), "step": data_of(page)["step"], "act": "keep", "untouched": "1"}
            assert browser.post(f"/t/{table}/plan", {**form, "step": ""}).status_code == 422
            assert browser.post(f"/t/{table}/plan", form).headers["location"] == f"/t/{table}?seat={seat}"
            assert site.call(room.view, other, table).plan == Plan((CORNER, EDGE))
            assert "2 answers planned" in browser.get(f"/t/{table}").text
            assert browser.get(browser.get(f"/t/{table}/plan").headers["location"]).text.count("<b>Place a rig on") >= 2
            assert "r9c9" not in re.sub(r"<svg.*?</svg>", "", rival.get(f"/t/{table}/plan").text, flags=re.DOTALL)
            assert site.browser("Mal").get(f"/t/{table}/plan").status_code == 403
            site.call(choose, room, asked, table, "place r9c9 base")
            site.call(room.tables.planned_turns.answer_due, table)
            assert "Your plan has ended" in browser.get(f"/t/{table}").text
            assert "Your plan has ended" in browser.get(f"/t/{table}/plan").text, "while it can't be made anew"
            assert "Your plan has ended" not in rival.get(f"/t/{table}").text
            assert browser.post(f"/t/{table}/plan", {"seat": str(seat), "act": "drop"}).status_code == 303
            assert site.call(room.view, other, table).plan is None
            eve = site.program("Eve")
            body = {"steps": [{"prompt": "place", "choices": ["place r9c9 base"]}]}
            assert eve.ask("PUT", f"/tables/{table}/seats/{seat}/plan", body).status_code == 403

    await anyio.to_thread.run_sync(work)
