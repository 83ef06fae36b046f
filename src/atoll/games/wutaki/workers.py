"""Workers (WU-4): hiring, chasing, calling back, and the upkeep of the pact counter."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Flow, RequestFlow

from .components import CHASE, FREE_UPKEEP, HIRE, PROTECTED_WORKERS, RECALL_WORKER, Effect
from .effects import FLOWS, TESTS
from .kinds import (
    BESIDE,
    CHASE_GROUP,
    EXTRA,
    GOLD,
    HIRE_NOW,
    HOME,
    IDLE,
    LEAVE,
    LOYAL,
    OWN_PLACE,
    PASS,
    RECALL,
    ROUND_PLACE,
    SPECIAL,
    WORKER_TYPES,
)
from .prices import can_hire, hire_price
from .state import (
    WutakiState,
    group,
    has_flag,
    hired,
    hired_extra,
    others,
    own_field,
    pay,
    place_of,
    placed_one,
    remove_worker,
    spot_of,
    standing,
    standing_apart,
    take_off,
    worker_places,
)

# -- WU-4.1 Hiring ---------------------------------------------------------------------------------


def next_hire(s: WutakiState, seat: int) -> int:
    """Return the type of the next hire: extra ones first, the special one last; -1 for none.

    Rule WU-4.1, ruling R39.
    """
    tower = s.tower[seat]
    if tower[EXTRA]:
        return EXTRA
    return SPECIAL if tower[SPECIAL] else -1


def hire(s: WutakiState, seat: int, discount: int, free: bool) -> None:
    """Pay for the next worker, which is available at once. Rule WU-4.1, ruling R5.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The number of tokens that the price is reduced by.
        free: Whether the price is dropped.
    """
    marked, gold = hire_price(s, seat, discount, free)
    kind = next_hire(s, seat)
    pay(s, seat, s.cost_marker[seat], marked)
    pay(s, seat, GOLD, gold)
    s.tower[seat][kind] -= 1
    s.home[seat][kind] += 1
    s.emit("hired", seat=seat, worker=kind)


def hire_up_to(s: WutakiState, seat: int, n: int, effect: Effect, must: bool) -> Flow:
    """Hire up to n workers, each paid separately; the seat may stop after each.

    The first is due if the seat must hire.
    Rule WU-4.1, ruling R14.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        n: The largest number of workers.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for number in range(n):
        if not can_hire(s, seat, effect.discount, effect.free):
            return
        if number or not must:
            about = {"worker": next_hire(s, seat), "discount": effect.discount, "free": effect.free}
            choice: int = yield Choose(
                seat, "hire", [HIRE_NOW, PASS], source=effect.source, rule="hiring", placeholders=about
            )
            if choice == PASS:
                return
        hire(s, seat, effect.discount, effect.free)


