"""The table of Atlandice: a city at night around its clock, dice at the gates, a sea that rises as the hand moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept
from atoll.picture.brush import shorten, text_width, wrap

from . import effects
from .components import BLANK, DONATION, INVENTORY_ALL, START_SPACE, WAVE, AtlandiceBox
from .kinds import AREA, AREAS, BLACK_MARKET, DISTRICTS, KINDS, RESOURCE
from .state import SEARCH_AREAS, USED_UP
from .tile_words import faces_text, tile_text

_WIDTH: Final = 900
_HEIGHT: Final = 1200
_PANEL: Final = (292, 326)
_CORNERS: Final = ((304, 0), (608, 0), (608, 874), (0, 874), (0, 0), (304, 874))
"""Per area the upper left corner of its panel: clockwise around the clock from the top, the market below."""
_CENTRE: Final = (450, 600)
_RING: Final = (254, 186)
_STOPS: Final = (158, 30)  # where the dice in the dial begin, and how far apart they stand
_SEA_TOP: Final = 70  # where the sea stands when the hand is on the last space
_BERTH: Final = 88  # the room at a gate that the submarine takes
_MAJORITY: Final = (356, 54, 38)  # width, height of the head and of a line
_HEAD: Final = 20.2  # size of a name above a column
_NARROW: Final = 0.85  # how much narrower it is set
_SKY: Final = (888, 226, 35)  # where a line in the sky ends, how long it may be, its size
_HARBOUR: Final = (356, 360)
_CRATE: Final = (22, 62)  # where the first crate stands on the barge, and the next one
_WRECK: Final = (54, 62)  # the same for what lies on the ground of the harbour

_EFFECT: Final = (378, 44, 18, 4)  # width of a card of an effect, height of its head and of a line, what is between two
_EFFECT_TEXT: Final = (248, 15.5)  # how wide its words may be, their size
_EFFECT_BELOW: Final = 30  # height of a tile that lies below

_AREAS: Final = AREA.names
_KINDS: Final = RESOURCE.names
_PLAIN_SPACES: Final = {
    START_SPACE: "start",
    BLANK: "blank",
    WAVE: "wave",
    INVENTORY_ALL: "inventory_all",
    DONATION: "donation",
}

_draw = Brush(__package__ or "atoll.games.atlandice")

# What a line of the log names, by the ids of elements.
_TAKEN: Final = ("pile-{area}-{resource}", "hold-{seat}-{resource}")
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "search": ("area-{area}",),
    "search_neutral": ("area-{area}",),
    "search_rolled": ("area-{area}",),
    "took": _TAKEN,
    "took_neutral": _TAKEN[:1],
    "took_extra": _TAKEN,
    "took_extra_neutral": _TAKEN[:1],
    "gained": _TAKEN,
    "gained_neutral": _TAKEN[:1],
    "moved": ("pile-{area}-{resource}", "pile-{area_2}-{resource}"),
    "swapped": ("pile-{area_2}-{resource}", "pile-{area}-{resource_2}"),
    "advanced": ("clock-hand",),
    "clock": ("clock-hand",),
    "set_die": ("area-{area}", "area-{area_2}"),
    "moved_submarine": ("submarine",),
    "tile_won": ("won-{seat}",),
    "tied_first": ("score-{seat}",),
    "second": ("score-{seat}",),
    "inventory_won": ("score-{seat}",),
    "donated": ("hold-{seat}-{resource}",),
    "donation": ("score-{seat}",),
    "marker": ("start-player",),
    "final": ("score-{seat}",),
}


def _tab(region: str) -> Layout:
    """A region that fills a phone's scene; below who leads where stands the lighthouse, or lies the neutral barge."""
    if region == "majorities":
        return Layout(390, 640, {region: (6, 6, 378, 300), "harbour": (6, 316, 378, 322)}, ground="atlandice-shore")
    return Layout(390, 640, {region: (6, 6, 378, 628)}, ground="atlandice-night")


