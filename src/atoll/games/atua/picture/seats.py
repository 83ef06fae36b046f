"""The balance of the viewer's island and its resident; the possessions of each seat."""

from __future__ import annotations

from typing import Final

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Region, Row, Rows, fragment

from ..components import BEACH_CARD, COUNTED, SYMBOLS, TOTEMS, VILLAGE_STAR, VOLCANO
from ..outline import UNIT
from ..state import NO_RESIDENT
from ..view import AtuaView
from .drawing import LINED, draw, face_of
from .table import components_of, extent, island_of, say, shows, spots
from .tiles import chip, fate_in_words, resident_tile, resident_words, rivalry

_PAIRS: Final = (("fisher", "fish"), ("huntress", "bird"), ("canoe", "palm"))
_SMALL: Final = 7  # pixels of a unit on the islands of others
_SHOAL: Final = 1.5  # units of shallow water around these


# -- the viewer ------------------------------------------------------------------------------------


def harmony(words: GameMessages, seen: AtuaView, seat: int) -> Region:
    """Return the viewer's coconuts, the balance of its island, and the resident in its hand.

    Args:
        words: The game's messages.
        seen: The view.
        seat: The seat of the viewer.
    """
    s, live = seen.state, seen.live
    resident = s.residents[seat] if s.residents else None
    held = NO_RESIDENT if resident is None else resident
    return _harmony(words, seen.solo, s.supply[seat], live.counts[seat], live.beach[seat], held, live.resident)


@fragment
def _harmony(
    words: GameMessages, solo: bool, supply: int, counts: Row, beach: int, resident: int, worth: int | None
) -> Region:
    """Return the region of the viewer.

    Args:
        words: The game's messages.
        solo: Whether Tahuma is the opponent.
        supply: The number of coconuts.
        counts: How many of each thing in COUNTED there are.
        beach: The number of cards in the longest beach.
        resident: The resident in the hand, or NO_RESIDENT.
        worth: The points that it would score now.
    """
    facts = [Fact("own-coconuts", say(words, "coconuts"), str(supply), draw("icon", name="coconut"), supply)]
    for consumer, resource in _PAIRS:
        too_many = counts[COUNTED.index(consumer)] > counts[COUNTED.index(resource)]
        for name in (consumer, resource):
            symbol = SYMBOLS.index(name)
            label = words.name("symbol", symbol)
            if too_many and name == consumer:
                label = say(words, "too_many", symbol=symbol)
            facts.append(_count(name, label, counts[symbol], words.say(f"rule.{'too_many' if too_many else 'pairs'}")))
    for totem in TOTEMS:
        if counts[totem]:
            twin = counts[totem] > 1 and not solo
            label = say(words, "twin", symbol=totem) if twin else words.name("symbol", totem)
            rule = words.say("rule.all" if solo else "rule.without_twin")
            facts.append(_count(SYMBOLS[totem], label, counts[totem], rule))
    facts.append(_count("volcano", words.name("symbol", VOLCANO), counts[VOLCANO], words.say("rule.ruler")))
    facts.append(_count("beach", say(words, "beach"), beach, say(words, "beach.help", cards=counts[BEACH_CARD])))
    drawings = [] if resident == NO_RESIDENT else [resident_tile(words, resident, "play_resident", worth)]
    return Region("harmony", say(words, "harmony"), "hand", drawings, facts)


def _count(name: str, label: str, number: int, help: str) -> Fact:
    return Fact(f"count-{name}", label, str(number), draw("icon", name=name), number, help=help)


# -- each seat -------------------------------------------------------------------------------------


def seat(words: GameMessages, seen: AtuaView, seat: int) -> Region:
    """Return the possessions of a seat: coconuts, tiles, points, and its small island.

    The island is left out if it is the large one.

    Args:
        words: The game's messages.
        seen: The view.
        seat: The seat.
    """
    s = seen.state
    island = None if seat == seen.shown else small_island(words, seat, seen.solo, s.placed[seat])
    bought = [(fate, rivalry(words, seen, fate, seat)) for fate in s.fates[seat]]
    return _seat(
        words, seat, s.supply[seat], seen.live.scores[seat], seen.options.residents, s.revealed[seat], island, *bought
    )


@fragment
def _seat(
    words: GameMessages,
    seat: int,
    supply: int,
    score: int,
    residents: bool,
    played: int,
    island: Drawing | None,
    *fates: tuple[int, Rows],
) -> Region:
    """Return the possessions of a seat.

    Args:
        words: The game's messages.
        seat: The seat.
        supply: Its coconuts.
        score: Its points if the game ended now.
        residents: Whether each seat has a resident.
        played: The resident that it has played, or NO_RESIDENT.
        island: Its small island, if it is to be shown.
        *fates: The fates that it has bought, each with its `rivalry`.
    """
    components = components_of(words)
    points, sign = str(score).replace("-", "−"), draw("points", d=LINED)
    facts = [
        Fact(f"supply-{seat}", say(words, "coconuts"), str(supply), draw("icon", name="coconut"), supply),
        Fact(f"total-{seat}", say(words, "score"), points, sign, score, help=say(words, "score.help")),
    ]
    if residents and played == NO_RESIDENT:
        facts.append(Fact(f"resident-{seat}", say(words, "unplayed"), "?", draw("icon", name="resident")))
    drawings = [] if island is None else [island]
    if played != NO_RESIDENT:
        title, name = resident_words(words, played)
        drawings.append(chip(f"resident-{components.residents[played].id}", name, title, ["resident"]))
    for fate, compared in fates:
        things = [COUNTED[thing] for thing in components.fates[fate].categories]
        drawings.append(chip(f"fate-{components.fates[fate].id}", fate_in_words(words, fate, compared), "", things))
    return Region(f"seat-{seat}", "", "seat", drawings, facts, seat=seat)


@fragment
def small_island(words: GameMessages, seat: int, solo: bool, placed: Row) -> Drawing:
    """Return the small island of a seat.

    Args:
        words: The game's messages.
        seat: The seat.
        solo: Whether Tahuma is the opponent.
        placed: Its cards; see AtuaState.
    """
    island, id = island_of(words.game, solo, placed), f"island-{seat}"
    left, top, wide, high = extent(placed, _SHOAL)
    size = min(_SMALL, 340 / wide)
    symbols = [symbol for symbol in range(len(SYMBOLS)) for _ in range(island.counts[symbol]) if symbol != VILLAGE_STAR]
    name = say(words, "their_island", seat=seat, symbols=shows(words, symbols))
    cards = [
        {
            "id": f"{id}-{components_of(words).cards[card].id}",
            "x": x * UNIT,
            "y": y * UNIT,
            "face": face_of(words.game, card, rot),
        }
        for card, x, y, rot in island.cards()
    ]
    markup = draw(
        "small_island",
        id=id,
        name=name,
        help=say(words, "enlarge"),
        scale=size / UNIT,
        left=-left * UNIT,
        top=-top * UNIT,
        spots=spots(placed),
        cards=cards,
    )
    return Drawing(f"island-of-{seat}", wide * size, high * size, markup)
