"""The state of Raiatea: everything on the table with its visibility, and moves of components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from atoll.engine import (
    SEAT,
    SEAT_MASK,
    State,
    derived,
    insert_sorted,
    known,
    nobody,
    owner,
    public,
    remove_sorted,
    trackable,
)

from .components import (
    AUCTION,
    DISCOUNT,
    MODIFIERS,
    MOST_CARDS,
    MOST_CLIPS,
    MOST_PIPS,
    MOST_PRIESTS,
    MOST_TATTOOS,
    NEIGHBOURHOOD_TASK,
    NO_MODIFIERS,
    ROLL_BONUS,
    RaiateaComponents,
)
from .kinds import (
    ASSISTANTS,
    COMMODITIES,
    FOREST_CARD,
    LEVELS,
    LOCATION,
    MASK,
    MIRROR_MASK,
    MOST_SEATS,
    NEIGHBOURHOOD,
    RITUAL,
    SPACE,
    SPACES_EACH,
    STATUES,
    TASK,
)

# fmt: off
(
    TABLE, DEAL, DEAL_AGAIN, CHOOSE, AT_LOCATION, END_OF_ROUND,
    BEFORE_DANCE, DANCE, BUY_RITUALS, KEEP_BOUGHT, AFTER_BUYING, PREPARE_RITUALS, OFFERING, GIFTS, EXTRA_GIFTS,
    LAY_OUT, BLESSING, AUCTIONS, BUILDING, END_OF_FEAST, LAST_MIRRORS,
) = range(21)
# fmt: on
"""The phases. Each value of `phase` is one kind of segment."""

NOBODY: Final = -1
NO_LOCATION: Final = -1
NO_TILE: Final = -1
LAST_FEAST: Final = 3
NO_COMMODITY: Final = -1
NOT_BUYING: Final = -1
MOST_OF_A_TYPE: Final = 72
"""The largest number of commodities or assistants of one type, or of masks, in one place."""
MOST_TOKENS: Final = 2000
"""The largest number of pearls or mana in one place."""


def some(counts: Sequence[int]) -> list[int]:
    """Return the types with a number above 0, ascending."""
    found = []
    for kind, n in enumerate(counts):
        if n:
            found.append(kind)
    return found


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class RaiateaState(State[RaiateaComponents]):
    """Everything on the table.

    Lists are indexed by seat unless stated otherwise.

    Attributes:
        seats: Number of seats.
        over: Whether the game is over.
        phase: The phase; see above.
        field: Place on the round track, as an index of `RaiateaComponents.fields`.
        order: The seats of the current pass, in order.
        place: Index in `order` of the seat whose part it is.
        start_player: The seat with the start player marker.
        favour: The seats, the first in favor first.
        turn: Number of location cards taken in this round.
        taken: Location card of each seat.
        kahuna: The seat of the Kahuna; `NOBODY` for none.
        location: The location being carried out; `NO_LOCATION` for none.
        step: The step of the location.
        pips: Pips of the reef's die.
        prices: Level of each commodity's price marker, 1 to 4.
        goods_market: Commodities on the market, by type.
        assistant_market: Assistants on the market, by type.
        mask_market: Masks on the market, sorted.
        forest_deck: The forest deck.
        display: The forest cards on display.
        decks: The normal and the forbidden deck of rituals.
        discards: The normal and the forbidden discard pile of rituals.
        bag_mana: Mana in the bag.
        tiles: Task of each space; `NO_TILE` for an empty or face-down one.
        unlocked: Per statue whether it is unlocked.
        revealed: Per statue whether its tasks lie face up.
        task_pools: Per statue the tasks that nobody has seen. Those never drawn go back to the box.
        pearls: Pearls behind the screens.
        mana: Mana behind the screens.
        goods: Commodities of publicly known type, by seat and type.
        veiled: Commodities whose type isn't public any more (`steal_goods`).
        veiled_masks: The seats that know each of `veiled`, as a mask.
        hands: Rituals in hand.
        drawn: Rituals to choose from.
        bag: Rituals in the bag, sorted.
        bag_order: The order of the own cards in the bag, as indices of `bag`.
        looked: Forest cards that the seat looks at in private.
        permanents: Permanent rituals in front of the screens.
        tasks_done: Completed tasks behind the screens.
        ready: Ready assistants, by seat and type.
        exhausted: Exhausted assistants, by seat and type.
        masks: Unpaired masks.
        pairs: Gods of natural pairs.
        mirrored: Gods of pairs with a mirror.
        priests: Number of priests.
        tattoos: Number of tattoos.
        tahua_spent: Whether the bonus of the rank Tahua is used or lost.
        bought: The deck that each buyer of act 2 draws from; `NOT_BUYING` for none.
        clips: The number of clips that each seat could use in act 3.
        offers: The mana that each seat has offered in act 4; empty until all have.
        gifts: The gifts left in act 4.
        row: The rituals of act 5 that are still to come.
        row_owner: Owners of `row`; `NOBODY` for general rituals.
        blessed: The rituals of the row that have had their turn. They lie open until the next
            location is chosen.
        blessed_owner: Owners of `blessed`; `NOBODY` for general rituals.
        source: The mana that was available for each of `blessed`.
        passed: Whether each seat passed in its last build turn of act 6.
        diver_sent: Whether each seat has sent its pearl diver in act 6.
        cursor: The next space to check for due auctions.
        completions: Tasks that each seat may still complete at the neighborhood.
        placed: Whether each seat has placed a mask on the market.
        skipping: Whether each seat skips the windows of its own turns.
        bonus: Sums of each seat's passive modifiers, by index of `MODIFIERS`.
        open_tasks: Spaces of unlocked statues with a task that can be completed, ascending.
        open_auctions: Spaces of unlocked statues with an auction, ascending.
    """

    seats: int = public(lo=3, hi=MOST_SEATS)
    over: bool = public()
    phase: int = public(hi=LAST_MIRRORS)
    field: int = public(hi=30)
    order: list[int] = public(hi=MOST_SEATS - 1, size=MOST_SEATS, holds=SEAT, fixed=True)
    place: int = public(hi=MOST_SEATS)
    start_player: int = public(hi=MOST_SEATS - 1, holds=SEAT)
    favour: list[int] = public(hi=MOST_SEATS - 1, size=MOST_SEATS, holds=SEAT, fixed=True)
    turn: int = public(hi=MOST_SEATS)
    taken: list[int] = public(lo=NO_LOCATION, hi=LOCATION.size - 1, size=MOST_SEATS, by=SEAT)
    kahuna: int = public(lo=NOBODY, hi=MOST_SEATS - 1, holds=SEAT)
    location: int = public(lo=NO_LOCATION, hi=LOCATION.size - 1)
    step: int = public(hi=5)
    pips: int = public(hi=MOST_PIPS)
    prices: list[int] = public(lo=1, hi=LEVELS, size=COMMODITIES, fixed=True)
    goods_market: list[int] = public(hi=MOST_OF_A_TYPE, size=COMMODITIES, fixed=True)
    assistant_market: list[int] = public(hi=MOST_OF_A_TYPE, size=ASSISTANTS, fixed=True)
    mask_market: list[int] = public(hi=MASK.size - 1, size=MOST_OF_A_TYPE)
    forest_deck: list[int] = nobody(back="forest", hi=FOREST_CARD.size - 1, size=MOST_CARDS)
    display: list[int] = public(hi=FOREST_CARD.size - 1, size=MOST_CARDS)
    decks: list[list[int]] = nobody(back="ritual", hi=RITUAL.size - 1, size=MOST_CARDS)
    discards: list[list[int]] = public(hi=RITUAL.size - 1, size=MOST_CARDS)
    bag_mana: int = public(hi=MOST_TOKENS)
    tiles: list[int] = public(lo=NO_TILE, hi=TASK.size - 1, size=SPACE.size, fixed=True)
    unlocked: list[bool] = public(size=STATUES, fixed=True)
    revealed: list[bool] = public(size=STATUES, fixed=True)
    task_pools: list[list[int]] = nobody(back="task", hi=TASK.size - 1, size=TASK.size)
    pearls: list[int] = trackable(hi=MOST_TOKENS, size=MOST_SEATS)
    mana: list[int] = trackable(hi=MOST_TOKENS, size=MOST_SEATS)
    goods: list[list[int]] = trackable(hi=MOST_OF_A_TYPE, size=COMMODITIES, fixed=True)
    veiled: list[list[int]] = known(back="commodity", masks="veiled_masks", hi=COMMODITIES - 1, size=MOST_OF_A_TYPE)
    veiled_masks: list[list[int]] = public(hi=(1 << MOST_SEATS) - 1, size=MOST_OF_A_TYPE, by=SEAT, holds=SEAT_MASK)
    hands: list[list[int]] = owner(back="ritual", count="hidden", hi=RITUAL.size - 1, size=MOST_CARDS)
    drawn: list[list[int]] = owner(back="ritual", hi=RITUAL.size - 1, size=MOST_CARDS)
    bag: list[list[int]] = owner(back="ritual", count="hidden", hi=RITUAL.size - 1, size=MOST_CARDS)
    bag_order: list[list[int]] = owner(back="", count="hidden", hi=MOST_CARDS, size=MOST_CARDS)
    looked: list[list[int]] = owner(back="forest", hi=FOREST_CARD.size - 1, size=MOST_CARDS)
    permanents: list[list[int]] = public(hi=RITUAL.size - 1, size=MOST_CARDS, by=SEAT)
    tasks_done: list[list[int]] = trackable(count="public", at_end=True, hi=TASK.size - 1, size=SPACE.size)
    ready: list[list[int]] = public(hi=MOST_OF_A_TYPE, size=ASSISTANTS, by=SEAT, fixed=True)
    exhausted: list[list[int]] = public(hi=MOST_OF_A_TYPE, size=ASSISTANTS, by=SEAT, fixed=True)
    masks: list[list[int]] = public(hi=MASK.size - 1, size=MOST_OF_A_TYPE, by=SEAT)
    pairs: list[list[int]] = public(hi=MASK.size - 1, size=MASK.size, by=SEAT)
    mirrored: list[list[int]] = public(hi=MASK.size - 1, size=MOST_OF_A_TYPE, by=SEAT)
    priests: list[int] = public(hi=MOST_PRIESTS, size=MOST_SEATS, by=SEAT)
    tattoos: list[int] = public(hi=MOST_TATTOOS, size=MOST_SEATS, by=SEAT)
    tahua_spent: list[bool] = public(size=MOST_SEATS, by=SEAT)
    bought: list[int] = public(lo=NOT_BUYING, hi=1, size=MOST_SEATS, by=SEAT)
    clips: list[int] = public(hi=MOST_CLIPS, size=MOST_SEATS, by=SEAT)
    offers: list[int] = public(hi=MOST_TOKENS, size=MOST_SEATS, by=SEAT)
    gifts: list[int] = public(hi=2, size=3)
    row: list[int] = public(hi=RITUAL.size - 1, size=MOST_CARDS, fixed=True)
    row_owner: list[int] = public(lo=NOBODY, hi=MOST_SEATS - 1, size=MOST_CARDS, holds=SEAT, fixed=True)
    blessed: list[int] = public(hi=RITUAL.size - 1, size=MOST_CARDS, fixed=True)
    blessed_owner: list[int] = public(lo=NOBODY, hi=MOST_SEATS - 1, size=MOST_CARDS, holds=SEAT, fixed=True)
    source: list[int] = public(hi=MOST_TOKENS, size=MOST_CARDS, fixed=True)
    passed: list[bool] = public(size=MOST_SEATS, by=SEAT)
    diver_sent: list[bool] = public(size=MOST_SEATS, by=SEAT)
    cursor: int = public(hi=SPACE.size)
    completions: list[int] = public(hi=200, size=MOST_SEATS, by=SEAT)
    placed: list[bool] = public(size=MOST_SEATS, by=SEAT)
    skipping: list[bool] = public(size=MOST_SEATS, by=SEAT)
    bonus: list[tuple[int, ...]] = derived()
    open_tasks: list[int] = derived()
    open_auctions: list[int] = derived()

    # -- seats -------------------------------------------------------------------------------------

    def clockwise(self, seat: int) -> list[int]:
        """Return the seat, then the others clockwise. Rule RA-3.2."""
        n = self.seats
        return [(seat + step) % n for step in range(n)]

    # -- rituals -----------------------------------------------------------------------------------

    def ritual_count(self, seat: int) -> int:
        """Return the number of rituals that everybody knows the seat to have.

        Before the reveal its cards in the bag count, too.
        Rule RA-11.2, ruling R101.
        """
        return len(self.hands[seat]) + len(self.bag[seat])

    def discard_ritual(self, card: int) -> None:
        """Put a ritual face up on the discard pile of its back."""
        insert_sorted(self.discards[self.components.ritual_deck[card]], card)

    def lay_permanent(self, seat: int, card: int) -> None:
        """Lay a permanent ritual in front of the screen; it is active at once."""
        insert_sorted(self.permanents[seat], card)
        before = self.bonus[seat][NEIGHBOURHOOD_TASK]
        self.sum_modifiers(seat)
        if self.location == NEIGHBOURHOOD:
            self.completions[seat] += self.bonus[seat][NEIGHBOURHOOD_TASK] - before

    def sum_modifiers(self, seat: int) -> None:
        """Add up the passive modifiers of the seat's cards. Rule RA-6.6."""
        components = self.components
        cards = self.permanents[seat]
        if not cards:
            self.bonus[seat] = NO_MODIFIERS
            return
        sums = [0] * len(MODIFIERS)
        for card in cards:
            for modifier, amount in components.ritual_modifiers[card]:
                sums[modifier] += amount
        self.bonus[seat] = tuple(sums)

    def discount(self, seat: int, category: int) -> int:
        """Return the discount of the seat on resource tasks of a category."""
        return self.bonus[seat][DISCOUNT + category]

    # -- tasks -------------------------------------------------------------------------------------

    def open_statue(self, statue: int) -> None:
        """Make the tasks of an unlocked statue available."""
        kind = self.components.task_kind
        for space in range(statue * SPACES_EACH, (statue + 1) * SPACES_EACH):
            task = self.tiles[space]
            if task != NO_TILE:
                insert_sorted(self.open_auctions if kind[task] == AUCTION else self.open_tasks, space)

    def take_task(self, seat: int, space: int) -> None:
        """Move the task of a space to the seat that has completed it."""
        task = self.tiles[space]
        self.tiles[space] = NO_TILE
        remove_sorted(self.open_auctions if self.components.task_kind[task] == AUCTION else self.open_tasks, space)
        insert_sorted(self.tasks_done[seat], task)

    # -- commodities -------------------------------------------------------------------------------

    def goods_of(self, seat: int) -> list[int]:
        """Return the number of commodities of each type that the seat has, veiled ones included."""
        veiled = self.veiled[seat]
        if not veiled:
            return self.goods[seat]
        return [n + veiled.count(commodity) for commodity, n in enumerate(self.goods[seat])]

    def goods_count(self, seat: int) -> int:
        """Return the number of commodities that the seat has; everybody knows it."""
        return sum(self.goods[seat]) + len(self.veiled[seat])

    def goods_held(self, seat: int) -> list[int]:
        """Return the types of commodities that the seat has, ascending."""
        return some(self.goods_of(seat))

    def spend_good(self, seat: int, commodity: int) -> None:
        """Remove a commodity from the seat in the open, a publicly known one first."""
        if self.goods[seat][commodity]:
            self.goods[seat][commodity] -= 1
            return
        index = self.veiled[seat].index(commodity)
        del self.veiled[seat][index]
        del self.veiled_masks[seat][index]

    def good_to_market(self, commodity: int) -> None:
        """Add a commodity to the market and lower its price marker by 1. Rule RA-5.2."""
        self.goods_market[commodity] += 1
        if self.prices[commodity] > 1:
            self.prices[commodity] -= 1

    def good_from_market(self, seat: int, commodity: int) -> None:
        """Take a commodity from the market and raise its price marker by 1. Rule RA-5.2."""
        self.goods_market[commodity] -= 1
        self.goods[seat][commodity] += 1
        if self.prices[commodity] < LEVELS:
            self.prices[commodity] += 1

    # -- assistants --------------------------------------------------------------------------------

    def assistants(self, seat: int, assistant: int) -> int:
        """Return the number of assistants of a type that the seat has, ready or exhausted."""
        return self.ready[seat][assistant] + self.exhausted[seat][assistant]

    def send(self, seat: int, assistant: int) -> None:
        """Exhaust a ready assistant; it stays in play. Rule RA-5.1."""
        self.ready[seat][assistant] -= 1
        self.exhausted[seat][assistant] += 1

    def counts_for_roll(self, seat: int, assistant: int) -> int:
        """Return the number that a bonus roll is compared with: assistants, more with `roll_bonus`.

        Rules RA-4.3 and RA-6.6.
        """
        n = self.assistants(seat, assistant)
        return n + self.bonus[seat][ROLL_BONUS] if n else 0

    # -- masks -------------------------------------------------------------------------------------

    def gain_mask(self, seat: int, god: int) -> None:
        """Add a mask; a god mask whose twin lies unpaired with its new owner pairs at once.

        Rule RA-5.3.
        """
        masks = self.masks[seat]
        if god != MIRROR_MASK and god in masks:
            masks.remove(god)
            insert_sorted(self.pairs[seat], god)
            self.emit("paired", seat=seat, mask=god)
        else:
            insert_sorted(masks, god)

    # -- ranks -------------------------------------------------------------------------------------

    def rank(self, seat: int) -> int:
        """Return the highest rank that the tattoo marker has reached. Rule RA-7.9."""
        return self.components.rank_at[self.tattoos[seat]]
