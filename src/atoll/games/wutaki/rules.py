"""Wutaki for 2 to 4 players, in the order of the rulebook: setup, rounds, turns, end. § names the rulebook's heading.

What places, cards and boards do is in the chapters tokens, workers, pacts, upgrades, cards, places; they meet in verbs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from atoll.engine import Asking, Choose, Draw, Flow, Kind, Sealed, find_start_player, only, pick_set, put

from . import cards, pacts, places, tokens, upgrades, workers
from .components import (
    BOARDS,
    DRAW_VENGEANCE,
    MODIFIER,
    OCCUPIED_FIELD,
    PLAY_OMEN,
    REPEAT_ACTION,
    Action,
    Board,
    Box,
    Effect,
)
from .kinds import (
    ACCEPT,
    AGAIN_NOW,
    BESIDE,
    CHASE,
    CROWD_IN,
    DEAL_ABILITY,
    DEAL_COST_MARKER,
    DEAL_ELEMENT,
    DRAW_ROUND_CARD,
    FIRST_STANDARD,
    FULFIL,
    IDLE_WORKER,
    KEEP,
    LOYAL,
    MOVE_IN_NOW,
    OWN_PLACE,
    PASS,
    PLACES,
    RESOURCES,
    ROUND_PLACE,
    SPECIAL,
    STANDARD_PLACES,
    START,
    TAKE_BOARD,
    USE,
    VILLAGE,
    VISIT,
    WINNER,
)
from .scoring import leaders
from .state import (
    BONUS,
    DEAL,
    FINAL,
    MASTERBOARDS,
    PACTS,
    ROUND_START,
    SECOND,
    SECRET_PACTS,
    SPOTS,
    TURN,
    WutakiState,
    available,
    board,
    clockwise,
    hired_extra,
    masterboard,
    place_of,
    round_card,
    secret,
    spot_of,
    take_off,
)
from .verbs import DONE, FLOWS, TESTS, Done, VerbTest, always, is_possible, priced, run_effects

CHAPTERS: Final = (tokens, workers, pacts, upgrades, cards, places)
"""Where the verbs are. Each chapter registers its own."""


def play(s: WutakiState) -> Flow:
    """Play from one checkpoint to the next."""
    return _SEGMENTS[s.phase](s)


# -- § Spielaufbau ----------------------------------------------------------------------------------------------------


def setup(box: Box, options: Mapping[str, Any], seats: int) -> WutakiState:
    """§ Spielaufbau. The table before anything is dealt.

    On the extreme board the first extra worker of each player stays in the box.
    """
    side = BOARDS.index(options["board"])
    printed = box.boards[side]
    supply = [total - seats * each for total, each in zip(box.tokens, box.start_stock, strict=True)]
    fields = [[-1] * place.fields[seats] for place in printed.places]
    fields += [[] for _ in range(SPOTS - len(fields))]
    return WutakiState(
        seats=seats,
        over=False,
        side=side,
        phase=DEAL,
        round=1,
        active=0,
        start=0,
        claimant=-1,
        vp=[box.start_vp] * seats,
        stock=[list(box.start_stock) for _ in range(seats)],
        supply=supply,
        maw=[0] * len(RESOURCES),
        sacrificed=[0] * len(RESOURCES),
        cost_marker=[-1] * seats,
        cost_marker_pool=list(range(len(box.cost_markers))),
        masterboard=[-1] * seats,
        boards_left=[],
        track=[0] * seats,
        multiplier=[0] * seats,
        ability=[-1] * seats,
        ability_used=[False] * seats,
        ability_pool=list(range(len(box.abilities))),
        home=[[box.loyal_workers, 0, 0] for _ in range(seats)],
        tower=[[0, printed.extra_workers, box.special_workers] for _ in range(seats)],
        idle=[[0, 0, 0] for _ in range(seats)],
        fields=fields,
        guest=[],
        worker=-1,
        spot=-1,
        vacated=-1,
        begun=False,
        markers=[[] for _ in STANDARD_PLACES],
        upgrade_markers=[box.upgrade_markers] * seats,
        pyramid=[0] * seats,
        built=[[-1, -1] for _ in range(seats)],
        tower_left=list(range(len(box.tower_upgrades))),
        counter=0,
        display=[-1] * len(printed.slot_gold),
        pacts=[[] for _ in range(seats)],
        fulfilled=[[] for _ in range(seats)],
        pact_deck=list(range(len(box.pacts))),
        pact_discard=[],
        element=[-1] * seats,
        element_pool=list(range(len(box.elements))),
        secret_pacts=[[] for _ in range(seats)],
        secret_pact_deck=list(range(len(box.secret_pacts))),
        rejected=[[] for _ in range(seats)],
        omens=[[] for _ in range(seats)],
        omen_deck=[card for card, omen in enumerate(box.omens) for _ in range(omen.copies)],
        omen_discard=[],
        playing=[],
        permanent=[-1] * seats,
        vengeance=[[] for _ in range(seats)],
        vengeance_known=[[] for _ in range(seats)],
        vengeance_deck=list(range(len(box.vengeance))),
        returned=[[] for _ in range(seats)],
        round_card=-1,
        round_deck=list(range(len(box.round_cards))),
        round_discard=[],
        ender=-1,
        ended_by_pyramid=False,
        ending=False,
        last_turns=[],
        winner=-1,
    )


def deal(s: WutakiState) -> Flow:
    """§ Elementkarten, Geheimpaktkarten. Everybody gets an element and two secret pacts, face down."""
    for seat in range(s.seats):
        card: int = yield Draw(DEAL_ELEMENT, s.element_pool, audience=only(seat))
        s.element_pool.remove(card)
        s.element[seat] = card
        s.tell("element_dealt", seat=seat, element_card=secret(card, seat))
    for seat in range(s.seats):
        for _ in range(2):
            yield from cards.draw_secret_pact(s, seat)
    s.phase = SECRET_PACTS


def choose_secret_pacts(s: WutakiState) -> Flow:
    """§ Geheimpaktkarten. All keep one of two, in secret; the others go back once everybody has chosen.

    Then cost markers (open), two omens each, and the start player.
    """
    kept: list[Any] = yield Sealed(range(s.seats), lambda seat: keep_one(s, seat))
    for seat in range(s.seats):
        for card in s.secret_pacts[seat]:
            if card != kept[seat]:
                put(s.secret_pact_deck, card)
                s.rejected[seat] = [card]
        s.secret_pacts[seat] = [kept[seat]]
        s.tell("secret_pact_kept", seat=seat, secret_pact=secret(kept[seat], seat))
    yield from deal_cost_markers(s)
    for seat in range(s.seats):
        yield from cards.draw_omens(s, seat, 2)
    yield from give_start_marker(s)
    yield from hand_out_masterboards(s)


def keep_one(s: WutakiState, seat: int) -> Asking[int]:
    """One of the two secret pacts dealt to the seat."""
    options = KEEP.each(s.secret_pacts[seat])
    choice: int = yield Choose(seat, "keep_secret_pact", options, rule="secret_pacts", audience=only(seat))
    return KEEP.of(choice)


def deal_cost_markers(s: WutakiState) -> Flow:
    """§ Kostenmarker. Everybody gets one at random, open."""
    for seat in range(s.seats):
        marker: int = yield Draw(DEAL_COST_MARKER, s.cost_marker_pool)
        s.cost_marker_pool.remove(marker)
        s.cost_marker[seat] = s.box.cost_markers[marker]
        s.tell("cost_marker_dealt", seat=seat, cost_marker=marker)


def give_start_marker(s: WutakiState) -> Flow:
    """§ Startspieler. Random, or the first seat (R1)."""
    s.start = yield from find_start_player(s, START)
    s.active = s.start
    s.tell("starts", seat=s.start)


def hand_out_masterboards(s: WutakiState) -> Flow:
    """§ Masterboards. Symmetric: the same side A for all. Asymmetric: all pick a side B, the start player first."""
    faces = s.box.masterboards
    if s.options["masterboards"] == "symmetric":
        s.masterboard = [next(index for index, face in enumerate(faces) if face.side == "a")] * s.seats
        yield from lay_out_pacts(s)
    else:
        s.boards_left = [index for index, face in enumerate(faces) if face.side == "b"]
        s.phase = MASTERBOARDS


def pick_masterboard(s: WutakiState) -> Flow:
    """§ Masterboards, asymmetric. Pick one of the faces that are left."""
    seat = s.active
    choice: int = yield Choose(seat, "masterboard", TAKE_BOARD.each(s.boards_left), rule="masterboards")
    face = TAKE_BOARD.of(choice)
    s.boards_left.remove(face)
    s.masterboard[seat] = face
    s.fields[OWN_PLACE + seat] = [-1] * masterboard(s, seat).fields[s.seats]
    s.tell("masterboard_taken", seat=seat, masterboard=face)
    s.active = (seat + 1) % s.seats
    if s.active == s.start:
        s.boards_left = []
        yield from lay_out_pacts(s)


def lay_out_pacts(s: WutakiState) -> Flow:
    """§ Fähigkeiten (player boards b): one each at random, open (R3). § Pakte: four open pacts."""
    if s.options["player_boards"] == "b":
        for seat in range(s.seats):
            ability: int = yield Draw(DEAL_ABILITY, s.ability_pool)
            s.ability_pool.remove(ability)
            s.ability[seat] = ability
            s.tell("ability_dealt", seat=seat, ability=ability)
    yield from pacts.refill(s)
    s.phase = PACTS


def pick_two_pacts(s: WutakiState) -> Flow:
    """§ Pakte. Take two of the same four open pacts, without slot gold (R4); then the display is filled again."""
    seat = s.active
    open_pacts = ACCEPT.each(sorted(card for card in s.display if card >= 0))
    picked: list[int] = yield from pick_set(seat, "first_pacts", open_pacts, 2, 2, rule="accept_pact")
    for choice in picked:
        card = ACCEPT.of(choice)
        pacts.take_from_display(s, card)
        put(s.pacts[seat], card)
        s.tell("pact_accepted", seat=seat, pact=card)
    yield from pacts.refill(s)
    s.active = (seat + 1) % s.seats
    if s.active == s.start:
        s.phase = ROUND_START


# -- § Spielablauf: the round -----------------------------------------------------------------------------------------


def start_round(s: WutakiState) -> Flow:
    """§ Rundenkarten. Reveal round cards: those with a chain symbol act and go, the first one without it stays."""
    s.tell("round", n=s.round)
    while True:
        if not s.round_deck:
            s.round_deck, s.round_discard = s.round_discard, []
        s.round_card = yield Draw(DRAW_ROUND_CARD, s.round_deck)
        s.round_deck.remove(s.round_card)
        s.tell("round_card", round_card=s.round_card)
        if not round_card(s).chain:
            break
        yield from apply_instant(s)
        put(s.round_discard, s.round_card)
        s.round_card = -1
    fields = round_card(s).fields
    s.fields[ROUND_PLACE] = [-1] * (fields[s.seats] if fields else 0)
    if s.ender >= 0:
        begin_last_turns(s, clockwise(s, s.start))
    else:
        start_turn(s, s.start)


def apply_instant(s: WutakiState) -> Flow:
    """A chain card acts on every player, clockwise from the start player, or on the table."""
    printed = round_card(s)
    for seat in clockwise(s, s.start) if printed.for_all else (s.start,):
        yield from run_effects(s, seat, printed.action.effects, must=False)


@FLOWS.of(MODIFIER)
def resolve_modifier(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """§ Round modifiers. They hold while the card is the current one; whoever they concern looks at that card."""
    return DONE


TESTS.of(MODIFIER)(always)


def end_round(s: WutakiState) -> None:
    """§ Rundenende. The start marker moves to its last claimant, all workers come home, the round card is discarded."""
    if s.claimant >= 0:
        s.start = s.claimant
        s.claimant = -1
        s.tell("start_marker", seat=s.start)
    special = s.box.special_workers
    for seat in range(s.seats):
        s.home[seat] = [s.box.loyal_workers, hired_extra(s, seat), special - s.tower[seat][SPECIAL]]
        s.idle[seat] = [0, 0, 0]
    s.fields = [[-1] * len(fields) for fields in s.fields]
    s.fields[ROUND_PLACE] = []
    s.guest = []
    put(s.round_discard, s.round_card)
    s.round_card = -1
    most = s.options["max_rounds"]
    if most and s.round >= most:
        s.tell("last_round", n=s.round)
        s.phase = FINAL
    else:
        s.round += 1
        s.phase = ROUND_START


# -- § Spielablauf: the turn ------------------------------------------------------------------------------------------


def start_turn(s: WutakiState, seat: int) -> None:
    """It's the seat's turn."""
    s.active = seat
    s.worker = -1
    s.spot = -1
    s.begun = False
    s.phase = TURN


def end_turn(s: WutakiState) -> None:
    """§ Spielablauf. The next player clockwise with an available worker; without one the round ends.

    If a trigger has happened, only last turns follow: everybody but the ender once, from the left neighbour on (R28).
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
    """§ Endbedingungen. Everybody but the ender may take one more turn."""
    s.ending = True
    s.last_turns = [seat for seat in order if seat != s.ender]
    next_last_turn(s)


