"""What every game must do, whatever it is: each law is a function of a case that raises BrokenLaw.

The laws of secrecy are in secrecy.py. Each law is shown to catch a planted fault in test_planted.py.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import jsonschema_rs

from atoll.engine import (
    AtollError,
    Event,
    Game,
    NothingToUndo,
    Numbers,
    Picks,
    Position,
    Stage,
    WordsError,
    record,
)
from atoll.engine import save as saves
from atoll.engine.state import Visibility, declarations, may_know
from atoll.engine.words import LANGUAGES, Words

from .cases import Case
from .play import (
    BrokenLaw,
    checkpoint_state,
    difference,
    everything,
    finished,
    go_on,
    moments,
    moments_and_end,
    moments_at,
    must_be_equal,
    offered,
    same,
    script,
    spread,
    step,
    viewers,
)


@dataclass(frozen=True)
class Effort:
    """How hard a law looks.

    moments: of a game. options: tried at a moment. steps: answers that are played on. twins: pairs that are compared.
    """

    moments: int = 6
    options: int = 5
    steps: int = 8
    twins: int = 4


Law = Callable[[Case, Effort], None]

MOST_TEXTS: Final = 2000
MOST_CHECKPOINTS: Final = 40
NO_CHOICES: Final[tuple[Any, ...]] = (-1, 10**9, True, 1.5, "pass", None, [])


def random_play_ends(case: Case, effort: Effort) -> None:
    """A random game ends within `game.bound` answers; nobody is asked without options, nothing goes wrong."""
    script(case)
    if not finished(case).over:
        raise BrokenLaw("the same answers end the game once, and once not")


def offers_can_be_made(case: Case, effort: Effort) -> None:
    """Whatever is offered can be chosen, and the game goes on from there."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        for seat in position.to_move:
            options = offered(position, seat)
            for choice in rng.sample(options, min(effort.options, len(options))):
                tried = position.fork(rng.randrange(1000))
                try:
                    tried.apply(choice, seat)
                except AtollError as error:
                    raise BrokenLaw(f"{position.text(choice)!r} is offered to seat {seat}, but: {error}") from error
                go_on(tried, rng, effort.steps)


