"""§ Spielaufbau. Villages, the row, residents, fates, the start player."""

from __future__ import annotations

from atoll.engine import Draw, Flow, Only, find_start_player, only, put, take

from .geometry import Island
from .kinds import DEAL_RESIDENT, DEAL_VILLAGE, REVEAL_CARD, REVEAL_FATE, START
from .lattice import Lattice, lattice_for
from .state import TURN, AtuaState


def prepare(s: AtuaState) -> Flow:
    """§ Spielaufbau. Villages, the row, residents, fates, the start player; solo only needs a village."""
    yield from deal_villages(s)
    if not s.solo:
        for _ in range(s.box.row_size):
            yield from reveal_card(s)
        if s.options["residents"]:
            yield from deal_residents(s)
        if s.options["fates"]:
            yield from reveal_fates(s)
        yield from choose_start_player(s)
    s.phase = TURN


def deal_villages(s: AtuaState) -> Flow:
    """§ Spielaufbau 1. Each island begins with a village, at (0, 0); the rest are not needed."""
    for seat in range(s.seats):
        village: int = yield Draw(DEAL_VILLAGE, s.village_pool)
        take(s.village_pool, village)
        island = Island(s.box, s.box.island_cards + village, lattice_of(s))
        s.islands.append(island)
        s.placed[seat] = island.placed[:]
        s.tell("village", seat=seat, village=village)


def reveal_card(s: AtuaState) -> Flow:
    """§ Spielaufbau 2, § Reihe auffüllen. An unseen island card comes to the right end of the row, without coconuts."""
    card: int = yield Draw(REVEAL_CARD, s.deck)
    take(s.deck, card)
    s.row.append(card)
    s.row_coconuts.append(0)
    s.tell("card", card=card)


def deal_residents(s: AtuaState) -> Flow:
    """§ Spielaufbau 4. Each player gets a resident that only he or she may look at."""
    for seat in range(s.seats):
        resident: int = yield Draw(DEAL_RESIDENT, s.resident_pool, audience=only(seat))
        take(s.resident_pool, resident)
        s.residents[seat] = resident
        s.tell("resident_dealt", seat=seat, resident=Only(resident, only(seat)))


def reveal_fates(s: AtuaState) -> Flow:
    """§ Spielaufbau 5. One fate more than players lies face up."""
    for _ in range(s.seats + s.box.fates_revealed_extra):
        fate: int = yield Draw(REVEAL_FATE, s.fate_pool)
        take(s.fate_pool, fate)
        put(s.fate_row, fate)
        s.tell("fate_revealed", fate=fate)


def choose_start_player(s: AtuaState) -> Flow:
    """§ Ziel des Spiels. Drawn at random, or the first seat by option (R59)."""
    s.start_player = yield from find_start_player(s, START)
    s.active = s.start_player
    s.tell("start", seat=s.start_player)


def lattice_of(s: AtuaState) -> Lattice:
    """The lattice for the islands of this game."""
    return lattice_for(s.box.solo_turns if s.solo else s.box.rounds)
