"""The flow of Atua, in the order of its RULES.md.

Rule ids such as AU-3.2 and rulings such as R6 are those of RULES.md.
The setup is in setup.py, the scoring windows in scoring_windows.py, placements in geometry.py.
Points are in scoring.py, explanations of illegal choices in reasons.py.
The two decisions of taking a card are one turn draft: nothing is paid or moved until the card is
placed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from atoll.engine import (
    Choose,
    Flow,
    Game,
    JsonMapping,
    JsonObject,
    Options,
    OptionValue,
    Rival,
    ScoreLine,
    insert_sorted,
    rank,
)
from atoll.engine.translations import MessageCatalogue

from . import scoring
from .component_loader import load_components
from .components import DIFFICULTIES, SOURCES, AtuaComponents
from .geometry import Island
from .kinds import (
    ABOUTS,
    BUY_FATE,
    DISCARD_OTHER,
    KEEP_OTHER,
    LEFT,
    PASS_FATE,
    PASS_RESIDENT,
    PLAY_RESIDENT,
    PROMPTS,
    RIGHT,
    TAKE,
    TAKE_SIDE,
    VOCABULARY,
)
from .lattice import CARD_INTS, REACH, cards_in, position
from .options import options_of, seat_counts_of, settle
from .reasons import EXPLAINERS
from .scoring_windows import score_window
from .setup import lattice_of, prepare, reveal_card
from .state import NO_RESIDENT, NOT_SCORED, NOTHING_HELD, SETUP, TURN, WINDOW, AtuaState

_KEEP: Final = KEEP_OTHER.choice()
_DISCARD: Final = DISCARD_OTHER.choice()
_PASS_FATE: Final = PASS_FATE.choice()
_PLAY: Final = PLAY_RESIDENT.choice()
_PASS: Final = PASS_RESIDENT.choice()


class Atua(Game[AtuaState, AtuaComponents]):
    """Atua by Scott Almes."""

    id = "atua"
    rules_version = 1
    max_answers = 360
    longest_games: ClassVar[Mapping[int, int]] = {1: 100, 2: 100, 3: 140, 4: 175, 5: 210, 6: 245}
    max_choices = 1024
    vocabulary = VOCABULARY
    prompts = PROMPTS
    placeholders = ABOUTS
    state_type = AtuaState
    explainers = EXPLAINERS

    def __init__(self, data: JsonMapping | None = None) -> None:
        super().__init__(data)
        self.options = options_of(self.components)
        self.seat_counts = seat_counts_of(self.components)

    def load_components(self, data: JsonMapping) -> AtuaComponents:
        """Return the components described by parsed component data."""
        return load_components(data)

    def text_values(self, components: AtuaComponents) -> Mapping[str, int | str]:
        """Return the numbers of the components that messages mention."""
        after_a, after_b, after_c = (window.sources_to_score for window in components.windows)
        return {
            "scored_after_a": after_a,
            "scored_after_b": after_b,
            "scored_after_c": after_c,
            "beach_bonus": components.beach_bonus,
            "coconut_bonus": components.coconut_bonus,
            "left_card_price": components.solo.left_card_price,
            "right_card_gain": components.solo.right_card_gain,
            "discard_price": components.solo.discard_price,
            "start_points": ", ".join(map(str, components.solo.start_points)),
            "ruler_points": max(components.ruler.points),
            "beyond": components.ruler.beyond,
            "beyond_open_end": components.ruler.beyond_open_end,
            **{f"{name}_points": pair.points_per_pair for name, pair in zip(SOURCES, components.pairs, strict=False)},
            "coconut_points": components.coconut_points,
            "totem_points": max(components.totem_table),
            "rounds": components.rounds,
            "start_coconuts": components.start_coconuts,
            "solo_coconuts": components.solo.player_coconuts,
            "hut_coconuts": components.solo.hut_coconuts,
            "solo_turns": components.solo_turns,
            "solo_beach_bonus": components.solo.beach_bonus,
            "tahuma_volcano_points": components.solo.tahuma_volcano_points,
        }

    def rule_facts(self, components: AtuaComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return the numbers of the setup that the rules page mentions.

        Args:
            components: The components.
            seats: Number of players.
            options: All options of the table.
        """
        stack_a, stack_b, stack_c = components.stacks[seats]
        return {
            "stack_a": stack_a,
            "stack_b": stack_b,
            "stack_c": stack_c,
            "fates_shown": seats + components.fates_revealed_extra,
        }

    def names(self, components: AtuaComponents) -> Mapping[str, Sequence[str]]:
        """Return the ids of cards, villages, residents and fates."""
        return {
            "card": [card.id for card in components.cards[: components.island_cards]],
            "village": [card.id for card in components.cards[components.island_cards :]],
            "resident": [resident.id for resident in components.residents],
            "fate": [fate.id for fate in components.fates],
        }

    def title(self, language: str) -> str:
        """Return the name of the game in a language."""
        return self.components.name.said(language)

    def titles(self, components: AtuaComponents, language: str) -> Mapping[str, Sequence[str]]:
        """Return the names of cards, tiles, sources and symbols in a language.

        Positions are given in steps from the village.
        """
        cards = [card.name.said(language) for card in components.cards]
        return {
            "card": cards[: components.island_cards],
            "village": cards[components.island_cards :],
            "resident": [resident.name.said(language) for resident in components.residents],
            "fate": [fate.name.said(language) for fate in components.fates],
            "source": [name.said(language) for name in components.source_names],
            "symbol": [name.said(language) for name in components.symbol_names],
            "x": self._places(language, "left", "column", "right"),
            "y": self._places(language, "up", "row", "down"),
        }

    def _places(self, language: str, before: str, beside: str, after: str) -> Sequence[str]:
        texts = MessageCatalogue(self.package, language)
        keys = (beside, after, before)  # indexed by the sign: 0, 1, -1
        return [
            texts.text(f"atua.from_village.{keys[(at > 0) - (at < 0)]}", n=abs(at)) for at in range(-REACH, REACH + 1)
        ]

    def resolve_options(self, options: Options, seats: int) -> dict[str, OptionValue]:
        """Return the options as they take effect.

        The solo game has neither residents nor fates. Options without a meaning get their defaults.
        Rules AU-1.2 and AU-7.1.
        """
        return settle(self.components, super().resolve_options(options, seats), seats)

    def setup(self, components: AtuaComponents, options: Options, seats: int) -> AtuaState:
        """Return a state in which every seat has coconuts; cards and tiles are dealt in play.

        Rules AU-2.1 and AU-7.1.

        Args:
            components: The components.
            options: All options of the table.
            seats: Number of players.
        """
        return AtuaState(
            seats=seats,
            over=False,
            phase=SETUP,
            start_player=0,
            active=0,
            turn=0,
            window=0,
            stacks=list(components.stacks[seats]),
            deck=list(range(components.island_cards)),
            row=[],
            row_coconuts=[],
            held=NOTHING_HELD,
            placed=[[] for _ in range(seats)],
            removed=[],
            supply=[components.start_coconuts if seats > 1 else components.solo.player_coconuts] * seats,
            hut=components.solo.hut_coconuts if seats == 1 else 0,
            residents=[NO_RESIDENT] * seats,
            resident_pool=list(range(len(components.residents))),
            revealed=[NO_RESIDENT] * seats,
            resident_points=[0] * seats,
            fate_row=[],
            fates=[[] for _ in range(seats)],
            fate_pool=list(range(len(components.fates))),
            village_pool=list(range(len(components.cards) - components.island_cards)),
            sheet=[[NOT_SCORED] * len(components.source_names) for _ in range(seats)],
            scored_in=[[NOT_SCORED] * len(components.source_names) for _ in range(seats)],
            had=[[] for _ in range(seats)],
            tahuma_pile=[[] for _ in range(seats)],
        )

    def derive(self, s: AtuaState) -> None:
        """Build the islands from their cards; there are none before the villages are dealt.

        A determinization leaves the islands as they are, because all their cards are public.
        """
        if [island.placed for island in getattr(s, "islands", ())] != s.placed:
            s.islands = [Island.load(s.components, placed, lattice_of(s)) for placed in s.placed if placed]

    def play(self, s: AtuaState) -> Flow:
        """Run one segment: the preparation, a turn, or a scoring window."""
        if s.phase == TURN:
            return play_solo_turn(s) if s.solo else play_turn(s)
        if s.phase == WINDOW:
            return score_window(s)
        return prepare(s)

    def scores(self, s: AtuaState) -> list[int]:
        """Return the points of each seat, as if the game ended now."""
        return scoring.scores(s)

    def ranking(self, s: AtuaState) -> list[int]:
        """Return the places: by points, then coconuts; in the solo game 1 is a win and 2 a defeat.

        Rules AU-6.1 and AU-7.7, ruling R48.
        """
        if s.solo:
            return [1 if scoring.beats_tahuma(s) else 2]
        return rank(scoring.standing(s))

    def explain(self, s: AtuaState) -> list[list[ScoreLine]]:
        """Return the score lines of each seat."""
        return scoring.explain(s)

    def rivals(self, s: AtuaState) -> list[Rival]:
        """Return Tahuma in the solo game, whose pile is only opened at the end.

        Rule AU-7.5.
        """
        return [Rival("tahuma", scoring.tahumas_sheet(s))] if s.solo and s.over else []

    def harder_options(self, options: Options, seats: int) -> dict[str, OptionValue] | None:
        """Return the options with the next solo difficulty, or None after the last one."""
        level = DIFFICULTIES.index(options["solo_difficulty"]) + 1
        if seats > 1 or level == len(DIFFICULTIES):
            return None
        return {**options, "solo_difficulty": DIFFICULTIES[level]}

    def derived_view(self, s: AtuaState, viewer: int | None) -> JsonObject:
        """Return the facts of `scoring.live`."""
        return scoring.live(s, viewer)

    def component_counts(self, s: AtuaState) -> dict[str, int]:
        """Count all pieces; none is made or lost after the setup."""
        villages = sum(1 for placed in s.placed if placed)
        on_islands = sum(cards_in(placed) for placed in s.placed) - villages
        piles = sum(map(len, s.tahuma_pile))
        return {
            "island_cards": len(s.deck) + len(s.row) + on_islands + len(s.removed) + piles,
            "villages": len(s.village_pool) + villages,
            "residents": len(s.resident_pool) + sum(each != NO_RESIDENT for each in s.residents + s.revealed),
            "fates": len(s.fate_pool) + len(s.fate_row) + sum(map(len, s.fates)),
            "coconuts": sum(s.supply) + sum(s.row_coconuts) + s.hut,
        }


