"""Texts of the table's places: their current benefit for the viewer."""

import re
from html import unescape

import msgspec

from atoll.engine import Position
from atoll.engine.translations import GameMessages
from atoll.games.wutaki import GAME
from atoll.games.wutaki.kinds import PLACES, RESOURCES
from atoll.games.wutaki.learn.positions import (
    accept,
    avenge,
    build,
    card,
    hire,
    hold,
    lay_permanent,
    stand,
    state,
    stock,
    table,
    upgrade,
    who,
)
from atoll.games.wutaki.picture import regions
from atoll.games.wutaki.picture.pieces import card_alone
from atoll.games.wutaki.view import WutakiView
from atoll.picture import Hidden

WORDS = GameMessages(GAME, "en", ["Ann", "Bob", "Cleo"])
NAMED = re.compile(r'id="([^"]+)" class="element[^"]*" role="img" aria-label="([^"]*)"')


def place(position: Position, viewer: int, id: str) -> str:
    """A place as it's drawn for a seat, in small letters."""
    found = next(each for each in regions(GAME, position.view(viewer), GameMessages(GAME, "en")) if each.id == id)
    return "".join(str(each.markup) for each in found.drawings).lower()


def told(position: Position, viewer: int | None) -> dict[str, str]:
    """Return the names of all elements of the picture by id."""
    drawn = regions(GAME, position.view(viewer), WORDS)
    markup = "".join(str(drawing.markup) for each in drawn for drawing in each.drawings)
    return {id: unescape(name) for id, name in NAMED.findall(markup)}


def test_where_only_heads_of_cards_are_seen_no_line_is_cut() -> None:
    found = [
        str(card_alone(WORDS, domain, card, "").markup)
        for domain in ("omen", "vengeance", "secret_pact")
        for card in range(len(GAME.components.ids[domain]))
    ]
    assert [each for each in found if "…" in each] == []
    four = next(each for each in found if all(f"#wutaki-{kind}" in each for kind in ("sheep", "wood", "oil", "stone")))
    under = four.partition('class="brief"')[2]
    assert [under.count(f'href="#wutaki-{kind}"') for kind in ("sheep", "wood", "oil", "stone")] == [0, 1, 1, 1]
    assert under.count("+1") == 1


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
    assert "less" not in plain_village
    assert "each costs 1 resource of your cost marker less" in market_day


def facts(position: Position, viewer: int | None) -> dict[str, str]:
    """All facts of the table, by id."""
    return {fact.id: fact.value for each in regions(GAME, position.view(viewer), WORDS) for fact in each.facts}


def test_all_see_who_has_the_start_marker_and_who_claims_it() -> None:
    s = state(3)
    s.start, s.claimant = 2, 1
    for viewer in (0, None):
        shown = facts(table(s).position, viewer)
        assert [id for id in shown if id.startswith(("start-", "claim-"))] == ["claim-1", "start-2"]


def test_all_see_the_markers_left_and_what_the_next_worker_costs() -> None:
    s = state(3)
    upgrade(s, 1, "quarry")
    hire(s, 1, extra=1)
    hire(s, 2, extra=4)
    shown = facts(table(s).position, None)
    assert [shown[f"markers-{seat}"] for seat in range(3)] == ["6", "5", "6"]
    hires = [told(table(s).position, None)[f"hire-{seat}"] for seat in range(3)]
    assert hires == [f"Next worker costs: {price}" for price in ("nothing", "2 wood", "2 oil, 2 gold")]


def test_all_see_what_is_due_at_the_next_pact() -> None:
    s = state(2)
    hire(s, 1, extra=2, special=1)
    assert facts(table(s).position, None)["owed-1"] == "1/0"
    s = state(2)
    hire(s, 1, extra=2, special=1)
    s.counter = 4
    assert facts(table(s).position, None)["owed-1"] == "1/3"
    lay_permanent(s, 1, "om_sworn_band")
    assert facts(table(s).position, None)["owed-1"] == "1/0"


def test_all_see_who_has_brought_the_end_and_who_still_has_a_last_turn() -> None:
    s = state(3)
    assert not any(id.startswith(("ender", "last-turn")) for id in facts(table(s).position, None))
    s.ender, s.ending, s.active, s.last_turns = 2, True, 0, [1]
    shown = facts(table(s).position, None)
    assert [id for id in shown if id.startswith(("ender", "last-turn"))] == ["last-turn-1", "ender-2"]


