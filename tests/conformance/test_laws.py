"""The laws, for every game with a pairwise choice of seats and options; `make fuzz` tries all of them.

`ATOLL_FUZZ_MINUTES` is how long `make fuzz` looks at each game.
"""

from __future__ import annotations

import os
import random
import time

import pytest

from atoll.engine.options import OptionValue
from atoll.testing import LAWS, Case, Effort, Law, cases
from atoll.testing.play import random_game
from atoll.testing.transcript import in_other_process
from tests.toy import GAME as TOY

from .installed import load_games

GAMES, BROKEN = load_games()
PATHS = {id: "tests.toy:GAME" if game is TOY else id for id, game in GAMES.items()}
THOROUGH = Effort(moments=16, choices=8, steps=16, twins=10)
HASH_SEEDS = (1, 3)  # a set of texts has another order with each


@pytest.mark.parametrize("game", [*GAMES, *BROKEN])
def test_game_can_be_imported(game: str) -> None:
    assert game not in BROKEN, BROKEN[game]


# All laws for a case run in one process, so that its random game is played once.
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=str(case), marks=pytest.mark.xdist_group(str(case))) for case in cases(GAMES)]
)
def test_law(case: Case, law: Law) -> None:
    law(case, THOROUGH if case.game is TOY else Effort())


@pytest.mark.parametrize("game", GAMES)
def test_processes_agree(game: str) -> None:
    one, two = (in_other_process([PATHS[game]], 1, hash_seed) for hash_seed in HASH_SEEDS)
    assert len(one) > 10
    assert one == two


@pytest.mark.parametrize("game", GAMES)
def test_every_pair_of_options_and_seats_is_tried(game: str) -> None:
    every = [
        {"seats": seats, **options}
        for seats in GAMES[game].seat_counts
        for options in GAMES[game].option_sets(seats) or pytest.fail(f"no options are allowed with {seats} seats")
    ]
    tried = [{"seats": case.seats, **case.options} for case in cases({game: GAMES[game]})]
    assert _pairs(tried) == _pairs(every)


def _pairs(sets: list[dict[str, OptionValue]]) -> set[tuple[str, object, str, object]]:
    return {(*one, *two) for options in sets for one in options.items() for two in options.items()}


@pytest.mark.fuzz
@pytest.mark.parametrize("game", GAMES)
def test_fuzz(game: str) -> None:
    end = time.monotonic() + 60 * float(os.environ.get("ATOLL_FUZZ_MINUTES", "5"))
    started = False
    while not started or time.monotonic() < end:
        started = True
        for case in cases({game: GAMES[game]}, every=True, seed=random.SystemRandom().randrange(10**9)):
            for law in LAWS:
                try:
                    law(case, THOROUGH)
                except Exception as error:
                    error.add_note(f"{law.__name__}(Case({game}, {case.seats}, {case.chosen}, {case.seed}), THOROUGH)")
                    raise
            random_game.cache_clear()
            if time.monotonic() > end:
                break
