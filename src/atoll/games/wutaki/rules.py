"""Wutaki for 2 to 4 players, in the order of the rulebook: setup, rounds, turns, end. § names the rulebook's heading.

What places, cards and boards do is in the chapters tokens, workers, pacts, upgrades, cards, places; they meet in verbs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from atoll.engine import Asking, Choose, Draw, Flow, Sealed, only, put

from . import cards, pacts, places, tokens, upgrades, workers
from .components import (
    BOARDS,
    DRAW_VENGEANCE,
    MODIFIER,
    OCCUPIED_FIELD,
    PLAY_OMEN,
    REPEAT_ACTION,
    YIELD,
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
    DEAL_ABILITY,
    DEAL_COST_MARKER,
    DEAL_ELEMENT,
    DRAW_ROUND_CARD,
    FIRST_CROWD_IN,
    FIRST_FULFIL,
    FIRST_IDLE,
    FIRST_STANDARD,
    FIRST_VISIT,
    KEEP,
    LOYAL,
    MOVE_IN_NOW,
    NUMBER_OF_PLACES,
    OWN_PLACE,
    PASS,
    RESOURCES,
    ROUND_PLACE,
    SPECIAL,
    STANDARD_PLACES,
    START,
    TAKE_BOARD,
    USE,
    VILLAGE,
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
from .verbs import TESTS, Rest, VerbTest, always, flow, is_possible, priced, run_effects, test

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
    for p in range(s.seats):
        card: int = yield Draw(DEAL_ELEMENT, s.element_pool, audience=only(p))
        s.element_pool.remove(card)
        s.element[p] = card
        s.tell("element_dealt", seat=p, element_card=secret(card, p))
    for p in range(s.seats):
        for _ in range(2):
            yield from cards.draw_secret_pact(s, p)
    s.phase = SECRET_PACTS


def choose_secret_pacts(s: WutakiState) -> Flow:
    """§ Geheimpaktkarten. All keep one of two, in secret; the others go back once everybody has chosen.

    Then cost markers (open), two omens each, and the start player.
    """
    kept: list[Any] = yield Sealed(range(s.seats), lambda p: keep_one(s, p))
    for p in range(s.seats):
        for card in s.secret_pacts[p]:
            if card != kept[p]:
                put(s.secret_pact_deck, card)
                s.rejected[p] = [card]
        s.secret_pacts[p] = [kept[p]]
        s.tell("secret_pact_kept", seat=p, secret_pact=secret(kept[p], p))
    yield from deal_cost_markers(s)
    for p in range(s.seats):
        yield from cards.draw_omens(s, p, 2)
    yield from find_start_player(s)
    yield from hand_out_masterboards(s)


def keep_one(s: WutakiState, p: int) -> Asking[int]:
    """One of the two secret pacts dealt to the seat."""
    options = [KEEP.first + card for card in s.secret_pacts[p]]
    choice: int = yield Choose(p, "keep_secret_pact", options, rule="secret_pacts", audience=only(p))
    return choice - KEEP.first


def deal_cost_markers(s: WutakiState) -> Flow:
    """§ Kostenmarker. Everybody gets one at random, open."""
    for p in range(s.seats):
        marker: int = yield Draw(DEAL_COST_MARKER, s.cost_marker_pool)
        s.cost_marker_pool.remove(marker)
        s.cost_marker[p] = s.box.cost_markers[marker]
        s.tell("cost_marker_dealt", seat=p, cost_marker=marker)


def find_start_player(s: WutakiState) -> Flow:
    """§ Startspieler. Random, or the first seat (R1)."""
    if s.options["start_player"] == "random":
        s.start = yield Draw(START, range(s.seats))
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
    p = s.active
    choice: int = yield Choose(
        p, "masterboard", [TAKE_BOARD.first + face for face in s.boards_left], rule="masterboards"
    )
    face = choice - TAKE_BOARD.first
    s.boards_left.remove(face)
    s.masterboard[p] = face
    s.fields[OWN_PLACE + p] = [-1] * masterboard(s, p).fields[s.seats]
    s.tell("masterboard_taken", seat=p, masterboard=face)
    s.active = (p + 1) % s.seats
    if s.active == s.start:
        s.boards_left = []
        yield from lay_out_pacts(s)


def lay_out_pacts(s: WutakiState) -> Flow:
    """§ Fähigkeiten (player boards b): one each at random, open (R3). § Pakte: four open pacts."""
    if s.options["player_boards"] == "b":
        for p in range(s.seats):
            ability: int = yield Draw(DEAL_ABILITY, s.ability_pool)
            s.ability_pool.remove(ability)
            s.ability[p] = ability
            s.tell("ability_dealt", seat=p, ability=ability)
    yield from pacts.refill(s)
    s.phase = PACTS


def pick_two_pacts(s: WutakiState) -> Flow:
    """§ Pakte. Take two of the same four open pacts, without slot gold (R4); then the display is filled again."""
    p = s.active
    least = 0
    for number in range(2):
        open_pacts = sorted(card for card in s.display if card >= least)
        options = [ACCEPT.first + card for card in open_pacts[: len(open_pacts) - 1 + number]]
        choice: int = yield Choose(p, "first_pacts", options, rule="accept_pact")
        card = choice - ACCEPT.first
        pacts.take_from_display(s, card)
        put(s.pacts[p], card)
        s.tell("pact_accepted", seat=p, pact=card)
        least = card
    yield from pacts.refill(s)
    s.active = (p + 1) % s.seats
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
    for p in clockwise(s, s.start) if printed.for_all else (s.start,):
        yield from run_effects(s, p, printed.action.effects, must=False)


@flow(MODIFIER)
def resolve_modifier(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """§ Round modifiers. They hold while the card is the current one; whoever they concern looks at that card."""
    return ()


test(MODIFIER)(always)


def end_round(s: WutakiState) -> None:
    """§ Rundenende. The start marker moves to its last claimant, all workers come home, the round card is discarded."""
    if s.claimant >= 0:
        s.start = s.claimant
        s.claimant = -1
        s.tell("start_marker", seat=s.start)
    special = s.box.special_workers
    for p in range(s.seats):
        s.home[p] = [s.box.loyal_workers, hired_extra(s, p), special - s.tower[p][SPECIAL]]
        s.idle[p] = [0, 0, 0]
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


def start_turn(s: WutakiState, p: int) -> None:
    """It's the seat's turn."""
    s.active = p
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
        for p in clockwise(s, (s.active + 1) % s.seats):
            if available(s, p):
                start_turn(s, p)
                return
        end_round(s)


def begin_last_turns(s: WutakiState, order: Sequence[int]) -> None:
    """§ Endbedingungen. Everybody but the ender may take one more turn."""
    s.ending = True
    s.last_turns = [p for p in order if p != s.ender]
    next_last_turn(s)


def next_last_turn(s: WutakiState) -> None:
    """The next one who has an available worker when visited; after the last one comes the final scoring."""
    while s.last_turns:
        p = s.last_turns.pop(0)
        if available(s, p):
            s.tell("last_turn", seat=p)
            start_turn(s, p)
            return
    s.phase = FINAL


def take_turn(s: WutakiState) -> Flow:
    """§ Arbeiter einsetzen. Place an available worker and carry the place's action out; an ability may be used before.

    Without a legal visit a worker goes to the idle zone (R6). A last turn may be declined as a whole (R75).
    """
    p = s.active
    choice: int = yield Choose(p, "turn", turn_options(s, p), rule="turn")
    if choice < FIRST_IDLE:
        yield from send_worker(s, p, choice)
        s.phase = SECOND
        if not second_options(s, p):
            go_on_with_bonus(s)
    elif choice == PASS:
        s.tell("turn_declined", seat=p)
        end_turn(s)
    elif choice in USE:
        s.begun = True
        yield from use_ability(s, p)
        if not available(s, p):
            go_on_with_bonus(s)
    else:
        stand_idle(s, p, choice - FIRST_IDLE)
        go_on_with_bonus(s)


def send_worker(s: WutakiState, p: int, choice: int) -> Rest:
    """A worker goes to a place, on a free field or by ability beside another worker: that is a visit."""
    alone = choice < FIRST_CROWD_IN
    kind, place = divmod(choice - (FIRST_VISIT if alone else FIRST_CROWD_IN), NUMBER_OF_PLACES)
    s.home[p][kind] -= 1
    s.worker = kind
    s.spot = spot_of(place, p)
    if s.told is not None:
        s.tell("visit", seat=p, worker=kind, place=place)
    if not alone:
        return crowd_in(s, p)
    take_free_field(s, p)
    return visit(s, p)


def crowd_in(s: WutakiState, p: int) -> Flow:
    """The ability finds the worker a field beside another one; then follows the visit."""
    yield from use_ability(s, p)
    yield from visit(s, p)


def turn_options(s: WutakiState, p: int) -> list[int]:
    """Legal visits; idling if there's none without crowding in; abilities; in a last turn declining it."""
    able = has_ability(s, p)
    visits = _by_worker(s, p, FIRST_VISIT, legal_places(s, p), free=True)
    options = visits[:] if able else visits
    if able and can_use(s, p, "T1"):
        options += _by_worker(s, p, FIRST_CROWD_IN, crowded_places(s, p), free=False)
    if not visits:
        options += [FIRST_IDLE + kind for kind, n in enumerate(s.home[p]) if n]
    if able and can_use(s, p, "T0"):
        options.append(USE.first + s.ability[p])
    if s.ending and not s.begun:
        options.append(PASS)
    return options


