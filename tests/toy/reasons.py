"""Reasons why a choice isn't possible, from what its seat knows."""

from __future__ import annotations

from typing import Final

from atoll.engine import ExplainContext, Explainers, Reason, unless

from .kinds import GIVE, PLAY, VOCABULARY

EXPLAINERS: Final = Explainers(VOCABULARY, turn="turns")


@EXPLAINERS.of(GIVE)
def giving(seen: ExplainContext, choice: int) -> Reason | None:
    """Tell that gifts are an option. Rule TO-2.5."""
    return None if seen.view["options"]["gifts"] else Reason("no_gifts", rule="turns")


@EXPLAINERS.of(PLAY)
def playing(seen: ExplainContext, choice: int) -> Reason | None:
    """Tell why a card can't be played: not in the hand, or too expensive. Rule TO-2.6."""
    if seen.prompt not in ("act", "answer_echo"):
        return None
    s, card = seen.s, PLAY.part(choice)
    if card not in s.hands[seen.seat]:
        return Reason("not_in_hand", rule="turns")
    payable = seen.prompt == "answer_echo" or s.can_pay_for(seen.seat, card)
    return unless(payable, "too_expensive", "turns", card=card, n=seen.components.price[card])
