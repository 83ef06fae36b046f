"""Wutaki as the engine knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from atoll.engine import Flow, Game, JsonMapping, JsonObject, Options, ScoreLine
from atoll.engine.translations import MessageCatalogue

from . import inventory, places, preparation, reasons, rules, scoring
from .component_loader import load_components
from .components import BOARDS, WutakiComponents
from .kinds import (
    ABOUTS,
    ELEMENTS,
    FIRST_STANDARD,
    MAIN_PLACES,
    PASS_KIND,
    PLACES,
    PROMPTS,
    VILLAGE,
    VOCABULARY,
    WHERES,
)
from .options import OPTIONS, check_options
from .state import WutakiState


class Wutaki(Game[WutakiState, WutakiComponents]):
    """Wutaki by David Rimbach, for 2 to 4 players."""

    id = "wutaki"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2, 3, 4)
    options = OPTIONS
    max_answers = 20_000
    longest_games: ClassVar[Mapping[int, int]] = {2: 570, 3: 840, 4: 940}
    vocabulary = VOCABULARY
    prompts = PROMPTS
    placeholders = ABOUTS
    passing_kinds = (PASS_KIND,)
    state_type = WutakiState
    explainers = reasons.EXPLAINERS

    def load_components(self, data: JsonMapping) -> WutakiComponents:
        """Return the components that parsed component data describe."""
        return load_components(data)

    def names(self, components: WutakiComponents) -> Mapping[str, Sequence[str]]:
        """Return the ids of the elements by domain."""
        return {**components.ids, "element": ELEMENTS}

    def extra_sources(self, components: WutakiComponents) -> list[str]:
        """Return the levels of the pyramids and the places of the masterboards as sources."""
        levels = [level.climb.source for board in components.boards for level in board.levels]
        return levels + [each.own_place.source for each in components.masterboards if each.own_place is not None]

    def text_values(self, components: WutakiComponents) -> Mapping[str, int | str]:
        """Return the numbers that texts of the game name."""
        return {
            "start_vp": components.start_vp,
            "end_vp": components.end_vp,
            "loyal_workers": components.loyal_workers,
            "upgrade_markers": components.upgrade_markers,
            "unfulfilled_penalty": scoring.UNFULFILLED_PENALTY,
            "set_size": scoring.SET_SIZE,
        }

    def rule_facts(self, components: WutakiComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return the numbers that the rules page names.

        Args:
            components: The components.
            seats: The number of seats.
            options: The options of the game.
        """
        board = components.boards[BOARDS.index(options["board"])]
        return {
            "extra_workers": board.extra_workers,
            "upgrade_vp": board.places[MAIN_PLACES.index("upgrade")].action.first.vp,
            "counter_steps": len(board.counter_positions(seats)),
            "round_limit": options["max_rounds"],
        }

    def titles(self, components: WutakiComponents, language: str) -> Mapping[str, Sequence[str]]:
        """Return the names for people by domain.

        Places that aren't printed on the main board are named in the catalogue.

        Args:
            components: The components.
            language: The language of the names.
        """
        words = MessageCatalogue(self.package, language)
        extra = [words.text(f"{self.id}.name.place.{name}") for name in WHERES[len(MAIN_PLACES) :]]
        titles = dict(components.titles[language])
        everywhere = (*titles["place"], *extra)
        titles["place"] = everywhere[: len(PLACES)]
        titles["where"] = everywhere
        titles["standard_place"] = everywhere[FIRST_STANDARD : VILLAGE + 1]
        return titles

    def check_options(self, options: Options, seats: int) -> None:
        """Check the options.

        Args:
            options: The options of the game.
            seats: The number of seats.

        Raises:
            OptionError: If the limit of rounds leaves no time for a game.
        """
        check_options(options)

    def setup(self, components: WutakiComponents, options: Options, seats: int) -> WutakiState:
        """Return the state before anything is dealt.

        Args:
            components: The components.
            options: The options of the game.
            seats: The number of seats.
        """
        return preparation.setup(components, options, seats)

    def play(self, s: WutakiState) -> Flow:
        """Return the flow of one segment."""
        return rules.SEGMENTS[s.phase](s)

    def derive(self, s: WutakiState) -> None:
        """Compute the numbers of free fields."""
        s.free = [fields.count(-1) for fields in s.fields]

    def scores(self, s: WutakiState) -> list[int]:
        """Return the score of each seat."""
        return [scoring.score(s, seat) for seat in range(s.seats)]

    def ranking(self, s: WutakiState) -> list[int]:
        """Return the places of the seats.

        They are ranked by points, then tokens, then upgrades, then the choice of the start marker's
        holder.
        Rule WU-10.3.
        """
        return scoring.ranking(s)

    def explain(self, s: WutakiState) -> list[list[ScoreLine]]:
        """Return the score of each seat in lines."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def derived_view(self, s: WutakiState, viewer: int | None) -> JsonObject:
        """Return the derived facts that the viewer may know.

        These are the viewer's own score if the game ended now, line by line, its
        `scoring.reminders`, and the yield of each standard place. Others' scores aren't estimated,
        because that would reveal their secrets.
        """
        if viewer is None:
            return {}
        lines = scoring.explain(s, viewer)
        return {
            "score": sum(line.points for line in lines),
            "lines": {line.key: line.points for line in lines},
            "reminders": scoring.reminders(s, viewer),
            "yields": [places.harvest(s, viewer, place) for place in range(FIRST_STANDARD, VILLAGE + 1)],
        }

    def start_player_of(self, s: WutakiState) -> int:
        """Return the seat with the start marker, drawn after all have chosen a secret pact."""
        return s.start

    def component_counts(self, s: WutakiState) -> dict[str, int]:
        """Return the totals of all components."""
        return inventory.components(s)

    def determinize(self, s: WutakiState, seat: int, rng: Random) -> None:
        """Put the cards that the seat knows to be in a deck back there.

        These are cards that the seat has put into a deck and that nobody else can have drawn since.

        Args:
            s: The state.
            seat: The seat whose knowledge is preserved.
            rng: The source of randomness.
        """
        inventory.remember(s, seat, rng)