def next_last_turn(s: WutakiState) -> None:
    """The next one who has an available worker when visited; after the last one comes the final scoring."""
    while s.last_turns:
        seat = s.last_turns.pop(0)
        if available(s, seat):
            s.tell("last_turn", seat=seat)
            start_turn(s, seat)
            return
    s.phase = FINAL


def take_turn(s: WutakiState) -> Flow:
    """§ Arbeiter einsetzen. Place an available worker and carry the place's action out; an ability may be used before.

    Without a legal visit a worker goes to the idle zone (R6). A last turn may be declined as a whole (R75).
    """
    seat = s.active
    choice: int = yield Choose(seat, "turn", turn_options(s, seat), rule="turn")
    alone = choice in VISIT
    if alone or choice in CROWD_IN:
        send_worker(s, seat, *(VISIT if alone else CROWD_IN).parts(choice))
        if alone:
            take_free_field(s, seat)
        else:
            yield from use_ability(s, seat)  # which finds it a field
        yield from execute(s, seat, visiting=True)
        s.phase = SECOND
        if not second_options(s, seat):
            go_on_with_bonus(s)
    elif choice == PASS:
        s.tell("turn_declined", seat=seat)
        end_turn(s)
    elif choice in USE:
        s.begun = True
        yield from use_ability(s, seat)
        if not available(s, seat):
            go_on_with_bonus(s)
    else:
        stand_idle(s, seat, IDLE_WORKER.of(choice))
        go_on_with_bonus(s)


