"""The areas of the city with their resources, the dice at their gates and the submarine."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment
from atoll.picture.svg_macros import wrap

from .. import effects
from ..components import AtlandiceComponents
from ..kinds import AREAS, BLACK_MARKET, DISTRICTS
from ..state import USED_UP
from ..tile_texts import tile_text
from ..view import AtlandiceTable, AtlandiceView
from .drawing import AREA_NAMES, KIND_NAMES, draw
from .names import area_name, say, space_text, stakes_text, tile_at
from .signs import all_steps, effect_signs

PANEL: Final = (292, 326)
"""The width and height of an area."""

_GATE: Final = 297  # the height of the middle of the dice
_BERTH: Final = 88  # the width that the submarine takes at a gate
_DIE: Final = 62.0  # the distance between two dice if there are few; each can be clicked in this width
_PAWN: Final = 62  # the width that a pawn takes there


class Area(NamedTuple):
    """An area as it is shown.

    Attributes:
        id: The area.
        tile: Its tile; see `tile_at`.
        below: The tiles below.
        stock: The number of resources there, by kind.
        dice: The faces of the dice at its gate, from 0.
        hands: The number of clock hands printed there.
        stop: The space where the hand would stop if the last die stayed here.
        stakes: The points of each holder if it were scored now.
        searched: Whether it is being searched.
        moves: Whether the running effect moves a resource from here.
        submarine: Whether the submarine lies here.
        either: Whether the viewer may search for itself or for the neutral player.
    """

    id: int
    tile: int
    below: Row
    stock: Row
    dice: Row
    hands: int
    stop: int
    stakes: Row
    searched: bool
    moves: bool
    submarine: bool
    either: bool

    @property
    def name(self) -> str:
        """The name of the area in choices."""
        return AREA_NAMES[self.id]

    @property
    def searches(self) -> list[str]:
        """The searches that a click on the area or its dice can mean.

        Those of the pawn are left out.
        """
        return [f"search {self.name}"] if self.either else [f"search {self.name}", f"search_neutral {self.name}"]


def regions(words: GameMessages[AtlandiceComponents], seen: AtlandiceView) -> list[Region]:
    """Return the areas of a view."""
    s, live = seen.state, seen.live
    sources = _sources(words.game.components, s)
    either = seen.asks("search_either")
    found = []
    for each in range(AREAS):
        shown = Area(
            id=each,
            tile=tile_at(s, each),
            below=s.below[each] if each < DISTRICTS else (),
            stock=s.stock[each],
            dice=_faces(s, each),
            hands=live.hands[each],
            stop=live.stop[each],
            stakes=live.stakes[each] if each < DISTRICTS else (),
            searched=each == s.here,
            moves=each in sources,
            submarine=each == s.submarine,
            either=either,
        )
        found.append(area(words, seen.seats, s.round, shown))
    return found


def _faces(s: AtlandiceTable, area: int) -> Row:
    """Return the faces of the dice next to an area."""
    if area == BLACK_MARKET:
        sunk = [face for face in range(DISTRICTS) if s.open_tile[face] == USED_UP]
        return tuple(face for face in (*sunk, BLACK_MARKET) for _ in range(s.dice[face]))
    return () if s.open_tile[area] == USED_UP else (area,) * s.dice[area]


def _sources(components: AtlandiceComponents, s: AtlandiceTable) -> set[int]:
    """Return the areas from which the running effect moves a resource."""
    if not 0 <= s.here < DISTRICTS:
        return set()
    steps = all_steps(components.effects[s.open_tile[s.here]])
    return {s.here if each.source == "here" else BLACK_MARKET for each in steps if isinstance(each, effects.Move)}


@fragment
def area(words: GameMessages, seats: int, number: int, shown: Area) -> Region:
    """Return an area with its piles, its dice, and the pawn of a search for the neutral player.

    Args:
        words: The game's messages.
        seats: The number of seats.
        number: The round.
        shown: The area.
    """
    parts: list[Markup | Fragment] = [_panel(words, seats, shown)]
    parts += [
        pile(words, shown.id, kind, count, shown.searched, shown.moves)
        for kind, count in enumerate(shown.stock)
        if count
    ]
    parts += _dice(words, number, shown)
    if shown.either and shown.dice:
        parts.append(_pawn(words, shown))
    if shown.submarine:
        parts.append(submarine(words, shown.id))
    drawing = Drawing.of_parts(shown.name, *PANEL, tuple(parts))
    return Region(shown.name, words.name("area", shown.id), "board", [drawing], flow="fit")


def _panel(words: GameMessages[AtlandiceComponents], seats: int, shown: Area) -> Fragment:
    used_up = shown.tile == USED_UP
    choices = [*shown.searches, f"move_submarine {shown.name}", f"move * {shown.name}", f"set_die * {shown.id + 1}"]
    values = {
        "id": f"area-{shown.name}",
        "face": shown.id + 1,
        "title": wrap(words.name("area", shown.id), PANEL[0] - 84, 32),
        "name": area_name(words, shown.id, shown.tile, shown.hands),
        "help": _help(words, seats, shown),
        "choice": "; ".join(choices),
        "css": "used-up" if used_up else "market" if shown.id == BLACK_MARKET else "district",
        "searched": shown.searched,
        "layers": len(shown.below),
        "open": shown.tile >= 0,
        "signs": effect_signs(words, words.game.components.effects[shown.tile]) if shown.tile >= 0 else "",
        "hands": shown.hands,
    }
    return Fragment.of(draw("panel", area=values))


def _help(words: GameMessages, seats: int, shown: Area) -> str:
    """Return the rest of the stock, the tiles below, the stakes, and the stop of the hand."""
    if shown.id < DISTRICTS and shown.tile < 0:
        return words.say("rule.used_up") if shown.tile == USED_UP else ""
    parts = [say(words, "left", n=sum(shown.stock))]
    if shown.below:
        parts.append(say(words, "below", n=len(shown.below), tile=shown.below))
    parts.append(stakes_text(words, seats, shown.stakes))
    parts.append(say(words, "stop", space=shown.stop, what=space_text(words, shown.stop)))
    return " ".join(filter(None, parts))


@fragment
def pile(words: GameMessages, area: int, kind: int, count: int, searched: bool, moves: bool) -> Fragment:
    """Return the resources of one kind in an area.

    Args:
        words: The game's messages.
        area: The area.
        kind: The kind.
        count: The number of resources.
        searched: Whether the area is being searched.
        moves: Whether the running effect moves a resource from the area.
    """
    name, resource = AREA_NAMES[area], KIND_NAMES[kind]
    choices = [f"gain {name} {resource}"]
    if searched:
        choices += [f"take {resource}", f"take_extra {resource}", f"swap {resource} * *"]
    elif area < DISTRICTS:
        choices.append(f"swap * {name} {resource}")
    if moves:
        choices.append(f"move {resource} *")
    values = {
        "id": f"pile-{name}-{resource}",
        "name": say(words, "pile", amount=count, resource=kind, area=area),
        "choice": "; ".join(choices),
        "kind": resource,
        "count": count,
        "x": 32 + 57 * kind,
    }
    return Fragment.of(draw("pile", heap=values))


def _dice(words: GameMessages, number: int, shown: Area) -> list[Fragment]:
    """Return the dice at the gate of an area, closer to each other if there are many."""
    room = PANEL[0] - 60 - (_BERTH if shown.submarine else 0) - (_PAWN if shown.either else 0)
    step = min(_DIE, room / max(1, len(shown.dice) - 1))
    help = _die_help(words, shown) if shown.dice else ""
    found = []
    for place, face in enumerate(shown.dice):
        values = {
            "id": f"die-{number}-{shown.name}-{face + 1}-{place}",
            "name": say(words, "die", pips=face, area=shown.id),
            "help": help,
            "choice": "; ".join([*shown.searches, f"set_die {shown.name} *"]),
            "face": face + 1,
            "x": 34 + step * place,
            "y": _GATE,
        }
        found.append(Fragment.of(draw("die", cube=values)))
    return found


def _die_help(words: GameMessages, shown: Area) -> str:
    """Return the gains of a die here: resources, the submarine's extra, and the effect."""
    kinds = [f"{count} x {words.name('resource', kind)}" for kind, count in enumerate(shown.stock) if count]
    parts = [say(words, "gives", kinds=", ".join(kinds)) if kinds else say(words, "gives.nothing")]
    if shown.submarine and sum(shown.stock) > 1:
        parts.append(say(words, "gives.extra"))
    parts.append(tile_text(words, shown.tile) if shown.tile >= 0 else words.say("effect.none") + ".")
    return " ".join(parts)


def _pawn(words: GameMessages, shown: Area) -> Markup:
    """Return the pawn by which an area with a die is searched for the neutral player."""
    values: dict[str, Any] = {
        "id": f"pawn-{shown.name}",
        "name": words.say("kind.search_neutral", {"area": shown.id}),
        "help": words.say("rule.neutral"),
        "choice": f"search_neutral {shown.name}",
        "x": PANEL[0] - 34 - (_BERTH if shown.submarine else 0),
        "y": _GATE,
    }
    return draw("pawn", pawn=values)


@fragment
def submarine(words: GameMessages, area: int) -> Markup:
    """Return the submarine at the gate of an area."""
    name, help = say(words, "submarine", area=area), words.say("rule.submarine")
    return draw("submarine", submarine={"x": PANEL[0] - 56, "y": _GATE + 1, "name": name, "help": help})
