"""The six locations (RA-4), in the order of the rulebook; each is a list of steps.

The last one, the marketplace, is in `marketplace.py`. No part of a location is mandatory. The
Kahuna always acts first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from atoll.engine import Choose, Draw, Flow, RequestFlow, remove_sorted

from .components import (
    FOREST_DONE,
    GAIN_TATTOO,
    NEIGHBOURHOOD_TASK,
    PATH_ACTION,
    REEF_INCOME,
    Effect,
)
from .effects import FLOWS, NO_QUESTION, NoQuestion, carry_out
from .kinds import (
    ACCEPT,
    ASSISTANT,
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
    GIFT_TATTOO,
    LOCATION,
    MARAE,
    MARKETPLACE,
    NEIGHBOURHOOD,
    PATH,
    PICK,
    PLACE,
    PRIEST,
    REEF,
    REVEAL,
    SACRIFICE,
    TRAIN,
)
from .marketplace import market_turn
from .markets import (
    can_draw_forest,
    claim_mask,
    clear_display,
    fill_display,
    gain_forest_card,
    priest_room,
    restock_forest,
    take_pearls,
    train,
)
from .own_turn import FREE_ACTION, NO_CHOICES, ask_step, free_action_window
from .rituals import (
    becomes_tahua,
    can_gain_tattoo,
    distinct,
    draw_and_keep,
    gain_tattoo,
    kept_at_marae,
    open_decks,
    priest_income,
    trigger,
)
from .state import CHOOSE, END_OF_ROUND, NO_LOCATION, RaiateaState
from .tasks import candidates, complete, must_ask

StepFlow: TypeAlias = Callable[[RaiateaState, int], Flow | NoQuestion]
"""One seat's part of a location. Its parameters are state and seat."""
ONCE, CLOCKWISE, COUNTER_CLOCKWISE = range(3)


def at_location(s: RaiateaState) -> Flow:
    """Play one segment of a location.

    It is one seat's part of a step, or a step that the Kahuna does for all.
    """
    part, way = STEPS[s.location][s.step]
    yield from part(s, whose_part(s.kahuna, s.place, way, s.seats))
    end_of_part(s)


def end_of_part(s: RaiateaState) -> None:
    """Continue with the step's next seat, or with the next step, or leave the location."""
    s.place += 1
    if s.place == s.seats or STEPS[s.location][s.step][1] == ONCE:
        s.place = 0
        s.step += 1
        if s.step == len(STEPS[s.location]):
            leave_location(s)


def whose_part(kahuna: int, place: int, way: int, seats: int) -> int:
    """Return the seat whose part of a step comes at a place; the Kahuna's is always the first.

    Args:
        kahuna: The seat of the Kahuna.
        place: The place in the order of the step, from 0.
        way: The direction: `CLOCKWISE` or `COUNTER_CLOCKWISE`.
        seats: The number of seats.
    """
    return (kahuna - place if way == COUNTER_CLOCKWISE else kahuna + place) % seats


def leave_location(s: RaiateaState) -> None:
    """Finish the location. The next player chooses one, or the round ends."""
    s.kahuna = -1
    s.location = NO_LOCATION
    s.step = 0
    s.turn += 1
    s.phase = END_OF_ROUND if s.turn == s.seats else CHOOSE


