"""Resource tokens: costs, gains, trading, plundering. And victory points, which change hands in the same way."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Asking, Choose, Flow, put

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
    Tokens,
)
from .kinds import (
    AMOUNTS,
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
)
from .kinds import TRADE as TRADE_KIND
from .state import (
    WutakiState,
    gain,
    gain_vp,
    lose_vp,
    masterboard,
    others,
    pay,
    plunder,
    remove_worker,
    sacrifice,
    standing,
    worker_places,
)
from .verbs import TESTS, Rest, always, can_pay, flow, is_possible, run_effects, test

KINDS = range(len(RESOURCES))

# -- § Costs first ----------------------------------------------------------------------------------------------------


def fixed_part(tokens: Tokens, marker: int) -> list[int]:
    """The printed amounts by kind, the cost marker's included."""
    fixed = [0] * len(RESOURCES)
    for kind, n in tokens.pairs[marker]:
        fixed[kind] = n
    return fixed


def can_pay_reduced(stock: Sequence[int], tokens: Tokens, marker: int, discount: int) -> bool:
    """Whether a stock covers a price from which up to `discount` tokens may be left out."""
    short = 0
    for kind, n in tokens.pairs[marker]:
        if stock[kind] < n:
            short += n - stock[kind]
    # What there is beyond the fixed part pays for `any`.
    return short <= discount and (not tokens.any or tokens.total - sum(stock) <= discount)


def choose_payment(
    s: WutakiState, p: int, fixed: Sequence[int], any_kind: int, discount: int, source: str
) -> Asking[list[tuple[int, int]]]:
    """The payer chooses the kinds for `any`, and what to leave out: amounts that leave the rest payable.

    What is paid of a kind beyond its fixed part counts as `any`; what is left out of it counts against the discount.
    """
    stock = s.stock[p]
    paid: list[tuple[int, int]] = []
    short, extra = 0, 0  # left out of fixed parts so far, paid beyond them so far
    rest_short = sum(n - have for n, have in zip(fixed, stock, strict=True) if have < n)
    rest_extra = sum(have - n for n, have in zip(fixed, stock, strict=True) if have > n)
    for kind in KINDS:
        own, have = fixed[kind], stock[kind]
        if have < own:
            rest_short -= own - have
        else:
            rest_extra -= have - own
        slack = discount - short - rest_short - max(0, any_kind - extra - rest_extra)
        amount, most = max(0, own - slack), min(have, own + any_kind - extra)
        if amount < most:
            first = PAY.first + kind * AMOUNTS
            options = range(first + amount, first + most + 1)
            about = {"resource": kind, "n": most}
            choice: int = yield Choose(p, "pay", options, source=source, rule="costs", about=about)
            amount = choice - first
        paid.append((kind, amount))
        if amount < own:
            short += own - amount
        else:
            extra += amount - own
    return paid


def pay_cost(s: WutakiState, p: int, cost: Cost, source: str, discount: int = 0) -> Rest:
    """§ Costs first: tokens (into the supply, or sacrificed into the maw), omens from the hand, points, workers."""
    if discount or not cost.is_fixed:
        return _choose_and_pay(s, p, cost, source, discount)
    hand_over = sacrifice if cost.sacrificed else pay
    for kind, n in cost.tokens.pairs[s.cost_marker[p]]:
        hand_over(s, p, kind, n)
    return ()


def _choose_and_pay(s: WutakiState, p: int, cost: Cost, source: str, discount: int) -> Flow:
    """The same where the payer may have to choose."""
    tokens = cost.tokens
    pairs: Sequence[tuple[int, int]] = tokens.pairs[s.cost_marker[p]]
    if tokens.any or discount:
        fixed = fixed_part(tokens, s.cost_marker[p])
        pairs = yield from choose_payment(s, p, fixed, tokens.any, discount, source)
    hand_over = sacrifice if cost.sacrificed else pay
    for kind, n in pairs:
        hand_over(s, p, kind, n)
    if cost.omen:
        yield from discard_omens(s, p, cost.omen, source)
    if cost.vp:
        lose_vp(s, p, cost.vp)
    for _ in range(cost.worker):
        yield from give_up_worker(s, p, source)