def send_worker(s: WutakiState, seat: int, kind: int, place: int) -> None:
    """An available worker goes to a place, where a field must be found for it."""
    s.home[seat][kind] -= 1
    s.worker = kind
    s.spot = spot_of(place, seat)
    if s.told is not None:
        s.tell("visit", seat=seat, worker=kind, place=place)


def turn_options(s: WutakiState, seat: int) -> list[int]:
    """Legal visits; idling if there's none without crowding in; abilities; in a last turn declining it."""
    able = has_ability(s, seat)
    visits = _by_worker(s, seat, VISIT, legal_places(s, seat), free=True)
    options = visits[:] if able else visits
    if able and can_use(s, seat, "T1"):
        options += _by_worker(s, seat, CROWD_IN, crowded_places(s, seat), free=False)
    if not visits:
        options += [IDLE_WORKER.at(kind) for kind, n in enumerate(s.home[seat]) if n]
    if able and can_use(s, seat, "T0"):
        options.append(USE.at(s.ability[seat]))
    if s.ending and not s.begun:
        options.append(PASS)
    return options


def legal_places(s: WutakiState, seat: int) -> list[int]:
    """§ Legal visit. Places open to all that have a free field and a possible action (R10)."""
    fields, hand = s.fields, s.omens[seat]
    supply = [*s.supply, 1]  # the last is for places that need nothing
    found = []
    for place, kind, would, effect in place_tests(s.box.boards[s.side]):
        if -1 in fields[place] and (supply[kind] if would is None else would(s, seat, effect, hand)):
            found.append(place)
    if -1 in fields[ROUND_PLACE] and is_possible(s, seat, s.box.in_round[s.round_card].action, hand):
        found.append(ROUND_PLACE)
    return found


