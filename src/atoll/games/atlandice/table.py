"""The table of Atlandice: a city at night around its clock, dice at the gates, a sea that rises as the hand moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Region
from atoll.picture.brush import text_width, wrap

from . import effects
from .components import BLANK, DONATION, INVENTORY_ALL, START_SPACE, WAVE
from .kinds import AREA, AREAS, BLACK_MARKET, DISTRICTS, FACES, KINDS, RESOURCE
from .state import SEARCH_AREAS, USED_UP
from .tile_words import faces_text, tile_text

_WIDTH: Final = 900
_HEIGHT: Final = 1200
_WIDEST: Final = 740
_PANEL: Final = (292, 326)
_CORNERS: Final = ((304, 0), (608, 0), (608, 874), (0, 874), (0, 0), (304, 874))
"""Per area the upper left corner of its panel: clockwise around the clock from the top, the market below."""
_CENTRE: Final = (450, 600)
_RING: Final = (254, 186)
_STOPS: Final = (158, 30)  # where the dice in the dial begin, and how far apart they stand
_SEA_TOP: Final = 70  # where the sea stands when the hand is on the last space
_MAJORITY: Final = (356, 44, 40)  # width, height of the head and of a line

_AREAS: Final = AREA.names or ()
_KINDS: Final = RESOURCE.names or ()
_PLAIN_SPACES: Final = {
    START_SPACE: "start",
    BLANK: "blank",
    WAVE: "wave",
    INVENTORY_ALL: "inventory_all",
    DONATION: "donation",
}

_draw = Brush(__package__ or "atoll.games.atlandice")


def symbols() -> Markup:
    """Resources, submarine, and the marks of the clock and of effects."""
    return _draw("symbols")


def emblem() -> Drawing:
    """The clock tower in the rising sea, for lists of games."""
    return Drawing("emblem-atlandice", 320, 200, _draw("emblem"))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """The city; who leads where; what the open tiles do; the neutral player; per seat hold, tiles and points."""
    found = [_city(game, view, words), _majorities(view, words), _tiles(game, view, words)]
    if len(view["state"]["holds"]) > view["seats"]:
        facts = _belongings(view, words, view["seats"])
        found.append(Region("neutral", words.say("table.neutral"), "shared", (), facts))
    return found + [
        Region(f"belongings-{seat}", "", "seat", (), _seat_facts(view, words, seat), seat=seat)
        for seat in range(view["seats"])
    ]


# -- the city ------------------------------------------------------------------------------------------------------


def _city(game: Game, view: Mapping[str, Any], words: Words) -> Region:
    s = view["state"]
    last = len(game.box.spaces) - 1
    markup = _draw(
        "city",
        sea=_HEIGHT - (_HEIGHT - _SEA_TOP) * s["clock"] / last,
        panels=[_panel(game, view, words, area) for area in range(AREAS)],
        piles=[
            _pile(game, view, words, area, kind)
            for area in range(AREAS)
            for kind in range(KINDS)
            if s["stock"][area][kind]
        ],
        dice=[die for area in range(AREAS) for die in _dice(game, view, words, area)],
        submarine=_submarine(view, words),
        clock=_clock(game, view, words),
    )
    title = words.say("table.city")
    drawing = Drawing("city", _WIDTH, _HEIGHT, markup, title)
    return Region("city", title, "board", [drawing], flow="fit", widest=_WIDEST)


def _panel(game: Game, view: Mapping[str, Any], words: Words, area: int) -> dict[str, Any]:
    s = view["state"]
    x, y = _CORNERS[area]
    tile = s["open_tile"][area] if area < DISTRICTS else -1
    used_up = tile == USED_UP
    name = _AREAS[area]
    glyphs = _glyphs(words, game.box.effects[tile]) if tile >= 0 else []
    return {
        "id": f"area-{name}",
        "x": x,
        "y": y,
        "face": area + 1,
        "title": wrap(words.name("area", area), _PANEL[0] - 84, 32),
        "name": _area_name(game, view, words, area),
        "help": _area_help(game, view, words, area),
        "choice": f"search {name}; search_neutral {name}; move_submarine {name}; move * {name}; set_die * {area + 1}",
        "css": "used-up" if used_up else "market" if area == BLACK_MARKET else "district",
        "searched": s["here"] == area,
        "home": _KINDS[area] if area < DISTRICTS else "",
        "layers": len(s["below"][area]) if area < DISTRICTS else 0,
        "open": tile >= 0,
        "glyphs": glyphs,
        "hands": view["live"]["hands"][area],
    }


def _area_name(game: Game, view: Mapping[str, Any], words: Words, area: int) -> str:
    tile = view["state"]["open_tile"][area] if area < DISTRICTS else -1
    if tile == USED_UP:
        return words.say("table.area.used_up", {"area": area})
    hands = view["live"]["hands"][area]
    if tile >= 0:
        text = tile_text(words, tile)
        return words.say("table.area", {"area": area, "pips": area, "tile": tile, "text": text, "hands": hands})
    if area < DISTRICTS:
        return words.say("table.area.covered", {"area": area, "pips": area})
    return words.say("table.area.market", {"area": area, "pips": area, "hands": hands})


def _area_help(game: Game, view: Mapping[str, Any], words: Words, area: int) -> str:
    """What is left, who would score, and where the hand would go."""
    s, live = view["state"], view["live"]
    if area < DISTRICTS and s["open_tile"][area] < 0:
        return words.say("rule.used_up") if s["open_tile"][area] == USED_UP else ""
    stop = live["stop"][area]
    parts = [words.say("table.left", {"n": live["left"][area]})]
    if area < DISTRICTS:
        parts.append(words.say("table.below", {"n": len(s["below"][area])}))
        parts.append(_stakes(view, words, area))
    parts.append(words.say("table.stop", {"space": stop, "what": _space_text(game, words, stop)}))
    return " ".join(filter(None, parts))


def _stakes(view: Mapping[str, Any], words: Words, kind: int) -> str:
    """Who would get how many points if the district of a kind were scored now; "" if nobody would."""
    points = view["live"]["stakes"][kind]
    shares = [f"{_holder(view, words, holder)} {count}" for holder, count in enumerate(points) if count]
    return words.say("table.stakes", {"shares": ", ".join(shares)}) if shares else ""


def _holder(view: Mapping[str, Any], words: Words, holder: int) -> str:
    return words.seat(holder) if holder < view["seats"] else words.say("table.neutral")


def _pile(game: Game, view: Mapping[str, Any], words: Words, area: int, kind: int) -> dict[str, Any]:
    """One kind at one area; what a click on it can mean depends on where a search is going on."""
    s = view["state"]
    x, y = _CORNERS[area]
    name, resource = _AREAS[area], _KINDS[kind]
    count = s["stock"][area][kind]
    choices = [f"gain {name} {resource}"]
    if area == s["here"]:
        choices += [f"take {resource}", f"take_extra {resource}", f"swap {resource} * *"]
    elif area < DISTRICTS:
        choices.append(f"swap * {name} {resource}")
    if area in _move_sources(game, s):
        choices.append(f"move {resource} *")
    return {
        "id": f"pile-{name}-{resource}",
        "name": words.say("table.pile", {"amount": count, "resource": kind, "area": area}),
        "choice": "; ".join(choices),
        "kind": resource,
        "count": count,
        "x": x + 32 + 57 * kind,
        "y": y + 207,
    }


def _move_sources(game: Game, s: Mapping[str, Any]) -> set[int]:
    """The areas from which the effect running now moves something."""
    here = s["here"]
    if not 0 <= here < DISTRICTS:
        return set()
    places = {
        each.source for each in _all_steps(game.box.effects[s["open_tile"][here]]) if isinstance(each, effects.Move)
    }
    return {here if place == "here" else BLACK_MARKET for place in places}


def _all_steps(steps: Sequence[effects.Step]) -> list[effects.Step]:
    """The steps of an effect and all those within them."""
    found: list[effects.Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, effects.Roll | effects.IfSecondDie):
            found += _all_steps(step.then)
    return found


def _dice(game: Game, view: Mapping[str, Any], words: Words, area: int) -> list[dict[str, Any]]:
    """The dice at a gate; each explains what it would give."""
    s = view["state"]
    faces = [face for face in range(FACES) for _ in range(s["dice"][face]) if _area_of(s, face) == area]
    if not faces:
        return []
    x, y = _CORNERS[area]
    room = _PANEL[0] - 60 - (96 if s["submarine"] == area else 0)
    step = min(54.0, room / max(1, len(faces) - 1))
    name = _AREAS[area]
    return [
        {
            "id": f"die-{s['round']}-{name}-{face + 1}-{number}",
            "name": words.say("table.die", {"pips": face, "area": area}),
            "help": _die_help(game, view, words, area),
            "choice": f"search {name}; search_neutral {name}; set_die {name} *",
            "face": face + 1,
            "x": x + 34 + step * number,
            "y": y + 297,
        }
        for number, face in enumerate(faces)
    ]


def _area_of(s: Mapping[str, Any], face: int) -> int:
    return BLACK_MARKET if face == BLACK_MARKET or s["open_tile"][face] == USED_UP else face


def _die_help(game: Game, view: Mapping[str, Any], words: Words, area: int) -> str:
    """What taking a die here gives: the resources to choose from, one more by the submarine, the effect."""
    s = view["state"]
    stock = s["stock"][area]
    kinds = [f"{count} x {words.name('resource', kind)}" for kind, count in enumerate(stock) if count]
    parts = [words.say("table.gives", {"kinds": ", ".join(kinds)}) if kinds else words.say("table.gives.nothing")]
    if s["submarine"] == area and sum(stock) > 1:
        parts.append(words.say("table.gives.extra"))
    tile = s["open_tile"][area] if area < DISTRICTS else -1
    parts.append(tile_text(words, tile) if tile >= 0 else words.say("effect.none") + ".")
    return " ".join(parts)


def _submarine(view: Mapping[str, Any], words: Words) -> dict[str, Any]:
    area = view["state"]["submarine"]
    x, y = _CORNERS[area]
    name = words.say("table.submarine", {"area": area})
    return {"x": x + _PANEL[0] - 56, "y": y + 298, "name": name, "help": words.say("rule.submarine")}


# -- effects as pictures -------------------------------------------------------------------------------------------


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


_SIGNS: Final = frozenset(
    ("die", "then", "here", "house", "market", "clock", "swap", "turned", "submarine", "lens", "to")
)
_PLACES: Final = {"here": "here", "black_market": "market", "other_district": "house", "any_district": "house"}


def _sign_width(sign: str) -> float:
    if sign in _SIGNS:
        return {"then": 20.0, "to": 26.0, "submarine": 62.0}.get(sign, 38.0)
    return text_width(sign, 34)


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


# -- the clock -----------------------------------------------------------------------------------------------------


def _clock(game: Game, view: Mapping[str, Any], words: Words) -> dict[str, Any]:
    s = view["state"]
    spaces = game.box.spaces
    return {
        "x": _CENTRE[0],
        "y": _CENTRE[1],
        "outer": _RING[0],
        "inner": _RING[1],
        "spaces": [_space(game, view, words, index) for index in range(len(spaces))],
        "stops": _stops(game, view, words),
        "angle": 360 * s["clock"] / len(spaces),
        "name": words.say("table.hand", {"space": s["clock"], "last": len(spaces) - 1}),
        "help": words.say("rule.clock"),
        "now": s["clock"],
    }


def _stops(game: Game, view: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
    """The spaces ahead where the hand may stop, each with the areas whose die would have to be the last."""
    live = view["live"]
    found: list[dict[str, Any]] = []
    if view["state"]["phase"] != SEARCH_AREAS:
        return found
    for index in sorted(set(live["stop"])):
        areas = [area for area in range(AREAS) if live["dice"][area] and live["stop"][area] == index]
        if areas and index > view["state"]["clock"]:
            angle = 2 * pi * index / len(game.box.spaces)
            places = [_point(_STOPS[0] - _STOPS[1] * number, angle) for number in range(len(areas))]
            cubes = [{"face": area + 1, "x": x, "y": y} for area, (x, y) in zip(areas, places, strict=True)]
            name = words.say("table.stops", {"space": index, "area": areas})
            found.append({"id": f"stop-{index}", "name": name, "cubes": cubes})
    return found


def _space(game: Game, view: Mapping[str, Any], words: Words, index: int) -> dict[str, Any]:
    spaces = game.box.spaces
    clock = view["state"]["clock"]
    half = pi / len(spaces)
    middle = 2 * pi * index / len(spaces)
    outer, inner = _RING
    corners = [_point(outer, middle - half), _point(outer, middle + half)]
    corners += [_point(inner, middle + half), _point(inner, middle - half)]
    x, y = _point((outer + inner) / 2, middle)
    space = spaces[index]
    winners = view["live"]["inventories"][index]
    return {
        "id": f"space-{index}",
        "corners": corners,
        "x": x,
        "y": y,
        "sign": _KINDS[space] if 0 <= space < KINDS else _PLAIN_SPACES[space],
        "passed": index < clock,
        "now": index == clock,
        "name": words.say("table.space", {"space": index, "what": _space_text(game, words, index)}),
        "help": words.say("table.winners", {"holders": ", ".join(_holder(view, words, each) for each in winners)})
        if winners
        else "",
    }


def _point(radius: float, angle: float) -> tuple[float, float]:
    return _CENTRE[0] + radius * sin(angle), _CENTRE[1] - radius * cos(angle)


def _space_text(game: Game, words: Words, index: int) -> str:
    space = game.box.spaces[index]
    if 0 <= space < KINDS:
        return words.say("table.space.inventory", {"resources": space})
    return words.say(f"table.space.{_PLAIN_SPACES[space]}")


# -- what is counted -----------------------------------------------------------------------------------------------


def _majorities(view: Mapping[str, Any], words: Words) -> Region:
    """Kind by kind: how many each holder has, what that would score now, and how many are left in the district."""
    s, live = view["state"], view["live"]
    holders = range(len(s["holds"]))
    width, head, line = _MAJORITY
    column = (width - 44 - 56) / len(holders)
    rows = []
    for kind in range(KINDS):
        held = ", ".join(f"{_holder(view, words, holder)} {s['holds'][holder][kind]}" for holder in holders)
        used_up = s["open_tile"][kind] == USED_UP
        values = {"resources": kind, "held": held, "left": live["left"][kind], "area": kind}
        rows.append(
            {
                "id": f"majority-{_KINDS[kind]}",
                "name": words.say("table.majority.used_up" if used_up else "table.majority", values),
                "help": _stakes(view, words, kind),
                "kind": _KINDS[kind],
                "y": head + line * kind,
                "used_up": used_up,
                "left": live["left"][kind],
                "cells": [
                    {
                        "x": 44 + column * (holder + 0.5),
                        "count": s["holds"][holder][kind],
                        "points": live["stakes"][kind][holder],
                        "leads": holder in live["leaders"][kind],
                    }
                    for holder in holders
                ],
            }
        )
    heads = [{"x": 44 + column * (holder + 0.5), "text": _head(view, words, holder, column - 6)} for holder in holders]
    markup = _draw(
        "majorities", width=width, head=head, line=line, heads=heads, rows=rows, left=words.say("table.rest")
    )
    title = words.say("table.majorities")
    drawing = Drawing("majorities", width, head + line * KINDS + 4, markup, title)
    return Region("majorities", title, "shared", [drawing])


def _head(view: Mapping[str, Any], words: Words, holder: int, width: float) -> str:
    """As much of a holder's name as there is room for at 15 px."""
    name = words.seat(holder) if holder < view["seats"] else words.say("table.neutral.short")
    if text_width(name, 15) <= width:
        return name
    while name and text_width(name + "…", 15) > width:
        name = name[:-1]
    return name.rstrip() + "…"


