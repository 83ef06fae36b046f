"""The marketplace: selling commodities, hiring assistants and sending a trader (RA-4.7).

Markets and prices are in `markets.py`.
"""

from __future__ import annotations

from atoll.engine import Choose, Flow

from .components import COMPLETE_TASK, DRAW_FOREST, EXTRA_SALE, TAKE_COMMODITY, Effect
from .effects import carry_out, would_do
from .kinds import COMMODITIES, DONE, HIRE, LEVELS, SELL, TRADE, TRADER
from .own_turn import FREE_ACTION, ask_step
from .state import RaiateaState, some
from .tasks import candidates


def market_turn(s: RaiateaState, seat: int) -> Flow:
    """Let a seat sell a commodity and hire an assistant, in any order, the Kahuna each twice.

    One trader may be sent, also one just hired.
    Rule RA-4.7, rulings R37 and R38.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    times = 2 if seat == s.kahuna else 1
    sold = hired = 0
    trader_sent = False
    while True:
        # A ritual executed in this turn counts (R62).
        sales = times + s.bonus[seat][EXTRA_SALE] - sold
        hires = times - hired
        options = sale_options(s, seat) if sales else []
        if hires and can_pay_hire(s, seat):
            options += HIRE.all_choices(some(s.assistant_market))
        if not trader_sent and s.ready[seat][TRADER]:
            options += TRADE.all_choices(below_top(s))
        if options:
            options.append(DONE.first)
        about = {"n": sales, "hires": hires}
        choice = yield from ask_step(s, Choose(seat, "market", options, rule="marketplace", placeholders=about))
        if choice in SELL:
            sold += 1
            yield from sell(s, seat, choice)
        elif choice in HIRE:
            hired += 1
            hire(s, seat, HIRE.part(choice))
        elif choice in TRADE:
            trader_sent = True
            send_trader(s, seat, TRADE.part(choice))
        elif choice != FREE_ACTION:
            return


def can_pay_hire(s: RaiateaState, seat: int) -> bool:
    """Return whether the seat has the pearls for an assistant. Rule RA-4.9."""
    return s.pearls[seat] >= s.components.hire_cost


def below_top(s: RaiateaState) -> list[int]:
    """Return the commodities whose price marker isn't at the top. Rule RA-5.6."""
    return [commodity for commodity in range(COMMODITIES) if s.prices[commodity] < LEVELS]


def sale_options(s: RaiateaState, seat: int) -> list[int]:
    """Return each own commodity with each bonus up to its marker that would do something.

    Rule RA-4.8, rulings R35 and R36.
    """
    found = []
    for commodity in s.goods_held(seat):
        for level in range(s.prices[commodity]):
            if sale_would_do(s, seat, commodity, level):
                found.append(SELL.choice(commodity, level))  # noqa: PERF401 - so few: a comprehension costs more
    return found


def sale_would_do(s: RaiateaState, seat: int, commodity: int, level: int) -> bool:
    """Return whether the bonus of a sale would do something. Rule RA-4.8, ruling R36.

    Args:
        s: The state.
        seat: The seat that sells.
        commodity: The type of the card sold.
        level: The bonus, from 0 for the lowest price.
    """
    for effect in s.components.prices[commodity][level]:  # noqa: SIM110 - most are alone: any(...) costs more
        if bonus_would_do(s, seat, effect, commodity):
            return True
    return False


def bonus_would_do(s: RaiateaState, seat: int, effect: Effect, sold: int) -> bool:
    """Return whether an effect would do something as the bonus of a sale.

    The sold card lies on the market by then. It can be taken from there or be shuffled into the
    forest deck, but it can't pay for a task.
    Rule RA-4.8, ruling R36.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
        sold: The type of the card sold.
    """
    if effect.verb == COMPLETE_TASK:
        return bool(candidates(s, seat, free=effect.free, sold=sold))
    if effect.verb == TAKE_COMMODITY:
        return True
    if effect.verb == DRAW_FOREST and s.goods_market[sold]:
        return True
    return would_do(s, seat, effect)


def sell(s: RaiateaState, seat: int, choice: int) -> Flow:
    """Put the card into the market, carry out its bonus and lower its marker once.

    Rule RA-4.8, ruling R39.

    Args:
        s: The state.
        seat: The seat concerned.
        choice: The choice of the sale.
    """
    commodity, level = SELL.parts(choice)
    s.spend_good(seat, commodity)
    s.goods_market[commodity] += 1
    s.emit("sold", seat=seat, commodity=commodity, level=level)
    yield from carry_out(s, seat, s.components.prices[commodity][level], f"{commodity}_{level + 1}")
    if s.prices[commodity] > 1:
        s.prices[commodity] -= 1


def hire(s: RaiateaState, seat: int, assistant: int) -> None:
    """Take an assistant of the market for 2 pearls; it arrives ready. Rule RA-4.9, ruling R40.

    Args:
        s: The state.
        seat: The seat concerned.
        assistant: The type of assistant.
    """
    s.pearls[seat] -= s.components.hire_cost
    s.assistant_market[assistant] -= 1
    s.ready[seat][assistant] += 1
    if s.events is not None:
        s.emit("hired", seat=seat, assistant=assistant, n=s.components.hire_cost)


def send_trader(s: RaiateaState, seat: int, commodity: int) -> None:
    """Raise the price marker of a commodity to the top. Rule RA-5.6.

    Args:
        s: The state.
        seat: The seat concerned.
        commodity: The commodity.
    """
    s.send(seat, TRADER)
    s.prices[commodity] = LEVELS
    s.emit("sent_trader", seat=seat, commodity=commodity)
