"""What the places of the table say: what they give the viewer now."""

from atoll.engine import Position
from atoll.engine.words import Words
from atoll.games.wutaki import GAME
from atoll.games.wutaki.table import regions

from .tables import state, table, upgrade


def place(position: Position, viewer: int, id: str) -> str:
    """A place as it's drawn for a seat, in small letters."""
    found = next(each for each in regions(GAME, position.view(viewer), Words(GAME, "en")) if each.id == "places")
    return next(str(each.markup).lower() for each in found.drawings if each.id == f"box-place-{id}")


def test_a_place_says_what_own_markers_bring() -> None:
    s = state(2)
    upgrade(s, 0, "quarry", "market")
    position = table(s).position
    assert "3 stone" in place(position, 0, "quarry")
    assert "your markers: 1 oil." in place(position, 0, "quarry")
    assert "your markers: 1 oil or stone." in place(position, 0, "market")
    assert "your markers" not in place(position, 1, "quarry")


def test_a_place_says_what_the_round_card_changes() -> None:
    plain = table(state(2)).position
    quiet = table(state(2, round_card="ro_sleeping_buka")).position
    assert "vengeance" in place(plain, 0, "chase")
    assert "vengeance" not in place(quiet, 0, "chase")
    assert "vengeance" not in place(quiet, 0, "plunder")
    cheap = table(state(2, round_card="ro_builders_feast")).position
    assert ">6</text>" in place(plain, 0, "quarry")
    assert ">4</text>" in place(cheap, 0, "quarry")
    assert ">8</text>" not in place(cheap, 0, "quarry")
    plain_village = place(plain, 0, "village")
    market_day = place(table(state(2, round_card="ro_hiring_day")).position, 0, "village")
    assert "less of your" not in plain_village
    assert "less of your" in market_day
