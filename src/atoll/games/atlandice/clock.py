"""The end of a round (AL-3.6 to AL-7.2): clock hand, inventory, donation, end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import NO_AMOUNT, AmountSet, Choose, Flow

from . import scoring
from .components import DONATION
from .districts import tell_holder
from .kinds import DONATE, FACES, KINDS
from .search import lay
from .state import DONATE_RESOURCES, OPEN_GATES, AtlandiceState


def turn_the_clock(s: AtlandiceState) -> None:
    """Move the hand by the hands of the area with the last die; the new space takes effect.

    If the hand was already on the last space, the game is over without this step (R29).
    The hand never moves beyond that space (R30).
    Rules AL-3.6 and AL-7.1, rulings R29 to R31.
    """
    end = len(s.components.spaces) - 1
    if s.clock == end:
        end_game(s, "end_inn")
        return
    area, hands = scoring.hands_of_last_die(s)
    s.clock = min(s.clock + hands, end)
    if s.events is not None:
        s.emit("clock", area=area, hands=hands, space=s.clock)
    space = s.components.spaces[s.clock]
    if s.clock == end:
        end_game(s, "end_clock")
    elif space == DONATION:
        s.emit("donation_begins")
        s.phase = DONATE_RESOURCES
        s.turn = 0
        s.active = s.start_player
    else:
        if space >= 0:
            take_inventory(s, space)
        pass_start_player_on(s)


def take_inventory(s: AtlandiceState, space: int) -> None:
    """Give a point to each holder with the most of a kind, or of all kinds together.

    Rule AL-6.1.
    """
    winners = scoring.most(scoring.held_for_space(s, space))
    if space < KINDS:
        s.emit("inventory", resources=space)
    else:
        s.emit("inventory_all")
    for holder in winners:
        s.inventories[holder][space] += 1
        tell_holder(s, "inventory_won", holder, points=s.components.inventory)


def donate(s: AtlandiceState) -> Flow:
    """Let the active player return resources for points. Each player is asked once.

    Rule AL-6.2, rulings R32 and R35.
    """
    seat = s.active
    hold = s.holds[seat]
    cost = s.components.donation_cost
    given = 0
    if sum(hold) >= cost:
        held = hold[:]
        mix = AmountSet(DONATE, KINDS, lambda kind, settled: donated(held, cost, kind, settled))
        for kind in range(KINDS):
            if not held[kind]:
                mix.settled[kind] = 0
                continue
            options = mix.options(kind)
            choice: int = yield Choose(
                seat, "donate", options, rule="donation", public=True, placeholders={"n": cost}, into=mix
            )
            amount = mix.set_amount(kind, choice)
            if amount:
                hold[kind] -= amount
                lay(s, kind, kind, amount)
                given += amount
                if s.events is not None:
                    s.emit("donated", seat=seat, resource=kind, amount=amount)
    s.donations[seat] += given // cost
    if given:
        s.emit("donation", seat=seat, count=given, n=given // cost * s.components.donation_points)
    else:
        s.emit("no_donation", seat=seat)
    s.turn += 1
    s.active = (seat + 1) % s.seats
    if s.turn == s.seats:
        pass_start_player_on(s)


def donated(held: Sequence[int], cost: int, kind: int, settled: Sequence[int]) -> Sequence[int]:
    """Return the amounts of a kind that still allow a total paid in full.

    The total counts the settled amounts. Open amounts can fill it up.
    Rule AL-6.2.

    Args:
        held: The resources of the player, by kind.
        cost: The resources of one donation.
        kind: The kind.
        settled: The amounts by kind, NO_AMOUNT for open ones.
    """
    given = rest = 0
    for other, amount in enumerate(settled):
        if amount != NO_AMOUNT:
            given += amount
        elif other != kind:
            rest += held[other]
    if rest >= cost - 1:  # enough to make up for any amount
        return range(held[kind] + 1)
    return [amount for amount in range(held[kind] + 1) if -(given + amount) % cost <= rest]


def pass_start_player_on(s: AtlandiceState) -> None:
    """Pass the start player marker clockwise; all dice return. Rule AL-3.7."""
    s.start_player = s.active = (s.start_player + 1) % s.seats
    s.round += 1
    s.turn = 0
    s.dice = [0] * FACES
    s.taken = [0] * len(s.taken)
    s.handed = [False] * s.seats
    s.phase = OPEN_GATES
    if s.events is not None:
        s.emit("marker", seat=s.start_player)


def end_game(s: AtlandiceState, key: str) -> None:
    """End the game, and emit the points of each kind in the final scoring.

    Rules AL-7.1 and AL-7.2.
    """
    s.over = True
    if s.events is not None:
        s.emit(key)
        for kind in range(KINDS):
            for holder, points in enumerate(scoring.final_shares(s, kind)):
                if points:
                    tell_holder(s, "final", holder, resources=kind, points=points)
