"""Laws of the rules and the engine, for every game.

Each law is a function of a case and an effort that raises `BrokenLaw`. The laws of secrecy are in
`secrecy_laws.py`. `test_planted.py` shows for each law that it finds a planted fault.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from atoll.engine import (
    AtollError,
    NothingToUndo,
    Position,
    TurnDraft,
    record,
)
from atoll.engine import save as saves
from atoll.engine.state import declarations

from .cases import Case
from .play import (
    BrokenLaw,
    Effort,
    Law,
    checkpoint_state,
    difference,
    finished,
    full_knowledge,
    moments,
    moments_and_end,
    moments_at,
    must_be_equal,
    offered,
    play_steps,
    random_game,
    reload,
    spread_over_labels,
    step,
    viewers,
)

MOST_CHECKPOINTS: Final = 40
"""Maximum number of positions that a law checks per game."""
NO_CHOICES: Final[tuple[Any, ...]] = (-1, 10**9, True, 1.5, "pass", None, [])


def random_play_ends(case: Case, effort: Effort) -> None:
    """Check that a random game ends within `game.max_answers`, without errors."""
    random_game(case)
    if not finished(case).over:
        raise BrokenLaw("the same answers end the game the first time, but not the second time")


def offers_can_be_made(case: Case, effort: Effort) -> None:
    """Check that every offered choice can be made, and that the game continues from there."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        for seat in position.to_move:
            options = offered(position, seat)
            for choice in rng.sample(options, min(effort.choices, len(options))):
                tried = position.fork(rng.randrange(1000))
                try:
                    tried.apply(choice, seat)
                except AtollError as error:
                    raise BrokenLaw(f"{position.text(choice)!r} is offered to seat {seat}, but: {error}") from error
                play_steps(tried, rng, effort.steps)


