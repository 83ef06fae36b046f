"""States of Raiatea that tests and lessons begin with.

They are built by hand, with every card taken from where it belongs.
"""

from __future__ import annotations

from atoll.engine import insert_sorted
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.components import PERMANENT
from atoll.games.raiatea.kinds import (
    ASSISTANT,
    BID,
    COMMODITIES,
    COMMODITY,
    FIRST_FOREST_MASK,
    LOCATION,
    TRAIN,
)
from atoll.games.raiatea.state import BUILDING, CHOOSE, NO_TILE, PREPARE_RITUALS, RaiateaState

BOX = GAME.components
DISPLAY = "mask_maui_f1 mask_maui_f2 mask_pipiri_f1 gatherer trader shaman"


def commodity(name: str) -> int:
    """Return the index of a commodity."""
    return COMMODITY.index(name)


def assistant(name: str) -> int:
    """Return the index of a type of assistant."""
    return ASSISTANT.index(name)


def location(name: str) -> int:
    """Return the index of a location."""
    return LOCATION.index(name)


def ritual(name: str) -> int:
    """Return the index of a ritual."""
    return BOX.ritual_ids.index(name)


def mask(name: str) -> int:
    """Return the index of a god."""
    return BOX.god_ids.index(name)


def task(name: str) -> int:
    """Return the index of a task."""
    return BOX.task_ids.index(name)


def space(name: str) -> int:
    """Return the index of a space of a statue."""
    return BOX.space_ids.index(name)


def forest_card(name: str) -> int:
    """Return the index of a card of the forest deck."""
    return BOX.forest_ids.index(name)


def table(seats: int = 3, *, display: str = DISPLAY, **options: bool | str) -> RaiateaState:
    """Return a state before the first location.

    Seat 0 starts, statue 1 is empty but unlocked, and nobody has cards.

    Args:
        seats: The number of seats.
        display: Names of the cards on display; as many are used as the display holds.
        **options: Options of the game that differ from their defaults.
    """
    resolved = GAME.resolve_options(options, seats)
    s = GAME.setup(BOX, resolved, seats)
    assert isinstance(s, RaiateaState)
    s.components = BOX
    s.options = resolved
    s.events = None
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
    """Give things to a seat, from decks and markets.

    Lists are names separated by spaces.

    Args:
        s: The state.
        seat: The seat concerned.
        rituals: Rituals for the hand.
        permanents: Permanent rituals in front of the seat.
        goods: Commodities from the forest deck.
        ready: Ready assistants from the market.
        exhausted: Exhausted assistants from the market.
        masks: Unpaired masks.
        pairs: Gods of natural pairs.
        mirrored: Gods of pairs with a mirror.
        tasks: Completed tasks.
        pearls: The number of pearls; None to leave it as it is.
        mana: The number of mana; None to leave it as it is.
        priests: The number of priests; None to leave it as it is.
        tattoos: The number of tattoos; None to leave it as it is.
    """
    for name in (rituals + " " + permanents).split():
        card = ritual(name)
        s.decks[BOX.ritual_deck[card]].remove(card)
    for name in rituals.split():
        insert_sorted(s.hands[seat], ritual(name))
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
        insert_sorted(s.masks[seat], mask(name))
    for name in pairs.split():
        _take_mask(s, name)
        _take_mask(s, name)
        insert_sorted(s.pairs[seat], mask(name))
    for name in mirrored.split():
        _take_mask(s, name)
        _take_mask(s, "mirror")
        insert_sorted(s.mirrored[seat], mask(name))
    for name in tasks.split():
        s.task_pools[BOX.task_vp[task(name)] - 1].remove(task(name))
        insert_sorted(s.tasks_done[seat], task(name))
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
    """Lay a task that nobody has seen on a space.

    Args:
        s: The state.
        place: The name of the space.
        name: The name of the task.
    """
    s.task_pools[BOX.task_vp[task(name)] - 1].remove(task(name))
    s.tiles[space(place)] = task(name)


