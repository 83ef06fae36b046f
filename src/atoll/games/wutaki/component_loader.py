"""The loader of Wutaki's components: builds them and rejects impossible values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from atoll.engine import JsonMapping
from atoll.engine.component_schema import EntrySchema, FileLocation, NamedEntrySchema, in_order, localized_names, read

from . import component_schema as schema
from .component_effects import action_of, cost_of, effects_of
from .components import (
    BOARDS,
    CHOOSE,
    CONDITIONS,
    COUNTER_EVENTS,
    ELEMENT_SLOT,
    END_VP,
    FLAG,
    FULFIL_PACT,
    METRICS,
    MOST,
    NO_EFFECT,
    OCCUPIED_FIELD,
    PLAY_OMEN,
    REPEAT_ACTION,
    RESOURCE_SLOT,
    Ability,
    Action,
    Board,
    Effect,
    ElementCard,
    Level,
    Masterboard,
    Omen,
    Pact,
    Place,
    RoundCard,
    SecretPact,
    TowerUpgrade,
    Vengeance,
    WutakiComponents,
)
from .kinds import (
    ELEMENTS,
    MAIN_PLACES,
    MOST_SEATS,
    MOST_TOKENS,
    RESOURCES,
    STANDARD_PLACES,
)


def _by_seats(minimum: Sequence[int]) -> tuple[int, ...]:
    """Return by number of seats how many of the things are in use.

    `minimum` has for each thing the number of seats from which it is used.
    Rule WU-12.1.
    """
    return tuple(sum(each <= seats for each in minimum) for seats in range(MOST_SEATS + 1))


def _element_card(at: FileLocation, card: schema.ElementCard | schema.ElementUpgrade) -> tuple[int, int, int, int]:
    at.need(card.element != card.anti, f"anti is {card.anti!r}", "another element")
    return ELEMENTS.index(card.element), ELEMENTS.index(card.anti), card.bonus, card.malus


def _secret_pact(at: FileLocation, card: schema.SecretPact) -> SecretPact:
    kind, n = CONDITIONS.index(card.condition.type), card.condition.n
    at.need((n is None) == (kind == MOST), f"condition {card.condition.type} with n = {n}", "n, but not with most")
    return SecretPact(card.vp, kind, at.one_of("metric", card.condition.metric, METRICS), n or 0)


def _pact(at: FileLocation, card: schema.Pact) -> Pact:
    action = action_of(at, "pact", card.reward, None, card.sacrifice)
    at.need(not (action.cost.vp or action.cost.worker), "a cost of vp or worker", "tokens and omens")
    return Pact(ELEMENTS.index(card.element), action)


def _omen(at: FileLocation, card: schema.Omen) -> Omen:
    permanent = card.kind == "permanent"
    action = action_of(at, "permanent omen" if permanent else "omen", card.effects, card.pay, card.sacrifice)
    alone = len(action.effects) == 1 and action.first.verb in (END_VP, FLAG)
    at.need(alone or not permanent, "a permanent omen with other effects", "one end_vp or one flag")
    selfish = bool(action.cost.omen) or any(each.verb in (PLAY_OMEN, CHOOSE, FULFIL_PACT) for each in action.effects)
    return Omen(card.copies, permanent, action.first.flag, selfish, action)


def _round_card(at: FileLocation, card: schema.RoundCard) -> RoundCard:
    instant = card.type == "instant"
    at.need(card.chain == instant, f"chain is {card.chain}", f"{str(instant).lower()}, as type is {card.type}")
    at.need((card.who is not None) == instant, f"who is {card.who!r}", "all or table, in instants only")
    is_place = card.type == "place"
    at.need((card.fields is not None) == is_place, f"fields is {card.fields}", "a list, in places only")
    homes = {"place": "place of a card", "modifier": "modifier", "instant": f"{card.who} instant".removeprefix("all ")}
    action = action_of(at, homes[card.type], card.effects, card.pay, card.sacrifice)
    at.need(action.cost.is_free or is_place, "a cost", "costs in places only")
    harvest, quiet, discounts = [0] * len(MAIN_PLACES), [False] * len(MAIN_PLACES), {"upgrade": 0, "hire": 0}
    for effect in action.effects:
        if effect.modifier == "yield":
            for place in effect.places:
                harvest[place] += effect.n
        elif effect.modifier == "no_vengeance":
            for place in effect.places:
                quiet[place] = True
        elif effect.modifier:
            discounts[effect.modifier.removesuffix("_discount")] += effect.n
    return RoundCard(
        card.type,
        card.chain,
        card.who == "all",
        action,
        _by_seats(card.fields) if card.fields is not None else (),
        tuple(harvest),
        tuple(quiet),
        discounts["upgrade"],
        discounts["hire"],
    )


def _tower_upgrade(at: FileLocation, card: schema.ElementUpgrade | schema.ResourceUpgrade) -> TowerUpgrade:
    if isinstance(card, schema.ElementUpgrade):
        return TowerUpgrade(ELEMENT_SLOT, *_element_card(at, card), -1, 0)
    place = MAIN_PLACES.index(STANDARD_PLACES[at.one_of("place", card.place, STANDARD_PLACES[:-1])])
    return TowerUpgrade(RESOURCE_SLOT, -1, -1, 0, 0, place, card.n)


def _masterboard(at: FileLocation, card: schema.Masterboard) -> Masterboard:
    both = (card.pact_track is None) == (card.last_space is None)
    at.need(both, f"last_space is {card.last_space}", "a number with pact_track, nothing without")
    spaces = card.last_space + 1 if card.last_space else 0
    track: list[list[tuple[Effect, ...]]] = [[()] * spaces for _ in range(MOST_SEATS + 1)]
    for step in card.pact_track or ():
        at.need(step.at < spaces, f"at is {step.at}", f"up to last_space, {spaces - 1}")
        for seats in step.players:
            at.need(not track[seats][step.at], f"at is {step.at} twice for {seats} players", "each space once")
            track[seats][step.at] = effects_of(at, step.effects, "pact track")
    own_place, fields, on_climb = None, (0,) * (MOST_SEATS + 1), None
    if card.place is not None:
        place = card.place
        own_place = action_of(
            FileLocation("masterboard", place.id), "own place", place.effects, place.pay, place.sacrifice
        )
        fields = _by_seats(place.fields)
    if card.on_climb is not None:
        climb = card.on_climb
        at.need(climb.optional, "optional is False", "true")
        on_climb = action_of(at, "climb", climb.effects, climb.pay, climb.sacrifice)
    return Masterboard(
        card.side,
        card.copies,
        card.recommended_from,
        tuple(map(tuple, track)),
        own_place,
        fields,
        card.multiplier,
        on_climb,
    )


def _ability(at: FileLocation, card: schema.Ability) -> Ability:
    action = action_of(at, "ability", card.effects)
    needed = {REPEAT_ACTION: ["T3"], OCCUPIED_FIELD: ["T1"]}.get(action.first.verb)
    right = card.when == needed if needed else bool(card.when) and set(card.when) <= {"T0", "T4"}
    at.need(right, f"when is {card.when}", ", ".join(needed or ("T0", "T4")))
    return Ability(tuple(card.when), action)


def _place(at: FileLocation, place: schema.Place) -> Place:
    action = action_of(at, "standard place" if place.standard else "place", place.effects, place.pay, place.sacrifice)
    standard = place.id in STANDARD_PLACES
    at.need(place.standard == standard, f"standard is {place.standard}", str(standard).lower())
    kind, yields, bonus = place.kind, place.yields, place.marker_bonus
    if kind is None or yields is None or bonus is None:
        at.need(not standard, "a standard place without kind, yields or marker_bonus", "all of them")
        at.need(not (kind or yields or bonus), "kind, yields or marker_bonus", "them in standard places only")
        return Place(action, _by_seats(place.fields), -1, (), ())
    at.need(standard, "kind, yields and marker_bonus", "them in standard places only")
    index = RESOURCES.index(kind) if kind != "hire" else -1
    at.need((index == -1) == (place.id == "village"), f"kind is {kind!r}", "hire in the village, a resource elsewhere")
    effects = tuple(replace(effect, kind=index) for effect in action.effects)
    bonuses = tuple(RESOURCES.index(each) for each in bonus)
    return Place(replace(action, effects=effects, first=effects[0]), _by_seats(place.fields), index, yields, bonuses)


def _level(at: FileLocation, number: int, level: schema.Level) -> Level:
    at.need(level.level == number, f"level is {level.level}", number)
    climb = action_of(at, "pyramid", level.extras, level.pay, level.sacrifice)
    at.need(not (climb.cost.omen or climb.cost.vp or climb.cost.worker), "a cost of other things", "tokens")
    return Level(level.room, level.vp, climb)


def _board(
    at: FileLocation, board: schema.Board, hire_slots: Mapping[str, tuple[int, int]], lowest_tower_price: int
) -> Board:
    workers, slots, places = board.extra_workers, board.hire_slots, f"board.{board.id}.place"
    at.need(len(slots) == workers, f"{len(slots)} hire_slots for {workers} extra_workers", "one for each")
    for slot in (*slots, "special"):
        at.one_of("hire_slots", slot, tuple(hire_slots))
    minimum = board.pact_counter_min_players
    at.need(minimum[0] == 2, f"pact_counter_min_players begins with {minimum[0]}", "2")
    counter_next = []
    for seats in range(MOST_SEATS + 1):
        used = [position for position, least in enumerate(minimum) if least <= seats] or [0]
        counter_next.append(tuple(min((u for u in used if u > p), default=used[0]) for p in range(len(minimum))))
    events = [-1] * len(minimum)
    for event in board.counter_event:
        at.need(event.position < len(minimum), f"position is {event.position}", f"up to {len(minimum) - 1}")
        at.need(events[event.position] < 0, f"position {event.position} stands twice", "each once")
        events[event.position] = COUNTER_EVENTS.index(event.id)
    return Board(
        board.slot_gold,
        workers,
        tuple(hire_slots[slot] for slot in ("special", *reversed(slots))),
        board.place_upgrade_prices,
        min(*board.place_upgrade_prices, lowest_tower_price),
        tuple(counter_next),
        tuple(events),
        tuple(
            _level(FileLocation("board", f"{board.id} level {number}"), number, level)
            for number, level in enumerate(board.pyramid_level, 1)
        ),
        _all(places, in_order(places, board.place, MAIN_PLACES), _place),
    )


def _all(table: str, cards: Sequence[Any], make: Callable[[FileLocation, Any], Any]) -> tuple[Any, ...]:
    return tuple(make(FileLocation(table, card.id), card) for card in cards)


def _check_counts(file: schema.File, components: WutakiComponents) -> None:
    """Check that the totals match those of the rulebook and are enough for a game.

    The state has room for no more.
    Rule WU-1.2.
    """
    at = FileLocation("counts")
    for key, number, least, most in (
        ("resource_tokens", sum(components.tokens), 0, MOST_TOKENS * len(RESOURCES)),
        ("cost_markers", len(components.cost_markers), MOST_SEATS, MOST_SEATS),
        ("element_cards", len(components.elements), MOST_SEATS, MOST_SEATS),
        ("tower_upgrades", len(components.tower_upgrades), 1, 9),
        ("secret_pacts", len(components.secret_pacts), 2 * MOST_SEATS, 20),
        ("pacts", len(components.pacts), 4 * MOST_SEATS, 68),
        ("omens", sum(omen.copies for omen in components.omens), MOST_SEATS, 45),
        ("vengeance", len(components.vengeance), 1, 19),
        ("round_cards", len(components.round_cards), 1, 20),
        ("abilities", len(components.abilities), MOST_SEATS, 6),
        (
            "masterboards",
            sum(each.copies for each in components.masterboards if each.side == "b"),
            MOST_SEATS,
            MOST_SEATS,
        ),
        (
            "masterboards",
            sum(each.copies for each in components.masterboards if each.side == "a"),
            MOST_SEATS,
            MOST_SEATS,
        ),
        ("extra_workers_per_player", components.boards[0].extra_workers, 0, MOST_SEATS),
    ):
        stated = getattr(file.counts, key)
        at.need(stated == number, f"{key} is {stated}", f"{number}, as there are entries")
        at.need(least <= number <= most, f"{key} is {stated}", f"{least} to {most}")
    for kind, tokens, stock in zip(RESOURCES, components.tokens, components.start_stock, strict=True):
        needed = MOST_SEATS * stock
        FileLocation("resource", kind).need(
            tokens >= needed, f"tokens is {tokens}", f"at least {needed}, the start needs them"
        )
    FileLocation("round_card").need(
        any(not card.chain for card in components.round_cards), "chain is true on all", "one without"
    )
    crowding = sum(each.action.first.verb == OCCUPIED_FIELD for each in components.abilities)
    FileLocation("ability").need(crowding <= 1, f"{crowding} abilities with occupied_field", "one")


def load_components(data: JsonMapping) -> WutakiComponents:
    """Return the components that parsed component data describe.

    Rule WU-1.3.

    Args:
        data: The parsed component data.

    Raises:
        ComponentError: If a value is impossible.
    """
    file = read(data, schema.File)
    resources, counts = in_order("resource", file.resource, RESOURCES), file.counts
    boards = in_order("board", file.board, BOARDS)
    hire_slots = {slot.id: (slot.pay.cost_marker, slot.pay.gold) for slot in file.hire_slot}
    tower_prices = (file.tower_prices.element, file.tower_prices.resource)
    round_cards = _all("round_card", file.round_card, _round_card)
    nothing = Action("", cost_of(FileLocation(""), None, None), (), NO_EFFECT)
    none_at = (0,) * len(MAIN_PLACES)
    no_round_card = RoundCard("none", False, False, nothing, (), none_at, (False,) * len(MAIN_PLACES), 0, 0)
    pacts = _all("pact", file.pact, _pact)
    elements = tuple(
        ElementCard(*_element_card(FileLocation("element_card", card.id), card)) for card in file.element_card
    )
    controlled = [element.element for element in elements]
    right = sorted(controlled) == list(range(len(ELEMENTS)))
    FileLocation("element_card").need(right, "an element twice or missing", "one card for each element")
    lists: dict[str, Sequence[EntrySchema]] = {
        "resource": resources,
        "cost_marker": file.cost_marker,
        "board": boards,
        "round_card": file.round_card,
        "pact": file.pact,
        "element_card": file.element_card,
        "secret_pact": file.secret_pact,
        "omen": file.omen,
        "vengeance": file.vengeance,
        "tower_upgrade": file.tower_upgrade,
        "masterboard": file.masterboard,
        "ability": file.ability,
    }
    named = {
        table: [each for each in entries if isinstance(each, NamedEntrySchema)] for table, entries in lists.items()
    }
    components = WutakiComponents(
        start_vp=file.game.start_vp,
        end_vp=file.game.end_vp,
        tokens=tuple(resource.tokens for resource in resources),
        start_stock=tuple(getattr(file.start_stock, kind) for kind in RESOURCES),
        cost_markers=tuple(RESOURCES.index(marker.kind) for marker in file.cost_marker),
        elements=elements,
        secret_pacts=_all("secret_pact", file.secret_pact, _secret_pact),
        pacts=pacts,
        pact_prices=tuple(
            tuple(tuple(sorted(pact.action.cost.tokens.pairs[own], key=lambda pair: -pair[1])) for pact in pacts)
            for own in range(len(RESOURCES))
        ),
        omens=_all("omen", file.omen, _omen),
        vengeance=tuple(
            Vengeance(
                FileLocation("vengeance", card.id).one_of("metric", card.metric, METRICS), card.limit, card.penalty
            )
            for card in file.vengeance
        ),
        round_cards=round_cards,
        in_round=(*round_cards, no_round_card),
        tower_upgrades=_all("tower_upgrade", file.tower_upgrade, _tower_upgrade),
        tower_prices=tower_prices,
        masterboards=_all("masterboard", file.masterboard, _masterboard),
        abilities=_all("ability", file.ability, _ability),
        boards=_all("board", boards, lambda at, board: _board(at, board, hire_slots, min(tower_prices))),
        upgrade_markers=counts.upgrade_markers_per_player,
        loyal_workers=counts.loyal_workers_per_player,
        special_workers=counts.special_workers_per_player,
        ids={table: tuple(entry.id for entry in entries) for table, entries in lists.items()},
        titles=localized_names(
            **named
            | {
                "cost_marker": [resources[RESOURCES.index(marker.kind)] for marker in file.cost_marker],
                "element": [file.element_card[controlled.index(element)] for element in range(len(ELEMENTS))],
                "place": in_order("board", boards[0].place, MAIN_PLACES),
            }
        ),
    )
    _check_counts(file, components)
    return components
