"""Resource tokens: costs, gains, trading and plundering. Victory points change hands likewise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from atoll.engine import NO_AMOUNT, AmountSet, Choose, Flow, Kind, RequestFlow, insert_sorted, pick_set

from .components import (
    CHOOSE,
    CLAIM_START,
    EMPTY_MAW,
    GAIN,
    LOSE,
    PLUNDER,
    RAID,
    RAISE_MULTIPLIER,
    TAKE_RESOURCES,
    TRADE,
    VP,
    Cost,
    Effect,
)
from .effects import DONE, FLOWS, TESTS, Done, always, is_possible, run_effects
from .kinds import (
    DISCARD,
    EXTRA,
    FROM,
    LEAVE,
    OPTION,
    OWN_PLACE,
    PASS,
    PAY,
    RAID_NOW,
    RESOURCES,
    SPECIAL,
    SWAP,
    TAKE,
    VP_FOR_RESOURCES,
    WORKER_TYPES,
)
from .kinds import TRADE as TRADE_KIND
from .prices import can_pay, fixed_part
from .state import (
    WutakiState,
    between,
    gain,
    gain_vp,
    lose_vp,
    masterboard,
    others,
    pay,
    placed_one,
    plunder,
    remove_worker,
    sacrifice,
    standing,
    worker_places,
)
from .workers import choose_sharing

KINDS = range(len(RESOURCES))

# -- WU-8.1 Costs ----------------------------------------------------------------------------------


def choose_amounts(
    seat: int,
    prompt: str,
    kind: Kind,
    there: Sequence[int],
    amounts: Callable[[int, Sequence[int]], Sequence[int]],
    about: Mapping[str, int],
    source: str,
    rule: str,
) -> RequestFlow[list[int]]:
    """Let a seat choose an amount of each resource.

    Args:
        seat: The seat concerned.
        prompt: The key of the question.
        kind: The kind of the choices.
        there: Per resource the number available; nothing is asked for a resource without any.
        amounts: Returns the possible amounts of a resource, given the settled ones.
        about: The placeholders of the question; `n` is the total amount or its maximum.
        source: Id of the card, place or board that asks.
        rule: Id of the rule behind the question.

    Returns:
        The amount of each resource.
    """
    mix = AmountSet(kind, len(RESOURCES), amounts)
    for resource in KINDS:
        if not there[resource]:
            mix.settled[resource] = 0
            continue
        options = mix.options(resource)
        choice = options[0]
        if len(options) > 1:
            placeholders = {"resource": resource, **about}
            choice = yield Choose(seat, prompt, options, source=source, rule=rule, placeholders=placeholders, into=mix)
        mix.set_amount(resource, choice)
    return mix.settled


def choose_payment(
    s: WutakiState, seat: int, fixed: Sequence[int], any_kind: int, discount: int, source: str
) -> RequestFlow[list[int]]:
    """Let the payer choose the kinds for `any` and the tokens to leave out.

    The amounts on offer leave the rest payable. An amount beyond the fixed part of a kind counts as
    `any`. An omitted part of it counts against the discount.
    Rule WU-8.1.

    Args:
        s: The state.
        seat: The seat concerned.
        fixed: Per kind the fixed part of the price.
        any_kind: The number of tokens of any kind.
        discount: The number of tokens that may be left out.
        source: Id of the card, place or board that asks.

    Returns:
        The amount of each kind.
    """
    stock = s.stock[seat]
    spare = [have - n for have, n in zip(stock, fixed, strict=True)]

    def amounts(kind: int, settled: Sequence[int]) -> range:
        """Return the amounts of a kind that leave the rest payable."""
        # `short` is left out of other fixed parts, `extra` is paid beyond them, and `open_extra`
        # isn't paid yet.
        short = extra = open_extra = 0
        for other, amount in enumerate(settled):
            if other == kind:
                continue
            beyond = spare[other] if amount == NO_AMOUNT else amount - fixed[other]
            if beyond < 0:
                short -= beyond
            elif amount == NO_AMOUNT:
                open_extra += beyond
            else:
                extra += beyond
        slack = discount - short
        lacking = any_kind - extra - open_extra
        if lacking > 0:
            slack -= lacking
        return between(fixed[kind] - slack, fixed[kind] + any_kind - extra, stock[kind])

    about = {"n": max(0, sum(fixed) + any_kind - discount), "discount": discount}
    return choose_amounts(seat, "pay", PAY, stock, amounts, about, source, "costs")


def pay_cost(s: WutakiState, seat: int, cost: Cost, source: str, discount: int = 0) -> Flow | Done:
    """Pay a cost: tokens to supply or maw, omens from the hand, points, workers. Rule WU-8.1.

    Args:
        s: The state.
        seat: The seat concerned.
        cost: The cost.
        source: Id of the card, place or board that asks.
        discount: The number of tokens that may be left out.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    if discount or not cost.is_fixed:
        return _choose_and_pay(s, seat, cost, source, discount)
    hand_over = sacrifice if cost.sacrificed else pay
    for kind, n in cost.tokens.pairs[s.cost_marker[seat]]:
        hand_over(s, seat, kind, n)
    return DONE


