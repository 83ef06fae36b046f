"""Values of choices: sensible in plain cases, and good enough to beat random play."""

from random import Random

import pytest

from atoll.bots import GreedyBot
from atoll.engine import SeatView
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.evaluate import choice_values, expected_scores
from atoll.games.raiatea.kinds import MARKETPLACE, TRADER
from atoll.games.raiatea.learn.positions import BOX, give, lay, prompt, ritual, start, table
from atoll.games.raiatea.valuation import Valuation

from .test_building import building


def likes(t: ScriptedGame) -> str:
    """The choice that the evaluation likes best for the seat to move."""
    seat = t.position.to_move[0]
    ask = t.position.decision(seat)
    values = choice_values(t.state, ask)
    assert len(values) == len(ask.choices)
    return t.position.text(ask.choices[values.index(max(values))])


def test_a_task_is_completed_rather_than_passed() -> None:
    s = table(3)
    lay(s, "s1r1c1", "t1_cond_priests_4")
    give(s, 0, priests=4)
    assert likes(building(s)) == "build s1r1c1"


def test_the_dearer_task_is_left_when_both_bring_the_same() -> None:
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_7")
    lay(s, "s1r3c1", "t1_pearls_4")
    give(s, 0, pearls=9)
    assert likes(building(s)) == "build s1r3c1"


def test_a_twin_is_picked() -> None:
    s = table(3, display="uru gatherer mask_maui_f1 taro")
    give(s, 0, masks="maui")
    assert likes(start(s).play("p0 go forest")) == "pick mask_maui_f1"


def test_a_sacrifice_that_brings_a_rank_is_made() -> None:
    s = table(3)
    give(s, 0, goods="uru", tattoos=1)
    assert likes(start(s).play("p0 go marae")) == "sacrifice uru"


def test_a_trader_makes_the_marketplace_worth_going_to() -> None:
    s = table(3)
    give(s, 0, goods="tiare", exhausted="trader")
    tired = Valuation(s, 0).location(MARKETPLACE, kahuna=True)
    s.exhausted[0][TRADER], s.ready[0][TRADER] = 0, 1
    assert Valuation(s, 0).location(MARKETPLACE, kahuna=True) > tired + 0.5  # two tattoos instead of one


def test_a_free_action_comes_before_what_ends_the_window() -> None:
    s = table(3)
    give(s, 0, rituals="tipa", ready="shaman", priests=3)
    assert likes(start(s)) == "shaman tipa"


def test_the_last_mana_is_bid() -> None:
    s = table(3)
    lay(s, "s1r1c1", "t1_auction")
    give(s, 0, mana=6)
    t = building(s, 3)
    assert prompt(t) == "auction_bid"
    assert likes(t) != "bid 0"  # mana is worth nothing after the last feast


def test_resources_lose_their_worth_at_the_end() -> None:
    s = table(3)
    early = Valuation(s, 0)
    building(s, 3)
    late = Valuation(s, 0)
    assert late.pearl < early.pearl
    assert late.in_hand(ritual("rao")) < early.in_hand(ritual("rao"))
    assert early.ritual(ritual("papa_rai_4")) == late.ritual(ritual("papa_rai_4")) == 4


def test_the_estimate_is_the_score_at_the_end() -> None:
    s = table(3)
    give(s, 0, tattoos=6, pearls=20)
    assert expected_scores(s)[0] > 6
    s.over = True
    assert expected_scores(s) == [6, 0, 0]


def test_every_ritual_can_be_judged_at_every_moment() -> None:
    position = GAME.new(3, {"tane": True}, seed=1)
    rng = Random(1)
    while not position.over:
        seat = position.to_move[0]
        valuation = Valuation(position.state, seat)
        values = [valuation.ritual(card) for card in range(len(BOX.ritual_ids))]
        assert all(-2 < value < 20 for value in values)
        assert all(-5 < value < 120 for value in expected_scores(position.state))
        position.apply(rng.choice(position.legal_choices(seat)), seat)


def wins(games: int, seed: int) -> int:
    """Return the games that one greedy seat wins; seats, numbers of players and variants change."""
    bot = GreedyBot()
    won = 0
    for number in range(seed, seed + games):
        rng = Random(number)
        seats = 3 + number % 3
        me = number // 3 % seats
        options = {"tane": number % 2 > 0, "oracle": number // 2 % 2 > 0, "mana_shortage": number // 4 % 2 > 0}
        position = GAME.new(seats, options, seed=number)
        while not position.over:
            seat = position.to_move[0]
            choice = rng.choice(position.legal_choices(seat))
            if seat == me:
                choice = bot.choose(SeatView(position, seat), 1.0, rng.randrange(1000))[0]
            position.apply(choice, seat)
        won += position.ranking()[me] == 1
    return won


def test_one_greedy_seat_beats_random_ones() -> None:
    assert wins(8, seed=40) >= 7


@pytest.mark.strength
def test_one_greedy_seat_wins_nine_of_ten() -> None:
    assert wins(200, seed=1000) >= 180
