"""Declarations, views of fields, and events."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, get_type_hints

import jsonschema_rs
import pytest

import atoll
from atoll.engine import PUBLIC, Event, Game, Only, State, derivable, known, nobody, only, owner, public, put
from atoll.engine import view as views
from atoll.engine.save import decode_state, encode_state
from atoll.engine.state import declarations, field_types, may_know
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
    money: list[int] = derivable()
    goods: list[list[int]] = derivable(count="public")
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
        shared_masks=[[only(0, 1), only(0)], []],
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
    seen = views.view_field(s, "shells", views.visibility_of(ToyState, "shells"), 0)
    seen[0][0] = 77
    assert s.shells[0][0] == 1


def test_undeclared_field() -> None:
    @dataclass(slots=True)
    class Careless(State):
        seats: int = public()
        over: bool = public()
        hand: list[int] = dataclasses.field(default_factory=list)

    with pytest.raises(TypeError, match=r"Careless.hand doesn't say who may see it: use public\(\), owner\(\)"):
        declarations(Careless)


def test_count_is_public_or_hidden() -> None:
    with pytest.raises(ValueError, match="count 'secret': allowed are 'public' and 'hidden'"):
        owner(back="card", count="secret")


def test_clone_must_be_written() -> None:
    with pytest.raises(NotImplementedError, match=r"Zones has no clone\(\)"):
        zones().clone()


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
        put(zone, card)
    assert zone == [0, 1, 3, 3, 3, 7, 9]


def test_audiences() -> None:
    assert only(0, 2) == 0b101
    assert [may_know(only(0, 2), viewer) for viewer in (0, 1, 2, None)] == [True, False, True, False]
    assert [may_know(PUBLIC, viewer) for viewer in (0, None)] == [True, True]


def test_nobody_listens_to_play_outs() -> None:
    s = zones()
    s.tell("drew", card=1)
    assert s.told is None


def test_events_hide_fields_and_whole_events() -> None:
    s = zones()
    s.told = []
    cards = [1, 2]
    s.tell("drew", seat=0, card=Only(cards, only(0)))
    s.tell("peeked", to=only(1), seat=1)
    cards.append(3)
    drew, peeked = s.told
    assert drew.seen_by(0) == {"key": "drew", "fields": {"seat": 0, "card": [1, 2]}, "lacking": []}
    assert drew.seen_by(None) == {"key": "drew", "fields": {"seat": 0}, "lacking": ["card"]}
    assert [peeked.seen_by(viewer) is None for viewer in (0, 1, None)] == [True, False, True]
    assert [Event.from_json(event.to_json()) for event in s.told] == s.told


@pytest.mark.source
@pytest.mark.parametrize("game", atoll.games.values(), ids=lambda game: game.id)
def test_types_read_from_the_source_are_those_that_python_knows(game: Game) -> None:
    assert field_types(game.state_type) == get_type_hints(game.state_type)