def _choose_and_pay(s: WutakiState, seat: int, cost: Cost, source: str, discount: int) -> Flow:
    """Pay a cost about which the payer may have to choose."""
    tokens = cost.tokens
    pairs: Sequence[tuple[int, int]] = tokens.pairs[s.cost_marker[seat]]
    if tokens.any or discount:
        fixed = fixed_part(tokens, s.cost_marker[seat])
        paid: list[int] = yield from choose_payment(s, seat, fixed, tokens.any, discount, source)
        pairs = list(enumerate(paid))
    hand_over = sacrifice if cost.sacrificed else pay
    for kind, n in pairs:
        hand_over(s, seat, kind, n)
    if cost.omen:
        yield from discard_omens(s, seat, cost.omen, source)
    if cost.vp:
        lose_vp(s, seat, cost.vp)
    for _ in range(cost.worker):
        yield from give_up_worker(s, seat, source)


def discard_omens(s: WutakiState, seat: int, n: int, source: str) -> Flow:
    """Discard omens of own choice from the hand, open.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of omens.
        source: Id of the card, place or board that asks.

    Returns:
        The flow.
    """
    if len(s.omens[seat]) == n:
        for card in tuple(s.omens[seat]):
            discard_omen(s, seat, card)
        return
    picked: list[int] = yield from pick_set(
        seat, "discard_omen", DISCARD.all_choices(s.omens[seat]), n, n, source=source, rule="costs"
    )
    for choice in picked:
        discard_omen(s, seat, DISCARD.part(choice))


def discard_omen(s: WutakiState, seat: int, card: int) -> None:
    """Discard an omen from the hand.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The omen.
    """
    s.omens[seat].remove(card)
    insert_sorted(s.omen_discard, card)
    s.emit("omen_discarded", seat=seat, omen=card)


def leave_options(s: WutakiState, seat: int) -> list[int]:
    """Return the own hired additional workers that can be given up.

    The visitor of the own masterboard's place isn't among them.
    Rule WU-4.5, ruling R15.
    """
    options = []
    own = OWN_PLACE + seat
    for kind in (EXTRA, SPECIAL):
        who = seat * WORKER_TYPES + kind
        others_there = standing(s, own, who) > sum(placed_one(s, own, who))
        places = [where for where in worker_places(s, seat, kind) if where != OWN_PLACE or others_there]
        options += [LEAVE.choice(kind, where) for where in places]
    return options


def give_up_worker(s: WutakiState, seat: int, source: str) -> Flow:
    """Send an own hired additional worker back to the tower. Rule WU-4.5.

    Args:
        s: The state.
        seat: The seat concerned.
        source: Id of the card, place or board that asks.
    """
    options = leave_options(s, seat)
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(seat, "give_up_worker", options, source=source, rule="workers")
    kind, where = LEAVE.parts(choice)
    chosen: bool = yield from choose_sharing(s, seat, kind, where, "give_up_worker", source, visitor=where != OWN_PLACE)
    remove_worker(s, seat, kind, where, sharing=chosen)


