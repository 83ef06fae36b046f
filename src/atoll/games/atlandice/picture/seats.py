"""The belongings of the viewer and of each seat."""

from __future__ import annotations

from typing import NamedTuple

from atoll.engine.translations import GameMessages
from atoll.picture import Fact, Region, Row, fragment

from ..view import AtlandiceView
from .drawing import KIND_NAMES, draw
from .names import say


class Belongings(NamedTuple):
    """The belongings of a seat.

    Attributes:
        seat: The seat.
        mine: Whether the viewer sits there.
        score: Its points if the game ended now.
        points: Its points without the final scoring.
        holds: The number of its resources, by kind.
        won: Its tiles.
    """

    seat: int
    mine: bool
    score: int
    points: int
    holds: Row
    won: Row


def regions(words: GameMessages, seen: AtlandiceView) -> list[Region]:
    """Return the belongings of the viewer, then those of each seat."""
    s, live = seen.state, seen.live
    all_of = [
        Belongings(each, each == seen.viewer, live.scores[each], live.points[each], s.holds[each], s.won[each])
        for each in range(seen.seats)
    ]
    found = [] if seen.viewer is None else [mine(words, all_of[seen.viewer])]
    for own in all_of:
        handed = s.handed[own.seat] if seen.has_neutral else None
        found.append(seat(words, own, live.picks[own.seat], handed))
    return found


@fragment
def mine(words: GameMessages, own: Belongings) -> Region:
    """Return the belongings of the viewer."""
    return Region("mine", say(words, "mine"), "hand", (), _facts(words, own))


@fragment
def seat(words: GameMessages, own: Belongings, picks: int, handed: bool | None) -> Region:
    """Return the belongings of a seat, and its tasks in this round.

    For the viewer's seat, only the points are included.

    Args:
        words: The game's messages.
        own: Its belongings.
        picks: The number of dice that it has still to take.
        handed: Whether it has handed a die to the neutral player; None without a neutral player.
    """
    score, *others = _facts(words, own)
    facts = [score.comparison_copy()] if own.mine else [score, *others]
    facts.append(Fact(f"picks-{own.seat}", say(words, "picks"), str(picks), draw("die_symbol"), picks))
    if handed is not None:
        said = say(words, "handed.yes" if handed else "handed.no")
        label, why = say(words, "handed"), words.say("rule.neutral")
        facts.append(Fact(f"handed-{own.seat}", label, said, draw("pawn_symbol"), help=why))
    return Region(f"belongings-{own.seat}", "", "seat", (), facts, seat=own.seat)


def _facts(words: GameMessages, own: Belongings) -> list[Fact]:
    """Return points, resources and tiles. A click on a resource of the viewer donates it."""
    why = say(words, "score.help", points=own.points)
    facts = [Fact(f"score-{own.seat}", say(words, "score"), str(own.score), draw("point_symbol"), own.score, help=why)]
    for kind, count in enumerate(own.holds):
        name, label = KIND_NAMES[kind], words.name("resources", kind)
        choice = f"donate {name} *" if own.mine else ""
        facts.append(Fact(f"hold-{own.seat}-{name}", label, str(count), draw("symbol", kind=name), count, choice))
    count = len(own.won)
    names = ", ".join(words.name("tile", tile) for tile in own.won)
    facts.append(Fact(f"won-{own.seat}", say(words, "won"), str(count), draw("tile_symbol"), count, help=names))
    return facts