# -- turn (AU-3) -----------------------------------------------------------------------------------


def play_turn(s: AtuaState) -> Flow:
    """Let the active player take and place a card, then refill the row and offer the rest.

    The rest are a fate and the resident.
    A scoring window follows them if the refill took the last card of a stack (R25).
    Rule AU-3.1, ruling R25.
    """
    seat = s.active
    slots = takeable_slots(s, seat)
    if slots:
        yield from take_card(s, seat, slots)
    else:
        take_unplaceable(s, seat)
    yield from refill_row(s)
    yield from buy_fate(s, seat)
    yield from play_resident(s, seat)
    end_turn(s)


def takeable_slots(s: AtuaState, seat: int) -> list[int]:
    """Return the slots whose price the supply covers and whose card fits somewhere.

    In the solo game the slots are the two sides; only the left one has a price.
    Rules AU-3.4 and AU-7.2, rulings R18 and R20.
    """
    return [slot for slot in range(len(s.row)) if s.can_pay_for(seat, slot) and s.fits(seat, slot)]


def take_card(s: AtuaState, seat: int, slots: list[int]) -> Flow:
    """Let the player take and place a card.

    Each card to its left gets one of the player's coconuts. The player gets the coconuts on the
    card. Payment comes first (R20), but nothing is paid before the card is placed.
    Rule AU-3.4.

    Args:
        s: The state.
        seat: The seat.
        slots: The slots whose cards can be taken.
    """
    choice: int = yield Choose(seat, "take", TAKE.all_choices(slots), rule="take")
    slot = s.held = TAKE.part(choice)
    yield from expand_island(s, seat, s.row[slot])
    for left in range(slot):
        s.row_coconuts[left] += 1
    won = s.row_coconuts.pop(slot)
    s.supply[seat] += won - slot
    card = s.row.pop(slot)
    s.emit("taken", seat=seat, card=card, paid=slot, won=won)
    tell_placed(s, seat)


