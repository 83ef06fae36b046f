"""Raiatea, in the order of its rulebook. Rule ids (RA-n.n) and rulings (Rn) refer to RULES.md.

This module prepares the table and runs the course of the game. The locations are in `locations.py`,
the feast in `feast.py`, the effects of cards in `effects.py` and in the chapters markets, rituals,
tasks and interactive effects. Scoring is in `scoring.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import ClassVar, Final, TypeAlias

from atoll.engine import Choose, Draw, Flow, Game, JsonMapping, JsonObject, Options, ScoreLine, Sealed

from . import interactive_effects as _tane  # noqa: F401 - its verbs register themselves
from . import scoring
from .component_loader import load_components
from .components import GENERAL, NO_MODIFIERS, RaiateaComponents
from .describe import titles
from .feast import (
    PURCHASE,
    bless,
    build_turn,
    buy_rituals,
    due_auction,
    end_of_feast,
    gifts_given,
    give_extra_gifts,
    give_gift,
    keep_bought,
    last_mirrors,
    lay_out,
    mana_offering,
    next_field,
    own_turns,
    prepare_rituals,
    priest_dance,
)
from .kinds import (
    ABOUTS,
    ASSISTANTS,
    COMMODITIES,
    DEAL_MASK,
    DECLINE,
    DONE,
    FIRST_FOREST_MASK,
    FORBIDDEN,
    GO,
    LEVELS,
    LOCATION,
    MIRROR_MASK,
    NEIGHBOURHOOD,
    NORMAL,
    PROMPTS,
    SPACES_EACH,
    START,
    STATUES,
    VOCABULARY,
)
from .locations import at_location, enter_neighbourhood
from .markets import clear_display, fill_display
from .options import OPTIONS
from .own_turn import FREE_ACTION, ask_step, run_with_free_actions
from .reasons import EXPLAINERS
from .rituals import choose_kept, draw_cards, keep_drawn
from .state import (
    AFTER_BUYING,
    AT_LOCATION,
    AUCTIONS,
    BEFORE_DANCE,
    BLESSING,
    BUILDING,
    BUY_RITUALS,
    CHOOSE,
    DANCE,
    DEAL,
    DEAL_AGAIN,
    END_OF_FEAST,
    END_OF_ROUND,
    EXTRA_GIFTS,
    GIFTS,
    KEEP_BOUGHT,
    LAST_MIRRORS,
    LAY_OUT,
    NO_LOCATION,
    NO_TILE,
    NOBODY,
    NOT_BUYING,
    OFFERING,
    PREPARE_RITUALS,
    TABLE,
    RaiateaState,
)
from .tasks import reveal_tasks

_ALL_LOCATIONS: Final = frozenset(range(LOCATION.size))
_GUESSED_SHARE: Final = 0.6
"""The guessed chance that a ritual of another player lies in the bag."""


class Raiatea(Game[RaiateaState, RaiateaComponents]):
    """The rules of Raiatea by Jan Schmidt."""

    id = "raiatea"
    rules_version = 1
    seat_counts: tuple[int, ...] = (3, 4, 5)
    options = OPTIONS
    max_answers = 6000
    longest_games: ClassVar[Mapping[int, int]] = {3: 490, 4: 600, 5: 700}
    vocabulary = VOCABULARY
    prompts = PROMPTS
    passing_kinds = (DECLINE, DONE)
    placeholders = ABOUTS
    state_type = RaiateaState
    explainers = EXPLAINERS

    def load_components(self, data: JsonMapping) -> RaiateaComponents:
        """Return the components that parsed component data describe."""
        return load_components(data)

    def names(self, components: RaiateaComponents) -> Mapping[str, Sequence[str]]:
        """Return the ids of the elements by domain."""
        return {
            "ritual": components.ritual_ids,
            "task": components.task_ids,
            "space": components.space_ids,
            "mask": components.god_ids,
            "forest_card": components.forest_ids,
        }

    def extra_sources(self, components: RaiateaComponents) -> list[str]:
        """Return the prices of the marketplace, the pearl diver and the ranks as sources."""
        prices = [f"{commodity}_{level + 1}" for commodity in range(COMMODITIES) for level in range(LEVELS)]
        return [*prices, "pearl_diver", *components.rank_ids]

    def text_values(self, components: RaiateaComponents) -> Mapping[str, int | str]:
        """Return the numbers that texts of the game name."""
        plain, every = components.decks
        return {
            "tane_cards": sum(map(len, every)) - sum(map(len, plain)),
            "one_priest": components.train_cost[1],
            "two_priests": components.train_cost[2],
            "kahuna_priests": components.kahuna_priests,
            "kahuna_pearls": components.kahuna_pearls,
            "hire_cost": components.hire_cost,
            "rank_tattoos": ", ".join(map(str, components.rank_tattoos[1:])) or "–",
            "rank_clips": ", ".join(map(str, components.rank_clips)),
            "start_pearls": components.start_pearls,
            "start_mana": components.start_mana,
            "start_priests": components.start_priests,
            "start_tattoos": components.start_tattoos,
            "start_assistants": ", ".join(map(str, dict.fromkeys(components.start_assistants))),
            "start_goods": ", ".join(map(str, dict.fromkeys(components.start_goods))),
            "start_price": components.start_price,
            "ritual_draw": components.ritual_draw,
            "die": ", ".join(str(face + 1) for face in components.die),
            "max_tattoos": components.max_tattoos,
            "max_priests": components.max_priests,
            "spaces": SPACES_EACH,
        }

    def rule_facts(self, components: RaiateaComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return the numbers that the rules page names.

        Args:
            components: The components.
            seats: The number of seats.
            options: The options of the game.
        """
        return {"purchase": PURCHASE, "display": seats + 1, "gifts_given": gifts_given(seats)}

    def titles(self, components: RaiateaComponents, language: str) -> Mapping[str, Sequence[str]]:
        """Return the names for people by domain.

        Args:
            components: The components.
            language: The language of the names.
        """
        return titles(self, components, language)

    def setup(self, components: RaiateaComponents, options: Options, seats: int) -> RaiateaState:
        """Return the empty table; the first segments do everything that needs chance or decisions.

        Rules RA-1.1, RA-2.1 and RA-10.2.

        Args:
            components: The components.
            options: The options of the game.
            seats: The number of seats.
        """
        tasks = [list(pool) for pool in components.task_pools]
        return RaiateaState(
            seats=seats,
            over=False,
            phase=TABLE,
            field=components.track[seats][0],
            order=[],
            place=0,
            start_player=0,
            favour=list(range(seats)),
            turn=0,
            taken=[NO_LOCATION] * seats,
            kahuna=NOBODY,
            location=NO_LOCATION,
            step=0,
            pips=0,
            prices=[components.start_price] * COMMODITIES,
            goods_market=list(components.start_goods),
            assistant_market=list(components.start_assistants),
            mask_market=list(components.start_masks),
            forest_deck=list(components.forest_deck),
            display=[],
            decks=[list(deck) for deck in components.decks[bool(options["tane"])]],
            discards=[[], []],
            bag_mana=0,
            tiles=[NO_TILE] * len(components.space_ids),
            unlocked=[False] * STATUES,
            revealed=[False] * STATUES,
            task_pools=tasks,
            pearls=[components.start_pearls] * seats,
            mana=[components.start_mana] * seats,
            goods=[[0] * COMMODITIES for _ in range(seats)],
            veiled=[[] for _ in range(seats)],
            veiled_masks=[[] for _ in range(seats)],
            hands=[[] for _ in range(seats)],
            drawn=[[] for _ in range(seats)],
            bag=[[] for _ in range(seats)],
            bag_order=[[] for _ in range(seats)],
            looked=[[] for _ in range(seats)],
            permanents=[[] for _ in range(seats)],
            tasks_done=[[] for _ in range(seats)],
            ready=[[0] * ASSISTANTS for _ in range(seats)],
            exhausted=[[0] * ASSISTANTS for _ in range(seats)],
            masks=[[] for _ in range(seats)],
            pairs=[[] for _ in range(seats)],
            mirrored=[[] for _ in range(seats)],
            priests=[components.start_priests] * seats,
            tattoos=[components.start_tattoos] * seats,
            tahua_spent=[False] * seats,
            bought=[NOT_BUYING] * seats,
            clips=[0] * seats,
            offers=[],
            gifts=[],
            row=[],
            row_owner=[],
            blessed=[],
            blessed_owner=[],
            source=[],
            passed=[False] * seats,
            diver_sent=[False] * seats,
            cursor=0,
            completions=[0] * seats,
            placed=[False] * seats,
            skipping=[False] * seats,
        )

    def derive(self, s: RaiateaState) -> None:
        """Compute the sums of passive modifiers, and the tasks that can be completed."""
        s.open_tasks, s.open_auctions = [], []
        for statue in range(STATUES):
            if s.unlocked[statue]:
                s.open_statue(statue)
        s.bonus = [NO_MODIFIERS] * s.seats
        for seat in range(s.seats):
            s.sum_modifiers(seat)

    def play(self, s: RaiateaState) -> Flow:
        """Return the flow of one segment.

        A segment is a part of a location, a player's share of an act, a ritual of the blessing or a
        build turn.

        Args:
            s: The state.

        Returns:
            The flow.
        """
        begin, is_turn = SEGMENTS[s.phase]
        flow = begin(s)
        # A seat can begin to skip windows in the middle of its own turn, so own turns always run
        # with free actions.
        return run_with_free_actions(flow, s.skipping) if is_turn or True in s.skipping else flow

    def scores(self, s: RaiateaState) -> list[int]:
        """Return the score of each seat."""
        return [scoring.score(s, seat) for seat in range(s.seats)]

    def ranking(self, s: RaiateaState) -> list[int]:
        """Return the places of the seats, ties broken by favor. Rule RA-9.7, ruling R92."""
        return scoring.ranking(s)

    def explain(self, s: RaiateaState) -> list[list[ScoreLine]]:
        """Return the score of each seat in lines."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def derived_view(self, s: RaiateaState, viewer: int | None) -> JsonObject:
        """Return the derived facts that the viewer may know."""
        return scoring.live(s, viewer)

    def component_counts(self, s: RaiateaState) -> dict[str, int]:
        """Count every card and tile of the table. Rule RA-1.4."""
        return components_of(s)

    def card_back(self, field: str, card: int) -> str:
        """Return the back of a card: rituals have two backs, those of tasks show their points."""
        if field in ("decks", "hands", "drawn", "bag"):
            return f"ritual {self.components.ritual_deck[card]}"
        if field == "task_pools":
            return f"task {self.components.task_vp[card]}"
        return super().card_back(field, card)

    def determinize(self, s: RaiateaState, seat: int, rng: Random) -> None:
        """Guess the bags until act 5, because the others' rituals in them are secret.

        Rule RA-11.3.

        Args:
            s: The state.
            seat: The seat whose knowledge is preserved.
            rng: The source of randomness.
        """
        if s.phase in (OFFERING, GIFTS, EXTRA_GIFTS, LAY_OUT):
            guess_bags(s, seat, rng)


def guess_bags(s: RaiateaState, viewer: int, rng: Random) -> None:
    """Deal possible hands and bags to the others, from all cards that the viewer doesn't know.

    Only the number of cards of each back in hand and bag together is known, so nothing here depends
    on more than that.
    Rule RA-11.3, ruling R101.

    Args:
        s: The state.
        viewer: The seat whose knowledge is preserved.
        rng: The source of randomness.
    """
    others = [seat for seat in range(s.seats) if seat != viewer]
    counts = {seat: scoring.public_rituals(s, seat) for seat in others}
    held: dict[int, list[int]] = {seat: [] for seat in others}
    for deck in (NORMAL, FORBIDDEN):
        unknown = s.decks[deck][:]
        for seat in others:
            unknown += [card for card in s.hands[seat] + s.bag[seat] if s.components.ritual_deck[card] == deck]
        unknown.sort()
        rng.shuffle(unknown)
        for seat in others:
            for _ in range(counts[seat][deck]):
                held[seat].append(unknown.pop())
        s.decks[deck] = sorted(unknown)
    for seat in others:
        split_at_random(s, seat, held[seat], rng)


def split_at_random(s: RaiateaState, seat: int, cards: Sequence[int], rng: Random) -> None:
    """Split a seat's cards into hand and bag at random.

    The bag gets any cards that the seat could have put there, in any order.

    Args:
        s: The state.
        seat: The seat concerned.
        cards: All cards in hand and bag.
        rng: The source of randomness.
    """
    clips = s.clips[seat]
    hand: list[int] = []
    bag: list[int] = []
    for card in cards:
        general = s.components.ritual_kind[card] == GENERAL
        if rng.random() < _GUESSED_SHARE and (general or clips):
            clips -= not general
            bag.append(card)
        else:
            hand.append(card)
    s.hands[seat] = sorted(hand)
    s.bag[seat] = sorted(bag)
    s.bag_order[seat] = rng.sample(range(len(bag)), len(bag))


# -- RA-2 Setup ------------------------------------------------------------------------------------


def prepare_table(s: RaiateaState) -> Flow:
    """Draw the start player, deal start masks, reveal the forest display and statue 1.

    Favor is seat order. In the Oracle game all statues lie face up, but 2 and 3 are locked.
    Rules RA-2.1 and RA-10.3, ruling R10.
    """
    s.start_player = yield Draw(START, range(s.seats))
    s.favour = s.clockwise(s.start_player)
    s.emit("start", seat=s.start_player)
    for seat in tuple(s.favour):
        mask: int = yield Draw(DEAL_MASK, s.mask_market)
        s.mask_market.remove(mask)
        s.masks[seat] = [mask]
        s.emit("dealt_mask", seat=seat, mask=mask)
    yield from fill_display(s)
    s.unlocked[0] = True
    for statue in range(STATUES if s.options["oracle"] else 1):
        yield from reveal_tasks(s, statue)
    s.open_statue(0)
    s.phase = DEAL


def deal_rituals(s: RaiateaState) -> Flow:
    """Deal normal rituals to each seat and let it choose in secret which to keep. Rule RA-2.2."""
    for seat in tuple(s.favour):
        yield from draw_cards(s, seat, NORMAL, s.components.ritual_draw)
    yield from keep_starting_rituals(s, 0)
    s.phase = DEAL_AGAIN


def deal_again(s: RaiateaState) -> Flow:
    """Deal a second time to the last of 5 seats and let it keep 2 more. Rule RA-2.2."""
    for place, seat in enumerate(tuple(s.favour)):
        if len(s.components.kept[s.seats][place]) > 1:
            yield from draw_cards(s, seat, NORMAL, s.components.ritual_draw)
    yield from keep_starting_rituals(s, 1)
    s.phase = CHOOSE
    s.emit("action_round", n=1)


def keep_starting_rituals(s: RaiateaState, draw: int) -> Flow:
    """Move the chosen cards to the hands and discard the others face up, in seat order.

    Rule RA-2.2.
    """
    keep = [0] * s.seats
    for place, seat in enumerate(s.favour):
        if s.drawn[seat]:
            keep[seat] = s.components.kept[s.seats][place][draw]
    choosing = [seat for seat in range(s.seats) if s.drawn[seat]]
    if choosing:
        kept: list[list[int] | None] = yield Sealed(choosing, lambda seat: choose_kept(s.drawn[seat], seat, keep[seat]))
        for seat in s.favour:
            if s.drawn[seat]:
                keep_drawn(s, seat, kept[seat] or [])


# -- RA-3 Rounds and turns -------------------------------------------------------------------------


def choose_location(s: RaiateaState) -> Flow:
    """Let the next seat take a location card that is left; it becomes the Kahuna there.

    Rule RA-3.1.
    """
    seat = (s.start_player + s.turn) % s.seats
    left = sorted(_ALL_LOCATIONS.difference(s.taken))
    choice = FREE_ACTION
    while choice == FREE_ACTION:
        choice = yield from ask_step(s, Choose(seat, "choose_location", GO.all_choices(left), rule="round"))
    location = GO.part(choice)
    if s.offers:  # The last feast is over.
        s.offers, s.blessed, s.blessed_owner, s.source = [], [], [], []
    s.taken[seat] = location
    s.kahuna = seat
    s.location = location
    s.step = 0
    s.place = 0
    s.phase = AT_LOCATION
    if s.events is not None:
        s.emit("went", seat=seat, location=location)
    if location == NEIGHBOURHOOD:
        enter_neighbourhood(s)


def end_of_round(s: RaiateaState) -> Flow:
    """Move the start player, renew the display, return the location cards, move the round marker.

    The display is renewed after the last round, too.
    Rule RA-3.3, ruling R86.
    """
    s.start_player = (s.start_player + 1) % s.seats
    s.emit("start", seat=s.start_player)
    clear_display(s)
    yield from fill_display(s)
    s.taken = [NO_LOCATION] * s.seats
    s.turn = 0
    next_field(s)


Begin: TypeAlias = Callable[[RaiateaState], Flow]

# fmt: off
_SEGMENTS: Final[dict[int, tuple[Begin, bool]]] = {
    TABLE: (prepare_table, False),
    DEAL: (deal_rituals, False),
    DEAL_AGAIN: (deal_again, False),
    CHOOSE: (choose_location, True),
    AT_LOCATION: (at_location, True),
    END_OF_ROUND: (end_of_round, False),
    BEFORE_DANCE: (own_turns, True),
    DANCE: (priest_dance, False),
    BUY_RITUALS: (buy_rituals, False),
    KEEP_BOUGHT: (keep_bought, False),
    AFTER_BUYING: (own_turns, True),
    PREPARE_RITUALS: (prepare_rituals, False),
    OFFERING: (mana_offering, False),
    GIFTS: (give_gift, False),
    EXTRA_GIFTS: (give_extra_gifts, False),
    LAY_OUT: (lay_out, False),
    BLESSING: (bless, False),
    AUCTIONS: (due_auction, False),
    BUILDING: (build_turn, True),
    END_OF_FEAST: (end_of_feast, False),
    LAST_MIRRORS: (last_mirrors, False),
}
# fmt: on
SEGMENTS: Final = tuple(_SEGMENTS[phase] for phase in range(len(_SEGMENTS)))
"""For each phase its rule, and whether a seat has its own turn in it."""


def components_of(s: RaiateaState) -> dict[str, int]:
    """Return the number of each card and tile, wherever it is. Rule RA-1.4.

    Rituals and tasks are counted per design, commodities and assistants per type, masks per god.
    """
    seats = range(s.seats)
    components = s.components
    rituals = [
        card for zone in (s.decks, s.discards, s.hands, s.drawn, s.bag, s.permanents) for each in zone for card in each
    ]
    rituals += s.row
    tasks = [task for zone in (s.task_pools, s.tasks_done) for each in zone for task in each]
    tasks += [task for task in s.tiles if task != NO_TILE]
    forest = [*s.forest_deck, *s.display, *(card for seat in seats for card in s.looked[seat])]
    masks = [*s.mask_market]
    for seat in seats:
        masks += s.masks[seat]
        masks += 2 * s.pairs[seat]
        masks += s.mirrored[seat] + [MIRROR_MASK] * len(s.mirrored[seat])
    masks += [components.mask_cards[card - FIRST_FOREST_MASK][0] for card in forest if card >= FIRST_FOREST_MASK]
    found = {f"ritual {id}": rituals.count(index) for index, id in enumerate(components.ritual_ids)}
    found |= {f"task {id}": tasks.count(index) for index, id in enumerate(components.task_ids)}
    found |= {f"mask {id}": masks.count(index) for index, id in enumerate(components.god_ids)}
    for kind in range(COMMODITIES):
        owned = sum(s.goods[seat][kind] + s.veiled[seat].count(kind) for seat in seats)
        found[f"commodity {kind}"] = s.goods_market[kind] + forest.count(kind) + owned
    for kind in range(ASSISTANTS):
        owned = sum(s.ready[seat][kind] + s.exhausted[seat][kind] for seat in seats)
        found[f"assistant {kind}"] = s.assistant_market[kind] + forest.count(COMMODITIES + kind) + owned
    found["favour stones"] = len(set(s.favour))
    return found