# -- gains -----------------------------------------------------------------------------------------


def choose_tokens(
    seat: int, there: Sequence[int], n: int, prompt: str, source: str, rule: str
) -> RequestFlow[list[int]]:
    """Ask for exactly n tokens out of those available, or take all if there are fewer.

    Args:
        seat: The seat concerned.
        there: Per kind the number of tokens that are available.
        n: The number of tokens.
        prompt: The key of the question.
        source: Id of the card, place or board that asks.
        rule: Id of the rule behind the question.

    Returns:
        The amount of each kind.
    """
    wanted = min(n, sum(there))

    def amounts(kind: int, settled: Sequence[int]) -> range:
        """Return the amounts of a kind that leave the wanted sum possible."""
        left, rest = wanted, 0
        for other, amount in enumerate(settled):
            if amount != NO_AMOUNT:
                left -= amount
            elif other != kind:
                rest += there[other]
        return between(left - rest, left, there[kind])

    return choose_amounts(seat, prompt, TAKE, there, amounts, {"n": wanted}, source, rule)


def gain_any(s: WutakiState, seat: int, n: int, source: str, rule: str, closed: Sequence[int] = ()) -> Flow:
    """Let the seat gain n tokens of any kinds that the supply still has, except closed kinds.

    Rule WU-8.3.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of tokens.
        source: Id of the card, place or board that asks.
        rule: Id of the rule behind the question.
        closed: The kinds that can't be chosen.
    """
    there = [0 if kind in closed else s.supply[kind] for kind in KINDS]
    taken: list[int] = yield from choose_tokens(seat, there, n, "take", source, rule)
    for kind, amount in enumerate(taken):
        if amount:
            gain(s, seat, kind, amount)


