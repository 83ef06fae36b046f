"""Workers: hiring, chasing, calling back, and the upkeep of the pact counter."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Flow

from .components import CHASE, FREE_UPKEEP, HIRE, PROTECTED_WORKERS, RECALL_WORKER, Effect
from .kinds import (
    CHASE_GROUP,
    EXTRA,
    GOLD,
    HIRE_NOW,
    HOME,
    LEAVE,
    LOYAL,
    OWN_PLACE,
    PASS,
    RECALL,
    ROUND_PLACE,
    SPECIAL,
)
from .state import (
    WutakiState,
    group,
    has_flag,
    hired,
    others,
    pay,
    place_of,
    remove_worker,
    spot_of,
    standing,
    take_off,
    worker_places,
)
from .verbs import flow, test

# -- § Anwerben -------------------------------------------------------------------------------------------------------


def next_hire(s: WutakiState, p: int) -> int:
    """The type of worker to be hired next: extra ones from left to right, the special one last; -1 for none."""
    tower = s.tower[p]
    if tower[EXTRA]:
        return EXTRA
    return SPECIAL if tower[SPECIAL] else -1


def hire_price(s: WutakiState, p: int, discount: int, free: bool) -> tuple[int, int]:
    """What the next hire costs: tokens of the cost marker, gold.

    The price is that of the tower slot: it depends only on how many extra workers are hired (R13). A discount lowers
    the cost marker's part of each hire, not the gold.
    """
    if free:
        return 0, 0
    marked, gold = s.box.boards[s.side].hire_prices[s.tower[p][EXTRA]]
    if marked:
        marked = max(0, marked - discount - s.box.in_round[s.round_card].hire_discount)
    return marked, gold


def can_hire(s: WutakiState, p: int, discount: int, free: bool) -> bool:
    """There's a worker in the tower and the seat can pay for the next one."""
    tower = s.tower[p]
    if not tower[EXTRA] and not tower[SPECIAL]:
        return False
    marked, gold = s.box.boards[s.side].hire_prices[tower[EXTRA]]
    stock = s.stock[p]
    if stock[GOLD] >= gold and stock[s.cost_marker[p]] >= marked:
        return True
    marked, gold = hire_price(s, p, discount, free)  # which is never dearer than what is printed
    return stock[GOLD] >= gold and stock[s.cost_marker[p]] >= marked


def hire(s: WutakiState, p: int, discount: int, free: bool) -> None:
    """Pay for the next worker; it's available at once (R5)."""
    marked, gold = hire_price(s, p, discount, free)
    kind = next_hire(s, p)
    pay(s, p, s.cost_marker[p], marked)
    pay(s, p, GOLD, gold)
    s.tower[p][kind] -= 1
    s.home[p][kind] += 1
    s.tell("hired", seat=p, worker=kind)


def hire_up_to(s: WutakiState, p: int, n: int, effect: Effect, must: bool) -> Flow:
    """Hire up to n workers, each paid on its own; one may stop at any time; the first is due if one must (R14)."""
    for number in range(n):
        if not can_hire(s, p, effect.discount, effect.free):
            return
        if number or not must:
            about = {"worker": next_hire(s, p)}
            choice: int = yield Choose(p, "hire", [HIRE_NOW, PASS], source=effect.source, rule="hiring", about=about)
            if choice == PASS:
                return
        hire(s, p, effect.discount, effect.free)


@flow(HIRE)
def resolve_hire(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Hire up to n workers."""
    return hire_up_to(s, p, effect.n, effect, must)


@test(HIRE)
def would_hire(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """A next worker stands in the tower and can be paid."""
    return can_hire(s, p, effect.discount, effect.free)


# -- § Verjagen -------------------------------------------------------------------------------------------------------


def chase_options(s: WutakiState, p: int) -> list[int]:
    """Groups that can be chased: all additional workers of an opponent at a place of the main board or round card."""
    found = []
    for q in sorted(others(s, p)):
        if chaseable(s, q) and not has_flag(s, q, PROTECTED_WORKERS):
            found += [CHASE_GROUP.at(place, q) for place in range(ROUND_PLACE + 1) if any(group(s, place, q))]
    return sorted(found)


@flow(CHASE)
def resolve_chase(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Verjagen. All additional workers of one group go back to their tower; loyal ones stay.

    Where the worker may move in afterwards, that is done when the rest of the place's effects has run.
    """
    options = chase_options(s, p)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "chase", options, source=effect.source, rule="chasing")
    place, q = CHASE_GROUP.parts(choice)
    s.tell("chased", seat=p, place=place, seat_2=q)
    for kind, n in zip((EXTRA, SPECIAL), group(s, place, q), strict=True):
        for _ in range(n):
            remove_worker(s, q, kind, place)
    if effect.relocate:
        s.vacated = place


