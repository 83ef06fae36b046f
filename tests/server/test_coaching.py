"""A coach at the table: its players, its explanations, its warnings, and how to turn it off."""

from typing import Any

import msgspec
import pytest

from atoll.lessons import lessons
from atoll.lessons.coach import BlunderWarning
from atoll.server.bots.pool import BotPool
from atoll.server.domain.model import NewTable, User
from atoll.server.domain.progress import LearningProgress
from atoll.server.play.coaching import coach_mode
from atoll.server.play.ports import BotFailed
from atoll.testing.shares import give_shares

from .conftest import DEVICE, INVITE, ME, OPEN, Room, Site, refused

pytestmark = pytest.mark.anyio


async def again(room: Room, name: str) -> User:
    """A person as known now."""
    row = await room.tables.store.user(room.people[name].id)
    assert row is not None
    learning = msgspec.convert(row.learning, LearningProgress)
    return msgspec.structs.replace(room.people[name], learning=learning)


async def begun(room: Room, name: str = "Ada") -> str:
    ada = await room.person(name)
    table = await room.tables.table_setup.play_now(ada, "atacama")
    await give_shares(room.tables, table)
    return table


async def test_a_first_game_has_a_coach_and_a_later_one_only_if_it_was_asked_for(room: Room) -> None:
    await begun(room)
    ada = await again(room, "Ada")
    assert (
        coach_mode(ada, "atacama") == "first" and coach_mode(ada, "toy") == "off" and coach_mode(None, "toy") == "off"
    )
    await room.play(await room.table("atacama", "Ada", "Bob"), "Ada", "Bob")
    await room.tables.table_setup.play_now(await again(room, "Ada"), "atacama")
    assert coach_mode(await again(room, "Ada"), "atacama") == "off"
    await room.tables.coach.set(await again(room, "Ada"), "atacama", "on")
    await room.tables.table_setup.play_now(await again(room, "Ada"), "atacama")
    assert coach_mode(await again(room, "Ada"), "atacama") == "on"


async def test_who_sent_the_coach_away_has_none_in_a_first_game_unless_it_is_asked_for(room: Room) -> None:
    ada = await room.person("Ada")
    await room.tables.coach.set(ada, "atacama", "off")
    await room.tables.table_setup.play_now(await again(room, "Ada"), "atacama")
    assert coach_mode(await again(room, "Ada"), "atacama") == "off"
    await room.tables.table_setup.play_now(await again(room, "Ada"), "atacama", first=True)
    assert coach_mode(await again(room, "Ada"), "atacama") == "first"
    with refused("bad_option"):
        await room.tables.coach.set(ada, "atacama", "loud")  # type: ignore[arg-type]
    with refused("sign_in"):
        await room.tables.coach.set(None, "atacama", "on")


async def test_anyone_has_a_coach_in_a_first_game_however_they_came_to_it(both: Room) -> None:
    """The ways are a hot seat, the lobby, an invitation, a rematch and playing on."""
    gathering = both.tables.table_setup
    for name in ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay"):
        await both.person(name)
    ada, bob, cleo, dan, eve, fay = both.people.values()

    async def levels() -> list[str]:
        return [coach_mode(await again(both, name), "atacama") for name in both.people]

    shared = await gathering.create(ada, NewTable("atacama", (ME, DEVICE)))
    assert await levels() == ["first", *["off"] * 5]
    assert coach_mode(await again(both, "Ada"), "toy") == "off"
    await give_shares(both.tables, shared)
    said = await both.tables.coach.advice_for(await again(both, "Ada"), shared, 1)
    assert said is not None and not said.warns, "nobody may ask a bot here"
    table = await gathering.create(cleo, NewTable("atacama", (ME, OPEN, INVITE, DEVICE)))
    await gathering.join(bob, table)
    await gathering.accept(dan, await gathering.invite(cleo, table, 2))
    assert await levels() == ["first", "first", "first", "first", "off", "off"]
    await give_shares(both.tables, table)
    await both.play(table, "Cleo", "Bob", "Dan")
    await both.tables.history.continue_from(eve, table, 3)
    assert (await levels())[4:] == ["first", "off"]

    next_table = await gathering.rematch(await again(both, "Cleo"), table)
    await gathering.rematch(await again(both, "Bob"), table)
    assert await levels() == ["first", "off", "off", "first", "first", "off"], "Dan hasn't sat down again"
    await both.tables.departures.leave(dan, next_table, 2)
    await gathering.join(fay, next_table)
    assert (await levels())[5] == "first"


async def test_it_tells_what_others_did_since_the_last_choice_and_what_the_open_turn_changes(room: Room) -> None:
    table = await begun(room)
    ada = await again(room, "Ada")
    told = 0
    for _ in range(30):
        await room.tables.bot_turns.play(table)
        view = await room.view("Ada", table)
        if view.turn is None:
            break
        said = await room.tables.coach.advice_for(ada, table, 0)
        assert said is not None
        told += len(said.acts)
        assert all(entry.fields.get("seat") != 0 for act in said.acts for entry in act.log if entry.key == "placed")
        await room.tables.turns.choose(ada, table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=False)
        staged = await room.tables.coach.advice_for(ada, table, 0)
        assert staged is not None and staged.acts == said.acts
        if told and any(each.about == "score" for each in staged.staged):
            return
        view = await room.view("Ada", table)
        assert view.turn is not None
        await room.tables.turns.confirm(ada, table, 0, view.turn.stamp)
    pytest.fail("no turn changed the score")


