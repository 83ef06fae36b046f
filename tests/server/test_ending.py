"""The end of a game in words: who won, by how much, and which score lines made the difference."""

from __future__ import annotations

import random

import msgspec
import pytest

import atoll
from atoll.server.domain.model import Score
from atoll.server.presentation.ending import Contender, contenders, decision, podium
from atoll.server.presentation.texts import ScoreLineText, game_texts, site


def contender(name: str, place: int, **lines: int) -> Contender:
    """A contender with score lines."""
    found = tuple((key, ScoreLineText(key.capitalize(), points, "", ())) for key, points in lines.items())
    return Contender(place, None, name, sum(lines.values()), found)


ADA, BO = contender("Ada", 1, fish=24, birds=10, palms=2), contender("Bo", 2, fish=16, birds=8, palms=6)


@pytest.mark.parametrize(
    ("found", "english", "german"),
    [
        (
            [ADA, BO],
            "Ada wins by 6 points over Bo, 36 to 30. The lead comes from “Fish” (24 to 16) and “Birds” (10 to 8).",
            "Ada gewinnt mit 6 Punkten Vorsprung vor Bo, 36 zu 30. "
            "Der Vorsprung kommt aus „Fish“ (24 zu 16) und „Birds“ (10 zu 8).",
        ),
        (
            [ADA, contender("Bo", 1, fish=36)],
            "Ada and Bo share the win with 36 points each. "
            "Ada scored the most with “Fish”: 24 points. Bo scored the most with “Fish”: 36 points.",
            "Ada und Bo teilen sich den Sieg mit je 36 Punkten. "
            "Am meisten brachte Ada „Fish“: 24 Punkte. Am meisten brachte Bo „Fish“: 36 Punkte.",
        ),
        (
            [ADA, contender("Bo", 2, fish=36)],
            "Ada and Bo have 36 points each; the rule for ties decides for Ada. "
            "Ada scored the most with “Fish”: 24 points.",
            "Ada und Bo haben je 36 Punkte; die Regel für Gleichstand entscheidet für Ada. "
            "Am meisten brachte Ada „Fish“: 24 Punkte.",
        ),
        (
            [contender("Ada", 1, rest=-3), contender("Bo", 2, rest=-4)],
            "Ada wins by 1 point over Bo, −3 to −4. The lead comes from “Rest” (−3 to −4).",
            "Ada gewinnt mit 1 Punkt Vorsprung vor Bo, −3 zu −4. Der Vorsprung kommt aus „Rest“ (−3 zu −4).",
        ),
        ([contender("Ada", 1)], "Ada reaches the goal with 0 points.", "Ada erreicht das Ziel mit 0 Punkten."),
        (
            [contender("Ada", 2)],
            "Ada finishes with 0 points and misses the goal.",
            "Ada beendet die Partie mit 0 Punkten und verfehlt das Ziel.",
        ),
        ([contender("Ada", 2), BO], "Nobody wins.", "Niemand gewinnt."),
        ([], "", ""),
    ],
)
def test_a_sentence_says_how_a_game_was_won(found: list[Contender], english: str, german: str) -> None:
    said = [decision(found, site(language)).replace("\N{NO-BREAK SPACE}", " ") for language in ("en", "de")]
    assert said == [english, german]


def test_lines_that_cannot_be_compared_are_named_by_what_they_brought() -> None:
    """The rows of a board are an example: each row is a line of its own."""
    rows = tuple(("row", ScoreLineText(f"Row {n}", points, "", ())) for n, points in ((1, 5), (2, 12)))
    ada = Contender(1, 0, "Ada", 17, rows)
    assert decision([ada, BO], site("en")).endswith("Ada scored the most with “Row 2”: 12 points.")


@pytest.mark.parametrize("id", sorted(atoll.games))
def test_each_game_ends_with_a_podium_and_a_sentence(id: str) -> None:
    game = atoll.games[id]
    for seats in {game.seat_counts[0], game.seat_counts[-1]}:
        position = game.new(seats=seats, seed=4)
        chooser = random.Random(4)
        while not position.over:
            seat = chooser.choice(position.to_move)
            position.apply(chooser.choice(position.legal_choices(seat)), seat)
        score = Score(
            tuple(position.ranking()),
            tuple(position.scores()),
            tuple(map(tuple, msgspec.to_builtins(position.explain()))),
            tuple(msgspec.to_builtins(game.rivals(position.state))),
        )
        for language in ("en", "de"):
            found = contenders(score, game_texts(game, language))
            assert [each.place for each in found] == sorted(each.place for each in found)
            assert len(podium(found)) == min(3, seats if seats > 1 else 1 + len(score.rivals))
            said = decision(found, site(language))
            assert all(each.name in said for each in found if each.place == 1)
            assert "ended." not in said and "…" not in said
