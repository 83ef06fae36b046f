"""Reports: correct numbers from rows, one self-contained page, warnings about outliers."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.lab.analysis import analyze_results
from atoll.lab.plan import SimulationPlan
from atoll.lab.report import page
from atoll.lab.results import ResultsError, read
from atoll.lab.simulate import simulate

GAME = atoll.games["atacama"]
PLAN = SimulationPlan.make(GAME, 2, {}, ("random", "greedy"), used=True).to_json()


def game(number: int, places: list[int], used: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A row of a made-up game."""
    row = {
        "row": "game",
        "number": number,
        "bots": ["random", "greedy"],
        "first": 0,
        "scores": [10 - place for place in places],
        "places": places,
        "decisions": 20 + number % 3,
        "points": [{"column": 3}, {"row": 1}],
        "lead_changes": 1,
        "branching": 5.5,
        "widest": 40,
        "used": used or {},
    }
    return {**row, **more}


def test_shares_means_and_sources_are_those_of_the_rows() -> None:
    found = analyze_results(GAME, [PLAN, *(game(n, [1, 2] if n < 30 else [1, 1]) for n in range(40))])
    assert found.games == 40
    assert [(each.name, each.wins, each.games) for each in found.seats] == [("seat 1", 35, 40), ("seat 2", 5, 40)]
    assert {each.name: each.share for each in found.bots} == {"random": 35 / 40, "greedy": 5 / 40}
    assert (found.first.wins, found.first.fair) == (35, 0.5)
    assert found.lengths.mean == pytest.approx(sum(20 + n % 3 for n in range(40)) / 40)
    low, high = found.lengths.interval
    assert low < found.lengths.mean < high
    assert found.sources[0] == ("column", 3 * 40 / 50, 0.0)
    assert found.widest == 40


def test_what_is_out_of_line_is_warned_of() -> None:
    used = {
        "place field r1c1": [[2, 0], [2, 0]],
        "place field r1c2": [[1, 1], [1, 0]],
        "place field r1c3": [[1, 0], [1, 1]],
        "place rig double": [[50, 50], [50, 48]],
        "place rig base": [[1, 1], [1, 1]],
    }
    # Two bots of one name: nothing is expected of either.
    found = analyze_results(GAME, [PLAN, *(game(n, [1, 2], used, bots=["greedy", "greedy"]) for n in range(40))])
    told = "\n".join(found.warnings)
    assert "seat 1 wins too often: 100.0% (95 %: 91.2% to 100.0%), expected 50.0%" in told
    assert "seat 2 wins too seldom: 0.0%" in told
    assert "to begin is an advantage" in told
    assert "place: r1c1 was on offer 160 times and never chosen" in told
    assert "place: r1c2 wins too often: who chose it won 100.0%" in told
    assert "place: r1c3 loses too often: who chose it won 0.0%" in told
    assert "never on offer with these options" in told
    assert "place: r9c9" not in told, "a long list is cut"
    assert "place: Rig " not in told, "what everybody always chooses tells nothing"


def test_the_taste_of_a_bot_is_not_taken_for_a_merit() -> None:
    used = {"place field r1c2": [[1, 1], [1, 0]]}
    found = analyze_results(GAME, [PLAN, *(game(n, [1, 2], used) for n in range(40))])
    (use,) = found.uses
    assert (use.with_it.share, use.with_it.fair) == (1.0, 1.0), "random always won, with or without it"
    assert not any("r1c2" in warning for warning in found.warnings)


def test_fair_games_are_not_warned_of() -> None:
    names = [f"place field {name}" for name in GAME.notation.names("field")]
    names += ["place rig base", "place rig double"]
    names += [f"buy {d} {name}" for d in ("concession", "axis", "rig") for name in GAME.notation.names(d)]
    used = {name: [[2, 1], [2, 1]] for name in names}
    found = analyze_results(GAME, [PLAN, *(game(n, [1, 2] if n % 2 else [2, 1], used) for n in range(60))])
    assert found.warnings == []


