"""A tiny game that obeys every law. Its steps are methods, so that a faulty game replaces one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from atoll.engine import (
    Choose,
    Domain,
    Draw,
    Flow,
    Game,
    JsonMapping,
    JsonObject,
    Kind,
    Only,
    Options,
    Reason,
    RequestFlow,
    ScoreLine,
    ScorePart,
    Sealed,
    State,
    Vocabulary,
    audience_of_seats,
    derived,
    insert_sorted,
    nobody,
    numbers,
    owner,
    pick_set,
    public,
)

CARDS: Final = 12
COINS: Final = 4
NUMBERS: Final = 3
ROUNDS: Final = 2

CARD: Final = Domain("card", [f"c{index}" for index in range(CARDS)])
VOCABULARY: Final = Vocabulary()
MARK: Final[Kind] = VOCABULARY.kind("mark", numbers("number", 0, NUMBERS - 1))
STOP: Final[Kind] = VOCABULARY.kind("stop")
HIDE: Final[Kind] = VOCABULARY.kind("hide", CARD)
SHOW: Final[Kind] = VOCABULARY.kind("show", CARD)
PAY: Final[Kind] = VOCABULARY.kind("pay", numbers("amount", 0, 9))
DRAW: Final[Kind] = VOCABULARY.chance("draw", CARD)


@dataclass(slots=True)
class HonestState(State):
    """Hands, hidden and shown cards, coins, and a set of marks whose number is secret.

    `sums` is derived from `shown`.
    """

    seats: int = public(lo=2, hi=3)
    over: bool = public()
    turn: int = public(hi=1 + ROUNDS * 3)
    last: int = public(lo=-1, hi=CARDS)
    deck: list[int] = nobody(back="card", hi=CARDS - 1, size=CARDS)
    hands: list[list[int]] = owner(back="card", hi=CARDS - 1, size=CARDS)
    hidden: list[list[int]] = owner(back="card", hi=CARDS - 1, size=CARDS)
    shown: list[list[int]] = public(hi=CARDS - 1, size=CARDS)
    coins: list[int] = public(hi=3 * COINS, size=3)
    marks: list[list[int]] = owner(back="", count="hidden", hi=NUMBERS - 1, size=NUMBERS)
    sums: list[int] = derived()


class Honest(Game):
    """Everybody draws, marks, and in turn draws, hides a card, shows another; the next player pays for it."""

    id = "planted"
    seat_counts = (2, 3)
    max_answers = 80
    vocabulary = VOCABULARY
    state_type = HonestState

    def __init__(self, data: JsonMapping | None = None) -> None:
        super().__init__(data or {"game": {"id": self.id, "name": {"en": "Planted", "de": "Gepflanzt"}}})

    def load_components(self, data: JsonMapping) -> Any:
        return None

    def setup(self, components: Any, options: Options, seats: int) -> State:
        return HonestState(
            seats=seats,
            over=False,
            turn=0,
            last=-1,
            deck=list(range(CARDS)),
            hands=[[] for _ in range(seats)],
            hidden=[[] for _ in range(seats)],
            shown=[[] for _ in range(seats)],
            coins=[COINS] * seats,
            marks=[[] for _ in range(seats)],
        )

    def derive(self, s: Any) -> None:
        s.sums = [sum(cards) for cards in s.shown]

    def play(self, s: Any) -> Flow | tuple[()]:
        return self.prepare(s) if s.turn == 0 else self.take_turn(s)

    def prepare(self, s: Any) -> Flow:
        for seat in range(s.seats):
            yield from self.draw(s, seat)
            yield from self.draw(s, seat)
        marks: list[list[int]] = yield Sealed(range(s.seats), lambda seat: self.mark(s, seat))
        s.marks = marks
        self.marked(s)
        s.turn = 1

    def mark(self, s: Any, seat: int) -> RequestFlow[list[int]]:
        members = [MARK.choice(number) for number in range(NUMBERS)]
        picked: list[int] = yield from pick_set(
            seat, "mark", members, 0, NUMBERS, end=STOP.first, audience=audience_of_seats(seat)
        )
        return [MARK.part(choice) for choice in picked]

    def marked(self, s: Any) -> None:
        """Emit no event about the marks."""

    def draw(self, s: Any, seat: int) -> Flow:
        card: int = yield Draw(DRAW, s.deck, audience=audience_of_seats(seat))
        s.deck.remove(card)
        self.keep(s, seat, card)
        self.tell_drawn(s, seat, card)

    def keep(self, s: Any, seat: int, card: int) -> None:
        insert_sorted(s.hands[seat], card)

    def tell_drawn(self, s: Any, seat: int, card: int) -> None:
        s.emit("drew", seat=seat, card=Only(card, audience_of_seats(seat)))

    def take_turn(self, s: Any) -> Flow:
        seat = (s.turn - 1) % s.seats
        yield from self.draw(s, seat)
        choice: int = yield Choose(
            seat, "hide", self.hide_options(s, seat), rule="turn", audience=audience_of_seats(seat)
        )
        s.hands[seat].remove(HIDE.part(choice))
        insert_sorted(s.hidden[seat], HIDE.part(choice))
        s.emit("hid", seat=seat, card=Only(HIDE.part(choice), audience_of_seats(seat)))
        choice = yield Choose(seat, "show", [SHOW.first + card for card in s.hands[seat]], rule="turn")
        self.show(s, seat, SHOW.part(choice))
        yield from self.pay(s, seat, (seat + 1) % s.seats)
        s.turn += 1
        s.over = self.is_over(s)

    def hide_options(self, s: Any, seat: int) -> list[int]:
        return [HIDE.first + card for card in s.hands[seat]]

    def show(self, s: Any, seat: int, card: int) -> None:
        s.hands[seat].remove(card)
        insert_sorted(s.shown[seat], card)
        s.sums[seat] += card
        s.emit("showed", seat=seat, card=card)

    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        choice: int = yield Choose(payer, "pay", self.pay_options(s, seat, payer), rule="turn")
        amount = PAY.part(choice)
        s.coins[payer] -= amount
        s.coins[seat] += amount
        s.emit("paid", seat=payer, amount=amount)

    def pay_options(self, s: Any, seat: int, payer: int) -> list[int]:
        return [PAY.choice(amount) for amount in range(min(s.coins[payer], 3) + 1)]

    def is_over(self, s: Any) -> bool:
        return bool(s.turn > ROUNDS * s.seats)

    def scores(self, s: Any) -> list[int]:
        return [s.sums[seat] + s.coins[seat] for seat in range(s.seats)]

    def explain(self, s: Any) -> list[list[ScoreLine]]:
        explained = []
        for seat in range(s.seats):
            parts = tuple(ScorePart("cards", card) for card in s.shown[seat])
            lines = [
                ScoreLine("cards", sum(s.shown[seat]), parts=parts, rule="turn"),
                ScoreLine("coins", s.coins[seat]),
            ]
            explained.append(lines)
        return explained

    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        return None if choice in (view["decision"] or {}).get("options", ()) else Reason("not_now", rule="turn")

    def derived_view(self, s: Any, viewer: int | None) -> JsonObject:
        return {"coins": list(s.coins)}

    def component_counts(self, s: Any) -> dict[str, int]:
        zones: Sequence[list[int]] = [s.deck, *s.hands, *s.hidden, *s.shown]
        return {"cards": sum(map(len, zones)), "coins": sum(s.coins)}

    def determinize(self, s: Any, seat: int, rng: Random) -> None:
        for other in range(s.seats):
            if other != seat and s.turn:
                s.marks[other] = list(range(rng.randint(0, NUMBERS)))


HONEST: Final = Honest()
