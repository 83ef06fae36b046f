"""Why a choice isn't offered, as the one who is asked sees the table."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen, unless

from .kinds import DISCARD, KNOCK, LAY, LAY_OFF, MELDS, TAKE, VOCABULARY

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="draw", end="scoring")


@JUDGES.of(TAKE)
def taking(seen: Seen, choice: int) -> Reason | None:
    """§ First card. Whoever has refused it, and was followed by the other, draws of the stock."""
    return unless(seen.prompt != "draw" or not seen.s.refused, "refused", "offer")


@JUDGES.of(DISCARD)
def discarding(seen: Seen, choice: int) -> Reason | None:
    """§ Discard, § Knock. A card of one's hand; when knocking, one that leaves little deadwood."""
    s, card = seen.s, DISCARD.of(choice)
    fits = seen.prompt != "knock" or card in s.knocking_discards()
    return unless(card in _hand(seen), "not_in_hand", "discard", card=card) or unless(
        fits, "too_much_after", "knock", card=card, limit=s.limit
    )


@JUDGES.of(KNOCK)
def knocking(seen: Seen, choice: int) -> Reason | None:
    """§ Knock. Only with little deadwood after the discard."""
    if seen.prompt not in ("discard", "wall"):
        return None
    return unless(seen.s.knocking_discards(), "too_much", "knock", limit=seen.s.limit)


@JUDGES.of(LAY)
def laying(seen: Seen, choice: int) -> Reason | None:
    """§ Knock. Only melds of one's own cards, and of the knocker's only those that leave little deadwood."""
    s, meld = seen.s, LAY.of(choice)
    fits = seen.prompt != "lay" or meld in s.layable_melds()
    return unless(set(MELDS[meld]) <= set(_hand(seen)), "not_in_hand_all", "knock", meld=meld) or unless(
        fits, "too_much_left", "knock", meld=meld, limit=s.limit
    )


@JUDGES.of(LAY_OFF)
def laying_off(seen: Seen, choice: int) -> Reason | None:
    """§ Lay off. Only cards that go on a meld of the knocker."""
    card = LAY_OFF.of(choice)
    fits = seen.prompt != "lay_off" or card in seen.s.fitting_cards()
    return unless(card in _hand(seen), "not_in_hand", "lay_off", card=card) or unless(
        fits, "fits_nowhere", "lay_off", card=card
    )


def _hand(seen: Seen) -> list[int]:
    """The cards in the hand of the one who asks."""
    hand: list[int] = seen.s.hands[seen.seat]
    return hand
