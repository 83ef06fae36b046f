"""Sets: asked pick by pick in one order, clicked in any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

import atoll
from atoll.engine import (
    NO_AMOUNT,
    AmountSet,
    Domain,
    IllegalChoice,
    MalformedChoice,
    Picks,
    Position,
    TurnDraft,
    Vocabulary,
    WrongSeat,
    numbers,
)
from tests.toy import GAME as TOY
from tests.toy.tables import begun, dealt


def choices(*texts: str) -> list[int]:
    return [TOY.parse(text) for text in texts]


WHITE, PINK, BLUE, BLACK = choices("wish white", "wish pink", "wish blue", "wish black")
ENOUGH = TOY.parse("enough")


def wishing() -> Position:
    """Everybody picks one to three colours, in secret."""
    return dealt().position


def twice(position: Position) -> list[int]:
    """Return the members that occur more than once in the set of seat 0's decision."""
    picks = position.decision(0).picks
    return [] if picks is None else [each for each, often in Counter(picks.members).items() if often > 1]


def test_rules_ask_in_one_order() -> None:
    position = wishing()
    position.apply(BLUE, 0)
    assert position.legal_choices(0) == [BLACK, ENOUGH]
    asked = position.view(0)["decision"]
    assert asked["set"] == {
        "members": [WHITE, PINK, BLUE, BLACK],
        "picked": [BLUE],
        "low": 1,
        "high": 3,
        "end": ENOUGH,
    }
    assert asked["about"] == {"n": 2}


def test_a_person_clicks_in_any_order() -> None:
    draft = TurnDraft(wishing(), 0)
    draft.add(BLACK)
    assert draft.legal() == [WHITE, PINK, BLUE, ENOUGH]
    assert (draft.picked, draft.choices) == ([BLACK], [])
    draft.add(PINK)
    draft.add(ENOUGH)
    assert not draft.open
    assert (draft.inputs, draft.choices) == ([BLACK, PINK, ENOUGH], [PINK, BLACK, ENOUGH])
    position = wishing()
    position.apply(draft.choices, 0)
    assert position.sealed_answers == {0: [PINK, BLACK, ENOUGH]}


def test_what_is_confirmed() -> None:
    draft = TurnDraft(wishing(), 0)
    assert draft.final() is None
    draft.add(BLACK)
    assert draft.final() == [BLACK, ENOUGH]
    draft.add([PINK, BLUE])
    assert draft.final() == [PINK, BLUE, BLACK]
    open_turn = TurnDraft(begun().position, 0, choices("play pearl"))
    assert (open_turn.open, open_turn.final()) == (True, None)


def test_what_a_bot_is_told_of_a_set_that_is_being_picked() -> None:
    assert TurnDraft(wishing(), 0, [BLACK, PINK]).choices_in_rule_order() == [PINK, BLACK]
    assert TurnDraft(wishing(), 0).choices_in_rule_order() == []
    first = TOY.parse("play pearl")
    assert TurnDraft(begun().position, 0, [first]).choices_in_rule_order() == [first]


def test_a_complete_set_is_made_at_once() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK, PINK, BLUE])
    assert not draft.open
    assert draft.choices == [PINK, BLUE, BLACK]


def test_a_picked_member_can_be_dropped() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK, PINK])
    assert draft.removable() == [PINK, BLACK]
    draft.remove(BLACK)
    assert (draft.picked, draft.inputs) == ([PINK], [PINK])
    draft.add([BLUE, BLACK])
    assert not draft.open
    assert draft.removable() == [PINK, BLUE, BLACK]
    draft.remove(BLUE)
    assert draft.open
    assert (draft.picked, draft.choices) == ([PINK, BLACK], [])


def test_choosing_what_is_picked_never_drops_it() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK, PINK])
    with pytest.raises(
        IllegalChoice, match="'wish black' doesn't fit into the set: expected one of wish white, wish blue"
    ):
        draft.add(BLACK)
    assert draft.inputs == [BLACK, PINK]


def test_of_equal_members_one_is_dropped_at_a_time() -> None:
    deals = (atoll.games["raiatea"].new(3, seed=seed) for seed in range(20))
    position, equal = next((deal, card) for deal in deals for card in twice(deal))
    draft = TurnDraft(position, 0, [equal])
    assert draft.removable() == [equal]
    assert equal in draft.legal()
    draft.add(equal)
    assert draft.removable() == [equal, equal]
    draft.remove(equal)
    assert (draft.inputs, draft.removable()) == ([equal], [equal])
    draft.remove(equal)
    assert (draft.inputs, draft.removable()) == ([], [])


@pytest.mark.parametrize(("clicks", "can"), [([], "nothing"), ([BLACK, PINK], "wish pink, wish black")])
def test_what_is_not_picked_can_not_be_dropped(clicks: list[int], can: str) -> None:
    draft = TurnDraft(wishing(), 0, clicks)
    with pytest.raises(IllegalChoice, match=f"'wish blue' can't be removed: expected one of {can}$"):
        draft.remove(BLUE)
    with pytest.raises(MalformedChoice):
        draft.remove(10**9)
    assert draft.inputs == clicks


def test_a_set_that_was_ended_is_opened_by_undo_alone() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK, ENOUGH])
    assert draft.removable() == []
    with pytest.raises(WrongSeat, match="the turn is complete"):
        draft.add(BLACK)
    with pytest.raises(IllegalChoice):
        draft.remove(BLACK)
    draft.undo()
    assert (draft.picked, draft.open) == ([BLACK], True)