@FLOWS.of(VP)
def resolve_vp(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Gain `n` VP.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    gain_vp(s, seat, effect.n)
    return DONE


TESTS.of(VP)(always)


@FLOWS.of(GAIN)
def resolve_gain(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow | Done:
    """Gain these tokens, limited to what the supply has. Rule WU-8.3, ruling R38.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    tokens = effect.tokens
    assert tokens is not None
    for kind, n in tokens.pairs[s.cost_marker[seat]]:
        gain(s, seat, kind, n)
    return gain_any(s, seat, tokens.any, effect.source, "supply") if tokens.any else DONE


@TESTS.of(GAIN)
def would_gain(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the supply has at least one of the named tokens.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    tokens = effect.tokens
    assert tokens is not None
    supply = s.supply
    for kind, _ in tokens.pairs[s.cost_marker[seat]]:
        if supply[kind]:
            return True
    return bool(tokens.any and any(supply))


@FLOWS.of(LOSE)
def resolve_lose(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Put these tokens into the supply, or all available ones. Rule WU-8.6, ruling R65.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    tokens = effect.tokens
    assert tokens is not None
    for kind, n in tokens.pairs[s.cost_marker[seat]]:
        pay(s, seat, kind, min(n, s.stock[seat][kind]))
    if tokens.any:
        owed = min(tokens.any, sum(s.stock[seat]))
        lost: list[int] = yield from choose_payment(s, seat, [0] * len(RESOURCES), owed, 0, effect.source)
        for kind, n in enumerate(lost):
            pay(s, seat, kind, n)


@TESTS.of(LOSE)
def would_lose(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is one of these tokens in stock.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    tokens = effect.tokens
    assert tokens is not None
    stock = s.stock[seat]
    return any(stock[kind] for kind, _ in tokens.pairs[s.cost_marker[seat]]) or bool(tokens.any and any(stock))


# -- WU-5.4 Trading --------------------------------------------------------------------------------


def swap_amounts(s: WutakiState, seat: int, kind: int, settled: Sequence[int]) -> range:
    """Return the amounts of a kind that may be put in.

    The supply must hold as many tokens of the kinds that aren't put in.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The kind of resource.
        settled: Per kind the amount that is settled, or `NO_AMOUNT`.
    """
    stock, supply = s.stock[seat], s.supply
    total = sum(supply)
    given, there, later = 0, 0, False
    for other, amount in enumerate(settled):
        if amount > 0:
            given += amount
        elif other != kind:
            there += supply[other]
            if amount == NO_AMOUNT and stock[other] and total > supply[other]:
                later = True
    return between(0 if given or later else 1, max(0, there - given), stock[kind])


def can_swap(s: WutakiState, seat: int) -> bool:
    """Return whether at least one token can be put in for one of another kind."""
    total = sum(s.supply)
    return any(have and total > there for have, there in zip(s.stock[seat], s.supply, strict=True))


@FLOWS.of(TRADE)
def resolve_trade(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Swap tokens 1:1 with the supply, or give x VP for x tokens.

    Kinds may be mixed. Rule WU-5.4.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    options = []
    if can_swap(s, seat):
        options.append(SWAP)
    if s.vp[seat] and any(s.supply):
        options.append(VP_FOR_RESOURCES)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(seat, "trade", options, source=effect.source, rule="trading")
    assert choice in TRADE_KIND
    if choice == SWAP:
        yield from swap(s, seat, effect.source)
    else:
        yield from sell_points(s, seat, effect.source)


def swap(s: WutakiState, seat: int, source: str) -> Flow:
    """Put x tokens of any mix into the supply and take x of other kinds from it. Rule WU-5.4.

    Args:
        s: The state.
        seat: The seat concerned.
        source: Id of the card, place or board that asks.
    """

    def amounts(kind: int, settled: Sequence[int]) -> range:
        """Return the amounts of a kind that may be put in."""
        return swap_amounts(s, seat, kind, settled)

    given: list[int] = yield from choose_amounts(seat, "swap", PAY, s.stock[seat], amounts, {}, source, "trading")
    there = [0 if given[kind] else s.supply[kind] for kind in KINDS]
    taken: list[int] = yield from choose_tokens(seat, there, sum(given), "take", source, "trading")
    for kind in KINDS:
        if given[kind]:
            pay(s, seat, kind, given[kind])
        elif taken[kind]:
            gain(s, seat, kind, taken[kind])


def sell_points(s: WutakiState, seat: int, source: str) -> Flow:
    """Lose x VP, at least 1, and gain x tokens of any mix. Rule WU-5.4.

    Args:
        s: The state.
        seat: The seat concerned.
        source: Id of the card, place or board that asks.
    """
    vp, supply = s.vp[seat], s.supply

    def amounts(kind: int, settled: Sequence[int]) -> range:
        """Return the amounts of a kind that can be bought."""
        bought = 0
        later = False
        for other, amount in enumerate(settled):
            if amount > 0:
                bought += amount
            elif amount == NO_AMOUNT and other != kind and supply[other]:
                later = True
        return between(0 if bought or later else 1, vp - bought, supply[kind])

    taken: list[int] = yield from choose_amounts(
        seat, "buy_with_points", TAKE, supply, amounts, {"n": min(vp, sum(supply))}, source, "trading"
    )
    lose_vp(s, seat, sum(taken))
    for kind in KINDS:
        gain(s, seat, kind, taken[kind])


@TESTS.of(TRADE)
def would_trade(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether one of both ways is possible with one token. Rule WU-5.4.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.vp[seat] and any(s.supply)) or can_swap(s, seat)


# -- WU-5.5 Plunder, the maw -----------------------------------------------------------------------


@FLOWS.of(PLUNDER)
def resolve_plunder(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Take everything in the maw; with `n` only `n` tokens of own choice, all if there are fewer.

    Rule WU-5.5.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    taken = s.maw[:]
    if effect.n:
        taken = yield from choose_tokens(seat, taken, effect.n, "plunder", effect.source, "plunder")
    for kind in KINDS:
        plunder(s, seat, kind, taken[kind])


def raidable(s: WutakiState) -> list[int]:
    """Return the tokens in the maw without those of the pact that is being fulfilled right now.

    Rule WU-9.2.
    """
    return [max(0, there - fresh) for there, fresh in zip(s.maw, s.sacrificed, strict=True)]


@FLOWS.of(RAID)
def resolve_raid(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Take all of the maw but the tokens just sacrificed, or nothing; no vengeance card.

    Rule WU-9.2, ruling R25.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    if not any(raidable(s)):
        return
    choice: int = yield Choose(seat, "raid", [RAID_NOW, PASS], source=effect.source, rule="masterboards")
    if choice == RAID_NOW:
        for kind, n in enumerate(raidable(s)):
            plunder(s, seat, kind, n)


@TESTS.of(PLUNDER)
def would_plunder(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the maw isn't empty.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return any(s.maw)


@TESTS.of(RAID)
def would_raid(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the maw has a token that may be taken.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return any(raidable(s))


@FLOWS.of(EMPTY_MAW)
def resolve_empty_maw(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Move all tokens of the maw to the supply.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    for kind in KINDS:
        s.supply[kind] += s.maw[kind]
        s.maw[kind] = 0
    s.emit("maw_emptied")
    return DONE


@TESTS.of(EMPTY_MAW)
def would_empty_maw(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the maw isn't empty.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return any(s.maw)


@FLOWS.of(TAKE_RESOURCES)
def resolve_take_resources(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Choose another player who has tokens and take `n` of own choice, all if there are fewer.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    victims = sorted(other for other in others(s, seat) if any(s.stock[other]))
    if not victims:
        return
    victim = victims[0]
    if len(victims) > 1:
        choice: int = yield Choose(seat, "rob", FROM.all_choices(victims), source=effect.source, rule="omens")
        victim = FROM.part(choice)
    taken: list[int] = yield from choose_tokens(seat, s.stock[victim], effect.n, "rob_tokens", effect.source, "omens")
    for kind in KINDS:
        if taken[kind]:
            s.stock[victim][kind] -= taken[kind]
            s.stock[seat][kind] += taken[kind]
            s.emit("robbed", seat=seat, seat_2=victim, resource=kind, n=taken[kind])


@TESTS.of(TAKE_RESOURCES)
def would_take_resources(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether another player has a token.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return any(any(s.stock[other]) for other in others(s, seat))


# -- choices, markers ------------------------------------------------------------------------------


@FLOWS.of(CHOOSE)
def resolve_choose(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Choose one option that is possible, pay its cost, run its effects.

    Rules WU-5.1 and WU-8.6.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    hand = s.omens[seat]
    possible = [index for index, option in enumerate(effect.options) if is_possible(s, seat, option, hand)]
    if not possible:
        return
    picked = possible[0]
    if len(possible) > 1:
        options = OPTION.all_choices(possible)
        choice: int = yield Choose(seat, "option", options, source=effect.source, rule="places")
        picked = OPTION.part(choice)
    option = effect.options[picked]
    yield from pay_cost(s, seat, option.cost, effect.source)
    yield from run_effects(s, seat, option.effects, must=True)


@TESTS.of(CHOOSE)
def would_choose(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether an option is possible.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    for option in effect.options:
        if not option.cost.is_free and not can_pay(s, seat, option.cost, hand):
            continue
        if TESTS[option.first.verb](s, seat, option.first, hand):
            return True
    return False


@FLOWS.of(CLAIM_START)
def resolve_claim_start(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Claim the start marker; it moves at the end of the round. Rule WU-5.6, ruling R24.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    s.claimant = seat
    s.emit("claimed", seat=seat)
    return DONE


TESTS.of(CLAIM_START)(always)


@FLOWS.of(RAISE_MULTIPLIER)
def resolve_raise_multiplier(s: WutakiState, seat: int, effect: Effect, must: bool) -> Done:
    """Move the multiplier marker up, to the last position at most. Rule WU-9.3.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        `DONE`, because nobody is asked.
    """
    s.multiplier[seat] = min(s.multiplier[seat] + effect.n, len(masterboard(s, seat).multiplier) - 1)
    s.emit("multiplier", seat=seat, n=masterboard(s, seat).multiplier[s.multiplier[seat]])
    return DONE


@TESTS.of(RAISE_MULTIPLIER)
def would_raise_multiplier(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the marker isn't on the last position.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return s.multiplier[seat] < len(masterboard(s, seat).multiplier) - 1
