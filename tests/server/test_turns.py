"""The open turn: staged, taken back, confirmed; and every submission that doesn't fit."""

import asyncio
import re

import msgspec
import pytest

from atoll.server.domain.model import NewTable, SeatPlan, Settings, User

from .conftest import ME, Room, Site, refused

pytestmark = pytest.mark.anyio


async def test_a_whole_game_is_played_saved_and_replayed(both: Room) -> None:
    table = await both.table("toy", "Ada", "Bob", "Cy")
    await both.play(table, "Ada", "Bob", "Cy")
    view = await both.view("Ada", table)
    assert view.status == "over"
    assert view.score is not None and len(view.score.totals) == 3
    for seat, lines in enumerate(view.score.lines):
        assert sum(line["points"] for line in lines) == view.score.totals[seat]
    await both.forget()
    again = await both.view("Ada", table)
    assert msgspec.structs.replace(again, changed=view.changed) == view
    moment = await both.tables.history.moment(both.people["Ada"], table, 0)
    for sequence in moment.moments:
        assert (await both.tables.history.moment(None, table, sequence)).sequence == sequence


async def test_staged_choices_are_seen_by_their_seat_alone(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    before = {name: await room.view(name, table) for name in ("Ada", "Bob", None)}
    turn = before["Ada"].turn
    assert turn is not None
    done = await room.tables.turns.choose(room.people["Ada"], table, 0, [turn.legal[0]], turn.stamp, confirm=False)
    assert not done.confirmed
    after = await room.view("Ada", table)
    assert after.turn is not None and after.turn.staged == (turn.legal[0],)
    assert after.version == done.version != before["Ada"].version
    assert after.turn.stamp == done.stamp != turn.stamp
    for name in ("Bob", None):
        assert await room.view(name, table) == before[name]


async def test_a_table_says_the_same_where_it_is_only_encoded(room: Room) -> None:
    tables = room.tables
    for game in ("toy", "atacama"):
        table = await room.table(game, "Ada", "Bob")
        for step in range(30):
            name, view = await room.mover(table, "Ada", "Bob")
            for who in (room.people["Ada"], room.people["Bob"], None):
                alone = await tables.table_views.table(who, table)
                together = await tables.table_views.table(who, table, encodable=True)
                assert msgspec.json.encode(alone) == msgspec.json.encode(together)
            assert view.turn is not None and view.seat is not None
            if view.turn.can_confirm:
                await tables.turns.confirm(room.people[name], table, view.seat, view.turn.stamp)
            else:
                choice = view.turn.legal[step % len(view.turn.legal)]
                await tables.turns.choose(
                    room.people[name], table, view.seat, [choice], view.turn.stamp, confirm=step % 3 > 0
                )


async def test_a_staged_turn_survives_a_restart_and_is_confirmed_on_another_device(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.turn is not None and view.seat is not None and view.view is not None
    choice = view.turn.legal[5]
    await room.tables.turns.choose(room.people[name], table, view.seat, [choice], view.turn.stamp, confirm=False)
    await room.forget()
    staged = await room.view(name, table)
    assert staged.turn is not None and staged.turn.staged == (choice,) and staged.turn.can_confirm
    assert staged.view is not None and staged.view["state"] != view.view["state"]
    done = await room.tables.turns.confirm(room.people[name], table, view.seat, staged.turn.stamp)
    assert done.confirmed and done.sequence == view.view_sequence + 1
    other = "Bob" if name == "Ada" else "Ada"
    after = await room.view(other, table)
    assert after.turn is not None and after.turn.legal
    assert after.view_sequence == done.sequence


async def test_undo_takes_one_choice_back_and_restart_all(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada = room.people["Ada"]
    start = (await room.view("Ada", table)).turn
    assert start is not None
    first, second = start.legal[0], start.legal[1]
    done = await room.tables.turns.choose(ada, table, 0, [first], start.stamp, confirm=False)
    done = await room.tables.turns.choose(ada, table, 0, [second], done.stamp, confirm=False)
    done = await room.tables.turns.undo(ada, table, 0, done.stamp)
    turn = (await room.view("Ada", table)).turn
    assert turn is not None and turn.staged == (first,) and second in turn.legal
    done = await room.tables.turns.choose(ada, table, 0, [second], done.stamp, confirm=False)
    done = await room.tables.turns.restart(ada, table, 0, done.stamp)
    turn = (await room.view("Ada", table)).turn
    assert turn is not None and turn.staged == () and turn.legal == start.legal
    with refused("nothing"):
        await room.tables.turns.undo(ada, table, 0, done.stamp)


async def test_a_list_is_taken_whole_or_not_at_all(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada = room.people["Ada"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    with refused("illegal"):
        await room.tables.turns.choose(ada, table, 0, ["wish pink", "bid 1"], turn.stamp)
    untouched = (await room.view("Ada", table)).turn
    assert untouched == turn
    with refused("complete"):
        await room.tables.turns.choose(ada, table, 0, ["wish pink", "enough", "wish blue"], turn.stamp)
    assert (await room.view("Ada", table)).turn == turn
    done = await room.tables.turns.choose(ada, table, 0, ["wish pink", "wish blue", "enough"], turn.stamp, confirm=True)
    assert done.confirmed


async def test_an_unfinished_turn_cannot_be_confirmed(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    with refused("incomplete"):
        await room.tables.turns.confirm(room.people["Ada"], table, 0, turn.stamp)
    await room.tables.turns.choose(room.people["Ada"], table, 0, ["wish pink", "enough"], turn.stamp, confirm=True)
    turn = (await room.view("Bob", table)).turn
    assert turn is not None
    with refused("incomplete"):
        await room.tables.turns.confirm(room.people["Bob"], table, 1, turn.stamp)


async def test_a_set_is_staged_as_it_is_clicked_and_confirmed_when_it_may_end(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada = room.people["Ada"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None and (turn.picked, turn.can_confirm) == ((), False)
    for clicked, staged, picked, may_end in (
        ("wish black", ("wish black",), ("wish black",), True),
        ("wish white", ("wish black", "wish white"), ("wish white", "wish black"), True),
        ("wish black", ("wish white",), ("wish white",), True),
        ("wish white", (), (), False),
        ("wish blue", ("wish blue",), ("wish blue",), True),
        ("wish pink", ("wish blue", "wish pink"), ("wish pink", "wish blue"), True),
    ):
        if clicked in turn.picked_texts:
            await room.tables.turns.undo(ada, table, 0, turn.stamp, choice=clicked)
        else:
            await room.tables.turns.choose(ada, table, 0, [clicked], turn.stamp, confirm=False)
        turn = (await room.view("Ada", table)).turn
        assert turn is not None
        assert (turn.staged_texts, turn.picked_texts, turn.can_confirm) == (staged, picked, may_end)
        assert set(turn.legal).isdisjoint(turn.picked)
        assert await room.tables.previews.why_not(ada, table, 0, turn.legal[0]) is None
    done = await room.tables.turns.confirm(ada, table, 0, turn.stamp)
    assert done.confirmed
    again = (await room.view("Ada", table)).turn
    assert again is not None and again.sealed_in


@pytest.mark.parametrize(
    ("choice", "code"),
    [("wish blue", "nothing"), ("enough", "nothing"), ("bid 1", "nothing"), ("wish", "malformed"), (-1, "malformed")],
)
async def test_only_what_is_picked_is_dropped(room: Room, choice: int | str, code: str) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada = room.people["Ada"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    done = await room.tables.turns.choose(ada, table, 0, ["wish black", "wish white"], turn.stamp, confirm=False)
    with refused(code):
        await room.tables.turns.undo(ada, table, 0, done.stamp, choice=choice)
    with refused("stale"):
        await room.tables.turns.undo(ada, table, 0, turn.stamp, choice="wish black")
    after = (await room.view("Ada", table)).turn
    assert after is not None and after.staged_texts == ("wish black", "wish white")
    dropped = await room.tables.turns.undo(ada, table, 0, done.stamp, "k1", "wish black")
    assert await room.tables.turns.undo(ada, table, 0, done.stamp, "k1", "wish black") == dropped
    with refused("malformed"):
        await room.tables.turns.undo(ada, table, 0, done.stamp, "k1", "wish white")
    after = (await room.view("Ada", table)).turn
    assert after is not None and after.staged_texts == ("wish white",)


async def test_a_sealed_answer_is_opened_before_something_is_dropped(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada = room.people["Ada"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    done = await room.tables.turns.choose(ada, table, 0, ["wish pink", "enough"], turn.stamp, confirm=True)
    with refused("not_asked"):
        await room.tables.turns.undo(ada, table, 0, done.stamp, choice="wish pink")


async def test_one_choice_turns_are_confirmed_as_the_person_has_set(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    for confirm_single in (True, False):
        name, view = await room.mover(table, "Ada", "Bob")
        who = await room.tables.users.set_settings(room.people[name], Settings(confirm_single=confirm_single))
        assert view.turn is not None and view.seat is not None
        done = await room.tables.turns.choose(who, table, view.seat, [view.turn.legal[0]], view.turn.stamp)
        assert done.confirmed is not confirm_single
        if confirm_single:
            await room.tables.turns.confirm(who, table, view.seat, done.stamp)


async def test_a_sealed_answer_can_be_replaced_until_all_are_in(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    ada, bob = room.people["Ada"], room.people["Bob"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    done = await room.tables.turns.choose(ada, table, 0, ["wish pink", "enough"], turn.stamp, confirm=True)
    view = await room.view("Ada", table)
    assert view.turn is not None and view.turn.sealed_in and view.turn.legal == ()
    assert [seat.ready for seat in view.seats] == [True, False]
    await room.forget()
    done = await room.tables.turns.undo(ada, table, 0, done.stamp)
    view = await room.view("Ada", table)
    assert view.turn is not None and view.turn.staged_texts == ("wish pink",)
    assert [seat.ready for seat in view.seats] == [False, False]
    done = await room.tables.turns.restart(ada, table, 0, done.stamp)
    done = await room.tables.turns.choose(ada, table, 0, ["wish black", "enough"], done.stamp, confirm=True)
    theirs = (await room.view("Bob", table)).turn
    assert theirs is not None
    await room.tables.turns.choose(bob, table, 1, ["wish blue", "enough"], theirs.stamp, confirm=True)
    view = await room.view("Ada", table)
    assert view.view is not None and view.view["state"]["wishes"][0] == [3]
    with refused("stale"):
        await room.tables.turns.undo(ada, table, 0, done.stamp)


async def test_a_late_sealed_answer_is_never_applied_to_the_next_phase(room: Room) -> None:
    """Both phases are sealed, and the stamp of the first one isn't valid in the second."""
    table = await room.table("toy", "Ada", "Bob")
    ada, bob = room.people["Ada"], room.people["Bob"]
    stamps = {}
    for name in ("Ada", "Bob"):
        turn = (await room.view(name, table)).turn
        assert turn is not None
        stamps[name] = turn.stamp
    await room.tables.turns.choose(ada, table, 0, ["wish pink", "enough"], stamps["Ada"], confirm=True)
    await room.tables.turns.choose(bob, table, 1, ["wish pink", "enough"], stamps["Bob"], confirm=True)
    view = await room.view("Ada", table)
    assert view.turn is not None and view.turn.texts[0] == "bid 0"
    for who, seat, name in ((ada, 0, "Ada"), (bob, 1, "Bob")):
        with refused("stale"):
            await room.tables.turns.choose(who, table, seat, ["bid 1"], stamps[name], confirm=True)
    assert await room.view("Ada", table) == view


async def _someones_turn(room: Room, game: str = "atacama") -> tuple[str, User, int, str, int]:
    table = await room.table(game, "Ada", "Bob")
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.turn is not None and view.seat is not None
    return table, room.people[name], view.seat, view.turn.stamp, view.turn.legal[0]


async def test_a_stale_submission_changes_nothing(room: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(room)
    await room.tables.turns.choose(who, table, seat, [choice], stamp, confirm=False)
    before = await room.view(who.name, table)
    for old in (stamp, "", "0.0", "x", "99999999999999999999.0"):
        with refused("stale"):
            await room.tables.turns.choose(who, table, seat, [choice + 1], old, confirm=True)
        with refused("stale"):
            await room.tables.turns.confirm(who, table, seat, old)
        with refused("stale"):
            await room.tables.turns.undo(who, table, seat, old)
    assert await room.view(who.name, table) == before


async def test_a_repeated_submission_is_answered_the_same_and_counts_once(room: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(room)
    first = await room.tables.turns.choose(who, table, seat, [choice], stamp, key="k1", confirm=True)
    again = await room.tables.turns.choose(who, table, seat, [choice], stamp, key="k1", confirm=True)
    await room.forget()
    later = await room.tables.turns.choose(who, table, seat, [choice], stamp, key="k1", confirm=True)
    assert first == again == later
    assert len(await room.tables.store.choices(table)) == first.sequence
    with refused("malformed"):
        await room.tables.turns.choose(who, table, seat, [choice + 1], stamp, key="k1", confirm=True)


async def test_repetitions_at_the_same_time_count_once(both: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(both)
    answers = await asyncio.gather(
        *(both.tables.turns.choose(who, table, seat, [choice], stamp, key="k1", confirm=True) for _ in range(8))
    )
    assert len(set(answers)) == 1
    said = await asyncio.gather(*(both.tables.chat.say(who, table, "hello", key="k2") for _ in range(8)))
    assert len({message.number for message in said}) == 1


async def test_a_foreign_seat_cannot_be_played(room: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(room)
    other = next(user for user in room.people.values() if user is not who)
    stranger = await room.person("Eve")
    for intruder in (other, stranger):
        for call in (
            room.tables.turns.choose(intruder, table, seat, [choice], stamp, confirm=True),
            room.tables.turns.undo(intruder, table, seat, stamp),
            room.tables.turns.undo(intruder, table, seat, stamp, choice=choice),
            room.tables.turns.restart(intruder, table, seat, stamp),
            room.tables.turns.confirm(intruder, table, seat, stamp),
            room.tables.previews.preview(intruder, table, seat, [choice]),
            room.tables.previews.why_not(intruder, table, seat, choice),
            room.tables.table_views.legal(intruder, table, seat),
            room.tables.departures.leave(intruder, table, seat),
            room.tables.departures.come_back(intruder, table, seat),
            room.tables.votes.vote(intruder, table, seat, "cancel", True),
            room.tables.table_views.table(intruder, table, seat=seat),
            room.tables.history.moment(intruder, table, 0, seat),
            room.tables.history.export(intruder, table, seat),
        ):
            with refused("not_yours"):
                await call
    with refused("sign_in"):
        await room.tables.turns.choose(None, table, seat, [choice], stamp)


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ([], "malformed"),
        ([10**9], "malformed"),
        ([-1], "malformed"),
        (["place"], "malformed"),
        (["place r99c1 base"], "malformed"),
        (["\x00"], "malformed"),
        ([0] * 65, "malformed"),
        (["place r1c1 double"], "illegal"),
        (["place r1c1 base", "place r1c1 base"], "complete"),
    ],
)
async def test_what_is_no_choice_or_not_offered_is_refused(room: Room, choices: list[int | str], code: str) -> None:
    table, who, seat, stamp, _ = await _someones_turn(room)
    before = await room.view(who.name, table)
    with refused(code):
        await room.tables.turns.choose(who, table, seat, choices, stamp, confirm=True)
    assert await room.view(who.name, table) == before


async def test_who_is_not_asked_cannot_choose(room: Room) -> None:
    table, who, seat, _, choice = await _someones_turn(room)
    other = next(user for user in room.people.values() if user is not who)
    stamp = f"{(await room.view(None, table)).view_sequence}.0"
    with refused("not_asked"):
        await room.tables.turns.choose(other, table, 1 - seat, [choice], stamp, confirm=True)
    why = await room.tables.previews.why_not(other, table, 1 - seat, choice)
    assert why is not None and (why.origin, why.key) == ("table", "not_asked")


async def test_a_choice_after_the_end_is_refused(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    view = await room.view("Ada", table)
    assert view.turn is None
    with refused("over"):
        await room.tables.turns.choose(room.people["Ada"], table, 0, [0], f"{view.view_sequence}.0", confirm=True)


def test_the_prompt_names_who_is_asked_where_several_share_a_device(site: Site) -> None:
    """It does so for a question and for its confirmation."""
    browser = site.browser("Ada")
    prompt = re.compile(r'id="page-prompt" class="prompt">(?:<b class="whom">([^<]+):</b> )?([^<]+)')

    def asked(table: str, seat: int) -> tuple[str | None, str]:
        found = prompt.search(browser.get(f"/t/{table}?seat={seat}").text)
        assert found is not None
        return found[1], found[2].strip()

    shared = site.call(
        site.tables.table_setup.create, browser.user, NewTable("atacama", (ME, SeatPlan("device", "Zoë")))
    )
    site.call(site.tables.table_setup.start, browser.user, shared)
    for _ in range(2):
        view = site.call(site.tables.table_views.table, browser.user, shared)
        name = ("Ada", "Zoë")[view.seat]
        assert asked(shared, view.seat) == (name, "Place one of your rigs on a free field.")
        site.call(site.tables.turns.choose, browser.user, shared, view.seat, [view.turn.legal[0]], view.turn.stamp)
        assert asked(shared, view.seat)[0] == name
        turn = site.call(site.tables.table_views.table, browser.user, shared).turn
        site.call(site.tables.turns.confirm, browser.user, shared, view.seat, turn.stamp)
    alone = site.call(site.tables.table_setup.play_now, browser.user, "atacama")
    site.call(site.tables.table_setup.start, browser.user, alone)
    assert asked(alone, 0)[0] is None
