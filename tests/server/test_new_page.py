"""The form for a new table."""

import re
from html import unescape

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


FORM = {"game": "atacama", "seats": "2", "seat.0": "device", "seat.1": "me", "name.0": "Zoë", "advice": "no"}
OWN_CLOCK = {"pace": "own", "clock.bank": "24", "clock.increment": "1", "clock.cap": "48", "clock.at_zero": "vote"}
CHOSEN = {**FORM, **OWN_CLOCK, "visibility": "private", "stand_in": "strong"}
CHOSEN |= {"options": "usual", "options.of": "atacama.usual"}


SELECT = re.compile(r'<select name="([^"]+)"(.*?)</select>', re.DOTALL)
INPUT = re.compile(r'<input (?:type="number" )?name="([^"]+)"[^>]* value="([^"]*)"')


def chosen_in(page: str) -> dict[str, str]:
    """Return the fields that a browser would send with the form."""
    form = page[page.index('id="new-table"') :]
    chosen = [(name, re.search(r'value="([^"]*)" selected', rest)) for name, rest in SELECT.findall(form)]
    fields: dict[str, str] = {name: value[1] if value else "" for name, value in chosen}
    return (
        fields
        | dict(INPUT.findall(form))
        | dict(re.findall(r'type="checkbox" name="([^"]+)" value="(1)"[^>]* checked', form))
    )


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name.0": "A" * 60}, "name.0"),
        ({"name.0": "\u202e\u200b"}, "name.0"),
        ({"clock.bank": "soon"}, "clock.bank"),
        ({"clock.bank": "0"}, "clock.bank"),
        ({"clock.cap": "9999"}, "clock.cap"),
        ({"clock.cap": "12"}, "clock.cap"),
        ({"seat.1": "open"}, "seats"),
        ({"seat.1": "bot:nobody"}, "seats"),
        ({"option.setup": "lunar"}, "option.setup"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_chosen_is_lost(
    site: Site, wrong: dict[str, str], field: str
) -> None:
    given = CHOSEN | wrong
    if field == "seats":
        given["seat.0"] = "open"
    answer = site.browser("Ada").post("/new", given)
    assert answer.status_code == 422
    assert re.findall(r'id="wrong-([^"]*)">[^<]', answer.text) == [field]
    kept = chosen_in(answer.text)
    lost = {name for name, value in given.items() if name in kept and kept[name] != value[:60]}
    assert lost <= wrong.keys() - {"name.0", "clock.bank", "clock.cap"}, "what can't be shown in a list"
    assert {"seat.0", "name.0", "clock.bank", "visibility", "stand_in"} <= kept.keys()


def test_another_number_of_players_keeps_what_was_chosen_and_another_game_its_usual_options(site: Site) -> None:
    browser = site.browser("Ada")
    more = chosen_in(browser.get("/new", params=CHOSEN | {"seats": "4", "option.tactic": "1"}).text)
    assert more["seat.0"] == "device" and more["seat.1"] == "me" and more["name.0"] == "Zoë"
    assert more["pace"] == "own" and more["clock.cap"] == "48" and more["option.tactic"] == "1"
    assert more["seat.3"].startswith("bot:")
    other = chosen_in(browser.get("/new", params=CHOSEN | {"options": "first", "option.tactic": "1"}).text)
    assert other["seat.1"] == "me" and "option.tactic" not in other


def test_the_level_of_the_bot_that_stands_in_is_chosen_and_shown_to_who_comes(site: Site) -> None:
    ada = site.browser("Ada")
    assert chosen_in(ada.get("/new?game=atacama&options=first").text)["stand_in"] == "casual"
    form = {**FORM, "seat.0": "me", "seat.1": "open"}
    for chosen, shown in (("strong", "Strong"), ("", "Casual")):
        address = ada.post("/new", form | {"stand_in": chosen}).headers["location"]
        page = site.browser("Bob").get(address).text
        assert f"<dt>Bot for a player who leaves</dt><dd>{shown}</dd>" in page
    assert ada.post("/new", form | {"stand_in": "nobody"}).status_code == 422


def test_a_number_of_seats_that_nobody_can_count_is_refused(site: Site) -> None:
    assert site.browser("Ada").post("/new", CHOSEN | {"seats": "999999999"}).status_code == 422


def test_who_plays_with_friends_finds_the_other_seats_kept_for_them(site: Site) -> None:
    ada = site.browser("Ada")
    [link] = re.findall(r'href="(/new\?game=atacama[^"]*)"', ada.get("/").text)
    page = ada.get(unescape(link)).text
    assert page.count('<option value="invite" selected>') == 1 and page.count('value="me" selected') == 1
    assert '<option value="invite" selected>' not in ada.get("/new?game=atacama").text
    assert '<input type="hidden" name="with" value="friends">' in page, "more players are friends, too"
    [bot, *_] = re.findall(r'value="(bot:\w+)"', page)
    chosen = {"options.of": "atacama.usual", "with": "friends", "seats": "4", "seat.0": "me", "seat.1": bot}
    more = chosen_in(ada.get("/new", params={"game": "atacama", **chosen}).text)
    assert [more[f"seat.{seat}"] for seat in range(4)] == ["me", bot, "invite", "invite"]


@pytest.mark.parametrize(
    ("other", "chosen", "listed"),
    [
        ("open", {}, True),
        ("invite", {}, False),
        ("device", {}, False),
        ("device", {"visibility": "lobby"}, True),
        ("open", {"visibility": "link"}, False),
    ],
)
def test_a_table_is_in_the_lobby_if_anybody_may_sit_down_or_it_is_wanted(
    site: Site, other: str, chosen: dict[str, str], listed: bool
) -> None:
    ada = site.browser("Ada")
    usual = chosen_in(ada.get("/new?game=atacama").text)["visibility"]
    form = {**FORM, "seat.0": "me", "seat.1": other, "visibility": usual, **chosen}
    address = ada.post("/new", form).headers["location"]
    assert (address in site.browser("Bob").get("/lobby").text) == listed
    assert site.browser("Bob").get(address).status_code == 200