def bonus_roll(s: RaiateaState, kahuna: int) -> Flow | NoQuestion:
    """Let the Kahuna roll and reward each seat with at least as many assistants of the location.

    Without any such assistant on the table nobody rolls. Exhausted ones count. A reward may be
    declined: cards of the markets ask by themselves, and nothing speaks against pearls.
    Rule RA-4.3, ruling R18.

    Args:
        s: The state.
        kahuna: The seat of the Kahuna.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    assistant = s.components.bonus_roll[s.location]
    for seat in range(s.seats):
        if s.assistants(seat, assistant):
            return roll_for_bonus(s, kahuna, assistant)
    return NO_QUESTION


def roll_for_bonus(s: RaiateaState, kahuna: int, assistant: int) -> Flow:
    """Roll the die and give out the rewards. Rule RA-4.3.

    Args:
        s: The state.
        kahuna: The seat of the Kahuna.
        assistant: The type of assistant that is rolled for.
    """
    pips: int = yield Draw(DIE, s.components.die)
    if s.events is not None:
        s.emit("bonus_roll", seat=kahuna, pips=pips, assistant=assistant)
    reward = s.components.rewards[assistant]
    for seat in s.clockwise(kahuna):
        # The index of a face is one less than its pips.
        if s.counts_for_roll(seat, assistant) > pips:
            source = ASSISTANT.label(assistant)
            if reward.verb == GAIN_TATTOO and becomes_tahua(s, seat, reward.amount):
                wanted = yield from wants_tattoo(seat, source)
                if not wanted:
                    continue
            yield from carry_out(s, seat, (reward,), source)


def wants_tattoo(seat: int, source: str) -> RequestFlow[bool]:
    """Ask a seat that a tattoo would make Tahua at once, with its present hand.

    Rule RA-4.3, ruling R12.

    Args:
        seat: The seat concerned.
        source: Id of the location.

    Returns:
        Whether the seat takes the tattoo.
    """
    options = [ACCEPT.choice(GIFT_TATTOO), DECLINE.first]
    choice: int = yield Choose(seat, "shaman_tattoo", options, source=source, rule="ranks")
    return choice in ACCEPT


# -- RA-4.1 Forest ---------------------------------------------------------------------------------


def forest_pick(s: RaiateaState, seat: int) -> Flow:
    """Let a seat take a card of the display or decline.

    Before that it may send one gatherer (RA-5.5), which adds a card to the display; after the pick
    it may then take a commodity from it, too.
    Rule RA-4.1, rulings R25, R27 and R103.
    """
    sent = False
    while True:
        options = PICK.all_choices(sorted(set(s.display)))
        if not sent and s.ready[seat][GATHERER] and can_draw_forest(s):
            options.append(GATHER.first)
        if options:
            options.append(DECLINE.first)
        choice = yield from ask_step(s, Choose(seat, "forest_pick", options, rule="forest"))
        if choice in GATHER:
            sent = True
            yield from send_gatherer(s, seat)
        elif choice != FREE_ACTION:
            break
    if choice in PICK:
        yield from take_from_display(s, seat, PICK.part(choice))
        if sent:
            yield from forest_extra(s, seat)
        yield from free_action_window(s, seat)


def send_gatherer(s: RaiateaState, seat: int) -> Flow:
    """Add the top forest card to the display. Rule RA-5.5."""
    s.send(seat, GATHERER)
    if restock_forest(s):
        card: int = yield Draw(REVEAL, s.forest_deck)
        remove_sorted(s.forest_deck, card)
        s.display.append(card)
        s.emit("gathered", seat=seat, forest_card=card)


def take_from_display(s: RaiateaState, seat: int, card: int) -> Flow | NoQuestion:
    """Move a card from the display to a seat. Rule RA-4.10.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The forest card.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    s.display.remove(card)
    return gain_forest_card(s, seat, card)


def forest_extra(s: RaiateaState, seat: int) -> Flow:
    """Let a seat take one commodity of the display in addition to its pick; no price moves.

    Rule RA-5.5.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    options = PICK.all_choices(sorted({card for card in s.display if card < COMMODITIES}))
    if not options:
        return
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, "forest_extra", options, source="gatherer", rule="forest")
    if choice not in DECLINE:
        yield from take_from_display(s, seat, PICK.part(choice))


def new_display(s: RaiateaState, kahuna: int) -> Flow:
    """Move the rest of the display to the markets between the passes and reveal a new one.

    Rule RA-4.1, ruling R27.

    Args:
        s: The state.
        kahuna: The seat of the Kahuna.

    Returns:
        The flow.
    """
    clear_display(s)
    return fill_display(s)


def forest_done(s: RaiateaState, seat: int) -> Flow | NoQuestion:
    """End the forest action for a seat's permanent rituals; the display stays as it is.

    Rules RA-4.1 and RA-6.5, ruling R21.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    return trigger(s, seat, FOREST_DONE) if s.permanents[seat] else NO_QUESTION


# -- RA-4.2 Marae ----------------------------------------------------------------------------------


