"""The data of Raiatea's rules page: tables of setup, places, prices and ranks, and components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from atoll.engine import Game, Options
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, Drawing, RuleTable, by_seats
from atoll.picture.rulebook import NOTHING, Cell

from .components import AUCTION, FAMILIES, PER_COLOUR, RITUAL_KINDS, RaiateaComponents
from .describe import Describer
from .feast import gifts_given
from .kinds import ASSISTANT, COMMODITIES, COMMODITY, DECK, GIFT, LEVELS, LOCATION, MIRROR_MASK, SPACES_EACH, STATUES
from .picture import pieces
from .state import RaiateaState

_TASKS = ("tasks_first", "tasks_second", "tasks_third")


def tables(
    game: Game[RaiateaState, RaiateaComponents], words: GameMessages, seats: int, options: Options
) -> dict[str, RuleTable]:
    """Return the tables of the rules page.

    They show everything that depends on the number of players, and locations, prices, assistants,
    ranks, statues and points.

    Args:
        game: The game.
        words: The messages of the game.
        seats: The number of seats that is highlighted.
        options: The options of the game.
    """
    components = game.components
    describer = Describer(game.package, components, words.language)
    texts = {kind: [*map(words.translated, each)] for kind, each in components.texts[words.language].items()}

    def say(key: str, /, **fields: Any) -> str:
        """Return a text of a table."""
        return words.say(f"rule.table.{key}", fields)

    def names(domain: str) -> Iterator[str]:
        """Return the names of a domain's elements, in order."""
        return (words.name(domain, index) for index in range(len(components.titles[words.language][domain])))

    def rounds(feast: int, count: int) -> int:
        """Return the number of action rounds before a feast, counted from the feast before it."""
        feasts = [-1, *(at for at, field in enumerate(components.track[count]) if components.fields[field].feast)]
        return feasts[feast + 1] - feasts[feast] - 1

    return {
        "setup": by_seats(
            say("players"),
            game.seat_counts,
            seats,
            [
                *((say("setup.rounds", n=feast + 1), partial(rounds, feast)) for feast in range(STATUES)),
                (say("setup.total"), lambda count: sum(rounds(feast, count) for feast in range(STATUES))),
                (
                    say("setup.kept"),
                    lambda count: ", ".join("+".join(map(str, each)) for each in components.kept[count]),
                ),
                (say("setup.display"), lambda count: count + 1),
                (say("setup.masks"), lambda count: len(components.start_masks) - count),
                (say("setup.gifts"), gifts_given),
            ],
        ),
        "locations": RuleTable(
            (say("locations.location"), say("locations.all"), say("locations.kahuna")),
            list(zip(names("location"), texts["location"], texts["kahuna"], strict=True)),
        ),
        "prices": RuleTable(
            (say("prices.level"), *names("commodity")),
            [
                (level + 1, *(describer.price(commodity, level) for commodity in range(COMMODITIES)))
                for level in reversed(range(LEVELS))
            ],
        ),
        "assistants": RuleTable(
            tuple(say(f"assistants.{each}") for each in ("assistant", "reward", "sent")),
            [
                (words.name("assistant", assistant), _roll(words, describer, assistant), texts["send"][assistant])
                for assistant in range(ASSISTANT.size)
            ],
        ),
        "ranks": RuleTable(
            tuple(say(f"ranks.{each}") for each in ("rank", "tattoos", "draw", "decks", "clips", "vp")),
            [
                (
                    name,
                    components.rank_tattoos[rank],
                    components.rank_draw[rank],
                    ", ".join(words.name("deck", deck) for deck in components.rank_decks[rank]) or NOTHING,
                    components.rank_clips[rank],
                    components.rank_vp[rank],
                )
                for rank, name in enumerate(names("rank"))
            ],
        ),
        "statues": RuleTable(
            tuple(say(f"statues.{each}") for each in ("statue", "vp", "rows", "tasks", "auctions", "unlocked")),
            [
                (
                    statue + 1,
                    _worth(components, statue),
                    "-".join(str(len(row)) for row in components.rows if row[0] // SPACES_EACH == statue),
                    len(components.task_pools[statue]),
                    sum(components.task_kind[task] == AUCTION for task in components.task_pools[statue]),
                    say("statues.after", n=statue) if statue else say("statues.from_start"),
                )
                for statue in range(STATUES)
            ],
        ),
        "points": RuleTable((say("points.what"), say("points.vp")), _points(words, components)),
    }


def _roll(words: GameMessages, describer: Describer, assistant: int) -> str:
    """Return the locations with a bonus roll for an assistant, and its reward."""
    components = describer.components
    where = [
        words.name("location", location) for location, roll in enumerate(components.bonus_roll) if roll == assistant
    ]
    return f"{', '.join(where)}: {describer.effect(components.rewards[assistant])}" if where else NOTHING


def _worth(components: RaiateaComponents, statue: int) -> int:
    """Return the points of each task of a statue."""
    return components.task_vp[components.task_pools[statue][0]]


def _points(words: GameMessages, components: RaiateaComponents) -> list[tuple[Cell, ...]]:
    """Return what scores at the end, with its points."""

    def say(key: str, /, **fields: Any) -> str:
        """Return a text of the table of points."""
        return words.say(f"rule.table.points.{key}", fields)

    found: list[tuple[Cell, ...]] = [(say("rank", rank=rank), vp) for rank, vp in enumerate(components.rank_vp)]
    found += [(say("ritual", ritual=card), vp) for card, vp in enumerate(components.ritual_vp) if vp]
    found += [(say("task", n=statue + 1), _worth(components, statue)) for statue in range(STATUES)]
    for family, name in enumerate(FAMILIES):
        gods = [god for god, each in enumerate(components.god_family) if each == family and god != MIRROR_MASK]
        if gods:
            most = _listed(components.god_max[god] for god in gods)
            fields = {"most": most} if family == PER_COLOUR else {}
            found.append((say(name, **fields), _listed(components.god_vp[god] for god in gods)))
    return found


def _listed(values: Iterable[int]) -> str:
    """Return the different values once each, ascending."""
    return ", ".join(map(str, sorted(set(values))))


def gallery(game: Game[RaiateaState, RaiateaComponents], words: GameMessages) -> dict[str, Sequence[ComponentPicture]]:
    """Return the components by group.

    The groups are locations, commodities, assistants, masks, rituals by kind, tasks by statue, and
    other components.
    """
    components = game.components
    describer = Describer(game.package, components, words.language)
    rituals = sorted(
        range(len(components.ritual_ids)), key=lambda card: (components.ritual_deck[card], components.ritual_cost[card])
    )
    copies = [sum(every.count(card) for every in components.decks[1]) for card in range(len(components.ritual_ids))]
    return {
        "locations": [
            ComponentPicture(words.name("location", location), 1, pieces.location(words, location))
            for location in range(LOCATION.size)
        ],
        "commodities": [
            ComponentPicture(
                words.name("commodity", commodity),
                components.start_goods[commodity] + components.forest_deck.count(commodity),
                pieces.commodity(words, commodity),
            )
            for commodity in range(COMMODITY.size)
        ],
        "assistants": [
            ComponentPicture(
                words.name("assistant", assistant),
                components.start_assistants[assistant] + components.forest_deck.count(COMMODITIES + assistant),
                pieces.assistant(words, assistant),
            )
            for assistant in range(ASSISTANT.size)
        ],
        "masks": [_mask(words, components, describer, god) for god in range(len(components.god_ids))],
        **{
            kind: [
                ComponentPicture(
                    words.name("ritual", card),
                    copies[card],
                    pieces.ritual(words, card),
                    _ritual_text(words, describer, card),
                )
                for card in rituals
                if RITUAL_KINDS[components.ritual_kind[card]] == kind
            ]
            for kind in RITUAL_KINDS
        },
        **{
            id: [
                ComponentPicture(describer.task(task), pool.count(task), pieces.task(words, task))
                for task in dict.fromkeys(pool)
            ]
            for id, pool in zip(_TASKS, components.task_pools, strict=True)
        },
        "gifts": [ComponentPicture(describer.gift(gift), 1, pieces.gift(words, gift)) for gift in range(GIFT.size)],
        "others": _others(game, words),
    }


def _mask(words: GameMessages, components: RaiateaComponents, describer: Describer, god: int) -> ComponentPicture:
    """Return a god with the scoring of its pair and the treasures of its cards in the forest."""
    cards = [effects for each, effects in components.mask_cards if each == god]
    total = components.start_masks.count(god) + len(cards)
    treasures = Counter(describer.effects(each) for each in cards if each)
    said = [
        words.say("rule.gallery.treasure" + (".some" if n < total else ""), {"text": text, "n": n, "total": total})
        for text, n in treasures.items()
    ]
    return ComponentPicture(
        words.name("mask", god), total, pieces.mask(words, god), " ".join((describer.mask(god), *said))
    )


def _ritual_text(words: GameMessages, describer: Describer, card: int) -> str:
    components = describer.components
    cost = words.say(
        f"rule.gallery.cost.{DECK.label(components.ritual_deck[card])}", {"n": components.ritual_cost[card]}
    )
    return f"{cost} {describer.ritual(card)}"


def _others(game: Game[RaiateaState, RaiateaComponents], words: GameMessages) -> list[ComponentPicture]:
    """Return the components that aren't cards: tokens, markers, the bag and the die."""
    counts = game.data["box"]
    things: tuple[tuple[str, str, Drawing | None], ...] = (
        ("pearls", "pearl_tokens", pieces.thing_alone("pearl")),
        ("mana", "mana_tokens", pieces.thing_alone("mana")),
        ("bag", "sacrificial_bag", pieces.thing_alone("bag")),
        ("die", "die", pieces.thing_alone("die")),
        ("stones", "favour_stones", pieces.thing_alone("stone")),
        ("discs", "player_discs", pieces.thing_alone("disc")),
        ("price_markers", "price_markers", pieces.thing_alone("marker")),
        ("clips", "ritual_clips", pieces.thing_alone("clip")),
        ("screens", "screens", pieces.thing_alone("screen")),
        ("round_marker", "round_marker", pieces.thing_alone("round")),
        ("start_marker", "start_player_marker", None),
    )
    printed = game.text_values(game.components)
    return [
        ComponentPicture(
            words.say(f"rule.gallery.{id}"), counts[count], drawing, words.say(f"rule.gallery.{id}.does", printed)
        )
        for id, count, drawing in things
    ]
