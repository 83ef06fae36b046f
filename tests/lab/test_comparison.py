"""Comparisons: the same seeds, paired differences, one page, and refusals of what can't be compared."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import atoll
from atoll.cli.main import app
from atoll.engine.component_changes import write_changes
from atoll.lab.comparison import check_comparable, compare, comparison_page, play_variants
from atoll.lab.plan import SimulationPlan
from atoll.lab.variants import VariantError, read_variants

GAME = atoll.games["atacama"]
PLAN = SimulationPlan.make(GAME, 2, {}, ("random",), used=True)


def row(number: int, scores: tuple[int, int], **more: Any) -> dict[str, Any]:
    places = [1 + sum(other > score for other in scores) for score in scores]
    found = {"row": "game", "number": number, "seed": 7 * number, "bots": ["random"] * 2, "first": 0}
    found |= {"scores": list(scores), "places": places, "decisions": 20, "points": [{"row": s} for s in scores]}
    return {**found, **more}


@pytest.fixture
def three(tmp_path: Path) -> Path:
    file = tmp_path / "three.toml"
    file.write_text(write_changes("atacama", {"game.line_minimum_rigs": 3}), "utf-8")
    return file


def test_differences_are_paired_game_by_game() -> None:
    before = [row(n, (n % 7, n % 3)) for n in range(40)]
    after = [row(n, (n % 7 + 2, n % 3), decisions=21) for n in range(40)]
    found = compare(GAME, PLAN.to_json(), {"a": before, "b": after})
    (variant,) = found.variants
    assert (found.base, found.games, variant.name) == ("a", 40, "b")
    score, length = variant.figure("score"), variant.figure("decisions")
    assert score is not None
    assert length is not None
    # Each pair differs by the same amount, however much the games differ from each other.
    assert (score.difference, score.low, score.high) == pytest.approx((1, 1, 1))
    assert (length.base, length.mean, length.low, length.high) == pytest.approx((20, 21, 1, 1))
    assert score.is_clear
    wins = variant.figure("seat 0")
    assert wins is not None
    assert wins.unit == "share"
    assert wins.low < wins.difference < wins.high


def test_a_source_of_points_that_a_variant_lacks_counts_as_zero() -> None:
    after = [row(n, (3, 1), points=[{"column": 3}, {}]) for n in range(10)]
    found = compare(GAME, PLAN.to_json(), {"a": [row(n, (3, 1)) for n in range(10)], "b": after})
    figures = {each.key: each.difference for each in found.variants[0].figures}
    assert figures["points row"] == pytest.approx(-2)
    assert figures["points column"] == pytest.approx(1.5)


def test_variants_play_the_same_seeds_and_give_a_page_without_links(tmp_path: Path, three: Path) -> None:
    found = read_variants(["original", str(three), f"{three}, tactic=true"], atoll.games)
    plans = {each.name: SimulationPlan.make(each.game, 2, each.options, ("random",), used=True) for each in found}
    compared = play_variants(plans, 8, tmp_path / "games", workers=1)
    assert [each.name for each in compared.variants] == [str(three), f"{three}, tactic=true"]
    page = comparison_page(compared)
    links: list[str] = []

    class Links(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            links.extend(value or "" for name, value in attrs if name in ("src", "href"))
            assert tag != "script"

    Links().feed(page)
    assert not links
    assert "Atacama: 3 variants, 8 games each" in page
    assert "points of a seat: row" in page
    assert page == comparison_page(play_variants(plans, 8, tmp_path / "games", workers=1)), "the games are stored"


@pytest.mark.parametrize(
    ("texts", "game", "message"),
    [
        (["original", "tactic=true"], "", "no file names the game; name it with --game"),
        (["original", "FILE"], "atua", "variants of several games: atua, atacama"),
        (["original", "FILE,FILE"], "", "allowed: original, a file, options"),
        (["original", "original,FILE"], "", "allowed: original, a file, options"),
        (["original", ""], "atacama", "variant ''; allowed"),
        (["original", "tactics=true"], "atacama", "unknown option 'tactics'"),
        (["original", "none.toml"], "", "none.toml: can't be read"),
    ],
)
def test_texts_that_name_no_variant_are_refused(texts: list[str], game: str, message: str, three: Path) -> None:
    with pytest.raises(atoll.engine.AtollError, match=message):
        read_variants([text.replace("FILE", str(three)) for text in texts], atoll.games, game)


def test_a_file_that_names_no_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.toml"
    file.write_text("x = 1\n")
    with pytest.raises(VariantError, match="names no game"):
        read_variants(["original", str(file)], atoll.games)


def test_what_can_not_be_compared_is_refused() -> None:
    other = SimulationPlan.make(GAME, 2, {"tactic": True}, ("random",), used=True)
    check_comparable({"a": PLAN, "b": other})
    with pytest.raises(VariantError, match="1 variants; allowed: at least 2"):
        check_comparable({"a": PLAN})
    with pytest.raises(VariantError, match="'a' and 'b' are the same"):
        check_comparable({"a": PLAN, "b": SimulationPlan.make(GAME, 2, {"tactic": False}, ("random",))})
    with pytest.raises(VariantError, match="'b': seats is 4; allowed: 2"):
        check_comparable({"a": PLAN, "b": SimulationPlan.make(GAME, 4, {}, ("random",))})
    with pytest.raises(VariantError, match="'b' is of atua; allowed: variants of atacama"):
        check_comparable({"a": PLAN, "b": SimulationPlan.make(atoll.games["atua"], 2, {}, ("random",))})
    with pytest.raises(VariantError, match="'b' has other games than 'a'"):
        compare(GAME, PLAN.to_json(), {"a": [row(0, (1, 2))], "b": [row(1, (1, 2))]})


def test_the_command_compares_variants_and_the_cells_of_an_experiment(tmp_path: Path, three: Path) -> None:
    page = tmp_path / "page.html"
    run = CliRunner().invoke(
        app, ["compare", "original", str(three), "--games", "4", "--bots", "random", "--workers", "1", "-o", str(page)]
    )
    assert run.exit_code == 0, run.output
    assert "difference" in run.output
    assert "wins of seat 2" in run.output, run.output
    assert page.read_text("utf-8").startswith("<!doctype html>")
    grid = tmp_path / "grid.toml"
    grid.write_text(
        'game = "atacama"\ngames = 3\nbots = ["random"]\n[[vary]]\noption = "tactic"\nvalues = [false, true]\n'
    )
    run = CliRunner().invoke(app, ["compare", str(grid), "--workers", "1"])
    assert run.exit_code == 0, run.output
    assert "tactic = true (after) against tactic = false (before)" in run.output
    run = CliRunner().invoke(app, ["compare", str(grid), "--seed", "2"])
    assert run.exit_code != 0