def test_undo_takes_the_last_click_back() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK, PINK, BLUE])
    draft.undo()
    assert draft.picked == [BLACK, PINK]
    draft.undo()
    assert draft.picked == [BLACK]
    draft.restart()
    assert (draft.picked, draft.inputs) == ([], [])


def test_the_view_of_a_turn_shows_what_is_picked() -> None:
    draft = TurnDraft(wishing(), 0, [BLACK])
    asked = draft.view()["decision"]
    assert asked["options"] == [WHITE, PINK, BLUE, ENOUGH]
    assert asked["set"]["picked"] == [BLACK]


def test_a_turn_made_of_its_clicks_stands_where_it_stood() -> None:
    draft = TurnDraft(wishing(), 0)
    for do, click in ((draft.add, BLACK), (draft.add, PINK), (draft.remove, BLACK), (draft.add, WHITE)):
        do(click)
        again = TurnDraft(wishing(), 0, draft.inputs)
        assert again.view() == draft.view()
        assert (again.picked, again.choices, again.open) == (draft.picked, draft.choices, draft.open)


def test_what_does_not_fit_is_refused_and_nothing_changes() -> None:
    draft = TurnDraft(wishing(), 0)
    with pytest.raises(IllegalChoice, match="'enough' doesn't fit into the set: expected one of wish white, wish pink"):
        draft.add(ENOUGH)
    with pytest.raises(WrongSeat):
        draft.add([BLACK, WHITE, PINK, BLUE])
    assert (draft.picked, draft.inputs) == ([], [])


def test_a_turn_without_sets_has_none() -> None:
    draft = TurnDraft(begun().position, 0)
    assert (draft.picks, draft.picked, draft.removable()) == (None, [], [])


def test_members_that_stand_twice_can_be_picked_twice() -> None:
    picks = Picks([1, 1, 2], 2, 2)
    assert picks.offers([]) == [1, 2]
    assert picks.offers([1]) == [1, 2]
    assert picks.offers([1, 1]) == []
    assert picks.is_whole([2, 1])


def test_what_was_picked_unasked_counts() -> None:
    picks = Picks([1, 1, 2], 3, 3, picked=[1])
    assert picks.offers([1]) == [2]
    assert picks.with_part([2]) == [1, 2]


def test_what_comes_before_a_pick_that_is_final_cannot_be_picked_any_more() -> None:
    position = wishing()
    position.apply(PINK, 0)
    draft = TurnDraft(position, 0)
    assert draft.legal() == [BLUE, BLACK, ENOUGH]
    draft.add([BLACK, BLUE])
    assert draft.choices == [BLUE, BLACK]


def test_members_that_exclude_each_other() -> None:
    picks = Picks([1, 2, 3], 0, 3, 9, fits=lambda part: not {1, 3} <= set(part))
    assert picks.offers([3]) == [2, 9]
    assert picks.offers([]) == [1, 2, 3, 9]
    assert not picks.is_whole([2, 3])


def test_an_order_of_its_own() -> None:
    picks = Picks([3, 1, 2], 0, 3, order=lambda choice: (choice % 3,))
    assert picks.with_part([1, 2, 3]) == [3, 1, 2]


# -- mixes: amounts of several things ---------------------------------------------------------------------------------

JUG = Vocabulary()
POUR = JUG.kind("pour", Domain("drink", ("water", "milk", "tea")), numbers("amount", 0, 9))


def pour(drink: int, amount: int) -> int:
    return POUR.choice(drink, amount)


def four_of(*there: int) -> AmountSet:
    """Four in all, of each drink what there is."""

    def amounts(drink: int, settled: Sequence[int]) -> range:
        left = 4 - sum(each for each in settled if each != NO_AMOUNT)
        rest = sum(have for k, have in enumerate(there) if k != drink and settled[k] == NO_AMOUNT)
        return range(max(0, left - rest), min(left, there[drink]) + 1)

    return AmountSet(POUR, len(there), amounts)


def test_a_mix_holds_one_amount_of_each_thing() -> None:
    picks = four_of(3, 2, 0).picks
    assert picks.members == [pour(0, 2), pour(0, 3), pour(1, 1), pour(1, 2)]
    assert (picks.low, picks.high) == (2, 2)
    assert picks.offers([pour(1, 1)]) == [pour(0, 3)]
    assert picks.is_whole([pour(1, 1)])
    assert not picks.may_hold([pour(0, 2), pour(0, 3)])


def test_a_mix_is_open_until_the_rest_follows() -> None:
    picks = four_of(4, 4, 4).picks
    assert not picks.is_whole([pour(2, 1)])
    assert picks.offers([pour(2, 1)]) == [pour(d, n) for d in (0, 1) for n in range(4)]
    assert picks.is_whole([pour(2, 4)])


def test_a_mix_counts_what_the_rule_has_settled() -> None:
    mix = four_of(4, 4, 4)
    assert mix.options(0) == [pour(0, n) for n in range(5)]
    assert mix.set_amount(0, pour(0, 3)) == 3
    assert mix.picks.picked == [pour(0, 3)]
    assert mix.options(1) == [pour(1, 0), pour(1, 1)]
    mix.set_amount(1, pour(1, 1))
    mix.set_amount(2, pour(2, 0))
    assert mix.picks.picked == [pour(0, 3), pour(1, 1), pour(2, 0)]
    assert mix.settled == [3, 1, 0]


def test_what_others_must_not_learn_is_part_of_a_mix() -> None:
    mix = AmountSet(POUR, 3, lambda drink, settled: [1], asked=[1])
    assert mix.picks.members == [pour(1, 1)]