def legal_places(s: WutakiState, p: int) -> list[int]:
    """§ Legal visit. Places open to all that have a free field and a possible action (R10)."""
    fields, hand = s.fields, s.omens[p]
    supply = [*s.supply, 1]  # one of what places need that need nothing
    found = []
    for place, kind, would, effect in place_tests(s.box.boards[s.side]):
        if -1 in fields[place] and (supply[kind] if would is None else would(s, p, effect, hand)):
            found.append(place)
    if -1 in fields[ROUND_PLACE] and is_possible(s, p, s.box.in_round[s.round_card].action, hand):
        found.append(ROUND_PLACE)
    return found


@cache
def place_tests(printed: Board) -> tuple[tuple[int, int, VerbTest | None, Effect], ...]:
    """The places of the main board, each with the test whether its action is possible and the effect it looks at.

    Without a test comes a place that yields tokens, with their kind: it's enough that the supply has one. And a place
    whose action is always possible, with the kind after the last.
    """
    tests: list[tuple[int, int, VerbTest | None, Effect]] = []
    for index, place in enumerate(printed.places):
        first = place.action.first
        if not place.action.cost.is_free:
            tests.append((index, -1, priced(place.action), first))
        elif first.verb == YIELD and place.kind >= 0:
            tests.append((index, place.kind, None, first))
        else:
            would = None if is_always_possible(place.action) else TESTS[first.verb]
            tests.append((index, len(RESOURCES), would, first))
    return tuple(tests)


