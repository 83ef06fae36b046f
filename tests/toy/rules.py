"""The flow of the toy, in the order of its RULES.md; rule ids such as TO-2.3 are those of it.

Scoring is in scoring.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from atoll.engine import (
    Choose,
    Draw,
    Flow,
    Game,
    JsonMapping,
    JsonObject,
    Only,
    OptionError,
    Options,
    RequestFlow,
    Roll,
    ScoreLine,
    Sealed,
    State,
    audience_of_seats,
    insert_sorted,
    pick_set,
    rank,
)

from . import components, scoring
from .components import CALM, ECHO_EFFECT, SHELLS_EFFECT, STORM
from .kinds import (
    ABOUTS,
    BID,
    DIE,
    DISCARD,
    DIVE,
    DRAW,
    DRAW_CHARM,
    ECHO,
    ENOUGH,
    GIFT,
    GIVE,
    KEEP,
    PAY,
    PLAY,
    PROMPTS,
    RECEIVER,
    REST,
    RETURN,
    SHELLS,
    START,
    TAKE,
    VOCABULARY,
    WISH,
)
from .options import HAND_SIZES, OPTIONS
from .reasons import EXPLAINERS
from .state import ACT, BIDDING, NO_CHARM, PREPARE, ROLL, Bid, ToyState

MOST_WISHES: Final = 3
ACTIONS: Final = 2
DRAWN: Final = 2
TWO_SHELLS: Final = 2
ANY_SHELL: Final = 4  # the die's fifth face, counted from 0


class Toy(Game):
    """Lagoon, the toy game."""

    id = "toy"
    rules_version = 1
    seat_counts = (2, 3, 4)
    options = OPTIONS
    max_answers = 700
    vocabulary = VOCABULARY
    state_type = ToyState
    prompts = PROMPTS
    placeholders = ABOUTS
    explainers = EXPLAINERS

    def load_components(self, data: JsonMapping) -> components.ToyComponents:
        return components.load_components(data)

    def names(self, printed: components.ToyComponents) -> Mapping[str, Sequence[str]]:
        return {"card": printed.card_ids, "charm": printed.charm_ids}

    def titles(self, printed: components.ToyComponents, language: str) -> Mapping[str, Sequence[str]]:
        return printed.titles[language]

    def check_options(self, options: Options, seats: int) -> None:
        """Check that each player can draw a card after the deal. Rule TO-1.1.

        Args:
            options: The options.
            seats: Number of seats.

        Raises:
            OptionError: If the option `deal` needs too many cards.
        """
        dealt = HAND_SIZES[str(options["deal"])] * seats
        if dealt + seats > len(self.components.cards):
            raise OptionError(f"option 'deal': {options['deal']!r} needs more cards than there are for {seats} players")

    def setup(self, printed: components.ToyComponents, options: Options, seats: int) -> State:
        """The empty table."""
        return ToyState(
            seats=seats,
            over=False,
            phase=PREPARE,
            round=0,
            order=list(range(seats)),
            turn=0,
            actions=0,
            bids=[],
            supply=list(printed.shells),
            shells=[[0] * SHELLS for _ in range(seats)],
            paid=[0] * seats,
            deck=list(printed.cards),
            discard=[],
            hands=[[] for _ in range(seats)],
            drawn=[[] for _ in range(seats)],
            played=[[] for _ in range(seats)],
            gifts=[[] for _ in range(seats)],
            gift_masks=[[] for _ in range(seats)],
            charm_box=list(range(len(printed.charm_ids))),
            charms=[NO_CHARM] * seats,
            wishes=[[] for _ in range(seats)],
        )

    def play(self, s: ToyState) -> Flow:
        """One segment: the preparation, the bidding, the roll that opens a turn, or an action."""
        if s.phase == PREPARE:
            return prepare(s)
        if s.phase == BIDDING:
            return bid_for_order(s)
        if s.phase == ROLL:
            return roll(s)
        return act(s)

    def scores(self, s: ToyState) -> list[int]:
        return [scoring.score(s, seat) for seat in range(s.seats)]

    def ranking(self, s: ToyState) -> list[int]:
        """Rank by points; tied, by fewer shells paid; still tied, the place is shared. Rule TO-4.3."""
        return rank([(score, -paid) for score, paid in zip(self.scores(s), s.paid, strict=True)])

    def explain(self, s: ToyState) -> list[list[ScoreLine]]:
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def derived_view(self, s: ToyState, viewer: int | None) -> JsonObject:
        return scoring.live(s, viewer)

    def start_player_of(self, s: ToyState) -> int:
        """Return the first seat in turn order."""
        return s.order[0]

    def component_counts(self, s: ToyState) -> dict[str, int]:
        """Every card, shell and charm is somewhere, once."""
        cards = [*s.deck, *s.discard]
        for zone in (s.hands, s.drawn, s.played, s.gifts):
            for each in zone:
                cards += each
        charms = s.charm_box + s.charms
        return {
            **{f"card {id}": cards.count(index) for index, id in enumerate(s.components.card_ids)},
            **{f"charm {id}": charms.count(index) for index, id in enumerate(s.components.charm_ids)},
            **{f"shell {shell}": s.supply[shell] + sum(own[shell] for own in s.shells) for shell in range(SHELLS)},
        }

    def determinize(self, s: ToyState, seat: int, rng: Random) -> None:
        """Wishes are no cards: others may have wished for any 1 to 3 colours."""
        for other in range(s.seats):
            if other != seat and s.wishes[other] and not s.over:
                s.wishes[other] = sorted(rng.sample(range(SHELLS), rng.randint(1, MOST_WISHES)))


def distinct(cards: Sequence[int]) -> list[int]:
    """Each card once, ascending: copies of a card are one choice."""
    return sorted(set(cards))


def prepare(s: ToyState) -> Flow:
    """Deal turn order, shells, charm and hand; then everybody wishes in secret. Rules TO-1.1 and TO-1.2."""
    start: int = yield Draw(START, range(s.seats))
    s.order = [(start + place) % s.seats for place in range(s.seats)]
    s.emit("start", seat=start)
    for seat in tuple(s.order):
        for shell in range(SHELLS):
            s.take_shells(seat, shell, s.components.start_shells)
        s.charms[seat] = yield Draw(DRAW_CHARM, s.charm_box, audience=audience_of_seats(seat))
        s.charm_box.remove(s.charms[seat])
        for _ in range(HAND_SIZES[str(s.options["deal"])]):
            card: int = yield from draw_card(s, seat)
            insert_sorted(s.hands[seat], card)
    wishes: list[list[int]] = yield Sealed(range(s.seats), wish)
    s.wishes = wishes
    s.emit("wished")
    s.round = 1
    s.phase = BIDDING


def wish(seat: int) -> RequestFlow[list[int]]:
    """Ask for 1 to 3 different colors, chosen in any order; nobody learns how many. Rule TO-1.2."""
    colours = [WISH.first + shell for shell in range(SHELLS)]
    picked: list[int] = yield from pick_set(
        seat, "wish", colours, 1, MOST_WISHES, end=ENOUGH.first, rule="preparation", audience=audience_of_seats(seat)
    )
    return [WISH.part(choice) for choice in picked]


def draw_card(s: ToyState, seat: int) -> RequestFlow[int]:
    """Draw a card in secret; an empty deck is made again of the discards. There must be a card.

    Rule TO-2.4.
    """
    if not s.deck:
        s.deck = s.discard
        s.discard = []
        s.emit("reshuffled")
    card: int = yield Draw(DRAW, s.deck, audience=audience_of_seats(seat))
    s.deck.remove(card)
    s.emit("drew", seat=seat, card=Only(card, audience_of_seats(seat)))
    return card


def bid_for_order(s: ToyState) -> Flow:
    """Let all bid in secret and reveal; higher bids come first in the turn order, and the first pays.

    Equal bids keep their order: a seat in front stays in front.
    Rule TO-2.1.
    """
    amounts: list[int] = yield Sealed(range(s.seats), lambda seat: bid(s, seat))
    s.order.sort(key=lambda seat: -amounts[seat])  # stable: this is the tie rule
    s.bids = [Bid(seat, amounts[seat]) for seat in s.order]
    for each in s.bids:
        s.emit("bid", seat=each.seat, n=each.amount)
    yield from pay(s, s.bids[0].seat, s.bids[0].amount, source="bid")
    s.turn = 0
    s.phase = ROLL


def bid(s: ToyState, seat: int) -> RequestFlow[int]:
    """Ask for any number of the seat's own shells. Rule TO-2.1."""
    choice: int = yield Choose(seat, "bid", [BID.choice(n) for n in range(sum(s.shells[seat]) + 1)], rule="bidding")
    return BID.part(choice)


