"""§ Den Zeiger drehen and what follows: inventory, donation, the next round, or the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import UNSETTLED, Choose, Flow, Mix

from . import scoring
from .components import DONATION
from .districts import tell_holder
from .kinds import DONATE, FACES, KINDS
from .searching import lay
from .state import DONATE_RESOURCES, OPEN_GATES, AtlandiceState


def turn_the_clock(s: AtlandiceState) -> None:
    """§ Den Zeiger drehen. By the hands of the area with the last die; the space reached takes effect at once.

    If the hand was on the last space before, the game is over without this step (R29). It never goes further (R30).
    """
    end = len(s.box.spaces) - 1
    if s.clock == end:
        end_game(s, "end_inn")
        return
    area, hands = scoring.hands_of_last_die(s)
    s.clock = min(s.clock + hands, end)
    if s.told is not None:
        s.tell("clock", area=area, hands=hands, space=s.clock)
    space = s.box.spaces[s.clock]
    if s.clock == end:
        end_game(s, "end_clock")
    elif space == DONATION:
        s.tell("donation_begins")
        s.phase = DONATE_RESOURCES
        s.turn = 0
        s.active = s.start_player
    else:
        if space >= 0:
            take_inventory(s, space)
        pass_start_player_on(s)


def take_inventory(s: AtlandiceState, space: int) -> None:
    """§ Inventur. The most of one kind, or of everything: a point for each who has it; nothing is given back."""
    winners = scoring.most(scoring.held_for_space(s, space))
    if space < KINDS:
        s.tell("inventory", resources=space)
    else:
        s.tell("inventory_all")
    for holder in winners:
        s.inventories[holder][space] += 1
        tell_holder(s, "inventory_won", holder, points=s.box.inventory)


def donate(s: AtlandiceState) -> Flow:
    """§ Spende. Once each (R32), from the start player on: resources go home, every two are worth a point."""
    seat = s.active
    hold = s.holds[seat]
    cost = s.box.donation_cost
    given = 0
    if sum(hold) >= cost:
        held = hold[:]
        mix = Mix(DONATE, KINDS, lambda kind, settled: donated(held, cost, kind, settled))
        for kind in range(KINDS):
            if not held[kind]:
                mix.settled[kind] = 0
                continue
            options = mix.options(kind)
            choice: int = yield Choose(
                seat, "donate", options, rule="donation", public=True, about={"n": cost}, into=mix
            )
            amount = mix.settle(kind, choice)
            if amount:
                hold[kind] -= amount
                lay(s, kind, kind, amount)
                given += amount
                if s.told is not None:
                    s.tell("donated", seat=seat, resource=kind, amount=amount)
    s.donations[seat] += given // cost
    if given:
        s.tell("donation", seat=seat, count=given, n=given // cost * s.box.donation_points)
    else:
        s.tell("no_donation", seat=seat)
    s.turn += 1
    s.active = (seat + 1) % s.seats
    if s.turn == s.seats:
        pass_start_player_on(s)


def donated(held: Sequence[int], cost: int, kind: int, settled: Sequence[int]) -> Sequence[int]:
    """§ Spende. So many of a kind that, with what is settled and what is open, the total can be paid for in full."""
    given = rest = 0
    for other, amount in enumerate(settled):
        if amount != UNSETTLED:
            given += amount
        elif other != kind:
            rest += held[other]
    if rest >= cost - 1:  # enough to make up for any amount
        return range(held[kind] + 1)
    return [amount for amount in range(held[kind] + 1) if -(given + amount) % cost <= rest]


def pass_start_player_on(s: AtlandiceState) -> None:
    """§ Startspielerplättchen weitergeben. The next player clockwise begins; all dice return."""
    s.start_player = s.active = (s.start_player + 1) % s.seats
    s.round += 1
    s.turn = 0
    s.dice = [0] * FACES
    s.taken = [0] * len(s.taken)
    s.handed = [False] * s.seats
    s.phase = OPEN_GATES
    if s.told is not None:
        s.tell("marker", seat=s.start_player)


def end_game(s: AtlandiceState, key: str) -> None:
    """§ Spielende, § Endwertung. It is over; each kind in the holds is scored once more (scoring.final_shares)."""
    s.over = True
    if s.told is not None:
        s.tell(key)
        for kind in range(KINDS):
            for holder, points in enumerate(scoring.final_shares(s, kind)):
                if points:
                    tell_holder(s, "final", holder, resources=kind, points=points)