async def test_it_speaks_to_its_own_seat_alone(room: Room) -> None:
    table = await begun(room)
    ada = await again(room, "Ada")
    bob = await room.person("Bob")
    await room.tables.coach.set(bob, "atacama", "on")
    with refused("not_yours"):
        await room.tables.coach.advice_for(await again(room, "Bob"), table, 0)
    with refused("not_yours"):
        await room.tables.coach.advice_for(ada, table, 1)
    with refused("not_yours"):
        await room.tables.coach.check(await again(room, "Bob"), table, 0)
    with refused("sign_in"):
        await room.tables.coach.advice_for(None, table, 0)


async def staged(room: Room, table: str, name: str = "Ada") -> User:
    """The first legal choice is made and waits for its confirmation."""
    await room.tables.bot_turns.play(table)
    person = await again(room, name)
    view = await room.view(name, table)
    assert view.turn is not None
    await room.tables.turns.choose(person, table, view.seat or 0, [view.turn.legal[0]], view.turn.stamp, confirm=False)
    return person


async def test_a_turn_is_looked_at_once_and_only_while_it_is_as_it_was(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    caution = BlunderWarning(0.4, "mine", 0, "row", {"line": 2, "n": 4}, 7)

    async def warn(self: Any, *given: Any) -> BlunderWarning:
        asked.append(given)
        return caution

    monkeypatch.setattr(BotPool, "warn", warn)
    table = await begun(room)
    ada = await staged(room, table)
    said = await room.tables.coach.advice_for(ada, table, 0)
    assert said is not None and said.warns and not said.checked and said.caution is None
    assert await room.tables.coach.check(ada, table, 0) == caution
    assert await room.tables.coach.check(ada, table, 0) == caution
    assert len(asked) == 1
    said = await room.tables.coach.advice_for(ada, table, 0)
    assert said is not None and said.checked and said.caution == caution
    with refused("stale"):
        await room.tables.coach.check(ada, table, 0, "old")
    await room.tables.bot_analysis.dismiss(ada, table, 0)
    said = await room.tables.coach.advice_for(ada, table, 0)
    assert said is not None and said.checked and said.caution is None, "it was put away"
    view = await room.view("Ada", table)
    assert view.turn is not None
    await room.tables.turns.undo(ada, table, 0, view.turn.stamp)
    said = await room.tables.coach.advice_for(ada, table, 0)
    assert said is not None and not said.checked and said.caution is None
    with refused("incomplete"):
        await room.tables.coach.check(ada, table, 0)


async def test_where_bots_may_not_be_asked_it_warns_of_nothing(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    view = await room.view("Ada", table)
    assert not view.advice
    name, _ = await room.mover(table, "Ada", "Bob")
    person = await again(room, name)
    await room.tables.coach.set(person, "atacama", "on")
    person = await staged(room, table, name)
    seat = (await room.view(name, table)).seat or 0
    said = await room.tables.coach.advice_for(person, table, seat)
    assert said is not None and not said.warns
    with refused("no_advice"):
        await room.tables.coach.check(person, table, seat)


async def test_a_bot_that_breaks_down_warns_of_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def warn(self: Any, *given: Any) -> BlunderWarning:
        raise BotFailed("planted")

    monkeypatch.setattr(BotPool, "warn", warn)
    table = await begun(room)
    ada = await staged(room, table)
    assert await room.tables.coach.check(ada, table, 0) is None


def test_the_page_has_it_until_it_is_sent_away(site: Site) -> None:
    ada = site.browser("Ada")
    assert ada.user is not None
    table = site.call(site.tables.table_setup.play_now, ada.user, "atacama")
    assert 'id="page-coach"' not in ada.get(f"/t/{table}").text, "nothing is played yet"
    site.call(give_shares, site.tables, table)
    page = ada.get(f"/t/{table}").text
    assert 'id="page-coach"' in page and 'id="paper-coach"' in page and "Turn off the coach" in page
    lesson = site.tables.catalogue.game("atacama").id
    link = f'<a href="/learn/{lesson}/first" target="_blank">'
    assert link in page
    last = len(lessons(site.tables.catalogue.game(lesson))["first"].steps)
    ada.get(f"/learn/{lesson}/first?step={last}")
    assert link not in ada.get(f"/t/{table}").text, "the lesson is read to its end"

    def ask(wanted: str) -> str:
        assert ada.post(f"/t/{table}/coach", {"seat": "0", "wanted": wanted}).status_code == 303
        found: str = ada.get(f"/t/{table}").text
        return found

    assert "Turn on warnings" in ask("quiet")
    off = ask("off")
    assert 'id="page-coach"' not in off and "Turn on the coach for this game" in off
    assert 'id="page-coach"' in ask("on")
    assert ada.post(f"/t/{table}/coach", {"seat": "0", "wanted": "loud"}).status_code == 422
    assert 'id="page-coach"' in ada.get(f"/t/{table}").text


def test_a_check_of_a_turn_that_is_over_meanwhile_is_an_error_only_where_somebody_asked_for_it(site: Site) -> None:
    """Scripts ask by themselves, and a browser logs each refusal as an error."""
    ada = site.browser("Ada")
    table = site.call(site.tables.table_setup.play_now, ada.user, "atacama")
    site.call(give_shares, site.tables, table)
    sent = {"seat": "0", "stamp": "0.99"}
    assert ada.post(f"/t/{table}/check", sent).status_code == 409
    asked = ada.post(f"/t/{table}/check", sent, headers={"x-fragments": ""})
    assert asked.status_code == 200 and 'id="page-data"' in asked.text
    stranger = site.browser("Bob")
    assert stranger.post(f"/t/{table}/check", sent, headers={"x-fragments": ""}).status_code in (403, 404)
