"""Damaged component data is refused by table, id, what is wrong and what is allowed."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from atoll.engine import ComponentError

from . import GAME
from .rules import Toy


def test_box() -> None:
    assert len(GAME.box.cards) == 21
    assert GAME.box.card_ids[:2] == ("pearl", "net")
    assert GAME.box.charm_shell == (0, 1, 2, 3, 2)
    assert GAME.box.titles["de"]["card"][2] == "Bö"


def _set(table: str, index: int, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[table][index][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("cards", 0, "price", 12), r"\[\[cards\]\] 'pearl': price 12; allowed: 0 to 9"),
        (_set("cards", 1, "effect", "fog"), r"\[\[cards\]\] 'net': effect 'fog'; allowed: calm, shells, storm, echo"),
        (_set("cards", 1, "copies", 0), r"\[\[cards\]\] 'net': copies 0; allowed: 1 to 9"),
        (_set("cards", 1, "points", -1), r"\[\[cards\]\] 'net': points -1; allowed: 0 to 9"),
        (_set("cards", 1, "id", "pearl"), r"\[\[cards\]\] 'pearl' stands twice"),
        (_set("cards", 0, "name", {"en": "Pearl"}), r"\[\[cards\]\] 'pearl': name.de is missing"),
        (_set("cards", 0, "points", "many"), r"toy components: .*points"),
        (_set("charms", 0, "shell", "red"), r"\[\[charms\]\] 'gull': shell 'red'; allowed: white, pink, blue, black"),
        (_set("shells", 0, "id", "red"), r"\[\[shells\]\]: the ids must be, in this order, white, pink, blue, black"),
        (_set("shells", 0, "count", 3), r"\[\[shells\]\] 'white': count 3; allowed: at least 4 x 1"),
        (_set("shells", 0, "count", 40), r"\[\[shells\]\]: 68 in all; allowed: fewer than 60"),
        (lambda data: data["charms"].clear(), r"\[\[charms\]\]: 0 entries; allowed: 1 to 6"),
        (lambda data: data["game"].update(goal=0), r"\[game\] goal 0: at least 1"),
        (lambda data: data.pop("cards"), r"toy components: .*cards"),
    ],
)
def test_damage_is_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = copy.deepcopy(dict(GAME.data))
    change(data)
    with pytest.raises(ComponentError, match=message):
        Toy(data)


def test_too_few_charms_are_refused() -> None:
    data = copy.deepcopy(dict(GAME.data))
    del data["charms"][3:]
    with pytest.raises(ComponentError, match="3 charms; allowed: 4 to 6"):
        Toy(data)
