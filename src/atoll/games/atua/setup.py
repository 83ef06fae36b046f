"""The setup (AU-2.1): villages, the row, residents, fates, the start player."""

from __future__ import annotations

from atoll.engine import Draw, Flow, Only, audience_of_seats, find_start_player, insert_sorted, remove_sorted

from .geometry import Island
from .kinds import DEAL_RESIDENT, DEAL_VILLAGE, REVEAL_CARD, REVEAL_FATE, START
from .lattice import Lattice, lattice_for
from .state import TURN, AtuaState


def prepare(s: AtuaState) -> Flow:
    """Deal villages, row, residents and fates, and find the start player.

    The solo game needs only a village.
    Rules AU-2.1 and AU-7.1.
    """
    yield from deal_villages(s)
    if not s.solo:
        for _ in range(s.components.row_size):
            yield from reveal_card(s)
        if s.options["residents"]:
            yield from deal_residents(s)
        if s.options["fates"]:
            yield from reveal_fates(s)
        yield from choose_start_player(s)
    s.phase = TURN


def deal_villages(s: AtuaState) -> Flow:
    """Start each island with a village at (0, 0); the other villages aren't needed. Rule AU-2.1."""
    for seat in range(s.seats):
        village: int = yield Draw(DEAL_VILLAGE, s.village_pool)
        remove_sorted(s.village_pool, village)
        island = Island(s.components, s.components.island_cards + village, lattice_of(s))
        s.islands.append(island)
        s.placed[seat] = island.placed[:]
        s.emit("village", seat=seat, village=village)


def reveal_card(s: AtuaState) -> Flow:
    """Draw an unseen island card to the right end of the row, without coconuts.

    Rules AU-2.1 and AU-3.6.
    """
    card: int = yield Draw(REVEAL_CARD, s.deck)
    remove_sorted(s.deck, card)
    s.row.append(card)
    s.row_coconuts.append(0)
    s.emit("card", card=card)


def deal_residents(s: AtuaState) -> Flow:
    """Deal each player a resident that only its owner may look at. Rule AU-2.1."""
    for seat in range(s.seats):
        resident: int = yield Draw(DEAL_RESIDENT, s.resident_pool, audience=audience_of_seats(seat))
        remove_sorted(s.resident_pool, resident)
        s.residents[seat] = resident
        s.emit("resident_dealt", seat=seat, resident=Only(resident, audience_of_seats(seat)))


def reveal_fates(s: AtuaState) -> Flow:
    """Reveal one fate more than there are players. Rule AU-2.1."""
    for _ in range(s.seats + s.components.fates_revealed_extra):
        fate: int = yield Draw(REVEAL_FATE, s.fate_pool)
        remove_sorted(s.fate_pool, fate)
        insert_sorted(s.fate_row, fate)
        s.emit("fate_revealed", fate=fate)


def choose_start_player(s: AtuaState) -> Flow:
    """Draw the start player, or take the first seat by option. Rule AU-2.1, ruling R59."""
    s.start_player = yield from find_start_player(s, START)
    s.active = s.start_player
    s.emit("start", seat=s.start_player)


def lattice_of(s: AtuaState) -> Lattice:
    """Return the lattice for the islands of this game."""
    return lattice_for(s.components.solo_turns if s.solo else s.components.rounds)