def is_always_possible(action: Action) -> bool:
    """Whether there's nothing to test: no cost, and an effect, or one of those to choose from, that always acts."""
    first = action.first
    return action.cost.is_free and (TESTS[first.verb] is always or any(map(is_always_possible, first.options)))


def crowded_places(s: WutakiState, p: int) -> list[int]:
    """The same for crowding in: places with a field on which one worker stands."""
    hand = s.omens[p]
    taken = [place for place in range(ROUND_PLACE + 1) if taken_fields(s, place)]
    return [place for place in taken if is_possible(s, p, action_at(s, p, place), hand)]


def _by_worker(s: WutakiState, p: int, first: int, legal: Sequence[int], *, free: bool) -> list[int]:
    """The legal places for each type of worker at home; the own masterboard's place may not do for each (R73)."""
    options: list[int] = []
    own = OWN_PLACE + p
    own_open = s.fields[own] and (-1 in s.fields[own] if free else taken_fields(s, own))
    start = first - NUMBER_OF_PLACES
    for n in s.home[p]:
        start += NUMBER_OF_PLACES
        if n:
            for place in legal:
                options.append(start + place)  # noqa: PERF401 - a comprehension is a call more, in the hottest loop
            hired = start > first  # loyal ones come first
            if own_open and is_possible(s, p, action_at(s, p, OWN_PLACE), s.omens[p], hired):
                options.append(start + OWN_PLACE)
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


def action_at(s: WutakiState, p: int, place: int) -> Action:
    """The action of a place as it is for a seat now."""
    if place < ROUND_PLACE:
        return board(s).places[place].action
    if place == ROUND_PLACE:
        return round_card(s).action
    own = masterboard(s, p).own_place
    assert own is not None
    return own


