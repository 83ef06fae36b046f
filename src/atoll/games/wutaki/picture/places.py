"""Places for workers: standard places with upgrades, places with a sign board, the pyramid."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from atoll.engine.translations import GameMessages
from atoll.picture import Region, Row, Rows, fragment

from ..components import (
    ACCEPT_PACT,
    CHASE,
    CHOOSE,
    CLAIM_START,
    DRAW_VENGEANCE,
    GIFT_PACT,
    PLAY_OMEN,
    RENEW_PACTS,
    TRADE,
    UPGRADE,
    Action,
    WutakiComponents,
)
from ..describe import action_in_words, cost_in_words, effects_in_words
from ..kinds import MAIN_PLACES, PLUNDER, PYRAMID, RESOURCES, VILLAGE
from ..signs import Sign, action_signs, cost_signs, effects_signs
from .drawing import draw, in_row, squeezed
from .table import area, named, sockets

_TOLD_BY_PICTURE: Final = (CLAIM_START, CHASE, TRADE, RENEW_PACTS, PLAY_OMEN, ACCEPT_PACT, GIFT_PACT)


def _choice(place: int) -> str:
    """Return the choices that a place stands for."""
    id = MAIN_PLACES[place]
    return f"visit * {id}; crowd_in * {id}; chase {id} *; recall * {id}; leave * {id}"


# -- standard places -------------------------------------------------------------------------------


@fragment
def standard(
    words: GameMessages[WutakiComponents],
    side: int,
    place: int,
    now: int,
    markers: Row,
    own: int,
    fields: Rows,
    *,
    upgrade_discount: int,
    hire_discount: int,
) -> Region:
    """Return a standard place with its upgrades and their prices.

    Args:
        words: The messages of the game.
        side: The side of the island.
        place: The place.
        now: The number of resources or workers that it yields to the viewer, or the printed one for
            a spectator.
        markers: The seats whose upgrade markers lie there, by slot.
        own: The number of the viewer's markers.
        fields: Its fields; see `fields_at`.
        upgrade_discount: The gold that an upgrade costs less in this round.
        hire_discount: The resources of the cost marker that a worker costs less there in this
            round.
    """
    components = words.game.components
    id, printed = MAIN_PLACES[place], components.boards[side].places[place]
    title = words.name("place", place)
    prices = [max(0, price - upgrade_discount) for price in components.boards[side].upgrade_prices]
    slots = []
    for slot, price in enumerate(prices):
        signs = [(str(price), "gold"), (f"›{printed.yields[slot + 1]}", "")]
        free = in_row(signs, 34 + slot * 54, 81, 15.8, width=47, middle=True)
        slots.append({"seat": markers[slot] if slot < len(markers) else -1, "row": free})
    text = _yield(words, side, place, now, len(markers), own, prices, hire_discount)
    markup = draw(
        "standard",
        id=f"place-{id}",
        art=id,
        name=named(words, title, text, fields),
        title=squeezed(title, 150, 15.8),
        choice=f"{_choice(place)}; upgrade {id}; marker {id} *",
        n=now,
        sign=RESOURCES[printed.kind] if printed.kind >= 0 else "extra",
        slots=slots,
        bonus=[RESOURCES[kind] for kind in printed.bonus],
        fields=sockets(fields, 83, 122, 30),
    )
    return area(id, title, 166, 136, markup)


def _yield(
    words: GameMessages[WutakiComponents],
    side: int,
    place: int,
    now: int,
    level: int,
    own: int,
    prices: list[int],
    hire_discount: int,
) -> str:
    """Return a text about the yield of a standard place now and next, and about its bonus."""
    printed = words.game.components.boards[side].places[place]
    kind = {} if place == VILLAGE else {"resource": printed.kind}
    text = words.say("table.hires" if place == VILLAGE else "table.yields", {"n": now, **kind})
    if place == VILLAGE and hire_discount:
        text += " " + words.say("table.hires_for_less", {"n": hire_discount})
    if level < len(printed.yields) - 1:
        more = now + printed.yields[level + 1] - printed.yields[level]
        key = "table.next_level.hires" if place == VILLAGE else "table.next_level"
        text += " " + words.say(key, {"level": level + 1, "n": more, "price": prices[level], **kind})
    bonus = words.say("table.or").join(words.name("resource", each) for each in printed.bonus)
    text += " " + words.say("table.marker_bonus", {"what": bonus})
    if own:
        text += " " + words.say("table.own_bonus", {"n": own, "what": bonus})
    return text


# -- places with a sign board ----------------------------------------------------------------------


@fragment
def small(words: GameMessages, side: int, place: int, holder: int, fields: Rows, *, quiet: bool) -> Region:
    """Return a place with a picture, a sign board and sockets.

    Args:
        words: The messages of the game.
        side: The side of the island.
        place: The place.
        holder: The seat that holds or claims the start marker, at the place that gives it; -1
            elsewhere.
        fields: Its fields; see `fields_at`.
        quiet: Whether no vengeance card is drawn there in this round.
    """
    id, title, action = MAIN_PLACES[place], words.name("place", place), _action(words, side, place, quiet)
    lines = _lines(action)
    if len(lines) > 1:
        rows = [in_row(line, 49, 53 + at * 19, 15.8, width=84, middle=True) for at, line in enumerate(lines)]
    else:
        rows = [in_row(line, 74.5, 51, 15.8, width=38, middle=True) for line in lines]
    markup = draw(
        "small",
        id=f"place-{id}",
        art=id,
        name=named(words, title, action_in_words(words, action), fields),
        title=squeezed(words.say("table.short.upgrade") if id == "upgrade" else title, 90, 17.4),
        choice=_choice(place),
        rows=rows,
        fields=sockets(fields, 49, 105, min(27, 72 / max(1, len(fields) - 1))),
        holder=holder,
    )
    return area(id, title, 98, 116, markup)


@fragment
def plank(words: GameMessages, side: int, place: int, width: int, fields: Rows, *, quiet: bool) -> Region:
    """Return a place in one line.

    Args:
        words: The messages of the game.
        side: The side of the island.
        place: The place.
        width: The length of the line in pixels.
        fields: Its fields; see `fields_at`.
        quiet: Whether no vengeance card is drawn there in this round.
    """
    id, title, action = MAIN_PLACES[place], words.name("place", place), _action(words, side, place, quiet)
    has_art = place != PLUNDER
    room = width - (52 if has_art else 18) - len(fields) * 29
    signs = [sign for line in _lines(action) for sign in line]
    markup = draw(
        "plank",
        id=f"place-{id}",
        art=id if has_art else "",
        name=named(words, title, action_in_words(words, action), fields),
        title=squeezed(title, width - 6, 15.8),
        choice=_choice(place),
        line=in_row(signs, 44 if has_art else 10, 38, 15.8, width=room),
        fields=sockets(fields, width - 8 - len(fields) * 14.5, 46, 29),
        w=width,
    )
    return area(id, title, width, 58, markup)


def _action(words: GameMessages[WutakiComponents], side: int, place: int, quiet: bool) -> Action:
    """Return the action of a place in this round."""
    action = words.game.components.boards[side].places[place].action
    if quiet:
        action = replace(action, effects=tuple(each for each in action.effects if each.verb != DRAW_VENGEANCE))
    return action


def _lines(action: Action) -> list[list[Sign]]:
    """Return the signs that a place's picture doesn't show itself. Options are below each other."""
    first = action.effects[0]
    if first.verb == CHOOSE:
        return [action_signs(option) for option in first.options]
    if first.verb == UPGRADE:
        return [[(f"+{first.vp}", "crown")]]
    signs = effects_signs(effect for effect in action.effects if effect.verb not in _TOLD_BY_PICTURE)
    cost = cost_signs(action.cost)
    gain = [("+", "gold")] if first.verb == ACCEPT_PACT and first.bonus else []
    signs = [*cost, *([("›", "")] if cost and signs else []), *signs, *gain]
    return [signs] if signs else []


# -- the pyramid -----------------------------------------------------------------------------------


@fragment
def pyramid(words: GameMessages[WutakiComponents], side: int, reached: Row, fields: Rows) -> Region:
    """Return the four levels of the pyramid with their room, price and points.

    Args:
        words: The messages of the game.
        side: The side of the island.
        reached: The level that each seat has reached; 0 for none.
        fields: The fields before it; see `fields_at`.
    """
    components = words.game.components
    levels = []
    for number, level in enumerate(components.boards[side].levels):
        cost = cost_in_words(words, level.climb.cost)
        effects = effects_in_words(words, level.climb.effects)
        seats = [seat for seat, at in enumerate(reached) if at == number + 1]
        tokens, extras = cost_signs(level.climb.cost), effects_signs(level.climb.effects)
        lines = [tokens[:3], tokens[3:] + extras] if tokens[3:] or extras else [tokens]
        inset, y = number * 8, 151 - number * 43
        room = 142 - 2 * inset - 19 * len(seats)
        heights = (22,) if len(lines) == 1 else (12, 32)
        name = words.say("table.level", {"number": number + 1, "cost": cost, "vp": level.vp, "room": level.room})
        levels.append(
            {
                "y": y,
                "inset": inset,
                "vp": level.vp,
                "rows": [
                    in_row(line, 42 + inset, y + dy, 15.8, width=room) for line, dy in zip(lines, heights, strict=True)
                ],
                "seats": seats,
                "free": level.room - len(seats),
                "name": f"{name} {effects}." if effects else name,
            }
        )
    title = words.name("place", PYRAMID)
    text = action_in_words(words, components.boards[side].places[PYRAMID].action)
    markup = draw(
        "pyramid",
        levels=levels,
        name=named(words, title, text, fields),
        title=squeezed(title, 194, 15.8),
        choice=_choice(PYRAMID),
        fields=sockets(fields, 116, 222, 32),
    )
    return area("pyramid", title, 200, 237, markup)
