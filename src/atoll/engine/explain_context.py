"""The table as one seat knows it, rebuilt from its view, so that the rules' own tests can be asked about it.

The number of hidden cards is right where the view tells it. Their values aren't: a reason or a picture made from this
state can't say more than the view it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, get_args, get_origin

import msgspec

from .decisions import PUBLIC, audience_of_seats
from .json_types import JsonMapping
from .state import C, S, Visibility, declarations, field_types, may_know
from .vocabulary import Kind

UNKNOWN: Final = 0
"""The number of a card that the viewer doesn't know."""


@dataclass(frozen=True)
class ExplainContext(Generic[S, C]):
    """The table and the question of one seat, as judges and coaches may use them.

    box: the game's Box. view: the view of the seat. table: the game's `state_from_view`.
    """

    components: C
    view: JsonMapping
    state_from_view: Callable[[JsonMapping], S]

    @cached_property
    def s(self) -> S:
        """The table as the seat knows it, in the form that the rules' tests take."""
        return self.state_from_view(self.view)

    @property
    def seat(self) -> int:
        """The seat that asks for the reason, and is asked something by the game."""
        found: int = self.view["viewer"]
        return found

    @property
    def prompt(self) -> str:
        """The key of the question that the seat is asked now."""
        found: str = self.view["decision"]["prompt"]
        return found

    @property
    def choices(self) -> Sequence[int]:
        """The choices that the seat is offered now."""
        found: Sequence[int] = self.view["decision"]["options"]
        return found

    @property
    def placeholders(self) -> Mapping[str, int]:
        """The details of the question."""
        found: Mapping[str, int] = self.view["decision"]["about"]
        return found

    @property
    def picked(self) -> Sequence[int]:
        """The members picked so far of the set that is asked for; nothing where no set is."""
        found: Sequence[int] = self.view["decision"].get("set", {}).get("picked", ())
        return found

    def asks(self, *kinds: Kind) -> bool:
        """Return whether some choice of these kinds is offered now."""
        return any(choice in kind for kind in kinds for choice in self.choices)


def state_from_view(kind: type[S], box: object, view: JsonMapping) -> S:
    """Return the table as the viewer knows it, without its derived fields.

    Args:
        kind: The game's type of state.
        box: The game's Box.
        view: A view of a position of the game.
    """
    shown, fields, types = view["state"], declarations(kind), field_types(kind)
    values = {name: _filled(shown[name], visibility, types[name]) for name, visibility in fields}
    viewer = view["viewer"]
    for name, visibility in fields:
        if visibility.who == "known":
            zones = zip(values[name], values[visibility.masks], shown[name], strict=True)
            laid = [_laid(cards, masks, zone, viewer) for cards, masks, zone in zones]
            values[name] = [cards for cards, _ in laid]
            values[visibility.masks] = [masks for _, masks in laid]
    s = kind(**{name: msgspec.convert(value, types[name]) for name, value in values.items()})
    s.components = box
    s.options = view["options"]
    return s


def _filled(shown: Any, visibility: Visibility, kind: Any) -> Any:
    """Return the value of a field as far as the view shows it, completed by values without a meaning.

    Args:
        shown: The field as the view shows it.
        visibility: The declaration of the field.
        kind: The type of the field.
    """
    if visibility.who == "public" or not isinstance(shown, list):
        return _cards(shown)
    nothing: Any = [] if get_origin(get_args(kind)[0]) is list else visibility.lowest
    return [nothing if each is None else _cards(each) for each in shown]


def _cards(shown: Any) -> Any:
    """Return a zone as the view shows it, with unknown cards where it gives their number alone."""
    if isinstance(shown, dict) and "count" in shown:
        known = list(shown.get("known", ()))
        return known + [UNKNOWN] * (shown["count"] - len(known))
    return [] if shown is None else shown


def _laid(cards: list[int], masks: list[int], shown: Any, viewer: int | None) -> tuple[list[int], list[int]]:
    """Return the cards of a zone and who knows each, so that the viewer knows those that the view shows.

    Args:
        cards: As many cards as the zone has.
        masks: The seats that know each card; of other lengths where they are hidden.
        shown: The zone as the view shows it.
        viewer: The seat of the view; None for a spectator.
    """
    if isinstance(shown, list):
        return cards, masks
    known = shown["known"]
    if len(masks) != len(cards):
        audience = PUBLIC if viewer is None else audience_of_seats(viewer)
        masks = [audience] * len(known) + [0] * (len(cards) - len(known))
    following = iter(known)
    return [next(following) if may_know(mask, viewer) else UNKNOWN for mask in masks], masks