@cache
def place_tests(printed: Board) -> tuple[tuple[int, int, VerbTest | None, Effect], ...]:
    """The places of the main board, each with the test whether its action is possible and the effect it looks at.

    Without a test comes a place that yields tokens, with their kind: what `would_yield` says, but five calls less in
    the hottest loop. And a place whose action is always possible, with the kind after the last.
    """
    tests: list[tuple[int, int, VerbTest | None, Effect]] = []
    for index, place in enumerate(printed.places):
        would = test_of(place.action)
        kind = place.kind if place.kind >= 0 else len(RESOURCES)
        tests.append((index, kind, None if place.kind >= 0 or would is always else would, place.action.first))
    return tuple(tests)


def test_of(action: Action) -> VerbTest:
    """The test whether an action is possible: `always`, that of its first effect, or with its price."""
    if is_always_possible(action):
        return always
    return TESTS[action.first.verb] if action.cost.is_free else priced(action)


def is_always_possible(action: Action) -> bool:
    """Whether there's nothing to test: no cost, and an effect, or one of those to choose from, that always acts."""
    first = action.first
    return action.cost.is_free and (TESTS[first.verb] is always or any(map(is_always_possible, first.options)))


def crowded_places(s: WutakiState, seat: int) -> list[int]:
    """The same for crowding in: places with a field on which one worker stands."""
    hand = s.omens[seat]
    taken = [place for place in range(ROUND_PLACE + 1) if taken_fields(s, place)]
    return [place for place in taken if is_possible(s, seat, action_at(s, seat, place), hand)]


