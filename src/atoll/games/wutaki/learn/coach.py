"""What Wutaki's coach notes: pacts that can be paid, places that are full, and what the pact counter brings next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atoll.engine.reasons import Seen

from ..components import FLAGS, UPKEEP
from ..kinds import LOYAL, OWN_PLACE, WORKERS

_NEAR: Final = 15  # points before the end


def notes(seen: Seen) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What can be fulfilled, what lies open, where there is no room, who begins the next round."""
    s, seat = seen.s, seen.seat
    for pact in s["pacts"][seat]:
        if _payable(seen, pact):
            yield "can_fulfil", {"pact": pact}
    for place, fields in enumerate(s["fields"][:OWN_PLACE]):
        if fields and all(worker >= 0 for worker in fields):
            yield "full", {"place": place}
    if s["claimant"] >= 0:
        yield "starts", {"seat": s["claimant"]}


def _payable(seen: Seen, pact: int) -> bool:
    """Whether the tokens that a pact asks for are there."""
    stock, tokens = seen.s["stock"][seen.seat], seen.box.pacts[pact].action.cost.tokens
    printed: bool = all(stock[kind] >= n for kind, n in tokens.pairs[seen.s["cost_marker"][seen.seat]])
    return printed and bool(sum(stock) >= tokens.total)


def soon(seen: Seen) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Upkeep, debts, the end."""
    s, seat, seats = seen.s, seen.seat, seen.view["seats"]
    printed = seen.box.boards[s["side"]]
    event = printed.counter_event[printed.counter_next[seats][s["counter"]]]
    owed = _hired(seen)
    if event == UPKEEP and owed:
        marker = s["cost_marker"][seat]
        yield "upkeep", {"owed": owed, "resource": marker, "held": s["stock"][seat][marker]}
    if s["ending"]:
        if seat in s["last_turns"] or s["active"] == seat:
            yield "last_turn", {}
        return
    if s["pacts"][seat]:
        yield "unfulfilled", {"n": len(s["pacts"][seat])}
    first = max(range(seats), key=s["vp"].__getitem__)
    if s["vp"][first] >= seen.box.end_vp - _NEAR:
        yield "end_points", {"seat": first, "points": s["vp"][first]}


def _hired(seen: Seen) -> int:
    """For how many workers the seat pays at the upkeep."""
    s, seat = seen.s, seen.seat
    card = s["permanent"][seat]
    if card >= 0 and seen.box.omens[card].flag == FLAGS.index("free_upkeep"):
        return 0
    placed = [worker for fields in s["fields"] for worker in fields] + s["guest"][2::3]
    away = sum(worker >= 0 and worker // len(WORKERS) == seat and worker % len(WORKERS) != LOYAL for worker in placed)
    return int(away + sum(s["home"][seat][LOYAL + 1 :]) + sum(s["idle"][seat][LOYAL + 1 :]))