def effects_at(s: WutakiState, place: int, action: Action) -> Sequence[Effect]:
    """What an execution does: where the round card says so, the place's own vengeance card isn't drawn."""
    if place < ROUND_PLACE and s.box.in_round[s.round_card].quiet[place]:
        return [effect for effect in action.effects if effect.verb != DRAW_VENGEANCE]
    return action.effects


def take_free_field(s: WutakiState, p: int) -> None:
    """The placed worker takes the leftmost free field of its place."""
    fields = s.fields[s.spot]
    fields[fields.index(-1)] = p * 3 + s.worker


def stand_idle(s: WutakiState, p: int, kind: int) -> None:
    """A worker that can visit nothing goes to the idle zone, without an action (R6)."""
    s.home[p][kind] -= 1
    s.idle[p][kind] += 1
    s.tell("idle", seat=p, worker=kind)


def visit(s: WutakiState, p: int) -> Rest:
    """The first execution of the place's action; at a standard place then the bonuses for upgrade markers.

    They come after the first execution and only once a visit (R11).
    """
    place = s.spot
    rest = execute(s, p)
    if not FIRST_STANDARD <= place <= VILLAGE:
        return rest
    if rest:
        return _then_bonuses(rest, s, p, place)
    return places.pay_marker_bonuses(s, p, place) if s.markers[place - FIRST_STANDARD] else ()


def _then_bonuses(rest: Rest, s: WutakiState, p: int, place: int) -> Flow:
    """What is left of an execution, then the bonuses."""
    yield from rest
    if s.markers[place - FIRST_STANDARD]:
        yield from places.pay_marker_bonuses(s, p, place)


def execute(s: WutakiState, p: int) -> Rest:
    """One execution: cost, then the effects; after a chase the worker may move in."""
    place = place_of(s.spot)
    action = action_at(s, p, place)
    effects = effects_at(s, place, action)
    if action.relocates or not action.cost.is_free:
        return _execute_in_steps(s, p, action, effects)
    return run_effects(s, p, effects, must=True)


def _execute_in_steps(s: WutakiState, p: int, action: Action, effects: Sequence[Effect]) -> Flow:
    """An execution that isn't effects alone."""
    yield from tokens.pay_cost(s, p, action.cost, action.source)
    yield from run_effects(s, p, effects, must=True)
    if s.vacated >= 0:
        yield from offer_to_move_in(s, p)


def offer_to_move_in(s: WutakiState, p: int) -> Flow:
    """§ Verjagen. The chasing worker may move to the place it has emptied: a visit. Its own field is free again.

    It needs a free field there and a possible action, and can't be the place of chasing itself (R17).
    """
    place = s.vacated
    s.vacated = -1
    if place == CHASE or s.spot < 0 or -1 not in s.fields[place]:
        return
    options = offer(s, p, MOVE_IN_NOW, action_at(s, p, place), 0)
    if not options:
        return
    choice: int = yield Choose(p, "move_in", options, rule="chasing", about={"place": place})
    if choice == PASS:
        return
    who = p * 3 + s.worker
    take_off(s, s.spot, who)
    s.spot = place
    take_free_field(s, p)
    s.tell("moved_in", seat=p, worker=s.worker, place=place)
    yield from visit(s, p)


def offer(s: WutakiState, p: int, choice: int, action: Action, visitors: int) -> list[int]:
    """The options where the seat may take an action or not: [choice, PASS], or [] where it can't.

    Whether an omen can be played is the seat's secret: with cards in hand it's asked anyway.
    """
    if is_possible(s, p, action, s.omens[p], visitors):
        return [choice, PASS]
    return [PASS] if action.first.verb == PLAY_OMEN and s.omens[p] else []


def second_options(s: WutakiState, p: int) -> list[int]:
    """§ Sonderarbeiter. Once more for the special worker, or by ability for any other; never more than twice.

    The worker must still stand on the field.
    """
    if s.spot < 0:
        return []
    if s.worker == SPECIAL:
        choice = AGAIN_NOW
    elif s.ability[p] >= 0 and can_use(s, p, "T3"):
        choice = USE.first + s.ability[p]
    else:
        return []
    place = place_of(s.spot)
    return offer(s, p, choice, action_at(s, p, place), place == OWN_PLACE and s.worker != LOYAL)


