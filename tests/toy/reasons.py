"""Why a choice isn't possible, as far as its seat can see the table."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .kinds import GIVE, PLAY, VOCABULARY

JUDGES: Final = Judges(VOCABULARY, turn="turns")


@JUDGES.of(GIVE)
def giving(seen: Seen, choice: int) -> Reason | None:
    """Tell that gifts are an option. Rule TO-2.5."""
    return None if seen.view["options"]["gifts"] else Reason("no_gifts", rule="turns")


@JUDGES.of(PLAY)
def playing(seen: Seen, choice: int) -> Reason | None:
    """Tell why a card can't be played: not in the hand, or too expensive. Rule TO-2.6."""
    if seen.prompt != "act":
        return None
    card = PLAY.of(choice)
    if card >= len(seen.box.card_ids) or card not in seen.s.hands[seen.seat]:
        return Reason("not_in_hand", rule="turns")
    return Reason("too_expensive", {"card": card, "n": seen.box.price[card]}, rule="turns")
