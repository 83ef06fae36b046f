"""The form for a new table."""

import re

import pytest

from .conftest import GAMES, Site

OFFERED = re.compile(r'<select name="option\.(\w+)".*?</select>|type="checkbox" name="option\.(\w+)"', re.DOTALL)


@pytest.mark.parametrize(("game", "count"), [(id, count) for id in GAMES for count in GAMES[id].seat_counts])
def test_the_form_offers_what_exists_with_so_many_players(site: Site, game: str, count: int) -> None:
    browser = site.browser("Ada")
    page = browser.get(f"/new?game={game}&seats={count}").text
    seats = {"seat.0": "me"} | {f"seat.{seat}": "device" for seat in range(1, count)}
    offered = {}
    for found in OFFERED.finditer(page):
        offered[found[1] or found[2]] = re.findall(r'value="(\w+)"', found[0]) if found[1] else ["", "1"]
    sets = GAMES[game].option_sets(count)
    choosable = {id for id in sets[0] if id != "rounds" and len({each[id] for each in sets}) > 1}
    assert set(offered) == choosable
    for id, values in offered.items():
        assert len(values) > 1
        for value in values:
            form = {"game": game, "seats": str(count), "pace": "", "advice": "", "visibility": "private"}
            answer = browser.post("/new", {**form, **seats, f"option.{id}": value})
            assert answer.status_code == 303, (id, value)
