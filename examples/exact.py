"""Exact methods on small games: how much a best answer wins against chance, Atoll's bots, and what CFR has found.

    python -m examples.exact                               # a tiny Atacama: seconds
    python -m examples.exact "atoll_tiny_atacama(rigs=2)"  # some minutes
    python -m examples.exact atoll_tiny_atua               # a tiny Atua: seconds
    python -m examples.exact atoll_tiny_wutaki             # a tiny Wutaki: a minute
    python -m examples.exact atoll_late_raiatea            # the end of a game for three

Exploitability is what a player wins on average who knows the others' way to play and answers it best; 0 is perfect.
A win counts 1, the last place -1 (Lanctot et al. 2009; Zinkevich et al. 2007).
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
from atoll.env import endgames, tiny, tiny_atua, tiny_wutaki  # noqa: F401 - they enter their games

BOTS = ("greedy", "expert")
ROUNDS = (1, 10, 100, 1000)


class BotPolicy(policy.Policy):  # type: ignore[misc]
    """One of Atoll's bots as an OpenSpiel policy: the probability of each action."""

    def __init__(self, game: Any, name: str, iterations: int) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._bot = bot(game.game, name, iterations=iterations)
        self._known: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the probability of each action."""
        key = str(state)
        if key not in self._known:
            seat = state.current_player()
            view = SeatView(state.position, seat)
            choice = state.representative(decide(self._bot, view, 60.0, 1).choices[0])
            self._known[key] = {each: float(each == choice) for each in state.legal_actions()}
        return self._known[key]


def of_bots(game: Any, names: Sequence[str] = BOTS, iterations: int = 200) -> Iterator[tuple[str, float]]:
    """Yield the name and exploitability of uniformly random play and of each bot."""
    players = game.num_players()
    yield "even chances", exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) / players
    for name in names:
        yield name, exploitability.nash_conv(game, BotPolicy(game, name, iterations)) / players


def of_cfr(game: Any, rounds: Sequence[int] = ROUNDS) -> Iterator[tuple[str, float]]:
    """After how many rounds of counterfactual regret minimization, and the exploitability."""
    table = tiny.as_tree(game)
    solver = pyspiel.CFRSolver(table)
    for done in range(1, max(rounds) + 1):
        solver.evaluate_and_update_policy()
        if done in rounds:
            yield f"CFR, {done} rounds", pyspiel.nash_conv(table, solver.average_policy()) / game.num_players()


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="atoll_tiny_atacama", help="as OpenSpiel knows it")
    game = pyspiel.load_game(parser.parse_args().game)
    for found in (of_bots(game), of_cfr(game)):
        for name, value in found:
            print(f"{name:<20} {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
