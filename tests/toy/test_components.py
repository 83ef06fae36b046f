"""Invalid component data is refused with its table, its id, the fault and the allowed values."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atoll.engine import ComponentError

from . import GAME
from .rules import Toy


def test_box() -> None:
    assert len(GAME.components.cards) == 21
    assert GAME.components.card_ids[:2] == ("pearl", "net")
    assert GAME.components.charm_shell == (0, 1, 2, 3, 2)
    assert GAME.components.titles["de"]["card"][2] == "Bö"


def _set(table: str, index: int, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[table][index][key] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("cards", 0, "price", 12), "[cards] pearl: price is 12; allowed: a whole number from 0 to 9"),
        (_set("cards", 1, "effect", "fog"), "[cards] net: effect is 'fog'; allowed: calm, echo, shells, storm"),
        (_set("cards", 1, "copies", 0), "[cards] net: copies is 0; allowed: a whole number from 1 to 9"),
        (_set("cards", 1, "points", "many"), "[cards] net: points is 'many'; allowed: a whole number from 0 to 9"),
        (_set("cards", 1, "points", True), "[cards] net: points is True; allowed: a whole number from 0 to 9"),
        (_set("cards", 1, "colour", 1), "colour is unknown; allowed: copies, price, points, effect, id, name"),
        (_set("cards", 1, "id", "pearl"), "[cards] pearl: duplicate id; allowed: each id once"),
        (_set("cards", 1, "id", "two words"), "id is 'two words'; allowed: letters, digits and _ + # : . ' - only"),
        (_set("cards", 0, "name", {"de": "Perle"}), "[cards] pearl: name.en is missing; allowed: a text"),
        (_set("cards", 0, "name", {"en": "Pearl", "de": " "}), "[cards] pearl: name.de is ' '; allowed: a text"),
        (_set("cards", 0, "name", "Pearl"), "[cards] pearl: name is 'Pearl'; allowed: a table with en, de"),
        (_set("charms", 0, "shell", "red"), "[charms] gull: shell is 'red'; allowed: white, pink, blue, black"),
        (_set("shells", 0, "id", "red"), "[shells] red: the id is unknown; allowed: white, pink, blue, black"),
        (_set("shells", 0, "count", 3), "[shells] white: count is 3; allowed: at least 4 x 1"),
        (_set("shells", 0, "count", 40), "[shells]: 68 in all; allowed: fewer than 60"),
        (_set("shells", 0, "count", 10**30), "[shells] white: count is 1000000"),
        (lambda data: data["charms"].clear(), "[charms]: it is []; allowed: a list of 4 to 6, each item a table"),
        (lambda data: data["charms"].append(3), "[charms] number 6: it is 3; allowed: a table with shell, "),
        (lambda data: data["game"].update(goal=0), "[game]: goal is 0; allowed: a whole number from 1 to 9"),
        (lambda data: data.pop("cards"), "[cards]: it is missing; allowed: a list of"),
        (lambda data: data.update(fish=1), "[fish]: it is unknown; allowed: game, shells, cards, charms"),
    ],
)
def test_damage_is_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = copy.deepcopy(dict(GAME.data))
    change(data)
    with pytest.raises(ComponentError) as caught:
        Toy(data)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"a = = 1", "isn't valid TOML ("),
        (b"a = " + b"9" * 5000, "isn't valid TOML ("),
        (b"a = " + b"[" * 5000, "isn't valid TOML ("),
        (b"a = '\xff'", "isn't UTF-8 text"),
        (None, "can't be read (No such file or directory)"),
    ],
)
def test_an_unreadable_file_is_refused(tmp_path: Path, content: bytes | None, wrong: str) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ComponentError) as caught:
        GAME.with_components(file)
    assert str(caught.value).startswith(f"{file}: {wrong}")
    assert str(caught.value).endswith("; allowed: a copy of a game's components.toml with changes")


def test_the_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[game]\ngoal = 99", "utf-8")
    with pytest.raises(ComponentError) as caught:
        GAME.with_components(file)
    assert str(caught.value).startswith(f"{file}: [game]: ")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own
