"""Texts of a decision's choices on the page, and the choices that are amounts."""

import pytest

from atoll.engine import Position
from atoll.engine.languages import LANGUAGES
from atoll.games import atlandice, wutaki
from atoll.games.atlandice.kinds import DONATE
from atoll.games.wutaki.kinds import OPTION, PASS, PASS_KIND, PROMPTS
from atoll.games.wutaki.learn.positions import BOX, avenge, state, stock, table
from atoll.server.presentation.question import Question, question_of, staged_texts
from atoll.server.presentation.texts import GameTexts, site

GAME = wutaki.GAME


def asked(position: Position, language: str = "en") -> Question:
    question = question_of(GAME, position.view(0), GameTexts(GAME, language))
    assert question is not None
    return question


@pytest.mark.parametrize(("board", "points", "price"), [("standard", 3, 10), ("extreme", 5, 8)])
def test_each_of_several_possibilities_says_what_it_does(board: str, points: int, price: int) -> None:
    s = state(2, board=board)
    stock(s, 0, sheep=12)
    avenge(s, 0, "ve_oil")
    question = asked(table(s).play("p0 visit loyal vp_or_gift").position)
    first, second = (option.words for option in question.options)
    assert [option.choice for option in question.options] == [OPTION.choice(0), OPTION.choice(1)]
    assert str(points) in first and str(price) not in first
    assert str(price) in second and "vengeance" in second.lower()
    assert not question.amount


def test_what_is_offered_after_a_climb_says_what_it_does() -> None:
    s = state(2, masterboards="asymmetric")
    climber = next(at for at, face in enumerate(BOX.masterboards) if face.on_climb is not None)
    s.masterboard[0] = climber
    stock(s, 0, sheep=9, gold=9, wood=9, oil=9, stone=9)
    avenge(s, 0, "ve_oil")
    s.tower[0][1] -= 1
    s.home[0][1] += 1
    t = table(s).play("p0 visit loyal pyramid")
    while t.position.view(0)["decision"]["prompt"] != "on_climb":
        t = t.play(f"p0 {t.options(0)[-1]}")
    words = {option.choice: option.words for option in asked(t.position).options}
    assert "worker" in words[OPTION.choice(0)] and "vengeance" in words[OPTION.choice(0)].lower()
    assert words[PASS] == "Give up no worker"


@pytest.mark.parametrize("language", LANGUAGES)
def test_doing_nothing_is_worded_by_its_question(language: str) -> None:
    words = GameTexts(GAME, language)
    asking = [prompt for prompt, kinds in PROMPTS.items() if PASS_KIND in kinds]
    said = [words.choice(PASS, prompt) for prompt in asking]
    assert len(set(said)) == len(asking) and words.choice(PASS) not in said


def test_seats_are_no_amount() -> None:
    s = state(3)
    stock(s, 0, sheep=12)
    avenge(s, 0, "ve_oil")
    question = asked(table(s).play("p0 visit loyal vp_or_gift", "p0 option 2").position)
    assert question.key == "gift_vengeance_to"
    assert len(question.options) > 1 and not question.amount


@pytest.mark.parametrize(
    ("amounts", "said"),
    [((0, 2, 0), ["Donate 2 books"]), ((0, 0, 0), ["nothing"]), ((1, 0, 3), ["Donate 1 gem", "Donate 3 provisions"])],
)
def test_what_is_done_names_no_thing_of_which_none_is_given(amounts: tuple[int, ...], said: list[str]) -> None:
    game = atlandice.GAME
    staged = [DONATE.choice(kind, amount) for kind, amount in enumerate(amounts)]
    assert staged_texts(game, staged, GameTexts(game, "en"), site("en")) == said
