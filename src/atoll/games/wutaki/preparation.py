"""Setup (WU-2): the state before anything is dealt, and all steps up to the first round."""

from __future__ import annotations

from typing import Any

from atoll.engine import (
    Choose,
    Draw,
    Flow,
    Options,
    RequestFlow,
    Sealed,
    audience_of_seats,
    find_start_player,
    insert_sorted,
    pick_set,
    remove_sorted,
)

from . import cards, pacts
from .components import BOARDS, WutakiComponents
from .kinds import (
    ACCEPT,
    DEAL_ABILITY,
    DEAL_COST_MARKER,
    DEAL_ELEMENT,
    KEEP,
    OWN_PLACE,
    RESOURCES,
    STANDARD_PLACES,
    START,
    TAKE_BOARD,
)
from .state import (
    DEAL,
    MASTERBOARDS,
    PACTS,
    ROUND_START,
    SECRET_PACTS,
    SPOTS,
    WutakiState,
    lay_out_fields,
    masterboard,
    secret,
)


def setup(components: WutakiComponents, options: Options, seats: int) -> WutakiState:
    """Return the state before anything is dealt.

    On the extreme board the first extra worker of each player stays in the box.
    Rules WU-1.1, WU-2.1 and WU-12.2.

    Args:
        components: The components.
        options: The options of the game.
        seats: The number of seats.
    """
    side = BOARDS.index(options["board"])
    printed = components.boards[side]
    supply = [total - seats * each for total, each in zip(components.tokens, components.start_stock, strict=True)]
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
        vp=[components.start_vp] * seats,
        stock=[list(components.start_stock) for _ in range(seats)],
        supply=supply,
        maw=[0] * len(RESOURCES),
        sacrificed=[0] * len(RESOURCES),
        cost_marker=[-1] * seats,
        cost_marker_pool=list(range(len(components.cost_markers))),
        masterboard=[-1] * seats,
        boards_left=[],
        track=[0] * seats,
        multiplier=[0] * seats,
        ability=[-1] * seats,
        ability_used=[False] * seats,
        ability_pool=list(range(len(components.abilities))),
        home=[[components.loyal_workers, 0, 0] for _ in range(seats)],
        tower=[[0, printed.extra_workers, components.special_workers] for _ in range(seats)],
        idle=[[0, 0, 0] for _ in range(seats)],
        fields=fields,
        guest=[],
        worker=-1,
        spot=-1,
        vacated=-1,
        begun=False,
        markers=[[] for _ in STANDARD_PLACES],
        upgrade_markers=[components.upgrade_markers] * seats,
        pyramid=[0] * seats,
        built=[[-1, -1] for _ in range(seats)],
        tower_left=list(range(len(components.tower_upgrades))),
        counter=0,
        display=[-1] * len(printed.slot_gold),
        pacts=[[] for _ in range(seats)],
        fulfilled=[[] for _ in range(seats)],
        pact_deck=list(range(len(components.pacts))),
        pact_discard=[],
        element=[-1] * seats,
        element_pool=list(range(len(components.elements))),
        secret_pacts=[[] for _ in range(seats)],
        secret_pact_deck=list(range(len(components.secret_pacts))),
        rejected=[[] for _ in range(seats)],
        omens=[[] for _ in range(seats)],
        omen_deck=[card for card, omen in enumerate(components.omens) for _ in range(omen.copies)],
        omen_discard=[],
        playing=[],
        permanent=[-1] * seats,
        vengeance=[[] for _ in range(seats)],
        vengeance_known=[[] for _ in range(seats)],
        vengeance_deck=list(range(len(components.vengeance))),
        returned=[[] for _ in range(seats)],
        round_card=-1,
        round_deck=list(range(len(components.round_cards))),
        round_discard=[],
        ender=-1,
        ended_by_pyramid=False,
        ending=False,
        last_turns=[],
        winner=-1,
    )


def deal(s: WutakiState) -> Flow:
    """Deal an element and two secret pacts to each seat, face down. Rules WU-2.2 and WU-2.3."""
    for seat in range(s.seats):
        card: int = yield Draw(DEAL_ELEMENT, s.element_pool, audience=audience_of_seats(seat))
        remove_sorted(s.element_pool, card)
        s.element[seat] = card
        s.emit("element_dealt", seat=seat, element_card=secret(card, seat))
    for seat in range(s.seats):
        for _ in range(2):
            yield from cards.draw_secret_pact(s, seat)
    s.phase = SECRET_PACTS


