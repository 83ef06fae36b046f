"""The state as one seat knows it, rebuilt from its view, for explainers and coaches.

The predicates of the rules can then be asked about it. Hidden cards are counted correctly where the
view shows their count, but have placeholder values. An explanation or a picture that is made from
this state can't disclose more than the view.
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
"""Placeholder for a card that the viewer doesn't know."""


@dataclass(frozen=True)
class ExplainContext(Generic[S, C]):
    """The state and the decision of one seat, for explainers and coaches.

    Attributes:
        components: Components of the game.
        view: View of the seat, which must be asked now.
        state_from_view: `Rules.state_from_view` of the game.
    """

    components: C
    view: JsonMapping
    state_from_view: Callable[[JsonMapping], S]

    @cached_property
    def s(self) -> S:
        """The state as the seat knows it, in the form that the predicates of the rules take."""
        return self.state_from_view(self.view)

    @property
    def seat(self) -> int:
        """The seat that the view belongs to."""
        found: int = self.view["viewer"]
        return found

    @property
    def prompt(self) -> str:
        """Key of the question that the seat is asked."""
        found: str = self.view["decision"]["prompt"]
        return found

    @property
    def choices(self) -> Sequence[int]:
        """Legal choices of the seat."""
        found: Sequence[int] = self.view["decision"]["options"]
        return found

    @property
    def placeholders(self) -> Mapping[str, int]:
        """Values for the placeholders of the question."""
        found: Mapping[str, int] = self.view["decision"]["about"]
        return found

    @property
    def picked(self) -> Sequence[int]:
        """Members picked so far of the current set; empty if no set is asked for."""
        found: Sequence[int] = self.view["decision"].get("set", {}).get("picked", ())
        return found

    def asks(self, *kinds: Kind) -> bool:
        """Return whether any choice of these kinds is legal."""
        return any(choice in kind for kind in kinds for choice in self.choices)


def state_from_view(kind: type[S], components: object, view: JsonMapping) -> S:
    """Return the state as the viewer knows it, without derived fields.

    Args:
        kind: State class of the game.
        components: Components of the game.
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
    s.components = components
    s.options = view["options"]
    return s


def _filled(shown: Any, visibility: Visibility, kind: Any) -> Any:
    """Return the value of a field, with placeholders for hidden parts.

    Args:
        shown: The field in the view.
        visibility: Declaration of the field.
        kind: Type of the field.
    """
    if visibility.who == "public" or not isinstance(shown, list):
        return _cards(shown)
    nothing: Any = [] if get_origin(get_args(kind)[0]) is list else visibility.lowest
    return [nothing if each is None else _cards(each) for each in shown]


def _cards(shown: Any) -> Any:
    """Return the cards of a zone in a view, with `UNKNOWN` for each card that is only counted."""
    if isinstance(shown, dict) and "count" in shown:
        known = list(shown.get("known", ()))
        return known + [UNKNOWN] * (shown["count"] - len(known))
    return [] if shown is None else shown


def _laid(cards: list[int], masks: list[int], shown: Any, viewer: int | None) -> tuple[list[int], list[int]]:
    """Return the cards and masks of a zone, arranged so that the viewer knows the shown cards.

    Args:
        cards: One entry per card of the zone.
        masks: Seats that know each card; of another length where the masks are hidden.
        shown: The zone in the view.
        viewer: Seat of the view; None for a spectator.
    """
    if isinstance(shown, list):
        return cards, masks
    known = shown["known"]
    if len(masks) != len(cards):
        audience = PUBLIC if viewer is None else audience_of_seats(viewer)
        masks = [audience] * len(known) + [0] * (len(cards) - len(known))
    following = iter(known)
    return [next(following) if may_know(mask, viewer) else UNKNOWN for mask in masks], masks
