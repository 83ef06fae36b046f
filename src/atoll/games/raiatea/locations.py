"""§ A. Aktionsrunde, Aktionsorte: the six locations, in the order of the rulebook. Each is a list of steps.

Nobody has to carry out any part of a location; the Kahuna always acts first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from atoll.engine import Choose, Draw, Flow

from .components import EXTRA_SALE, FOREST_DONE, NEIGHBOURHOOD_TASK, PATH_ACTION, REEF_INCOME, Effect
from .effects import any_would_do, carry_out, flow
from .kinds import (
    ASSISTANT,
    ASSISTANTS,
    BUILD,
    CLAIM,
    COMMODITIES,
    DECLINE,
    DIE,
    DONE,
    DRAW,
    FOREST,
    GATHER,
    GATHERER,
    HIRE,
    LEVELS,
    MARAE,
    MARKETPLACE,
    NEIGHBOURHOOD,
    PATH,
    PICK,
    PLACE,
    PRIEST,
    REEF,
    SACRIFICE,
    SELL,
    TRADE,
    TRADER,
    TRAIN,
)
from .markets import (
    can_draw_forest,
    claim_mask,
    clear_display,
    draw_forest_card,
    fill_display,
    gain_forest_card,
    take_pearls,
    train,
)
from .rituals import (
    FREE_END,
    FREE_FIRST,
    distinct,
    draw_and_keep,
    free_action,
    free_actions,
    gain_tattoo,
    has_free_action,
    kept_at_marae,
    open_decks,
    priest_income,
    trigger,
    window,
)
from .state import CHOOSE, END_OF_ROUND, NO_LOCATION, RaiateaState
from .tasks import candidates, complete, must_ask

StepFlow: TypeAlias = Callable[[RaiateaState, int], Flow]
"""(state, seat): one seat's part of a location."""
ONCE, CLOCKWISE, COUNTER_CLOCKWISE = range(3)


def at_location(s: RaiateaState) -> Flow:
    """One segment of a location: one seat's part of a step, or a step that the Kahuna does for all."""
    part, way = STEPS[s.location][s.step]
    seat = s.kahuna + s.place if way != COUNTER_CLOCKWISE else s.kahuna - s.place
    yield from part(s, seat % s.seats)
    s.place += 1
    if s.place == s.seats or way == ONCE:
        s.place = 0
        s.step += 1
        if s.step == len(STEPS[s.location]):
            leave_location(s)


def leave_location(s: RaiateaState) -> None:
    """The location is carried out; the next player chooses one, or the round ends."""
    s.kahuna = -1
    s.location = NO_LOCATION
    s.step = 0
    s.turn += 1
    s.phase = END_OF_ROUND if s.turn == s.seats else CHOOSE


def is_free(choice: int) -> bool:
    """Whether a choice is a free action of the own turn."""
    return FREE_FIRST <= choice < FREE_END


def bonus_roll(s: RaiateaState, kahuna: int) -> Flow:
    """§ Helfer A. The Kahuna rolls; who has at least as many of the location's assistants gets the reward.

    Without any such assistant on the table nobody rolls (R18). Exhausted ones count.
    """
    assistant = s.box.bonus_roll[s.location]
    if not any(s.assistants(seat, assistant) for seat in range(s.seats)):
        return
    pips: int = yield Draw(DIE, s.box.die)
    s.tell("bonus_roll", seat=kahuna, pips=pips, assistant=assistant)
    reward = s.box.rewards[assistant]
    for seat in s.clockwise(kahuna):
        if s.counts_for_roll(seat, assistant) > pips:  # the index of a face is one less than its pips
            yield from carry_out(s, seat, (reward,), (ASSISTANT.names or ())[assistant])


# -- § Wald ------------------------------------------------------------------------------------------------------------


def forest_pick(s: RaiateaState, seat: int) -> Flow:
    """§ Wald. Take a card of the display or decline; before that one gatherer may be sent (Sammlerin B).

    A gatherer adds a card to the display; after the pick a commodity may be taken from it, too (R25, R103).
    """
    sent = False
    while True:
        options = [PICK.first + card for card in distinct(s.display)]
        if not sent and s.ready[seat][GATHERER] and can_draw_forest(s):
            options.append(GATHER.first)
        if not options:
            break
        options += free_actions(s, seat)
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "forest_pick", options, rule="forest")
        if choice == GATHER.first:
            sent = True
            yield from send_gatherer(s, seat)
        elif choice == DECLINE.first:
            return
        elif is_free(choice):
            yield from free_action(s, seat, choice)
        else:
            yield from take_from_display(s, seat, choice - PICK.first)
            if sent:
                yield from forest_extra(s, seat)
            break
    yield from window(s, seat)


