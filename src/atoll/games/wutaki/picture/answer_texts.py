"""Texts for answers to questions with numbered possibilities, whose own texts are only numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atoll.engine import Game
from atoll.engine.translations import GameMessages

from ..components import CHOOSE, Action, Effect, WutakiComponents
from ..describe import action_in_words
from ..kinds import BESIDE, OPTION, WORKER_TYPES
from ..state import WutakiState, spot_of


def answers(
    game: Game[WutakiState, WutakiComponents], view: Mapping[str, Any], words: GameMessages
) -> Mapping[int, str]:
    """Return the possibilities that the viewer is asked to pick from, in words, by choice.

    Args:
        game: The game.
        view: The view of the seat that is asked.
        words: The messages of the game.
    """
    decision = view["decision"]
    options = decision.get("options", ()) if decision is not None else ()
    if any(choice in BESIDE for choice in options):
        return {choice: _field(view, BESIDE.part(choice), words) for choice in options if choice in BESIDE}
    if not any(choice in OPTION for choice in options):
        return {}
    found = _possibilities(game.components, view)
    return {OPTION.choice(at): action_in_words(words, each).rstrip(".") for at, each in enumerate(found)}


def _field(view: Mapping[str, Any], field: int, words: GameMessages) -> str:
    """Return the place of a field in question, and the workers on it."""
    state, decision = view["state"], view["decision"]
    place = decision["about"]["place"]
    spot = spot_of(place, decision["seat"])
    there = [state["fields"][spot][field]]
    if state["guest"][:2] == [spot, field]:
        there.append(state["guest"][2])
    names = [words.say("table.worker", {"seat": who // WORKER_TYPES, "worker": who % WORKER_TYPES}) for who in there]
    return f"{words.name('place', place)}: {', '.join(names)}"


def _possibilities(components: WutakiComponents, view: Mapping[str, Any]) -> Sequence[Action]:
    state, decision = view["state"], view["decision"]
    if decision["prompt"] == "on_climb":
        climb = components.masterboards[state["masterboard"][decision["seat"]]].on_climb
        return () if climb is None else (climb,)
    for effect in _effects(components, state["side"]):
        if effect.verb == CHOOSE and effect.source == decision["source"]:
            return effect.options
    return ()


def _effects(components: WutakiComponents, side: int) -> Iterator[Effect]:
    """Yield all effects of the cards and places of a table."""
    actions = [each.action for each in components.boards[side].places]
    actions += [level.climb for level in components.boards[side].levels]
    for cards in (components.round_cards, components.omens, components.pacts, components.abilities):
        actions += [card.action for card in cards]
    for face in components.masterboards:
        actions += [each for each in (face.own_place, face.on_climb) if each is not None]
        yield from (effect for row in face.track for space in row for effect in space)
    for action in actions:
        yield from action.effects
