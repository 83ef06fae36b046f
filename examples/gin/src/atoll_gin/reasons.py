"""Why a choice isn't offered, as the one who is asked sees the table."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .components import Box
from .kinds import DISCARD, KNOCK, LAY, LAY_OFF, MELDS, TAKE, VOCABULARY
from .state import GinState

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="draw", end="scoring")


@JUDGES.of(TAKE)
def taking(seen: Seen, choice: int) -> Reason | None:
    """§ First card. Whoever has refused it, and was followed by the other, draws of the stock."""
    return Reason("refused", rule="offer") if seen.prompt == "draw" else None


@JUDGES.of(DISCARD)
def discarding(seen: Seen[GinState, Box], choice: int) -> Reason | None:
    """§ Discard, § Knock. A card of one's hand; when knocking, one that leaves little deadwood."""
    card = DISCARD.of(choice)
    if card not in _hand(seen):
        return Reason("not_in_hand", {"card": card}, rule="discard")
    if seen.prompt == "knock":
        return Reason("too_much_after", {"card": card, "limit": seen.s.limit}, rule="knock")
    return None


@JUDGES.of(KNOCK)
def knocking(seen: Seen[GinState, Box], choice: int) -> Reason | None:
    """§ Knock. Only with little deadwood after the discard."""
    if seen.prompt not in ("discard", "wall"):
        return None
    return Reason("too_much", {"limit": seen.s.limit}, rule="knock")


@JUDGES.of(LAY)
def laying(seen: Seen[GinState, Box], choice: int) -> Reason | None:
    """§ Knock. Only melds of one's own cards, and of the knocker's only those that leave little deadwood."""
    meld = LAY.of(choice)
    if not set(MELDS[meld]) <= set(_hand(seen)):
        return Reason("not_in_hand_all", {"meld": meld}, rule="knock")
    if seen.prompt == "lay":
        return Reason("too_much_left", {"meld": meld, "limit": seen.s.limit}, rule="knock")
    return None


@JUDGES.of(LAY_OFF)
def laying_off(seen: Seen, choice: int) -> Reason | None:
    """§ Lay off. Only cards that go on a meld of the knocker."""
    card = LAY_OFF.of(choice)
    if card not in _hand(seen):
        return Reason("not_in_hand", {"card": card}, rule="lay_off")
    if seen.prompt == "lay_off":
        return Reason("fits_nowhere", {"card": card}, rule="lay_off")
    return None


def _hand(seen: Seen[GinState, Box]) -> list[int]:
    """The cards in the hand of the one who asks."""
    return seen.s.hands[seen.seat]
