"""Tasks: which ones can be completed, paying for them, and auctions (RA-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Final

from atoll.engine import (
    NO_AMOUNT,
    PUBLIC,
    AmountSet,
    Choose,
    Draw,
    Flow,
    RequestFlow,
    insert_sorted,
    pick_set,
    remove_sorted,
)

from .components import (
    AUCTION,
    BID_BONUS,
    COMMODITY_COST,
    COMMODITY_PATTERN,
    COMPLETE_TASK,
    CONDITION,
    DISCOUNT,
    FIRST_CONDITION,
    MANA_COST,
    MASK_COST,
    PEARL_COST,
    RITUAL_COST,
    UNLOCK_STATUE,
    Effect,
)
from .effects import FLOWS, NO_QUESTION, TESTS, NoQuestion
from .kinds import (
    AMOUNT,
    BID,
    BUILD,
    COMMODITIES,
    DECLINE,
    PAY,
    PAY_MASK,
    PAY_RITUAL,
    SPACES_EACH,
    STATUES,
    TILE,
)
from .options import NEED_BID
from .own_turn import ask_sealed
from .state import AUCTIONS, GIFTS, LAST_FEAST, NO_COMMODITY, NO_TILE, RaiateaState

_STATUE_SPACES: Final = tuple(tuple(range(n * SPACES_EACH, (n + 1) * SPACES_EACH)) for n in range(STATUES))
_ANY_COST: Final = 10_000
"""A number larger than the cost of any task."""


# -- which tasks -----------------------------------------------------------------------------------


def candidates(
    s: RaiateaState, seat: int, *, free: bool = False, at_most: bool = False, sold: int = NO_COMMODITY
) -> list[int]:
    """Return the spaces whose task the seat can complete now.

    Auctions and locked statues are never among them. A condition can be met only once per id.
    Rule RA-7.2, rulings R73, R74 and R75.

    Args:
        s: The state.
        seat: The seat that would complete a task.
        free: Whether costs aren't paid; conditions still count.
        at_most: Whether to judge by what all others know: rituals that may lie in the bag count,
            and veiled commodities may be of any type.
        sold: A commodity that the seat will have sold by then; `NO_COMMODITY` for none.
    """
    measures = s.components.task_measure
    least = s.components.task_least
    tiles = s.tiles
    goods = s.goods_of(seat)
    if sold != NO_COMMODITY:
        goods = goods[:]
        goods[sold] -= 1
    have = measured(s, seat, sum(goods), free=free, at_most=at_most)
    any_type = free or (at_most and bool(s.veiled[seat]))
    found = []
    for space in s.open_tasks:
        task = tiles[space]
        measure = measures[task]
        if have[measure] >= least[task]:
            if measure == COMMODITY_PATTERN:
                fits = any_type or holds_one_of(goods, payments(s, seat, task))
            else:
                fits = measure < FIRST_CONDITION or is_new_condition(s, seat, task)
            if fits:
                found.append(space)
    return found


def is_new_condition(s: RaiateaState, seat: int, task: int) -> bool:
    """Return whether the seat hasn't met a condition yet: each only once per id. Ruling R73.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
    """
    return task not in s.tasks_done[seat]


def measured(s: RaiateaState, seat: int, goods: int, *, free: bool, at_most: bool) -> tuple[int, ...]:
    """Return what the seat has of everything that tasks measure, in the order of `MEASURES`.

    Discounts are added.
    Rules RA-7.6 and RA-7.8, ruling R99.

    Args:
        s: The state.
        seat: The seat that would complete a task.
        goods: The number of its commodities.
        free: See `candidates`.
        at_most: See `candidates`.
    """
    bonus = s.bonus[seat]
    assistants = list(map(add, s.ready[seat], s.exhausted[seat]))
    rituals = len(s.hands[seat]) + (len(s.bag[seat]) if at_most else 0)
    any_cost = _ANY_COST if free else 0
    return (
        s.pearls[seat] + bonus[DISCOUNT + PEARL_COST] + any_cost,
        s.mana[seat] + bonus[DISCOUNT + MANA_COST] + any_cost,
        rituals + bonus[DISCOUNT + RITUAL_COST] + any_cost,
        len(s.masks[seat]) + bonus[DISCOUNT + MASK_COST] + any_cost,
        s.rank(seat),
        s.priests[seat],
        sum(assistants),
        max(assistants),
        goods + bonus[DISCOUNT + COMMODITY_COST] + any_cost,
    )


def holds_one_of(goods: Sequence[int], legal: Sequence[Sequence[int]]) -> bool:
    """Return whether the commodities, by type, are enough for one of the payments."""
    uru, taro, mahi_mahi, tiare = goods
    for a, b, c, d in legal:  # noqa: SIM110 - a loop, not any(...): candidates of all tasks are asked for often
        if a <= uru and b <= taro and c <= mahi_mahi and d <= tiare:
            return True
    return False


def must_ask(s: RaiateaState, seat: int, found: Sequence[int], *, free: bool = False) -> bool:
    """Return whether the seat is asked for a task: by public knowledge it could complete one.

    Args:
        s: The state.
        seat: The seat concerned.
        found: The spaces whose task the seat can complete.
        free: Whether costs aren't paid.
    """
    if found or not (s.veiled[seat] or s.bag[seat]):
        return bool(found)
    return bool(candidates(s, seat, free=free, at_most=True))


def need(s: RaiateaState, seat: int, task: int) -> int:
    """Return the cost of a resource task for the seat after its discount.

    The cost is in pearls, mana, rituals or masks.
    Rules RA-6.6 and RA-7.6, ruling R99.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
    """
    return max(0, s.components.task_least[task] - s.bonus[seat][DISCOUNT + s.components.task_category[task]])


def payments(s: RaiateaState, seat: int, task: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of each commodity that pay a task, after the seat's discount.

    The result is empty for other tasks.
    Rule RA-7.7.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
    """
    steps = s.components.task_payments[task]
    return steps[min(s.discount(seat, COMMODITY_COST), len(steps) - 1)]


