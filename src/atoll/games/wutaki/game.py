"""The game as the engine knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from atoll.engine import Flow, Game, JsonMapping, JsonObject, Options, ScoreLine
from atoll.engine.translations import MessageCatalogue

from . import inventory, places, preparation, reasons, rules, scoring
from .component_loader import load_box
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
    vocabulary = VOCABULARY
    prompts = PROMPTS
    placeholders = ABOUTS
    passing_kinds = (PASS_KIND,)
    state_type = WutakiState
    explainers = reasons.EXPLAINERS

    def load_components(self, data: JsonMapping) -> WutakiComponents:
        """See Game."""
        return load_box(data)

    def names(self, box: WutakiComponents) -> Mapping[str, Sequence[str]]:
        """See Game."""
        return {**box.ids, "element": ELEMENTS}

    def extra_sources(self, box: WutakiComponents) -> list[str]:
        """See Game: the levels of the pyramids, and the places of the masterboards."""
        levels = [level.climb.source for board in box.boards for level in board.levels]
        return levels + [each.own_place.source for each in box.masterboards if each.own_place is not None]

    def text_values(self, box: WutakiComponents) -> Mapping[str, int | str]:
        """See Game."""
        return {
            "start_vp": box.start_vp,
            "end_vp": box.end_vp,
            "loyal_workers": box.loyal_workers,
            "upgrade_markers": box.upgrade_markers,
            "unfulfilled_penalty": scoring.UNFULFILLED_PENALTY,
            "set_size": scoring.SET_SIZE,
        }

    def rule_facts(self, box: WutakiComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """See Game."""
        board = box.boards[BOARDS.index(options["board"])]
        return {
            "extra_workers": board.extra_workers,
            "upgrade_vp": board.places[MAIN_PLACES.index("upgrade")].action.first.vp,
            "counter_steps": len(board.counter_positions(seats)),
            "round_limit": options["max_rounds"],
        }

    def titles(self, box: WutakiComponents, language: str) -> Mapping[str, Sequence[str]]:
        """See Game. The places that aren't printed on the main board are named in the catalogue."""
        words = MessageCatalogue(self.package, language)
        extra = [words.text(f"{self.id}.name.place.{name}") for name in WHERES[len(MAIN_PLACES) :]]
        titles = dict(box.titles[language])
        everywhere = (*titles["place"], *extra)
        titles["place"] = everywhere[: len(PLACES)]
        titles["where"] = everywhere
        titles["standard_place"] = everywhere[FIRST_STANDARD : VILLAGE + 1]
        return titles

    def check_options(self, options: Options, seats: int) -> None:
        """See Game."""
        check_options(options)

    def setup(self, box: WutakiComponents, options: Options, seats: int) -> WutakiState:
        """See Game."""
        return preparation.setup(box, options, seats)

    def play(self, s: WutakiState) -> Flow:
        """See Game."""
        return rules.SEGMENTS[s.phase](s)

    def derive(self, s: WutakiState) -> None:
        """See Game."""
        s.free = [fields.count(-1) for fields in s.fields]

    def scores(self, s: WutakiState) -> list[int]:
        """See Game."""
        return [scoring.score(s, seat) for seat in range(s.seats)]

    def ranking(self, s: WutakiState) -> list[int]:
        """Return the places: points, then tokens, then upgrades, then the word of the start marker's holder.

        Rule WU-10.3.
        """
        return scoring.ranking(s)

    def explain(self, s: WutakiState) -> list[list[ScoreLine]]:
        """See Game."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def derived_view(self, s: WutakiState, viewer: int | None) -> JsonObject:
        """For a seat: its own score if the game ended now, line by line, and what each standard place would yield.

        reminders: see `scoring.reminders`. Others' scores aren't estimated: that would tell their secrets.
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
        """Who holds the start marker; it is drawn when all have kept their secret pact."""
        return s.start

    def component_counts(self, s: WutakiState) -> dict[str, int]:
        """See Game."""
        return inventory.components(s)

    def determinize(self, s: WutakiState, seat: int, rng: Random) -> None:
        """See Game. What the seat has put into a deck, and nobody else can have drawn since, is still in there."""
        inventory.remember(s, seat, rng)
