"""Wutaki for 2 to 4 players: rounds, turns, end.

Rule ids (WU-n.n) and rulings (Rn): see RULES.md.

Setup is in `preparation`. The visits of a worker are in `visits`. The effects of places, cards and
boards are in the chapters tokens, workers, pacts, upgrades, cards and places. They meet in
`effects`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine import Choose, Draw, Flow, insert_sorted, remove_sorted

from . import cards, pacts, places, preparation, tokens, upgrades, workers
from .components import (
    MODIFIER,
    OCCUPIED_FIELD,
    PLAY_OMEN,
    REPEAT_ACTION,
    Action,
    Effect,
)
from .effects import DONE, FLOWS, TESTS, Done, always, is_possible, run_effects
from .kinds import (
    AGAIN_NOW,
    BESIDE,
    CHASE,
    CROWD_IN,
    DRAW_ROUND_CARD,
    FIRST_STANDARD,
    FULFIL,
    IDLE_WORKER,
    LOYAL,
    MOVE_IN_NOW,
    OWN_PLACE,
    PASS,
    PLACE,
    ROUND_PLACE,
    SPECIAL,
    USE,
    VILLAGE,
    VISIT,
    WINNER,
    WORKER,
    WORKER_TYPES,
)
from .scoring import leaders
from .state import (
    BONUS,
    FINAL,
    ROUND_START,
    SECOND,
    TURN,
    WutakiState,
    available,
    clockwise,
    hired_extra,
    lay_out_fields,
    place_of,
    placed_one,
    round_card,
    spot_of,
    take_off,
)
from .visits import action_at, can_visit, crowd_in_options, effects_at, take_free_field, taken_fields, visit_options

CHAPTERS: Final = (tokens, workers, pacts, upgrades, cards, places)
"""The modules that register verbs."""

VISITS: Final = {VISIT.choice(kind, place): (kind, place) for kind in range(WORKER.size) for place in range(PLACE.size)}
"""Per choice of a visit its type of worker and its place, cached because most turns need it."""


# -- WU-3.1 to WU-3.3 Rounds -----------------------------------------------------------------------


def start_round(s: WutakiState) -> Flow:
    """Reveal round cards: those with a chain symbol act and go, the first one without it stays.

    Rules WU-3.1 and WU-3.10, ruling R66.
    """
    if s.events is not None:
        s.emit("round", n=s.round)
    while True:
        if not s.round_deck:
            s.round_deck, s.round_discard = s.round_discard, []
        s.round_card = yield Draw(DRAW_ROUND_CARD, s.round_deck)
        remove_sorted(s.round_deck, s.round_card)
        if s.events is not None:
            s.emit("round_card", round_card=s.round_card)
        if not round_card(s).chain:
            break
        yield from apply_instant(s)
        insert_sorted(s.round_discard, s.round_card)
        s.round_card = -1
    fields = round_card(s).fields
    lay_out_fields(s, ROUND_PLACE, fields[s.seats] if fields else 0)
    if s.ender >= 0:
        begin_last_turns(s, clockwise(s, s.start))
    else:
        start_turn(s, s.start)


def apply_instant(s: WutakiState) -> Flow:
    """Apply a chain card to every player, clockwise from the start player, or to the table.

    Rule WU-3.10.
    """
    printed = round_card(s)
    for seat in clockwise(s, s.start) if printed.for_all else (s.start,):
        yield from run_effects(s, seat, printed.action.effects, must=False)


@FLOWS.of(MODIFIER)
def resolve_modifier(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Change nothing now: a modifier holds while its card is the current one.

    The rules that it concerns look at that card.
    Rule WU-3.11.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    return DONE


TESTS.of(MODIFIER)(always)


def end_round(s: WutakiState) -> None:
    """Move the start marker to its last claimant, return all workers, discard the round card.

    Rules WU-3.3 and WU-10.4.
    """
    if s.claimant >= 0:
        s.start = s.claimant
        s.claimant = -1
        s.emit("start_marker", seat=s.start)
    special = s.components.special_workers
    for seat in range(s.seats):
        s.home[seat] = [s.components.loyal_workers, hired_extra(s, seat), special - s.tower[seat][SPECIAL]]
        s.idle[seat] = [0, 0, 0]
    s.fields = [[-1] * len(fields) for fields in s.fields]
    s.fields[ROUND_PLACE] = []
    s.free = list(map(len, s.fields))
    s.guest = []
    insert_sorted(s.round_discard, s.round_card)
    s.round_card = -1
    most = int(s.options["max_rounds"])
    if most and s.round >= most:
        s.emit("last_round", n=s.round)
        s.phase = FINAL
    else:
        s.round += 1
        s.phase = ROUND_START


# -- WU-3.4 to WU-3.7 Turn -------------------------------------------------------------------------


def start_turn(s: WutakiState, seat: int) -> None:
    """Begin the turn of a seat."""
    s.active = seat
    s.worker = -1
    s.spot = -1
    s.begun = False
    s.phase = TURN


def end_turn(s: WutakiState) -> None:
    """Let the next player clockwise with an available worker take a turn.

    Without one the round ends. If a trigger has happened, only last turns follow: everybody but the
    ender once, from the left neighbor on.
    Rules WU-3.2 and WU-10.2, ruling R28.
    """
    s.worker = -1
    s.spot = -1
    if s.ending:
        next_last_turn(s)
    elif s.ender >= 0:
        begin_last_turns(s, clockwise(s, (s.active + 1) % s.seats))
    else:
        for seat in clockwise(s, (s.active + 1) % s.seats):
            if available(s, seat):
                start_turn(s, seat)
                return
        end_round(s)


def begin_last_turns(s: WutakiState, order: Sequence[int]) -> None:
    """Let everybody but the ender take one more turn. Rule WU-10.2."""
    s.ending = True
    s.last_turns = [seat for seat in order if seat != s.ender]
    next_last_turn(s)


def next_last_turn(s: WutakiState) -> None:
    """Give the next seat with an available worker its last turn; after all come the final points.

    Rule WU-10.2, ruling R70.
    """
    while s.last_turns:
        seat = s.last_turns.pop(0)
        if available(s, seat):
            s.emit("last_turn", seat=seat)
            start_turn(s, seat)
            return
    s.phase = FINAL


def take_turn(s: WutakiState) -> Flow:
    """Place an available worker and carry out the action of the place.

    An ability may be used before. Without a legal visit a worker goes to the idle zone. A last turn
    may be declined as a whole.
    Rules WU-3.4 and WU-3.5, rulings R6 and R75.
    """
    seat = s.active
    choice: int = yield Choose(seat, "turn", turn_options(s, seat), rule="turn")
    alone = choice in VISITS
    if alone or choice in CROWD_IN:
        kind, place = VISITS[choice] if alone else CROWD_IN.parts(choice)
        send_worker(s, seat, kind, place)
        if alone:
            take_free_field(s, seat)
        else:
            s.begun = True
            yield from use_ability(s, seat)  # The ability finds it a field.
        yield from execute(s, seat, visiting=True)
        s.phase = SECOND
        if not second_options(s, seat):
            go_on_with_bonus(s)
    elif choice == PASS:
        s.emit("turn_declined", seat=seat)
        end_turn(s)
    elif choice in USE:
        s.begun = True
        yield from use_ability(s, seat)
        if not available(s, seat):
            go_on_with_bonus(s)
    else:
        stand_idle(s, seat, IDLE_WORKER.part(choice))
        go_on_with_bonus(s)


def send_worker(s: WutakiState, seat: int, kind: int, place: int) -> None:
    """Move an available worker to a place, where `take_free_field` or a question finds it a field.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The type of the worker.
        place: The place.
    """
    s.home[seat][kind] -= 1
    s.worker = kind
    s.spot = spot_of(place, seat)
    if s.events is not None:
        s.emit("visit", seat=seat, worker=kind, place=place)


def turn_options(s: WutakiState, seat: int) -> list[int]:
    """Return legal visits, idling if there is none without crowding in, abilities, and declining.

    Only a last turn can be declined.
    Rule WU-3.5, rulings R6 and R75.
    """
    able = s.ability[seat] >= 0 and not s.ability_used[seat]
    options = visit_options(s, seat)
    alone = bool(options)
    if able and can_use(s, seat, "T1"):
        options += crowd_in_options(s, seat)
    if not alone:
        options += [IDLE_WORKER.choice(kind) for kind, n in enumerate(s.home[seat]) if n]
    if able and can_use(s, seat, "T0"):
        options.append(USE.choice(s.ability[seat]))
    if may_pass(s):
        options.append(PASS)
    return options


def may_pass(s: WutakiState) -> bool:
    """Return whether the seat may decline its turn: only a whole one after the end was reached."""
    return s.ending and not s.begun


def stand_idle(s: WutakiState, seat: int, kind: int) -> None:
    """Put a worker that can visit nothing into the idle zone, without an action.

    Rule WU-3.5, ruling R6.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The type of the worker.
    """
    s.home[seat][kind] -= 1
    s.idle[seat][kind] += 1
    s.emit("idle", seat=seat, worker=kind)


def execute(s: WutakiState, seat: int, *, visiting: bool = False) -> Flow:
    """Carry an action out once: cost, then the effects; after a chase the worker may move in.

    Rule WU-3.6, rulings R11 and R12.

    Args:
        s: The state.
        seat: The visitor.
        visiting: Whether it is the first execution of a visit. Before it, upgrade markers at the
            place bring their owners bonuses.
    """
    place = place_of(s.spot)
    if visiting and FIRST_STANDARD <= place <= VILLAGE and s.markers[place - FIRST_STANDARD]:
        yield from places.pay_marker_bonuses(s, seat, place)
    action = action_at(s, seat, place)
    if not action.cost.is_free:
        yield from tokens.pay_cost(s, seat, action.cost, action.source)
    yield from run_effects(s, seat, effects_at(s, place, action), must=True)
    if s.vacated >= 0:
        yield from offer_to_move_in(s, seat)


def offer_to_move_in(s: WutakiState, seat: int) -> Flow:
    """Let the chasing worker move to the place it has emptied; its own field is free again.

    The move is a visit. It needs a free field there and a possible action, and can't be the place
    of chasing itself.
    Rule WU-4.3, rulings R17 and R18.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    place = s.vacated
    s.vacated = -1
    if place == CHASE or s.spot < 0 or not s.free[place]:
        return
    options = offer(s, seat, MOVE_IN_NOW, action_at(s, seat, place), can_visit(s, seat, place))
    if not options:
        return
    rule = cards.hand_rule(options, "chasing")
    choice: int = yield Choose(seat, "move_in", options, rule=rule, placeholders={"place": place})
    if choice == PASS:
        return
    who = seat * WORKER_TYPES + s.worker
    take_off(s, s.spot, who, sharing=placed_one(s, s.spot, who)[1] > 0)
    s.spot = place
    take_free_field(s, seat)
    s.emit("moved_in", seat=seat, worker=s.worker, place=place)
    yield from execute(s, seat, visiting=True)


