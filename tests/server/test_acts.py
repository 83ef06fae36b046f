"""A game's log, act by act: in order, complete, with each reader's rights."""

import json
from typing import Any

import pytest

import atoll
from atoll.engine import CHANCE, Game
from atoll.server.domain.model import LogEntry, NewTable
from atoll.server.presentation.pictures import sound_of
from atoll.server.table.playback import acts, moment_after_last_choice
from atoll.testing.shares import give_shares
from tests.toy import GAME as TOY

from .conftest import DEVICE, ME, Browser, Room, Site, refused


def entry(number: int, at: int) -> LogEntry:
    return LogEntry(number, at, "game", "bid", {}, ())


def test_an_act_is_a_choice_with_what_followed_by_itself() -> None:
    """Chance before the first choice belongs to the beginning, later chance to the choice before it."""
    steps = [(0, CHANCE), (1, 0), (2, CHANCE), (3, 1)]
    found = acts(steps, [entry(0, 0), entry(1, 1), entry(2, 2), entry(3, 3), entry(4, 4)], 4, over=False)
    assert [(act.start, act.end, act.seats) for act in found] == [(0, 1, ()), (1, 3, (0,)), (3, 4, (1,))]
    assert [[each.number for each in act.log] for act in found] == [[0, 1], [2, 3], [4]]


def test_the_answers_to_a_sealed_decision_are_one_act() -> None:
    found = acts([(0, 1), (0, 1), (0, 0), (1, 1)], [entry(0, 1), entry(1, 2)], 2, over=False)
    assert [(act.start, act.end, act.seats) for act in found] == [(0, 0, ()), (0, 1, (0, 1)), (1, 2, (1,))]


def test_a_choice_of_which_nothing_is_told_is_part_of_the_seats_next_act() -> None:
    steps = [(0, 0), (1, 0), (2, 1), (3, 0), (4, 0)]
    found = acts(steps, [entry(0, 2), entry(1, 4)], 5, over=False)
    assert [(act.start, act.end, len(act.log)) for act in found] == [(0, 0, 0), (0, 2, 1), (2, 3, 0), (3, 4, 1)]
    assert acts(steps, [], 5, over=True)[-1].end == 5, "after the end nothing more is told of it"


def test_an_act_sounds_like_what_happened_first_of_all_and_else_like_a_piece() -> None:
    def sound(game: Game, *keys: str) -> str:
        return sound_of(game, [LogEntry(0, 0, "game", key, {}, ()) for key in keys])

    assert sound(atoll.games["atlandice"], "search", "took", "gates") == "dice"
    assert sound(atoll.games["atua"], "placed", "card") == "piece"
    assert sound(atoll.games["raiatea"], "went", "drew") == "cards"
    assert sound(atoll.games["wutaki"], "gain") == "coins"
    assert sound(TOY, "bid") == "piece", "a game needs no table"
    assert sound(TOY) == ""


def test_what_a_seat_did_last() -> None:
    steps = [(0, CHANCE), (1, 0), (2, CHANCE), (3, 1), (4, 2)]
    assert [moment_after_last_choice(steps, seat, 5) for seat in (0, 1, 2, 3, None)] == [3, 4, 5, None, None]