@test(CHASE)
def would_chase(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There's a group to chase."""
    for q in others(s, p):
        away = chaseable(s, q)
        if away and not has_flag(s, q, PROTECTED_WORKERS):
            return True
    return False


def chaseable(s: WutakiState, q: int) -> int:
    """How many additional workers of a seat stand at places of the main board or the round card."""
    _, extra, special = s.tower[q]
    _, extra_home, special_home = s.home[q]
    box = s.box
    away: int = box.boards[s.side].extra_workers + box.special_workers - extra - special - extra_home - special_home
    if away:
        _, extra_idle, special_idle = s.idle[q]
        away -= extra_idle + special_idle
        if s.fields[OWN_PLACE + q]:
            away -= sum(group(s, OWN_PLACE + q, q))
    return away


# -- calling back -----------------------------------------------------------------------------------------------------


def recall_options(s: WutakiState, p: int) -> list[int]:
    """Own workers on fields, except the one placed in this turn."""
    found = []
    for kind in (LOYAL, EXTRA, SPECIAL):
        who = p * 3 + kind
        for spot in (*range(ROUND_PLACE + 1), OWN_PLACE + p):
            placed_now = s.active == p and s.spot == spot and s.worker == kind
            if standing(s, spot, who) > placed_now:
                found.append(RECALL.at(kind, place_of(spot)))
    return found


@flow(RECALL_WORKER)
def resolve_recall_worker(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Take n own workers off their fields; they are available again. The seat may decline unless it must."""
    for number in range(effect.n):
        options = recall_options(s, p)
        if not options:
            return
        if not must and not number:
            options.append(PASS)
        choice = options[0]
        if len(options) > 1:
            choice = yield Choose(p, "recall_worker", options, source=effect.source, rule="workers")
        if choice == PASS:
            return
        kind, place = RECALL.parts(choice)
        take_off(s, spot_of(place, p), p * 3 + kind)
        s.home[p][kind] += 1
        s.tell("recalled", seat=p, worker=kind, place=place)


@test(RECALL_WORKER)
def would_recall_worker(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """An own worker stands on a field that wasn't placed in this turn."""
    away: int = s.box.loyal_workers + hired(s, p) - sum(s.home[p]) - sum(s.idle[p])
    return away > (s.active == p and s.spot >= 0)


# -- § Position 5: zusätzliche Arbeiter bezahlen ----------------------------------------------------------------------


def pay_upkeep(s: WutakiState, p: int) -> Flow:
    """Each hired additional worker costs a token of the cost marker, as far as there are any; unpaid ones go home."""
    workers = hired(s, p)
    if not workers or has_flag(s, p, FREE_UPKEEP):
        return
    kind = s.cost_marker[p]
    paid = min(workers, s.stock[p][kind])
    s.tell("upkeep", seat=p, n=workers)
    pay(s, p, kind, paid)
    for _ in range(workers - paid):
        yield from let_worker_go(s, p)


def let_worker_go(s: WutakiState, p: int) -> Flow:
    """An unpaid worker leaves: first the special one, wherever it is; then placed extra ones; then those at home."""
    special = worker_places(s, p, SPECIAL)
    if special:
        remove_worker(s, p, SPECIAL, special[0])
        return
    placed = [where for where in worker_places(s, p, EXTRA) if where != HOME]
    where = HOME
    if len(placed) > 1:
        options = [LEAVE.at(EXTRA, where) for where in placed]
        choice: int = yield Choose(p, "let_worker_go", options, rule="upkeep")
        where = LEAVE.parts(choice)[1]
    elif placed:
        where = placed[0]
    remove_worker(s, p, EXTRA, where)
