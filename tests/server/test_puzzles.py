"""Puzzles over HTTP: the first try counts, and it is stored, also for guests."""

from collections.abc import Iterator
from datetime import date

import pytest

from atoll.engine.registry import games
from atoll.lessons.puzzle import Puzzle, puzzles
from atoll.server.domain.progress import LearningProgress
from atoll.server.http.pages.puzzles import progress_after_try

from .conftest import Browser, Site, site_at
from .test_lessons import data_of, texts_of

GAME = games["atacama"]
DAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('puzzles')}/atoll.db", dict(games)) as site:
        yield site


@pytest.fixture(params=["account", "cookie"])
def reader(request: pytest.FixtureRequest, shared: Site) -> Browser:
    return shared.browser("Ada" if request.param == "account" else "")


def two() -> list[Puzzle]:
    return list(puzzles(GAME).values())[:2]


@pytest.mark.parametrize("name", sorted(games))
def test_every_puzzle_is_a_page_on_which_the_best_choice_passes(shared: Site, name: str) -> None:
    ada = shared.browser("Ada")
    for puzzle in list(puzzles(games[name]).values())[::6]:
        address = f"/puzzles/{name}/{puzzle.id}"
        page = ada.get(address)
        assert page.status_code == 200 and "clearly the best" in texts_of(page.text, "page-prompt")
        answer = ada.post(f"{address}/choose", {"step": "1", "choices": puzzle.best.choice})
        shown = ada.get(answer.headers["location"]).text
        assert "the best choice, " in texts_of(shown, "page-prompt")
        assert f"{puzzle.best.share} %" in texts_of(shown, "page-aside")
        wrong = ada.post(f"{address}/choose", {"step": "1", "choices": puzzle.tried[-1].choice})
        shown = ada.get(wrong.headers["location"]).text
        assert "Take it back" in texts_of(shown, "page-prompt")


def test_the_list_says_what_each_puzzle_is_about_and_how_hard_it_is(shared: Site) -> None:
    reader, first, second = shared.browser(), *two()
    page = reader.get("/puzzles/atacama", headers={"accept-language": "de"}).text
    assert page.count('<span class="puzzle-name">') == len(puzzles(GAME))
    card = page[page.index(f"/puzzles/atacama/{first.id}") :].partition("</a>")[0]
    assert "1 · Einen Turm setzen" in card and "Die einzige Chance" in card
    assert f"Leicht · {first.legal} Möglichkeiten" in card
    shown = reader.get(f"/puzzles/atacama/{first.id}").text
    assert "Puzzle 1: Place a rig" in shown
    link = '<a href="/puzzles/atacama/{}">Puzzle {}: Place a rig</a>'
    assert link.format(first.id, 1) in reader.get("/learn").text
    reader.post(f"/puzzles/atacama/{first.id}/choose", {"step": "1", "choices": first.best.choice})
    assert link.format(second.id, 2) in reader.get("/learn").text


def test_only_the_first_try_counts_and_is_kept(reader: Browser) -> None:
    solved, missed = two()
    for puzzle, tries in ((solved, (0,)), (missed, (1, 0))):
        for number in tries:
            form = {"step": "1", "choices": puzzle.tried[number].choice}
            assert reader.post(f"/puzzles/atacama/{puzzle.id}/choose", form).status_code == 303
    page = reader.get("/puzzles/atacama").text
    assert "Solved on the first try: 1 of 2" in page
    assert page.count("solved on the first try") == 2 and "not solved on the first try" in page
    assert reader.get("/learn").text.count("Solved on the first try: 1 of 2") == 1


def test_who_has_it_shown_has_not_solved_it(reader: Browser) -> None:
    puzzle = two()[0]
    shown = reader.get(f"/puzzles/atacama/{puzzle.id}?show=1").text
    assert data_of(shown)["right"] == puzzle.best.choice
    reader.post(f"/puzzles/atacama/{puzzle.id}/choose", {"step": "1", "choices": puzzle.best.choice})
    assert "Solved on the first try: 0 of 1" in reader.get("/puzzles/atacama").text


def test_what_a_guest_has_learnt_goes_along_into_the_account(shared: Site) -> None:
    guest = shared.browser()
    guest.post(f"/puzzles/atacama/{two()[0].id}/choose", {"step": "1", "choices": two()[0].best.choice})
    guest.get("/learn/atacama/first?step=3")
    guest.post("/play", {"game": "atacama"})
    assert "Solved on the first try: 1 of 1" in guest.get("/puzzles/atacama").text
    assert guest.get("/learn/atacama/first").headers["location"].endswith("step=3")
    guest.cookies.pop(guest.site.cookie("learning"))
    assert "Solved on the first try: 1 of 1" in guest.get("/puzzles/atacama").text, "the account knows it"


@pytest.mark.parametrize("cookie", ["x", "e30", "eyJwdXp6bGVzIjogN30=", "%00", "9" * 5000])
def test_a_cookie_that_somebody_made_up_counts_for_nothing(shared: Site, cookie: str) -> None:
    guest = shared.browser()
    guest.cookies[shared.cookie("learning")] = cookie
    page = guest.get("/puzzles/atacama").text
    assert "Puzzle of the day" in page and "Solved on the first try" not in page


@pytest.mark.parametrize(
    "address",
    ["/puzzles/nothing", "/puzzles/atacama/9-9", "/puzzles/atacama/9-9/why?choice=x", "/puzzles/nothing/today"],
)
def test_what_there_is_not_is_not_found(shared: Site, address: str) -> None:
    assert shared.browser().get(address).status_code == 404


def test_the_puzzle_of_the_day_is_one_of_them_and_a_choice_that_is_none_is_refused(shared: Site) -> None:
    guest = shared.browser()
    found = guest.get("/puzzles/atacama/today").headers["location"]
    assert found.rpartition("/")[2] in puzzles(GAME)
    assert guest.post(f"{found}/choose", {"step": "1", "choices": "place r1c1 nothing"}).status_code == 422
    assert guest.post(f"{found}/choose", {"step": "7"}).status_code == 404
    assert "Solved on the first try" not in guest.get("/puzzles/atacama").text


def test_days_stand_in_a_row_as_long_as_none_is_missed() -> None:
    puzzle, known = two()[0], LearningProgress()

    def tried(day: int, passed: bool = True) -> tuple[int, ...]:
        nonlocal known
        known = progress_after_try(known, "atacama", puzzle, passed, True, date.fromordinal(DAY.toordinal() + day))
        return known.days["atacama"][1:]

    assert tried(0) == (1, 1)
    assert tried(0, False) == (1, 1), "only the first try of a day counts"
    assert tried(1) == (2, 2)
    assert tried(3) == (1, 2), "a day was missed"
    assert tried(4, False) == (0, 2)
    assert tried(5) == (1, 2)
    assert progress_after_try(known, "atacama", two()[1], True, False, DAY).days == known.days