def send_gatherer(s: RaiateaState, seat: int) -> Flow:
    """§ Sammlerin B. The top forest card is added to the display."""
    s.send(seat, GATHERER)
    card = yield from draw_forest_card(s)
    s.display.append(card)
    s.tell("gathered", seat=seat, forest_card=card)


def take_from_display(s: RaiateaState, seat: int, card: int) -> Flow:
    """§ Waldkarten nehmen. A card goes from the display to a seat."""
    s.display.remove(card)
    yield from gain_forest_card(s, seat, card)


def forest_extra(s: RaiateaState, seat: int) -> Flow:
    """§ Sammlerin B. In addition to the pick one commodity of the display; no price moves."""
    options = [PICK.first + card for card in distinct(s.display) if card < COMMODITIES]
    if not options:
        return
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, "forest_extra", options, source="gatherer", rule="forest")
    if choice != DECLINE.first:
        yield from take_from_display(s, seat, choice - PICK.first)


def new_display(s: RaiateaState, kahuna: int) -> Flow:
    """§ Wald. Between the passes what is left goes to the markets and a new display is revealed (R27)."""
    clear_display(s)
    yield from fill_display(s)


def forest_done(s: RaiateaState, seat: int) -> Flow:
    """The end of the forest action, for permanent rituals. What is left in the display stays there (R21)."""
    yield from trigger(s, seat, FOREST_DONE)


# -- § Marae -----------------------------------------------------------------------------------------------------------


def marae_turn(s: RaiateaState, seat: int) -> Flow:
    """§ Marae. Sacrifice a commodity for a tattoo, then draw rituals; the Kahuna may do each twice (R12, R13)."""
    times = 2 if seat == s.kahuna else 1
    sacrifices = draws = times
    while True:
        options: list[int] = []
        if sacrifices and s.tattoos[seat] < s.box.max_tattoos:
            options = [SACRIFICE.first + commodity for commodity in s.goods_held(seat)]
        if draws:
            options += [DRAW.first + deck for deck in open_decks(s, seat)]
        if not options and (s.skipping[seat] or not has_free_action(s, seat)):
            return
        options += free_actions(s, seat)
        options.append(DONE.first)
        choice: int = yield Choose(seat, "marae", options, rule="marae", about={"n": sacrifices, "draws": draws})
        if choice < DRAW.first:
            sacrifices -= 1
            yield from sacrifice(s, seat, choice - SACRIFICE.first)
        elif choice < DRAW.end:
            sacrifices = 0
            draws -= 1
            yield from draw_and_keep(s, seat, choice - DRAW.first, kept_at_marae(s, seat))
        elif choice == DONE.first:
            return
        else:
            yield from free_action(s, seat, choice)


def sacrifice(s: RaiateaState, seat: int, commodity: int) -> Flow:
    """§ Waren opfern. The commodity goes to the market, its price falls; then 1 tattoo."""
    s.spend_good(seat, commodity)
    s.good_to_market(commodity)
    s.tell("sacrificed", seat=seat, commodity=commodity)
    yield from gain_tattoo(s, seat, 1)


# -- § Muschelriff -----------------------------------------------------------------------------------------------------


def reef_roll(s: RaiateaState, kahuna: int) -> Flow:
    """§ Muschelriff. The Kahuna rolls, apart from the bonus roll (R19)."""
    face: int = yield Draw(DIE, s.box.die)
    s.pips = face + 1
    s.tell("reef_roll", seat=kahuna, pips=face)


def reef_turn(s: RaiateaState, seat: int) -> Flow:
    """§ Muschelriff. Pearls as rolled, for the Kahuna 3 more; then what permanent rituals add."""
    take_pearls(s, seat, s.pips + (s.box.kahuna_pearls if seat == s.kahuna else 0))
    yield from trigger(s, seat, REEF_INCOME)
    yield from window(s, seat)


# -- § Pfad der Götter -------------------------------------------------------------------------------------------------


def path_turn(s: RaiateaState, seat: int) -> Flow:
    """§ Pfad der Götter. Train up to 2 priests for pearls, the Kahuna one more for nothing; then 1 mana per priest.

    Everybody gets the mana, trained or not (R30).
    """
    asked = False
    if seat == s.kahuna and s.priests[seat] < s.box.max_priests:
        asked = True
        yield from kahuna_priest(s, seat)
    if len(train_options(s, seat)) > 1:
        asked = True
        yield from train_on_turn(s, seat)
    if not asked:
        yield from window(s, seat)
    yield from priest_income(s, seat)
    yield from window(s, seat)


def kahuna_priest(s: RaiateaState, seat: int) -> Flow:
    """§ Pfad der Götter, Kahuna-Bonus. One priest for nothing."""
    while True:
        options = [PRIEST.first, *free_actions(s, seat), DECLINE.first]
        choice: int = yield Choose(seat, "kahuna_priest", options, rule="path")
        if not is_free(choice):
            if choice == PRIEST.first:
                train(s, seat, s.box.kahuna_priests)
            return
        yield from free_action(s, seat, choice)


