"""Each golden game shows what its name says, and every way to end has one."""

from pathlib import Path

import pytest

import atoll
from atoll.engine import Position, record
from atoll.games.atua import scoring

GAME = atoll.games["atua"]
FILES = sorted((Path(__file__).parent / "golden").glob("*.game"))
SEATS = ("solo", "two", "three", "four", "five", "six")


def played(path: Path) -> Position:
    return record.replay(GAME, record.read(path.read_text("utf-8")))


def end(position: Position) -> str:
    """Return the reason that decided the game."""
    scores, places = position.scores(), position.ranking()
    if len(scores) == 1:
        his = sum(line.points for line in scoring.tahumas_sheet(position.state))
        return f"solo {'won' if places == [1] else 'lost'}" + (" by coconuts" if scores == [his] else "")
    if scores.count(max(scores)) == 1:
        return "points"
    return "shared" if places.count(1) > 1 else "coconuts"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_shows_what_its_name_says(path: Path) -> None:
    position, name = played(path), path.stem
    seats = [SEATS.index(word) + 1 for word in name.split("_") if word in SEATS]
    assert seats == [position.seats]
    first = {option.id: option.first_game_value for option in GAME.options if option.first_game_value is not None}
    assert ("first_game" in name) == (position.seats > 1 and position.options.items() >= first.items())
    assert ("open_end" in name) == (position.options["volcano_ruler"] == "open_end")
    assert ("unplaceable" in name) == any(event.key == "unplaceable" for event in position.events)
    assert "legendary" not in name or position.options["solo_difficulty"] == "legendary"
    assert ("tied" in name) == (end(position) == "shared")
    assert "coconuts" not in name or "coconuts" in end(position)
    assert ("won" in name, "lost" in name) != (True, False) or end(position).startswith("solo won")
    assert ("won" in name, "lost" in name) != (False, True) or end(position).startswith("solo lost")


@pytest.mark.source
def test_r37_decides_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played(next(path for path in FILES if "a_tie_at_nothing_decides" in path.stem))
    assert position.ranking() == [1, 2]
    monkeypatch.setattr(scoring, "has_most", lambda values, seat: values[seat] == max(values) > 0)
    assert position.ranking() == [2, 1]


def test_there_is_a_golden_game_for_each_end_and_number_of_players() -> None:
    positions = [played(path) for path in FILES]
    assert {position.seats for position in positions} == {1, 2, 3, 4, 5, 6}
    ends = {end(position) for position in positions}
    assert ends >= {
        "points",
        "coconuts",
        "shared",
        "solo won",
        "solo lost",
        "solo lost by coconuts",
        "solo won by coconuts",
    }
