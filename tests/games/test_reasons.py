"""Explainers and rules agree.

A reason is a failed test of the rules, and no offered choice fails any.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest

from atoll.engine import Game, Kind, TurnDraft
from atoll.engine.registry import games
from tests.toy import GAME as TOY

GAMES: Final = (*(games[id] for id in ("atacama", "atlandice", "atua", "raiatea", "wutaki")), TOY)
MOMENTS: Final = 300
CHOICES: Final = 60
"""The most choices of one kind that are judged at one moment."""

UNEXPLAINED: Final = {
    "mirror": "a mirror isn't paired with another one",
    "keep": "the question names all secret pacts that one has been dealt",
    "gift": "a card that gives one of one's own pacts gives none of the display",
}
"""By kind, when its explainer finds nothing against a choice that isn't offered."""


def turns(game: Game, rng: Random) -> Iterator[TurnDraft]:
    """Play a random game as people do, turn by turn; yield the open turn before each of its choices."""
    seats = rng.choice(game.seat_counts)
    position = game.new(seats, rng.choice(game.option_sets(seats)), seed=rng.randrange(2**32))
    while not position.over:
        draft = TurnDraft(position, rng.choice(position.to_move))
        while draft.open:
            yield draft
            draft.add(rng.choice(draft.legal()))
        for choice in draft.choices:
            position.apply(choice, draft.seat)


def is_asked_for(draft: TurnDraft, choice: int) -> bool:
    """Return whether the components have all that a choice names, and its set still asks for it."""
    game = draft.position.game
    kind = game.vocabulary.kind_of(choice)
    parts = zip(kind.parts(choice), kind.domains, strict=True)
    if any(part >= len(game.notation.names(domain.name)) for part, domain in parts):
        return False
    return draft.picks is None or choice in set(draft.picks.members) - set(draft.picks.with_part(draft.picked))


def sampled(kind: Kind, legal: list[int], rng: Random) -> list[int]:
    """Return the choices of a small kind, or of a large one some of those that are legal and some of all."""
    choices = range(kind.first, kind.end)
    if len(choices) <= CHOICES:
        return list(choices)
    offered = [choice for choice in legal if choice in kind]
    return rng.sample(offered, min(CHOICES, len(offered))) + rng.sample(choices, CHOICES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("seed", range(6))
def test_explainers_have_a_reason_against_exactly_what_is_not_offered(game: Game, seed: int) -> None:
    """Among the kinds of the decision, offered choices break no rule, and others break a named one."""
    rng = Random(seed)
    for draft in islice(turns(game, rng), MOMENTS):
        legal, seen = draft.legal(), game.seen(draft.view())
        for kind in {kind for kind in map(game.vocabulary.kind_of, legal) if kind in game.explainers}:
            for choice in sampled(kind, legal, rng):
                against = game.explainers.explain(seen, choice)
                if choice in legal:
                    assert against is None, f"{seen.prompt}: {game.text(choice)}"
                elif kind.name not in UNEXPLAINED and is_asked_for(draft, choice):
                    assert against is not None, f"{seen.prompt}: {game.text(choice)}"