def train_options(s: RaiateaState, seat: int) -> list[int]:
    """§ Pfad der Götter. 0, 1 or 2 priests, as many as one can pay and the track has room for (R29, R31)."""
    pearls = s.pearls[seat]
    room = s.box.max_priests - s.priests[seat]
    return [TRAIN.first + n for n, cost in enumerate(s.box.train_cost) if cost <= pearls and n <= room]


def train_on_turn(s: RaiateaState, seat: int) -> Flow:
    """§ Pfad der Götter. The seat trains on its own turn."""
    while True:
        options = train_options(s, seat) + free_actions(s, seat)
        choice: int = yield Choose(seat, "train", options, rule="path")
        if not is_free(choice):
            pay_training(s, seat, choice - TRAIN.first)
            return
        yield from free_action(s, seat, choice)


def pay_training(s: RaiateaState, seat: int, n: int) -> None:
    """Priests for pearls: 2 for one, 5 for two."""
    if n:
        cost = s.box.train_cost[n]
        s.pearls[seat] -= cost
        s.tell("paid_pearls", seat=seat, n=cost)
        train(s, seat, n)


@flow(PATH_ACTION)
def path_action(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """The Path of the Gods for one player, without the Kahuna bonus; no window, as it may be nobody's turn."""
    options = train_options(s, seat)
    if len(options) > 1:
        choice: int = yield Choose(seat, "train", options, source=source, rule="path")
        pay_training(s, seat, choice - TRAIN.first)
    yield from priest_income(s, seat)


# -- § Nachbarschaft ---------------------------------------------------------------------------------------------------


def enter_neighbourhood(s: RaiateaState) -> None:
    """Who may complete how many tasks: the Kahuna one, others by permanent rituals. Nobody has placed a mask."""
    s.completions = [s.bonus[seat][NEIGHBOURHOOD_TASK] + (seat == s.kahuna) for seat in range(s.seats)]
    s.placed = [False] * s.seats


def neighbourhood_tasks(s: RaiateaState, seat: int) -> Flow:
    """§ Nachbarschaft, Kahuna-Bonus. Complete open tasks, before or after the swap (R32)."""
    if not s.completions[seat]:
        return
    while s.completions[seat]:
        found = candidates(s, seat)
        if not must_ask(s, seat, found) and (s.skipping[seat] or not has_free_action(s, seat)):
            return
        options = [BUILD.first + space for space in found]
        options += free_actions(s, seat)
        options.append(DECLINE.first)
        prompt = "early_task" if s.step == 0 else "late_task"
        choice: int = yield Choose(seat, prompt, options, rule="neighbourhood", about={"n": s.completions[seat]})
        if choice == DECLINE.first:
            return
        if is_free(choice):
            yield from free_action(s, seat, choice)
        else:
            s.completions[seat] -= 1
            yield from complete(s, seat, choice - BUILD.first)
    yield from window(s, seat)


def place_mask(s: RaiateaState, seat: int) -> Flow:
    """§ Nachbarschaft. One own unpaired mask, mirrors included, may go to the mask market."""
    while s.masks[seat]:
        options = [PLACE.first + mask for mask in distinct(s.masks[seat])]
        options += free_actions(s, seat)
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "place_mask", options, rule="neighbourhood")
        if choice == DECLINE.first:
            return
        if not is_free(choice):
            lay_on_market(s, seat, choice - PLACE.first)
            break
        yield from free_action(s, seat, choice)
    yield from window(s, seat)


def lay_on_market(s: RaiateaState, seat: int, mask: int) -> None:
    """A mask goes to the mask market."""
    s.masks[seat].remove(mask)
    s.mask_market.append(mask)
    s.mask_market.sort()
    s.placed[seat] = True
    s.tell("placed", seat=seat, mask=mask)


def swap_mask(s: RaiateaState, seat: int) -> Flow:
    """§ Nachbarschaft. Who placed a mask may take one of the market, also the own one; no treasure (R33, R34)."""
    while s.placed[seat] and s.mask_market:
        options = [CLAIM.first + mask for mask in distinct(s.mask_market)]
        options += free_actions(s, seat)
        options.append(DECLINE.first)
        choice: int = yield Choose(seat, "swap_mask", options, rule="neighbourhood")
        if choice == DECLINE.first:
            return
        if not is_free(choice):
            claim_mask(s, seat, choice - CLAIM.first)
            break
        yield from free_action(s, seat, choice)
    yield from window(s, seat)


# -- § Marktplatz ------------------------------------------------------------------------------------------------------