def marae_turn(s: RaiateaState, seat: int) -> Flow:
    """Let a seat sacrifice for tattoos, then draw rituals.

    The Kahuna may sacrifice one commodity more, for a tattoo and another draw (R12).
    Rule RA-4.2, ruling R13.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    sacrifices = 2 if seat == s.kahuna else 1
    draws = 1
    while True:
        # The next sacrifice is the Kahuna's additional one if the ordinary one is made or would
        # have no effect.
        additional = seat == s.kahuna and (sacrifices == 1 or not can_gain_tattoo(s, seat))
        options: list[int] = []
        left = 1 if additional else sacrifices
        if sacrifices and (can_gain_tattoo(s, seat) or (additional and open_decks(s, seat))):
            options = SACRIFICE.all_choices(s.goods_held(seat))
        if not options:
            left = 0
        if draws:
            options += DRAW.all_choices(open_decks(s, seat))
        if options:
            options.append(DONE.first)
        about = {"n": left, "draws": draws}
        choice = yield from ask_step(s, Choose(seat, "marae", options, rule="marae", placeholders=about))
        if choice in SACRIFICE:
            sacrifices = 0 if additional else sacrifices - 1
            draws += additional
            yield from sacrifice(s, seat, SACRIFICE.part(choice), additional)
        elif choice in DRAW:
            sacrifices = 0
            draws -= 1
            yield from draw_and_keep(s, seat, DRAW.part(choice), kept_at_marae(s, seat))
        elif choice != FREE_ACTION:
            return


def sacrifice(s: RaiateaState, seat: int, commodity: int, additional: bool) -> Flow:
    """Move a commodity to the market, lower its price and give 1 tattoo.

    The Kahuna may leave out the tattoo of the additional sacrifice. The question comes only if the
    tattoo would make the seat Tahua.
    Rule RA-4.2, ruling R12.

    Args:
        s: The state.
        seat: The seat that sacrifices.
        commodity: The type of the card.
        additional: Whether it is the Kahuna's additional sacrifice.

    Returns:
        The flow.
    """
    s.spend_good(seat, commodity)
    s.good_to_market(commodity)
    s.emit("sacrificed", seat=seat, commodity=commodity)
    if additional and becomes_tahua(s, seat, 1):
        wanted = yield from wants_tattoo(seat, LOCATION.label(MARAE))
        if not wanted:
            return
    yield from gain_tattoo(s, seat, 1)


# -- RA-4.4 Reef -----------------------------------------------------------------------------------


def reef_roll(s: RaiateaState, kahuna: int) -> Flow:
    """Roll the die for pearls, separately from the bonus roll. Rule RA-4.4, ruling R19."""
    face: int = yield Draw(DIE, s.components.die)
    s.pips = face + 1
    s.emit("reef_roll", seat=kahuna, pips=face)


def reef_turn(s: RaiateaState, seat: int) -> Flow:
    """Give a seat pearls as rolled, the Kahuna 3 more, and then those of its permanent rituals.

    Rule RA-4.4.
    """
    yield from free_action_window(s, seat)
    take_pearls(s, seat, s.pips + (s.components.kahuna_pearls if seat == s.kahuna else 0))
    if s.permanents[seat]:
        yield from trigger(s, seat, REEF_INCOME)
    yield from free_action_window(s, seat)


# -- RA-4.5 Path of the Gods -----------------------------------------------------------------------


def path_turn(s: RaiateaState, seat: int) -> Flow:
    """Let a seat train up to 2 priests for pearls, the Kahuna one more for nothing.

    Then the seat gets 1 mana per priest, trained or not.
    Rule RA-4.5, ruling R30.
    """
    choice = FREE_ACTION
    # A shaman may fill the track (RA-3.4).
    while choice == FREE_ACTION and seat == s.kahuna and priest_room(s, seat):
        options = [PRIEST.first, DECLINE.first]
        choice = yield from ask_step(s, Choose(seat, "kahuna_priest", options, rule="path"))
    if choice in PRIEST:
        train(s, seat, s.components.kahuna_priests)
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        choice = yield from ask_step(s, training(s, seat))
    if choice in TRAIN and TRAIN.part(choice):
        pay_training(s, seat, TRAIN.part(choice))
        yield from free_action_window(s, seat)
    yield from priest_income(s, seat)
    yield from free_action_window(s, seat)


def training(s: RaiateaState, seat: int, source: str = "") -> Choose:
    """Return the question how many priests to train, without choices if none can be trained.

    Rule RA-4.5.

    Args:
        s: The state.
        seat: The seat concerned.
        source: Id of the card, place or board that asks.
    """
    options = train_options(s, seat)
    return Choose(seat, "train", options if len(options) > 1 else NO_CHOICES, source=source, rule="path")


def train_options(s: RaiateaState, seat: int) -> list[int]:
    """Return the numbers of priests that a seat can pay for and has room for: 0, 1 or 2.

    Rule RA-4.5, rulings R29 and R31.
    """
    pearls = s.pearls[seat]
    room = priest_room(s, seat)
    found = []
    for n, cost in enumerate(s.components.train_cost):
        if cost <= pearls and n <= room:
            found.append(n)
    return TRAIN.all_choices(found)


def pay_training(s: RaiateaState, seat: int, n: int) -> None:
    """Train priests for pearls: 2 for one, 5 for two. Rule RA-4.5, ruling R29.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of priests.
    """
    if n:
        cost = s.components.train_cost[n]
        s.pearls[seat] -= cost
        if s.events is not None:
            s.emit("paid_pearls", seat=seat, n=cost)
        train(s, seat, n)


@FLOWS.of(PATH_ACTION)
def path_action(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow:
    """Carry out the path for one seat, without Kahuna bonus.

    It has no window, because it may be nobody's turn.
    Rule RA-6.2.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to carry out.
        actor: The seat that carries out the effect; `NOBODY` for a general ritual of the blessing.
        source: Id of the card, place or board that asks.
    """
    asked = training(s, seat, source)
    if asked.choices:
        choice: int = yield asked
        pay_training(s, seat, TRAIN.part(choice))
    yield from priest_income(s, seat)


# -- RA-4.6 Neighbourhood --------------------------------------------------------------------------


def enter_neighbourhood(s: RaiateaState) -> None:
    """Set how many tasks each seat may complete: the Kahuna one, others by permanent rituals.

    Nobody has placed a mask.
    Rule RA-4.6.
    """
    s.completions = [s.bonus[seat][NEIGHBOURHOOD_TASK] + (seat == s.kahuna) for seat in range(s.seats)]
    s.placed = [False] * s.seats


def neighbourhood_tasks(s: RaiateaState, seat: int) -> Flow | NoQuestion:
    """Let a seat that may complete tasks do so, before or after the swap.

    Rule RA-4.6, ruling R32.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    return complete_open_tasks(s, seat) if s.completions[seat] else NO_QUESTION


