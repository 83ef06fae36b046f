"""The six acts of a feast and its end (RA-8). Favor decides where order matters (R41)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine import Choose, Flow, Picks, RequestFlow, audience_of_seats

from .components import EXTRA_GIFT, GENERAL, KEEP_ANY
from .effects import any_would_do, carry_out
from .kinds import (
    ACCEPT,
    BUILD,
    BUY,
    DECLINE,
    DONE,
    FIRST,
    GIFT,
    MIRROR,
    MIRROR_MASK,
    PASS,
    PEARL_DIVER,
    PREPARE,
    TRAIN,
)
from .locations import pay_training, train_options
from .own_turn import (
    FREE_ACTION,
    ask_sealed,
    ask_step,
    free_action_window,
    has_free_action,
    may_place_mirror,
    opens_window,
    place_mirror,
)
from .rituals import (
    choose_kept,
    distinct,
    draw_by_rank,
    execute,
    has_cards,
    keep_drawn,
    open_decks,
    priest_income,
)
from .state import (
    AFTER_BUYING,
    AUCTIONS,
    BEFORE_DANCE,
    BLESSING,
    BUILDING,
    BUY_RITUALS,
    CHOOSE,
    DANCE,
    END_OF_FEAST,
    EXTRA_GIFTS,
    GIFTS,
    KEEP_BOUGHT,
    LAST_FEAST,
    LAST_MIRRORS,
    LAY_OUT,
    NOBODY,
    NOT_BUYING,
    OFFERING,
    PREPARE_RITUALS,
    RaiateaState,
)
from .tasks import auction, auctions_due, bid_value, candidates, complete, must_ask, pay_bids, sealed_bids, unlock

PURCHASE: Final = 3
"""The mana that a purchase of act 2 costs."""
RECEIVERS: Final = 3
"""The number of positions that receive a gift in act 4; one fewer with 3 players."""


def begin_pass(s: RaiateaState, phase: int) -> None:
    """Begin a pass through all players, in favor order as it is now. Rule RA-3.2, ruling R84."""
    s.phase = phase
    s.order = s.favour[:]
    s.place = 0


def next_field(s: RaiateaState) -> None:
    """Move the round marker to the next field in use; a feast or an action round begins.

    Rules RA-3.2 and RA-10.1.
    """
    track = s.components.track[s.seats]
    s.field = track[track.index(s.field) + 1]
    feast = s.components.fields[s.field].feast
    if feast:
        s.emit("feast", n=feast)
        begin_pass(s, BEFORE_DANCE)
    else:
        s.phase = CHOOSE
        if s.events is not None:
            s.emit(
                "action_round", n=sum(not s.components.fields[each].feast for each in track[: track.index(s.field) + 1])
            )


def own_turns(s: RaiateaState) -> Flow:
    """Let the next seat that may have a free action carry it out between the acts.

    These are W-feast-a and W-feast-b.
    Rule RA-3.4, ruling R65.
    """
    while s.place < s.seats:
        seat = s.order[s.place]
        s.place += 1
        if opens_window(s, seat):
            yield from free_action_window(s, seat)
            break
    if s.place == s.seats:
        begin_pass(s, DANCE if s.phase == BEFORE_DANCE else PREPARE_RITUALS)


# -- RA-8.3 Act 1: priest dance --------------------------------------------------------------------


def priest_dance(s: RaiateaState) -> Flow:
    """Let all train at once, secretly until all have chosen; then give mana for priests.

    Rule RA-8.3.
    """
    dancers = [seat for seat in range(s.seats) if len(train_options(s, seat)) > 1]
    if dancers:
        trained = yield from ask_sealed(s, dancers, lambda seat: dance(s, seat))
        for seat in s.favour:
            pay_training(s, seat, trained[seat] or 0)
    for seat in tuple(s.favour):
        yield from priest_income(s, seat)
    s.phase = BUY_RITUALS


def dance(s: RaiateaState, seat: int) -> RequestFlow[int]:
    """Ask how many priests to train. Rule RA-8.3."""
    choice: int = yield Choose(seat, "dance", train_options(s, seat), rule="dance")
    return TRAIN.part(choice)


# -- RA-8.1 Act 2: buying rituals ------------------------------------------------------------------


def buy_rituals(s: RaiateaState) -> Flow:
    """Let all decide at once about a purchase; buyers pay and draw by rank, in favor order.

    A seat that could draw no card pays nothing. With a shortage of mana the price goes to the
    supply instead of the bag.
    Rules RA-8.1 and RA-10.4.
    """
    able = [seat for seat in range(s.seats) if s.mana[seat] >= PURCHASE and open_decks(s, seat)]
    if able:
        bought = yield from ask_sealed(s, able, lambda seat: choose_purchase(s, seat))
        s.bought = [NOT_BUYING if deck is None else deck for deck in bought]
        for seat in tuple(s.favour):
            if s.bought[seat] != NOT_BUYING:
                yield from buy(s, seat, s.bought[seat])
    s.phase = KEEP_BOUGHT


def choose_purchase(s: RaiateaState, seat: int) -> RequestFlow[int]:
    """Ask from which deck to buy, if from any. Rule RA-8.1."""
    options = BUY.all_choices(open_decks(s, seat))
    options.append(DECLINE.first)
    choice: int = yield Choose(seat, "buy", options, rule="buy", placeholders={"n": PURCHASE})
    return BUY.part(choice) if choice in BUY else NOT_BUYING


def buy(s: RaiateaState, seat: int, deck: int) -> Flow:
    """Carry out one purchase: pay 3 mana and draw. Rule RA-8.1.

    Args:
        s: The state.
        seat: The seat concerned.
        deck: The deck.

    Returns:
        The flow.
    """
    if not has_cards(s, deck):
        s.bought[seat] = NOT_BUYING
        s.emit("nothing_to_buy", seat=seat, deck=deck)
        return
    s.mana[seat] -= PURCHASE
    if not s.options["mana_shortage"]:
        s.bag_mana += PURCHASE
    s.emit("bought", seat=seat, deck=deck, n=PURCHASE)
    yield from draw_by_rank(s, seat, deck)


def keep_bought(s: RaiateaState) -> Flow:
    """Let buyers choose at once which cards to keep; discard the others in favor order.

    Rule RA-8.1.
    """
    keep = [min(len(s.drawn[seat]), 1 + s.bonus[seat][KEEP_ANY]) for seat in range(s.seats)]
    choosing = [seat for seat in range(s.seats) if len(s.drawn[seat]) > keep[seat]]
    kept: list[list[int] | None] = [None] * s.seats
    if choosing:
        kept = yield from ask_sealed(s, choosing, lambda seat: choose_kept(s.drawn[seat], seat, keep[seat]))
    for seat in s.favour:
        if s.drawn[seat]:
            keep_drawn(s, seat, kept[seat] or s.drawn[seat][:])
    s.bought = [NOT_BUYING] * s.seats
    begin_pass(s, AFTER_BUYING)


# -- RA-8.4 Act 3: preparing rituals ---------------------------------------------------------------


def prepare_rituals(s: RaiateaState) -> Flow:
    """Let all put rituals into the bag in secret; the present rank gives the clips.

    Rule RA-8.4, ruling R46.
    """
    s.clips = [s.components.rank_clips[s.rank(seat)] for seat in range(s.seats)]
    holders = [seat for seat in range(s.seats) if s.hands[seat]]
    if holders:
        prepared = yield from ask_sealed(s, holders, lambda seat: prepare(s, seat))
        for seat in holders:
            put_into_bag(s, seat, prepared[seat] or [])
    s.emit("prepared")
    s.phase = OFFERING


def prepare(s: RaiateaState, seat: int) -> RequestFlow[list[int]]:
    """Pick rituals for all or some clips, then any number of general ones by cost.

    General rituals of one cost are picked in the order in which they shall lie in the row (R44).
    Rule RA-8.4, rulings R42 and R43.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The choices picked, in order.
    """
    cost = s.components.ritual_cost
    kind = s.components.ritual_kind
    left = s.hands[seat][:]
    clips = s.clips[seat]
    picks = Picks(
        PREPARE.all_choices(left),
        0,
        len(left),
        DONE.first,
        order=lambda choice: _in_bag(s, choice),
        fits=lambda part: clips_used(s, part) <= s.clips[seat],
    )
    prepared = picks.picked
    lowest = 0
    dearest = -1
    while True:
        options = []
        for card in distinct(left):
            if cost[card] >= dearest if kind[card] == GENERAL else clips > 0 and dearest < 0 and card >= lowest:
                options.append(PREPARE.choice(card))  # noqa: PERF401 - few cards: a comprehension costs more
        if not options:
            break
        options.append(DONE.first)
        about = {"n": clips}
        choice: int = yield Choose(
            seat, "prepare", options, rule="prepare", audience=audience_of_seats(seat), placeholders=about, into=picks
        )
        if choice in DONE:
            break
        prepared.append(choice)
        card = PREPARE.part(choice)
        left.remove(card)
        if kind[card] == GENERAL:
            dearest = cost[card]
        else:
            clips -= 1
            lowest = card
    return [PREPARE.part(choice) for choice in prepared]


def clips_used(s: RaiateaState, choices: Sequence[int]) -> int:
    """Return the number of prepared rituals that take a clip: all but general ones. Rule RA-8.4."""
    kind = s.components.ritual_kind
    return sum(kind[PREPARE.part(choice)] != GENERAL for choice in choices)


def _in_bag(s: RaiateaState, choice: int) -> tuple[int, int]:
    """Return the sort key of a prepared ritual in the bag.

    Own ones come first in any order, then general ones by cost.
    """
    card = PREPARE.part(choice)
    return (1, s.components.ritual_cost[card]) if s.components.ritual_kind[card] == GENERAL else (0, card)


def put_into_bag(s: RaiateaState, seat: int, prepared: Sequence[int]) -> None:
    """Put the prepared rituals into the bag, sorted.

    Their order is stored separately, as indices.

    Args:
        s: The state.
        seat: The seat concerned.
        prepared: The choices of the rituals, in order.
    """
    bag = sorted(prepared)
    free = list(range(len(bag)))
    order = []
    for card in prepared:
        index = next(each for each in free if bag[each] == card)
        free.remove(index)
        order.append(index)
        s.hands[seat].remove(card)
    s.bag[seat] = bag
    s.bag_order[seat] = order


# -- RA-8.5 and RA-8.6 Act 4: mana for the gods, gifts ---------------------------------------------


def mana_offering(s: RaiateaState) -> Flow:
    """Let all offer mana in secret and reveal it together; put the favor stones in order.

    Equal offerings keep their order: the stone in front stays in front.
    Rule RA-8.5, rulings R48 and R49.
    """
    offers = yield from sealed_bids(s, "offering", "offering", {})
    s.offers = offers
    pay_bids(s, offers, to_bag=True)
    # A stable sort implements the tie rule.
    s.favour.sort(key=lambda seat: -bid_value(s, seat, offers[seat]))
    s.emit("favour", seat=list(s.favour))
    s.gifts = list(range(GIFT.size))
    begin_pass(s, GIFTS)


def gifts_given(seats: int) -> int:
    """Return the number of positions that receive a gift. Rule RA-8.6, ruling R51."""
    return min(RECEIVERS, seats - 1)


def give_gift(s: RaiateaState) -> Flow:
    """Let the positions in front choose a gift each; with 3 players the third goes to nobody.

    Any gift left may be chosen, also one without effect for the player. A player that can gain
    nothing from any of them may decline. A gift that isn't taken stays for the next position.
    Rule RA-8.6, rulings R50 and R51.
    """
    seat = s.order[s.place]
    options = ACCEPT.all_choices(s.gifts)
    if not any(gift_would_do(s, seat, gift) for gift in s.gifts):
        options.append(DECLINE.first)
    choice: int = yield Choose(seat, "gift", options, rule="gifts", public=True)
    if choice in ACCEPT:
        gift = ACCEPT.part(choice)
        s.gifts.remove(gift)
        yield from accept(s, seat, gift)
    s.place += 1
    if s.place == gifts_given(s.seats):
        begin_pass(s, EXTRA_GIFTS)


def gift_would_do(s: RaiateaState, seat: int, gift: int) -> bool:
    """Return whether a gift would do something for a seat (R50).

    Args:
        s: The state.
        seat: The seat concerned.
        gift: The gift.
    """
    return any_would_do(s, seat, s.components.gifts[gift])


def accept(s: RaiateaState, seat: int, gift: int) -> Flow:
    """Give a gift at once. Rule RA-8.6.

    Args:
        s: The state.
        seat: The seat concerned.
        gift: The gift.
    """
    if s.events is not None:
        s.emit("gift", seat=seat, gift=gift)
    yield from carry_out(s, seat, s.components.gifts[gift], GIFT.label(gift))


def give_extra_gifts(s: RaiateaState) -> Flow:
    """Give the gifts of `extra_gift` after the others.

    Any kind with an effect can be chosen, even if it has been taken before.
    Rules RA-8.6 and RA-6.6.
    """
    for seat in tuple(s.order):
        given = 0
        # A gift that is brought by another gift counts, too (R62).
        while given < s.bonus[seat][EXTRA_GIFT]:
            given += 1
            options = ACCEPT.all_choices([gift for gift in range(GIFT.size) if gift_would_do(s, seat, gift)])
            if options:
                choice: int = yield Choose(seat, "gift", options, rule="gifts", public=True)
                yield from accept(s, seat, ACCEPT.part(choice))
    s.gifts = []
    s.phase = LAY_OUT


# -- RA-8.7 and RA-8.8 Act 5: row of rituals, blessing ---------------------------------------------


def lay_out(s: RaiateaState) -> Flow:
    """Lay all cards of the bag in a row: by cost, general ones first within a cost, by favor.

    A seat with several clipped cards of one cost orders them now. Then the row stays as it is.
    Rule RA-8.7, rulings R53 and R54.
    """
    place = {seat: index for index, seat in enumerate(s.favour)}
    cards: list[tuple[int, bool, int, int, int, int]] = []
    for seat in range(s.seats):
        bag = s.bag[seat]
        for index in s.bag_order[seat]:
            card = bag[index]
            general = s.components.ritual_kind[card] == GENERAL
            cards.append((s.components.ritual_cost[card], not general, place[seat], len(cards), card, seat))
    cards.sort()
    s.row = [card for *_, card, _ in cards]
    s.row_owner = [seat if clipped else NOBODY for _, clipped, _, _, _, seat in cards]
    s.bag = [[] for _ in range(s.seats)]
    s.bag_order = [[] for _ in range(s.seats)]
    s.emit("row", ritual=s.row, owner=s.row_owner, total=s.bag_mana)
    for seat in tuple(s.favour):
        yield from order_own(s, seat)
    s.phase = BLESSING if s.row else AUCTIONS


def order_own(s: RaiateaState, seat: int) -> Flow:
    """Let the owner of several different clipped cards of one cost choose which lies first.

    Rule RA-8.7, ruling R53.
    """
    for index in range(len(s.row)):
        tied = tied_rituals(s, seat, index)
        if len(tied) > 1:
            choice: int = yield Choose(seat, "order_own", FIRST.all_choices(tied), rule="blessing")
            card = FIRST.part(choice)
            s.row.pop(s.row.index(card, index))
            s.row.insert(index, card)


def tied_rituals(s: RaiateaState, seat: int, index: int) -> list[int]:
    """Return the different rituals of one cost that a seat has from a place of the row on.

    Rule RA-8.7, ruling R53.

    Args:
        s: The state.
        seat: Any seat.
        index: A place of the row. There is none if the ritual that lies there isn't the seat's.
    """
    cost, owner = s.components.ritual_cost, s.row_owner
    end = index
    while end < len(s.row) and owner[end] == seat and cost[s.row[end]] == cost[s.row[index]]:
        end += 1
    return sorted(set(s.row[index:end]))


def bless(s: RaiateaState) -> Flow:
    """Take the mana of the cheapest card of the row from the source and let the card act.

    If the mana isn't enough, it and all that follow go without effect to their discard piles.
    Rule RA-8.8, ruling R55.
    """
    card = s.row[0]
    cost = s.components.ritual_cost[card]
    if s.bag_mana < cost:
        s.emit("failed", ritual=s.row, total=s.bag_mana)
        for each in s.row:
            s.discard_ritual(each)
        had_its_turn(s, len(s.row))
    else:
        seat = s.row_owner[0]
        had_its_turn(s, 1)
        s.bag_mana -= cost
        if s.events is not None:
            s.emit("source_paid", n=cost, total=s.bag_mana, ritual=card)
        yield from execute(s, seat, card)
    if not s.row:
        s.phase = AUCTIONS


def had_its_turn(s: RaiateaState, n: int) -> None:
    """Move the first n cards of the row to the blessed cards.

    They stay visible until the feast is over.
    """
    s.blessed += s.row[:n]
    s.blessed_owner += s.row_owner[:n]
    s.source += [s.bag_mana] * n
    del s.row[:n]
    del s.row_owner[:n]


# -- RA-8.9 and RA-8.10 Act 6: building ------------------------------------------------------------


def due_auction(s: RaiateaState) -> Flow:
    """Hold the auctions of the next row with nothing but auctions left, statue by statue.

    Rule RA-8.9, rulings R77, R78 and R80.

    Args:
        s: The state.

    Returns:
        The flow.
    """
    for space in tuple(s.open_auctions):
        if space >= s.cursor and auctions_due(s, s.components.row_of[space]):
            s.cursor = space + 1
            yield from auction(s, space)
            return
    s.cursor = 0
    s.passed = [False] * s.seats
    s.diver_sent = [False] * s.seats
    begin_pass(s, BUILDING)


def build_turn(s: RaiateaState) -> Flow:
    """Let the next seat complete a task or pass, until all pass in one cycle.

    Rule RA-8.10, rulings R82 and R84.
    """
    seat = s.order[s.place]
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        choice = yield from ask_step(s, build_question(s, seat))
    had_passed = s.passed[seat]
    s.passed[seat] = choice not in BUILD
    if choice in BUILD:
        yield from complete(s, seat, BUILD.part(choice))
        yield from second_task(s, seat)
    elif not had_passed:
        s.emit("passed", seat=seat)
    s.place += 1
    if s.place == len(s.order):
        begin_pass(s, END_OF_FEAST if all(s.passed) else BUILDING)


def build_question(s: RaiateaState, seat: int) -> Choose:
    """Return the question of a build turn, without choices for a seat that passes unasked.

    A seat with a free action is asked. If a seat is asked only because silence would betray its
    hand, `n` is 0 and tells the seat so.
    Rule RA-8.10, ruling R67.
    """
    found = candidates(s, seat)
    options = BUILD.all_choices(found)
    if must_ask(s, seat, found) or has_free_action(s, seat):
        options.append(PASS.first)
    return Choose(seat, "build", options, rule="building", placeholders={"n": min(1, len(found))})


def second_task(s: RaiateaState, seat: int) -> Flow:
    """Let a seat send a pearl diver after a completed task, to complete a second one.

    A seat may do so once a feast; there is never a third task.
    Rule RA-5.8, ruling R83.
    """
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        options: list[int] = []
        if s.ready[seat][PEARL_DIVER] and not s.diver_sent[seat]:
            found = candidates(s, seat)
            options = BUILD.all_choices(found)
            if must_ask(s, seat, found):
                options.append(DECLINE.first)
        choice = yield from ask_step(s, Choose(seat, "diver", options, source="pearl_diver", rule="building"))
    if choice in BUILD:
        s.diver_sent[seat] = True
        s.send(seat, PEARL_DIVER)
        s.emit("sent_diver", seat=seat)
        yield from complete(s, seat, BUILD.part(choice))
        yield from free_action_window(s, seat)


# -- RA-8.2 End of feast ---------------------------------------------------------------------------


def end_of_feast(s: RaiateaState) -> Flow:
    """Unlock statue 2 after feast 1 and statue 3 after feast 2; feast 3 ends the game.

    A statue that a ritual has unlocked stays as it is. The start player marker doesn't move.
    Rule RA-8.2, rulings R85 and R87.

    Args:
        s: The state.

    Returns:
        The flow.
    """
    feast = s.components.fields[s.field].feast
    if feast == LAST_FEAST:
        begin_pass(s, LAST_MIRRORS)
        return
    if not s.unlocked[feast]:
        yield from unlock(s, feast)
    next_field(s)


def last_mirrors(s: RaiateaState) -> Flow:
    """Let everybody place mirrors before scoring, in favor order, one at a time (W-final).

    Rule RA-9.6, ruling R91.

    Args:
        s: The state.

    Returns:
        The flow.
    """
    while s.place < s.seats and not may_place_mirror(s, s.order[s.place]):
        s.place += 1
    if s.place == s.seats:
        s.over = True
        s.emit("end")
        return
    seat = s.order[s.place]
    options = MIRROR.all_choices([god for god in s.masks[seat] if god != MIRROR_MASK])
    options.append(DONE.first)
    choice: int = yield Choose(seat, "last_mirror", options, rule="masks")
    if choice in MIRROR:
        place_mirror(s, seat, MIRROR.part(choice))
    else:
        s.place += 1
