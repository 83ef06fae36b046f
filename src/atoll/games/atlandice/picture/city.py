"""The city: areas around the clock with what lies there, dice at the gates, the submarine, the sea."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Drawing, Region, kept
from atoll.picture.brush import wrap

from ..kinds import AREAS, BLACK_MARKET, DISTRICTS
from ..state import USED_UP
from ..tile_words import tile_text
from .clock import Clock
from .drawing import AREA_NAMES, KIND_NAMES, draw
from .signs import glyphs_of

_WIDTH: Final = 900
_HEIGHT: Final = 1200
_PANEL: Final = (292, 326)
_CORNERS: Final = ((304, 0), (608, 0), (608, 874), (0, 874), (0, 0), (304, 874))
"""Per area the upper left corner of its panel: clockwise around the clock from the top, the market below."""

_SEA_TOP: Final = 70  # where the sea stands when the hand is on the last space
_BERTH: Final = 88  # the room at a gate that the submarine takes


class City(Clock):
    """The areas around the clock."""

    @kept
    def city(self) -> Region:
        """The areas around the clock, with what lies there, and the sea."""
        level = self.s["clock"] / (len(self.box.spaces) - 1)
        sea = draw("sea", height=_HEIGHT - (_HEIGHT - _SEA_TOP) * level)
        parts = [draw("backdrop"), sea, self.heaven(), self.dial(), *map(self._quarter, range(AREAS))]
        title = self._say("city")
        drawing = Drawing("city", _WIDTH, _HEIGHT, Markup("").join([*parts, self._submarine()]), title)
        return Region("city", title, "board", [drawing], flow="fit")

    @kept
    def _quarter(self, area: int) -> Markup:
        """An area with its piles, its dice, and the pawns that may be sent there."""
        parts = [draw("panel", area=self._panel(area))]
        parts += [draw("pile", heap=self._pile(area, kind)) for kind, n in enumerate(self.s["stock"][area]) if n]
        parts += [draw("die", cube=die) for die in self._dice(area)]
        if self._may_hand_over() and self._faces(area):
            parts.append(draw("pawn", pawn=self._pawn(area)))
        return Markup("").join(parts)

    def _panel(self, area: int) -> dict[str, Any]:
        x, y = _CORNERS[area]
        tile = self.s["open_tile"][area] if area < DISTRICTS else -1
        used_up = tile == USED_UP
        name = AREA_NAMES[area]
        glyphs = glyphs_of(self.words, self.box.effects[tile]) if tile >= 0 else []
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
            "home": KIND_NAMES[area] if area < DISTRICTS else "",
            "layers": len(self.s["below"][area]) if area < DISTRICTS else 0,
            "open": tile >= 0,
            "glyphs": glyphs,
            "hands": self.live["hands"][area],
        }

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

    def _pile(self, area: int, kind: int) -> dict[str, Any]:
        """One kind at one area; what a click on it can mean depends on where a search is going on."""
        x, y = _CORNERS[area]
        name, resource = AREA_NAMES[area], KIND_NAMES[kind]
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

    def _dice(self, area: int) -> list[dict[str, Any]]:
        """The dice at a gate; each explains what it would give."""
        faces = self._faces(area)
        help = self._die_help(area) if faces else ""
        x, y = _CORNERS[area]
        room = _PANEL[0] - 60 - (_BERTH if self._is("submarine", area) else 0) - (52 if self._may_hand_over() else 0)
        step = min(54.0, room / max(1, len(faces) - 1))
        name = AREA_NAMES[area]
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
        name = AREA_NAMES[area]
        return [f"search {name}"] if self._may_hand_over() else [f"search {name}", f"search_neutral {name}"]

    def _pawn(self, area: int) -> dict[str, Any]:
        """The pawn by which an area with a die is searched for the neutral player."""
        x, y = _CORNERS[area]
        return {
            "id": f"pawn-{AREA_NAMES[area]}",
            "name": self.words.say("kind.search_neutral", {"area": area}),
            "help": self.words.say("rule.neutral"),
            "choice": f"search_neutral {AREA_NAMES[area]}",
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
        return draw("submarine", submarine=values)