def complete_open_tasks(s: RaiateaState, seat: int) -> Flow:
    """Let a seat complete open tasks until it has none left to complete, can't or declines.

    Rule RA-4.6.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    prompt = "early_task" if s.step == 0 else "late_task"
    while True:
        left = s.completions[seat]
        found = candidates(s, seat) if left else []
        options = BUILD.all_choices(found)
        if left and must_ask(s, seat, found):
            options.append(DECLINE.first)
        choice = yield from ask_step(s, Choose(seat, prompt, options, rule="neighbourhood", placeholders={"n": left}))
        if choice in BUILD:
            s.completions[seat] -= 1
            yield from complete(s, seat, BUILD.part(choice))
        elif choice != FREE_ACTION:
            return


def place_mask(s: RaiateaState, seat: int) -> Flow:
    """Let a seat place one unpaired mask, also a mirror, on the mask market. Rule RA-4.6."""
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        options = PLACE.all_choices(distinct(s.masks[seat]))
        if options:
            options.append(DECLINE.first)
        choice = yield from ask_step(s, Choose(seat, "place_mask", options, rule="neighbourhood"))
    if choice in PLACE:
        lay_on_market(s, seat, PLACE.part(choice))
        yield from free_action_window(s, seat)


def lay_on_market(s: RaiateaState, seat: int, mask: int) -> None:
    """Lay a mask on the mask market.

    Args:
        s: The state.
        seat: The seat concerned.
        mask: The mask.
    """
    s.masks[seat].remove(mask)
    s.mask_market.append(mask)
    s.mask_market.sort()
    s.placed[seat] = True
    s.emit("placed", seat=seat, mask=mask)


def swap_mask(s: RaiateaState, seat: int) -> Flow:
    """Let a seat that placed a mask take one of the market, also its own.

    It brings no treasure.
    Rule RA-4.6, rulings R33 and R34.
    """
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        options = CLAIM.all_choices(distinct(s.mask_market)) if s.placed[seat] else []
        if options:
            options.append(DECLINE.first)
        choice = yield from ask_step(s, Choose(seat, "swap_mask", options, rule="neighbourhood"))
    if choice in CLAIM:
        claim_mask(s, seat, CLAIM.part(choice))
        yield from free_action_window(s, seat)


# -- the steps -------------------------------------------------------------------------------------


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
"""Per location its steps.

Each has its flow and the direction in which the seats act, or once by the Kahuna.
"""
