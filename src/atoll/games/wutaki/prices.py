"""Costs (WU-8.1): the current prices of cards, places, workers, upgrades and levels for a seat.

The printed prices come from `components.toml`: a card's `pay` or `sacrifice` is its `action.cost`.
Here they are combined with the seat's cost marker and with all discounts. Paying is
`tokens.pay_cost`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .components import Cost, Tokens
from .kinds import EXTRA, FIRST_STANDARD, GOLD, RESOURCES, VILLAGE
from .state import WutakiState, board, hired, round_card

# -- cards, places, levels -------------------------------------------------------------------------


def can_pay(s: WutakiState, seat: int, cost: Cost, hand: Sequence[int], visitors: int = 0) -> bool:
    """Return whether the seat has all of the cost.

    Rule WU-8.1.

    Args:
        s: The state.
        seat: The payer.
        cost: The cost.
        hand: Omens that it can pay with.
        visitors: Number of workers that this cost can't take.
    """
    stock = s.stock[seat]
    tokens = cost.tokens
    for kind, n in tokens.pairs[s.cost_marker[seat]]:
        if stock[kind] < n:
            return False
    return cost.is_fixed or (
        (not tokens.any or sum(stock) >= tokens.total)
        and len(hand) >= cost.omen
        and s.vp[seat] >= cost.vp
        and (not cost.worker or hired(s, seat) - visitors >= cost.worker)
    )


def fixed_part(tokens: Tokens, marker: int) -> list[int]:
    """Return the printed amounts by kind, the cost marker's included."""
    fixed = [0] * len(RESOURCES)
    for kind, n in tokens.pairs[marker]:
        fixed[kind] = n
    return fixed


def can_pay_reduced(stock: Sequence[int], tokens: Tokens, marker: int, discount: int) -> bool:
    """Return whether a stock covers a price from which up to `discount` tokens may be left out.

    Args:
        stock: The tokens by kind.
        tokens: The price.
        marker: The kind on the cost marker.
        discount: The number of tokens that may be left out.
    """
    short = 0
    for kind, n in tokens.pairs[marker]:
        if stock[kind] < n:
            short += n - stock[kind]
    # Tokens beyond the fixed part pay for `any`.
    return short <= discount and (not tokens.any or tokens.total - sum(stock) <= discount)


# -- workers ---------------------------------------------------------------------------------------


def hire_price(s: WutakiState, seat: int, discount: int, free: bool) -> tuple[int, int]:
    """Return the price of the next hire: tokens of the cost marker, gold.

    The price is that of the tower slot: it depends only on the number of extra workers hired. A
    discount lowers the cost marker's part of each hire, not the gold.
    Rule WU-4.1, ruling R13.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The number of tokens of the cost marker that are left out.
        free: Whether the price is dropped.
    """
    if free:
        return 0, 0
    marked, gold = s.components.boards[s.side].hire_prices[s.tower[seat][EXTRA]]
    if marked:
        marked -= discount + s.components.in_round[s.round_card].hire_discount
    return (marked if marked > 0 else 0), gold


def can_hire(s: WutakiState, seat: int, discount: int, free: bool) -> bool:
    """Return whether there is a worker in the tower and the seat can pay for the next one.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The number of tokens of the cost marker that are left out.
        free: Whether the price is dropped.
    """
    if not any(s.tower[seat]):
        return False
    marked, gold = hire_price(s, seat, discount, free)
    stock = s.stock[seat]
    return stock[GOLD] >= gold and stock[s.cost_marker[seat]] >= marked


def can_hire_on_visit(s: WutakiState, seat: int, discount: int, free: bool) -> bool:
    """Return whether a visitor of the village can pay the next worker, own marker bonuses included.

    Rule WU-5.2, ruling R10.

    Args:
        s: The state.
        seat: The visitor.
        discount: Tokens of the cost marker that the place leaves out.
        free: Whether the place drops the price.
    """
    if can_hire(s, seat, discount, free):
        return True
    markers = s.markers[VILLAGE - FIRST_STANDARD].count(seat)
    if not markers or not any(s.tower[seat]):
        return False
    bonus = board(s).places[VILLAGE].bonus
    for kind, n in zip((s.cost_marker[seat], GOLD), hire_price(s, seat, discount, free), strict=True):
        short = max(0, n - s.stock[seat][kind])
        if short and (kind not in bonus or short > s.supply[kind]):
            return False
        markers -= short
    return markers >= 0


# -- upgrades --------------------------------------------------------------------------------------


def place_price(s: WutakiState, place: int, discount: int, free: bool) -> int:
    """Return the gold for the first free slot of a standard place. Rule WU-7.1, ruling R55.

    Args:
        s: The state.
        place: The place.
        discount: The gold that the upgrade costs less.
        free: Whether the price is dropped.
    """
    if free:
        return 0
    printed = board(s).upgrade_prices[len(s.markers[place])]
    return max(0, printed - discount - round_card(s).upgrade_discount)


def upgrade_reach(s: WutakiState, seat: int, discount: int, free: bool) -> int:
    """Return the highest printed price of an upgrade that the seat's gold is enough for.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The gold that upgrades cost less.
        free: Whether the price is dropped.
    """
    if free:
        return sys.maxsize
    return s.stock[seat][GOLD] + discount + s.components.in_round[s.round_card].upgrade_discount


def tower_price(s: WutakiState, card: int, discount: int, free: bool) -> int:
    """Return the gold for a tower upgrade, by its slot. Rule WU-7.1, ruling R55.

    Args:
        s: The state.
        card: The tower upgrade.
        discount: The gold that the upgrade costs less.
        free: Whether the price is dropped.
    """
    if free:
        return 0
    printed = s.components.tower_prices[s.components.tower_upgrades[card].slot]
    return max(0, printed - discount - round_card(s).upgrade_discount)
