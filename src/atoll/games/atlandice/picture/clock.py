"""The clock in the middle of the city, before the sky and the sea."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment
from atoll.picture.svg_macros import shorten, text_width

from ..components import AtlandiceComponents
from ..kinds import AREAS, KINDS
from ..state import SEARCH_AREAS
from ..view import AtlandiceView
from .drawing import KIND_NAMES, NARROW, draw
from .names import PLAIN_SPACES, holder_name, say, space_text

CLOCK: Final = (900, 548)
"""The width and height of the drawing. The night and the sea behind it reach beyond its edges."""

_CENTER: Final = (450, 274)
_RING: Final = (254, 186)
_STOPS: Final = (158, 30)  # distance of the first die from the center, and between two dice
_SKY: Final = (888, 226, 35)  # the right end of a line in the sky, its greatest length, the size of its text
_SEA: Final = (1200, 70)  # the height of the sea in the city when the hand is on the first space, and on the last


def region(words: GameMessages, seen: AtlandiceView) -> Region:
    """Return the clock of a view."""
    s, live = seen.state, seen.live
    ahead = []
    if s.phase == SEARCH_AREAS:
        for index in sorted(set(live.stop)):
            areas = tuple(area for area in range(AREAS) if live.dice[area] and live.stop[area] == index)
            if areas and index > s.clock:
                ahead.append((index, areas))
    return clock(words, seen.seats, s.round, s.start_player, s.clock, live.inventories, *ahead)


@fragment
def clock(
    words: GameMessages,
    seats: int,
    number: int,
    starter: int,
    now: int,
    winners: tuple[Row, ...],
    *ahead: tuple[int, Row],
) -> Region:
    """Return the spaces around the hand, which stands on one of them.

    Args:
        words: The game's messages.
        seats: The number of seats.
        number: The round.
        starter: The start player.
        now: The space of the hand.
        winners: For each space, the holders that would win its inventory now.
        *ahead: The spaces where the hand may stop. Each comes with the areas whose die would have
            to be the last.
    """
    last = len(winners) - 1
    parts: list[Markup | Fragment] = [backdrop(), sea(now, last), sky(words, number, starter), _face()]
    parts += [space(words, seats, index, (index > now) - (index < now), *won) for index, won in enumerate(winners)]
    parts += [stop(words, index, *areas) for index, areas in ahead]
    parts.append(hand(words, now, last))
    return Region("clock", say(words, "clock"), "board", [Drawing.of_parts("clock", *CLOCK, tuple(parts))], flow="fit")


@fragment
def backdrop() -> Fragment:
    """Return the city in the night."""
    return Fragment.of(draw("backdrop"))


@fragment
def sea(now: int, last: int) -> Fragment:
    """Return the sea, which rises with the hand.

    Args:
        now: The space of the hand.
        last: The last space.
    """
    low, high = _SEA
    return Fragment.of(draw("sea", height=low - (low - high) * (now / last)))


@fragment
def sky(words: GameMessages, number: int, starter: int) -> Markup:
    """Return the round and its start player, written over the city.

    Args:
        words: The game's messages.
        number: The round.
        starter: The start player.
    """
    end, width, size = _SKY
    label = say(words, "round")
    text = shorten(say(words, "starts", seat=starter), width - 32, size * NARROW)
    shown = {
        "x": end,
        "round": number,
        "round_name": f"{label}: {number}",
        "round_text": f"{label} {number}",
        "starter": starter,
        "starter_name": f"{say(words, 'start_player')}: {words.seat(starter)}",
        "starter_text": text,
        "starter_mark": end - text_width(text, size * NARROW) - 16,
        "width": width,
    }
    return draw("sky", sky=shown)


@fragment
def _face() -> Markup:
    outer, inner = _RING
    return draw("face", x=_CENTER[0], y=_CENTER[1], outer=outer, inner=inner)


@fragment
def space(words: GameMessages[AtlandiceComponents], seats: int, index: int, side: int, *winners: int) -> Fragment:
    """Return a space of the clock.

    Args:
        words: The game's messages.
        seats: The number of seats.
        index: The space.
        side: -1 if the hand has passed it, 0 if the hand is there, 1 if it lies ahead.
        *winners: The holders that would win its inventory now.
    """
    spaces = words.game.components.spaces
    half = pi / len(spaces)
    middle = 2 * pi * index / len(spaces)
    outer, inner = _RING
    corners = [_point(outer, middle - half), _point(outer, middle + half)]
    corners += [_point(inner, middle + half), _point(inner, middle - half)]
    x, y = _point((outer + inner) / 2, middle)
    what = spaces[index]
    names = ", ".join(holder_name(words, seats, each) for each in winners)
    shown = {
        "id": f"space-{index}",
        "corners": corners,
        "x": x,
        "y": y,
        "sign": KIND_NAMES[what] if 0 <= what < KINDS else PLAIN_SPACES[what],
        "passed": side < 0,
        "now": side == 0,
        "name": say(words, "space", space=index, what=space_text(words, index)),
        "help": say(words, "winners", holders=names) if winners else "",
    }
    return Fragment.of(draw("wedge", space=shown))


@fragment
def stop(words: GameMessages[AtlandiceComponents], index: int, *areas: int) -> Fragment:
    """Return the dice that point to a space where the hand may stop.

    Args:
        words: The game's messages.
        index: The space.
        *areas: The areas whose die would have to be the last.
    """
    first, apart = _STOPS
    angle = 2 * pi * index / len(words.game.components.spaces)
    places = [_point(first - apart * place, angle) for place in range(len(areas))]
    cubes = [{"face": area + 1, "x": x, "y": y} for area, (x, y) in zip(areas, places, strict=True)]
    shown = {"id": f"stop-{index}", "name": say(words, "stops", space=index, area=areas), "cubes": cubes}
    return Fragment.of(draw("stop", stop=shown))


@fragment
def hand(words: GameMessages, now: int, last: int) -> Markup:
    """Return the hand of the clock.

    Args:
        words: The game's messages.
        now: The space of the hand.
        last: The last space.
    """
    shown = {
        "x": _CENTER[0],
        "y": _CENTER[1],
        "inner": _RING[1],
        "angle": 360 * now / (last + 1),
        "name": say(words, "hand", space=now, last=last),
        "help": words.say("rule.clock"),
        "now": now,
    }
    return draw("hand", clock=shown)


def _point(radius: float, angle: float) -> tuple[float, float]:
    return _CENTER[0] + radius * sin(angle), _CENTER[1] - radius * cos(angle)