# -- completing ------------------------------------------------------------------------------------


@FLOWS.of(COMPLETE_TASK)
def resolve_complete_task(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Let a seat complete one open task, with `free` without paying. Rule RA-6.3.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    found = candidates(s, seat, free=effect.free)
    if not must_ask(s, seat, found, free=effect.free):
        return
    options = BUILD.all_choices(found)
    options.append(DECLINE.first)
    prompt = "free_task" if effect.free else "complete_task"
    choice: int = yield Choose(seat, prompt, options, source=source, rule="task")
    if choice not in DECLINE:
        yield from complete(s, seat, BUILD.part(choice), free=effect.free)


@TESTS.of(COMPLETE_TASK)
def would_complete_task(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether the seat could complete a task.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return bool(candidates(s, seat, free=effect.free))


def complete(s: RaiateaState, seat: int, space: int, *, free: bool = False) -> Flow:
    """Pay and take the tile; then hold the auctions of its row if only they are left.

    Rule RA-7.2, ruling R76.

    Args:
        s: The state.
        seat: The seat concerned.
        space: The space of the task.
        free: Whether the task isn't paid for.
    """
    task = s.tiles[space]
    if s.components.task_kind[task] != CONDITION and not free:
        yield from pay_for_task(s, seat, task)
    s.take_task(seat, space)
    if s.events is not None:
        s.emit("completed", seat=seat, task=task, space=space)
    for due in auctions_due(s, s.components.row_of[space]):
        yield from auction(s, due)


def pay_for_task(s: RaiateaState, seat: int, task: int) -> Flow | NoQuestion:
    """Pay pearls and mana to the supply, cards to their markets or discard piles, exactly.

    Rule RA-7.6, rulings R71 and R72.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    category = s.components.task_category[task]
    if category == COMMODITY_COST:
        return pay_goods(s, seat, task)
    cost = need(s, seat, task)
    if category == RITUAL_COST:
        return pay_rituals(s, seat, task, cost)
    if category == MASK_COST:
        return pay_masks(s, seat, task, cost)
    if category == PEARL_COST:
        s.pearls[seat] -= cost
        if s.events is not None:
            s.emit("paid_pearls", seat=seat, n=cost)
    else:
        s.mana[seat] -= cost
        s.emit("paid_mana", seat=seat, n=cost)
    return NO_QUESTION


def pay_goods(s: RaiateaState, seat: int, task: int) -> Flow:
    """Pay commodities to the market; ask type by type, unless the pattern fixes the mix.

    Each card lowers its price by 1.
    Rule RA-7.7.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
    """
    printed = payments(s, seat, task)
    owned = owned_payments(s, seat, task)
    asked = [commodity for commodity in range(COMMODITIES) if len({each[commodity] for each in printed}) > 1]
    mix = AmountSet(PAY, COMMODITIES, lambda commodity, settled: amounts_left(owned, commodity, settled), asked)
    for commodity in range(COMMODITIES):
        options = mix.options(commodity)
        choice = options[0]
        if len(amounts_left(printed, commodity, mix.settled)) > 1:
            known = not s.options["tane"]  # Otherwise the types behind the screen may be secret.
            about = {"task": task, "n": sum(printed[0])}  # All payments of a task have the same number of cards.
            choice = yield Choose(seat, "pay_goods", options, rule="task", public=known, placeholders=about, into=mix)
        mix.set_amount(commodity, choice)
    paid = mix.settled
    for commodity, n in enumerate(paid):
        for _ in range(n):
            s.spend_good(seat, commodity)
            s.good_to_market(commodity)
        if n:
            s.emit("paid_goods", seat=seat, commodity=commodity, n=n)


def owned_payments(s: RaiateaState, seat: int, task: int) -> list[tuple[int, ...]]:
    """Return the payments of a task for which the seat has the commodities. Rule RA-7.7.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
    """
    goods = s.goods_of(seat)
    return [each for each in payments(s, seat, task) if all(n <= have for n, have in zip(each, goods, strict=True))]


def amounts_left(payments: Sequence[Sequence[int]], commodity: int, settled: Sequence[int]) -> list[int]:
    """Return the numbers of a commodity in those payments that agree with the settled numbers.

    Args:
        payments: The payments, each with a number per type.
        commodity: The commodity.
        settled: Per type the number that is settled, or `NO_AMOUNT`.
    """
    return sorted({each[commodity] for each in payments if _goes_with(each, settled)})


def _goes_with(payment: Sequence[int], settled: Sequence[int]) -> bool:
    """Return whether a payment agrees with the settled numbers."""
    for n, wanted in zip(payment, settled, strict=True):  # noqa: SIM110 - so few: all(...) costs more
        if wanted not in (NO_AMOUNT, n):
            return False
    return True


def pay_rituals(s: RaiateaState, seat: int, task: int, n: int) -> Flow:
    """Pay rituals of the hand, of any deck and kind, face up to their discard piles.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
        n: The number of rituals.
    """
    # In act 4 the true hand is still secret (R101).
    forced = s.phase != GIFTS and len(s.hands[seat]) == n
    paid: list[int] = yield from pick_set(
        seat,
        "pay_rituals",
        PAY_RITUAL.all_choices(s.hands[seat]),
        n,
        n,
        rule="task",
        public=forced,
        about={"task": task},
    )
    for choice in paid:
        card = PAY_RITUAL.part(choice)
        s.hands[seat].remove(card)
        s.discard_ritual(card)
        if s.events is not None:
            s.emit("paid_ritual", seat=seat, ritual=card)


def pay_masks(s: RaiateaState, seat: int, task: int, n: int) -> Flow:
    """Pay unpaired masks or mirrors to the mask market.

    Args:
        s: The state.
        seat: The seat concerned.
        task: The task.
        n: The number of masks.
    """
    masks = PAY_MASK.all_choices(s.masks[seat])
    paid: list[int] = yield from pick_set(
        seat, "pay_masks", masks, n, n, rule="task", public=True, about={"task": task}
    )
    for choice in paid:
        mask = PAY_MASK.part(choice)
        s.masks[seat].remove(mask)
        insert_sorted(s.mask_market, mask)
        s.emit("paid_mask", seat=seat, mask=mask)


# -- RA-7.3 Auctions -------------------------------------------------------------------------------


def auctions_due(s: RaiateaState, row: int) -> list[int]:
    """Return the spaces of a row, left to right, if all its tasks left are auctions; else none.

    On a locked statue nothing is due.
    Rule RA-7.3, ruling R77.
    """
    components = s.components
    spaces = components.rows[row]
    if not s.unlocked[spaces[0] // SPACES_EACH]:
        return []
    left: list[int] = []
    for space in spaces:
        task = s.tiles[space]
        if task != NO_TILE:
            if components.task_kind[task] != AUCTION:
                return []
            left.append(space)
    return left


def auction(s: RaiateaState, space: int) -> Flow:
    """Let all bid mana in secret; everybody pays, and the highest bid takes the tile.

    Ties go by favor, also if nobody bids: then the first in favor completes the task for nothing.
    With the house rule that a bid is needed, the tile stays until the next act 6 instead.
    Rule RA-7.3, ruling R78.

    Args:
        s: The state.
        space: The space.

    Returns:
        The flow.
    """
    task = s.tiles[space]
    s.emit("auction", task=task, space=space)
    bids = yield from sealed_bids(s, "auction_bid", "auction", {"task": task})
    pay_bids(s, bids, to_bag=not s.options["mana_shortage"])
    best = max(bid_value(s, seat, bids[seat]) for seat in s.favour)
    if not best and s.options["auctions"] == NEED_BID:
        s.emit("no_bids_last" if is_last_building(s) else "no_bids", task=task)
        return
    winner = next(seat for seat in s.favour if bid_value(s, seat, bids[seat]) == best)
    s.take_task(winner, space)
    s.emit("won_auction", seat=winner, task=task, space=space)


def is_last_building(s: RaiateaState) -> bool:
    """Return whether act 6 of the last feast has begun, so that no auction is held again."""
    return s.phase >= AUCTIONS and s.components.fields[s.field].feast == LAST_FEAST


def sealed_bids(s: RaiateaState, prompt: str, rule: str, about: Mapping[str, int]) -> RequestFlow[list[int]]:
    """Let everybody bid in secret.

    Args:
        s: The state.
        prompt: The key of the question.
        rule: Id of the rule behind the question.
        about: The placeholders of the question.

    Returns:
        The bid of each seat; 0 for a seat without mana.
    """
    bidders = [seat for seat in range(s.seats) if s.mana[seat]]
    if not bidders:
        return [0] * s.seats
    bids = yield from ask_sealed(s, bidders, lambda seat: bid(s, seat, prompt, rule, about))
    return [each or 0 for each in bids]


def bid(s: RaiateaState, seat: int, prompt: str, rule: str, about: Mapping[str, int]) -> RequestFlow[int]:
    """Ask a seat for a bid from 0 to all of its mana.

    Args:
        s: The state.
        seat: The seat concerned.
        prompt: The key of the question.
        rule: Id of the rule behind the question.
        about: The placeholders of the question.

    Returns:
        The mana that is bid.
    """
    options = range(BID.choice(0), BID.choice(highest_bid(s, seat)) + 1)
    choice: int = yield Choose(seat, prompt, options, rule=rule, placeholders=about)
    return BID.part(choice)


def highest_bid(s: RaiateaState, seat: int) -> int:
    """Return the most mana that a seat can bid."""
    return min(s.mana[seat], AMOUNT.high)


def bid_value(s: RaiateaState, seat: int, amount: int) -> int:
    """Return the value of a bid: `bid_bonus` is added to bids of at least 1. Rule RA-6.6.

    Args:
        s: The state.
        seat: The seat concerned.
        amount: The mana that is bid.
    """
    return amount + s.bonus[seat][BID_BONUS] if amount else 0


def pay_bids(s: RaiateaState, bids: Sequence[int], *, to_bag: bool) -> None:
    """Take the bid mana of all seats, including the losers. Rules RA-7.3 and RA-10.4.

    Args:
        s: The state.
        bids: The bid of each seat.
        to_bag: Whether the mana goes to the bag instead of the supply.
    """
    for seat in s.favour:
        s.mana[seat] -= bids[seat]
        if s.events is not None:
            s.emit("bid", seat=seat, n=bids[seat])
    if to_bag:
        s.bag_mana += sum(bids)


# -- RA-7.11 Statues -------------------------------------------------------------------------------


@FLOWS.of(UNLOCK_STATUE)
def resolve_unlock_statue(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Unlock and reveal the lowest-numbered locked statue. Rules RA-6.3 and RA-7.11, ruling R85.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    locked = [statue for statue in range(STATUES) if not s.unlocked[statue]]
    if locked:
        yield from unlock(s, locked[0])


@TESTS.of(UNLOCK_STATUE)
def would_unlock_statue(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether a statue is still locked.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    return not all(s.unlocked)


def unlock(s: RaiateaState, statue: int) -> Flow:
    """Lay the statue's tasks face up; from now on they can be completed. Rule RA-7.11."""
    s.unlocked[statue] = True
    s.emit("unlocked", statue=statue + 1)
    yield from reveal_tasks(s, statue)
    s.open_statue(statue)


def reveal_tasks(s: RaiateaState, statue: int) -> Flow:
    """Give every space of a statue a task of its value, unless it lies face up already (Oracle).

    Nobody has seen the tasks before, so each is drawn now. Those left go back to the box unseen.
    Rule RA-7.11, ruling R9.

    Args:
        s: The state.
        statue: The statue.

    Returns:
        The flow.
    """
    if s.revealed[statue]:
        return
    s.revealed[statue] = True
    pool = s.task_pools[statue]
    for space in _STATUE_SPACES[statue]:
        task: int = yield Draw(TILE, pool, audience=PUBLIC)
        remove_sorted(pool, task)
        s.tiles[space] = task