def pay(s: ToyState, seat: int, amount: int, source: str) -> Flow:
    """Pay with any mix of shells, color by color, so that later colors can pay the rest."""
    s.paid[seat] += amount
    s.emit("paid", seat=seat, n=amount)
    for shell in range(SHELLS):
        if not amount:
            break
        later = sum(s.shells[seat][shell + 1 :])
        most = min(amount, s.shells[seat][shell])
        options = [PAY.choice(shell, n) for n in range(max(0, amount - later), most + 1)]
        choice: int = yield Choose(
            seat, "pay", options, source=source, rule="play", public=True, placeholders={"n": amount}
        )
        _, paid = PAY.parts(choice)
        s.pay_shells(seat, shell, paid)
        amount -= paid


def take_shell(s: ToyState, seat: int, source: str) -> Flow:
    """Take a shell from the supply, if it has any."""
    options = [TAKE.first + shell for shell in range(SHELLS) if s.supply[shell]]
    if not options:
        s.emit("no_shells", seat=seat)
        return
    choice: int = yield Choose(seat, "take", options, source=source, rule="effects", public=True)
    shell = TAKE.part(choice)
    s.take_shells(seat, shell, 1)
    s.emit("took", seat=seat, shell=shell, n=1)


def roll(s: ToyState) -> Flow:
    """Roll: 1 to 4 bring two shells of that color, 5 any shell, 6 nothing. Rule TO-2.3."""
    seat = s.active
    face: int = yield Roll(DIE)
    s.emit("rolled", seat=seat, pips=face)
    if face < SHELLS:
        s.emit("took", seat=seat, shell=face, n=s.take_shells(seat, face, TWO_SHELLS))
    elif face == ANY_SHELL:
        yield from take_shell(s, seat, source="die")
    s.actions = ACTIONS
    s.phase = ACT


