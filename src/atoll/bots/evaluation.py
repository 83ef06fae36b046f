"""What a game tells its bots: an optional module `evaluate.py` beside its rules, with any of these functions.

- `weigh(s, ask) -> list[float]`: for a `Choose`, one number per option: how good it is for the seat that is asked, in
  points of the final score. Only differences count. The greedy bot takes the best; a search tries good ones first.
- `estimate(s) -> list[float]`: per seat the final score to be expected as the table lies. Used to cut play-outs.
- `SPREAD: float`: the lead in points with which three games out of four are won.
- `TUNING: dict`: what the search does otherwise in this game (fields of `Tuning` in search.py).

Both get a whole state in which everything the seat can't know is a guess, so they may read any field, and must change
nothing.
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
    """The knowledge of one game. weigh: None if the game has none. estimate: by default the scores as they stand.

    estimates: whether the game has an estimate of its own. tuning: what it changes in the search.
    """

    weigh: Callable[[Any, Choose], Sequence[float]] | None
    estimate: Callable[[Any], Sequence[float]]
    spread: float = 10.0
    estimates: bool = False
    tuning: Mapping[str, Any] = field(default_factory=dict)


def evaluation(game: Rules) -> Evaluation:
    """What the game's module `evaluate` says, or what can be said without it."""
    found = _KNOWN.get(type(game))
    if found is None:
        name = f"{game.package}.evaluate"
        module = importlib.import_module(name) if importlib.util.find_spec(name) else None
        found = _KNOWN[type(game)] = Evaluation(
            weigh=getattr(module, "weigh", None),
            estimate=getattr(module, "estimate", game.scores),
            spread=getattr(module, "SPREAD", 10.0),
            estimates=hasattr(module, "estimate"),
            tuning=getattr(module, "TUNING", {}),
        )
    return found


def lead(points: Sequence[float], seat: int) -> float:
    """How far a seat is ahead of the best of the others (behind: negative)."""
    others = [value for each, value in enumerate(points) if each != seat]
    return points[seat] - max(others, default=0.0)