def components_are_conserved(case: Case, effort: Effort) -> None:
    """What the game counts as its components is the same at every checkpoint, also after a re-deal."""
    game = case.game
    counted: dict[str, int] | None = None
    checkpoints = script(case).checkpoints
    for position in moments_at(case, checkpoints[:: 1 + len(checkpoints) // MOST_CHECKPOINTS]):
        found = game.components(checkpoint_state(position))
        if not found:
            raise BrokenLaw("the game counts no components")
        counted = counted or found
        must_be_equal(counted, found, f"components after {position.sequence} answers")
    must_be_equal(counted, game.components(finished(case).state), "components at the end")
    for position in moments(case, effort.moments):
        for seat in position.to_move:
            fork = position.fork()
            before = game.components(fork.state)
            fork.redeal(seat, case.seed)
            must_be_equal(before, game.components(fork.state), "components before and after a re-deal")


def _numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for each in value:
            yield from _numbers_in(each)
    elif type(value) is int:
        yield value


def _innermost(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            for each in value:
                yield from _innermost(each)
        else:
            yield value


def declared_bounds_hold(case: Case, effort: Effort) -> None:
    """Numbers stay within the `lo` and `hi` of their field, innermost lists within its `size`."""
    fields = declarations(case.game.state_type)
    numbers = range(len(script(case).applied))
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


def _lists(value: Any) -> Iterator[Any]:
    """All parts of a value that could be changed in place."""
    if isinstance(value, list):
        yield value
        for each in value:
            yield from _lists(each)
    elif isinstance(value, dict | set | bytearray):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in dataclasses.fields(value):
            yield from _lists(getattr(value, field.name))


def _names(state_type: Any) -> list[str]:
    """The fields of a state."""
    return [field.name for field in dataclasses.fields(state_type)]


def clones_are_whole_and_apart(case: Case, effort: Effort) -> None:
    """Every field of a state is declared; `clone` copies every one and shares nothing that could be changed."""
    try:
        declarations(case.game.state_type)
    except TypeError as error:
        raise BrokenLaw(str(error)) from error
    names = _names(case.game.state_type)
    for position in moments_and_end(case, effort.moments):
        state = position.state
        twin = state.clone()
        if twin.told is not None:
            raise BrokenLaw("a clone is told events: clone() must set told to None")
        for name in names:
            if not hasattr(twin, name):
                raise BrokenLaw(f"clone() leaves out {name}")
            own, copied = getattr(state, name), getattr(twin, name)
            if own != copied:
                raise BrokenLaw(f"clone() makes of {name} {own} {copied}")
            apart = {id(each) for each in _lists(own)}.isdisjoint(id(each) for each in _lists(copied))
            if not apart:
                raise BrokenLaw(f"clone() shares {name} (or a list in it) with the original")


def states_survive_json(case: Case, effort: Effort) -> None:
    """A state written as JSON and read again is the same, and so are its derived fields, scores and places."""
    game = case.game
    names = _names(game.state_type)
    derived = set(names) - {name for name, _ in declarations(game.state_type)}
    for position in moments_and_end(case, effort.moments):
        state = position.state
        again = saves.decode_state(game.state_type, json.loads(json.dumps(saves.encode_state(state))))
        again.box = game.box
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
    """Saved and loaded at many moments, the game shows everybody the same and goes on to the same end."""
    played = script(case)
    numbers = {0, *spread(played, range(1, len(played.applied)), effort.moments * 2, Random(case.seed))}
    straight = case.game.new(case.seats, case.options)
    slow = case.game.new(case.seats, case.options)
    for number, (seat, choice) in enumerate(played.applied):
        if number in numbers:
            saved = straight.save()
            slow = case.game.load(slow.save())
            if slow.save() != saved:
                raise BrokenLaw(f"saved, loaded and saved: {difference(straight.save_data(), slow.save_data())}")
            if slow.to_move != straight.to_move or slow.over != straight.over or slow.chances != straight.chances:
                raise BrokenLaw(f"{straight!r} loads as {slow!r}")
            for viewer in viewers(straight):
                must_be_equal(straight.view(viewer), slow.view(viewer), f"view of {viewer} and the same after loading")
            if straight.chance:
                must_be_equal(list(straight.outcomes().items()), list(slow.outcomes().items()), "outcomes")
        straight.apply(choice, seat)
        slow.apply(choice, seat)
    must_be_equal(straight.save_data(), slow.save_data(), "the end, and the end after all the loading")
    for packed in (
        pickle.loads(pickle.dumps(straight)),  # noqa: S301  (our own bytes)
        copy.deepcopy(straight),
        copy.copy(straight),
    ):
        must_be_equal(straight.save_data(), packed.save_data(), "the end, and a copy of it")


def forks_stay_apart(case: Case, effort: Effort) -> None:
    """What happens to a game changes none of its forks, and what happens to a fork neither the game nor other forks.

    Forks of re-dealt forks, and re-deals of those, are forks like any other.
    """
    rng = Random(case.seed)
    kept: list[tuple[Position, dict[str, Any]]] = []
    for position in moments(case, effort.moments):
        before = everything(position)
        fork = position.fork()
        must_be_equal(before["save"], fork.save_data(), "a position and its fork")
        family = [fork]
        if fork.to_move:
            for seat in rng.sample(fork.to_move, 1):
                dealt = position.fork()
                dealt.redeal(seat, rng.randrange(1000))
                again = dealt.fork()
                must_be_equal(dealt.save_data(), again.save_data(), "a re-dealt fork and its fork")
                must_be_equal(dealt.view(seat), again.view(seat), "the view of a re-dealt fork and of its fork")
                again.redeal(seat, rng.randrange(1000))
                must_be_equal(dealt.view(seat), again.view(seat), "the view of a fork, and of it dealt once more")
                must_be_equal(again.save_data(), same(again).save_data(), "a re-dealt fork, and the same loaded")
                family += [dealt, again]
        kept += [(each, saves_of(each)) for each in family]
        for each in family:
            played = each.fork(case.seed)
            go_on(played, rng, effort.steps)
        must_be_equal(before, everything(position), "a position before and after its forks were played")
    for fork, saved in kept:
        must_be_equal(saved, saves_of(fork), "a fork when it was made, and at the end of the game")


def saves_of(position: Position) -> dict[str, Any]:
    """What a save of it holds, and the table as it lies now."""
    return {"save": position.save_data(), "now": saves.encode_state(position.state)}


def undo_restores(case: Case, effort: Effort) -> None:
    """A choice can be taken back while nothing followed it, several one by one; all is then as it was before.

    But not what reveals something.
    """
    rng = Random(case.seed)
    for origin in moments(case, effort.moments):
        if not origin.to_move:
            continue
        position = same(origin)
        seat = rng.choice(position.to_move)
        before: list[dict[str, Any]] = []
        while seat in position.to_move and len(before) < effort.options:
            now, answers = everything(position), len(position.sealed_answers.get(seat, ())) if position.sealed else None
            reveals = position.decision(seat).reveals
            position.apply(rng.choice(offered(position, seat)), seat)
            if reveals and answers is None:
                before = []
                try:
                    position.undo(seat)
                except NothingToUndo:
                    continue
                raise BrokenLaw(f"seat {seat} takes back what others have seen")
            if answers is not None and len(position.sealed_answers.get(seat, ())) != answers + 1:
                before = []  # all answers are revealed: nothing up to here can be taken back
                break
            before.append(now)
        for now in reversed(before):
            try:
                position.undo(seat)
            except NothingToUndo as error:
                raise BrokenLaw(f"nothing followed the last choice of seat {seat}, but: {error}") from error
            must_be_equal(now, everything(position), "before a choice and after taking it back")


def _in_any_order(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what a stage offers otherwise than the rules: all of a set that still fits, not what is next."""
    decision = view["decision"]
    if decision and "set" in decision:
        return {**view, "decision": {**decision, "options": []}}
    return view


def staging_is_trying(case: Case, effort: Effort) -> None:
    """A staged turn changes nothing; confirmed, it is what its seat saw; taken back, it is as before."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        if not position.to_move:
            continue
        seat = rng.choice(position.to_move)
        before = everything(position)
        stage = Stage(position, seat)
        views = [stage.view()]
        must_be_equal(_in_any_order(position.view(seat)), _in_any_order(views[0]), "the view and that of a turn begun")
        while stage.open and (stage.picked or len(stage.clicks) < effort.steps):
            stage.add(rng.choice(stage.legal()))
            views.append(stage.view())
        must_be_equal(before, everything(position), "a position before and after a turn was staged")
        confirmed = same(position)
        confirmed.apply(stage.choices, seat)
        if not position.sealed:
            must_be_equal(
                _in_any_order(views[-1]), _in_any_order(confirmed.view(seat)), "a staged turn, and the same confirmed"
            )
        for expected in reversed(views[:-1]):
            stage.undo()
            must_be_equal(expected, stage.view(), "a staged turn before a choice and after taking it back")


def sets_are_picked_in_any_order(case: Case, effort: Effort) -> None:
    """Every set that the rules allow can be clicked in every order, and what is clicked is a set that they allow."""
    rng = Random(case.seed)
    for position in moments(case, 2 * effort.moments):
        for seat in position.to_move:
            picks = position.decision(seat).picks
            if picks is None:
                continue
            for _ in range(effort.options):
                straight, picked = _picked_as_asked(position, seat, rng)
                for clicks in _orders(picked, picks, rng):
                    _must_pick(position, seat, clicks, straight)
                _must_be_allowed(position, seat, rng)


def _picked_as_asked(position: Position, seat: int, rng: Random) -> tuple[Position, list[int]]:
    """A random set, made as the rules ask for it: the position after it, and what was picked."""
    straight = position.fork()
    straight._hold = True
    picks = straight.decision(seat).picks
    picked: list[int] = []
    while seat in straight.to_move:
        ask = straight.decision(seat)
        if picks is None or ask.picks is not picks:
            break
        choice = rng.choice(list(ask.options))
        picked = list(picks.picked)
        straight.apply(choice, seat)
        if choice == picks.end:
            return straight, picked
    return straight, [] if picks is None else list(picks.picked)


def _orders(picked: Sequence[int], picks: Picks, rng: Random) -> Iterator[list[int]]:
    """Some orders of what was picked and had not been before; what the set leaves in order stays so."""
    left = list((Counter(picked) - Counter(picks.picked)).elements())
    order = picks.order or int
    left.sort(key=lambda each: (order(each), picked.index(each)))
    yield left
    yield sorted(left, key=order, reverse=True)
    mixed = rng.sample(left, len(left))
    equal = {key: iter([each for each in left if order(each) == key]) for key in map(order, left)}
    yield [next(equal[order(each)]) for each in mixed]


def _must_pick(position: Position, seat: int, clicks: Sequence[int], straight: Position) -> None:
    text = [position.text(each) for each in clicks]
    stage = Stage(position, seat)
    picks = stage.picks
    assert picks is not None
    try:
        for each in clicks:
            if not stage.choices:
                stage.add(each)
        if not stage.choices:
            stage.add(picks.end)
    except AtollError as error:
        raise BrokenLaw(f"the set {text} of {position.decision(seat).prompt!r} can't be clicked so: {error}") from error
    must_be_equal(everything(straight), everything(stage.position), f"a set as it is asked for, and clicked as {text}")


def _must_be_allowed(position: Position, seat: int, rng: Random) -> None:
    """Clicks and drops at random come to an end that the rules allow."""
    stage = Stage(position, seat)
    try:
        while not stage.choices:
            droppable = stage.droppable()
            drop = droppable and (rng.random() < 0.2 or not stage.legal())
            before, clicks = list(stage.picked), list(stage.clicks)
            if not drop:
                stage.add(rng.choice(stage.legal()))
                continue
            click = rng.choice(droppable)
            stage.drop(click)
            if Counter(before) - Counter(stage.picked) != Counter([click]):
                raise BrokenLaw(f"{position.text(click)!r} was to be dropped from {clicks}, left are {stage.clicks}")
        position.fork().apply(stage.choices, seat)
    except AtollError as error:
        raise BrokenLaw(f"clicked {stage.clicks}, asked for as {stage.choices}: {error}") from error


def views_say_all_their_seat_knows(case: Case, effort: Effort) -> None:
    """Where a seat sees the same, it is offered the same, and the game goes on alike under the same guess."""
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
    """Moments of a random way on from here in the same segment, each with a seat that is asked."""
    walked = position.fork()
    start = walked.checkpoint_sequence
    for _ in range(steps):
        if walked.over or walked.checkpoint_sequence != start:
            return
        if walked.chance:
            walked.apply(rng.choice(list(walked.outcomes())))
            continue
        seat = rng.choice(walked.to_move)
        yield walked.fork(), seat
        walked.apply(rng.choice(offered(walked, seat)), seat)


def _must_go_on_alike(one: Position, two: Position, seat: int, rng: Random, effort: Effort) -> None:
    prompt = one.decision(seat).prompt
    must_be_equal(one.legal(seat), two.legal(seat), f"what is offered at {prompt!r} to a seat that sees the same")
    seed = rng.randrange(1000)
    for choice in rng.sample(one.legal(seat), min(effort.options, len(one.legal(seat)))):
        ends = []
        for each in (one, two):
            guess = each.fork(seed)
            guess.redeal(seat, seed)
            guess.apply(choice, seat)
            ends.append({**guess.view(None), "sequence": 0})
        what = f"what follows {one.text(choice)!r} at {prompt!r} for a seat that sees the same"
        must_be_equal(ends[0], ends[1], what)


def refusals_change_nothing(case: Case, effort: Effort) -> None:
    """Every call that isn't allowed is refused by an AtollError, and the position is as it was before."""
    rng = Random(case.seed)
    for position in moments(case, effort.moments):
        before = everything(position)
        for seat in (*range(position.seats), position.seats, -1, None):
            asked = seat in position.to_move or (seat is None and position.chance is not None)
            for choice in (*NO_CHOICES, rng.randrange(case.game.vocabulary.size)):
                if asked and choice in _allowed(position, seat):
                    continue
                _must_refuse(position, choice, seat)
            if asked and seat is not None:
                _must_refuse(position, [rng.choice(position.legal(seat)), -1], seat)
        must_be_equal(before, everything(position), "a position before and after calls that were refused")
    end = finished(case)
    for seat in (0, None):
        _must_refuse(end, 0, seat)


def _allowed(position: Position, seat: int | None) -> list[int]:
    return list(position.outcomes()) if seat is None else position.legal(seat)


def _must_refuse(position: Position, choice: Any, seat: int | None) -> None:
    try:
        position.apply(choice, seat)
    except AtollError as error:
        if not str(error):
            raise BrokenLaw(f"{choice!r} of {seat} is refused without a reason") from error
        return
    raise BrokenLaw(f"{choice!r} of {seat} isn't refused")


def order_of_sealed_answers_is_no_matter(case: Case, effort: Effort) -> None:
    """In whatever order the seats answer a sealed decision, and even if they start again: all comes out the same."""
    played = script(case)
    for position in moments_at(case, spread(played, played.sealed, effort.moments, Random(case.seed))):
        answers = {seat: answer_sealed(same(position), seat, Random(seat)) for seat in position.to_move}
        outcomes = []
        for order in (list(answers), list(reversed(answers)), [*answers, *answers]):
            tried = same(position)
            for number, seat in enumerate(order):
                for choice in answers[seat]:
                    tried.apply(choice, seat)
                if number < len(order) - len(answers):  # this seat will start again
                    if not tried.sealed_answers.get(seat):
                        break
                    for _ in answers[seat]:
                        tried.undo(seat)
            else:
                outcomes.append(everything(tried))
        for each in outcomes[1:]:
            must_be_equal(outcomes[0], each, "a sealed decision answered in one order, and in another")


def answer_sealed(position: Position, seat: int, rng: Random) -> list[int]:
    """A seat's random answers to the open sealed decision, to its end; gives them."""
    sequence = position.sequence
    answers = []
    while position.sealed and position.sequence == sequence and seat in position.to_move:
        answers.append(rng.choice(offered(position, seat)))
        position.apply(answers[-1], seat)
    return answers


def one_seed_is_one_game(case: Case, effort: Effort) -> None:
    """With the same seed and choices the game is the same; so it is if the same chance is entered by hand."""
    games = []
    for _ in range(2):
        rng = Random(case.seed)
        position = case.game.new(case.seats, case.options, seed=case.seed)
        while not position.over:
            step(position, rng)
        games.append(position)
    must_be_equal(everything(games[0]), everything(games[1]), "two games with one seed and the same choices")
    by_hand = case.game.new(case.seats, case.options)
    for number, (who, choice, _) in enumerate(games[0].record or ()):
        record.advance(by_hand, number, who, choice)
    must_be_equal(everything(games[0]), everything(by_hand), "chance from a seed, and the same by hand")
    found = record.check(case.game, record.write(games[0]))
    if found:
        raise BrokenLaw(f"the record of a game doesn't replay: {found}")


def texts_parse_back(case: Case, effort: Effort) -> None:
    """Every choice of the vocabulary has one text, and the text is read as this choice."""
    game = case.game
    size = game.vocabulary.size
    choices: Any = range(size) if size <= MOST_TEXTS else Random(case.seed).sample(range(size), MOST_TEXTS)
    offers = [
        choice
        for position in moments(case, effort.moments)
        for seat in position.to_move
        for choice in position.legal(seat)
    ]
    for choice in offers:
        game.text(choice)
    for choice in (*choices, *offers):
        kind = game.vocabulary.kind_of(choice)
        parts = kind.parts(choice)
        if kind.at(*parts) != choice:
            raise BrokenLaw(f"{kind!r}: {choice} has the parts {parts}, which make {kind.at(*parts)}")
        if not _is_named(game, choice):
            continue
        text = game.text(choice)
        if game.parse(text) != choice:
            raise BrokenLaw(f"choice {choice} is written {text!r}, which is read as {game.parse(text)}")


def _is_named(game: Game, choice: int) -> bool:
    """Whether the Box has all that the choice is about; it may have fewer elements than the game can have."""
    kind = game.vocabulary.kind_of(choice)
    parts = zip(kind.parts(choice), kind.domains, strict=True)
    return all(part < len(game.notation.names(domain.name)) for part, domain in parts)


def scores_are_explained(case: Case, effort: Effort) -> None:
    """Lines sum up to scores, parts to lines; a higher score is a better place; places are counted as 1, 1, 3.

    Who plays alone is first (1) or beaten by the game (2).
    """
    for position in moments_and_end(case, effort.moments):
        scores, places, explained = position.scores(), position.ranking(), position.explain()
        if not len(scores) == len(places) == len(explained) == position.seats:
            raise BrokenLaw(
                f"scores {scores}, places {places}, explained {len(explained)}: one for each seat is needed"
            )
        for seat, lines in enumerate(explained):
            total = sum(line.points for line in lines)
            if total != scores[seat]:
                raise BrokenLaw(f"seat {seat} scores {scores[seat]}, but its lines sum up to {total}")
            for line in lines:
                if line.parts and sum(part.points for part in line.parts) != line.points:
                    raise BrokenLaw(f"line {line.key!r} of seat {seat} has {line.points} points, its parts another sum")
        for one in range(position.seats):
            beaten_alone = places == [2]
            if places[one] != 1 + sum(other < places[one] for other in places) and not beaten_alone:
                raise BrokenLaw(f"places {places}: tied seats share a place, and the next place is left out")
            for two in range(position.seats):
                if scores[one] > scores[two] and places[one] >= places[two]:
                    raise BrokenLaw(f"scores {scores}, places {places}: the higher score must be the better place")


def amounts_stay_below_their_bound(case: Case, effort: Effort) -> None:
    """No amount on offer is the greatest that its kind knows: the documented bound is never in the way."""
    kinds = []
    for kind in case.game.vocabulary.kinds:
        for index, domain in enumerate(kind.domains):
            if not kind.is_chance and isinstance(domain, Numbers) and "amount" in domain.name:
                kinds.append((kind, index, domain))
    if not kinds:
        return
    for position in moments_at(case, range(len(script(case).applied))):
        for seat in position.to_move:
            for choice in position.legal(seat):
                for kind, index, domain in kinds:
                    if choice in kind and kind.parts(choice)[index] == domain.size - 1:
                        raise BrokenLaw(
                            f"{position.text(choice)!r} is on offer: {domain.high} is the bound of the kind"
                        )


@lru_cache(maxsize=32)
def _validator(game: Game) -> Any:
    return jsonschema_rs.validator_for(game.view_schema())


def views_are_what_they_should_be(case: Case, effort: Effort) -> None:
    """A view is plain data that fits the game's schema, and no field shows more than its declaration allows."""
    validator = _validator(case.game)
    for position in moments_and_end(case, effort.moments):
        for viewer in viewers(position):
            view = position.view(viewer)
            try:
                again = json.loads(json.dumps(view))
            except (TypeError, ValueError) as error:
                raise BrokenLaw(f"the view of {viewer} can't be written as JSON: {error}") from error
            if again != view or list(again) != list(view):
                raise BrokenLaw(f"the view of {viewer} isn't plain data")
            for wrong in validator.iter_errors(view):
                where = "/".join(map(str, wrong.instance_path))
                raise BrokenLaw(f"the view of {viewer} doesn't fit the schema: {where}: {wrong.message[:300]}")
            for name, visibility in declarations(case.game.state_type):
                _check_shown(position.state, name, visibility, viewer, view["state"][name])
            if viewer not in position.to_move and (view["decision"] or {}).get("options") is not None:
                raise BrokenLaw(f"{viewer} sees the options of another seat")


def _hidden(value: Any, counted: bool) -> Any:
    return {"count": len(value)} if counted and isinstance(value, list) else None


def _check_shown(s: Any, name: str, visibility: Visibility, viewer: int | None, shown: Any) -> None:
    """What a field shows, against what this test finds in its declaration."""
    value = getattr(s, name)
    if visibility.who == "public" or (visibility.at_end and s.over):
        return
    if visibility.who == "nobody":
        expected: Any = _counts(value, visibility.count)
    elif visibility.who == "known":
        expected = []
        for seat, (cards, masks) in enumerate(zip(value, getattr(s, visibility.masks), strict=True)):
            seen = sorted(card for card, mask in zip(cards, masks, strict=True) if may_know(mask, viewer))
            expected.append(seen if seat == viewer else {"count": len(cards), "known": seen})
    else:
        expected = [
            shown[seat] if seat == viewer else _hidden(each, visibility.count) for seat, each in enumerate(value)
        ]
    if shown != expected:
        raise BrokenLaw(f"{name} shows {viewer} {str(shown)[:200]}; allowed is {str(expected)[:200]}")


def _counts(value: Any, counted: bool) -> Any:
    if counted and value and isinstance(value[0], list):
        return [_counts(each, counted) for each in value]
    return _hidden(value, counted)


def reasons_are_given(case: Case, effort: Effort) -> None:
    """`why_not` has nothing against what is offered, has something against all else, and changes no view."""
    rng = Random(case.seed)
    game = case.game
    words = [Words(game, language) for language in LANGUAGES]
    for position in moments_and_end(case, effort.moments):
        for seat in range(position.seats):
            view = position.view(seat)
            before = json.dumps(view)
            options = position.legal(seat)
            for choice in rng.sample(options, min(effort.options, len(options))):
                reason = game.why_not(view, choice)
                if reason is not None:
                    raise BrokenLaw(f"{position.text(choice)!r} is offered, but why_not says {reason.key!r}")
            for _ in range(effort.options):
                choice = rng.randrange(game.vocabulary.decisions)
                if choice in options or not _is_named(game, choice):
                    continue
                reason = game.why_not(view, choice)
                if reason is None:
                    raise BrokenLaw(f"{position.text(choice)!r} isn't offered, and why_not doesn't say why")
                for each in words:
                    _must_say(each, "reason", each.reason, reason)
                    _must_know_rule(each, reason.rule, position)
            if json.dumps(view) != before:
                raise BrokenLaw("why_not changes the view")


def _must_say(words: Words, what: str, say: Callable[..., str | None], *about: Any) -> None:
    try:
        text = say(*about)
    except (WordsError, LookupError, TypeError) as error:
        raise BrokenLaw(f"{what} in {words.language!r}: {error}") from error
    if text is not None and not text.strip():
        raise BrokenLaw(f"{what} in {words.language!r} is empty")


def _must_know_rule(words: Words, rule: str, at: Position) -> None:
    if rule:
        facts = words.game.rule_facts(words.game.box, at.seats, at.options)
        _must_say(words, f"heading of rule {rule!r}", words.say, f"rule.{rule}.title")
        _must_say(words, f"rule {rule!r}", words.say, f"rule.{rule}", facts)


def all_is_said(case: Case, effort: Effort) -> None:
    """Prompts, choices, log lines for every viewer, scores and rules have their texts in every language."""
    seats = [f"Player {seat}" for seat in range(case.seats)]
    words = [Words(case.game, language, seats) for language in LANGUAGES]
    rng = Random(case.seed)
    for position in moments(case, effort.moments * 2):
        for each in words:
            for seat in position.to_move:
                ask = position.decision(seat)
                _must_say(each, "prompt", each.prompt, ask)
                _must_know_rule(each, ask.rule, position)
                for choice in rng.sample(list(ask.options), min(effort.options, len(ask.options))):
                    _must_say(each, "choice", each.choice, choice)
            if position.chance:
                for choice in list(position.outcomes())[: effort.options]:
                    _must_say(each, "chance", each.choice, choice)
    end = finished(case)
    kinds: dict[tuple[Any, ...], Event] = {(event.key, *event.hidden, *event.fields): event for event in end.events}
    for each in words:
        for event in kinds.values():
            for viewer in viewers(end):
                _must_say(each, f"log {event.key!r}", each.event, event, viewer)
        for lines in end.explain():
            for line in lines:
                _must_say(each, "score", each.score, line)
                _must_know_rule(each, line.rule, end)
                for part in line.parts:
                    _must_say(each, "score", each.score, part)


LAWS: Final[tuple[Law, ...]] = (
    random_play_ends,
    offers_can_be_made,
    components_are_conserved,
    declared_bounds_hold,
    clones_are_whole_and_apart,
    states_survive_json,
    slow_motion,
    forks_stay_apart,
    undo_restores,
    staging_is_trying,
    sets_are_picked_in_any_order,
    views_say_all_their_seat_knows,
    refusals_change_nothing,
    order_of_sealed_answers_is_no_matter,
    one_seed_is_one_game,
    texts_parse_back,
    scores_are_explained,
    amounts_stay_below_their_bound,
    views_are_what_they_should_be,
    reasons_are_given,
    all_is_said,
)