def _by_worker(s: WutakiState, seat: int, kind: Kind, legal: Sequence[int], *, free: bool) -> list[int]:
    """The legal places for each type of worker at home; the own masterboard's place may not do for each (R73)."""
    options: list[int] = []
    own = OWN_PLACE + seat
    own_open = s.fields[own] and (-1 in s.fields[own] if free else taken_fields(s, own))
    for worker, n in enumerate(s.home[seat]):
        if n:
            first = kind.first + worker * len(PLACES)  # the hottest loop of all, where `at` can be felt
            for place in legal:
                options.append(first + place)  # noqa: PERF401 - a comprehension is a call more
            if own_open and is_possible(s, seat, action_at(s, seat, OWN_PLACE), s.omens[seat], worker != LOYAL):
                options.append(first + OWN_PLACE)
    return options


def taken_fields(s: WutakiState, spot: int) -> list[int]:
    """The fields with one worker, the leftmost for each different worker: nothing else tells fields apart."""
    fields = s.fields[spot]
    shared = s.guest[1] if s.guest[:1] == [spot] else -1
    seen: list[int] = []
    found = []
    for field, who in enumerate(fields):
        if who >= 0 and who not in seen and field != shared:
            seen.append(who)
            found.append(field)
    return found


def action_at(s: WutakiState, seat: int, place: int) -> Action:
    """The action of a place as it is for a seat now."""
    if place < ROUND_PLACE:
        return board(s).places[place].action
    if place == ROUND_PLACE:
        return round_card(s).action
    own = masterboard(s, seat).own_place
    assert own is not None
    return own


def effects_at(s: WutakiState, place: int, action: Action) -> Sequence[Effect]:
    """What an execution does: where the round card says so, the place's own vengeance card isn't drawn."""
    if place < ROUND_PLACE and s.box.in_round[s.round_card].quiet[place]:
        return [effect for effect in action.effects if effect.verb != DRAW_VENGEANCE]
    return action.effects