def choose_secret_pacts(s: WutakiState) -> Flow:
    """Let all choose one of two secret pacts secretly; the others go back afterwards.

    Then come cost markers (open), two omens each, and the start player.
    Rules WU-2.3 and WU-2.4.
    """
    kept: list[Any] = yield Sealed(range(s.seats), lambda seat: keep_one(s, seat))
    for seat in range(s.seats):
        for card in s.secret_pacts[seat]:
            if card != kept[seat]:
                insert_sorted(s.secret_pact_deck, card)
                s.rejected[seat] = [card]
        s.secret_pacts[seat] = [kept[seat]]
        s.emit("secret_pact_kept", seat=seat, secret_pact=secret(kept[seat], seat))
    yield from deal_cost_markers(s)
    for seat in range(s.seats):
        yield from cards.draw_omens(s, seat, 2)
    yield from give_start_marker(s)
    yield from hand_out_masterboards(s)


def keep_one(s: WutakiState, seat: int) -> RequestFlow[int]:
    """Ask for one of the two secret pacts dealt to the seat."""
    options = KEEP.all_choices(s.secret_pacts[seat])
    choice: int = yield Choose(seat, "keep_secret_pact", options, rule="secret_pacts", audience=audience_of_seats(seat))
    return KEEP.part(choice)


def deal_cost_markers(s: WutakiState) -> Flow:
    """Deal one cost marker to each seat at random, open. Rule WU-2.4, ruling R30."""
    for seat in range(s.seats):
        marker: int = yield Draw(DEAL_COST_MARKER, s.cost_marker_pool)
        remove_sorted(s.cost_marker_pool, marker)
        s.cost_marker[seat] = s.components.cost_markers[marker]
        s.emit("cost_marker_dealt", seat=seat, cost_marker=marker)


def give_start_marker(s: WutakiState) -> Flow:
    """Give the start marker to a random seat or to the first. Rule WU-2.4, ruling R1."""
    s.start = yield from find_start_player(s, START)
    s.active = s.start
    s.emit("starts", seat=s.start)


def hand_out_masterboards(s: WutakiState) -> Flow:
    """Hand out masterboards: the same side A for all, or all pick a side B.

    The start player picks first.
    Rule WU-2.5.
    """
    faces = s.components.masterboards
    if s.options["masterboards"] == "symmetric":
        s.masterboard = [next(index for index, face in enumerate(faces) if face.side == "a")] * s.seats
        yield from lay_out_pacts(s)
    else:
        s.boards_left = [index for index, face in enumerate(faces) if face.side == "b"]
        s.phase = MASTERBOARDS


def pick_masterboard(s: WutakiState) -> Flow:
    """Let a seat pick one of the faces that are left. Rule WU-2.5, ruling R32."""
    seat = s.active
    choice: int = yield Choose(seat, "masterboard", TAKE_BOARD.all_choices(s.boards_left), rule="masterboards")
    face = TAKE_BOARD.part(choice)
    s.boards_left.remove(face)
    s.masterboard[seat] = face
    lay_out_fields(s, OWN_PLACE + seat, masterboard(s, seat).fields[s.seats])
    s.emit("masterboard_taken", seat=seat, masterboard=face)
    s.active = (seat + 1) % s.seats
    if s.active == s.start:
        s.boards_left = []
        yield from lay_out_pacts(s)


def lay_out_pacts(s: WutakiState) -> Flow:
    """Deal an ability to each seat with player boards b, and lay out four open pacts.

    Rules WU-2.6 and WU-2.7, ruling R3.
    """
    if s.options["player_boards"] == "b":
        for seat in range(s.seats):
            ability: int = yield Draw(DEAL_ABILITY, s.ability_pool)
            remove_sorted(s.ability_pool, ability)
            s.ability[seat] = ability
            s.emit("ability_dealt", seat=seat, ability=ability)
    yield from pacts.refill(s)
    s.phase = PACTS


def pick_two_pacts(s: WutakiState) -> Flow:
    """Let a seat take two of the same four open pacts, without slot gold; then fill the display.

    Rule WU-2.7, ruling R4.
    """
    seat = s.active
    open_pacts = ACCEPT.all_choices(sorted(card for card in s.display if card >= 0))
    picked: list[int] = yield from pick_set(seat, "first_pacts", open_pacts, 2, 2, rule="accept_pact")
    for choice in picked:
        card = ACCEPT.part(choice)
        pacts.take_from_display(s, card)
        insert_sorted(s.pacts[seat], card)
        s.emit("pact_accepted", seat=seat, pact=card)
    yield from pacts.refill(s)
    s.active = (seat + 1) % s.seats
    if s.active == s.start:
        s.phase = ROUND_START
