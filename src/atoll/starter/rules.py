"""The rules of Starter: one function per section of RULES.md.

Ids such as ST-1.2 are those of RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atoll.engine import (
    Choose,
    Draw,
    ExplainContext,
    Explainers,
    Flow,
    Game,
    JsonMapping,
    Options,
    Reason,
    RequestFlow,
    ScoreLine,
    ScorePart,
    Sealed,
    audience_of_seats,
    insert_sorted,
)

from .components import StarterComponents, load_components
from .kinds import DEAL, MOST_SEATS, PROMPTS, SEND, SURFACE, VOCABULARY
from .state import DEALING, DIVING, NO_PEARL, StarterState

EXPLAINERS = Explainers(VOCABULARY, turn="dive")


@EXPLAINERS.of(SEND)
def sending(seen: ExplainContext[StarterState, StarterComponents], choice: int) -> Reason | None:
    """Explain that only a diver of the own hand can be sent. Rule ST-1.2."""
    return None if SEND.part(choice) in seen.s.hands[seen.seat] else Reason("not_in_hand", rule="dive")


class Starter(Game[StarterState, StarterComponents]):
    """The game."""

    id = "starter"
    rules_version = 1
    seat_counts = tuple(range(2, MOST_SEATS + 1))
    max_answers = 100
    vocabulary = VOCABULARY
    state_type = StarterState
    explainers = EXPLAINERS
    prompts = PROMPTS

    def load_components(self, data: JsonMapping) -> StarterComponents:
        """Build the components from component data."""
        return load_components(data)

    def names(self, components: StarterComponents) -> Mapping[str, Sequence[str]]:
        """Return the names of the pearls in the text form of choices."""
        return {"pearl": components.pearl_ids}

    def titles(self, components: StarterComponents, language: str) -> Mapping[str, Sequence[str]]:
        """Return the names of the pearls in a language."""
        return components.titles[language]

    def text_values(self, components: StarterComponents) -> Mapping[str, int | str]:
        """Return the size of a hand, which texts mention."""
        return {"hand": components.hand}

    def setup(self, components: StarterComponents, options: Options, seats: int) -> StarterState:
        """Return the initial state, before anything is dealt.

        Args:
            components: The components.
            options: Resolved options.
            seats: Number of seats.
        """
        return StarterState(
            seats=seats,
            over=False,
            phase=DEALING,
            deck=list(range(components.divers)),
            hands=[[] for _ in range(seats)],
            sent=[[] for _ in range(seats)],
            sea=list(range(len(components.value))),
            prize=NO_PEARL,
            pearls=[[] for _ in range(seats)],
            lost=[],
        )

    def play(self, s: StarterState) -> Flow:
        """Play one segment: the deal, or one pearl."""
        return deal(s) if s.phase == DEALING else dive(s)

    def start_player_of(self, s: StarterState) -> int:
        """Return the first seat, because all players send at the same time."""
        return 0

    def scores(self, s: StarterState) -> list[int]:
        """Return the total value of each player's pearls. Rule ST-1.3."""
        return [sum(s.components.value[pearl] for pearl in s.pearls[seat]) for seat in range(s.seats)]

    def explain(self, s: StarterState) -> list[list[ScoreLine]]:
        """Return a score line with the value of every pearl. Rule ST-1.3."""
        explained = []
        for seat, score in enumerate(self.scores(s)):
            parts = [ScorePart("pearl", s.components.value[pearl], {"pearl": pearl}) for pearl in s.pearls[seat]]
            explained.append([ScoreLine("pearls", score, {"n": len(parts)}, parts, rule="end")])
        return explained

    def component_counts(self, s: StarterState) -> dict[str, int]:
        """Return the total numbers of divers and pearls."""
        divers = [s.deck, *s.hands, *s.sent]
        pearls = [s.sea, s.lost, *s.pearls, [s.prize] if s.prize != NO_PEARL else []]
        return {"divers": sum(map(len, divers)), "pearls": sum(map(len, pearls))}


def deal(s: StarterState) -> Flow:
    """Deal each player a hand of divers in secret. Rule ST-1.1."""
    for seat in range(s.seats):
        for _ in range(s.components.hand):
            diver: int = yield Draw(DEAL, s.deck, audience=audience_of_seats(seat))
            s.deck.remove(diver)
            insert_sorted(s.hands[seat], diver)
    s.emit("dealt")
    s.phase = DIVING


def dive(s: StarterState) -> Flow:
    """Reveal a pearl, let all send a diver, and let the highest bring the pearl up. Rule ST-1.2."""
    s.prize = yield Draw(SURFACE, s.sea)
    s.sea.remove(s.prize)
    s.emit("surfaced", pearl=s.prize)
    divers: list[int] = yield Sealed(range(s.seats), lambda seat: send(s, seat))
    for seat, diver in enumerate(divers):
        s.hands[seat].remove(diver)
        insert_sorted(s.sent[seat], diver)
        s.emit("sent", seat=seat, diver=diver)
    bring_up(s, divers)
    s.over = not any(s.hands)


def send(s: StarterState, seat: int) -> RequestFlow[int]:
    """Ask a player for a diver of their hand. Rule ST-1.2."""
    choice: int = yield Choose(seat, "send", [SEND.first + diver for diver in s.hands[seat]], rule="dive")
    return SEND.part(choice)


def bring_up(s: StarterState, divers: Sequence[int]) -> None:
    """Give the pearl to the highest diver; a tie loses it. Rule ST-1.2."""
    best = [seat for seat, diver in enumerate(divers) if diver == max(divers)]
    if len(best) == 1:
        insert_sorted(s.pearls[best[0]], s.prize)
        s.emit("won", seat=best[0], pearl=s.prize)
    else:
        insert_sorted(s.lost, s.prize)
        s.emit("lost", pearl=s.prize)
    s.prize = NO_PEARL
