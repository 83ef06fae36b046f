"""The viewer's own things, behind and in front of its screen, and those in front of each seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Region, Row, fragment

from ..kinds import ASSISTANT, COMMODITY
from .cards import CARD, chip, helper, mask, ritual
from .drawing import ALONE, sign_of
from .texts import id_of, say

_VERBS: Final = ("shaman", "prepare", "perform", "pay_ritual")
"""The verbs of choices that a ritual of the hand stands for."""
_LINE: Final = 32
"""The height of the small things in front of another seat, in pixels."""


class Screen(NamedTuple):
    """The pearls, mana, goods and rituals behind a screen."""

    pearls: int
    mana: int
    goods: Row
    hand: Row


class Tally(NamedTuple):
    """Numbers of a seat that all may know. `score` is None for other seats until the end."""

    rank: int
    tattoos: int
    priests: int
    rituals: int
    goods: int
    tasks: int
    score: int | None


class Things(NamedTuple):
    """The things that lie open before a seat. `ready` and `exhausted` count helpers by kind."""

    ready: Row
    exhausted: Row
    masks: Row
    natural: Row
    mirrored: Row
    permanents: Row

    @property
    def some(self) -> bool:
        """True if there is anything."""
        return any(self.ready + self.exhausted) or bool(self.masks + self.natural + self.mirrored + self.permanents)


# -- the viewer ------------------------------------------------------------------------------------


@fragment
def screen(words: GameMessages, behind: Screen, asked: str) -> Region:
    """Draw the goods and rituals behind the viewer's screen.

    Args:
        words: The messages of the game.
        behind: The things there.
        asked: The verb that rituals stand for first of all. It says why a ritual can't be chosen.

    Returns:
        The region.
    """
    verbs = sorted(_VERBS, key=lambda verb: verb != asked)
    hand = []
    for place, card in enumerate(behind.hand):
        choice = "; ".join(f"{verb} {id_of(words, 'ritual', card)}" for verb in verbs)
        hand.append(ritual(words, card, f"hand-{place}", choice))
    facts = [
        Fact("own-pearls", say(words, "pearls"), str(behind.pearls), sign_of("pearl"), behind.pearls),
        Fact("own-mana", say(words, "mana"), str(behind.mana), sign_of("mana"), behind.mana),
    ]
    for commodity, (id, n) in enumerate(zip(COMMODITY.names, behind.goods, strict=True)):
        choice = f"sacrifice {id}; sell {id} *; pay {id} *"
        facts.append(Fact(f"own-{id}", words.name("commodity", commodity), str(n), sign_of(id), n, choice))
    return Region("screen", say(words, "screen"), "hand", hand, facts)


@fragment
def in_bag(words: GameMessages, cards: Row) -> Region:
    """Draw the viewer's rituals in the bag."""
    drawings = [ritual(words, card, f"bag-{place}", bagged=True) for place, card in enumerate(cards)]
    return Region("in-bag", say(words, "in_bag"), "hand", drawings)


@fragment
def front(words: GameMessages, seat: int, things: Things, *, diving: bool) -> Region:
    """Draw the viewer's helpers, masks, pairs and permanent rituals.

    Args:
        words: The messages of the game.
        seat: The viewer's seat.
        things: The things before it.
        diving: Whether the viewer is asked for the second task of its pearl diver.

    Returns:
        The region.
    """
    found = [
        Drawing(f"card-{id}", *CARD, card) for id, _, card in _helpers(words, seat, things, own=True, diving=diving)
    ]
    found += [Drawing(f"mask-{id}", *CARD, card) for id, _, card in _masks(words, seat, things, own=True)]
    for place, card in enumerate(things.permanents):
        found.append(Drawing(f"chip-{place}", 96, 38, chip(words, card, f"permanent-{seat}-{place}", ALONE)))
    return Region("front", say(words, "front"), "hand", found)


# -- every seat ------------------------------------------------------------------------------------


@fragment
def belongings(words: GameMessages, seat: int, tally: Tally, things: Things | None) -> Region:
    """Draw the rank, the priests and the counts of a seat, and the things before it.

    Args:
        words: The messages of the game.
        seat: The seat.
        tally: Its numbers.
        things: The things before it. None for the viewer's own, which lie in the dock.

    Returns:
        The region.
    """
    rank = words.name("rank", tally.rank)
    facts = [
        Fact(f"rank-{seat}", rank, str(tally.tattoos), sign_of("tattoo"), tally.tattoos, f"target {seat}"),
        Fact(f"priests-{seat}", say(words, "priests"), str(tally.priests), sign_of("priest"), tally.priests),
        Fact(f"rituals-{seat}", say(words, "rituals"), str(tally.rituals), sign_of("ritual"), tally.rituals),
        Fact(f"goods-{seat}", say(words, "goods"), str(tally.goods), sign_of("commodity"), tally.goods),
        Fact(f"tasks-{seat}", say(words, "tasks"), str(tally.tasks), sign_of("statue"), tally.tasks),
    ]
    if tally.score is not None:
        facts.append(Fact(f"score-{seat}", say(words, "score"), str(tally.score), sign_of("vp")))
    drawings = () if things is None else _small(words, seat, things)
    return Region(f"court-{seat}", "", "seat", drawings, facts, seat=seat)


@fragment
def _small(words: GameMessages, seat: int, things: Things) -> tuple[Drawing, ...]:
    """Draw the things in front of another seat, small: helpers, faces, permanent rituals."""
    found = [Drawing(f"of-{id}", width, _LINE, each) for id, width, each in _helpers(words, seat, things, own=False)]
    found += [Drawing(f"of-{id}", width, _LINE, each) for id, width, each in _masks(words, seat, things, own=False)]
    for place, card in enumerate(things.permanents):
        drawn = chip(words, card, f"permanent-{seat}-{place}", (0.0, 3.0, 0.68))
        found.append(Drawing(f"chip-of-{seat}-{place}", 66, _LINE, drawn))
    return tuple(found)


def _helpers(
    words: GameMessages, seat: int, things: Things, *, own: bool, diving: bool = False
) -> Iterator[tuple[str, int, Markup]]:
    """Yield the helpers of a seat: of each kind its id, its small width, and its markup."""
    sent = ("gather", "trade *", "shaman *", "build *" if diving else "")
    for assistant, id in enumerate(ASSISTANT.names):
        ready, exhausted = things.ready[assistant], things.exhausted[assistant]
        if not ready + exhausted:
            continue
        choice = f"steal_assistant {id} *"
        if own:
            choice = "; ".join(filter(None, (sent[assistant], f"ready {id}", f"exhaust {id}")))
        name = f"helper-{seat}-{id}"
        drawn = helper(words, assistant, name, choice, ALONE, ready=ready, turned=exhausted, mini=not own)
        yield name, 62 if exhausted else 44, drawn


def _masks(words: GameMessages, seat: int, things: Things, *, own: bool) -> Iterator[tuple[str, int, Markup]]:
    """Yield the masks and pairs of a seat, each as `_helpers` does."""
    for place, god in enumerate(things.masks):
        id, name = id_of(words, "mask", god), f"own-mask-{seat}-{place}"
        choice = f"place {id}; mirror {id}; pay_mask {id}" if own else f"steal_mask {id}"
        yield name, 30, mask(words, god, name, choice, ALONE, bare=not own)
    for pair, gods in (("natural", things.natural), ("mirrored", things.mirrored)):
        for place, god in enumerate(gods):
            name = f"{pair}-{seat}-{place}"
            yield name, 36, mask(words, god, name, "", ALONE, pair=pair, bare=not own)