def open_statue(s: RaiateaState, number: int) -> None:
    """Unlock a statue and leave it empty."""
    s.unlocked[number - 1] = s.revealed[number - 1] = True


def start(s: RaiateaState) -> ScriptedGame:
    """Return a game that continues from this state, with chance entered by hand."""
    for statue in range(3):
        assert s.unlocked[statue] or all(tile == NO_TILE for tile in s.tiles[16 * statue : 16 * statue + 16])
    return ScriptedGame.at(GAME, s, s.options)


def in_phase(s: RaiateaState, phase: int) -> ScriptedGame:
    """Return a game that continues with this phase; a pass of it is in favor order."""
    s.phase = phase
    s.order = s.favour[:]
    s.place = 0
    return start(s)


def names(domain: str, indices: list[int]) -> str:
    """Return names of elements of a domain, in order."""
    return " ".join(GAME.notation.name(domain, index) for index in indices)


def goods(t: ScriptedGame, seat: int) -> str:
    """Return the commodities of a seat."""
    held = t.state.goods_of(seat)
    return names("commodity", [kind for kind in range(COMMODITIES) for _ in range(held[kind])])


def hand(t: ScriptedGame, seat: int) -> str:
    """Return the rituals in a seat's hand."""
    return names("ritual", t.state.hands[seat])


def kinds(t: ScriptedGame, seat: int) -> set[str]:
    """Return the kinds of choices that are on offer to a seat."""
    return {text.split()[0] for text in t.options(seat)}


def prompt(t: ScriptedGame) -> str:
    """Return the prompt of the first seat to move; "chance" or "over" if nobody is asked."""
    if not t.position.to_move:
        return "over" if t.position.over else "chance"
    return t.position.decision(t.position.to_move[0]).prompt


def skip_to(t: ScriptedGame, wanted: str) -> ScriptedGame:
    """Do as little as possible until a prompt comes up; chance takes its first outcome.

    Args:
        t: The game.
        wanted: The prompt.

    Returns:
        The game.

    Raises:
        AssertionError: If the prompt doesn't come up.
    """
    for _ in range(200):
        if t.position.over:
            break
        if t.position.pending_chance is not None:
            t.position.apply(next(iter(t.position.outcomes())))
            continue
        seat = t.position.to_move[0]
        if t.position.decision(seat).prompt == wanted:
            return t
        options = t.position.legal_choices(seat)
        t.position.apply(options[0] if options[0] in TRAIN or options[0] in BID else options[-1], seat)
    raise AssertionError(f"{wanted} doesn't come up")


# -- tables of lessons -----------------------------------------------------------------------------