# The city lies in its night; on its left bank hangs who leads where, below the lighthouse lies the harbour.
SCENE: Final = Scene(
    wide={
        "": Layout(
            900,
            796,
            {
                "majorities": (6, 8, 284, 208),
                "harbour": (6, 500, 284, 296),
                "city": (300, 4, 594, 788),
            },
            ground="atlandice-night",
        )
    },
    tabs=(
        Tab("city", Markup('<path d="M4 21V9l4-4 4 4v12M12 21V12l4-3 4 3v9M2 21h20"/>'), _tab("city")),
        Tab(
            "majorities",
            Markup('<path d="M8 21h8M12 17v4M7 3h10v6a5 5 0 0 1-10 0zM4 4h3M17 4h3"/>'),
            _tab("majorities"),
        ),
        Tab("tiles", Markup('<path d="M4 5h16v6H4zM6 14h12M8 18h8"/>'), _tab("tiles")),
    ),
    dock=60,
)


def symbols() -> Markup:
    """Resources, submarine, and the marks of the clock and of effects."""
    return _draw("symbols")


def emblem() -> Drawing:
    """The clock tower in the rising sea, for lists of games."""
    return Drawing("emblem-atlandice", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The city; who leads where; the harbour; what the open tiles do; hold, tiles and points of each."""
    table = _Table(game, view, words)
    found = [table.city(), table.majorities(), table.tiles()]
    if len(view["state"]["holds"]) > view["seats"] or any(view["state"]["out"]):
        found.insert(2, table.harbour())
    if view["viewer"] is not None:
        found.append(table.mine(view["viewer"]))
    return found + [table.seat(seat) for seat in range(view["seats"])]


class _Table(TablePicture):
    """One view in pictures."""

    box: AtlandiceBox

    # -- the city --------------------------------------------------------------------------------------------------

    @kept
    def city(self) -> Region:
        """The areas around the clock, with what lies there, and the sea."""
        level = self.s["clock"] / (len(self.box.spaces) - 1)
        sea = _draw("sea", height=_HEIGHT - (_HEIGHT - _SEA_TOP) * level)
        parts = [_draw("backdrop"), sea, self._heaven(), self._dial(), *map(self._quarter, range(AREAS))]
        title = self._say("city")
        drawing = Drawing("city", _WIDTH, _HEIGHT, Markup("").join([*parts, self._submarine()]), title)
        return Region("city", title, "board", [drawing], flow="fit")

    @kept
    def _quarter(self, area: int) -> Markup:
        """An area with its piles, its dice, and the pawns that may be sent there."""
        parts = [_draw("panel", area=self._panel(area))]
        parts += [_draw("pile", heap=self._pile(area, kind)) for kind, n in enumerate(self.s["stock"][area]) if n]
        parts += [_draw("die", cube=die) for die in self._dice(area)]
        if self._may_hand_over() and self._faces(area):
            parts.append(_draw("pawn", pawn=self._pawn(area)))
        return Markup("").join(parts)

    def _panel(self, area: int) -> dict[str, Any]:
        x, y = _CORNERS[area]
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        used_up = tile == USED_UP
        name = _AREAS[area]
        glyphs = _glyphs(self.words, self.box.effects[tile]) if tile >= 0 else []
        choices = [*self._searches(area), f"move_submarine {name}", f"move * {name}", f"set_die * {area + 1}"]
        return {
            "id": f"area-{name}",
            "x": x,
            "y": y,
            "face": area + 1,
            "title": wrap(self.words.name("area", area), _PANEL[0] - 84, 32),
            "name": self._area_name(area),
            "help": self._area_help(area),
            "choice": "; ".join(choices),
            "css": "used-up" if used_up else "market" if area == BLACK_MARKET else "district",
            "searched": self._is("here", area),
            "home": _KINDS[area] if area < DISTRICTS else "",
            "layers": len(self.s["below"][area]) if area < DISTRICTS else 0,
            "open": tile >= 0,
            "glyphs": glyphs,
            "hands": self.live["hands"][area],
        }

    def _area_name(self, area: int) -> str:
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        if tile == USED_UP:
            return self._say("area.used_up", area=area)
        hands = self.live["hands"][area]
        if tile >= 0:
            text = tile_text(self.words, tile)
            return self._say("area", area=area, pips=area, tile=tile, text=text, hands=hands)
        if area < DISTRICTS:
            return self._say("area.covered", area=area, pips=area)
        return self._say("area.market", area=area, pips=area, hands=hands)

    def _area_help(self, area: int) -> str:
        """What is left, who would score, and where the hand would go."""
        if area < DISTRICTS and self.s["open_tile"][area] < 0:
            return self.words.say("rule.used_up") if self.s["open_tile"][area] == USED_UP else ""
        stop = self.live["stop"][area]
        parts = [self._say("left", n=self.live["left"][area])]
        if area < DISTRICTS:
            below = self.s["below"][area]
            if below:
                parts.append(self._say("below", n=len(below), tile=below))
            parts.append(self._stakes(area))
        parts.append(self._say("stop", space=stop, what=self._space_text(stop)))
        return " ".join(filter(None, parts))

    def _stakes(self, kind: int) -> str:
        """Who would get how many points if the district of a kind were scored now; "" if nobody would."""
        points = self.live["stakes"][kind]
        shares = [f"{self._holder(holder)} {count}" for holder, count in enumerate(points) if count]
        return self._say("stakes", shares=", ".join(shares)) if shares else ""

    def _holder(self, holder: int) -> str:
        return self.words.seat(holder) if holder < self.view["seats"] else self._say("neutral")

    def _pile(self, area: int, kind: int) -> dict[str, Any]:
        """One kind at one area; what a click on it can mean depends on where a search is going on."""
        x, y = _CORNERS[area]
        name, resource = _AREAS[area], _KINDS[kind]
        count = self.s["stock"][area][kind]
        choices = [f"gain {name} {resource}"]
        if self._is("here", area):
            choices += [f"take {resource}", f"take_extra {resource}", f"swap {resource} * *"]
        elif area < DISTRICTS:
            choices.append(f"swap * {name} {resource}")
        if self.worked["moves", area]:
            choices.append(f"move {resource} *")
        return {
            "id": f"pile-{name}-{resource}",
            "name": self._say("pile", amount=count, resource=kind, area=area),
            "choice": "; ".join(choices),
            "kind": resource,
            "count": count,
            "x": x + 32 + 57 * kind,
            "y": y + 207,
        }

    def _work_out(self, what: str, about: Any) -> bool:
        """moves: whether the effect running now moves something from an area."""
        here = self.s["here"]
        if not 0 <= here < DISTRICTS:
            return False
        steps = _all_steps(self.box.effects[self.s["open_tile"][here]])
        moves = (each for each in steps if isinstance(each, effects.Move))
        return any((here if each.source == "here" else BLACK_MARKET) == about for each in moves)

    def _dice(self, area: int) -> list[dict[str, Any]]:
        """The dice at a gate; each explains what it would give."""
        faces = self._faces(area)
        help = self._die_help(area) if faces else ""
        x, y = _CORNERS[area]
        room = _PANEL[0] - 60 - (_BERTH if self._is("submarine", area) else 0) - (52 if self._may_hand_over() else 0)
        step = min(54.0, room / max(1, len(faces) - 1))
        name = _AREAS[area]
        return [
            {
                "id": f"die-{self.s['round']}-{name}-{face + 1}-{number}",
                "name": self._say("die", pips=face, area=area),
                "help": help,
                "choice": "; ".join([*self._searches(area), f"set_die {name} *"]),
                "face": face + 1,
                "x": x + 34 + step * number,
                "y": y + 297,
            }
            for number, face in enumerate(faces)
        ]

    def _faces(self, area: int) -> list[int]:
        """The dice beside an area."""
        if area == BLACK_MARKET:
            sunk = [face for face in range(DISTRICTS) if self.s["open_tile"][face] == USED_UP]
            return [face for face in (*sunk, BLACK_MARKET) for _ in range(self.s["dice"][face])]
        return [] if self.s["open_tile"][area] == USED_UP else [area] * self.s["dice"][area]

    def _may_hand_over(self) -> bool:
        """Whether the viewer can search for itself or for the neutral player, just as it likes."""
        return self._is("prompt", "search_either")

    def _searches(self, area: int) -> list[str]:
        """What a click on an area or its dice can mean: a search for the neutral player, too, unless it has a pawn."""
        name = _AREAS[area]
        return [f"search {name}"] if self._may_hand_over() else [f"search {name}", f"search_neutral {name}"]

    def _pawn(self, area: int) -> dict[str, Any]:
        """The pawn by which an area with a die is searched for the neutral player."""
        x, y = _CORNERS[area]
        return {
            "id": f"pawn-{_AREAS[area]}",
            "name": self.words.say("kind.search_neutral", {"area": area}),
            "help": self.words.say("rule.neutral"),
            "choice": f"search_neutral {_AREAS[area]}",
            "x": x + _PANEL[0] - 34 - (_BERTH if self._is("submarine", area) else 0),
            "y": y + 297,
        }

    def _die_help(self, area: int) -> str:
        """What taking a die here gives: the resources to choose from, one more by the submarine, the effect."""
        stock = self.s["stock"][area]
        kinds = [f"{count} x {self.words.name('resource', kind)}" for kind, count in enumerate(stock) if count]
        parts = [self._say("gives", kinds=", ".join(kinds)) if kinds else self._say("gives.nothing")]
        if self._is("submarine", area) and sum(stock) > 1:
            parts.append(self._say("gives.extra"))
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        parts.append(tile_text(self.words, tile) if tile >= 0 else self.words.say("effect.none") + ".")
        return " ".join(parts)

    def _submarine(self) -> Markup:
        area = self.s["submarine"]
        x, y = _CORNERS[area]
        name = self._say("submarine", area=area)
        values = {"x": x + _PANEL[0] - 56, "y": y + 298, "name": name, "help": self.words.say("rule.submarine")}
        return _draw("submarine", submarine=values)

    @kept
    def _heaven(self) -> Markup:
        """What is written over the city: the round, and who begins it."""
        end, width, size = _SKY
        number, starter = self.s["round"], self.s["start_player"]
        label = self._say("round")
        text = shorten(self._say("starts", seat=starter), width - 32, size * _NARROW)
        sky = {
            "x": end,
            "round": number,
            "round_name": f"{label}: {number}",
            "round_text": f"{label} {number}",
            "starter": starter,
            "starter_name": f"{self._say('start_player')}: {self.words.seat(starter)}",
            "starter_text": text,
            "starter_mark": end - text_width(text, size * _NARROW) - 16,
            "width": width,
        }
        return _draw("heaven", sky=sky)

    # -- the clock -------------------------------------------------------------------------------------------------

    @kept
    def _dial(self) -> Markup:
        spaces = self.box.spaces
        clock = {
            "x": _CENTRE[0],
            "y": _CENTRE[1],
            "outer": _RING[0],
            "inner": _RING[1],
            "spaces": [self._space(index) for index in range(len(spaces))],
            "stops": self._stops(),
            "angle": 360 * self.s["clock"] / len(spaces),
            "name": self._say("hand", space=self.s["clock"], last=len(spaces) - 1),
            "help": self.words.say("rule.clock"),
            "now": self.s["clock"],
        }
        return _draw("dial", clock=clock)

    def _stops(self) -> list[dict[str, Any]]:
        """The spaces ahead where the hand may stop, each with the areas whose die would have to be the last."""
        found: list[dict[str, Any]] = []
        if self.s["phase"] != SEARCH_AREAS:
            return found
        for index in sorted(set(self.live["stop"])):
            areas = [area for area in range(AREAS) if self.live["dice"][area] and self.live["stop"][area] == index]
            if areas and index > self.s["clock"]:
                angle = 2 * pi * index / len(self.box.spaces)
                places = [_point(_STOPS[0] - _STOPS[1] * number, angle) for number in range(len(areas))]
                cubes = [{"face": area + 1, "x": x, "y": y} for area, (x, y) in zip(areas, places, strict=True)]
                name = self._say("stops", space=index, area=areas)
                found.append({"id": f"stop-{index}", "name": name, "cubes": cubes})
        return found

    def _space(self, index: int) -> Markup:
        clock = self.s["clock"]
        return self._wedge(index, index < clock, index == clock, *self.live["inventories"][index])

    @kept
    def _wedge(self, index: int, passed: bool, now: bool, *winners: int) -> Markup:
        """A space of the clock. winners: who would win its inventory now."""
        spaces = self.box.spaces
        half = pi / len(spaces)
        middle = 2 * pi * index / len(spaces)
        outer, inner = _RING
        corners = [_point(outer, middle - half), _point(outer, middle + half)]
        corners += [_point(inner, middle + half), _point(inner, middle - half)]
        x, y = _point((outer + inner) / 2, middle)
        space = spaces[index]
        values = {
            "id": f"space-{index}",
            "corners": corners,
            "x": x,
            "y": y,
            "sign": _KINDS[space] if 0 <= space < KINDS else _PLAIN_SPACES[space],
            "passed": passed,
            "now": now,
            "name": self._say("space", space=index, what=self._space_text(index)),
            "help": self._say("winners", holders=", ".join(self._holder(each) for each in winners)) if winners else "",
        }
        return _draw("wedge", space=values)

    def _space_text(self, index: int) -> str:
        space = self.box.spaces[index]
        if 0 <= space < KINDS:
            return self._say("space.inventory", resources=space)
        return self._say(f"space.{_PLAIN_SPACES[space]}")

    # -- what is counted -------------------------------------------------------------------------------------------

    @kept
    def majorities(self) -> Region:
        """Kind by kind: how many each holder has, what that would score now, and how many are left in the district."""
        holders = range(len(self.s["holds"]))
        width, head, line = _MAJORITY
        column = (width - 44 - 56) / len(holders)
        rows = []
        for kind in range(KINDS):
            held = ", ".join(f"{self._holder(holder)} {self.s['holds'][holder][kind]}" for holder in holders)
            used_up = self.s["open_tile"][kind] == USED_UP
            values = {"resources": kind, "held": held, "left": self.live["left"][kind], "area": kind}
            rows.append(
                {
                    "id": f"majority-{_KINDS[kind]}",
                    "name": self._say("majority.used_up" if used_up else "majority", **values),
                    "help": self._stakes(kind),
                    "kind": _KINDS[kind],
                    "y": head + line * kind,
                    "used_up": used_up,
                    "left": self.live["left"][kind],
                    "cells": [
                        {
                            "x": 44 + column * (holder + 0.5),
                            "count": self.s["holds"][holder][kind],
                            "points": self.live["stakes"][kind][holder],
                            "leads": holder in self.live["leaders"][kind],
                        }
                        for holder in holders
                    ],
                }
            )
        heads = [
            {
                "id": f"holder-{holder}",
                "seat": holder if holder < self.view["seats"] else -1,
                "x": 44 + column * (holder + 0.5),
                "width": column,
                "name": self._holder(holder),
                "text": self._head(holder, column - 4),
            }
            for holder in holders
        ]
        markup = _draw("majorities", width=width, head=head, line=line, heads=heads, rows=rows, left=self._say("rest"))
        title = self._say("majorities")
        drawing = Drawing("majorities", width, head + line * KINDS + 4, markup, title)
        return Region("majorities", title, "shared", [drawing], flow="fit")

    def _head(self, holder: int, width: float) -> str:
        """As much of a holder's name as there is room for; its mark and the lens tell the rest."""
        name = self.words.seat(holder) if holder < self.view["seats"] else self._say("neutral.short")
        return shorten(name, width, _HEAD * _NARROW)

    @kept
    def harbour(self) -> Region:
        """The barge with what the neutral player has, where there is one; on the ground what is out of the game."""
        neutral = self.view["seats"]
        has_barge = len(self.s["holds"]) > neutral
        markup = _draw(
            "harbour",
            barge=_draw("barge", barge=self._barge(neutral)) if has_barge else "",
            cargo=[_draw("crate", crate=self._crate(neutral, kind)) for kind in range(KINDS)] if has_barge else [],
            wrecks=[_draw("wreck", wreck=self._wreck(kind)) for kind in range(KINDS) if self.s["out"][kind]],
        )
        title = self._say("harbour")
        return Region("harbour", title, "shared", [Drawing("harbour", *_HARBOUR, markup, title)], flow="fit")

    def _barge(self, holder: int) -> dict[str, Any]:
        """Whose barge it is, its points on the sail, its tiles on the sign beside."""
        score, won = self.live["scores"][holder], self.s["won"][holder]
        return {
            "holder": self._holder(holder),
            "text": self._say("neutral.short"),
            "why": self.words.say("rule.neutral"),
            "score_id": f"score-{holder}",
            "score_name": f"{self._say('score')}: {score}",
            "score_help": self._say("score.help", points=self.live["points"][holder]),
            "score": score,
            "won_id": f"won-{holder}",
            "won_name": f"{self._say('won')}: {len(won)}",
            "won_help": ", ".join(self.words.name("tile", tile) for tile in won),
            "won": len(won),
        }

    def _crate(self, holder: int, kind: int) -> dict[str, Any]:
        count = self.s["holds"][holder][kind]
        return {
            "id": f"hold-{holder}-{_KINDS[kind]}",
            "name": f"{self.words.name('resources', kind)}: {count}",
            "kind": _KINDS[kind],
            "count": count,
            "x": _CRATE[0] + _CRATE[1] * kind,
        }

    def _wreck(self, kind: int) -> dict[str, Any]:
        count = self.s["out"][kind]
        return {
            "id": f"out-{_KINDS[kind]}",
            "name": f"{self._say('out', resources=kind)}: {count}",
            "help": self._say("out.help"),
            "kind": _KINDS[kind],
            "count": count,
            "x": _WRECK[0] + _WRECK[1] * kind,
        }

    @kept
    def tiles(self) -> Region:
        """The effects of the areas in words, for who doesn't see them beside their signs, and what lies below."""
        width, _, _, gap = _EFFECT
        cards, y = [], 1.0
        for area in range(AREAS):
            card = self._effect(area)
            cards.append(_draw("effect", card=card, y=y))
            y += card["height"] + gap
        title = self._say("tiles")
        drawing = Drawing("tiles", width, y - gap + 1, Markup("").join(cards), title)
        return Region("tiles", title, "shared", [drawing], flow="fit")

    def _effect(self, area: int) -> dict[str, Any]:
        width, head, line, _ = _EFFECT
        room, size = _EFFECT_TEXT
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        below = self.s["below"][area] if area < DISTRICTS and tile != USED_UP else ()
        help = [self._say("below", n=len(below), tile=below)] if below else []
        help += [f"{self.words.name('tile', each)}: {tile_text(self.words, each)}" for each in below]
        text = tile_text(self.words, tile) if tile >= 0 else ""
        lines = wrap(text, room, size * _NARROW)
        under = self.words.name("tile", tile) if tile >= 0 else ""
        if tile == USED_UP:
            under = self._say("sunk")
        elif area == BLACK_MARKET:
            under = self.words.say("effect.none")
        return {
            "id": f"effect-{_AREAS[area]}",
            "name": self._area_name(area),
            "help": " ".join(help),
            "css": "used-up" if tile == USED_UP else "market" if area == BLACK_MARKET else "district",
            "face": area + 1,
            "title": self.words.name("area", area),
            "under": under,
            "plate": self._plate(tile) if tile >= 0 else None,
            "hands": self.live["hands"][area] if area == BLACK_MARKET else 0,
            "lines": lines,
            "below": [self._plate(each) for each in below],
            "width": width,
            "height": head + max(line * len(lines) + 5 if lines else 2, _EFFECT_BELOW * len(below)),
        }

    def _plate(self, tile: int) -> dict[str, Any]:
        return plate_of(self.words, self.box, tile)

    @kept
    def mine(self, seat: int) -> Region:
        """What lies before the viewer."""
        return Region("mine", self._say("mine"), "hand", (), self._belongings(seat))

    @kept
    def seat(self, seat: int) -> Region:
        """What lies before a seat, the viewer's own apart, and what is left for it to do in this round."""
        facts = [] if self._is("viewer", seat) else self._belongings(seat)
        picks = self.live["picks"][seat]
        facts.append(Fact(f"picks-{seat}", self._say("picks"), str(picks), _draw("die_symbol"), picks))
        if len(self.s["holds"]) > self.view["seats"]:
            said = self._say("handed.yes" if self.s["handed"][seat] else "handed.no")
            label, why = self._say("handed"), self.words.say("rule.neutral")
            facts.append(Fact(f"handed-{seat}", label, said, _draw("pawn_symbol"), help=why))
        return Region(f"belongings-{seat}", "", "seat", (), facts, seat=seat)

    def _belongings(self, holder: int) -> list[Fact]:
        """What lies before a holder: points, tiles, resources; a click on the viewer's own resources donates them."""
        score = self.live["scores"][holder]
        facts = [
            Fact(
                f"score-{holder}",
                self._say("score"),
                str(score),
                _draw("point_symbol"),
                score,
                help=self._say("score.help", points=self.live["points"][holder]),
            )
        ]
        for kind, count in enumerate(self.s["holds"][holder]):
            choice = f"donate {_KINDS[kind]} *" if self._is("viewer", holder) else ""
            label = self.words.name("resources", kind)
            facts.append(
                Fact(
                    f"hold-{holder}-{_KINDS[kind]}",
                    label,
                    str(count),
                    _draw("symbol", kind=_KINDS[kind]),
                    count,
                    choice,
                )
            )
        tiles = self.s["won"][holder]
        names = ", ".join(self.words.name("tile", tile) for tile in tiles)
        facts.append(
            Fact(f"won-{holder}", self._say("won"), str(len(tiles)), _draw("tile_symbol"), len(tiles), help=names)
        )
        return facts


# -- effects as pictures ---------------------------------------------------------------------------------------------


def _glyphs(words: Words, steps: Sequence[effects.Step]) -> list[dict[str, Any]]:
    """An effect as a row of signs, each with the x of its middle; the tile's text says the same."""
    signs = [sign for step in steps for sign in _signs(words, step)]
    widths = [_sign_width(sign) for sign in signs]
    x = 0.0
    row = []
    for sign, width in zip(signs, widths, strict=True):
        row.append({"sign": sign, "x": x + width / 2, "text": "" if sign in _SIGNS else sign})
        x += width + 4
    return row


def _signs(words: Words, step: effects.Step) -> list[str]:
    """The signs of one step; what isn't the name of a sign is a text."""
    if isinstance(step, effects.Roll):
        return ["die", faces_text(words, step.on, short=True), "then", *_then(words, step.then)]
    if isinstance(step, effects.IfSecondDie):
        return ["2.", "die", "then", *_then(words, step.then)]
    if isinstance(step, effects.Gain):
        return ["+1", _PLACES[step.source]]
    if isinstance(step, effects.Move):
        return [_PLACES[step.source], "to", _PLACES[step.to]]
    if isinstance(step, effects.Swap):
        return [_PLACES[step.a], "swap", _PLACES[step.b]]
    if isinstance(step, effects.AdvanceClock):
        return ["clock", f"+{step.steps}"]
    if isinstance(step, effects.SetDie):
        return ["die", "turned", "die"]
    return ["submarine", "to"] if isinstance(step, effects.MoveSubmarine) else ["die", "lens"]


def _then(words: Words, steps: Sequence[effects.Step]) -> list[str]:
    return [sign for step in steps for sign in _signs(words, step)]


# -- pieces alone ----------------------------------------------------------------------------------------------------


def plate_of(words: Words, box: AtlandiceBox, tile: int) -> dict[str, Any]:
    """What the plate of a district tile shows."""
    return {"glyphs": _glyphs(words, box.effects[tile]), "hands": box.hands[tile]}


def tile_alone(words: Words, box: AtlandiceBox, tile: int) -> Drawing:
    """A district tile alone."""
    return Drawing(f"piece-tile-{tile}", 276, 64, _draw("tile_piece", tile=plate_of(words, box, tile)))


def piece_alone(sign: str) -> Drawing:
    """A resource, a die (`die-blank`) or the submarine alone."""
    width = 120 if sign == "submarine" else 64
    return Drawing(f"piece-{sign}", width, 70, _draw("piece", sign=sign, x=width / 2))


def _all_steps(steps: Sequence[effects.Step]) -> list[effects.Step]:
    """The steps of an effect and all those within them."""
    found: list[effects.Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, effects.Roll | effects.IfSecondDie):
            found += _all_steps(step.then)
    return found


_SIGNS: Final = frozenset(
    ("die", "then", "here", "house", "market", "clock", "swap", "turned", "submarine", "lens", "to")
)
_PLACES: Final = {"here": "here", "black_market": "market", "other_district": "house", "any_district": "house"}


def _sign_width(sign: str) -> float:
    if sign in _SIGNS:
        return {"then": 20.0, "to": 26.0, "submarine": 62.0}.get(sign, 38.0)
    return text_width(sign, 34)


def _point(radius: float, angle: float) -> tuple[float, float]:
    return _CENTRE[0] + radius * sin(angle), _CENTRE[1] - radius * cos(angle)