def market_turn(s: RaiateaState, seat: int) -> Flow:
    """§ Marktplatz. Sell a commodity and hire an assistant, in any order; the Kahuna may do each twice.

    One trader may be sent, also one just hired (R38).
    """
    times = 2 if seat == s.kahuna else 1
    sales = times + s.bonus[seat][EXTRA_SALE]
    hires = times
    trader_sent = False
    while True:
        options = sale_options(s, seat) if sales else []
        if hires and s.pearls[seat] >= s.box.hire_cost:
            options += [HIRE.first + assistant for assistant in range(ASSISTANTS) if s.assistant_market[assistant]]
        if not trader_sent and s.ready[seat][TRADER]:
            options += [TRADE.first + commodity for commodity in range(COMMODITIES) if s.prices[commodity] < LEVELS]
        if not options and (s.skipping[seat] or not has_free_action(s, seat)):
            return
        options += free_actions(s, seat)
        options.append(DONE.first)
        choice: int = yield Choose(seat, "market", options, rule="marketplace", about={"n": sales, "hires": hires})
        if choice < HIRE.first:
            sales -= 1
            yield from sell(s, seat, choice)
        elif choice < TRADE.first:
            hires -= 1
            hire(s, seat, choice - HIRE.first)
        elif choice < TRADE.end:
            trader_sent = True
            send_trader(s, seat, choice - TRADE.first)
        elif choice == DONE.first:
            return
        else:
            yield from free_action(s, seat, choice)


def sale_options(s: RaiateaState, seat: int) -> list[int]:
    """§ Waren verkaufen. Any own commodity for a bonus at or below its marker that would do something (R35, R36)."""
    options = []
    for commodity in s.goods_held(seat):
        first = SELL.first + commodity * LEVELS
        prices = s.box.prices[commodity]
        # The card is already on the market while its bonus is carried out; it can't pay for a task, for instance.
        goods, veiled, masks = s.goods[seat], s.veiled[seat], s.veiled_masks[seat]
        s.goods[seat], s.veiled[seat], s.veiled_masks[seat] = goods[:], veiled[:], masks[:]
        s.spend_good(seat, commodity)
        s.goods_market[commodity] += 1
        options += [first + level for level in range(s.prices[commodity]) if any_would_do(s, seat, prices[level])]
        s.goods_market[commodity] -= 1
        s.goods[seat], s.veiled[seat], s.veiled_masks[seat] = goods, veiled, masks
    return options


def sell(s: RaiateaState, seat: int, choice: int) -> Flow:
    """§ Waren verkaufen. The card goes to the market, its bonus is carried out, its marker falls once (R39)."""
    commodity, level = divmod(choice - SELL.first, LEVELS)
    s.spend_good(seat, commodity)
    s.goods_market[commodity] += 1
    s.tell("sold", seat=seat, commodity=commodity, level=level)
    yield from carry_out(s, seat, s.box.prices[commodity][level], f"{commodity}_{level + 1}")
    if s.prices[commodity] > 1:
        s.prices[commodity] -= 1


def hire(s: RaiateaState, seat: int, assistant: int) -> None:
    """§ Helfer anwerben. For 2 pearls an assistant of the market; it arrives ready."""
    s.pearls[seat] -= s.box.hire_cost
    s.assistant_market[assistant] -= 1
    s.ready[seat][assistant] += 1
    s.tell("hired", seat=seat, assistant=assistant, n=s.box.hire_cost)


def send_trader(s: RaiateaState, seat: int, commodity: int) -> None:
    """§ Händler B. The price marker of a commodity goes to the top."""
    s.send(seat, TRADER)
    s.prices[commodity] = LEVELS
    s.tell("sent_trader", seat=seat, commodity=commodity)


# fmt: off
_STEPS: Final[dict[int, tuple[tuple[StepFlow, int], ...]]] = {
    FOREST: (
        (bonus_roll, ONCE), (forest_pick, CLOCKWISE), (new_display, ONCE), (forest_pick, COUNTER_CLOCKWISE),
        (forest_done, CLOCKWISE),
    ),
    MARAE: ((bonus_roll, ONCE), (marae_turn, CLOCKWISE)),
    REEF: ((bonus_roll, ONCE), (reef_roll, ONCE), (reef_turn, CLOCKWISE)),
    PATH: ((path_turn, CLOCKWISE),),
    NEIGHBOURHOOD: (
        (neighbourhood_tasks, CLOCKWISE), (place_mask, CLOCKWISE), (swap_mask, CLOCKWISE),
        (neighbourhood_tasks, CLOCKWISE),
    ),
    MARKETPLACE: ((bonus_roll, ONCE), (market_turn, CLOCKWISE)),
}
# fmt: on
STEPS: Final = tuple(_STEPS[location] for location in range(len(_STEPS)))
"""Per location its steps: what is done, and once by the Kahuna or by each seat in which direction."""