def act(s: ToyState) -> Flow:
    """Take one of the two actions of a turn: dive, give, play or rest. Rule TO-2.2."""
    seat = s.active
    choice: int = yield Choose(seat, "act", actions(s, seat), rule="turns")
    s.actions -= 1
    if choice in PLAY:
        card = PLAY.part(choice)
        yield from play_card(s, seat, card, s.components.price[card])
    elif choice == DIVE.first:
        yield from dive(s, seat)
    elif choice == GIVE.first:
        yield from give(s, seat)
    else:
        s.emit("rested", seat=seat)
    if not s.actions:
        end_turn(s)


def actions(s: ToyState, seat: int) -> list[int]:
    """Return the cards that can be paid, and what can be done at all. Rules TO-2.2 and TO-2.6."""
    options = [PLAY.first + card for card in distinct(s.hands[seat]) if s.can_pay_for(seat, card)]
    if s.deck or s.discard:
        options.append(DIVE.first)
    if s.options["gifts"] and s.hands[seat]:
        options.append(GIVE.first)
    options.append(REST.first)
    return options


def dive(s: ToyState, seat: int) -> Flow:
    """Draw two cards in secret and keep one; the other goes back into the deck. Rule TO-2.4."""
    for _ in range(DRAWN):
        if s.deck or s.discard:
            card: int = yield from draw_card(s, seat)
            insert_sorted(s.drawn[seat], card)
    options = [KEEP.first + each for each in distinct(s.drawn[seat])]
    choice: int = yield Choose(seat, "keep", options, rule="turns", audience=audience_of_seats(seat))
    kept = KEEP.part(choice)
    s.drawn[seat].remove(kept)
    insert_sorted(s.hands[seat], kept)
    for left in s.drawn[seat]:
        insert_sorted(s.deck, left)
    s.drawn[seat] = []
    s.emit("kept", seat=seat, card=Only(kept, audience_of_seats(seat)))