def offer(s: WutakiState, seat: int, choice: int, action: Action, possible: bool) -> list[int]:
    """Return the choices if the seat may take an action or not: `[choice, PASS]`, or `[]`.

    The hand is secret, so a seat with cards is asked even if it can play no omen.

    Args:
        s: The state.
        seat: The seat that is offered the action.
        choice: The choice that takes it.
        action: The action.
        possible: Whether it is possible now.
    """
    if possible:
        return [choice, PASS]
    return [PASS] if action.first.verb == PLAY_OMEN and s.omens[seat] else []


def second_options(s: WutakiState, seat: int) -> list[int]:
    """Return the options of a second execution: by the special worker, or by ability.

    There are never more than two executions. The worker must still be on the field.
    Rule WU-3.7.
    """
    if s.spot < 0:
        return []
    if s.worker == SPECIAL:
        choice = AGAIN_NOW
    elif s.ability[seat] >= 0 and can_use(s, seat, "T3"):
        choice = USE.choice(s.ability[seat])
    else:
        return []
    place = place_of(s.spot)
    action = action_at(s, seat, place)
    visitors = place == OWN_PLACE and s.worker != LOYAL
    return offer(s, seat, choice, action, is_possible(s, seat, action, s.omens[seat], visitors))


def act_again(s: WutakiState) -> Flow:
    """Carry out the second execution: costs are due again, choices are free again.

    Rule WU-3.7, ruling R67.
    """
    seat = s.active
    options = second_options(s, seat)
    choice: int = yield Choose(seat, "again", options, rule=cards.hand_rule(options, "special_worker"))
    if choice == AGAIN_NOW:
        yield from execute(s, seat)
    elif choice != PASS:
        yield from use_ability(s, seat)
    go_on_with_bonus(s)


