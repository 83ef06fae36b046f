"""The explanations of why a choice isn't legal, based on the asked seat's view."""

from __future__ import annotations

from typing import Final

from atoll.engine import ExplainContext, Explainers, Reason, unless

from .components import GinComponents
from .kinds import DISCARD, KNOCK, LAY, LAY_OFF, MELDS, TAKE, VOCABULARY
from .state import GinState

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="draw", end="scoring")


@EXPLAINERS.of(TAKE)
def taking(seen: ExplainContext, choice: int) -> Reason | None:
    """Return that a player can't take the card that both have refused. Rule GI-2.2."""
    return unless(seen.prompt != "draw" or not seen.s.refused, "refused", "offer")


@EXPLAINERS.of(DISCARD)
def discarding(seen: ExplainContext[GinState, GinComponents], choice: int) -> Reason | None:
    """Return why a card can't be discarded: not in the hand, or too much deadwood is left.

    Rules GI-3.2 and GI-4.1.
    """
    s, card = seen.s, DISCARD.part(choice)
    fits = seen.prompt != "knock" or card in s.knocking_discards()
    return unless(card in _hand(seen), "not_in_hand", "discard", card=card) or unless(
        fits, "too_much_after", "knock", card=card, limit=s.limit
    )


@EXPLAINERS.of(KNOCK)
def knocking(seen: ExplainContext[GinState, GinComponents], choice: int) -> Reason | None:
    """Return that too much deadwood is left to knock. Rule GI-4.1."""
    if seen.prompt not in ("discard", "wall"):
        return None
    return unless(seen.s.knocking_discards(), "too_much", "knock", limit=seen.s.limit)


@EXPLAINERS.of(LAY)
def laying(seen: ExplainContext[GinState, GinComponents], choice: int) -> Reason | None:
    """Return why a meld can't be laid: cards are missing, or too much deadwood is left.

    Rule GI-4.1.
    """
    s, meld = seen.s, LAY.part(choice)
    fits = seen.prompt != "lay" or meld in s.layable_melds()
    return unless(set(MELDS[meld]) <= set(_hand(seen)), "not_in_hand_all", "knock", meld=meld) or unless(
        fits, "too_much_left", "knock", meld=meld, limit=s.limit
    )


@EXPLAINERS.of(LAY_OFF)
def laying_off(seen: ExplainContext, choice: int) -> Reason | None:
    """Return why a card can't be laid off: not in the hand, or it fits no meld. Rule GI-4.2."""
    card = LAY_OFF.part(choice)
    fits = seen.prompt != "lay_off" or card in seen.s.fitting_cards()
    return unless(card in _hand(seen), "not_in_hand", "lay_off", card=card) or unless(
        fits, "fits_nowhere", "lay_off", card=card
    )


def _hand(seen: ExplainContext[GinState, GinComponents]) -> list[int]:
    """Return the cards in the hand of the asked seat."""
    return seen.s.hands[seen.seat]
