"""The same random games here and in RLCard's `gin-rummy`, limited to the rules that both have.

    python examples/gin/tests/test_rlcard.py --games 1000

RLCard plays a smaller game. The differences, and how the comparison treats them:

- RLCard deals eleven cards to the player that begins. Here this player always takes the first card.
- RLCard forbids to discard a card that was just taken. Here that is legal, and never chosen.
- RLCard forces a player that can have gin to do so, and finds the card to discard.
- At RLCard's wall the last discard can be taken, and the deal continues. Here the player knocks
  with it or passes, and the test passes.
- RLCard ends a deal when its list of moves is full (200). Here it ends after fifty discards.
- RLCard lays the best melds automatically, and nobody lays off. Here the test lays the best melds,
  and nothing off.
- RLCard has no points, only the worth of each hand and the player that knocked.

Both games agree in all decisions, all other discards, the discards with which a player may knock
or has gin, and the worth of each hand. So they agree in the winner and the margin.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from atoll.engine import Position
from atoll_gin import GAME
from atoll_gin.kinds import DEAL, DISCARD, DONE, DRAW, KNOCK, LAY, MELDS, PASS, RANKS, TAKE
from atoll_gin.melds import deadwood, discards_for, mask_of
from atoll_gin.state import DISCARDING, DRAWING, FACING_WALL, LAYING, LAYING_OFF
from peers import main, many, pick

rlcard_game = pytest.importorskip("rlcard.games.gin_rummy.game")
actions = pytest.importorskip("rlcard.games.gin_rummy.utils.action_event")
judge = pytest.importorskip("rlcard.games.gin_rummy.judge")
melding = pytest.importorskip("rlcard.games.gin_rummy.utils.melding")
utils = pytest.importorskip("rlcard.games.gin_rummy.utils.utils")

UNDERCUT = 592
"""The number of a deal in which the knocker is undercut, which is rare."""

SUITS = (0, 3, 2, 1)
"""Ours of theirs, which are spades, hearts, diamonds, clubs."""


def ours_of(card: Any) -> int:
    """Our number of a card of RLCard's."""
    number: int = utils.get_card_id(card)
    return SUITS[number // RANKS] * RANKS + number % RANKS


def worth(hand: list[Any]) -> int:
    """Return RLCard's deadwood count of a hand of ten in its best arrangement."""
    best = melding.get_best_meld_clusters(hand)
    found: int = utils.get_deadwood_count(hand, best[0] if best else [])
    return found


class Pair:
    """One deal on both sides; seat 0 begins.

    Args:
        seed: Seed of the deal.
        clever: Share of choices by a greedy bot.
        patient: Whether nobody knocks without gin.
    """

    def __init__(self, seed: int, *, clever: float, patient: bool) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.clever = clever
        self.patient = patient
        self.met: Counter[str] = Counter(deals=1)
        self.theirs = rlcard_game.GinRummyGame()
        self.theirs.np_random.seed(seed)
        self.theirs.init_game()
        self.first = self.theirs.round.current_player_id
        self.ours: Position = GAME.new(2, {"start_player": "seat_1"})
        hands = [[ours_of(card) for card in self.hand(seat)] for seat in range(2)]
        for card in (*hands[0][:10], *hands[1], hands[0][10]):
            self.ours.apply(DEAL.choice(card))
        self.ours.apply(TAKE.first, 0)

    def hand(self, seat: int) -> list[Any]:
        """RLCard's cards of a seat."""
        hand: list[Any] = self.theirs.round.players[(self.first + seat) % 2].hand
        return hand

    def must_be_same(self, one: Any, two: Any) -> None:
        """Assert that two values are equal."""
        assert one == two, (self.seed, self.met, self.theirs.round.move_sheet[-3:], one, two)

    def step(self, choice: int) -> None:
        """One of our choices, made here."""
        self.ours.apply(choice, self.ours.to_move[0])
        self.met[GAME.vocabulary.kind_of(choice).name] += 1

    def pick(self, among: list[int]) -> int:
        return pick(self.ours, self.seed, self.rng, self.clever, among)

    def play(self) -> Counter[str]:
        """The whole deal, compared decision by decision; the events in it, counted."""
        state: Any = self.ours.state
        while not self.ours.over:
            state = self.ours.state
            (seat,) = self.ours.to_move
            self.must_be_same((self.theirs.get_player_id() - self.first) % 2, seat)
            for each in range(2):
                self.must_be_same(sorted(map(ours_of, self.hand(each))), sorted(state.hands[each]))
                if len(self.hand(each)) == 10:
                    self.must_be_same(
                        worth(self.hand(each)), deadwood(mask_of(state.hands[each]), GAME.components.worths)
                    )
            self.met["decisions"] += 1
            if state.phase == DRAWING:
                self.draw(seat)
            elif state.phase == DISCARDING:
                if self.discard(seat):
                    return self.met
            else:
                self.must_be_same(state.phase, FACING_WALL)
                self.face_wall(seat)
        return self.met

    def draw(self, seat: int) -> None:
        """The stock or the last discard."""
        options = self.ours.legal_choices(seat)
        mine = {actions.PickUpDiscardAction: TAKE.first, actions.DrawCardAction: DRAW.first}
        legal = self.theirs.judge.get_legal_actions()
        self.must_be_same(sorted(mine[type(each)] for each in legal), sorted(options))
        choice = self.pick(options)
        if choice == DRAW.first:
            card = ours_of(self.theirs.round.dealer.stock_pile[-1])
            self.theirs.step(actions.DrawCardAction())
            self.step(choice)
            self.ours.apply(DEAL.choice(card))
        else:
            self.theirs.step(actions.PickUpDiscardAction())
            self.step(choice)

    def discard(self, seat: int) -> bool:
        """A discard, or the end by a knock; says whether the deal is over."""
        state: Any = self.ours.state
        mask = mask_of(state.hands[seat])
        options = self.ours.legal_choices(seat)
        legal = self.theirs.judge.get_legal_actions()
        last = self.theirs.get_last_action()
        gin = [each for each in legal if isinstance(each, actions.GinAction)]
        knocks = sorted(ours_of(each.card) for each in legal if isinstance(each, actions.KnockAction))
        gins = discards_for(mask, GAME.components.worths, 0)
        self.must_be_same(bool(gin), bool(gins))
        self.must_be_same(bool(gin or knocks), KNOCK.first in options)
        if not gin:
            self.must_be_same(knocks, sorted(discards_for(mask, GAME.components.worths, GAME.components.limit)))
            discards = sorted(ours_of(each.card) for each in legal if isinstance(each, actions.DiscardAction))
            is_taken = isinstance(last, actions.PickUpDiscardAction)
            lacking = [state.offered] if is_taken else []
            may = [DISCARD.part(each) for each in options if each in DISCARD]
            self.must_be_same(discards, [card for card in may if card not in lacking])
            choice = self.pick(
                [DISCARD.first + card for card in discards] + [KNOCK.first] * (bool(knocks) and not self.patient)
            )
            if choice != KNOCK.first:
                by_number = {ours_of(each): each for each in self.hand(seat)}
                self.theirs.step(actions.DiscardAction(by_number[DISCARD.part(choice)]))
                self.step(choice)
                return False
        before = {ours_of(card): card for card in self.hand(seat)}
        self.step(KNOCK.first)
        if gin:
            self.theirs.step(gin[0])
            (dropped,) = set(before) - {ours_of(card) for card in self.hand(seat)}
            self.must_be_same(dropped in gins, True)
        else:
            dropped = self.rng.choice(knocks)
            self.must_be_same([DISCARD.part(each) for each in self.ours.legal_choices(seat)], knocks)
            self.theirs.step(actions.KnockAction(before[dropped]))
        self.step(DISCARD.first + dropped)
        self.score(seat)
        return True

    def score(self, knocker: int) -> None:
        """The best melds are laid and nothing is laid off; then both sides must agree on the result."""
        own, other = worth(self.hand(knocker)), worth(self.hand(1 - knocker))
        self.met["gin" if own == 0 else "undercut" if other <= own else "won"] += 1
        while not self.ours.over:
            (seat,) = self.ours.to_move
            state: Any = self.ours.state
            if state.phase == LAYING_OFF:
                self.step(DONE.first)
                continue
            self.must_be_same(state.phase, LAYING)
            hand = mask_of(state.hands[seat])
            least = deadwood(hand, GAME.components.worths)
            best = [
                each
                for each in self.ours.legal_choices(seat)
                if each in LAY and deadwood(hand & ~mask_of(MELDS[LAY.part(each)]), GAME.components.worths) == least
            ]
            self.step(best[0] if best else DONE.first)
        points = [0, 0]
        if own == 0:
            points[knocker] = other + GAME.components.gin
        elif other > own:
            points[knocker] = other - own
        else:
            points[1 - knocker] = own - other + GAME.components.undercut
        self.must_be_same(self.ours.scores(), points)
        for action in (actions.ScoreNorthPlayerAction(), actions.ScoreSouthPlayerAction()):
            self.must_be_same(self.theirs.judge.get_legal_actions(), [action])
            self.theirs.step(action)
        payoffs = self.theirs.judge.scorer.get_payoffs(self.theirs)
        self.must_be_same(payoffs[(self.first + knocker) % 2], 1 if own == 0 else 0.2)
        self.must_be_same(payoffs[(self.first + 1 - knocker) % 2], -other / 100)

    def face_wall(self, seat: int) -> None:
        """Nobody draws any more, and here the deal ends."""
        top = self.theirs.round.dealer.discard_pile[-1]
        knocks, gins = judge.get_going_out_cards([*self.hand(seat), top], GAME.components.limit)
        self.must_be_same(bool(knocks or gins), KNOCK.first in self.ours.legal_choices(seat))
        dead = [
            each for each in self.theirs.judge.get_legal_actions() if isinstance(each, actions.DeclareDeadHandAction)
        ]
        self.must_be_same(len(dead), 1)
        self.step(PASS.first)
        self.must_be_same(self.ours.scores(), [0, 0])
        self.met["walls"] += 1


def deal(seed: int) -> Counter[str]:
    """Play the deal of a seed.

    One deal in three is random, in the others a bot makes most choices. In one of two, players knock
    only with gin.
    """
    return Pair(seed, clever=(0.0, 0.7, 0.95)[seed % 3], patient=seed % 2 == 1).play()


def test_rlcard_offers_the_same_and_gives_the_same_results() -> None:
    met = many(deal, 100) + deal(UNDERCUT)
    assert met["deals"] == 101
    for kind in ("take", "draw", "discard", "knock", "won", "undercut", "gin", "walls"):
        assert met[kind] > 0, kind


if __name__ == "__main__":
    main(deal, __doc__)
