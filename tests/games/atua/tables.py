"""Tables of Atua for several tests. Cards are named by their number, tiles by their short name."""

import json
from typing import Any

import atoll
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atua import GAME
from atoll.games.atua.state import AtuaState
from tests.games.atua.islands import E37

BOX = GAME.components
CARDS = [card.id for card in BOX.cards]
RESIDENTS = [resident.id for resident in BOX.residents]
FATES = [fate.id.removeprefix("fate_") for fate in BOX.fates]


def begin(
    seats: int = 2,
    row: str = "01 02 03 04",
    residents: str = "",
    fates: str = "",
    villages: str = "1 2 3 4 5 6",
    **options: Any,
) -> ScriptedGame:
    """The first turn of a game that seat 0 begins; with residents and fates where some are named."""
    chosen = {"start_player": "seat_1", "residents": bool(residents), "fates": bool(fates), **options}
    table = ScriptedGame("atua", seats, chosen)
    table.play(*(f"deal_village village_{number}" for number in villages.split()[:seats]))
    table.play(*(f"reveal_card island_{number}" for number in row.split()))
    table.play(*(f"deal_resident {name}" for name in residents.split()))
    table.play(*(f"reveal_fate fate_{name}" for name in fates.split()))
    return table


def solo(left: str = "", right: str = "", village: str = "1", **options: Any) -> ScriptedGame:
    """The first turn against Tahuma, with these two open cards."""
    table = ScriptedGame("atua", 1, options).play(f"deal_village village_{village}")
    return table.play(f"reveal_card island_{left}", f"reveal_card island_{right}") if left else table


def at(table: ScriptedGame, **fields: Any) -> ScriptedGame:
    """Return the checkpoint of a table with some fields replaced.

    Cards in `row` leave the deck, and the former ones of the row return to it.
    """
    state: AtuaState = atoll.load(table.position.save()).state.clone()
    if "row" in fields:
        state.deck = sorted({*state.deck, *state.row} - set(fields["row"]))
    for name, value in fields.items():
        setattr(state, name, json.loads(json.dumps(value)))
    return ScriptedGame.at("atua", state, dict(table.position.options))


def numbers(cards: str) -> list[int]:
    """The numbers of island cards such as "01 33"."""
    return [CARDS.index(f"island_{each}") for each in cards.split()]


def island(village: str, *cards: str) -> list[int]:
    """`placed` of an island such as island("1", "36 0 4 0")."""
    placed = [CARDS.index(f"village_{village}"), 0, 0, 0]
    for each in cards:
        name, *position = each.split()
        placed += [CARDS.index(f"island_{name}"), *map(int, position)]
    return placed


def e37() -> list[int]:
    """`placed` of the island of E37."""
    return island("3", *(placing.removeprefix("island_") for placing, _, _ in E37))


def first_placement(table: ScriptedGame, seat: int) -> str:
    """The first legal placement of the card that the seat holds."""
    return next(text for text in table.options(seat) if text.startswith("place"))


def take(table: ScriptedGame, seat: int, slot: int, card: str = "58") -> ScriptedGame:
    """Take a card, place it somewhere, and refill with another."""
    table.play(f"p{seat} take {slot}")
    table.play(f"p{seat} {first_placement(table, seat)}")
    return table.play(f"reveal_card island_{card}")


def names(table: ScriptedGame, field: str) -> list[str]:
    """The short numbers of the cards in a field."""
    return [CARDS[card].removeprefix("island_") for card in getattr(table.state, field)]


def reason(table: ScriptedGame, seat: int, text: str) -> str:
    """Return the reason why a seat can't make a choice, found from its view."""
    found = table.game.why_not(table.position.view(seat), table.game.parse(text))
    assert found is not None, text
    return found.key
