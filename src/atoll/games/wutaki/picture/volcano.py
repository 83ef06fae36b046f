"""The volcano: the round in its smoke, Buka's maw, the pact counter."""

from __future__ import annotations

from atoll.engine.translations import GameMessages
from atoll.picture import Region, Row, Rows, fragment

from ..components import WutakiComponents
from ..describe import describe
from ..kinds import RESOURCES
from ..signs import round_signs
from .drawing import draw, in_row, squeezed
from .table import area, named, sockets


@fragment
def smoke(words: GameMessages[WutakiComponents], seats: int, round: int, card: int, faces: Row, fields: Rows) -> Region:
    """Return the round and its card, which may be a place.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        round: The number of the round.
        card: Its card; -1 between two rounds.
        faces: The faces of masterboards that are being picked.
        fields: The fields of the card; see `fields_at`.
    """
    if card >= 0:
        title, text = words.name("round_card", card), describe(words, "round_card", card, seats)
        signs = round_signs(words.game.components.round_cards[card])
    else:
        title = words.say("table.faces" if faces else "table.no_round_card")
        text, signs = "; ".join(words.name("masterboard", face) for face in faces), []
    room = 236 - len(fields) * 30
    markup = draw(
        "smoke",
        name=named(words, title, text, fields),
        title=squeezed(title, 170, 16),  # The display type is wide.
        when=f"{words.say('table.round')} {round}",
        choice="visit * round_place; crowd_in * round_place; chase round_place *; recall * round_place",
        line=in_row(signs, 30 + room / 2, 71, 17, width=room, middle=True),
        fields=sockets(fields, 268 - len(fields) * 15, 82, 30),
    )
    return area("round", title, 296, 106, markup)


@fragment
def maw(words: GameMessages, tokens: Row) -> Region:
    """Return Buka with the tokens in his maw, by resource."""
    lying = [(kind, n) for kind, n in enumerate(tokens) if n]
    heap = [
        {"kind": RESOURCES[kind], "n": n, "x": 150 + (place - (len(lying) - 1) / 2) * 39}
        for place, (kind, n) in enumerate(lying)
    ]
    listed = ", ".join(f"{n} {words.name('resource', kind)}" for kind, n in lying) or words.say("table.nothing")
    markup = draw("buka", heap=heap, name=words.say("table.maw.holds", {"what": listed}), full=bool(heap))
    return area("maw", words.say("table.maw"), 300, 254, markup)


@fragment
def counter(words: GameMessages[WutakiComponents], seats: int, side: int, at: int) -> Region:
    """Return the pact counter with the spaces in use.

    Args:
        words: The messages of the game.
        seats: The number of seats, which determines the spaces.
        side: The side of the island.
        at: The space of the counter.
    """
    board = words.game.components.boards[side]
    following, spaces = board.counter_next[seats], board.counter_positions(seats)
    step = 300 / len(spaces)
    shown = []
    for place, space in enumerate(spaces):
        aside = (place + 0.5) / len(spaces) * 2 - 1
        shown.append(
            {
                "x": (place + 0.5) * step,
                "y": 17 + 12 * (1 - aside * aside),
                "r": min(19, step / 2 - 0.5),
                "number": space,
                "now": space == at,
                "next": space == following[at],
                "sign": ("", "omen", "marker")[board.counter_event[space] + 1],
            }
        )
    name = words.say("table.counter", {"n": at})
    markup = draw("counter", spaces=shown, name=name, text=words.say("rule.counter"))
    return area("counter", words.say("table.counter.title"), 300, 48, markup)