def expand_island(s: AtuaState, seat: int, card: int) -> Flow:
    """Let the player place the taken card over others. It never moves again.

    Rules AU-3.4 and AU-8.4.

    Args:
        s: The state.
        seat: The seat.
        card: The card.
    """
    printed = s.components.cards[card]
    options = s.islands[seat].placements(printed)
    placement: int = yield Choose(seat, "place", options, source=printed.id, rule="place", placeholders={"card": card})
    island = s.islands[seat] = s.islands[seat].grown(s.components, card, *position(placement))
    s.placed[seat] = island.placed[:]
    s.held = NOTHING_HELD


def tell_placed(s: AtuaState, seat: int) -> None:
    """Emit that the last card of an island was placed now."""
    card, x, y, rot = s.placed[seat][-CARD_INTS:]
    s.emit("placed", seat=seat, card=card, at=[x, y, rot])


def take_unplaceable(s: AtuaState, seat: int) -> None:
    """Remove the free card if no affordable one fits; the player gets its coconuts.

    Rule AU-3.5, ruling R19.
    """
    won = s.row_coconuts.pop(0)
    s.supply[seat] += won
    card = s.row.pop(0)
    insert_sorted(s.removed, card)
    s.emit("unplaceable", seat=seat, card=card, won=won)


def refill_row(s: AtuaState) -> Flow:
    """Fill the right end of the row from the current stack. Rule AU-3.6."""
    s.stacks[s.window] -= 1
    yield from reveal_card(s)