def components_are_conserved(case: Case, effort: Effort) -> None:
    """Check that the component counts are equal at all checkpoints and after determinization."""
    game = case.game
    counted: dict[str, int] | None = None
    checkpoints = random_game(case).checkpoints
    for position in moments_at(case, checkpoints[:: 1 + len(checkpoints) // MOST_CHECKPOINTS]):
        found = game.component_counts(checkpoint_state(position))
        if not found:
            raise BrokenLaw("the game doesn't count any components")
        counted = counted or found
        must_be_equal(counted, found, f"components after {position.sequence} answers")
    must_be_equal(counted, game.component_counts(finished(case).state), "components at the end")
    for position in moments(case, effort.moments):
        for seat in position.to_move:
            fork = position.fork()
            before = game.component_counts(fork.state)
            fork.determinize(seat, case.seed)
            must_be_equal(before, game.component_counts(fork.state), "components before and after determinization")


def _numbers_in(value: Any) -> Iterator[int]:
    """Yield the numbers in nested lists."""
    if isinstance(value, list):
        for each in value:
            yield from _numbers_in(each)
    elif type(value) is int:
        yield value


def _innermost(value: Any) -> Iterator[list[Any]]:
    """Yield the innermost lists of nested lists."""
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            for each in value:
                yield from _innermost(each)
        else:
            yield value


def declared_bounds_hold(case: Case, effort: Effort) -> None:
    """Check that numbers are within `lo` and `hi` of their field, and lists within `size`."""
    fields = declarations(case.game.state_type)
    numbers = range(len(random_game(case).applied))
    for position in moments_at(case, numbers[:: 1 + len(numbers) // MOST_CHECKPOINTS], end=True):
        for name, visibility in fields:
            value = getattr(position.state, name)
            lo = visibility.lowest
            for number in _numbers_in(value):
                if visibility.hi is not None and not lo <= number <= visibility.hi:
                    raise BrokenLaw(f"{name} holds {number}; declared: {lo} to {visibility.hi}")
            for zone in _innermost(value):
                if visibility.size is not None and len(zone) > visibility.size:
                    raise BrokenLaw(f"{name} holds {len(zone)} elements; declared: {visibility.size} at most")


def _mutable_parts(value: Any) -> Iterator[Any]:
    """Yield all parts of a value that can be changed in place."""
    if isinstance(value, list):
        yield value
        for each in value:
            yield from _mutable_parts(each)
    elif isinstance(value, dict | set | bytearray):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in dataclasses.fields(value):
            yield from _mutable_parts(getattr(value, field.name))


def _names(state_type: Any) -> list[str]:
    """Return the names of the fields of a state."""
    return [field.name for field in dataclasses.fields(state_type)]


def clones_are_complete_and_independent(case: Case, effort: Effort) -> None:
    """Check that all fields of a state are declared, and that `clone` copies and shares none."""
    try:
        declarations(case.game.state_type)
    except TypeError as error:
        raise BrokenLaw(str(error)) from error
    names = _names(case.game.state_type)
    for position in moments_and_end(case, effort.moments):
        state = position.state
        twin = state.clone()
        if twin.events is not None:
            raise BrokenLaw("a clone collects events: clone() must set events to None")
        for name in names:
            if not hasattr(twin, name):
                raise BrokenLaw(f"clone() doesn't copy {name}")
            own, copied = getattr(state, name), getattr(twin, name)
            if own != copied:
                raise BrokenLaw(f"clone() changes {name} from {own} to {copied}")
            apart = {id(each) for each in _mutable_parts(own)}.isdisjoint(id(each) for each in _mutable_parts(copied))
            if not apart:
                raise BrokenLaw(f"clone() shares {name} (or a list in it) with the original")


def states_survive_json(case: Case, effort: Effort) -> None:
    """Check that a state read from its JSON is equal, with derived fields, scores and ranks."""
    game = case.game
    names = _names(game.state_type)
    derived = set(names) - {name for name, _ in declarations(game.state_type)}
    for position in moments_and_end(case, effort.moments):
        state = position.state
        again = saves.decode_state(game.state_type, json.loads(json.dumps(saves.encode_state(state))))
        again.components = game.components
        again.options = position.options
        game.derive(again)
        must_be_equal(saves.encode_state(state), saves.encode_state(again), "state and the same from JSON")
        must_be_equal(position.scores(), game.scores(again), "scores and those of the same table from JSON")
        must_be_equal(position.ranking(), game.ranking(again), "places and those of the same table from JSON")
        if position.sequence == position.checkpoint_sequence:
            for name in derived:
                if getattr(state, name) != getattr(again, name):
                    raise BrokenLaw(f"the derived field {name} isn't what `derive` computes")


def slow_motion(case: Case, effort: Effort) -> None:
    """Check that a game that is saved and loaded many times shows the same and ends the same."""
    played = random_game(case)
    numbers = {0, *spread_over_labels(played, range(1, len(played.applied)), effort.moments * 2, Random(case.seed))}
    straight = case.game.new(case.seats, case.options)
    slow = case.game.new(case.seats, case.options)
    for number, (seat, choice) in enumerate(played.applied):
        if number in numbers:
            saved = straight.save()
            slow = case.game.load(slow.save())
            if slow.save() != saved:
                raise BrokenLaw(f"saved, loaded and saved again: {difference(straight.save_data(), slow.save_data())}")
            if (
                slow.to_move != straight.to_move
                or slow.over != straight.over
                or slow.chance_count != straight.chance_count
            ):
                raise BrokenLaw(f"{straight!r} loads as {slow!r}")
            for viewer in viewers(straight):
                must_be_equal(straight.view(viewer), slow.view(viewer), f"view of {viewer} and the same after loading")
            if straight.pending_chance:
                must_be_equal(list(straight.outcomes().items()), list(slow.outcomes().items()), "outcomes")
        straight.apply(choice, seat)
        slow.apply(choice, seat)
    must_be_equal(straight.save_data(), slow.save_data(), "the end, and the end after all the loading")
    for packed in (
        pickle.loads(pickle.dumps(straight)),  # noqa: S301 - pickled here
        copy.deepcopy(straight),
        copy.copy(straight),
    ):
        must_be_equal(straight.save_data(), packed.save_data(), "the end, and a copy of it")


def forks_are_independent(case: Case, effort: Effort) -> None:
    """Check that positions and their forks don't affect each other.

    Forks of determinized forks, and their determinizations, are forks like any other.
    """
    rng = Random(case.seed)
    forks: list[tuple[Position, dict[str, Any]]] = []
    for position in moments(case, effort.moments):
        before = full_knowledge(position)
        fork = position.fork()
        must_be_equal(before["save"], fork.save_data(), "a position and its fork")
        family = [fork]
        if fork.to_move:
            for seat in rng.sample(fork.to_move, 1):
                dealt = position.fork()
                dealt.determinize(seat, rng.randrange(1000))
                again = dealt.fork()
                must_be_equal(dealt.save_data(), again.save_data(), "a determinized fork and its fork")
                must_be_equal(dealt.view(seat), again.view(seat), "the view of a determinized fork and of its fork")
                again.determinize(seat, rng.randrange(1000))
                must_be_equal(
                    dealt.view(seat), again.view(seat), "the view of a fork, and after another determinization"
                )
                must_be_equal(again.save_data(), reload(again).save_data(), "a determinized fork, and the same loaded")
                family += [dealt, again]
        forks += [(each, saves_of(each)) for each in family]
        for each in family:
            played = each.fork(case.seed)
            play_steps(played, rng, effort.steps)
        must_be_equal(before, full_knowledge(position), "a position before and after its forks were played")
    for fork, saved in forks:
        must_be_equal(saved, saves_of(fork), "a fork when it was made, and at the end of the game")


def saves_of(position: Position) -> dict[str, Any]:
    """Return the content of a position's save, and its current state."""
    return {"save": position.save_data(), "now": saves.encode_state(position.state)}


def undo_restores(case: Case, effort: Effort) -> None:
    """Check that undoing choices restores the position, one by one.

    A choice can be undone if nothing followed it and it revealed nothing.

    Args:
        case: The case.
        effort: The effort.

    Raises:
        BrokenLaw: If undoing a choice fails, succeeds after a reveal, or doesn't restore the
            position.
    """
    rng = Random(case.seed)
    for origin in moments(case, effort.moments):
        if not origin.to_move:
            continue
        position = reload(origin)
        seat = rng.choice(position.to_move)
        before: list[dict[str, Any]] = []
        while seat in position.to_move and len(before) < effort.choices:
            now, answers = (
                full_knowledge(position),
                len(position.sealed_answers.get(seat, ())) if position.sealed else None,
            )
            reveals = position.decision(seat).reveals
            position.apply(rng.choice(offered(position, seat)), seat)
            if reveals and answers is None:
                before = []
                try:
                    position.undo(seat)
                except NothingToUndo:
                    continue
                raise BrokenLaw(f"seat {seat} can undo a choice that revealed something")
            if answers is not None and len(position.sealed_answers.get(seat, ())) != answers + 1:
                before = []  # all answers are revealed: nothing up to here can be undone
                break
            before.append(now)
        for now in reversed(before):
            try:
                position.undo(seat)
            except NothingToUndo as error:
                raise BrokenLaw(f"nothing followed the last choice of seat {seat}, but: {error}") from error
            must_be_equal(now, full_knowledge(position), "before a choice and after taking it back")


def _without_set_choices(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the choices of a set, in which a turn draft differs from the rules.

    A draft offers all members that still fit, the rules only the next ones.
    """
    decision = view["decision"]
    if decision and "set" in decision:
        return {**view, "decision": {**decision, "options": []}}
    return view


def turn_drafts_change_nothing(case: Case, effort: Effort) -> None:
    """Check that a turn draft changes nothing until it is confirmed, and can be undone."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        if not position.to_move:
            continue
        seat = rng.choice(position.to_move)
        before = full_knowledge(position)
        draft = TurnDraft(position, seat)
        views = [draft.view()]
        must_be_equal(
            _without_set_choices(position.view(seat)),
            _without_set_choices(views[0]),
            "the view and that of a turn begun",
        )
        while draft.open and (draft.picked or len(draft.inputs) < effort.steps):
            draft.add(rng.choice(draft.legal()))
            views.append(draft.view())
        must_be_equal(before, full_knowledge(position), "a position before and after a turn was staged")
        confirmed = reload(position)
        confirmed.apply(draft.choices, seat)
        if not position.sealed:
            must_be_equal(
                _without_set_choices(views[-1]),
                _without_set_choices(confirmed.view(seat)),
                "a staged turn, and the same confirmed",
            )
        for expected in reversed(views[:-1]):
            draft.undo()
            must_be_equal(expected, draft.view(), "a staged turn before a choice and after taking it back")


def views_say_all_their_seat_knows(case: Case, effort: Effort) -> None:
    """Check that equal views offer equal choices, and continue equally after determinization."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        seen: dict[str, Position] = {}
        for _ in range(2 * effort.twins):
            for fork, seat in _answered_since(position, effort.steps, rng):
                view = json.dumps({**fork.view(seat), "sequence": 0})
                twin = seen.setdefault(view, fork)
                if twin is not fork:
                    _must_go_on_alike(twin, fork, seat, rng, effort)


def _answered_since(position: Position, steps: int, rng: Random) -> Iterator[tuple[Position, int]]:
    """Yield positions of a random continuation in the segment, each with a seat that is asked."""
    walked = position.fork()
    start = walked.checkpoint_sequence
    for _ in range(steps):
        if walked.over or walked.checkpoint_sequence != start:
            return
        if walked.pending_chance:
            walked.apply(rng.choice(list(walked.outcomes())))
            continue
        seat = rng.choice(walked.to_move)
        yield walked.fork(), seat
        walked.apply(rng.choice(offered(walked, seat)), seat)


def _must_go_on_alike(one: Position, two: Position, seat: int, rng: Random, effort: Effort) -> None:
    """Check that two positions with the same view offer the same and continue equally."""
    prompt = one.decision(seat).prompt
    must_be_equal(
        one.legal_choices(seat), two.legal_choices(seat), f"what is offered at {prompt!r} to a seat that sees the same"
    )
    seed = rng.randrange(1000)
    for choice in rng.sample(one.legal_choices(seat), min(effort.choices, len(one.legal_choices(seat)))):
        ends = []
        for each in (one, two):
            guess = each.fork(seed)
            guess.determinize(seat, seed)
            guess.apply(choice, seat)
            ends.append({**guess.view(None), "sequence": 0})
        what = f"what follows {one.text(choice)!r} at {prompt!r} for a seat that sees the same"
        must_be_equal(ends[0], ends[1], what)


def refusals_change_nothing(case: Case, effort: Effort) -> None:
    """Check that each invalid call raises an AtollError and leaves the position unchanged."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        before = full_knowledge(position)
        for seat in (*range(position.seats), position.seats, -1, None):
            asked = seat in position.to_move or (seat is None and position.pending_chance is not None)
            for choice in (*NO_CHOICES, rng.randrange(case.game.vocabulary.size)):
                if asked and choice in _allowed(position, seat):
                    continue
                _must_refuse(position, choice, seat)
            if asked and seat is not None:
                _must_refuse(position, [rng.choice(position.legal_choices(seat)), -1], seat)
        must_be_equal(before, full_knowledge(position), "a position before and after calls that were refused")
    end = finished(case)
    for seat in (0, None):
        _must_refuse(end, 0, seat)


def _allowed(position: Position, seat: int | None) -> list[int]:
    """Return the legal choices of a seat, or the outcomes of chance."""
    return list(position.outcomes()) if seat is None else position.legal_choices(seat)


def _must_refuse(position: Position, choice: Any, seat: int | None) -> None:
    """Check that a call is refused with a message.

    Args:
        position: The position.
        choice: The choice that must be refused.
        seat: The seat, or None.

    Raises:
        BrokenLaw: If it isn't.
    """
    try:
        position.apply(choice, seat)
    except AtollError as error:
        if not str(error):
            raise BrokenLaw(f"{choice!r} of {seat} is refused without a reason") from error
        return
    raise BrokenLaw(f"{choice!r} of {seat} isn't refused")


def order_of_sealed_answers_is_irrelevant(case: Case, effort: Effort) -> None:
    """Check that the order of answers to a sealed decision makes no difference."""
    played = random_game(case)
    for position in moments_at(case, spread_over_labels(played, played.sealed, effort.moments, Random(case.seed))):
        answers = {seat: answer_sealed(reload(position), seat, Random(seat)) for seat in position.to_move}
        outcomes = []
        for order in (list(answers), list(reversed(answers)), [*answers, *answers]):
            tried = reload(position)
            for number, seat in enumerate(order):
                for choice in answers[seat]:
                    tried.apply(choice, seat)
                if number < len(order) - len(answers):  # this seat will start again
                    if not tried.sealed_answers.get(seat):
                        break
                    for _ in answers[seat]:
                        tried.undo(seat)
            else:
                outcomes.append(full_knowledge(tried))
        for each in outcomes[1:]:
            must_be_equal(outcomes[0], each, "a sealed decision answered in one order, and in another")


def answer_sealed(position: Position, seat: int, rng: Random) -> list[int]:
    """Answer the open sealed decision of a seat at random, to its end.

    Args:
        position: The position.
        seat: The seat.
        rng: Source of the choices.

    Returns:
        The answers.
    """
    sequence = position.sequence
    answers = []
    while position.sealed and position.sequence == sequence and seat in position.to_move:
        answers.append(rng.choice(offered(position, seat)))
        position.apply(answers[-1], seat)
    return answers


def one_seed_is_one_game(case: Case, effort: Effort) -> None:
    """Check that equal seeds and choices give equal games, also with chance entered by hand."""
    games = []
    for _ in range(2):
        rng = Random(case.seed)
        position = case.game.new(case.seats, case.options, seed=case.seed)
        while not position.over:
            step(position, rng)
        games.append(position)
    must_be_equal(full_knowledge(games[0]), full_knowledge(games[1]), "two games with one seed and the same choices")
    by_hand = case.game.new(case.seats, case.options)
    for number, (who, choice, _) in enumerate(games[0].record or ()):
        record.advance(by_hand, number, who, choice)
    must_be_equal(full_knowledge(games[0]), full_knowledge(by_hand), "chance from a seed, and the same by hand")
    found = record.check(case.game, record.write(games[0]))
    if found:
        raise BrokenLaw(f"the record of a game doesn't replay: {found}")


LAWS: Final[tuple[Law, ...]] = (
    random_play_ends,
    offers_can_be_made,
    components_are_conserved,
    declared_bounds_hold,
    clones_are_complete_and_independent,
    states_survive_json,
    slow_motion,
    forks_are_independent,
    undo_restores,
    turn_drafts_change_nothing,
    views_say_all_their_seat_knows,
    refusals_change_nothing,
    order_of_sealed_answers_is_irrelevant,
    one_seed_is_one_game,
)