@FLOWS.of(HIRE)
def resolve_hire(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Hire up to `n` workers.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    return hire_up_to(s, seat, effect.n, effect, must)


@TESTS.of(HIRE)
def would_hire(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is a next worker in the tower that can be paid for.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return can_hire(s, seat, effect.discount, effect.free)


# -- WU-4.2 Chasing --------------------------------------------------------------------------------


def chase_options(s: WutakiState, seat: int) -> list[int]:
    """Return the chaseable groups: additional workers of an opponent at a public place.

    These are the places of the main board and of the round card.
    Rule WU-4.2, ruling R16.
    """
    found = []
    for other in sorted(others(s, seat)):
        if can_be_chased(s, other):
            found += [
                CHASE_GROUP.choice(place, other) for place in range(ROUND_PLACE + 1) if any(group(s, place, other))
            ]
    return sorted(found)


@FLOWS.of(CHASE)
def resolve_chase(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Send all additional workers of one group back to their tower; loyal ones stay.

    If the worker may move in afterwards, that is done when the rest of the place's effects has run.
    Rule WU-4.2, ruling R42.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    options = chase_options(s, seat)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(seat, "chase", options, source=effect.source, rule="chasing")
    place, other = CHASE_GROUP.parts(choice)
    s.emit("chased", seat=seat, place=place, seat_2=other)
    for kind, n in zip((EXTRA, SPECIAL), group(s, place, other), strict=True):
        for _ in range(n):
            remove_worker(s, other, kind, place, sharing=is_sharing(s, other, kind, place))
    if effect.relocate:
        s.vacated = place


@TESTS.of(CHASE)
def would_chase(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is a group to chase.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    for other in others(s, seat):  # noqa: SIM110 - `any` makes a generator more for every turn
        if can_be_chased(s, other):
            return True
    return False


def can_be_chased(s: WutakiState, other: int) -> bool:
    """Return whether additional workers of the seat are at public places and no omen protects them.

    Rule WU-4.2, ruling R16.
    """
    _, extra, special = s.home[other]
    _, extra_left, special_left = s.tower[other]
    placed = (
        s.components.boards[s.side].extra_workers
        + s.components.special_workers
        - extra_left
        - special_left
        - extra
        - special
    )
    if placed:
        placed -= s.idle[other][EXTRA] + s.idle[other][SPECIAL]
        own = s.fields[OWN_PLACE + other]
        if own and max(own) >= 0:
            placed -= sum(group(s, OWN_PLACE + other, other))
    return placed > 0 and not has_flag(s, other, PROTECTED_WORKERS)


# -- calling back ----------------------------------------------------------------------------------


def recall_options(s: WutakiState, seat: int) -> list[int]:
    """Return own workers on fields, except the one placed in this turn. Rule WU-8.6."""
    found = []
    for kind in (LOYAL, EXTRA, SPECIAL):
        who = seat * WORKER_TYPES + kind
        spots = [
            spot
            for spot in (*range(ROUND_PLACE + 1), OWN_PLACE + seat)
            if standing(s, spot, who) > sum(placed_one(s, spot, who))
        ]
        found += [RECALL.choice(kind, place_of(spot)) for spot in spots]
    return found


@FLOWS.of(RECALL_WORKER)
def resolve_recall_worker(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Take `n` own workers off their fields; they are available again.

    The seat may decline unless it must.
    Rule WU-8.6.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    for number in range(effect.n):
        options = recall_options(s, seat)
        if not options:
            return
        if not must and not number:
            options.append(PASS)
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(seat, "recall_worker", options, source=effect.source, rule="workers")
        if choice == PASS:
            return
        kind, place = RECALL.parts(choice)
        sharing: bool = yield from choose_sharing(s, seat, kind, place, "recall_worker", effect.source)
        take_off(s, spot_of(place, seat), seat * WORKER_TYPES + kind, sharing=sharing)
        s.home[seat][kind] += 1
        s.emit("recalled", seat=seat, worker=kind, place=place)


@TESTS.of(RECALL_WORKER)
def would_recall_worker(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether an own worker stands on a field that wasn't placed in this turn.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    away = s.components.loyal_workers + hired(s, seat) - sum(s.home[seat]) - sum(s.idle[seat])
    return away > (s.active == seat and s.spot >= 0)


# -- WU-4.6 Upkeep ---------------------------------------------------------------------------------


def upkeep(s: WutakiState, seat: int) -> int:
    """Return the tokens that the seat owes at the upkeep: one for each hired additional worker.

    An omen can spare it.
    Rules WU-4.6 and WU-8.9.
    """
    return 0 if has_flag(s, seat, FREE_UPKEEP) else hired(s, seat)


def pay_upkeep(s: WutakiState, seat: int) -> Flow:
    """Pay a token of the cost marker for each hired additional worker; unpaid ones go home.

    Rule WU-4.6, ruling R51.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    workers = upkeep(s, seat)
    if not workers:
        return
    kind = s.cost_marker[seat]
    paid = min(workers, s.stock[seat][kind])
    s.emit("upkeep", seat=seat, n=workers)
    pay(s, seat, kind, paid)
    for unpaid in range(workers - paid, 0, -1):
        yield from let_worker_go(s, seat, unpaid)


def let_worker_go(s: WutakiState, seat: int, unpaid: int) -> Flow:
    """Send an unpaid worker home: the special one, then placed extra ones, then those at home.

    Rule WU-4.6, ruling R52.

    Args:
        s: The state.
        seat: The seat that can't pay.
        unpaid: Number of workers that still have to leave, this one included. Nothing is asked if
            they are all that are placed.

    Returns:
        The flow.
    """
    special = worker_places(s, seat, SPECIAL)
    if special:
        sharing = is_sharing(s, seat, SPECIAL, special[0])
        remove_worker(s, seat, SPECIAL, special[0], sharing=sharing)
        return
    placed = [where for where in worker_places(s, seat, EXTRA) if where != HOME]
    where = placed[0] if placed else HOME
    if unpaid >= hired_extra(s, seat) - s.home[seat][EXTRA]:
        remove_worker(s, seat, EXTRA, where, sharing=is_sharing(s, seat, EXTRA, where))
        return
    if len(placed) > 1:
        options = [LEAVE.choice(EXTRA, each) for each in placed]
        choice: int = yield Choose(seat, "let_worker_go", options, rule="upkeep")
        where = LEAVE.parts(choice)[1]
    chosen: bool = yield from choose_sharing(s, seat, EXTRA, where, "let_worker_go", "", visitor=True)
    remove_worker(s, seat, EXTRA, where, sharing=chosen)


def is_sharing(s: WutakiState, seat: int, kind: int, where: int) -> bool:
    """Return whether a worker of this type shares a field there, as the one that goes if all go.

    Args:
        s: The state.
        seat: The owner.
        kind: The type of the worker.
        where: The place, the idle zone or home.
    """
    return where < IDLE and standing_apart(s, spot_of(where, seat), seat * WORKER_TYPES + kind)[1] > 0


# -- workers that are alike ------------------------------------------------------------------------


def choose_sharing(
    s: WutakiState, seat: int, kind: int, where: int, prompt: str, source: str, *, visitor: bool = False
) -> RequestFlow[bool]:
    """Let the owner choose between a worker with a field alone and an equal one that shares.

    Rule WU-9.6, ruling R76.

    Args:
        s: The state.
        seat: Owner of the worker.
        kind: Type of the worker.
        where: The place, the idle zone or home.
        prompt: The question, which has been asked for the place before.
        source: The card or place that asks.
        visitor: Whether the worker placed in this turn can be the one that goes.

    Returns:
        Whether it is one that shares a field.
    """
    if where >= IDLE:
        return False
    spot, who = spot_of(where, seat), seat * WORKER_TYPES + kind
    placed = (0, 0) if visitor else placed_one(s, spot, who)
    apart, sharing = (n - now for n, now in zip(standing_apart(s, spot, who), placed, strict=True))
    if not (apart and sharing):
        return sharing > 0
    shared = s.guest[1]
    options = BESIDE.all_choices(sorted((own_field(s, spot, who), shared)))
    choice: int = yield Choose(seat, prompt, options, source=source, rule="workers", placeholders={"place": where})
    return BESIDE.part(choice) == shared
