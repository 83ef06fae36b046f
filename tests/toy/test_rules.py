"""One test or more for each heading of the toy's rulebook: the model for the tests of a game."""

import pytest

from atoll.engine import IllegalChoice, OptionError
from atoll.engine.scripted_game import ScriptedGame

from . import GAME
from .kinds import PLAY
from .tables import begun, dealt, wished


def test_preparation_gives_shells_charm_and_hand() -> None:
    """Rule TO-1.1."""
    table = dealt()
    assert table.state.shells == [[1, 1, 1, 1], [1, 1, 1, 1]]
    assert table.state.charms == [0, 1]
    assert table.state.hands == [[0, 1, 3], [1, 2, 5]]


def test_preparation_turn_order_runs_clockwise() -> None:
    """Rule TO-1.1."""
    assert ScriptedGame(GAME, 3).play("start 2").state.order == [2, 0, 1]


def test_preparation_needs_enough_cards() -> None:
    """Rule TO-1.1."""
    with pytest.raises(OptionError, match="'long' needs more cards"):
        ScriptedGame(GAME, 4, {"deal": "long"})


def test_wishes_are_chosen_in_ascending_order_and_up_to_three() -> None:
    """Rule TO-1.2."""
    table = dealt().play("p0 wish pink")
    assert table.options(0) == ["wish blue", "wish black", "enough"]
    table.play("p0 wish blue", "p0 wish black")
    assert table.position.to_move == (1,)


def test_wishes_and_their_number_stay_secret() -> None:
    """Rule TO-1.2."""
    table = dealt().play("p0 wish white", "p0 wish pink", "p0 enough", "p1 wish blue", "p1 enough")
    assert table.state.wishes == [[0, 1], [2]]
    assert table.position.view(1)["state"]["wishes"] == [None, [2]]
    assert table.position.view_record(1)[-3:] == [[0, None], [1, 2], [1, 4]]


def test_bidding_puts_higher_bids_first_and_equal_ones_keep_their_order() -> None:
    """Rule TO-2.1."""
    table = wished(3).play("p0 bid 1", "p1 bid 2", "p2 bid 1")
    assert table.state.order == [1, 0, 2]


def test_bidding_only_the_first_pays_in_any_mix() -> None:
    """Rule TO-2.1."""
    table = wished().play("p0 bid 1", "p1 bid 3")
    assert table.options(1) == ["pay white 0", "pay white 1"]
    table.play("p1 pay white 0")
    assert table.state.shells == [[1, 1, 1, 1], [1, 0, 0, 0]]  # the rest had to be paid with all others
    assert table.state.paid == [0, 3]


@pytest.mark.parametrize(("die", "shells"), [(1, [3, 1, 1, 1]), (4, [1, 1, 1, 3]), (6, [1, 1, 1, 1])])
def test_roll_brings_shells(die: int, shells: list[int]) -> None:
    """Rule TO-2.3."""
    assert begun(die=die).state.shells[0] == shells


def test_a_turn_is_a_roll_and_two_actions_of_which_rest_is_one() -> None:
    """Rule TO-2.2."""
    table = begun().play("p0 rest")
    assert table.position.to_move == (0,)
    assert table.play("p0 rest", "die 6").position.to_move == (1,)
    assert len(table.events("rested")) == 2


def test_roll_of_five_brings_a_shell_of_ones_choice() -> None:
    """Rule TO-2.3."""
    table = begun(die=5)
    assert table.options(0) == ["take white", "take pink", "take blue", "take black"]
    assert table.play("p0 take pink").state.shells[0] == [1, 2, 1, 1]


def test_dive_keeps_one_of_two_and_puts_the_other_back() -> None:
    """Rule TO-2.4."""
    table = begun().play("p0 dive", "draw turtle", "draw gale")
    assert table.options(0) == ["keep gale", "keep turtle"]
    table.play("p0 keep turtle")
    assert table.state.hands[0] == [0, 1, 3, 4]
    assert table.state.deck.count(2) == 3
    assert table.position.view(1)["state"]["hands"][0] == {"count": 4}


def test_dive_takes_the_discards_when_the_deck_is_empty() -> None:
    """Rule TO-2.4."""
    table = begun()
    table.state.discard, table.state.deck = table.state.deck, []
    table.play("p0 dive", "draw song")
    assert table.state.discard == []
    assert len(table.events("reshuffled")) == 1


def test_give_is_known_to_giver_and_receiver_only() -> None:
    """Rule TO-2.5."""
    table = begun(3).play("p0 give", "p0 receiver 2", "p0 gift song")
    seen = [table.position.view(viewer)["state"]["gifts"][2] for viewer in (0, 1, 2, None)]
    assert seen == [{"count": 1, "known": [3]}, {"count": 1, "known": []}, [3], {"count": 1, "known": []}]
    assert table.play("p0 take blue").state.shells[0] == [1, 1, 2, 1]


def test_give_isnt_offered_without_the_option() -> None:
    """Rule TO-2.5."""
    assert "give" in begun().options(0)
    assert "give" not in begun(gifts=False).options(0)


