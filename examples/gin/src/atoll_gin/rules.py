"""The flow of Gin Rummy, in the order of its RULES.md.

Each section of RULES.md is a function. Rule ids such as GI-3.1 are those of RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from atoll.engine import (
    Choose,
    Draw,
    Flag,
    Flow,
    Game,
    Int,
    JsonMapping,
    JsonObject,
    Kind,
    Only,
    Options,
    ScoreLine,
    ScorePart,
    StartPlayer,
    audience_of_seats,
    find_start_player,
)

from .components import GinComponents, load_components
from .kinds import (
    CARDS,
    DEAL,
    DISCARD,
    DONE,
    DRAW,
    KNOCK,
    LAY,
    LAY_OFF,
    MELDS,
    PASS,
    SEATS,
    START,
    TAKE,
    VOCABULARY,
)
from .melds import deadwood, mask_of, worth_of
from .reasons import EXPLAINERS
from .state import (
    DEALING,
    DISCARDING,
    DRAWING,
    EVERYBODY,
    FACING_WALL,
    KNOCKING,
    LAYING,
    LAYING_OFF,
    MOST_DEALS,
    NO_CARD,
    NOBODY,
    OFFERING,
    GinState,
)


class Gin(Game[GinState, GinComponents]):
    """Gin Rummy."""

    id = "gin"
    rules_version = 1
    seat_counts = (SEATS,)
    max_answers = 1500
    options = (
        StartPlayer("seat_1", "seat_2"),
        Int("deals", 1, lo=1, hi=MOST_DEALS),
        Flag("oklahoma", False),
        Flag("tie_undercuts", True),
    )
    vocabulary = VOCABULARY
    state_type = GinState
    explainers = EXPLAINERS
    prompts: ClassVar[Mapping[str, tuple[Kind, ...]]] = {
        "offer": (TAKE, PASS),
        "draw": (TAKE, DRAW),
        "discard": (DISCARD, KNOCK),
        "wall": (PASS, KNOCK),
        "knock": (DISCARD,),
        "lay": (LAY, DONE),
        "lay_off": (LAY_OFF, DONE),
    }

    def load_components(self, data: JsonMapping) -> GinComponents:
        """Return the components described by parsed component data."""
        return load_components(data)

    def titles(self, components: GinComponents, language: str) -> Mapping[str, tuple[str, ...]]:
        """Return the names of cards and melds in a language."""
        return components.titles[language]

    def text_values(self, components: GinComponents) -> Mapping[str, int | str]:
        """Return the numbers of the components that messages mention."""
        return {
            "hand": components.hand,
            "limit": components.limit,
            "gin": components.gin,
            "undercut": components.undercut,
            "wall": components.wall,
            "takes": components.takes,
            "ace": components.value[0],
            "court": components.value[-1],
        }

    def setup(self, components: GinComponents, options: Options, seats: int) -> GinState:
        """Return a state with the full pack, before the first deal.

        Args:
            components: The components.
            options: All options of the table.
            seats: Number of players.
        """
        return GinState(
            seats=seats,
            over=False,
            phase=DEALING,
            deal=0,
            start_player=0,
            turn=0,
            limit=components.limit,
            stock=list(range(CARDS)),
            discards=[],
            hands=[[], []],
            known_by=[[], []],
            passes=0,
            takes=0,
            offered=NO_CARD,
            again=False,
            knocker=NOBODY,
            melds=[[], []],
            laid_off=[],
            rests=[[], []],
            knocks=[[], []],
            gins=[[], []],
            undercuts=[[], []],
        )

    def play(self, s: GinState) -> Flow:
        """Run one segment: the step of the present phase."""
        return _STEPS[s.phase](s)

    def scores(self, s: GinState) -> list[int]:
        """Return the points of each seat."""
        return totals(s)

    def explain(self, s: GinState) -> list[list[ScoreLine]]:
        """Return the score lines of each seat: its deals, by the way of winning. Rule GI-5.1."""
        explained = []
        for seat in range(s.seats):
            lines = []
            for key, differences, bonus in (
                ("knock", s.knocks[seat], 0),
                ("gin", s.gins[seat], s.components.gin),
                ("undercut", s.undercuts[seat], s.components.undercut),
            ):
                if differences:
                    parts = [ScorePart("difference", each + bonus, {"points": each}) for each in differences]
                    points = sum(part.points for part in parts)
                    lines.append(ScoreLine(key, points, {"n": len(parts)}, parts, rule="scoring"))
            explained.append(lines)
        return explained

    def derived_view(self, s: GinState, viewer: int | None) -> JsonObject:
        """Return the scores and the viewer's own deadwood.

        The deadwood is that of the hand in its best arrangement, plus the open cards.
        """
        own = None
        if viewer is not None:
            own = deadwood(mask_of(s.hands[viewer]), s.components.worths) + rest_of(s, viewer)
        return {"scores": totals(s), "deadwood": own}

    def component_counts(self, s: GinState) -> dict[str, int]:
        """Count the cards; each of them is in one place."""
        laid = [MELDS[meld] for melds in s.melds for meld in melds]
        return {"cards": sum(map(len, [s.stock, s.discards, *s.hands, *laid, s.laid_off, *s.rests]))}


def deal(s: GinState) -> Flow:
    """Deal each player a secret hand, and turn one more card face up.

    From the second deal on, the other player begins.
    Rules GI-1.2 and GI-2.1.
    """
    s.deal += 1
    if s.deal == 1:
        s.start_player = yield from find_start_player(s, START)
    else:
        s.start_player = 1 - s.start_player
    collect(s)
    s.emit("dealt", seat=s.start_player)
    for _ in range(s.components.hand):
        card: int = yield Draw(DEAL, s.stock, audience=audience_of_seats(s.start_player))
        s.stock.remove(card)
        s.receive(s.start_player, card, audience_of_seats(s.start_player))
    for _ in range(s.components.hand):
        card = yield Draw(DEAL, s.stock, audience=audience_of_seats(1 - s.start_player))
        s.stock.remove(card)
        s.receive(1 - s.start_player, card, audience_of_seats(1 - s.start_player))
    upcard: int = yield Draw(DEAL, s.stock)
    s.stock.remove(upcard)
    s.discards.append(upcard)
    if s.options["oklahoma"]:
        value = s.components.worths[1 << upcard % len(s.components.value)]
        s.limit = 0 if value == 1 else value
    s.emit("upcard", card=upcard, limit=s.limit)
    s.turn = s.start_player
    s.phase = OFFERING


def collect(s: GinState) -> None:
    """Put all cards together again. Rule GI-2.1."""
    s.stock = list(range(CARDS))
    s.discards, s.laid_off = [], []
    s.hands, s.known_by, s.melds, s.rests = [[], []], [[], []], [[], []], [[], []]
    s.passes = s.takes = 0
    s.offered, s.again, s.knocker, s.limit = NO_CARD, False, NOBODY, s.components.limit


def offer(s: GinState) -> Flow:
    """Offer the face-up card to the player who begins, then to the other. Rule GI-2.2."""
    choice: int = yield Choose(s.turn, "offer", [TAKE.first, PASS.first], rule="offer")
    if choice == TAKE.first:
        take(s)
        return
    s.emit("passed", seat=s.turn)
    s.passes += 1
    s.turn = 1 - s.turn
    s.phase = OFFERING if s.passes < SEATS else DRAWING


def draw(s: GinState) -> Flow:
    """Let the player draw or take the last discard. Rules GI-2.2, GI-3.1 and GI-3.2."""
    # Only the stock is left if both have just refused the first card.
    options = [DRAW.first] if s.refused else [TAKE.first, DRAW.first]
    choice: int = yield Choose(s.turn, "draw", options, rule="draw", public=True)
    if choice == TAKE.first:
        s.takes += 1
        if s.takes == s.components.takes:
            s.emit("too_many")
            end_deal(s)
        else:
            take(s)
        return
    s.offered = s.discards[-1]
    card: int = yield Draw(DEAL, s.stock, audience=audience_of_seats(s.turn))
    s.stock.remove(card)
    s.receive(s.turn, card, audience_of_seats(s.turn))
    s.emit("drawn", seat=s.turn, card=Only(card, audience_of_seats(s.turn)))
    s.phase = DISCARDING


def take(s: GinState) -> None:
    """Take the last discard into the hand; everybody has seen it. Rule GI-3.1."""
    s.offered = s.discards.pop()
    s.receive(s.turn, s.offered, EVERYBODY)
    s.emit("taken", seat=s.turn, card=s.offered)
    s.phase = DISCARDING


def discard(s: GinState) -> Flow:
    """Let the player discard a card, or knock if little deadwood is left. Rule GI-3.2."""
    options = [DISCARD.first + card for card in sorted(s.hands[s.turn])]
    if s.knocking_discards():
        options.append(KNOCK.first)
    choice: int = yield Choose(s.turn, "discard", options, rule="discard")
    if choice == KNOCK.first:
        knock(s)
        return
    lay_down(s, choice)
    repeated = s.discards[-1] == s.offered
    if repeated and s.again:  # both in turn have discarded the card that they had just taken
        s.emit("repeated")
        end_deal(s)
        return
    s.again = repeated
    s.turn = 1 - s.turn
    s.phase = DRAWING if len(s.stock) > s.components.wall else FACING_WALL


def lay_down(s: GinState, choice: int) -> None:
    """Move a card from the hand to the discards. Rule GI-3.2."""
    card = DISCARD.part(choice)
    s.give_up(s.turn, card)
    s.discards.append(card)
    s.emit("discarded", seat=s.turn, card=card)


def face_wall(s: GinState) -> Flow:
    """Let the player knock with the last discard, or end the deal in a draw. Rule GI-3.3."""
    options = [PASS.first]
    if s.knocking_discards():
        options.append(KNOCK.first)
    choice: int = yield Choose(s.turn, "wall", options, rule="wall")
    if choice == KNOCK.first:
        take(s)
        knock(s)
        return
    s.emit("passed", seat=s.turn)
    end_deal(s)


def knock(s: GinState) -> None:
    """Let the player knock, before the discard. Rule GI-4.1."""
    s.knocker = s.turn
    s.emit("knocked", seat=s.turn)
    s.phase = KNOCKING


def discard_knocking(s: GinState) -> Flow:
    """Let the player discard a card that leaves no more deadwood than allowed. Rule GI-4.1."""
    choice: int = yield Choose(s.turn, "knock", DISCARD.all_choices(s.knocking_discards()), rule="knock")
    lay_down(s, choice)
    s.phase = LAYING


def lay(s: GinState) -> Flow:
    """Let the player lay a meld, or stop within the limit of deadwood. Rule GI-4.1."""
    options = LAY.all_choices(s.layable_melds())
    if worth_of(mask_of(s.hands[s.turn]), s.components.worths) <= s.laying_limit:
        options.append(DONE.first)
    choice: int = yield Choose(s.turn, "lay", options, rule="knock", public=not s.hands[s.turn])
    if choice == DONE.first:
        show_rest(s)
        return
    meld = LAY.part(choice)
    for card in MELDS[meld]:
        s.give_up(s.turn, card)
    s.melds[s.turn].append(meld)
    s.emit("laid", seat=s.turn, meld=meld)
    s.phase = LAYING


def show_rest(s: GinState) -> None:
    """Reveal the cards in no meld, and pass the turn. After gin nobody lays off.

    Rules GI-4.1 and GI-4.2.
    """
    s.rests[s.turn] = sorted(s.hands[s.turn])
    s.hands[s.turn], s.known_by[s.turn] = [], []
    s.emit("rest", seat=s.turn, points=rest_of(s, s.turn))
    if s.turn != s.knocker:
        score_deal(s)
        return
    s.turn = 1 - s.turn
    s.phase = LAYING_OFF if s.rests[s.knocker] else LAYING


def rest_of(s: GinState, seat: int) -> int:
    """Return the open deadwood of a seat. Rule GI-5.1."""
    return worth_of(mask_of(s.rests[seat]), s.components.worths)


def lay_off(s: GinState) -> Flow:
    """Let the other player lay off cards before laying melds of their own. Rule GI-4.2."""
    options = [*LAY_OFF.all_choices(s.fitting_cards()), DONE.first]
    choice: int = yield Choose(s.turn, "lay_off", options, rule="lay_off")
    if choice == DONE.first:
        s.emit("laid_off_all", seat=s.turn)
        s.phase = LAYING
        return
    card = LAY_OFF.part(choice)
    s.give_up(s.turn, card)
    s.laid_off.append(card)
    s.emit("laid_off", seat=s.turn, card=card)
    s.phase = LAYING_OFF


def totals(s: GinState) -> list[int]:
    """Return the points that each seat has won in all deals so far. Rules GI-5.1 and GI-5.2."""
    return [
        sum(s.knocks[seat])
        + sum(each + s.components.gin for each in s.gins[seat])
        + sum(each + s.components.undercut for each in s.undercuts[seat])
        for seat in range(s.seats)
    ]


def score_deal(s: GinState) -> None:
    """Score the difference in deadwood, with a bonus for gin or an undercut. Rule GI-5.1."""
    other = 1 - s.knocker
    own = rest_of(s, s.knocker)
    difference = rest_of(s, other) - own
    if own == 0:
        s.gins[s.knocker].append(difference)
        s.emit("gin", seat=s.knocker, points=difference + s.components.gin)
    elif difference > 0 or (difference == 0 and not s.options["tie_undercuts"]):
        s.knocks[s.knocker].append(difference)
        s.emit("won", seat=s.knocker, points=difference)
    else:
        s.undercuts[other].append(-difference)
        s.emit("undercut", seat=other, points=s.components.undercut - difference)
    end_deal(s)


def end_deal(s: GinState) -> None:
    """End the deal, and after the last one the game. Rule GI-5.2."""
    s.over = s.deal == s.options["deals"]
    s.phase = DEALING


_STEPS: Final = {
    DEALING: deal,
    OFFERING: offer,
    DRAWING: draw,
    DISCARDING: discard,
    FACING_WALL: face_wall,
    KNOCKING: discard_knocking,
    LAYING: lay,
    LAYING_OFF: lay_off,
}
