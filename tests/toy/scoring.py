"""The worth of everything (TO-4.2): pure functions of the table."""

from __future__ import annotations

from typing import Final

from atoll.engine import JsonObject, ScoreLine, ScorePart

from .state import NO_CHARM, ToyState

ENOUGH_SHELLS: Final = 2
WISH_COME_TRUE: Final = 2
WISH_MISSED: Final = -1


def wish_points(s: ToyState, seat: int, shell: int) -> int:
    """Return 2 for a wish whose color the seat has at least twice, else -1. Rule TO-4.2."""
    return WISH_COME_TRUE if s.shells[seat][shell] >= ENOUGH_SHELLS else WISH_MISSED


def charm_points(s: ToyState, seat: int) -> int:
    """Return 1 per shell of the color of the charm. Rule TO-4.2."""
    charm = s.charms[seat]
    return 0 if charm == NO_CHARM else s.shells[seat][s.components.charm_shell[charm]]


def card_points(s: ToyState, seat: int) -> int:
    """Return the points printed on the open cards. Rule TO-4.2."""
    return sum(s.components.points[card] for card in s.played[seat])


def score(s: ToyState, seat: int) -> int:
    """Return the points of open cards, charm, wishes and gifts. Rule TO-4.2."""
    wishes = sum(wish_points(s, seat, shell) for shell in s.wishes[seat])
    return card_points(s, seat) + charm_points(s, seat) + wishes + len(s.gifts[seat])


def explain(s: ToyState, seat: int) -> list[ScoreLine]:
    """The open cards one by one, the charm, each wish, the gifts."""
    lines = []
    if s.played[seat]:
        parts = tuple(ScorePart("card", s.components.points[card], {"card": card}) for card in s.played[seat])
        lines.append(ScoreLine("cards", card_points(s, seat), {"n": len(parts)}, parts, rule="end"))
    charm = s.charms[seat]
    if charm != NO_CHARM:
        lines.append(
            ScoreLine(
                "charm", charm_points(s, seat), {"charm": charm, "shell": s.components.charm_shell[charm]}, rule="end"
            )
        )
    lines += [ScoreLine("wish", wish_points(s, seat, shell), {"shell": shell}, rule="end") for shell in s.wishes[seat]]
    if s.gifts[seat]:
        lines.append(ScoreLine("gifts", len(s.gifts[seat]), {"n": len(s.gifts[seat])}, rule="end"))
    return lines


def live(s: ToyState, viewer: int | None) -> JsonObject:
    """Points of the open cards, for all; the whole score only for oneself, and for all when the game is over.

    {"cards": [seat], "scores": [seat], None where the viewer can't know}
    """
    seats = range(s.seats)
    return {
        "cards": [card_points(s, seat) for seat in seats],
        "scores": [score(s, seat) if s.over or seat == viewer else None for seat in seats],
    }