def _tiles(game: Game, view: Mapping[str, Any], words: Words) -> Region:
    """The open tiles in words, and what the clock will do."""
    s = view["state"]
    facts = [
        Fact("round", words.say("table.round"), str(s["round"]), _draw("hand_symbol"), s["round"]),
        Fact("start-player", words.say("table.start_player"), words.seat(s["start_player"]), _draw("die_symbol")),
    ]
    for area in range(AREAS):
        tile = s["open_tile"][area] if area < DISTRICTS else -1
        if area < DISTRICTS and tile < 0:
            continue
        text = tile_text(words, tile) if tile >= 0 else words.say("effect.none") + "."
        label = words.say("table.effect", {"area": area, "text": text})
        hands = view["live"]["hands"][area]
        facts.append(
            Fact(f"effect-{_AREAS[area]}", label, str(hands), _draw("hand_symbol"), hands, help=words.say("rule.clock"))
        )
    return Region("tiles", words.say("table.tiles"), "shared", (), facts, folded=True)


def _seat_facts(view: Mapping[str, Any], words: Words, seat: int) -> list[Fact]:
    s, live = view["state"], view["live"]
    facts = _belongings(view, words, seat)
    picks = live["picks"][seat]
    facts.append(Fact(f"picks-{seat}", words.say("table.picks"), str(picks), _draw("die_symbol"), picks))
    if len(s["holds"]) > view["seats"]:
        said = words.say("table.handed.yes" if s["handed"][seat] else "table.handed.no")
        label, why = words.say("table.handed"), words.say("rule.neutral")
        facts.append(Fact(f"handed-{seat}", label, said, _draw("die_symbol"), help=why))
    return facts


def _belongings(view: Mapping[str, Any], words: Words, holder: int) -> list[Fact]:
    """What lies before a holder: points, tiles, resources; a click on the viewer's own resources donates them."""
    s, live = view["state"], view["live"]
    score = live["scores"][holder]
    facts = [
        Fact(
            f"score-{holder}",
            words.say("table.score"),
            str(score),
            _draw("point_symbol"),
            score,
            help=words.say("table.score.help", {"points": live["points"][holder]}),
        )
    ]
    for kind, count in enumerate(s["holds"][holder]):
        choice = f"donate {_KINDS[kind]} *" if holder == view["viewer"] else ""
        label = words.name("resources", kind)
        facts.append(
            Fact(f"hold-{holder}-{_KINDS[kind]}", label, str(count), _draw("symbol", kind=_KINDS[kind]), count, choice)
        )
    tiles = s["won"][holder]
    names = ", ".join(words.name("tile", tile) for tile in tiles)
    facts.append(
        Fact(f"won-{holder}", words.say("table.won"), str(len(tiles)), _draw("tile_symbol"), len(tiles), help=names)
    )
    return facts
