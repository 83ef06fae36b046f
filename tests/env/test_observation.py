"""The encoded observation contains everything that a seat may know and nothing else.

It is the same for each place of the seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import atoll
from atoll.bots.one_hot import ChoiceAtoms, OneHotEncoder
from atoll.engine import Game, Position, SeatNumbers, observation
from atoll.engine.observation import ArraySpec, ObservationEncoder
from atoll.engine.question_encoder import ANSWERS
from atoll.engine.state import SEAT, Visibility, declarations, field_types
from atoll.env.interface import SpaceCodec

TABLES = [(game, seats) for game in atoll.games for seats in atoll.games[game].seat_counts]
tables = pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game}-{seats}" for game, seats in TABLES])

ENDS = [
    (game, seats)
    for game, seats in TABLES
    if seats in (atoll.games[game].seat_counts[0], atoll.games[game].seat_counts[-1])
]
ends = pytest.mark.parametrize(("game", "seats"), ENDS, ids=[f"{game}-{seats}" for game, seats in ENDS])


def option_sets(game: Game, seats: int, most: int = 4) -> list[dict[str, Any]]:
    """Option sets in which each value of each option comes up, if there are enough."""
    found = game.option_sets(seats)
    return found[:: max(1, len(found) // most)]


def moments(game: Game, seats: int, options: dict[str, Any], seed: int, every: int) -> Iterator[Position]:
    """Moments of one random game at which a seat is asked."""
    position = game.new(seats, options, seed=seed)
    random = Random(seed)
    count = 0
    while not position.over:
        seat = position.to_move[0]
        count += 1
        if count % every == 0:
            yield position
        position.apply(random.choice(position.legal_choices(seat)), seat)


def usual(game: Game) -> ObservationEncoder:
    """With most seats and no option chosen."""
    seats = game.seat_counts[-1]
    return ObservationEncoder(game, seats, game.resolve_options({}, seats))


# -- a slow writer ----------------------------------------------------------------------------------------------------


def slow(position: Position, seat: int) -> dict[str, list[int]]:
    """Return the numbers of an observation by name, made from views.

    They are those of the seat's own view, and those of others that the seat could remember.
    """
    game, seats, state = position.game, position.seats, position.state
    view = position.view(seat)
    shown = view["state"]
    turned = [(seat + step) % seats for step in range(seats)]
    ask = view["decision"] or {}
    about = ask.get("about", {})
    found: dict[str, list[int]] = {
        "to_move": [int(each in view["to_move"]) for each in turned],
        "sealed": [int(view["sealed"])],
        "prompt": [list(game.prompts).index(ask["prompt"]) if ask else -1],
        "prompt_source": [game.sources.index(ask["source"]) if "source" in ask else -1],
    }
    for name in game.placeholders:
        number = int(about.get(name, -1))
        found[f"about_{name}"] = [(number - seat) % seats if name.startswith("seat") and number >= 0 else number]
    own = [turned_choice(game, seats, seat, choice) for who, choice in view["answers"] if who == seat]
    found["answers"] = own[-ANSWERS:]
    for name, visibility in declarations(game.state_type):
        value: Any = shown[name]
        if visibility.who == "derivable":
            value = [position.view(each)["state"][name][each] for each in range(seats)]
        if visibility.who == "nobody":
            if visibility.count:
                found[f"{name}_count"] = [each["count"] for each in (value if isinstance(value, list) else [value])]
            continue
        if visibility.who == "owner":
            single = not isinstance(getattr(state, name)[seat], list)
            found[name] = [value[seat]] if single else numbers(visibility, seats, seat, value[seat])
            if visibility.count and not single:
                found[f"{name}_count"] = [len(getattr(state, name)[each]) for each in turned]
            continue
        if visibility.who == "known":
            cards = [each if isinstance(each, list) else each["known"] for each in (value[other] for other in turned)]
            found[name] = [card for each in cards for card in each]
            found[f"{name}_count"] = [len(getattr(state, name)[each]) for each in turned]
            continue
        first = 0 if visibility.by is None else visibility.by.first
        if visibility.by is not None and len(value) >= first + seats:
            value = value[:first] + [value[first + each] for each in turned] + value[first + seats :]
        rows = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
        flat = [number for row in rows for number in numbers(visibility, seats, seat, row)]
        found[name] = [int(each) for each in flat]
    return found


def numbers(visibility: Visibility, seats: int, seat: int, row: list[int] | int) -> list[int]:
    """The numbers of one list, or the one, seats counted from the viewer."""
    if not isinstance(row, list):
        return numbers(visibility, seats, seat, [row])
    holds = visibility.holds
    if holds is None:
        return list(row)
    if isinstance(holds, tuple):
        pairs = [(holds[index % len(holds)], number) for index, number in enumerate(row)]
        return [number if each is None else each.seen_from(seat, seats, number) for each, number in pairs]
    found = [holds.seen_from(seat, seats, number) for number in row]
    return sorted(found) if holds.mask else found


def turned_choice(game: Any, seats: int, seat: int, choice: int) -> int:
    kind = game.vocabulary.kind_of(choice)
    pairs = zip(kind.domains, kind.parts(choice), strict=True)
    return int(kind.choice(*((part - seat) % seats if domain.name == "seat" else part for domain, part in pairs)))


@tables
def test_it_tells_what_the_view_tells(game: str, seats: int) -> None:
    rules = atoll.games[game]
    for number, options in enumerate(option_sets(rules, seats)):
        interface = SpaceCodec(rules, seats, options)
        out = np.zeros(interface.size, np.int32)
        for position in moments(rules, seats, options, number, every=23):
            for seat in range(seats):
                out[:] = 77  # whatever was there before
                interface.write(position, seat, out)
                assert ((interface.low <= out) & (out <= interface.high)).all()
                expected = slow(position, seat)
                lowest = {piece.name: piece.lowest for piece in interface.pieces}
                for name, part in interface.split(out).items():
                    told = [number for number in part.ravel().tolist() if number >= lowest[name]]
                    assert told == [number for number in expected.pop(name) if number >= lowest[name]], name
                assert not expected


def from_tokens(tokens: np.ndarray[Any, Any], interface: SpaceCodec) -> np.ndarray[Any, Any]:
    """The flat observation that tokens tell of; cards without a place in ascending order."""
    atoms = ChoiceAtoms(interface.game.vocabulary).table
    found = np.zeros(interface.observing.size, np.int32)
    at: list[tuple[ArraySpec, int]] = [(interface.pieces[0], 0)]
    at += [(piece, column) for piece in interface.pieces for column in range(piece.row)]
    assert len(at) == len(interface.zones)
    for piece in interface.pieces:
        found[piece.start : piece.start + piece.size] = piece.low
    said: dict[int, list[int]] = {}
    for zone, seat, component, place, amount in tokens.tolist():
        if not zone:
            assert not (seat or component or place or amount)
            continue
        piece, column = at[zone]
        if piece.choices:
            said.setdefault(place, []).append(component - 1)
            continue
        width = piece.shape[-1] if len(piece.shape) > 1 or piece.by is None else 1
        row = (piece.by or 0) + seat - 1 if seat else 0
        assert not seat or piece.by is not None
        if piece.fixed or piece.row > 1:
            value = component - 1 + piece.lowest if component else amount
            if component and amount != 1:
                assert amount == value
            index = piece.start + row * width + (place - 1) * piece.row + column
            assert found[index] == piece.low
            found[index] = value
        else:
            start = piece.start + (row if seat else max(0, place - 1)) * width
            here = found[start : start + width]
            free = int((here == piece.low).argmax())
            here[free : free + amount] = component - 1 + piece.lowest
    numbers = {tuple(sorted(each for each in row.tolist() if each >= 0)): n for n, row in enumerate(atoms)}
    answers = [numbers[tuple(sorted(said[place]))] for place in sorted(said)]
    piece = next(each for each in interface.pieces if each.choices)
    found[piece.start : piece.start + len(answers)] = answers
    return in_order(found, interface)


def in_order(flat: np.ndarray[Any, Any], interface: SpaceCodec) -> np.ndarray[Any, Any]:
    """A flat observation with the cards that have no place in ascending order, what fills up behind them."""
    for piece in interface.pieces:
        if not (piece.fixed or piece.row > 1 or piece.choices):
            part = flat[piece.start : piece.start + piece.size].reshape(piece.shape)
            part[:] = np.sort(np.where(part < piece.lowest, piece.high + 1, part), axis=-1)
            part[part > piece.high] = piece.low
    return flat


@ends
def test_tokens_tell_what_the_flat_form_tells(game: str, seats: int) -> None:
    """The flat form is decoded from tokens alone; the slow writer has verified it."""
    rules = atoll.games[game]
    for number, options in enumerate(option_sets(rules, seats, most=1)[:1]):
        tokens, flat = (SpaceCodec(rules, seats, options, form=form) for form in ("tokens", "flat"))
        out = np.full(tokens.shape, 77, np.int32)
        for position in moments(rules, seats, options, number, every=29):
            for seat in {position.to_move[0], (position.to_move[0] + 1) % seats}:
                tokens.write(position, seat, out)
                assert ((tokens.low <= out) & (out <= tokens.high)).all()
                assert (np.diff(out[:, 0] > 0).sum()) == 1  # those that are left over stand at the end
                seen = in_order(flat.observe(position, seat)["observation"], flat)
                wrong = flat.split(from_tokens(out, tokens) != seen)
                assert not [name for name, part in wrong.items() if part.any()]


def test_only_tokens_have_zones() -> None:
    with pytest.raises(ValueError, match="a flat observation has no zones"):
        _ = SpaceCodec(atoll.games["atacama"], 2).zones


@ends
def test_tokens_dont_depend_on_the_seat_and_hold_no_secret(game: str, seats: int) -> None:
    rules = atoll.games[game]
    interface = SpaceCodec(rules, seats, form="tokens")
    to_move = interface.zones.index("to_move")
    compared = 0
    for position in moments(rules, seats, {}, 6, every=6 if seats > 1 else 2):
        seat = position.to_move[0]
        guess = position.fork()
        guess.determinize(seat, 9)
        one, two = (interface.observe(each, seat)["observation"] for each in (position, guess))
        if position.sealed:  # a re-deal forgets the others' sealed answers
            one, two = (each[each[:, 0] != to_move] for each in (one, two))
            one, two = (each[: min(len(one), len(two))] for each in (one, two))
        assert (one == two).all()
        if position._history.open.choices or position.sealed_answers:
            continue
        other = renumbered(position)
        compared += 1
        for each in range(seats):
            here = interface.observe(position, each)["observation"]
            assert (here == interface.observe(other, (each + 1) % seats)["observation"]).all()
    assert compared


@tables
def test_playouts_are_seen_like_recorded_games(game: str, seats: int) -> None:
    rules = atoll.games[game]
    interface = SpaceCodec(rules, seats)
    plain, recorded = (rules.new(seats, seed=3, snapshots=snapshots) for snapshots in (False, True))
    random = Random(3)
    for _ in range(150):
        if plain.over:
            break
        if random.random() < 0.05:
            plain = recorded.fork(3, snapshots=False)
            recorded = recorded.fork(3)
        seat = plain.to_move[0]
        one, two = interface.observe(plain, seat), interface.observe(recorded, seat)
        assert all((one[key] == two[key]).all() for key in one)
        choice = random.choice(plain.legal_choices(seat))
        plain.apply(choice, seat)
        recorded.apply(choice, seat)


@tables
def test_it_holds_no_secret(game: str, seats: int) -> None:
    rules = atoll.games[game]
    interface = SpaceCodec(rules, seats)
    for position in moments(rules, seats, {}, 5, every=5):
        seat = position.to_move[0]
        guess = position.fork()
        guess.determinize(seat, 9)
        one, two = (interface.observe(each, seat)["observation"] for each in (position, guess))
        differs = interface.split(one != two)
        if position.sealed:
            del differs["to_move"]  # a re-deal forgets the others' sealed answers
        assert not [name for name, part in differs.items() if part.any()]


# -- seats ------------------------------------------------------------------------------------------------------------


def moved(seated: SeatNumbers, seats: int, number: int) -> int:
    """A number after each player has moved one seat to the left."""
    return seated.seen_from(seats - 1, seats, number) if seats > 1 else number


def renumbered(position: Position) -> Position:
    """The same table with each player one seat further to the left, at the last checkpoint."""
    game, seats = position.game, position.seats
    state = position._history.open.base.clone()
    types = field_types(game.state_type)
    for name, visibility in declarations(game.state_type):
        value = getattr(state, name)

        def inside(each: Any, visibility: Visibility = visibility) -> Any:
            if isinstance(each, list) and each and isinstance(each[0], list):
                return [inside(part) for part in each]
            holds = visibility.holds
            if holds is None:
                return each
            if not isinstance(each, list):
                return moved(holds, seats, each) if isinstance(holds, SeatNumbers) else each
            if isinstance(holds, tuple):
                pairs = [(holds[index % len(holds)], number) for index, number in enumerate(each)]
                return [number if kind is None else moved(kind, seats, number) for kind, number in pairs]
            return [moved(holds, seats, number) for number in each]

        value = inside(value)
        by = visibility.by
        if by is not None and len(value) >= by.first + seats:
            here = value[by.first : by.first + seats]
            value = value[: by.first] + here[-1:] + here[:-1] + value[by.first + seats :]
        assert types[name]
        setattr(state, name, value)
    for name, visibility in declarations(game.state_type):
        if visibility.who == "known":
            for cards, masks in zip(getattr(state, name), getattr(state, visibility.masks), strict=True):
                pairs = sorted(zip(masks, cards, strict=True))
                masks[:] = [mask for mask, _ in pairs]
                cards[:] = [card for _, card in pairs]
    assert isinstance(game, Game)
    return Position(game, state, position.options, None)


@tables
def test_it_doesnt_depend_on_where_the_seat_sits(game: str, seats: int) -> None:
    rules = atoll.games[game]
    compared = 0
    for number, options in enumerate(option_sets(rules, seats, most=2)):
        interfaces = [SpaceCodec(rules, seats, options, actions=actions) for actions in ("vocabulary", "candidates")]
        for position in moments(rules, seats, options, number, every=5):
            if position._history.open.choices or position.sealed_answers or not position.to_move:
                continue
            other = renumbered(position)
            assert sorted((seat + 1) % seats for seat in position.to_move) == list(other.to_move)
            compared += 1
            for seat in range(seats):
                for interface in interfaces:
                    one = interface.observe(position, seat)
                    two = interface.observe(other, (seat + 1) % seats)
                    for name, part in interface.split(one["observation"] != two["observation"]).items():
                        assert not part.any(), name
                    assert (one["action_mask"] == two["action_mask"]).all()
    assert compared


# -- nothing is missing ----------------------------------------------------------------------------------------------


@tables
def test_situations_that_go_on_differently_look_different(game: str, seats: int) -> None:
    """A seat can tell apart two different answers to one question, if they matter later."""
    rules = atoll.games[game]
    for number, options in enumerate(option_sets(rules, seats, most=2)):
        interface = SpaceCodec(rules, seats, options)
        random = Random(number)
        for position in moments(rules, seats, options, number, every=4):
            seat = position.to_move[0]
            legal = position.legal_choices(seat)
            seen: dict[bytes, Position] = {}
            for choice in random.sample(legal, min(4, len(legal))):
                sibling = position.fork(7)
                sibling.apply(choice, seat)
                if seat not in sibling.to_move:
                    continue
                look = interface.observe(sibling, seat)["observation"].tobytes()
                twin = seen.setdefault(look, sibling)
                if twin is sibling:
                    continue
                assert twin.legal_choices(seat) == sibling.legal_choices(seat)
                again = random.choice(twin.legal_choices(seat))
                after = [each.fork(7) for each in (twin, sibling)]
                for each in after:
                    each.apply(again, seat)
                assert after[0].view(seat)["state"] == after[1].view(seat)["state"]


# -- what a game declares ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(atoll.games))
def test_every_question_is_declared_and_has_words(game: str) -> None:
    rules = atoll.games[game]
    folder = Path(rules.package.replace(".", "/"))
    words = (Path(atoll.__file__).parent.parent / folder / "words" / "en.po").read_text("utf-8")
    assert set(rules.prompts) == set(re.findall(rf'^msgid "{game}\.prompt\.(\w+)"$', words, re.MULTILINE))
    assert len(set(rules.prompts)) == len(rules.prompts)
    assert len(set(rules.sources)) == len(rules.sources)


def test_a_mask_names_the_same_players_from_everywhere() -> None:
    assert SeatNumbers(mask=True).seen_from(1, 3, 0b110) == 0b011
    assert [SEAT.seen_from(2, 3, number) for number in (-1, 0, 1, 2, 3)] == [-1, 1, 2, 0, 3]
    assert SeatNumbers(each=3).seen_from(1, 2, 4) == 1


@pytest.mark.parametrize("game", list(atoll.games))
def test_actions_mean_choices(game: str) -> None:
    rules = atoll.games[game]
    seats = max(rules.seat_counts)
    forms = [SpaceCodec(rules, seats, actions=actions) for actions in ("vocabulary", "candidates")]
    for position in moments(rules, seats, {}, 2, every=9):
        seat = position.to_move[0]
        legal = position.legal_choices(seat)
        for interface in forms:
            mask = interface.observe(position, seat)["action_mask"]
            choices = [interface.choice(position, seat, int(action)) for action in np.flatnonzero(mask)]
            assert sorted(choices) == legal
            assert [interface.action(position, seat, choice) for choice in legal] == [
                interface.action(position, seat, choice)
                for choice in legal
                if mask[interface.action(position, seat, choice)]
            ]


@pytest.mark.parametrize("game", list(atoll.games))
def test_the_onehot_form_says_the_same(game: str) -> None:
    """Different flat observations are different as multi-hot, except for orders without meaning."""
    rules = atoll.games[game]
    flat, onehot = (SpaceCodec(rules, rules.seat_counts[0], form=form) for form in ("flat", "onehot"))
    looks: dict[bytes, bytes] = {}
    for position in moments(rules, rules.seat_counts[0], {}, 4, every=2):
        seat = position.to_move[0]
        one = flat.observe(position, seat)["observation"]
        many = onehot.observe(position, seat)["observation"]
        assert ((many >= 0) & (many < np.inf)).all()
        assert looks.setdefault(many.tobytes(), one.tobytes()) == one.tobytes()


@pytest.mark.parametrize("game", list(atoll.games))
def test_the_onehot_form_tells_nothing_from_0(game: str) -> None:
    """If -1 means none, 0 means the first prompt, the first seat or the first place."""
    rules = atoll.games[game]
    observing = usual(rules)
    form = OneHotEncoder(observing)
    checked = 0
    for piece in observing.pieces:
        if piece.choices or not piece.fixed or not piece.low < piece.lowest <= 0 <= piece.high:
            continue
        if piece.size > 1 and piece.high > 40:  # amounts: none of something is nothing
            continue
        flats = np.zeros((2, observing.size), np.int32)
        flats[1, piece.start] = piece.low
        zero, none = np.zeros(form.size, np.float32), np.zeros(form.size, np.float32)
        form.write(flats[0], zero)
        form.write(flats[1], none)
        assert (zero != none).any(), piece.name
        checked += 1
    assert checked


def test_no_two_pieces_have_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in atoll.games.values():
        names = [piece.name for piece in usual(game).pieces]
        assert len(names) == len(set(names)), game.id
    monkeypatch.setattr(observation, "declarations", lambda state: [*declarations(state), *declarations(state)])
    with pytest.raises(TypeError, match="two pieces of an observation can't have one name"):
        usual(game)
