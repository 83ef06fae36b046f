"""Laws of secrecy: nobody learns undeclared information, neither from a view nor indirectly.

A viewer *sees* everything that leaves the engine for it: view, decision, choices, log, record.
Twins are two positions of the same information set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from atoll.bots import Bot, bot, bot_names
from atoll.engine import PUBLIC, Game, Position, SeatView, State
from atoll.engine import save as saves
from atoll.engine import view as views
from atoll.engine.determinization import determinize, hidden_slots, sort_unordered_zones
from atoll.engine.state import declarations, may_know

from .cases import Case
from .laws import answer_sealed
from .play import (
    BrokenLaw,
    Effort,
    Law,
    checkpoint_state,
    difference,
    moments_and_end,
    moments_at,
    must_be_equal,
    offered,
    play_steps,
    random_game,
    reload,
    spread_over_labels,
    viewers,
    visible_state,
)


def determinization_keeps_views(case: Case, effort: Effort) -> None:
    """Law 1: check that determinization for a seat doesn't change what it sees.

    The game must also be able to continue from there.
    """
    rng = Random(case.seed)
    played = random_game(case)
    for position in moments_at(case, spread_over_labels(played, range(len(played.applied)), effort.moments, rng)):
        for seat in position.to_move:
            dealt = reload(position)
            for other, answers in dealt.sealed_answers.items():  # determinization drops them
                for _ in answers if other != seat else ():
                    dealt.undo(other)
            before = visible_state(dealt, seat)
            dealt.determinize(seat, rng.randrange(10**6))
            must_be_equal(
                before, visible_state(dealt, seat), f"what seat {seat} sees before and after determinization for it"
            )
            play_steps(dealt.fork(case.seed), rng, effort.steps)


Twins = tuple[Position, Position]
Check = Callable[[Twins, int, Random], None]


def _twin(case: Case, state: State, viewer: int | None, rng: Random) -> State | None:
    """Return a state that differs only in something that the viewer doesn't know.

    Two cards with equal backs are swapped. Sometimes, for a seat, the state is determinized
    instead.

    Args:
        case: The case.
        state: The state; it isn't changed.
        viewer: The viewing seat, or None for a spectator.
        rng: Source of random numbers.

    Returns:
        The state; None if the viewer knows everything.
    """
    twin = state.clone()
    if viewer is not None and rng.random() < 0.25:
        determinize(case.game, twin, viewer, rng.randrange(10**6))
        return twin
    slots = hidden_slots(case.game, twin, viewer)
    backs = [back for back, places in slots.items() if len({zone[index] for zone, index in places}) > 1]
    if not backs:
        return None
    places = slots[rng.choice(sorted(backs))]
    zone, index = rng.choice(places)
    others = [place for place in places if place[0][place[1]] != zone[index]]
    far = [place for place in others if place[0] is not zone]
    zone_2, index_2 = rng.choice(far or others)
    zone[index], zone_2[index_2] = zone_2[index_2], zone[index]
    sort_unordered_zones(twin)
    return twin


def _table(case: Case, state: State, viewer: int | None) -> dict[str, Any]:
    """Return the view of a state, with the derived view."""
    fields = declarations(case.game.state_type)
    shown: dict[str, Any] = {name: views.view_field(state, name, each, viewer) for name, each in fields}
    shown["live"] = case.game.derived_view(state, viewer)
    return shown


def _walk_twins(case: Case, effort: Effort, check: Check) -> None:
    """Play twins with the same choices, and check them at each decision of the viewer.

    Everything that a viewer learns must be in its log. Twins that look different with equal logs
    are a leak. If the logs differ, the rules have revealed the secret, and the walk ends.
    """
    played = random_game(case)
    rng = Random(case.seed)
    for position in moments_at(case, rng.sample(played.checkpoints, min(effort.twins, len(played.checkpoints)))):
        state = checkpoint_state(position)
        for viewer in rng.sample(viewers(position), 2):
            twin = _twin(case, state, viewer, rng)
            if twin is None:
                continue
            must_be_equal(_table(case, state, viewer), _table(case, twin, viewer), f"twin tables, seen by {viewer}")
            first = Position(case.game, state.clone(), position.options, None)
            second = Position(case.game, twin, position.options, None)
            _walk_pair((first, second), viewer, effort, check, rng)


def _walk_pair(twins: Twins, viewer: int | None, effort: Effort, check: Check, rng: Random) -> None:
    """Play a pair of twins with the same choices, and check it at each decision of the viewer.

    Args:
        twins: The pair of positions.
        viewer: The viewing seat, or None for a spectator.
        effort: The effort.
        check: Check of a pair of positions.
        rng: Source of random numbers.

    Raises:
        BrokenLaw: If the viewer can distinguish the twins with equal logs.
    """
    for _ in range(effort.steps):
        one, two = (visible_state(each, viewer) for each in twins)
        found = difference(one, two)
        if found:
            if any(each.over for each in twins) or difference(one["log"], two["log"]):
                return
            raise BrokenLaw(f"{viewer} can distinguish twins with equal logs: {found}")
        if twins[0].over:
            return
        if viewer is not None and viewer in twins[0].to_move:
            check(twins, viewer, rng)
        if not _answer_both(twins, rng):
            return


def _answer_both(twins: Twins, rng: Random) -> bool:
    """Apply the same answer to both twins, a sealed decision of one seat to its end.

    Args:
        twins: The pair of positions.
        rng: Source of random numbers.

    Returns:
        False if the same answer isn't possible.
    """
    one, two = twins
    seat = rng.choice(one.to_move) if one.to_move else None
    sealed = one.sealed
    sequence = one.sequence
    while True:
        outcomes = one.outcomes() if seat is None else dict.fromkeys(offered(one, seat), 1)
        allowed = set(two.outcomes() if seat is None else two.legal_choices(seat))
        common = [choice for choice in outcomes if choice in allowed]
        if not common:
            return False
        choice = rng.choices(common, [outcomes[each] for each in common])[0]
        one.apply(choice, seat)
        two.apply(choice, seat)
        goes_on = [each.sealed and each.sequence == sequence and seat in each.to_move for each in twins]
        if not sealed or not any(goes_on):
            return True
        if not all(goes_on):
            return False


def secrets_are_in_the_state_only(case: Case, effort: Effort) -> None:
    """Law 2: check that twins are determinized to the same state and continue equally.

    Otherwise a secret is somewhere that determinization doesn't reach: in a local variable of a
    coroutine, in the choices, or in a derived field.
    """
    _walk_twins(case, effort, lambda twins, viewer, rng: _determinize_twins(twins, viewer, rng, effort))


def _determinize_twins(twins: Twins, viewer: int, rng: Random, effort: Effort) -> None:
    """Compare twins that are determinized with the same seed, now and after the same choices."""
    seed = rng.randrange(10**6)
    one, two = (each.fork(seed) for each in twins)
    one.determinize(viewer, seed)
    two.determinize(viewer, seed)
    what = f"twins determinized for seat {viewer}"
    for _ in range(effort.steps):
        must_be_equal(saves.encode_state(one.state), saves.encode_state(two.state), what)
        must_be_equal([one.to_move, one.over], [two.to_move, two.over], f"{what}, who is to move")
        if one.over:
            return
        seat = rng.choice(one.to_move)
        must_be_equal(one.legal_choices(seat), two.legal_choices(seat), f"{what}, options")
        choice = rng.choice(one.legal_choices(seat))
        one.apply(choice, seat)
        two.apply(choice, seat)
        what = f"twins determinized for seat {viewer}, and continued with the same choices"


MOST_VARIED: Final = 2  # seats of a sealed decision that are varied; a few are enough because seats are equal
MOST_VIEWERS: Final = 3  # viewers of each
MOST_OPTIONS: Final = 16  # with more choices, bots that try all are too slow
ITERATIONS: Final = 2
NO_LIMIT: Final = 3600.0  # seconds; the clock must not stop a bot


def bots_of(game: Game) -> Mapping[str, Bot]:
    """Return all bots of a game; searching ones with few iterations."""
    return {name: bot(game, name, iterations=ITERATIONS) for name in bot_names(game)}


def bots_choose_the_same_for_twins(
    case: Case, effort: Effort, bots: Callable[[Game], Mapping[str, Bot]] = bots_of
) -> None:
    """Law 3: check that a bot with the same seed chooses the same for twins.

    Args:
        case: The case.
        effort: The effort.
        bots: Function that returns the bots of a game by name.

    Raises:
        BrokenLaw: If the choices differ.
    """
    players = bots(case.game)

    def _check(twins: Twins, viewer: int, rng: Random) -> None:
        if len(twins[0].legal_choices(viewer)) > MOST_OPTIONS:
            return
        seed = rng.randrange(10**6)
        name = rng.choice(list(players))
        one, two = (players[name].choose(SeatView(each, viewer), NO_LIMIT, seed) for each in twins)
        must_be_equal(one, two, f"what bot {name!r} chooses for twins")

    _walk_twins(case, effort, _check)


def secret_answers_show_nothing(case: Case, effort: Effort) -> None:
    """Check that the value of a secret answer makes no difference to seats outside its audience.

    Only an answer that `reveals` something may make a difference, and then the log must differ.
    """
    played = random_game(case)
    rng = Random(case.seed)
    for position in moments_at(case, spread_over_labels(played, played.secrets, effort.moments, rng)):
        if position.sealed:
            _vary_sealed(position, rng)
        else:
            _vary_answer(position, rng)


def _vary_answer(position: Position, rng: Random) -> None:
    """Compare two answers to a secret decision or chance event."""
    seat = position.to_move[0] if position.to_move else None
    chance = position.pending_chance
    audience = chance.audience if chance else position.decision(position.to_move[0]).audience
    reveals = not chance and position.decision(position.to_move[0]).reveals
    beside = () if chance else position.decision(position.to_move[0]).side_choices
    options = list(position.outcomes()) if chance else position.legal_choices(position.to_move[0])
    options = [each for each in options if each not in beside]
    if audience == PUBLIC or len(options) < 2:
        return
    twins = (reload(position), reload(position))
    for each, choice in zip(twins, rng.sample(options, 2), strict=True):
        each.apply(choice, seat)
    for viewer in viewers(position):
        if viewer is None or (viewer != seat and not may_know(audience, viewer)):
            what = f"after {position.text(options[0]).split()[0]!r}, secret to {viewer}"
            _must_look_alike(twins, viewer, what, reveals)


def _vary_sealed(position: Position, rng: Random) -> None:
    """Compare two answers of a seat to a sealed decision, before and after all have answered."""
    plans = {seat: _plan(position, seat, rng) for seat in position.to_move}
    for seat in rng.sample(sorted(plans), min(MOST_VARIED, len(plans))):
        plan, other = plans[seat], _plan(position, seat, rng)
        if other.answers == plan.answers:
            continue
        closed = (reload(position), reload(position))
        opened = (reload(position), reload(position))
        for number, varied in enumerate((plan, other)):
            closed[number].apply(varied.answers, seat)
            for who, given in plans.items():
                opened[number].apply(varied.answers if who == seat else given.answers, who)
        for viewer in rng.sample(viewers(position), min(MOST_VIEWERS, position.seats)):
            if viewer == seat:
                continue
            if len(plans) > 1:
                one, two = (visible_state(each, viewer) for each in closed)
                must_be_equal(one, two, f"{viewer} sees sealed answers of seat {seat}")
            if plan.known_to(viewer) == other.known_to(viewer):
                what = f"sealed answers of seat {seat}, secret to {viewer}"
                _must_look_alike(opened, viewer, what, plan.reveals or other.reveals)


@dataclass
class _SealedAnswers:
    """The answers of a seat to a sealed decision.

    Attributes:
        answers: The answers in order.
        audiences: The audience of each answer.
        reveals: Whether any of them reveals something.
    """

    answers: list[int]
    audiences: list[int]
    reveals: bool

    def known_to(self, viewer: int | None) -> list[int]:
        """Return the answers that a viewer may know."""
        pairs = zip(self.answers, self.audiences, strict=True)
        return [choice for choice, audience in pairs if may_know(audience, viewer)]


def _plan(position: Position, seat: int, rng: Random) -> _SealedAnswers:
    """Return random answers of a seat to the open sealed decision."""
    answers = answer_sealed(reload(position), seat, rng)
    tried = reload(position)
    audiences = []
    reveals = False
    for choice in answers:
        audiences.append(tried.decision(seat).audience_of(choice))
        reveals = reveals or tried.decision(seat).reveals
        tried.apply(choice, seat)
    return _SealedAnswers(answers, audiences, reveals)


def _must_look_alike(twins: Twins, viewer: int | None, what: str, reveals: bool) -> None:
    """Check that a viewer sees the same in both twins.

    Exceptions are the end of a game, and counts that are declared public. If answers reveal
    something, the logs may differ, but not the records of answers.
    """
    if any(each.over for each in twins):
        return
    one, two = (visible_state(each, viewer) for each in twins)
    if reveals:
        must_be_equal(one["record"], two["record"], what)
        if difference(one["log"], two["log"]):
            return
    if _counts(one["view"]["state"]) == _counts(two["view"]["state"]):
        must_be_equal(one, two, what)


def _counts(shown: Any) -> list[Any]:
    """Return all counts in a view, in order."""
    if isinstance(shown, dict):
        return [shown["count"]] if "count" in shown else [each for value in shown.values() for each in _counts(value)]
    if isinstance(shown, list):
        return [each for value in shown for each in _counts(value)]
    return []


def all_see_what_is_public(case: Case, effort: Effort) -> None:
    """Check that a view with the shared public part is identical to one encoded alone."""
    for position in moments_and_end(case, effort.moments):
        public = position.public_view()
        for viewer in viewers(position):
            both = position.view(viewer), position.json_view(viewer, public)
            alone, together = (msgspec.json.encode(each).decode() for each in both)
            must_be_equal(alone, together, f"the view of {viewer} alone, and with what all see alike")


LAWS: Final[tuple[Law, ...]] = (
    all_see_what_is_public,
    determinization_keeps_views,
    secrets_are_in_the_state_only,
    bots_choose_the_same_for_twins,
    secret_answers_show_nothing,
)