def act_again(s: WutakiState) -> Flow:
    """§ Sonderarbeiter. The second execution is separate: costs are due anew, choices are free again."""
    p = s.active
    choice: int = yield Choose(p, "again", second_options(s, p), rule="special_worker")
    if choice == AGAIN_NOW:
        yield from execute(s, p)
    elif choice != PASS:
        yield from use_ability(s, p)
    go_on_with_bonus(s)


# -- § Fähigkeiten ----------------------------------------------------------------------------------------------------


def has_ability(s: WutakiState, p: int) -> bool:
    """Whether the seat has an ability that isn't used yet."""
    return s.ability[p] >= 0 and not s.ability_used[p]


def can_use(s: WutakiState, p: int, point: str) -> bool:
    """Whether the seat's ability is unused, meant for this point of the turn, and possible."""
    if not has_ability(s, p):
        return False
    printed = s.box.abilities[s.ability[p]]
    return point in printed.when and is_possible(s, p, printed.action, s.omens[p])


def use_ability(s: WutakiState, p: int) -> Flow:
    """§ B Seite. Once a game: the marker is turned over, the effect carried out."""
    s.ability_used[p] = True
    s.tell("ability_used", seat=p, ability=s.ability[p])
    yield from run_effects(s, p, s.box.abilities[s.ability[p]].action.effects, must=True)


@flow(REPEAT_ACTION)
def resolve_repeat_action(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Carry the action of the place out again, exactly as a special worker does."""
    yield from execute(s, p)


@flow(OCCUPIED_FIELD)
def resolve_occupied_field(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """The placed worker stands on a field beside another worker; the player chooses beside whom."""
    fields = taken_fields(s, s.spot)
    field = fields[0]
    if len(fields) > 1:
        options = [BESIDE.first + each for each in fields]
        choice: int = yield Choose(p, "beside", options, source=effect.source, rule="abilities")
        field = choice - BESIDE.first
    s.guest = [s.spot, field, p * 3 + s.worker]


test(REPEAT_ACTION)(always)
test(OCCUPIED_FIELD)(always)


# -- § Pakte erfüllen: the bonus step ---------------------------------------------------------------------------------


def go_on_with_bonus(s: WutakiState) -> None:
    """The bonus step follows as long as there's something to decide; else the turn ends."""
    if bonus_options(s, s.active):
        s.phase = BONUS
    else:
        end_turn(s)


def bonus_options(s: WutakiState, p: int) -> list[int]:
    """Payable pacts, a usable ability, or the end of the turn; [] where public facts alone leave nothing to decide."""
    cards = pacts.fulfillable(s, p, s.omens[p])
    options = [FIRST_FULFIL + card for card in cards] if cards else []
    if s.ability[p] >= 0 and not s.ability_used[p]:
        if can_use(s, p, "T4"):
            options.append(USE.first + s.ability[p])
        elif not options and not _omens_by_ability(s, p):
            return []
    elif not options:
        return options
    options.append(PASS)
    return options


def _omens_by_ability(s: WutakiState, p: int) -> bool:
    """An unused ability to play omens, and cards in hand: whether one can be played is a secret, so it's asked."""
    printed = s.box.abilities[s.ability[p]]
    return bool(s.omens[p]) and "T4" in printed.when and printed.action.first.verb == PLAY_OMEN


def take_bonus(s: WutakiState) -> Flow:
    """§ Pakte erfüllen (Bonusaktion). Any number, one after the other (R7), or an ability, until the seat stops."""
    p = s.active
    choice: int = yield Choose(p, "bonus", bonus_options(s, p), rule="bonus")
    if choice == PASS:
        end_turn(s)
        return
    if choice in USE:
        yield from use_ability(s, p)
    else:
        yield from pacts.fulfil(s, p, choice - FIRST_FULFIL)
    go_on_with_bonus(s)


# -- § Ermittlung des Gewinners ---------------------------------------------------------------------------------------


def finish(s: WutakiState) -> Flow:
    """§ Endwertung. If points, tokens and upgrades are equal, the holder of the start marker names the winner (R29)."""
    tied = leaders(s)
    if len(tied) > 1:
        options = [WINNER.first + p for p in tied]
        choice: int = yield Choose(s.start, "winner", options, rule="tie")
        s.winner = choice - WINNER.first
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