def discard_omens(s: WutakiState, p: int, n: int, source: str) -> Flow:
    """Omens of own choice go from the hand to the discard, open; chosen in ascending order."""
    least = 0
    while n:
        hand = s.omens[p]
        if len(hand) == n:
            for card in tuple(hand):
                discard_omen(s, p, card)
            return
        rest = [card for index, card in enumerate(hand) if card >= least and len(hand) - index >= n]
        options = [DISCARD.first + card for card in sorted(set(rest))]
        choice: int = yield Choose(p, "discard_omen", options, source=source, rule="costs", about={"n": n})
        least = choice - DISCARD.first
        discard_omen(s, p, least)
        n -= 1


def discard_omen(s: WutakiState, p: int, card: int) -> None:
    """An omen goes from the hand to the discard."""
    s.omens[p].remove(card)
    put(s.omen_discard, card)
    s.tell("omen_discarded", seat=p, omen=card)


def leave_options(s: WutakiState, p: int) -> list[int]:
    """Own hired additional workers that can be given up: any but the visitor of the own masterboard's place (R15)."""
    options = []
    for kind in (EXTRA, SPECIAL):
        for where in worker_places(s, p, kind):
            visitor = s.spot == OWN_PLACE + p and where == OWN_PLACE and s.active == p and s.worker == kind
            if not visitor or standing(s, s.spot, p * 3 + kind) > 1:
                options.append(LEAVE.at(kind, where))
    return options


def give_up_worker(s: WutakiState, p: int, source: str) -> Flow:
    """§ Sacrificing a worker: an own hired additional worker goes back to the tower."""
    options = leave_options(s, p)
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "give_up_worker", options, source=source, rule="workers")
    kind, where = LEAVE.parts(choice)
    remove_worker(s, p, kind, where)


# -- gains ------------------------------------------------------------------------------------------------------------


def choose_tokens(p: int, there: Sequence[int], n: int, prompt: str, source: str, rule: str) -> Asking[list[int]]:
    """Take exactly n tokens of own choice out of what is there (all of it, if that is less): kind by kind an amount."""
    rest = sum(there)
    left = min(n, rest)
    taken: list[int] = []
    for kind in KINDS:
        have = there[kind]
        rest -= have
        amount, most = max(0, left - rest), min(left, have)
        if amount < most:
            first = TAKE.first + kind * AMOUNTS
            options = range(first + amount, first + most + 1)
            about = {"resource": kind, "n": left}
            choice: int = yield Choose(p, prompt, options, source=source, rule=rule, about=about)
            amount = choice - first
        taken.append(amount)
        left -= amount
    return taken


def gain_any(s: WutakiState, p: int, n: int, source: str, rule: str, closed: Sequence[int] = ()) -> Flow:
    """The seat gains n tokens of any kinds that the supply still has, except those of the closed kinds."""
    there = [0 if kind in closed else s.supply[kind] for kind in KINDS]
    taken: list[int] = yield from choose_tokens(p, there, n, "take", source, rule)
    for kind in KINDS:
        gain(s, p, kind, taken[kind])


