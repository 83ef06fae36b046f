"""The same random games here and in OpenSpiel's `gin_rummy`: all along them the same choices and the same results.

    python examples/gin/tests/test_openspiel.py --games 5000

Cards and deals are set through OpenSpiel's chance nodes. Its choices are numbered as ours are, but that it has one
number for a discard and a card that is laid off, and one for passing and for being done.

Where it differs is said here and held to. OpenSpiel lets at most two cards be laid off at each end of a run. And it
looks for the discard of a knock in the best arrangement of eleven cards alone, though another one can leave less.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from atoll.engine import Options, Position
from atoll_gin import GAME
from atoll_gin.kinds import DEAL, DONE, KNOCK, LAY_OFF
from atoll_gin.melds import deadwood, mask_of
from peers import main, many, pick

pyspiel = pytest.importorskip("pyspiel")

THEIR_PASS = 54
OPTIONS: Options = {"start_player": "seat_1", "tie_undercuts": False}


def theirs(choice: int) -> int:
    """The number of one of our choices in OpenSpiel."""
    if choice in LAY_OFF:
        return LAY_OFF.part(choice)
    return THEIR_PASS if choice == DONE.first else choice


def too_far(state: Any, choice: int) -> bool:
    """Return whether a card would be the third or a later one laid off at one end of a run."""
    if choice not in LAY_OFF:
        return False
    card = LAY_OFF.part(choice)
    return any({card + step, card + 2 * step} <= set(state.laid_off) for step in (-1, 1))


def may_knock(state: Any, seat: int) -> bool:
    """Return whether a discard leaves little enough deadwood, by trying each of them."""
    rests = [mask_of(card for card in state.hands[seat] if card != dropped) for dropped in state.hands[seat]]
    limit: int = state.limit
    return min(deadwood(rest, GAME.components.worths) for rest in rests) <= limit


def is_forced(state: Any) -> bool:
    """Return whether an OpenSpiel player has a single choice."""
    return not state.is_terminal() and not state.is_chance_node() and len(state.legal_actions()) == 1


def play(seed: int, *, oklahoma: bool, clever: float) -> Counter[str]:
    """Play one deal on both sides, compare each decision, and count all that happened.

    Args:
        seed: Seed of the deal.
        oklahoma: Whether the deal follows the Oklahoma variant.
        clever: Share of choices by a greedy bot, so that hands improve; the others are random.
    """
    rng = Random(seed)
    ours: Position = GAME.new(2, {**OPTIONS, "oklahoma": oklahoma})
    state = pyspiel.load_game("gin_rummy", {"oklahoma": oklahoma}).new_initial_state()
    met: Counter[str] = Counter(deals=1)
    while not ours.over:
        if ours.pending_chance:
            cards = sorted(DEAL.part(choice) for choice in ours.outcomes())
            assert cards == sorted(card for card, _ in state.chance_outcomes()), (seed, str(state))
            card = rng.choice(cards)
            ours.apply(DEAL.choice(card))
            state.apply_action(card)
            continue
        (seat,) = ours.to_move
        assert state.current_player() == seat, (seed, str(state))
        options = ours.legal_choices(seat)
        lacking = [choice for choice in options if theirs(choice) not in state.legal_actions()]
        assert sorted(theirs(choice) for choice in options if choice not in lacking) == state.legal_actions(), (
            seed,
            GAME.notation.texts(options),
            str(state),
        )
        for choice in lacking:
            right = may_knock(ours.state, seat) if choice == KNOCK.first else too_far(ours.state, choice)
            assert right, (seed, GAME.text(choice), str(state))
            met["knocks that OpenSpiel lacks" if choice == KNOCK.first else "cards that OpenSpiel lacks"] += 1
        wanted = pick(ours, seed, rng, clever, options)
        choice = rng.choice([each for each in options if each not in lacking]) if wanted in lacking else wanted
        met["decisions"] += 1
        met[GAME.vocabulary.kind_of(choice).name] += 1
        ours.apply(choice, seat)
        state.apply_action(theirs(choice))
        while is_forced(state) and state.current_player() not in ours.to_move:
            state.apply_action(state.legal_actions()[0])  # OpenSpiel asks for forced actions
    assert state.is_terminal(), (seed, str(state))
    one, two = ours.scores()
    assert [one - two, two - one] == state.returns(), (seed, ours.scores(), str(state))
    return met


def deal(seed: int) -> Counter[str]:
    """Play the deal of a seed.

    One deal in three is random, in the others a bot makes most choices. One in four plays Oklahoma.
    """
    return play(seed, oklahoma=seed % 4 == 3, clever=(0.0, 0.7, 0.9)[seed % 3])


def test_openspiel_offers_the_same_and_gives_the_same_results() -> None:
    met = many(deal, 200)
    assert met["deals"] == 200
    for kind in ("take", "draw", "pass", "discard", "knock", "lay", "lay_off", "done"):
        assert met[kind] > 20, kind


if __name__ == "__main__":
    main(deal, __doc__)