def give(s: ToyState, seat: int) -> Flow:
    """Lay a card of the hand face down before another player: both know it. Take a shell. Rule TO-2.5."""
    options = [RECEIVER.first + other for other in sorted(s.others(seat))]
    choice: int = yield Choose(seat, "receiver", options, rule="turns", public=True)
    receiver = RECEIVER.part(choice)
    options = [GIFT.first + card for card in distinct(s.hands[seat])]
    both = audience_of_seats(seat, receiver)
    choice = yield Choose(seat, "gift", options, rule="turns", audience=both, placeholders={"seat_2": receiver})
    card = GIFT.part(choice)
    s.hands[seat].remove(card)
    s.lay_gift(receiver, card, both)
    s.emit("gave", seat=seat, seat_2=receiver, card=Only(card, both))
    yield from take_shell(s, seat, source="gift")


def play_card(s: ToyState, seat: int, card: int, price: int) -> Flow:
    """Lay a card open, pay its price, carry out its effect. Rule TO-2.6."""
    s.hands[seat].remove(card)
    insert_sorted(s.played[seat], card)
    s.emit("played", seat=seat, card=card)
    yield from pay(s, seat, price, source=s.components.card_ids[card])
    yield from EFFECTS[s.components.effect[card]](s, seat, card)


def calm(s: ToyState, seat: int, card: int) -> Flow:
    """Do nothing. Rule TO-3.1."""
    yield from ()


def gain_shells(s: ToyState, seat: int, card: int) -> Flow:
    """Take two shells of the seat's choice, one after the other. Rule TO-3.2."""
    for _ in range(TWO_SHELLS):
        yield from take_shell(s, seat, source=s.components.card_ids[card])


def storm(s: ToyState, seat: int, card: int) -> Flow:
    """Let every other player discard a card or return a shell; a player with neither is spared.

    Rule TO-3.3.
    """
    for other in s.others(seat):
        options = [DISCARD.first + each for each in distinct(s.hands[other])]
        options += [RETURN.first + shell for shell in range(SHELLS) if s.shells[other][shell]]
        if not options:
            s.emit("spared", seat=other)
            continue
        public = not s.hands[other]
        choice: int = yield Choose(
            other, "storm", options, source=s.components.card_ids[card], rule="effects", public=public
        )
        if choice in DISCARD:
            s.discard_card(other, DISCARD.part(choice))
            s.emit("discarded", seat=other, card=DISCARD.part(choice))
        else:
            s.pay_shells(other, RETURN.part(choice), 1)
            s.emit("returned", seat=other, shell=RETURN.part(choice))


def echo(s: ToyState, seat: int, card: int) -> Flow:
    """Let another player with cards play one for nothing, with its effect. Rule TO-3.4."""
    options = [ECHO.first + other for other in sorted(s.others(seat)) if s.hands[other]]
    if not options:
        s.emit("no_echo", seat=seat)
        return
    source = s.components.card_ids[card]
    choice: int = yield Choose(seat, "echo", options, source=source, rule="effects", public=True)
    other = ECHO.part(choice)
    options = [PLAY.first + each for each in distinct(s.hands[other])]
    choice = yield Choose(other, "answer_echo", [*options, REST.first], source=source, rule="effects")
    if choice == REST.first:
        s.emit("rested", seat=other)
    else:
        yield from play_card(s, other, PLAY.part(choice), 0)


EFFECTS: Final[Mapping[int, Callable[[ToyState, int, int], Flow]]] = {
    CALM: calm,
    SHELLS_EFFECT: gain_shells,
    STORM: storm,
    ECHO_EFFECT: echo,
}


def end_turn(s: ToyState) -> None:
    """Continue with the next seat in turn order, or end the round. Rules TO-2.2 and TO-4.1."""
    s.turn += 1
    s.phase = ROLL
    if s.turn < s.seats:
        return
    s.turn = 0
    s.phase = BIDDING
    if any(len(played) >= s.components.goal for played in s.played):
        s.over = True
        s.emit("end_goal")
    elif s.round == s.options["rounds"]:
        s.over = True
        s.emit("end_rounds")
    else:
        s.round += 1