@flow(VP)
def resolve_vp(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """Gain n VP."""
    gain_vp(s, p, effect.n)
    return ()


test(VP)(always)


@flow(GAIN)
def resolve_gain(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """§ Limited supply. Gain these tokens, as far as the supply has them."""
    tokens = effect.tokens
    assert tokens is not None
    for kind, n in tokens.pairs[s.cost_marker[p]]:
        gain(s, p, kind, n)
    return gain_any(s, p, tokens.any, effect.source, "supply") if tokens.any else ()


@test(GAIN)
def would_gain(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The supply has at least one of the named tokens."""
    tokens = effect.tokens
    assert tokens is not None
    supply = s.supply
    for kind, _ in tokens.pairs[s.cost_marker[p]]:
        if supply[kind]:
            return True
    return bool(tokens.any and any(supply))


@flow(LOSE)
def resolve_lose(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Put these tokens into the supply, as many of them as there are (R65)."""
    tokens = effect.tokens
    assert tokens is not None
    for kind, n in tokens.pairs[s.cost_marker[p]]:
        pay(s, p, kind, min(n, s.stock[p][kind]))
    if tokens.any:
        owed = min(tokens.any, sum(s.stock[p]))
        lost: list[tuple[int, int]] = yield from choose_payment(s, p, [0] * len(RESOURCES), owed, 0, effect.source)
        for kind, n in lost:
            pay(s, p, kind, n)


@test(LOSE)
def would_lose(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There is one of these tokens in stock."""
    tokens = effect.tokens
    assert tokens is not None
    stock = s.stock[p]
    return any(stock[kind] for kind, _ in tokens.pairs[s.cost_marker[p]]) or bool(tokens.any and any(stock))


# -- § Handeln --------------------------------------------------------------------------------------------------------


def swap_amounts(s: WutakiState, p: int, given: Sequence[int]) -> list[int]:
    """How much of the next kind may be put in: so much that the supply holds as many tokens of the kinds not put in."""
    kind = len(given)
    stock, supply = s.stock[p], s.supply
    total = sum(given)
    open_without = sum(n for k, n in enumerate(supply) if k >= kind or not given[k])
    amounts = []
    later = any(stock[k] and sum(supply) - supply[k] for k in range(kind + 1, len(supply)))
    for n in range(stock[kind] + 1):
        room = open_without - supply[kind] if n else open_without
        if total + n <= room and (total + n or later):
            amounts.append(n)
    return amounts


def can_swap(s: WutakiState, p: int) -> bool:
    """At least one token can be put in for one of another kind."""
    total = sum(s.supply)
    return any(have and total > there for have, there in zip(s.stock[p], s.supply, strict=True))


@flow(TRADE)
def resolve_trade(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Handeln. Swap tokens 1:1 with the supply, or give x VP for x tokens. Kinds may be mixed."""
    options = []
    if can_swap(s, p):
        options.append(SWAP)
    if s.vp[p] and any(s.supply):
        options.append(VP_FOR_RESOURCES)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "trade", options, source=effect.source, rule="trading")
    assert choice in TRADE_KIND
    if choice == SWAP:
        yield from swap(s, p, effect.source)
    else:
        yield from sell_points(s, p, effect.source)


def swap(s: WutakiState, p: int, source: str) -> Flow:
    """Put x tokens of any mix into the supply and take x of other kinds from it."""
    given: list[int] = []
    for kind in KINDS:
        amounts = swap_amounts(s, p, given)
        amount = amounts[0]
        if len(amounts) > 1:
            first = PAY.first + kind * AMOUNTS
            choice: int = yield Choose(
                p, "swap", [first + n for n in amounts], source=source, rule="trading", about={"resource": kind}
            )
            amount = choice - first
        given.append(amount)
    there = [0 if given[kind] else s.supply[kind] for kind in KINDS]
    taken: list[int] = yield from choose_tokens(p, there, sum(given), "take", source, "trading")
    for kind in KINDS:
        pay(s, p, kind, given[kind])
        gain(s, p, kind, taken[kind])


def sell_points(s: WutakiState, p: int, source: str) -> Flow:
    """Lose x VP, at least 1, and gain x tokens of any mix."""
    taken: list[int] = []
    for kind in KINDS:
        left = s.vp[p] - sum(taken)
        most = min(left, s.supply[kind])
        least = 0 if sum(taken) or any(s.supply[kind + 1 :]) else 1
        amount = least
        if least < most:
            first = TAKE.first + kind * AMOUNTS
            choice: int = yield Choose(
                p,
                "buy_with_points",
                range(first + least, first + most + 1),
                source=source,
                rule="trading",
                about={"resource": kind, "n": left},
            )
            amount = choice - first
        taken.append(amount)
    lose_vp(s, p, sum(taken))
    for kind in KINDS:
        gain(s, p, kind, taken[kind])


@test(TRADE)
def would_trade(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """One of both ways is possible with one token."""
    return bool(s.vp[p] and any(s.supply)) or can_swap(s, p)


# -- § Plündern, the maw ----------------------------------------------------------------------------------------------


@flow(PLUNDER)
def resolve_plunder(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Plündern. Take everything in the maw; with n only n tokens of own choice, all if there are fewer."""
    taken = s.maw[:]
    if effect.n:
        taken = yield from choose_tokens(p, taken, effect.n, "plunder", effect.source, "plunder")
    for kind in KINDS:
        plunder(s, p, kind, taken[kind])


def raidable(s: WutakiState) -> list[int]:
    """What lies in the maw without the tokens of the pact that is being fulfilled right now."""
    return [max(0, there - fresh) for there, fresh in zip(s.maw, s.sacrificed, strict=True)]


@flow(RAID)
def resolve_raid(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Meister der Diebe. Take all of the maw but what was just sacrificed, or nothing; no vengeance card (R25)."""
    if not any(raidable(s)):
        return
    choice: int = yield Choose(p, "raid", [RAID_NOW, PASS], source=effect.source, rule="masterboards")
    if choice == RAID_NOW:
        for kind, n in enumerate(raidable(s)):
            plunder(s, p, kind, n)


@test(PLUNDER)
def would_plunder(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The maw isn't empty."""
    return any(s.maw)


@test(RAID)
def would_raid(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The maw has a token that may be taken."""
    return any(raidable(s))


@flow(EMPTY_MAW)
def resolve_empty_maw(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """All tokens of the maw go to the supply."""
    for kind in KINDS:
        s.supply[kind] += s.maw[kind]
        s.maw[kind] = 0
    s.tell("maw_emptied")
    return ()


@test(EMPTY_MAW)
def would_empty_maw(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The maw isn't empty."""
    return any(s.maw)


@flow(TAKE_RESOURCES)
def resolve_take_resources(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """Choose another player who has tokens and take n of own choice, all if there are fewer."""
    victims = sorted(q for q in others(s, p) if any(s.stock[q]))
    if not victims:
        return
    victim = victims[0]
    if len(victims) > 1:
        choice: int = yield Choose(p, "rob", [FROM.first + q for q in victims], source=effect.source, rule="omens")
        victim = choice - FROM.first
    taken: list[int] = yield from choose_tokens(p, s.stock[victim], effect.n, "rob_tokens", effect.source, "omens")
    for kind in KINDS:
        if taken[kind]:
            s.stock[victim][kind] -= taken[kind]
            s.stock[p][kind] += taken[kind]
            s.tell("robbed", seat=p, seat_2=victim, resource=kind, n=taken[kind])


@test(TAKE_RESOURCES)
def would_take_resources(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Another player has a token."""
    return any(any(s.stock[q]) for q in others(s, p))


# -- choices, markers -------------------------------------------------------------------------------------------------


@flow(CHOOSE)
def resolve_choose(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ SP/Geschenk and the like. Pick one option that is possible, pay its cost, run its effects."""
    hand = s.omens[p]
    possible = [index for index, option in enumerate(effect.options) if is_possible(s, p, option, hand)]
    if not possible:
        return
    picked = possible[0]
    if len(possible) > 1:
        options = [OPTION.first + index for index in possible]
        choice: int = yield Choose(p, "option", options, source=effect.source, rule="places")
        picked = choice - OPTION.first
    option = effect.options[picked]
    yield from pay_cost(s, p, option.cost, effect.source)
    yield from run_effects(s, p, option.effects, must=True)


@test(CHOOSE)
def would_choose(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """An option is possible."""
    for option in effect.options:
        if not option.cost.is_free and not can_pay(s, p, option.cost, hand):
            continue
        if TESTS[option.first.verb](s, p, option.first, hand):
            return True
    return False


@flow(CLAIM_START)
def resolve_claim_start(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """§ Startspieler. Claim the start marker; it moves at the end of the round."""
    s.claimant = p
    s.tell("claimed", seat=p)
    return ()


test(CLAIM_START)(always)


@flow(RAISE_MULTIPLIER)
def resolve_raise_multiplier(s: WutakiState, p: int, effect: Effect, must: bool) -> Rest:
    """§ Meister der Intelligenz. The marker moves up, to the last position at most."""
    s.multiplier[p] = min(s.multiplier[p] + effect.n, len(masterboard(s, p).multiplier) - 1)
    s.tell("multiplier", seat=p, n=masterboard(s, p).multiplier[s.multiplier[p]])
    return ()


@test(RAISE_MULTIPLIER)
def would_raise_multiplier(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The marker isn't on the last position."""
    return s.multiplier[p] < len(masterboard(s, p).multiplier) - 1
