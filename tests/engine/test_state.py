"""Declarations, views of fields, and events."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import jsonschema_rs
import pytest

import atoll
from atoll.engine import (
    PUBLIC,
    Event,
    Game,
    Only,
    State,
    audience_of_seats,
    derived,
    insert_sorted,
    known,
    nobody,
    owner,
    public,
    remove_sorted,
    trackable,
)
from atoll.engine import view as views
from atoll.engine.save import decode_state, encode_state
from atoll.engine.state import declarations, field_types, may_know, visibility_of
from tests.toy import GAME as TOY
from tests.toy.state import Bid, ToyState
from tests.toy.tables import begun


@dataclass(slots=True)
class Zones(State):
    """One field of each kind."""

    seats: int = public(hi=3)
    over: bool = public()
    open: list[int] = public()
    own: list[list[int]] = owner(back="card")
    one: list[int] = owner(back="card", hi=9)
    uncounted: list[list[int]] = owner(back="card", count="hidden")
    late: list[list[int]] = owner(back="card", at_end=True)
    shared: list[list[int]] = known(back="card", masks="shared_masks")
    shared_masks: list[list[int]] = public()
    money: list[int] = trackable()
    goods: list[list[int]] = trackable(count="public")
    pool: list[int] = nobody(back="card")
    pools: list[list[int]] = nobody(back="card")
    secret_pool: list[int] = nobody(back="card", count="hidden")


def zones(*, over: bool = False) -> Zones:
    return Zones(
        seats=2,
        over=over,
        open=[1],
        own=[[1, 2], [3]],
        one=[4, -1],
        uncounted=[[5], [6, 7]],
        late=[[1], [2]],
        shared=[[8, 9], []],
        shared_masks=[[audience_of_seats(0, 1), audience_of_seats(0)], []],
        money=[5, 6],
        goods=[[1], [2, 3]],
        pool=[1, 1, 2],
        pools=[[1], [2, 3]],
        secret_pool=[4],
    )


def shown(viewer: int | None, *, over: bool = False) -> dict[str, Any]:
    s = zones(over=over)
    return {name: views.view_field(s, name, each, viewer) for name, each in declarations(Zones)}


def test_a_seat_sees_its_own_and_the_counts_of_others() -> None:
    assert shown(0) == {
        "seats": 2,
        "over": False,
        "open": [1],
        "own": [[1, 2], {"count": 1}],
        "one": [4, None],
        "uncounted": [[5], None],
        "late": [[1], {"count": 1}],
        "shared": [[8, 9], {"count": 0, "known": []}],
        "shared_masks": [[3, 1], []],
        "money": [5, None],
        "goods": [[1], {"count": 2}],
        "pool": {"count": 3},
        "pools": [{"count": 1}, {"count": 2}],
        "secret_pool": None,
    }


def test_who_knows_a_card_of_another_seat_sees_it() -> None:
    assert shown(1)["shared"] == [{"count": 2, "known": [8]}, []]


def test_a_spectator_sees_less_than_any_seat() -> None:
    seen = shown(None)
    assert seen["own"] == [{"count": 2}, {"count": 1}]
    assert seen["shared"] == [{"count": 2, "known": []}, {"count": 0, "known": []}]
    assert seen["money"] == [None, None]


def test_the_end_shows_what_is_declared_so() -> None:
    seen = shown(1, over=True)
    assert seen["late"] == [[1], [2]]
    assert seen["own"] == [{"count": 2}, [3]]


def test_views_are_independent_of_the_table() -> None:
    s = begun().state
    seen = views.view_field(s, "shells", visibility_of(ToyState, "shells"), 0)
    seen[0][0] = 77
    assert s.shells[0][0] == 1


def test_undeclared_field() -> None:
    @dataclass(slots=True)
    class Careless(State):
        seats: int = public()
        over: bool = public()
        hand: list[int] = dataclasses.field(default_factory=list)

    with pytest.raises(TypeError, match=r"Careless.hand has no visibility: use public\(\), owner\(\)"):
        declarations(Careless)


def test_count_is_public_or_hidden() -> None:
    with pytest.raises(ValueError, match="invalid count 'secret': expected 'public' or 'hidden'"):
        owner(back="card", count="secret")


def of_each_game() -> list[Game]:
    return [TOY, *atoll.games.values()]


def moments(game: Game) -> Iterator[State]:
    """The table now and then in a random game."""
    rng = Random(7)
    position = game.new(seed=7)
    while not position.over:
        if rng.random() < 0.05:
            yield position.state
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    yield position.state


def changeable(value: Any) -> set[int]:
    """Everything in a value that could be changed in place."""
    inner = value if isinstance(value, list) else ()
    own = {id(value)} if isinstance(value, list | Bid) else set()
    return own.union(*(changeable(each) for each in inner))


@pytest.mark.parametrize("game", of_each_game(), ids=lambda game: game.id)
def test_a_clone_equals_a_deep_copy_and_shares_nothing_that_changes(game: Game) -> None:
    names = list(field_types(game.state_type).keys() - {"components", "options", "events"})
    for state in moments(game):
        twin = state.clone()
        assert type(twin) is type(state)
        assert twin.events is None
        assert (twin.components, twin.options) == (state.components, state.options)
        for name in names:
            own, copied = getattr(state, name), getattr(twin, name)
            assert copied == (own if name == "islands" else copy.deepcopy(own)), name  # Atua's are only ever replaced
            assert changeable(own).isdisjoint(changeable(copied)), name


@pytest.mark.parametrize("game", of_each_game(), ids=lambda game: game.id)
def test_types_say_what_lists_are_made_of(game: Game) -> None:
    types = field_types(game.state_type)
    assert types["seats"] is int
    assert types["over"] is bool
    assert list not in types.values()


def test_a_clone_copies_what_is_nested() -> None:
    @dataclass(slots=True)
    class Nested(State):
        seats: int = public()
        over: bool = public()
        bids: list[list[Bid]] = public()
        pair: tuple[int, str] = public()
        pairs: list[tuple[int, ...]] = derived()
        kept: list[Any] = derived(shared=True)

    s = Nested(2, False, [[Bid(0, 1)]], (1, "a"))
    s.components, s.options, s.pairs, s.kept = None, {}, [(1, 2)], [object()]
    twin = s.clone()
    assert (twin.bids, twin.pair, twin.pairs, twin.kept) == (s.bids, s.pair, s.pairs, s.kept)
    assert twin.bids[0][0] is not s.bids[0][0]
    assert twin.kept is not s.kept


@dataclass(slots=True)
class Parent(State):
    seats: int = public()
    over: bool = public()


@dataclass(slots=True)
class Child(Parent):
    more: list[int] = public()


def test_a_clone_of_a_derived_state_is_one_too() -> None:
    for s in (Parent(2, False), Child(2, False, [1])):
        s.components, s.options = None, {}
        assert type(s.clone()) is type(s)
        assert s.clone() == s


def test_a_field_that_no_clone_can_copy() -> None:
    @dataclass(slots=True)
    class Unclear(State):
        seats: int = public()
        over: bool = public()
        sums: dict[str, int] = derived()

    s = Unclear(2, False)
    with pytest.raises(TypeError, match=r"Unclear.sums: a state can't copy dict\[str, int\]: use int, bool"):
        s.clone()


def test_json_round_trip_with_nested_data() -> None:
    s = begun().state
    data = encode_state(s)
    assert data["bids"] == [{"seat": 0, "amount": 0}, {"seat": 1, "amount": 0}]
    again: Any = decode_state(ToyState, data)
    assert again.bids == [Bid(0, 0), Bid(1, 0)]
    assert encode_state(again) == data


def test_schema_refuses_what_a_view_never_holds() -> None:
    validator = jsonschema_rs.validator_for(TOY.view_schema())
    view = begun().position.view(0)
    assert validator.is_valid(view)
    for path, junk in (
        (("state", "turn"), "first"),
        (("state", "hands"), [[99], {"count": 3}]),
        (("state", "hands"), [[1], {"count": 3, "cards": [1]}]),
        (("state", "bids"), [{"seat": 0}]),
        (("decision", "options"), []),
        (("decision", "options"), [TOY.vocabulary.decisions]),
        (("seats",), 7),
        (("viewer",), 4),
        (("cheat",), 1),
    ):
        damaged = begun().position.view(0)
        inner = damaged
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = junk
        assert not validator.is_valid(damaged), path


def test_put_keeps_a_zone_sorted() -> None:
    zone = [1, 3, 3, 7]
    for card in (3, 0, 9):
        insert_sorted(zone, card)
    assert zone == [0, 1, 3, 3, 3, 7, 9]


def test_audiences() -> None:
    assert audience_of_seats(0, 2) == 0b101
    assert [may_know(audience_of_seats(0, 2), viewer) for viewer in (0, 1, 2, None)] == [True, False, True, False]
    assert [may_know(PUBLIC, viewer) for viewer in (0, None)] == [True, True]


def test_nobody_listens_to_play_outs() -> None:
    s = zones()
    s.emit("drew", card=1)
    assert s.events is None


def test_events_hide_fields_and_whole_events() -> None:
    s = zones()
    s.events = []
    cards = [1, 2]
    s.emit("drew", seat=0, card=Only(cards, audience_of_seats(0)))
    s.emit("peeked", to=audience_of_seats(1), seat=1)
    cards.append(3)
    drew, peeked = s.events
    assert drew.seen_by(0) == {"key": "drew", "fields": {"seat": 0, "card": [1, 2]}, "lacking": []}
    assert drew.seen_by(None) == {"key": "drew", "fields": {"seat": 0}, "lacking": ["card"]}
    assert [peeked.seen_by(viewer) is None for viewer in (0, 1, None)] == [True, False, True]
    assert [Event.from_json(event.to_json()) for event in s.events] == s.events


def test_a_pool_stays_sorted_whatever_is_laid_into_it_and_taken() -> None:
    pool = [2, 4, 4, 7]
    insert_sorted(pool, 5)
    remove_sorted(pool, 4)
    assert pool == [2, 4, 5, 7]
    for lacking in (3, 8):
        with pytest.raises(ValueError, match=f"{lacking} isn't in the pool"):
            remove_sorted(pool, lacking)