def buy_fate(s: AtuaState, seat: int) -> Flow:
    """Offer at most one fate; its price goes onto the row. Rule AU-3.2, rulings R21 and R22."""
    affordable = BUY_FATE.all_choices(fate for fate in s.fate_row if s.can_buy(seat, fate))
    if not affordable:
        return
    choice: int = yield Choose(seat, "fate", [*affordable, _PASS_FATE], rule="fate")
    if choice == _PASS_FATE:
        return
    fate = BUY_FATE.part(choice)
    price = s.components.fates[fate].price
    s.supply[seat] -= price
    for coconut in range(price):  # onto the refilled row, from the left
        s.row_coconuts[coconut % len(s.row)] += 1
    s.fate_row.remove(fate)
    insert_sorted(s.fates[seat], fate)
    s.emit("fate_bought", seat=seat, fate=fate, paid=price)


def play_resident(s: AtuaState, seat: int) -> Flow:
    """Offer to play the resident, once per game. Rules AU-3.3 and AU-5.6, rulings R35 and R36."""
    if s.residents[seat] == NO_RESIDENT:
        return
    choice: int = yield Choose(seat, "resident", [_PLAY, _PASS], rule="resident", reveals=True)
    if choice == _PASS:
        return
    resident = s.residents[seat]
    s.residents[seat] = NO_RESIDENT
    s.revealed[seat] = resident
    points = scoring.score_resident(
        s.components.residents[resident], [s.components.cards[card] for card in s.row]
    ).points
    s.resident_points[seat] = points
    s.emit("resident", seat=seat, resident=resident, points=points)


def end_turn(s: AtuaState) -> None:
    """Pass the turn clockwise; a scoring window comes first if the current stack is empty.

    Rules AU-3.1 and AU-4.1.
    """
    s.turn += 1
    s.active = (s.active + 1) % s.seats
    if not s.stacks[s.window]:
        s.phase = WINDOW


# -- solo game (AU-7) ------------------------------------------------------------------------------


def play_solo_turn(s: AtuaState) -> Flow:
    """Draw two cards; one is placed, the other goes to Tahuma or leaves the game.

    Rule AU-7.2, rulings R49 and R50.
    """
    for _ in (LEFT, RIGHT):
        yield from reveal_card(s)
    s.stacks[s.window] -= len(s.row)
    sides = takeable_slots(s, 0)
    if sides:
        yield from take_side(s, sides)
    else:
        take_unplaceable_solo(s)
    yield from leave_other(s)
    end_turn(s)


def take_side(s: AtuaState, sides: list[int]) -> Flow:
    """Let the player take a side: the left card costs a coconut, the right one brings one.

    Coconuts are exchanged with Tahuma's hut.
    Rule AU-7.2.
    """
    choice: int = yield Choose(0, "take_side", TAKE_SIDE.all_choices(sides), rule="solo")
    side = s.held = TAKE_SIDE.part(choice)
    yield from expand_island(s, 0, s.row[side])
    to_supply = settle_side(s, side)
    card = s.row.pop(side)
    s.row_coconuts.pop(side)
    s.emit("taken", seat=0, card=card, paid=max(0, -to_supply), won=max(0, to_supply))
    tell_placed(s, 0)


def settle_side(s: AtuaState, side: int) -> int:
    """Move coconuts between supply and hut.

    Rule AU-7.2.

    Args:
        s: The state.
        side: The side of the card that was taken.

    Returns:
        The number of coconuts that came into the supply; negative if they were paid.
    """
    solo = s.components.solo
    to_supply = -s.price_of(LEFT) if side == LEFT else min(solo.right_card_gain, s.hut)
    s.supply[0] += to_supply
    s.hut -= to_supply
    return to_supply


def take_unplaceable_solo(s: AtuaState) -> None:
    """Remove the right card if no card fits; it brings its coconut. Rule AU-7.2, ruling R19."""
    won = settle_side(s, RIGHT)
    card = s.row.pop(RIGHT)
    s.row_coconuts.pop(RIGHT)
    insert_sorted(s.removed, card)
    s.emit("unplaceable", seat=0, card=card, won=won)


def leave_other(s: AtuaState) -> Flow:
    """Give the other card to Tahuma, or remove it for coconuts. Rule AU-7.3, ruling R51."""
    price = s.components.solo.discard_price
    if s.supply[0] >= price:
        choice: int = yield Choose(0, "other", [_KEEP, _DISCARD], rule="solo_other", placeholders={"card": s.row[0]})
        if choice == _DISCARD:
            s.supply[0] -= price
            s.hut += price
            s.emit("discarded", seat=0, card=s.row[0], paid=price)
            insert_sorted(s.removed, s.row.pop())
            s.row_coconuts.pop()
            return
    s.emit("tahuma_card", card=s.row[0])
    insert_sorted(s.tahuma_pile[0], s.row.pop())
    s.row_coconuts.pop()
