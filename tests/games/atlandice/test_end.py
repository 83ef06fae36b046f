"""The end of the game and the final scoring: AL-7."""

import pytest

from atoll.engine import GameOver
from atoll.engine.languages import LANGUAGES
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.atlandice import GAME

from .tables import KINDS, finish, lay_out, points, stand
from .test_clock import last_pick


def test_the_game_ends_at_once_when_the_hand_reaches_the_last_space() -> None:
    """Rule AL-7.1."""
    table = last_pick(clock=22)
    assert table.position.over
    assert table.events("end_clock") == [{}]
    with pytest.raises(GameOver):
        table.play("p0 search library")


def test_the_hand_stops_on_the_last_space() -> None:
    """Rule AL-3.6, ruling R30."""
    table = last_pick(clock=22, tiles=("engineering_works_3",))
    assert table.position.over
    assert table.state.clock == 23


def test_inn_effect_on_the_last_space_ends_the_game_after_this_search_step() -> None:
    """Rule AL-7.1, ruling R29."""
    table = stand(4, "3 3 5 6 6", tiles=["inn_1", "blacksmith_1"], clock=22).play("p0 search inn", "die 1")
    assert table.state.clock == 23
    assert not table.position.over
    table.play("p1 search blacksmith", "die 2", "p1 gain blacksmith weapon", "p2 search inn", "die 4")
    assert table.state.clock == 23  # R29
    finish(table)
    assert table.position.over
    assert table.events("end_inn") == [{}]
    assert table.events("clock") == []  # no step 3
    assert table.state.round == 1  # no step 4


def test_the_game_ends_when_all_districts_are_used_up() -> None:
    """Rule AL-7.1, ruling R28."""
    used_up = ["jewelers", "library", "inn", "engineering_works"]
    stock = {"blacksmith": "1 weapon"}
    table = stand(4, "5 5 6", tiles=["blacksmith_1"], stock=stock, used_up=used_up, last=["blacksmith"])
    table.play("p2 search blacksmith", "die 1")
    assert table.position.over
    assert table.events("end_sunk") == [{}]
    assert table.position.scores() == [0, 0, 3, 0]
    assert not any(any(hold) for hold in table.state.holds)


def test_final_scoring_of_each_kind_wherever_the_rest_lies() -> None:
    """Rule AL-7.2."""
    holds = ["3 gem 1 book", "1 gem 1 book", "1 gem 4 tool", "1 weapon"]
    table = last_pick(clock=22, holds=holds)
    assert table.position.scores() == [3 + 3, 1 + 3, 1 + 3, 3]


def test_final_scoring_has_no_second_behind_a_tie() -> None:
    """Rule AL-7.2."""
    table = last_pick(clock=22, holds=["2 gem", "2 gem", "1 gem", ""])
    assert table.position.scores() == [3, 3, 0, 0]


def test_used_up_kinds_give_nothing_in_the_end() -> None:
    """Rule AL-7.2."""
    table = last_pick(clock=22, holds=["1 gem"], used_up=["library"])
    assert table.position.scores() == [3, 0, 0, 0]


def test_most_points_win_and_ties_share() -> None:
    """Rule AL-7.3."""
    assert last_pick(clock=22, holds=["2 gem", "2 book", "1 gem", ""]).position.ranking() == [1, 1, 3, 4]


def test_points_are_explained_by_source() -> None:
    """Rule AL-7.2."""
    s = lay_out(4, "4 6", clock=22, holds=["2 gem", "1 gem", "", ""])
    s.won[0] = [0, 4]
    s.ties[0][2] = 1
    s.seconds[0][3] = 2
    s.inventories[0][1] = 1
    s.inventories[0][5] = 2
    s.donations[0] = 4
    table = ScriptedGame.at(GAME, s).play("p3 search black_market")
    lines = {line.key: line.points for line in table.position.explain()[0]}
    assert lines == {"tiles": 6, "ties": 3, "seconds": 2, "inventories": 3, "donations": 4, "final": 3}
    assert table.position.scores()[0] == points(table, 0) + 3 == 21
    for line in table.position.explain()[0]:
        assert not line.parts or sum(part.points for part in line.parts) == line.points


def test_the_end_says_why_a_kind_brings_points() -> None:
    """Rule AL-7.2."""
    holds = ["3 gem 2 book", "2 gem 2 book 1 tool", "1 tool 2 gem", ""]
    table = last_pick(clock=22, holds=holds)
    found = []
    for seat, lines in enumerate(table.position.explain()):
        for line in lines:
            if line.key == "final":
                found += [(seat, part.key, part.fields["resource"]) for part in line.parts]
    gem, book = KINDS.index("gem"), KINDS.index("book")
    assert (0, "held_first", gem) in found
    assert {(1, "held_second_tied", gem), (2, "held_second_tied", gem)} <= set(found)
    assert {(0, "held_first_tied", book), (1, "held_first_tied", book)} <= set(found)
    for language in LANGUAGES:
        for lines in table.position.explain():
            for line in lines:
                assert all(GameMessages(GAME, language).score(part) for part in line.parts)
