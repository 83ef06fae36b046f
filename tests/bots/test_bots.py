"""The simple bots: legal, repeatable, and better than chance."""

from random import Random

import pytest

import atoll
from atoll import SeatView, bots
from atoll.bots import Bot, EpsilonRandomBot, GreedyBot, RandomBot, derive_seed
from atoll.engine import Position
from atoll.engine.options import OptionValue

GAME = atoll.games["atacama"]


def play(players: list[Bot], seed: int, **options: OptionValue) -> Position:
    """A whole game between these bots."""
    position = GAME.new(len(players), options, seed=seed)
    while not position.over:
        seat = position.to_move[0]
        choices = players[seat].choose(SeatView(position, seat), 1.0, derive_seed(seed, position.sequence))
        position.apply(choices, seat)
    return position


def test_mixed_seeds_depend_on_every_part_and_their_order() -> None:
    assert len({derive_seed(1, 2), derive_seed(2, 1), derive_seed(1), derive_seed(1, 2, 0), derive_seed(0, 1, 2)}) == 5
    assert derive_seed(1, 2) == derive_seed(1, 2)
    assert all(0 <= derive_seed(n) < 2**64 for n in range(100))


@pytest.mark.parametrize("name", bots.bot_names(GAME))
def test_every_bot_plays_legally_and_the_same_with_the_same_seed(name: str) -> None:
    position = GAME.new(2, {"setup": "enhanced", "tactic": True}, seed=5)
    bot = bots.bot(GAME, name, iterations=20)
    for turn in range(8):
        seat = position.to_move[0]
        chosen = bot.choose(SeatView(position, seat), 5.0, turn)
        assert bots.bot(GAME, name, iterations=20).choose(SeatView(position, seat), 5.0, turn) == chosen
        position.apply(chosen, seat)


def test_a_random_bot_reaches_every_choice() -> None:
    position = GAME.new(2, seed=1)
    seat = position.to_move[0]
    legal = position.legal_choices(seat)
    assert {RandomBot().pick(legal, seed) for seed in range(2000)} == set(legal)


def test_equal_values_are_decided_by_the_seed() -> None:
    position = GAME.new(2, {"setup": "enhanced"}, seed=1)
    view = SeatView(position, position.to_move[0])
    gold = {GreedyBot().choose(view, 1.0, seed)[0] for seed in range(40)}
    assert len(gold) > 3, "the first rig before any purchase has many equal fields"


@pytest.mark.parametrize(
    ("seats", "options"), [(2, {}), (2, {"setup": "enhanced", "tactic": True}), (4, {"tactic": True})]
)
def test_greedy_beats_random(seats: int, options: dict[str, OptionValue]) -> None:
    share = 0.0
    for seed in range(24):
        players: list[Bot] = [GreedyBot() if (seat + seed) % 2 else RandomBot() for seat in range(seats)]
        places = play(players, seed, **options).ranking()
        winners = [seat for seat in range(seats) if places[seat] == 1]
        share += sum((seat + seed) % 2 for seat in winners) / len(winners)
    assert share >= 16


@pytest.mark.parametrize("seed", (0, 1, 2, 3, 4, 6, 7, 8, 9, 10))  # the board of 5 is blocked before
def test_greedy_takes_the_best_score_with_the_last_rig(seed: int) -> None:
    position = GAME.new(2, {"tactic": bool(seed % 2)}, seed=seed)
    random = Random(seed)
    while position.state.turn < position.state.turns - 1 and not position.over:
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    assert not position.over
    seat = position.to_move[0]
    leads = {}
    for choice in position.legal_choices(seat):
        trial = position.fork()
        trial.apply(choice, seat)
        leads[choice] = bots.lead(trial.scores(), seat)
    (chosen,) = GreedyBot().choose(SeatView(position, seat), 1.0, seed)
    assert leads[chosen] == max(leads.values())


def test_a_careless_bot_slips_as_often_as_it_is_told() -> None:
    class Fixed:
        def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
            return [-1]

    position = GAME.new(2, seed=1)
    view = SeatView(position, position.to_move[0])
    random = Random(1)
    slips = sum(EpsilonRandomBot(Fixed(), 0.25).choose(view, 1.0, random.getrandbits(60)) != [-1] for _ in range(2000))
    assert 420 <= slips <= 580


def test_unknown_bots_are_refused_with_the_names_that_exist() -> None:
    with pytest.raises(bots.UnknownBot, match=r"unknown bot 'champion' for atacama; known: random, greedy, .*beginner"):
        bots.bot(GAME, "champion")
    assert bots.level_names(GAME)[:2] == ("beginner", "casual")


def test_a_game_without_weights_is_tried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = bots.Evaluation(choice_values=None, expected_scores=GAME.scores, spread=5.0)
    monkeypatch.setattr("atoll.bots.greedy.evaluation", lambda game: knowledge)
    position = GAME.new(2, {"start_player": "seat_1"}, seed=1)
    for text in ["r1c1", "r9c9", "r3c1", "r7c9", "r5c1", "r5c9"]:
        position.apply(GAME.parse(f"place {text} base"), position.to_move[0])
    scores = []
    for choice in position.legal_choices(0):
        trial = position.fork()
        trial.apply(choice, 0)
        scores.append(trial.scores()[0] - trial.scores()[1])
    (chosen,) = GreedyBot().choose(SeatView(position, 0), 10.0, 3)
    position.apply(chosen, 0)
    assert position.scores()[0] - position.scores()[1] == max(scores)


def test_lead_is_measured_against_the_best_of_the_others() -> None:
    assert bots.lead([3, 7, 5], 2) == -2
    assert bots.lead([3, 7, 5], 1) == 2
    assert bots.lead([4], 0) == 4
