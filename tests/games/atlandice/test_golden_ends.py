"""Each golden game shows what its name says."""

from pathlib import Path

import pytest

from atoll.engine import record
from atoll.games.atlandice import GAME

SHOWN = {"clock": "end_clock", "inn": "end_inn", "all_used_up": "end_sunk", "chain": "search_rolled"}
FILES = sorted((Path(__file__).parent / "golden").glob("*.game"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_shows_what_its_name_says(path: Path) -> None:
    position = record.replay(GAME, record.read(path.read_text("utf-8")))
    told = [event.key for event in position.events]
    shown = [key for part, key in SHOWN.items() if part in path.stem]
    assert shown
    assert set(shown) <= set(told)
    assert position.seats == ("two", "three", "four").index(path.stem.partition("_")[0]) + 2
    if "tie" in path.stem:
        assert position.ranking().count(1) > 1
    if "chain" in path.stem:
        assert told.count("search_rolled") > 2


def test_there_is_a_golden_game_for_each_end_and_number_of_seats() -> None:
    stems = {path.stem for path in FILES}
    for seats in ("two", "three", "four"):
        assert any(stem.startswith(f"{seats}_players_clock") for stem in stems)
        assert any(stem.startswith(f"{seats}_players_inn") for stem in stems)