def test_few_games_are_not_judged() -> None:
    found = analyze_results(GAME, [PLAN, *(game(n, [1, 2], {"place field r1c1": [[1, 0], [0, 0]]}) for n in range(5))])
    assert [warning for warning in found.warnings if "never on offer" not in warning] == []


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data")]


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    simulate(SimulationPlan.make(GAME, 2, {}, ("random", "greedy"), used=True), 12, workers=1, file=file)
    html = page(GAME, read(file))
    links = _Links()
    links.feed(html)
    assert links.tags.count("svg") == 11
    assert "script" not in links.tags
    assert all(link.startswith("#") for link in links.found)
    assert "<h1>Atacama: 12 games</h1>" in html
    assert "95 %, Wilson" in html
    assert "bootstrap" in html
    assert "place: r5c5" in html
    assert html == page(GAME, read(file)), "the same rows give the same page"


def test_results_without_counts_get_a_page_too(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    simulate(SimulationPlan.make(GAME, 4, {}, ("random",)), 5, workers=1, file=file)
    html = page(GAME, read(file))
    assert "seat 4" in html
    assert "What is used" not in html
    assert "When it is decided" not in html


def course(*leads: float) -> dict[str, Any]:
    """The course of a game whose first seat has these expected leads, one decision apart."""
    pairs = [[10 + lead, 10] for lead in leads]
    return {"at": list(range(len(leads))), "scores": pairs, "expected": pairs}


def test_the_course_tells_when_games_are_decided_and_turned() -> None:
    behind = course(0, *[-4.0] * 14, *[2.0] * 5, 3)
    ahead = course(0, *[1.0] * 19, 5)
    rows = [game(n, [1, 2], course=behind if n % 4 == 0 else ahead) for n in range(20)]
    found = analyze_results(GAME, [PLAN, *rows, game(20, [1, 1], course=ahead)]).course
    assert found is not None
    assert found.moments is not None
    assert found.deficits is not None
    assert found.comebacks is not None
    assert len(found.moments.values) == 20, "a shared win has no moment of decision"
    assert sorted(set(found.moments.values)) == [5, 75]
    assert found.deficits.mean == 1
    assert (found.comebacks.wins, found.comebacks.games) == (5, 20)
    assert found.winner_leads[1] == pytest.approx(-0.25)
    assert found.expected_leads[-1] == found.leads[-1]
    assert found.expected[0] == 10


def test_a_game_that_is_turned_at_its_end_is_decided_there() -> None:
    rows = [game(n, [1, 2], course=course(*[-1.0] * 20, 1)) for n in range(3)]
    found = analyze_results(GAME, [PLAN, *rows]).course
    assert found is not None
    assert found.moments is not None
    assert found.moments.mean == 100


def test_more_time_is_compared_with_the_same_bot() -> None:
    rows = [game(n, [1, 2] if n % 4 else [2, 1], bots=["search*2", "search"]) for n in range(40)]
    (depth,) = analyze_results(GAME, [PLAN, *rows]).depth
    assert (depth.name, depth.wins, depth.games, depth.fair) == ("search*2 ahead of search", 30, 40, 0.5)
    assert analyze_results(GAME, [PLAN, game(0, [1, 2])]).depth == []


def test_a_report_of_an_experiment_names_what_was_varied() -> None:
    plan = {**PLAN, "labels": {"tactic": True, "game.line_minimum_rigs": 3}}
    assert "Varied in the experiment: <b>tactic = true, game.line_minimum_rigs = 3</b>" in page(
        GAME, [plan, game(0, [1, 2])]
    )
    assert "Varied" not in page(GAME, [PLAN, game(0, [1, 2])])


def test_a_long_table_of_usage_is_folded_and_its_clearest_gaps_come_first() -> None:
    used = {f"place field r{row}c{column}": [[1, 0], [1, 1]] for row in range(1, 10) for column in range(1, 6)}
    used["place field r9c9"] = [[1, 1], [1, 0]]
    rows = [game(n, [1, 2] if n % 3 else [2, 1], used, bots=["greedy"] * 2) for n in range(40)]
    html = page(GAME, [PLAN, *rows])
    assert "<summary>16 more</summary>" in html
    gaps = [
        max(each.with_it.interval[0] - 0.5, 0.5 - each.with_it.interval[1])
        for each in analyze_results(GAME, [PLAN, *rows]).uses
    ]
    assert gaps == sorted(gaps, reverse=True)


def test_other_or_empty_results_are_refused() -> None:
    with pytest.raises(ResultsError, match="hold no finished game"):
        page(GAME, [PLAN])
    with pytest.raises(ResultsError, match="are of 'chess', not of 'atacama'"):
        page(GAME, [{**PLAN, "game": "chess"}])
