"""Pacts, small cards and masterboards as they look on the table and on the rules page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Rows
from atoll.picture.svg_macros import signed, text_width

from ..components import VP, Action, Effect, Masterboard, WutakiComponents
from ..kinds import ELEMENTS
from ..signs import (
    Sign,
    action_signs,
    cost_signs,
    effects_signs,
    element_signs,
    metric_sign,
    secret_signs,
    tower_signs,
    vengeance_signs,
)
from .drawing import draw, in_row, squeezed
from .table import sockets

_BRIEF: Final = (12.5, 58)
"""The size and the room of the line on a card of which only the head is visible."""


def tablet(
    words: GameMessages[WutakiComponents],
    pact: int,
    id: str,
    text: str,
    choice: str = "",
    *,
    gold: int = 0,
    own: bool = False,
    paid: Sequence[bool] = (),
) -> Drawing:
    """Return a pact.

    Args:
        words: The messages of the game.
        pact: The pact.
        id: The id of its element.
        text: The description of its effects.
        choice: The choices that it stands for.
        gold: The gold that its slot brings, or costs if it is below 0.
        own: Whether it is the viewer's.
        paid: Whether the viewer can pay each of its costs, which is then ticked; empty to tick
            nothing.
    """
    printed = words.game.components.pacts[pact]
    title, element = words.name("pact", pact), words.name("element", printed.element)
    vp = sum(effect.n for effect in printed.action.effects if effect.verb == VP)
    extras = effects_signs(effect for effect in printed.action.effects if effect.verb != VP)
    markup = draw(
        "tablet",
        id=id,
        name=f"{title} ({element}). {text}",
        choice=choice,
        element_id=ELEMENTS[printed.element],
        vp=vp,
        costs=_costs(printed.action, 84 if extras else 96, paid),
        line=in_row(extras, 64, 126, 17.5, width=112, middle=True) if extras else None,
        title=squeezed(title, 114, 16.6),
        gold=in_row([(signed(gold), "gold")], 101, 12, 16.6, middle=True) if gold else None,
        own=own,
    )
    return Drawing(f"card-{id}", 128, 158, markup)


def _costs(action: Action, middle: float, paid: Sequence[bool]) -> list[dict[str, Any]]:
    """Return the costs of a pact in one or two columns."""
    costs = cost_signs(action.cost)
    rows = -(-len(costs) // 2)
    found = []
    for place, (n, sign) in enumerate(costs):
        alone = place == len(costs) - 1 and len(costs) % 2
        x = 54 if alone else 28 + place % 2 * 54
        y = middle + (place // 2 - (rows - 1) / 2) * 25
        found.append({"x": x, "y": y, "n": n, "sign": sign, "paid": bool(paid) and paid[place]})
    return found


def masterboard(
    words: GameMessages[WutakiComponents],
    seats: int,
    index: int,
    id: str,
    name: str,
    choice: str = "",
    *,
    track: int = 0,
    multiplier: int = 0,
    fields: Rows,
) -> Markup:
    """Return a face of a masterboard, 180 by 96 units.

    Args:
        words: The messages of the game.
        seats: The number of seats, which selects its pact track.
        index: The face.
        id: The id of its element.
        name: Its name for screen readers.
        choice: The choices that it stands for.
        track: The space of its marker on the pact track.
        multiplier: The position of the marker of its multiplier.
        fields: The fields of its own place, if it has one; see `fields_at`.
    """
    face = words.game.components.masterboards[index]
    spaces = face.track[seats]
    holes, lines = _holes(face, spaces, track, multiplier)
    has_title = face.own_place is None or not spaces
    return draw(
        "master",
        id=id,
        name=name,
        choice=choice,
        title=squeezed(words.name("masterboard", index), 146, 15.8) if has_title else None,
        holes=holes,
        lines=lines,
        fields=sockets(fields, 160, 17 if spaces else 83, 26) if face.own_place is not None else [],
    )


def _holes(
    face: Masterboard, track: Sequence[Sequence[Effect]], at: int, multiplier: int
) -> tuple[list[dict[str, Any]], list[Markup]]:
    """Return the holes of a masterboard with its marker, and the rows of signs printed on it."""
    holes: list[dict[str, Any]] = []
    lines = []
    own = face.own_place
    if track:
        half = -(-(len(track) - 1) // 2)
        for space in range(1, len(track)):
            line, column = divmod(space - 1, half)
            x, y = 22 + column * 136 / (half - 1), (38 if own else 32) + line * 33
            signs = effects_signs(track[space])
            bonus = in_row(signs, x, y + 17, 15.8, width=34, middle=True) if signs else None
            holes.append(_hole(str(space), x, y, 9, at - space, bonus))
    elif len(face.multiplier) > 1:
        for place, n in enumerate(face.multiplier):
            holes.append(_hole(f"×{n}", 26 + place * 38, 45, 14, multiplier - place, None))
    elif face.on_climb is not None:
        lines.append(in_row([("", "stairs"), ("›", ""), *action_signs(face.on_climb)], 14, 56, 17, width=150))
    if own is not None:
        lines.append(in_row(action_signs(own), 30 if track else 14, 14 if track else 77, 15.8, width=112))
    return holes, lines


def _hole(text: str, x: float, y: float, r: float, beyond: int, bonus: Markup | None) -> dict[str, Any]:
    where = {"at": beyond == 0, "done": beyond > 0, "next": beyond == -1}
    return {"text": text, "x": x, "y": y, "r": r, "row": bonus, **where}


def mini(
    words: GameMessages[WutakiComponents],
    domain: str,
    card: int,
    id: str,
    text: str,
    choice: str = "",
    *,
    used: bool = False,
) -> Drawing:
    """Return a small card with its signs.

    Args:
        words: The messages of the game.
        domain: The domain of the card.
        card: The card.
        id: The id of its element.
        text: The description of its effects.
        choice: The choices that it stands for.
        used: Whether it has been used up.
    """
    components = words.game.components
    key = ""
    if domain == "element_card":
        sign, signs = ELEMENTS[components.elements[card].element], element_signs(components.elements[card])
    elif domain == "tower_upgrade":
        sign, signs = "keep", tower_signs(components, card)
    elif domain == "secret_pact":
        sign, key = "secret", metric_sign(components.secret_pacts[card])
        signs = secret_signs(components.secret_pacts[card])
    elif domain == "vengeance":
        sign, key = "skull", metric_sign(components.vengeance[card])
        signs = vengeance_signs(components.vengeance[card])
    else:
        sign = "bolt" if domain == "ability" else "eye"
        action = (components.abilities if domain == "ability" else components.omens)[card].action
        signs = action_signs(action)
        key = next((each for _, each in effects_signs(action.effects) if each), "")
    css = {"element_card": "element", "secret_pact": "secret", "tower_upgrade": "tower"}.get(domain, domain)
    title = words.name(domain, card)
    markup = draw(
        "mini",
        id=id,
        name=f"{title} ({words.say(f'table.card.{css}')}). {text}",
        choice=choice,
        css=f"{'control' if css == 'element' else css}{' used' if used else ''}",
        sign=sign,
        key=key,
        rows=_mini_rows(signs),
        brief=_brief(signs, key or sign),
    )
    return Drawing(f"card-{id}", 62, 96, markup)


def _brief(signs: Iterable[Sign], shown: str) -> Markup:
    """Return the signs in one line below a card's head, which shows one of the signs.

    Args:
        signs: The signs of the card.
        shown: The sign in its head. An amount that all signs share is written once.
    """
    line = [(f"{text} ", "") if sign == shown else (text, sign) for text, sign in signs if text or sign != shown]
    amounts = {text.strip() for text, _ in line}
    if len(line) > 1 and len(amounts) == 1:
        line = [(f"{amounts.pop()} ", ""), *(("", sign) for _, sign in line if sign)]
    size, width = _BRIEF
    return in_row(line, 3, 39.5, size, width=width)


def _mini_rows(signs: Sequence[Sign]) -> list[Markup]:
    """Return the signs in at most three lines of a small card."""
    lines: list[list[Sign]] = [[]]
    at = 0.0
    for text, sign in signs:
        wide = text_width(text, 16) + (24 if sign else 0)
        if lines[-1] and at + wide > 56 and len(lines) < 3:
            lines.append([])
            at = 0.0
        lines[-1].append((text, sign))
        at += wide
    middle = 64 - (len(lines) - 1) * 10
    return [in_row(line, 31, middle + at * 20, 16, width=51, middle=True) for at, line in enumerate(lines)]