@pytest.mark.anyio
async def test_acts_are_told_from_a_moment_on_and_to_each_reader_what_it_may_know(room: Room) -> None:
    names = ("Ada", "Bob", "Cy")
    table = await room.table("toy", *names)
    await room.play(table, *names, most=25)
    for name in (None, *names):
        who = None if name is None else room.people[name]
        whole = await room.tables.history.acts(who, table, since=-1)
        view = await room.view(name, table)
        assert whole.seat == view.seat
        assert [each for act in whole.acts for each in act.log] == list(view.log), "every line once, in order"
        assert all(a.end == b.start for a, b in zip(whole.acts, whole.acts[1:], strict=False))
        middle = whole.acts[len(whole.acts) // 2].end
        rest = await room.tables.history.acts(who, table, since=middle)
        assert rest.acts == tuple(act for act in whole.acts if act.end > middle)
        for act in whole.acts:
            assert (await room.tables.history.moment(who, table, act.end)).sequence == act.end
        since = await room.tables.history.acts(who, table)
        if name is None:
            assert since == whole
        else:
            assert since.acted is not None
            assert not any(view.seat in act.seats for act in since.acts)
    await room.forget()
    assert await room.tables.history.acts(None, table, since=-1) == await room.tables.history.acts(None, table)


@pytest.mark.anyio
async def test_before_the_game_there_are_no_acts(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob", start=False)
    with refused("no_moment"):
        await room.tables.history.acts(None, table)


def seated(site: Site) -> tuple[Browser, str]:
    """Somebody at whose device two seats have chosen once, and the table's address."""
    ada = site.browser("Ada")
    new = NewTable("atacama", (ME, DEVICE), {"start_player": "seat_1"})
    table = site.call(site.tables.table_setup.create, ada.user, new)
    site.call(give_shares, site.tables, table)
    for seat in (0, 1):
        turn = site.call(site.tables.table_views.table, ada.user, table, seat=seat).turn
        sent = {"seat": seat, "stamp": turn.stamp, "choices": str(turn.legal[0]), "confirm": "1"}
        assert ada.post(f"/t/{table}/choose", sent).status_code == 303
    return ada, f"/t/{table}"


def test_the_page_gives_acts_with_their_lines_and_what_they_name(site: Site) -> None:
    ada, path = seated(site)
    told = ada.get(f"{path}/acts?seat=0").json()
    assert told["acted"] == told["acts"][0]["start"]
    (act,) = told["acts"]
    assert act["seats"] == [1]
    (line,) = act["lines"]
    assert {name.split("-")[0] for name in line["names"]} == {"seat", "field"}
    assert line["words"] in ada.get(path).text
    assert ada.get(f"{path}/acts?seat=0&since=0").json()["acts"][-1] == act


def test_a_page_brings_the_acts_since_the_moment_that_it_shows(site: Site) -> None:
    ada, path = seated(site)

    def sent(**headers: str) -> dict[str, Any]:
        text = ada.get(f"{path}?seat=0", headers=headers).text
        found: dict[str, Any] = json.loads(
            text.partition('id="page-data"')[2].partition(">")[2].partition("</script>")[0]
        )
        return found

    every = ada.get(f"{path}/acts?seat=0&since=0").json()
    last = ada.get(f"{path}/acts?seat=0").json()
    fragment = {"x-fragments": ""}
    assert sent(**fragment, **{"x-since": "0"})["acts"] == every["acts"]
    assert sent(**fragment, **{"x-since": "choice"})["acts"] == last["acts"]
    opened = sent()
    assert (opened["acts"], opened["acted"]) == ([], last["acted"])
    assert sent(**fragment)["acts"] == []
    assert ada.get(path, headers={**fragment, "x-since": "soon"}).status_code == 422


def test_the_replay_has_every_act_and_its_links_without_scripts(site: Site) -> None:
    ada, path = seated(site)
    whole = ada.get(f"{path}/replay?seat=0&at=1").text
    assert 'id="page-acts"' in whole
    assert f'href="{path}/replay?at=2&amp;seat=0"' in whole
    fragment = ada.get(f"{path}/replay?seat=0&at=1", headers={"x-fragments": ""}).text
    assert fragment.startswith("<main")
    assert 'id="page-acts"' not in fragment
    assert ada.get(f"{path}/replay?at=99").status_code == 404


def test_the_pace_is_kept_with_and_without_an_account(site: Site) -> None:
    for name in ("Ada", ""):
        browser = site.browser(name)
        assert 'data-pace="normal"' in browser.get("/").text
        answer = browser.post("/settings", {"pace": "fast"}, headers={"x-fragments": ""})
        assert (answer.status_code, answer.text) == (204, "")
        assert 'data-pace="fast"' in browser.get("/").text


@pytest.mark.parametrize(("form", "pace"), [({"theme": "dark"}, "slow"), ({"pace": "warp"}, "normal")])
def test_what_a_form_does_not_name_stays_and_what_is_none_is_as_usual(
    site: Site, form: dict[str, str], pace: str
) -> None:
    browser = site.browser()
    assert browser.post("/settings", {"pace": "slow"}).status_code == 303
    browser.post("/settings", form)
    assert f'data-pace="{pace}"' in browser.get("/").text
