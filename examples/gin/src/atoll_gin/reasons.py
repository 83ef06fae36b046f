"""Why a choice isn't offered, as the one who is asked sees the table."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .kinds import DISCARD, KNOCK, LAY, LAY_OFF, MELDS, TAKE, VOCABULARY

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="draw", end="scoring")


@JUDGES.of(TAKE)
def taking(seen: Seen, choice: int) -> Reason | None:
    """Tell that a player can't take the card that both have refused. Rule GI-2.2."""
    return Reason("refused", rule="offer") if seen.prompt == "draw" else None


@JUDGES.of(DISCARD)
def discarding(seen: Seen, choice: int) -> Reason | None:
    """Tell why a card can't be discarded: not in the hand, or too much deadwood is left.

    Rules GI-3.2 and GI-4.1.
    """
    card = DISCARD.of(choice)
    if card not in _hand(seen):
        return Reason("not_in_hand", {"card": card}, rule="discard")
    if seen.prompt == "knock":
        return Reason("too_much_after", {"card": card, "limit": seen.s.limit}, rule="knock")
    return None


@JUDGES.of(KNOCK)
def knocking(seen: Seen, choice: int) -> Reason | None:
    """Tell that too much deadwood is left to knock. Rule GI-4.1."""
    if seen.prompt not in ("discard", "wall"):
        return None
    return Reason("too_much", {"limit": seen.s.limit}, rule="knock")


@JUDGES.of(LAY)
def laying(seen: Seen, choice: int) -> Reason | None:
    """Tell why a meld can't be laid: cards are missing, or too much deadwood is left. Rule GI-4.1."""
    meld = LAY.of(choice)
    if not set(MELDS[meld]) <= set(_hand(seen)):
        return Reason("not_in_hand_all", {"meld": meld}, rule="knock")
    if seen.prompt == "lay":
        return Reason("too_much_left", {"meld": meld, "limit": seen.s.limit}, rule="knock")
    return None


@JUDGES.of(LAY_OFF)
def laying_off(seen: Seen, choice: int) -> Reason | None:
    """Tell why a card can't be laid off: not in the hand, or it fits no meld. Rule GI-4.2."""
    card = LAY_OFF.of(choice)
    if card not in _hand(seen):
        return Reason("not_in_hand", {"card": card}, rule="lay_off")
    if seen.prompt == "lay_off":
        return Reason("fits_nowhere", {"card": card}, rule="lay_off")
    return None


def _hand(seen: Seen) -> list[int]:
    """The cards in the hand of the one who asks."""
    hand: list[int] = seen.s.hands[seen.seat]
    return hand