def take_free_field(s: WutakiState, seat: int) -> None:
    """The placed worker takes the leftmost free field of its place."""
    fields = s.fields[s.spot]
    fields[fields.index(-1)] = seat * 3 + s.worker


def stand_idle(s: WutakiState, seat: int, kind: int) -> None:
    """A worker that can visit nothing goes to the idle zone, without an action (R6)."""
    s.home[seat][kind] -= 1
    s.idle[seat][kind] += 1
    s.tell("idle", seat=seat, worker=kind)


def execute(s: WutakiState, seat: int, *, visiting: bool = False) -> Flow:
    """One execution: cost, then the effects; after a chase the worker may move in.

    visiting: it's the first one. After it, once a visit, upgrade markers at the place bring their owners bonuses (R11).
    """
    place = place_of(s.spot)
    action = action_at(s, seat, place)
    if not action.cost.is_free:
        yield from tokens.pay_cost(s, seat, action.cost, action.source)
    yield from run_effects(s, seat, effects_at(s, place, action), must=True)
    if s.vacated >= 0:
        yield from offer_to_move_in(s, seat)
    if visiting and FIRST_STANDARD <= place <= VILLAGE and s.markers[place - FIRST_STANDARD]:
        yield from places.pay_marker_bonuses(s, seat, place)


def offer_to_move_in(s: WutakiState, seat: int) -> Flow:
    """§ Verjagen. The chasing worker may move to the place it has emptied: a visit. Its own field is free again.

    It needs a free field there and a possible action, and can't be the place of chasing itself (R17).
    """
    place = s.vacated
    s.vacated = -1
    if place == CHASE or s.spot < 0 or -1 not in s.fields[place]:
        return
    options = offer(s, seat, MOVE_IN_NOW, action_at(s, seat, place), 0)
    if not options:
        return
    rule = cards.hand_rule(options, "chasing")
    choice: int = yield Choose(seat, "move_in", options, rule=rule, about={"place": place})
    if choice == PASS:
        return
    who = seat * 3 + s.worker
    take_off(s, s.spot, who)
    s.spot = place
    take_free_field(s, seat)
    s.tell("moved_in", seat=seat, worker=s.worker, place=place)
    yield from execute(s, seat, visiting=True)


def offer(s: WutakiState, seat: int, choice: int, action: Action, visitors: int) -> list[int]:
    """The options where the seat may take an action or not: [choice, PASS], or [] where it can't.

    Whether an omen can be played is the seat's secret: with cards in hand it's asked anyway.
    """
    if is_possible(s, seat, action, s.omens[seat], visitors):
        return [choice, PASS]
    return [PASS] if action.first.verb == PLAY_OMEN and s.omens[seat] else []


def second_options(s: WutakiState, seat: int) -> list[int]:
    """§ Sonderarbeiter. Once more for the special worker, or by ability for any other; never more than twice.

    The worker must still stand on the field.
    """
    if s.spot < 0:
        return []
    if s.worker == SPECIAL:
        choice = AGAIN_NOW
    elif s.ability[seat] >= 0 and can_use(s, seat, "T3"):
        choice = USE.at(s.ability[seat])
    else:
        return []
    place = place_of(s.spot)
    return offer(s, seat, choice, action_at(s, seat, place), place == OWN_PLACE and s.worker != LOYAL)


def act_again(s: WutakiState) -> Flow:
    """§ Sonderarbeiter. The second execution is separate: costs are due anew, choices are free again."""
    seat = s.active
    options = second_options(s, seat)
    choice: int = yield Choose(seat, "again", options, rule=cards.hand_rule(options, "special_worker"))
    if choice == AGAIN_NOW:
        yield from execute(s, seat)
    elif choice != PASS:
        yield from use_ability(s, seat)
    go_on_with_bonus(s)


# -- § Fähigkeiten ----------------------------------------------------------------------------------------------------


def has_ability(s: WutakiState, seat: int) -> bool:
    """Whether the seat has an ability that isn't used yet."""
    return s.ability[seat] >= 0 and not s.ability_used[seat]