def test_all_see_the_decks_and_what_was_discarded() -> None:
    s = state(2)
    avenge(s, 0, "ve_stone")
    s.omen_deck.remove(card("omen", "om_tax"))
    s.omen_discard.append(card("omen", "om_tax"))
    shown = told(table(s).position, None)
    assert shown["omen-deck"] == "Omens in the deck: 44. Discarded omens: 1 (Tax of Fear)"
    assert shown["vengeance-deck"] == "Vengeance cards in the deck: 18."


def test_a_place_says_what_its_markers_bring_everybody_and_what_its_next_level_brings() -> None:
    position = table(state(2)).position
    assert "level 1: 3 stone, for 6 gold." in place(position, 1, "quarry")
    assert "each marker here brings its owner at every visit: oil." in place(position, 1, "quarry")
    s = state(2, round_card="ro_builders_feast")
    upgrade(s, 0, "quarry", "village", "village")
    build(s, 1, "tw_stone")
    position = table(s).position
    assert "level 2: 5 stone, for 6 gold." in place(position, 1, "quarry")
    assert "level" not in place(position, 1, "village")


def test_own_cards_remind_of_what_they_will_cost() -> None:
    s = state(2)
    accept(s, 0, "water_01")
    avenge(s, 0, "ve_pacts_4")
    position = table(s).position

    def drawn(viewer: int) -> str:
        found = regions(GAME, position.view(viewer), GameMessages(GAME, "en"))
        return " ".join(str(drawing.markup) for each in found for drawing in each.drawings)

    assert "Unfulfilled at the end: \u221213 VP." in drawn(0)
    assert "Now 0: within the limit." in drawn(0)
    assert "Unfulfilled at the end" not in drawn(1)


def test_what_is_due_says_what_its_two_numbers_are() -> None:
    position = table(state(2)).position
    facts = [fact for each in regions(GAME, position.view(0), WORDS) for fact in each.facts if fact.id == "owed-0"]
    assert facts
    for fact in facts:
        have, owed = fact.value.split("/")
        assert fact.label == "In stock / due at the next pact"
        assert f"have {have} in stock, and {owed} are due" in fact.help


def test_the_typed_view_has_counts_of_cards_that_the_viewer_cannot_see() -> None:
    s = state(2)
    hold(s, 0, "om_tax")
    avenge(s, 0, "ve_oil")
    position = table(s).position
    omens = (card("omen", "om_tax"),)
    for viewer, shown in ((0, omens), (1, Hidden(1)), (None, Hidden(1))):
        seen = msgspec.convert(position.view(viewer), WutakiView)
        assert seen.state.omens[0] == shown
        assert isinstance(seen.state.vengeance[0], Hidden) == (viewer != 0)
        assert [element is None for element in seen.state.element] == [viewer != 0, viewer != 1]
        assert seen.state.omen_deck == Hidden(44)


def test_an_own_pact_ticks_the_costs_that_can_be_paid() -> None:
    s = state(2)
    pacts = enumerate(GAME.components.pacts)
    id, pact = next(each for each in pacts if len(each[1].action.cost.tokens.printed) > 1)
    s.pacts[0], costs = [id], dict(pact.action.cost.tokens.printed)
    for kind in costs:
        stock(s, 0, **{RESOURCES[each]: costs[each] - (each == kind) for each in costs})
        assert place(table(s).position, 0, "mine").count('class="tick"') == len(costs) - 1
    stock(s, 0, **{RESOURCES[kind]: n for kind, n in costs.items()})
    assert place(table(s).position, 0, "mine").count('class="tick"') == len(costs)
    assert 'class="tick"' not in place(table(s).position, 1, "cult-0")


def test_a_second_worker_on_a_field_is_drawn_next_to_the_first() -> None:
    s = state(2)
    stand(s, 1, "loyal", "play_omen")
    s.home[0][0] -= 1
    s.guest = [PLACES.index("play_omen"), 0, who(0, "loyal")]
    drawn = place(table(s).position, 1, "play_omen")
    ids = re.findall(r'id="place-play_omen-1-\d" class="cultist seat-(\d)"', drawn)
    assert ids == ["1", "0"]
    assert drawn.count('class="socket"') == len(s.fields[PLACES.index("play_omen")])
