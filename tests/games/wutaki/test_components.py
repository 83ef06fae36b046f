"""The components (WU-1): binding totals, each entry, and damaged data refused by table and id."""

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.wutaki import GAME
from atoll.games.wutaki.component_loader import load_components
from atoll.games.wutaki.components import VERBS
from atoll.games.wutaki.effects import FLOWS, TESTS

DATA: dict[str, Any] = dict(GAME.data)
BOX = GAME.components


def entry(data: dict[str, Any], table: str, id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in data[table] if row.get("id") == id)
    return found


def test_totals_are_those_of_the_rulebook() -> None:
    """Rule WU-1.2."""
    assert sum(BOX.tokens) == 135
    assert len(BOX.pacts) == 68
    assert [sum(pact.element == element for pact in BOX.pacts) for element in range(4)] == [17] * 4
    assert sum(omen.copies for omen in BOX.omens) == 45
    assert sum(omen.copies for omen in BOX.omens if omen.permanent) == 9
    assert len(BOX.vengeance) == 19
    assert len(BOX.secret_pacts) == 20
    assert len(BOX.round_cards) == 20
    assert len(BOX.tower_upgrades) == 9
    assert len(BOX.abilities) == 6
    assert len(BOX.elements) == len(BOX.cost_markers) == 4


def test_anti_elements() -> None:
    """Rule WU-11.5."""
    assert [(card.element, card.anti) for card in BOX.elements] == [(0, 1), (1, 0), (2, 3), (3, 2)]


def test_every_verb_is_carried_out_and_tested_by_one_function() -> None:
    """Rule WU-8.6."""
    assert [VERBS[verb] for verb in FLOWS.missing()] == []
    assert [VERBS[verb] for verb in TESTS.missing()] == []


def test_every_verb_of_the_cards_is_in_the_list() -> None:
    """Rule WU-8.6."""

    def verbs(value: Any) -> set[str]:
        if isinstance(value, dict):
            found = {value["do"]} if "do" in value else set()
            return found.union(*(verbs(each) for each in value.values()))
        return set().union(*(verbs(each) for each in value)) if isinstance(value, list) else set()

    assert verbs(DATA) == set(VERBS)  # the list is closed, and nothing in it is unused


Damage = Callable[[dict[str, Any]], None]


def damaged(change: Damage) -> dict[str, Any]:
    data = copy.deepcopy(DATA)
    change(data)
    return data


def set_effect(table: str, id: str, key: str, value: list[Any]) -> Damage:
    return lambda data: entry(data, table, id).__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_effect("omen", "om_tax", "effects", [{"do": "steal", "n": 1}]), ["omen", "om_tax", "steal", "take_omen"]),
        (
            set_effect("pact", "fire_01", "reward", [{"do": "vp", "n": 4, "x": 1}]),
            ["pact", "fire_01", "reward[0].x", "unknown", "n"],
        ),
        (set_effect("pact", "fire_01", "reward", [{"do": "vp"}]), ["pact", "fire_01", "'vp' has no 'n'"]),
        (set_effect("pact", "fire_01", "reward", [{"do": "vp", "n": "4"}]), ["fire_01", "'4'", "whole number"]),
        (
            set_effect("omen", "om_hoard", "effects", [{"do": "end_vp", "metric": "luck", "vp": 1}]),
            ["om_hoard", "luck"],
        ),
        (set_effect("omen", "om_tax", "effects", []), ["omen", "om_tax", "effects is []", "at least 1"]),
        (set_effect("omen", "om_tax", "effects", [{"do": "burn_omens", "max": 2, "vp": 1}]), ["om_tax", "ability"]),
        (set_effect("omen", "om_tax", "effects", [{"do": "chase", "relocate": True}]), ["om_tax", "relocate"]),
        (set_effect("omen", "om_tax", "effects", [{"do": "gain"}]), ["om_tax", "no tokens", "gold"]),
        (set_effect("round_card", "ro_digestion", "effects", [{"do": "vp", "n": 1}]), ["ro_digestion", "empty_maw"]),
        (set_effect("ability", "cleanse", "when", ["T9"]), ["ability", "cleanse", "T9", "T4"]),
        (lambda data: entry(data, "pact", "fire_01").pop("sacrifice"), ["pact", "fire_01", "sacrifice"]),
        (lambda data: entry(data, "pact", "fire_01")["sacrifice"].update(iron=1), ["fire_01", "iron", "oil"]),
        (lambda data: entry(data, "pact", "fire_01").update(element="ice"), ["fire_01", "ice", "fire, water"]),
        (lambda data: entry(data, "pact", "fire_02").update(id="fire_01"), ["pact", "fire_01", "duplicate"]),
        (lambda data: data["pact"].pop(), ["counts", "pacts", "68", "67"]),
        (lambda data: data["resource"][0].update(tokens=34), ["counts", "135", "134"]),
        (lambda data: entry(data, "omen", "om_tax").update(pay={"any": 1}, sacrifice={"any": 1}), ["om_tax", "both"]),
        (lambda data: entry(data, "vengeance", "ve_oil").update(limit=-1), ["vengeance", "ve_oil", "limit"]),
        (lambda data: entry(data, "board", "standard")["place"].pop(), ["board", "standard", "start_player"]),
        (lambda data: entry(data, "board", "standard").update(slot_gold=[1, 2]), ["board", "standard", "slot_gold"]),
        (lambda data: entry(data, "round_card", "ro_caravan").update(chain=True), ["ro_caravan", "chain"]),
        (
            lambda data: entry(data, "masterboard", "thieves")["pact_track"][1].update(players=[2, 4]),
            ["masterboard", "thieves", "at is 3 twice for 4 players"],
        ),
        (
            lambda data: entry(data, "masterboard", "thieves")["pact_track"][1].update(players=[5]),
            ["masterboard", "thieves", "players", "5", "4"],
        ),
        (lambda data: data.pop("ability"), ["ability", "missing"]),
        (lambda data: data.update(dice=[]), ["dice", "unknown", "hire_slot"]),
        (lambda data: entry(data, "omen", "om_tax").update(name={"de": "Steuer"}), ["om_tax", "name.en"]),
    ],
)
def test_damaged_data_is_refused_by_name(change: Damage, words: list[str]) -> None:
    """Rule WU-1.3."""
    with pytest.raises(ComponentError) as caught:
        load_components(damaged(change))
    for word in words:
        assert word in str(caught.value)


def test_an_unknown_verb_is_refused_with_the_cards_id() -> None:
    """Rule WU-1.3."""
    with pytest.raises(ComponentError, match=r"om_tax.*'fly'.*allowed: .*take_resources"):
        load_components(damaged(set_effect("omen", "om_tax", "effects", [{"do": "fly"}])))


def test_a_file_of_ones_own_is_another_game(tmp_path: Path) -> None:
    source = Path(__file__).parents[3] / "src/atoll/games/wutaki/components.toml"
    text = source.read_text("utf-8").replace("start_vp = 5", "start_vp = 9")
    own = tmp_path / "own.toml"
    own.write_text(text, "utf-8")
    game = GAME.with_components(own)
    assert game.new(2).state.vp == [9, 9]
    assert game.components_hash != GAME.components_hash
    assert tomllib.loads(text)["game"]["start_vp"] == 9


def test_a_cost_never_takes_away_what_the_first_effect_needs() -> None:
    # Judged before paying: so no cost of the set may spend what its effect is about.
    """Rule WU-8.7."""
    for omen in BOX.omens:
        cost = omen.action.cost
        assert not (cost.omen or cost.vp or cost.worker)
