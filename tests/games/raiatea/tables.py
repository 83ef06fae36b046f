"""Tables of Raiatea that tests begin with: built by hand, every card from where it belongs."""

from __future__ import annotations

from atoll.engine import put
from atoll.engine.script import Table
from atoll.games.raiatea import GAME
from atoll.games.raiatea.components import PERMANENT, RaiateaBox
from atoll.games.raiatea.kinds import (
    ASSISTANT,
    BID,
    COMMODITIES,
    COMMODITY,
    FIRST_FOREST_MASK,
    LOCATION,
    TRAIN,
)
from atoll.games.raiatea.state import CHOOSE, NO_TILE, RaiateaState

BOX: RaiateaBox = GAME.box
DISPLAY = "mask_maui_f1 mask_maui_f2 mask_pipiri_f1 gatherer trader shaman"


def commodity(name: str) -> int:
    return COMMODITY.index(name)


def assistant(name: str) -> int:
    return ASSISTANT.index(name)


def location(name: str) -> int:
    return LOCATION.index(name)


def ritual(name: str) -> int:
    return BOX.ritual_ids.index(name)


def mask(name: str) -> int:
    return BOX.god_ids.index(name)


def task(name: str) -> int:
    return BOX.task_ids.index(name)


def space(name: str) -> int:
    return BOX.space_ids.index(name)


def forest_card(name: str) -> int:
    return BOX.forest_ids.index(name)


def table(seats: int = 3, *, display: str = DISPLAY, **options: bool | str) -> RaiateaState:
    """A table before the first location: seat 0 starts, statue 1 is empty but unlocked, nobody has cards."""
    resolved = GAME.resolve_options(options, seats)
    s = GAME.setup(BOX, resolved, seats)
    assert isinstance(s, RaiateaState)
    s.box = BOX
    s.options = resolved
    s.told = None
    GAME.derive(s)
    s.phase = CHOOSE
    s.unlocked[0] = s.revealed[0] = True
    for name in display.split()[: seats + 1]:
        card = forest_card(name)
        s.forest_deck.remove(card)
        s.display.append(card)
    return s


def give(
    s: RaiateaState,
    seat: int,
    *,
    rituals: str = "",
    permanents: str = "",
    goods: str = "",
    ready: str = "",
    exhausted: str = "",
    masks: str = "",
    pairs: str = "",
    mirrored: str = "",
    tasks: str = "",
    pearls: int | None = None,
    mana: int | None = None,
    priests: int | None = None,
    tattoos: int | None = None,
) -> None:
    """Things for a seat, from decks and markets."""
    for name in (rituals + " " + permanents).split():
        card = ritual(name)
        s.decks[BOX.ritual_deck[card]].remove(card)
    for name in rituals.split():
        put(s.hands[seat], ritual(name))
    for name in permanents.split():
        assert BOX.ritual_kind[ritual(name)] == PERMANENT
        s.lay_permanent(seat, ritual(name))
    for name in goods.split():
        s.forest_deck.remove(commodity(name))
        s.goods[seat][commodity(name)] += 1
    for zone, names in ((s.ready, ready), (s.exhausted, exhausted)):
        for name in names.split():
            s.assistant_market[assistant(name)] -= 1
            zone[seat][assistant(name)] += 1
    for name in masks.split():
        _take_mask(s, name)
        put(s.masks[seat], mask(name))
    for name in pairs.split():
        _take_mask(s, name)
        _take_mask(s, name)
        put(s.pairs[seat], mask(name))
    for name in mirrored.split():
        _take_mask(s, name)
        _take_mask(s, "mirror")
        put(s.mirrored[seat], mask(name))
    for name in tasks.split():
        s.task_pools[BOX.task_vp[task(name)] - 1].remove(task(name))
        put(s.tasks_done[seat], task(name))
    for field, value in ((s.pearls, pearls), (s.mana, mana), (s.priests, priests), (s.tattoos, tattoos)):
        if value is not None:
            field[seat] = value
    if tattoos == BOX.max_tattoos:
        s.tahua_spent[seat] = True


def _take_mask(s: RaiateaState, name: str) -> None:
    if mask(name) in s.mask_market:
        s.mask_market.remove(mask(name))
        return
    for zone in (s.forest_deck, s.display):
        for card in zone:
            if card >= FIRST_FOREST_MASK and BOX.mask_cards[card - FIRST_FOREST_MASK][0] == mask(name):
                zone.remove(card)
                return
    raise AssertionError(f"no {name} left")


def lay(s: RaiateaState, place: str, name: str) -> None:
    """A task on a space, from the tasks nobody has seen."""
    s.task_pools[BOX.task_vp[task(name)] - 1].remove(task(name))
    s.tiles[space(place)] = task(name)


def open_statue(s: RaiateaState, number: int) -> None:
    """A statue is unlocked and empty."""
    s.unlocked[number - 1] = s.revealed[number - 1] = True


def start(s: RaiateaState) -> Table:
    """The game goes on from this table; chance is entered by hand."""
    for statue in range(3):
        assert s.unlocked[statue] or all(tile == NO_TILE for tile in s.tiles[16 * statue : 16 * statue + 16])
    return Table.at(GAME, s, s.options)


def in_phase(s: RaiateaState, phase: int) -> Table:
    """The game goes on with this phase; a pass of it is in favour order."""
    s.phase = phase
    s.order = s.favour[:]
    s.place = 0
    return start(s)


def names(domain: str, indices: list[int]) -> str:
    """Names of elements of a domain, in order."""
    return " ".join(GAME.notation.name(domain, index) for index in indices)


def goods(t: Table, seat: int) -> str:
    """The commodities of a seat."""
    held = t.state.goods_of(seat)
    return names("commodity", [kind for kind in range(COMMODITIES) for _ in range(held[kind])])


def hand(t: Table, seat: int) -> str:
    """The rituals in a seat's hand."""
    return names("ritual", t.state.hands[seat])


def kinds(t: Table, seat: int) -> set[str]:
    """The kinds of choices that are on offer to a seat."""
    return {text.split()[0] for text in t.options(seat)}


def prompt(t: Table) -> str:
    """What the (first) seat to move is asked; "chance" or "over" if nobody is."""
    if not t.position.to_move:
        return "over" if t.position.over else "chance"
    return t.position.decision(t.position.to_move[0]).prompt


def skip_to(t: Table, wanted: str) -> Table:
    """Do as little as possible until a prompt comes up; chance takes its first outcome."""
    for _ in range(200):
        if t.position.over:
            break
        if t.position.chance is not None:
            t.position.apply(next(iter(t.position.outcomes())))
            continue
        seat = t.position.to_move[0]
        if t.position.decision(seat).prompt == wanted:
            return t
        options = t.position.legal(seat)
        t.position.apply(options[0] if options[0] in TRAIN or options[0] in BID else options[-1], seat)
    raise AssertionError(f"{wanted} doesn't come up")
