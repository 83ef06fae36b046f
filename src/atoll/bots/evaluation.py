"""A game's knowledge for bots: an optional module `evaluate.py` next to its rules.

The module may define any of these:

- `choice_values(s, ask) -> list[float]`: for a `Choose`, the value of each choice for its seat, in
  points of the final score. Only differences count. The greedy bot takes the best choice; a search
  tries good ones first.
- `expected_scores(s) -> list[float]`: the expected final score of each seat. Used to cut rollouts
  short.
- `SPREAD: float`: the lead in points that wins three games out of four.
- `TUNING: dict`: parameters of the search that differ in this game (`SearchParameters` in
  `search.py`).

Both functions get a determinized state. They may read any field and must change nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from atoll.engine import Choose, Rules

_KNOWN: dict[type[Rules], Evaluation] = {}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The knowledge of one game.

    Attributes:
        weigh: Value of each choice for the seat that is asked, in points; None if the game has
            none.
        estimate: Expected final scores; the current scores if the game has no function for it.
        spread: Lead in points that wins three games out of four.
        estimates: Whether the game has its own `expected_scores`.
        tuning: Parameters of the search that differ in this game.
    """

    choice_values: Callable[[Any, Choose], Sequence[float]] | None
    expected_scores: Callable[[Any], Sequence[float]]
    spread: float = 10.0
    estimates: bool = False
    tuning: Mapping[str, Any] = field(default_factory=dict)


def evaluation(game: Rules) -> Evaluation:
    """Return the knowledge in the game's module `evaluate`, with defaults for missing parts."""
    found = _KNOWN.get(type(game))
    if found is None:
        name = f"{game.package}.evaluate"
        module = importlib.import_module(name) if importlib.util.find_spec(name) else None
        found = _KNOWN[type(game)] = Evaluation(
            choice_values=getattr(module, "choice_values", None),
            expected_scores=getattr(module, "expected_scores", game.scores),
            spread=getattr(module, "SPREAD", 10.0),
            estimates=hasattr(module, "expected_scores"),
            tuning=getattr(module, "TUNING", {}),
        )
    return found


def lead(points: Sequence[float], seat: int) -> float:
    """Return the lead of a seat over the best other seat; negative if it is behind."""
    others = [value for each, value in enumerate(points) if each != seat]
    return points[seat] - max(others, default=0.0)