def can_use(s: WutakiState, seat: int, point: str) -> bool:
    """Whether the seat's ability is unused, meant for this point of the turn, and possible."""
    if not has_ability(s, seat):
        return False
    printed = s.box.abilities[s.ability[seat]]
    return point in printed.when and is_possible(s, seat, printed.action, s.omens[seat])


def use_ability(s: WutakiState, seat: int) -> Flow:
    """§ B Seite. Once a game: the marker is turned over, the effect carried out."""
    s.ability_used[seat] = True
    s.tell("ability_used", seat=seat, ability=s.ability[seat])
    yield from run_effects(s, seat, s.box.abilities[s.ability[seat]].action.effects, must=True)


@FLOWS.of(REPEAT_ACTION)
def resolve_repeat_action(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Carry the action of the place out again, exactly as a special worker does."""
    yield from execute(s, seat)


@FLOWS.of(OCCUPIED_FIELD)
def resolve_occupied_field(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """The placed worker stands on a field beside another worker; the player chooses beside whom."""
    fields = taken_fields(s, s.spot)
    field = fields[0]
    if len(fields) > 1:
        options = BESIDE.each(fields)
        choice: int = yield Choose(seat, "beside", options, source=effect.source, rule="abilities")
        field = BESIDE.of(choice)
    s.guest = [s.spot, field, seat * 3 + s.worker]


TESTS.of(REPEAT_ACTION)(always)
TESTS.of(OCCUPIED_FIELD)(always)


# -- § Pakte erfüllen: the bonus step ---------------------------------------------------------------------------------


def go_on_with_bonus(s: WutakiState) -> None:
    """The bonus step follows as long as there's something to decide; else the turn ends."""
    if bonus_options(s, s.active):
        s.phase = BONUS
    else:
        end_turn(s)


def bonus_options(s: WutakiState, seat: int) -> list[int]:
    """Payable pacts, a usable ability, or the end of the turn; [] where public facts alone leave nothing to decide."""
    cards = pacts.fulfillable(s, seat, s.omens[seat])
    options = FULFIL.each(cards) if cards else []
    if s.ability[seat] >= 0 and not s.ability_used[seat]:
        if can_use(s, seat, "T4"):
            options.append(USE.at(s.ability[seat]))
        elif not options and not _omens_by_ability(s, seat):
            return []
    elif not options:
        return options
    options.append(PASS)
    return options


def _omens_by_ability(s: WutakiState, seat: int) -> bool:
    """An unused ability to play omens, and cards in hand: whether one can be played is a secret, so it's asked."""
    printed = s.box.abilities[s.ability[seat]]
    return bool(s.omens[seat]) and "T4" in printed.when and printed.action.first.verb == PLAY_OMEN


def take_bonus(s: WutakiState) -> Flow:
    """§ Pakte erfüllen (Bonusaktion). Any number, one after the other (R7), or an ability, until the seat stops."""
    seat = s.active
    options = bonus_options(s, seat)
    choice: int = yield Choose(seat, "bonus", options, rule=cards.hand_rule(options, "bonus"))
    if choice == PASS:
        end_turn(s)
        return
    if choice in USE:
        yield from use_ability(s, seat)
    else:
        yield from pacts.fulfil(s, seat, FULFIL.of(choice))
    go_on_with_bonus(s)


# -- § Ermittlung des Gewinners ---------------------------------------------------------------------------------------


def finish(s: WutakiState) -> Flow:
    """§ Endwertung. If points, tokens and upgrades are equal, the holder of the start marker names the winner (R29).

    Who plays for a missing holder names the first of them in turn order (`evaluate.py`).
    """
    tied = leaders(s)
    if len(tied) > 1:
        options = WINNER.each(tied)
        choice: int = yield Choose(s.start, "winner", options, rule="tie")
        s.winner = WINNER.of(choice)
        s.tell("winner_named", seat=s.start, seat_2=s.winner)
    s.over = True


_SEGMENTS = (
    deal,
    choose_secret_pacts,
    pick_masterboard,
    pick_two_pacts,
    start_round,
    take_turn,
    act_again,
    take_bonus,
    finish,
)