def test_play_needs_the_price() -> None:
    """Rule TO-2.6."""
    table = begun().play("p0 play pearl")
    assert table.state.played[0] == [0]
    table.play("p0 pay white 1", "p0 pay pink 1", "p0 pay blue 1")
    assert "play song" not in table.options(0)
    with pytest.raises(IllegalChoice, match="'play song' isn't offered to seat 0"):
        table.play("p0 play song")


def test_effect_calm_changes_nothing_but_the_price() -> None:
    """Rule TO-3.1."""
    before = begun()
    after = begun().play("p0 play pearl", "p0 pay white 1", "p0 pay pink 1", "p0 pay blue 1")
    assert after.state.shells == [[0, 0, 0, 1], before.state.shells[1]]
    assert after.state.hands[1] == before.state.hands[1]
    assert after.state.discard == []


def test_effect_shells() -> None:
    """Rule TO-3.2."""
    table = begun().play("p0 play net", "p0 pay white 0", "p0 pay pink 0", "p0 pay blue 0")
    assert table.play("p0 take black", "p0 take black").state.shells[0] == [1, 1, 1, 2]


def test_effect_storm_asks_the_others_in_turn_order() -> None:
    """Rule TO-3.3."""
    table = wished(3).play("p0 bid 0", "p1 bid 1", "p2 bid 0", "p1 pay white 1", "die 6", "p1 play gale")
    table.play("p1 pay pink 1", "p1 pay blue 1")
    assert table.position.to_move == (0,)
    assert table.options(0)[:4] == ["discard pearl", "discard net", "discard song", "return white"]
    table.play("p0 discard song", "p2 return black")
    assert table.state.discard == [3]
    assert table.state.shells[2] == [1, 1, 1, 0]


def test_effect_storm_spares_who_has_nothing() -> None:
    """Rule TO-3.3."""
    table = begun(3)
    table.state.shells[1] = [0] * 4
    table.state.hands[1] = []
    table.state.hands[0] = [2]
    table = ScriptedGame.at(GAME, table.state).play("p0 play gale", "p0 pay white 1", "p0 pay pink 1")
    assert table.position.to_move == (2,)
    assert table.events("spared") == [{"seat": 1}]


def test_effect_echo_may_be_answered_by_another_echo() -> None:
    """Rule TO-3.4."""
    table = begun(3).play("p0 play song", "p0 pay white 1", "p0 pay pink 1", "p0 echo 2")
    assert table.options(2) == ["play net", "play song", "rest"]
    table.play("p2 play song", "p2 echo 1", "p1 play raft")
    assert table.state.played == [[3], [5], [3]]
    assert table.state.paid == [2, 0, 0]
    assert table.position.to_move == (0,)


def test_end_after_the_last_round() -> None:
    """Rule TO-4.1."""
    table = begun(rounds=1).play("p0 rest", "p0 rest", "die 6", "p1 rest", "p1 rest")
    assert table.position.over
    assert table.events("end_rounds") == [{}]


def test_end_when_somebody_has_enough_open_cards() -> None:
    """Rule TO-4.1."""
    table = begun()
    table.state.played[0] = [5, 5, 0]
    table.state.hands[0] = [0]
    table = ScriptedGame.at(GAME, table.state, {"rounds": 6}).play("p0 play pearl", "p0 pay white 1", "p0 pay pink 1")
    table.play("p0 pay blue 1", "p0 rest", "die 6", "p1 rest")
    assert not table.position.over
    table.play("p1 rest")
    assert table.events("end_goal") == [{}]


def test_end_counts_cards_charm_wishes_and_gifts() -> None:
    """Rule TO-4.2."""
    table = begun(die=1).play("p0 give", "p0 gift song", "p0 take white")
    table.play("p0 play pearl", "p0 pay white 1", "p0 pay pink 1", "p0 pay blue 1")
    lines = [[(line.key, line.points) for line in lines] for lines in table.position.explain()]
    assert lines == [[("cards", 3), ("charm", 3), ("wish", 2)], [("charm", 1), ("wish", -1), ("gifts", 1)]]
    assert table.position.scores() == [8, 1]


def test_end_ties_go_to_who_has_paid_less() -> None:
    """Rule TO-4.3."""
    state = begun(3).state
    state.charms = [-1] * 3
    assert GAME.ranking(state) == [1, 1, 1]
    state.paid = [3, 2, 2]
    assert GAME.ranking(state) == [3, 1, 1]
    state.played[0] = [PLAY.part(GAME.parse("play pearl"))]
    assert GAME.ranking(state) == [1, 2, 2]


@pytest.mark.parametrize(
    ("choice", "reason"),
    [("play turtle", "not_in_hand"), ("play pearl", "too_expensive"), ("keep net", "first"), ("rest", None)],
)
def test_reasons(choice: str, reason: str | None) -> None:
    state = begun().state
    state.shells[0] = [0, 0, 1, 1]
    found = GAME.why_not(ScriptedGame.at(GAME, state).position.view(0), GAME.parse(choice))
    assert (found.key if found else None) == reason
