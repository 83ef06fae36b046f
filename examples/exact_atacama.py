"""Exact methods on a tiny Atacama: how much a best answer wins against chance, Atoll's bots, and what CFR has found.

    python -m examples.exact_atacama                 # one rig each: seconds
    python -m examples.exact_atacama --rigs 2        # two rigs each: some minutes

Exploitability is what a player wins on average who knows the other's way to play and answers it best; 0 is perfect.
A win counts 1, a loss -1 (Lanctot et al. 2009; Zinkevich et al. 2007).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

from atoll.bots import bot, decide
from atoll.engine import SeatView
from atoll.env import tiny

BOTS = ("greedy", "expert")
ROUNDS = (1, 10, 100, 1000)


class BotPolicy(policy.Policy):  # type: ignore[misc]
    """How one of Atoll's bots plays, as OpenSpiel wants it: the probability of each action."""

    def __init__(self, game: Any, name: str, iterations: int) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._bot = bot(game.game, name, iterations=iterations)
        self._known: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """See OpenSpiel."""
        key = str(state)
        if key not in self._known:
            seat = state.current_player()
            view = SeatView(state.position, seat)
            choice = decide(self._bot, view, 60.0, 1).choices[0]
            self._known[key] = {each: float(each == choice) for each in view.legal}
        return self._known[key]


def of_bots(rigs: int, names: Sequence[str] = BOTS, iterations: int = 200) -> Iterator[tuple[str, float]]:
    """Who, and the exploitability: even chances, then the bots."""
    game = pyspiel.load_game(f"atoll_tiny_atacama(rigs={rigs})")
    yield "even chances", exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    for name in names:
        yield name, exploitability.exploitability(game, BotPolicy(game, name, iterations))


def of_cfr(rigs: int, rounds: Sequence[int] = ROUNDS) -> Iterator[tuple[str, float]]:
    """After how many rounds of counterfactual regret minimisation, and the exploitability."""
    table = tiny.as_tree(pyspiel.load_game(f"atoll_tiny_atacama(rigs={rigs})"))
    solver = pyspiel.CFRSolver(table)
    for done in range(1, max(rounds) + 1):
        solver.evaluate_and_update_policy()
        if done in rounds:
            yield f"CFR, {done} rounds", pyspiel.exploitability(table, solver.average_policy())


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rigs", type=int, default=1, choices=range(1, tiny.MOST_RIGS + 1), help="of each player")
    given = parser.parse_args()
    for found in (of_bots(given.rigs), of_cfr(given.rigs)):
        for name, value in found:
            print(f"{name:<20} {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