# -- WU-9.5 Abilities ------------------------------------------------------------------------------


def has_ability(s: WutakiState, seat: int) -> bool:
    """Return whether the seat has an ability that isn't used yet."""
    return s.ability[seat] >= 0 and not s.ability_used[seat]


def can_use(s: WutakiState, seat: int, point: str) -> bool:
    """Return whether the seat's ability is unused, meant for this point of the turn, and possible.

    Rule WU-9.5.

    Args:
        s: The state.
        seat: The seat concerned.
        point: The point of the turn.
    """
    if not has_ability(s, seat):
        return False
    printed = s.components.abilities[s.ability[seat]]
    return point in printed.when and is_possible(s, seat, printed.action, s.omens[seat])


def use_ability(s: WutakiState, seat: int) -> Flow:
    """Turn over the marker of the ability and carry out its effect, once a game. Rule WU-9.5."""
    s.ability_used[seat] = True
    s.emit("ability_used", seat=seat, ability=s.ability[seat])
    yield from run_effects(s, seat, s.components.abilities[s.ability[seat]].action.effects, must=True)


@FLOWS.of(REPEAT_ACTION)
def resolve_repeat_action(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Carry out the action of the place again, exactly as a special worker does. Rule WU-9.5.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    yield from execute(s, seat)


@FLOWS.of(OCCUPIED_FIELD)
def resolve_occupied_field(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Put the placed worker on a field with another worker; the player chooses which.

    Rule WU-9.6.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    fields = taken_fields(s, s.spot)
    field = fields[0]
    if len(fields) > 1:
        options = BESIDE.all_choices(fields)
        about = {"place": place_of(s.spot)}
        choice: int = yield Choose(seat, "beside", options, source=effect.source, rule="abilities", placeholders=about)
        field = BESIDE.part(choice)
    s.guest = [s.spot, field, seat * WORKER_TYPES + s.worker]


TESTS.of(REPEAT_ACTION)(always)
TESTS.of(OCCUPIED_FIELD)(always)


# -- WU-3.8 Bonus step -----------------------------------------------------------------------------


def go_on_with_bonus(s: WutakiState) -> None:
    """Continue with the bonus step if there is something to decide; otherwise end the turn."""
    seat = s.active
    if pacts.fulfillable(s, seat, s.omens[seat], 1) or (s.ability[seat] >= 0 and can_use_in_bonus(s, seat)):
        s.phase = BONUS
    else:
        end_turn(s)


def bonus_options(s: WutakiState, seat: int) -> list[int]:
    """Return payable pacts, a usable ability and the end of the turn.

    The result is empty if by public facts alone there is nothing to decide.
    Rule WU-3.8.
    """
    cards = pacts.fulfillable(s, seat, s.omens[seat])
    options = FULFIL.all_choices(cards) if cards else []
    able = s.ability[seat] >= 0
    if able and can_use(s, seat, "T4"):
        options.append(USE.choice(s.ability[seat]))
    if options or (able and can_use_in_bonus(s, seat)):
        options.append(PASS)
    return options


def can_use_in_bonus(s: WutakiState, seat: int) -> bool:
    """Return whether by public knowledge an unused ability may be used.

    An ability that plays omens counts if there are cards in hand.
    Rule WU-3.8.
    """
    if not has_ability(s, seat):
        return False
    printed = s.components.abilities[s.ability[seat]]
    plays_omens = printed.action.first.verb == PLAY_OMEN and s.omens[seat]
    return "T4" in printed.when and bool(plays_omens or can_use(s, seat, "T4"))


def take_bonus(s: WutakiState) -> Flow:
    """Let the seat fulfill any number of pacts one by one, or use an ability, until it stops.

    Rule WU-3.8, ruling R7.

    Args:
        s: The state.

    Returns:
        The flow.
    """
    seat = s.active
    options = bonus_options(s, seat)
    choice: int = yield Choose(seat, "bonus", options, rule=cards.hand_rule(options, "bonus"))
    if choice == PASS:
        end_turn(s)
        return
    if choice in USE:
        yield from use_ability(s, seat)
    else:
        yield from pacts.fulfil(s, seat, FULFIL.part(choice))
    go_on_with_bonus(s)


# -- WU-10.3 Winner --------------------------------------------------------------------------------


def finish(s: WutakiState) -> Flow:
    """End the game; at a full tie the holder of the start marker names the winner.

    The bot that plays for a missing holder names the first of the tied in turn order
    (`evaluate.py`).
    Rule WU-10.3, ruling R29.
    """
    tied = leaders(s)
    if len(tied) > 1:
        options = WINNER.all_choices(tied)
        choice: int = yield Choose(s.start, "winner", options, rule="tie")
        s.winner = WINNER.part(choice)
        s.emit("winner_named", seat=s.start, seat_2=s.winner)
    s.over = True


SEGMENTS: Final = (
    preparation.deal,
    preparation.choose_secret_pacts,
    preparation.pick_masterboard,
    preparation.pick_two_pacts,
    start_round,
    take_turn,
    act_again,
    take_bonus,
    finish,
)
"""By phase the function that plays from one checkpoint to the next."""
