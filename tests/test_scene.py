"""Layouts of scenes, and the windows that they are for."""

from __future__ import annotations

import pytest

import atoll
from atoll.picture import Layout
from atoll.picture.loading import picture_of
from atoll.picture.scene import Scene, folded, style
from atoll.picture.windows import WINDOWS, with_windows

SCENES: dict[str, Scene] = {id: picture_of(game.package).SCENE for id, game in atoll.games.items()}
TABS = [(id, tab.id) for id, scene in SCENES.items() for tab in scene.tabs]


def test_a_name_of_a_window_stands_for_its_condition() -> None:
    assert with_windows("@media (--desktop) {") == f"@media ({WINDOWS['desktop']}) {{"
    assert with_windows('matchMedia("(--low)")') == f'matchMedia("({WINDOWS["low"]})")'


def test_a_variable_is_no_window() -> None:
    assert with_windows("width: var(--desktop)") == "width: var(--desktop)"


def test_an_unknown_window_is_an_error() -> None:
    with pytest.raises(KeyError, match="desk"):
        with_windows("@media (--desk) {")


def test_a_fold_sets_the_lower_part_beside_the_upper_one() -> None:
    layout = Layout(100, 200, {"above": (0, 0, 100, 90), "below": (10, 100, 80, 96)}, ground="sand")
    low = folded(layout)
    assert (low.width, low.height, low.ground) == (200, 100, "sand")
    assert low.rects == {"above": (0, 0, 100, 90), "below": (110, 2, 80, 96)}


def test_a_fold_divides_where_the_higher_part_is_lowest() -> None:
    rows = {f"row-{at}": (0.0, 50.0 * at, 100.0, 48.0) for at in range(4)}
    low = folded(Layout(100, 200, rows))
    assert [low.rects[f"row-{at}"][0] for at in range(4)] == [0, 0, 100, 100]


def test_a_fold_divides_no_box() -> None:
    boxes = {"above": (0, 0, 60, 60), "tower": (60, 0, 40, 120), "left": (0, 62, 60, 58), "below": (0, 124, 100, 76)}
    low = folded(Layout(100, 200, boxes))
    assert [id for id, (x, *_) in low.rects.items() if x >= 100] == ["below"]
    assert low.height == 120


def test_a_layout_of_one_box_stays_as_it_is() -> None:
    layout = Layout(100, 200, {"all": (0, 0, 100, 200)})
    assert folded(layout) == layout


def _landscape(game: str, tab: str) -> Layout:
    found = next(each for each in SCENES[game].tabs if each.id == tab)
    return found.low or folded(found.layout)


@pytest.mark.parametrize(("game", "tab"), TABS)
def test_every_part_of_a_scene_has_a_landscape(game: str, tab: str) -> None:
    low = _landscape(game, tab)
    assert low.width > 1.5 * low.height
    for x, y, width, height in low.rects.values():
        assert x >= 0 and y >= 0
        assert x + width <= low.width + 1 and y + height <= low.height + 1


def test_a_style_sheet_places_the_regions_of_every_window() -> None:
    sheet = with_windows(style("atua", SCENES["atua"]))
    assert "(--" not in sheet
    for name in ("desktop", "upright", "low"):
        assert f"@media ({WINDOWS[name]}) {{" in sheet
    assert "#region-island { display: grid; left: 0%; top: 0%; width: 61.22%; height: 100%; }" in sheet
