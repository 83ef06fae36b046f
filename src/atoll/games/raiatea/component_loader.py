"""The loader of Raiatea's components: builds them and rejects impossible values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise, product
from typing import Any

from msgspec.structs import asdict, astuple

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, Schema, in_order, localized_names, read

from . import component_schema as schema
from .component_effects import NOBODYS, effect_of, effects_of, modifier_of
from .components import (
    AUCTION,
    CATEGORIES,
    COLOURS,
    CONDITION,
    FAMILIES,
    GAIN_MANA,
    GAIN_PEARLS,
    GENERAL,
    INTERACTIVE,
    MEASURES,
    MIN_RANK,
    MIRROR_ID,
    MOST,
    MOST_CARDS,
    MOST_COPIES,
    MOST_TASKS,
    PERMANENT,
    RESOURCE,
    RITUAL_KINDS,
    SEAT_COUNTS,
    TASK_KINDS,
    TRIGGERS,
    VERBS,
    Effect,
    Field,
    RaiateaComponents,
)
from .kinds import (
    ASSISTANT,
    ASSISTANTS,
    COMMODITIES,
    COMMODITY,
    DECK,
    FIRST_FOREST_MASK,
    FOREST_CARD,
    GIFT,
    LEVELS,
    LOCATION,
    SPACES_EACH,
    STATUES,
)

Payment = tuple[int, ...]


def _add(payments: set[Payment], others: Sequence[Payment]) -> set[Payment]:
    return {tuple(a + b for a, b in zip(one, other, strict=True)) for one in payments for other in others}


def _of_type(kind: int, n: int) -> Payment:
    return tuple(n if each == kind else 0 for each in range(COMMODITIES))


def _all_payments(pattern: schema.Pattern) -> set[Payment]:
    """Return all ways to match a commodity pattern exactly, as numbers of each type.

    Rule RA-7.7.
    """
    kinds = range(COMMODITIES)
    payments = {(pattern.uru or 0, pattern.taro or 0, pattern.mahi_mahi or 0, pattern.tiare or 0)}
    found: set[Payment] = set(payments)
    if pattern.same and pattern.same_other:
        pairs = [(one, other) for one in kinds for other in kinds if one != other]
        both = [_add({_of_type(a, pattern.same)}, [_of_type(b, pattern.same_other)]).pop() for a, b in pairs]
        found = _add(found, both)
    elif pattern.same:
        found = _add(found, [_of_type(kind, pattern.same) for kind in kinds])
    if pattern.different:
        chosen = [each for each in product((0, 1), repeat=COMMODITIES) if sum(each) == pattern.different]
        found = _add(found, chosen)
    for _ in range(pattern.any or 0):
        found = _add(found, [_of_type(kind, 1) for kind in kinds])
    return found


def _payments(at: FileLocation, task: schema.Task) -> tuple[tuple[Payment, ...], ...]:
    """Return per discount `d` the legal payments, which `d` additional cards would complete."""
    pattern = task.cost and task.cost.commodities
    if not pattern:
        return ()
    at.need(bool(_given(pattern)), "commodities is empty", "at least one of uru, taro, mahi_mahi, tiare, same, ...")
    at.need(not pattern.same_other or bool(pattern.same), "commodities has same_other without same", "same, too")
    payments = _all_payments(pattern)
    size = sum(next(iter(payments)))
    at.need(size <= MOST_COPIES, f"commodities are {size}", f"up to {MOST_COPIES} in all")
    steps = [tuple(sorted(payments))]
    for _ in range(size):
        payments = {
            tuple(n - (kind == each) for each, n in enumerate(payment))
            for payment in payments
            for kind in range(COMMODITIES)
            if payment[kind]
        }
        steps.append(tuple(sorted(payments)))
    return tuple(steps)


def _given(part: Schema | None) -> dict[str, Any]:
    """Return the keys of a schema that have a value."""
    return {key: value for key, value in asdict(part).items() if value is not None} if part is not None else {}


def _measured(at: FileLocation, task: schema.Task, ranks: Sequence[schema.Rank]) -> tuple[int, int]:
    """Return the measure of a task, as an index of `MEASURES`, and how much of it is needed.

    Rules RA-7.6 and RA-7.8.
    """
    kind = TASK_KINDS.index(task.kind)
    cost, condition = _given(task.cost), _given(task.condition)
    at.need(
        bool(condition) == (kind == CONDITION), f"a {task.kind} with {len(condition)} conditions", "kind = condition"
    )
    at.need(
        bool(cost) == (kind == RESOURCE), f"a {task.kind} with cost {', '.join(cost)}", "a cost with kind = resource"
    )
    category = {CONDITION: "condition", AUCTION: "mana"}.get(kind, task.category)
    at.need(task.category == category, f"category is {task.category!r}", category)
    if kind == AUCTION:
        return MEASURES.index("auction"), 0
    if kind == RESOURCE:
        at.need(list(cost) == [category], f"cost is {', '.join(cost)}", f"exactly the category, {category}")
        pattern = task.cost and task.cost.commodities
        return MEASURES.index(category), sum(next(iter(_all_payments(pattern)))) if pattern else cost[category]
    at.need(len(condition) == 1, f"condition is {', '.join(condition)}", "exactly one")
    ((key, value),) = condition.items()
    measure = MEASURES.index(key)
    return measure, at.one_of(key, value, [rank.id for rank in ranks]) if measure == MIN_RANK else value


# -- all components --------------------------------------------------------------------------------


def load_components(data: JsonMapping) -> RaiateaComponents:
    """Return the components that parsed component data describe.

    Args:
        data: The parsed component data.

    Raises:
        ComponentError: If a value is impossible.
    """
    file = read(data, schema.File)
    setup, ranks, gods, rituals, tasks = file.setup, file.rank, file.mask_god, file.ritual, file.task
    _check_ranks(ranks, file)
    for ritual in rituals:
        _check_ritual(FileLocation("ritual", ritual.id), ritual)
    locations = in_order("location", file.location, LOCATION)
    assistants = in_order("assistant", file.assistant, ASSISTANT)
    commodities = in_order("commodity", file.commodity, COMMODITY)
    start_masks, mask_cards, mask_ids = _masks(file.mask_card, [god.id for god in gods])
    measured = [_measured(FileLocation("task", task.id), task, ranks) for task in tasks]
    rows, row_of, space_ids = _statues(file.statue, tasks)
    forest_goods = astuple(file.commodity_cards.forest)
    forest_deck = (
        [kind for kind in range(COMMODITIES) for _ in range(forest_goods[kind])]
        + [COMMODITIES + kind for kind in range(ASSISTANTS) for _ in range(assistants[kind].forest)]
        + [FIRST_FOREST_MASK + index for index in range(len(mask_cards))]
    )
    fields, track = _track(file.round_track)
    masks = [file.mirror.name, *(god.name for god in gods)]
    rewards = file.bonus_roll_rewards
    components = RaiateaComponents(
        ritual_ids=tuple(ritual.id for ritual in rituals),
        ritual_deck=tuple(DECK.index(ritual.deck) for ritual in rituals),
        ritual_kind=tuple(RITUAL_KINDS.index(ritual.kind) for ritual in rituals),
        ritual_cost=tuple(ritual.cost for ritual in rituals),
        ritual_vp=tuple(ritual.vp for ritual in rituals),
        ritual_effects=tuple(effects_of(FileLocation("ritual", each.id), each.effects) for each in rituals),
        ritual_triggers=tuple(
            tuple(
                (TRIGGERS.index(one.on), effects_of(FileLocation("ritual", each.id), one.effects))
                for one in each.triggers
            )
            for each in rituals
        ),
        ritual_modifiers=tuple(
            tuple(modifier_of(FileLocation("ritual", each.id), one) for one in each.passive) for each in rituals
        ),
        decks=(_decks(rituals, tane=False), _decks(rituals, tane=True)),
        task_ids=tuple(task.id for task in tasks),
        task_vp=tuple(task.vp for task in tasks),
        task_kind=tuple(TASK_KINDS.index(task.kind) for task in tasks),
        task_category=tuple(CATEGORIES.index(task.category) for task in tasks),
        task_measure=tuple(measure for measure, _ in measured),
        task_least=tuple(least for _, least in measured),
        task_payments=tuple(_payments(FileLocation("task", task.id), task) for task in tasks),
        task_pattern=tuple(tuple(_given(task.cost and task.cost.commodities).items()) for task in tasks),
        task_pools=tuple(
            tuple(index for index, task in enumerate(tasks) if task.vp == vp for _ in range(task.copies))
            for vp in range(1, STATUES + 1)
        ),
        rows=rows,
        row_of=row_of,
        space_ids=space_ids,
        max_tattoos=file.tattoo_track.max,
        rank_ids=tuple(rank.id for rank in ranks),
        rank_at=tuple(
            max(i for i, rank in enumerate(ranks) if rank.tattoos <= n) for n in range(file.tattoo_track.max + 1)
        ),
        rank_tattoos=tuple(rank.tattoos for rank in ranks),
        rank_vp=tuple(rank.vp for rank in ranks),
        rank_draw=tuple(rank.ritual_draw for rank in ranks),
        rank_decks=tuple(tuple(sorted(DECK.index(deck) for deck in rank.decks)) for rank in ranks),
        rank_clips=tuple(rank.clips for rank in ranks),
        max_priests=file.priest_track.max,
        train_cost=(0, *astuple(file.priest_track.train_costs)),
        fields=fields,
        track=track,
        start_pearls=setup.start_pearls,
        start_mana=setup.start_mana,
        start_priests=setup.start_priests,
        start_tattoos=setup.start_tattoos,
        start_price=setup.price_marker_start,
        ritual_draw=setup.ritual_draw,
        kept=_kept(setup),
        start_goods=astuple(file.commodity_cards.start),
        start_assistants=tuple(each.start for each in assistants),
        start_masks=start_masks,
        forest_deck=tuple(forest_deck),
        mask_cards=mask_cards,
        forest_ids=(*COMMODITY.names, *ASSISTANT.names, *mask_ids),
        god_ids=(MIRROR_ID, *(god.id for god in gods)),
        god_colour=(-1, *(COLOURS.index(god.colour) for god in gods)),
        god_family=(-1, *(FAMILIES.index(str(god.scoring.__struct_config__.tag)) for god in gods)),
        god_counts=(-1, *(_counted(god) for god in gods)),
        god_vp=(0, *(god.scoring.vp for god in gods)),
        god_max=(0, *(god.scoring.max if isinstance(god.scoring, schema.PerColour) else MOST for god in gods)),
        prices=_prices(file.price_field),
        gifts=tuple(
            effects_of(FileLocation("gift", gift.id), gift.effects) for gift in in_order("gift", file.gift, GIFT)
        ),
        rewards=tuple(
            effect_of(FileLocation("bonus_roll_rewards", id), getattr(rewards, id)) for id in ASSISTANT.names
        ),
        bonus_roll=tuple(
            -1
            if each.bonus_roll is None
            else FileLocation("location", each.id).one_of("bonus_roll", each.bonus_roll, ASSISTANT)
            for each in locations
        ),
        kahuna_pearls=max(each.kahuna_pearls for each in locations),
        kahuna_priests=max(each.kahuna_priests for each in locations),
        hire_cost=max(each.hire_cost for each in locations),
        die=tuple(sorted(face - 1 for face in file.die.faces)),
        titles=localized_names(
            location=locations,
            commodity=commodities,
            assistant=assistants,
            rank=ranks,
            ritual=rituals,
            mask=masks,
            forest_card=[*commodities, *assistants, *(masks[god] for god, _ in mask_cards)],
        ),
        texts=localized_names(
            location=[each.text for each in locations],
            kahuna=[each.kahuna for each in locations],
            permanent=[each.permanent for each in assistants],
            send=[each.send for each in assistants],
            mirror=[file.mirror.text],
        ),
    )
    _check_counts(file, components)
    return components


def _check_ranks(ranks: Sequence[schema.Rank], file: schema.File) -> None:
    tattoos = [rank.tattoos for rank in ranks]
    rising = tattoos[0] == 0 and all(a < b for a, b in pairwise(tattoos))
    FileLocation("rank").need(rising, f"tattoos are {', '.join(map(str, tattoos))}", "0, then more from rank to rank")
    setup, priests, most = file.setup, file.priest_track.max, file.tattoo_track.max
    at = FileLocation("setup")
    at.need(setup.start_priests <= priests, f"start_priests is {setup.start_priests}", f"up to {priests}")
    at.need(setup.start_tattoos < most, f"start_tattoos is {setup.start_tattoos}", f"up to {most - 1}")


def _check_ritual(at: FileLocation, ritual: schema.Ritual) -> None:
    kind = RITUAL_KINDS.index(ritual.kind)
    at.need(ritual.tane == (kind == INTERACTIVE), f"tane is {ritual.tane}", "true for interactive ones, and no others")
    if kind == PERMANENT:
        at.need(not ritual.effects, "a permanent ritual has effects", "triggers, passive, vp")
    else:
        lasting = ritual.triggers or ritual.passive or ritual.vp
        at.need(not lasting, f"a {ritual.kind} ritual has triggers, passive or vp", "those in permanent rituals only")
    if kind == GENERAL:
        for effect in ritual.effects:
            concerns_all = effect.who == "all" or VERBS.index(effect.verb) in NOBODYS
            at.need(concerns_all, f"a general ritual with {effect.verb} for {effect.who or 'self'}", "who = all")


def _kept(setup: schema.Setup) -> dict[int, tuple[tuple[int, ...], ...]]:
    kept = {}
    for seats, places in zip(SEAT_COUNTS, astuple(setup.rituals_kept), strict=True):
        for n in chain(*places):
            at, most = FileLocation("setup"), setup.ritual_draw
            at.need(n <= most, f"rituals_kept.{seats} has {n}", f"up to {most}, as many as are drawn")
        kept[seats] = tuple(tuple(numbers) for numbers in places)
    return kept


def _track(entries: Sequence[schema.Field]) -> tuple[tuple[Field, ...], dict[int, tuple[int, ...]]]:
    for entry in entries:
        right = (entry.feast is not None) == (entry.type == "feast")
        FileLocation("round_track", entry.id).need(
            right, f"a field of type {entry.type} with feast = {entry.feast}", "in feasts only"
        )
    fields = tuple(Field(entry.id, entry.feast or 0) for entry in entries)
    track = {}
    for seats in SEAT_COUNTS:
        used = track[seats] = tuple(
            i for i, each in enumerate(entries) if each.min_players <= seats <= each.max_players
        )
        feasts = [fields[index].feast for index in used if fields[index].feast]
        right = feasts == list(range(1, STATUES + 1)) and bool(fields[used[-1]].feast)
        FileLocation("round_track").need(
            right, f"feasts for {seats} players: {feasts}", "1, 2, 3 in order, the third at the end"
        )
    return fields, track


def _statues(
    statues: Sequence[schema.Statue], tasks: Sequence[schema.Task]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[str, ...]]:
    """Return the rows of spaces, the row of each space and the names of the spaces. Rule RA-1.3."""
    found = [(statue.id, statue.vp) for statue in statues]
    needed = [(n, n) for n in range(1, STATUES + 1)]
    FileLocation("statue").need(found == needed, f"id and vp are {found}", f"{needed}, in this order")
    rows: list[tuple[int, ...]] = []
    row_of: list[int] = []
    ids: list[str] = []
    for statue in statues:
        at, spaces = FileLocation("statue", statue.id), sum(statue.rows)
        at.need(spaces == SPACES_EACH, f"rows have {spaces} spaces", f"{SPACES_EACH} in all")
        copies = sum(task.copies for task in tasks if task.vp == statue.vp)
        at.need(
            copies >= SPACES_EACH, f"{copies} tasks of {statue.vp} VP", f"at least {SPACES_EACH}, one for each space"
        )
        for row, width in enumerate(statue.rows):
            rows.append(tuple(range(len(row_of), len(row_of) + width)))
            row_of += [len(rows) - 1] * width
            ids += [f"s{statue.id}r{row + 1}c{column + 1}" for column in range(width)]
    return tuple(rows), tuple(row_of), tuple(ids)


def _counted(god: schema.God) -> int:
    """Return the index of the category or assistant that the god counts; 0 for colors."""
    if isinstance(god.scoring, schema.PerTask):
        return CATEGORIES.index(god.scoring.category)
    if isinstance(god.scoring, schema.PerAssistant):
        return FileLocation("mask_god", god.id).one_of("scoring.assistant", god.scoring.assistant, ASSISTANT)
    return -1


def _masks(
    cards: Sequence[schema.MaskCard], gods: Sequence[str]
) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[Effect, ...]], ...], tuple[str, ...]]:
    FileLocation("mask_god", MIRROR_ID).need(MIRROR_ID not in gods, "this id is the mirror's", "another id")
    known = (MIRROR_ID, *gods)
    start: list[int] = []
    forest: dict[str, tuple[int, tuple[Effect, ...]]] = {}
    counts = [0] * len(known)
    for card in cards:
        at = FileLocation("mask_card", card.id)
        god = at.one_of("god", card.god, known)
        counts[god] += 1
        if card.set == "forest":
            forest[card.id] = (god, effects_of(at, card.treasure))
        else:
            at.need(not card.treasure, "a start mask has a treasure", "treasure = []")
            start.append(god)
    for id, count in zip(gods, counts[1:], strict=True):
        FileLocation("mask_god", id).need(count == 2, f"{count} cards in mask_card", "exactly 2")
    most = FOREST_CARD.size - FIRST_FOREST_MASK
    FileLocation("mask_card").need(len(forest) <= most, f"{len(forest)} forest masks", f"up to {most}")
    return tuple(sorted(start)), tuple(forest.values()), tuple(forest)


def _decks(rituals: Sequence[schema.Ritual], *, tane: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    def deck(name: str) -> tuple[int, ...]:
        """Return the rituals of a deck, one entry per copy."""
        return tuple(
            index
            for index, ritual in enumerate(rituals)
            if ritual.deck == name and (tane or not ritual.tane)
            for _ in range(ritual.copies)
        )

    return deck("normal"), deck("forbidden")


def _prices(entries: Sequence[schema.PriceField]) -> tuple[tuple[tuple[Effect, ...], ...], ...]:
    found: dict[tuple[int, int], tuple[Effect, ...]] = {}
    for entry in entries:
        at = FileLocation("price_field", entry.id)
        place = (at.one_of("commodity", entry.commodity, COMMODITY), entry.level)
        at.need(place not in found, f"level {entry.level} of {entry.commodity} stands twice", "once")
        found[place] = effects_of(at, entry.effects)
        possible = entry.level > 1 or all(effect.verb in (GAIN_PEARLS, GAIN_MANA) for effect in found[place])
        at.need(possible, "an effect of level 1 that may be impossible", "gain_pearls, gain_mana")
    FileLocation("price_field").need(
        len(found) == COMMODITIES * LEVELS, f"{len(found)} entries", "each commodity with levels 1 to 4"
    )
    return tuple(tuple(found[c, level] for level in range(1, LEVELS + 1)) for c in range(COMMODITIES))


def _check_counts(file: schema.File, components: RaiateaComponents) -> None:
    """Check that the entries match the binding counts and are enough for every setup.

    Rule RA-1.2.
    """
    plain, every = components.decks
    forest, masks = len(components.forest_deck), len(components.mask_cards)
    assistants = sum(FIRST_FOREST_MASK > card >= COMMODITIES for card in components.forest_deck)
    start = (sum(components.start_assistants), sum(components.start_goods), len(components.start_masks))
    counted = {
        "box": {
            "ritual_cards": sum(map(len, every)),
            "tasks": sum(map(len, components.task_pools)),
            "forest_cards": forest,
            "start_cards": sum(start),
        },
        "composition": {
            "ritual_normal": len(plain[0]),
            "ritual_forbidden": len(plain[1]),
            "ritual_tane_normal": len(every[0]) - len(plain[0]),
            "ritual_tane_forbidden": len(every[1]) - len(plain[1]),
            **{f"task_vp{vp}": len(pool) for vp, pool in enumerate(components.task_pools, 1)},
            "start_assistants": start[0],
            "start_commodities": start[1],
            "start_masks": start[2],
            "forest_masks": masks,
            "forest_assistants": assistants,
            "forest_commodities": forest - masks - assistants,
        },
    }
    for table, found in counted.items():
        for key, number in found.items():
            stated = getattr(getattr(file, table), key)
            FileLocation(table).need(stated == number, f"{key} is {stated}", f"{number}, as there are entries")
    holders = max(SEAT_COUNTS) + 1
    for table, key, number, needed, most in (
        ("mask_card", "start masks", start[2], holders - 1, MOST_CARDS),
        ("ritual", "normal rituals", len(plain[0]), components.ritual_draw * holders, MOST_CARDS),
        ("ritual", "rituals", sum(map(len, every)), 0, MOST_CARDS),
        ("mask_card", "forest cards", forest, 2 * holders, MOST_CARDS),
        ("task", "tasks", sum(map(len, components.task_pools)), 0, MOST_TASKS),
    ):
        FileLocation(table).need(needed <= number <= most, f"{number} {key}", f"{needed} to {most}")
