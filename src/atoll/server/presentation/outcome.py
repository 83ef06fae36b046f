"""How a game ended, in short."""

from __future__ import annotations

from collections.abc import Sequence

from .texts import Texts


def outcome(places: Sequence[int], mine: Sequence[int], names: Sequence[str], texts: Texts) -> str:
    """How a game ended: for who held one seat of it, else who has won.

    places, names: of all seats. mine: the seats of whom it is told.
    """
    winners = places.count(1)
    if len(mine) != 1:
        won = ", ".join(name for name, place in zip(names, places, strict=True) if place == 1)
        return texts.text("card.won_by" if winners else "card.lost", names=won, n=winners)
    place = places[mine[0]]
    if place == 1:
        return texts.text("card.won" if winners == 1 else "card.shared")
    if len(places) <= 2 or not winners:
        return texts.text("card.lost")
    return texts.text("card.place", place=place, of=len(places))