def first_tasks() -> ScriptedGame:
    """Return the first choice of a location, with two tasks on the first statue."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r2c1", "t1_mana_4")
    return start(s)


def one_priest() -> ScriptedGame:
    """Return a game in which seat 0 has a priest, and pearls for one more (E9)."""
    s = table(3)
    give(s, 0, pearls=4, mana=2, priests=1)
    return start(s)


def half_a_pair() -> ScriptedGame:
    """Return a game in which seat 0 has one mask of Maui, and another lies in the forest."""
    s = table(3, display="gatherer trader mask_pipiri_f1 mask_maui_f2")
    give(s, 0, masks="maui")
    return start(s)


def two_gifts() -> ScriptedGame:
    """Return a game in which seat 0 can sacrifice twice as Kahuna (E8)."""
    s = table(3)
    give(s, 0, goods="mahi_mahi uru", tattoos=1)
    return start(s)


def a_trader() -> ScriptedGame:
    """Return a game in which seat 0 has a commodity and a ready trader (E11)."""
    s = table(3)
    give(s, 0, goods="mahi_mahi", ready="trader")
    return start(s)


def a_shaman() -> ScriptedGame:
    """Return a game in which seat 0 has a ready shaman, four priests and two rituals (E16).

    The rituals cost four and five.
    """
    s = table(3)
    give(s, 0, rituals="rua_hatu rao", ready="shaman", priests=4)
    return start(s)


def before_the_feast() -> ScriptedGame:
    """Return a game in which seat 0 prepares rituals.

    It has two personal rituals and a general one in hand.
    """
    s = table(3)
    s.field = 3
    give(s, 0, rituals="uru_taetae rao hina", mana=8)
    give(s, 1, rituals="taere", mana=5)
    give(s, 2, rituals="roroo", mana=6)
    return in_phase(s, PREPARE_RITUALS)


def nine_pearls() -> ScriptedGame:
    """Return the building act: seat 0 has a pearl diver and pearls for two tasks (E17)."""
    s = table(3)
    s.field = 1
    lay(s, "s1r2c1", "t1_pearls_4")
    lay(s, "s1r3c1", "t1_pearls_5")
    lay(s, "s1r4c1", "t1_mana_4")
    give(s, 0, pearls=9, mana=0, ready="pearl_diver")
    give(s, 1, pearls=4, mana=4)
    give(s, 2, pearls=0, mana=0)
    return in_phase(s, BUILDING)


def three_pairs() -> ScriptedGame:
    """Return the end of a game: seat 0 has a rank, tasks, and three pairs of masks (E18, E19)."""
    s = table(3)
    give(
        s,
        0,
        pairs="maui tafai",
        mirrored="hiro",
        ready="trader trader trader",
        exhausted="trader",
        tasks="t1_mana_4 t2_mana_7 t2_auction",
        tattoos=5,
    )
    return start(s)


# -- worked examples of the rules page -------------------------------------------------------------


def after_training() -> ScriptedGame:
    """Return a game in which seat 0 was Kahuna of the path (E9).

    It has a priest for nothing, one for pearls, and mana.
    """
    return one_priest().play("p0 go path\np0 priest\np0 train 1")


def a_trader_sent() -> ScriptedGame:
    """Return a game in which seat 0 has raised a price to the top and can sell (E11)."""
    return a_trader().play("p0 go marketplace\ndie 4\np0 trade mahi_mahi")


def a_new_rank() -> ScriptedGame:
    """Return a game in which seat 0 has sacrificed twice and draws by a new rank (E8)."""
    return two_gifts().play("p0 go marae\np0 sacrifice mahi_mahi\np0 sacrifice uru")


def an_auction_due() -> ScriptedGame:
    """Return a game in which seat 0 has completed a row's last task apart from auctions (R76)."""
    s = table(3)
    s.field = 1
    lay(s, "s1r2c1", "t1_pearls_4")
    lay(s, "s1r2c2", "t1_auction")
    lay(s, "s1r4c1", "t1_mana_4")
    give(s, 0, pearls=5, mana=4)
    give(s, 1, pearls=4, mana=6)
    give(s, 2, pearls=2, mana=3)
    return in_phase(s, BUILDING).play("p0 build s1r2c1")


def a_task_built() -> ScriptedGame:
    """Return a game in which seat 0 has completed one task and can send the pearl diver (E17)."""
    return nine_pearls().play("p0 build s1r2c1")


def a_blessing() -> ScriptedGame:
    """Return a feast after the blessing (E13).

    A general ritual has filled the source, and the most expensive one has failed.
    """
    s = table(3)
    s.field = 1
    lay(s, "s1r2c1", "t1_pearls_4")
    give(s, 0, rituals="uru_taetae rao hina", mana=8, pearls=4)
    give(s, 1, rituals="taere ihi", mana=5)
    give(s, 2, rituals="roroo", mana=6)
    t = in_phase(s, PREPARE_RITUALS).play("""
        p0 prepare uru_taetae
        p0 prepare rao
        p0 prepare hina
        p1 prepare taere
        p1 prepare ihi
        p2 prepare roroo
        p0 bid 6
        p1 bid 3
        p2 bid 2
    """)
    return skip_to(t, "build")
