"""The result of a game as a short text."""

from __future__ import annotations

from collections.abc import Sequence

from .texts import Texts


def outcome(places: Sequence[int], mine: Sequence[int], names: Sequence[str], texts: Texts) -> str:
    """Return the result of a game as a short text.

    Args:
        places: Place per seat.
        mine: The reader's seats. With exactly one, the text is about it; otherwise it names the
            winners.
        names: Name per seat.
        texts: Messages of the site.
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
