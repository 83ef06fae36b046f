"""The own turn (RA-3.4 to RA-3.6): free actions before and after each step, skipped windows."""

import pytest

from atoll.engine import PUBLIC, TurnDraft, audience_of_seats
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import (
    give,
    goods,
    in_phase,
    kinds,
    lay,
    names,
    open_statue,
    prompt,
    skip_to,
    start,
    table,
)
from atoll.games.raiatea.state import DANCE, RaiateaState
from atoll.server.presentation.question import question_of

from .test_building import building, done


def shaman(s: RaiateaState, seat: int, rituals: str, *, n: int = 1, **more: object) -> None:
    """A seat with rituals, as many ready shamans, and priests enough for all."""
    give(s, seat, rituals=rituals, ready=" ".join(["shaman"] * n), priests=11, **more)  # type: ignore[arg-type]


# -- a step offers choices again that a free action has made possible --------------------------------------------------


def test_path_pearls_of_the_window_before_training_can_train() -> None:
    """Rule RA-3.4."""
    s = table(3)
    shaman(s, 1, "rua_hatu", pearls=1)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 0")
    assert (prompt(t), t.position.to_move) == ("window", (1,))
    t.play("p1 shaman rua_hatu")
    assert prompt(t) == "train"
    t.play("p1 train 1")
    assert (t.state.priests[1], t.state.pearls[1], t.state.mana[1]) == (12, 2, 5 + 12)


@pytest.mark.parametrize("free_priest", [True, False])
def test_path_kahuna_with_1_pearl_has_a_window_before_the_income(free_priest: bool) -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 0, rituals="roroo", ready="shaman", priests=6 - free_priest, pearls=1)
    t = start(s).play("p0 go path", "p0 priest" if free_priest else "p0 decline")
    assert prompt(t) == "window"
    t.play("p0 shaman roroo")  # costs 6: with the priest just trained, and its 2 priests bring mana at once
    assert t.state.mana[0] == 5 + 8


def test_path_shaman_that_fills_the_track_withdraws_the_free_priest() -> None:
    s = table(3)
    shaman(s, 0, "roroo", pearls=5)
    t = start(s).play("p0 go path")
    assert prompt(t) == "kahuna_priest"
    t.play("p0 shaman roroo")
    assert t.state.priests[0] == 12
    assert (prompt(t), t.position.to_move) == ("train", (1,))


def test_path_window_between_training_and_income() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 1, rituals="roroo", ready="shaman", priests=5, pearls=2)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 0", "p1 train 1")
    assert prompt(t) == "window"
    t.play("p1 shaman roroo")
    assert t.state.mana[1] == 5 + 8


def test_reef_window_before_the_pearls() -> None:
    """Rule RA-3.4."""
    s = table(3)
    shaman(s, 1, "tua_raa_tai tipa", n=2)
    t = start(s).play("p0 go reef", "die 1")
    assert t.position.to_move == (1,)
    t.play("p1 shaman tua_raa_tai", "p1 done")
    assert t.state.pearls[1] == 4 + 1 + 2  # the ritual acts at these pearls already
    assert prompt(t) == "window"  # and after them


def test_neighbourhood_mask_gained_in_the_placing_window_can_be_placed() -> None:
    """Rule RA-3.4."""
    s = table(3)
    shaman(s, 1, "anuanua")
    t = start(s).play("p0 go neighbourhood")
    assert (prompt(t), t.position.to_move) == ("window", (1,))
    taken = names("mask", t.state.mask_market[:1])
    t.play("p1 shaman anuanua", f"p1 claim {taken}")
    assert prompt(t) == "place_mask"
    t.play(f"p1 place {taken}")
    assert prompt(t) == "swap_mask"


def test_neighbourhood_task_that_a_shaman_makes_payable() -> None:
    """Rule RA-3.4."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_7")
    shaman(s, 0, "rua_hatu")
    t = start(s).play("p0 go neighbourhood")
    assert prompt(t) == "window"
    t.play("p0 shaman rua_hatu")
    assert t.options(0) == ["build s1r1c1", "decline"]


def two_tasks(s: RaiateaState) -> RaiateaState:
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r2c1", "t1_pearls_5")
    for seat in (1, 2):
        give(s, seat, pearls=0)
    return s


def test_building_shaman_makes_the_second_task_payable() -> None:
    """Rule RA-3.4."""
    s = two_tasks(table(3))
    shaman(s, 0, "rua_hatu", pearls=6)
    give(s, 0, ready="pearl_diver")
    t = building(s).play("p0 build s1r1c1")
    assert prompt(t) == "window"
    t.play("p0 shaman rua_hatu")
    assert prompt(t) == "diver"
    t.play("p0 build s1r2c1")
    assert done(t, 0) == "t1_pearls_4 t1_pearls_5"


def test_building_shaman_brings_the_diver_for_the_second_task() -> None:
    """Rule RA-3.4."""
    s = two_tasks(table(3))
    shaman(s, 0, "rau_pena", pearls=9)
    t = building(s).play("p0 build s1r1c1", "p0 shaman rau_pena", "p0 enlist pearl_diver")
    assert prompt(t) == "diver"
    t.play("p0 build s1r2c1")
    assert done(t, 0) == "t1_pearls_4 t1_pearls_5"


def test_building_after_the_second_task_only_free_actions() -> None:
    """Rule RA-3.4."""
    s = two_tasks(table(3))
    lay(s, "s1r3c1", "t1_pearls_6")
    shaman(s, 0, "tipa", pearls=30)
    give(s, 0, ready="pearl_diver pearl_diver")
    t = building(s).play("p0 build s1r1c1", "p0 build s1r2c1")
    assert prompt(t) == "window"
    assert kinds(t, 0) == {"shaman", "windows", "done"}


def test_no_window_after_a_step_that_was_declined() -> None:
    """Rule RA-3.4."""
    s = table(3)
    shaman(s, 1, "tipa", masks="maui")
    t = start(s).play("p0 go neighbourhood", "p1 decline")
    assert prompt(t) == "window"  # of the taking step: the placing step had the shaman next to it
    t.play("p1 done")
    assert prompt(t) == "choose_location"


# -- R62: a permanent ritual acts at once ------------------------------------------------------------------------------


def test_r62_a_sale_more_by_a_ritual_carried_out_in_the_own_market_turn() -> None:
    """Rules RA-3.4 and RA-4.7, ruling R62."""
    s = table(3)
    shaman(s, 0, "ru", goods="taro taro taro", pearls=0)
    t = start(s).play("p0 go marketplace", "p0 sell taro 2", "p0 sell taro 1")
    assert prompt(t) == "window"  # both sales of the Kahuna are used
    t.play("p0 shaman ru")
    assert kinds(t, 0) == {"sell", "done"}
    t.play("p0 sell taro 1")
    assert goods(t, 0) == ""


def test_r62_a_completion_more_by_a_ritual_carried_out_at_the_neighbourhood() -> None:
    """Rules RA-3.4 and RA-4.6, ruling R62."""
    s = table(3)
    for place, name in (("s1r1c1", "t1_pearls_4"), ("s1r2c1", "t1_pearls_5")):
        lay(s, place, name)
    shaman(s, 0, "hau", pearls=9)
    t = start(s).play("p0 go neighbourhood", "p0 build s1r1c1")
    assert prompt(t) == "window"
    t.play("p0 shaman hau", "p0 build s1r2c1")
    assert done(t, 0) == "t1_pearls_4 t1_pearls_5"


def test_r62_a_completion_by_a_ritual_carried_out_when_masks_are_placed() -> None:
    """Rules RA-3.4 and RA-4.6, ruling R62."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    shaman(s, 1, "hau")
    give(s, 0, pearls=0)
    t = start(s).play("p0 go neighbourhood", "p1 shaman hau")
    assert (prompt(t), t.position.to_move) == ("late_task", (1,))
    t.play("p1 build s1r1c1")
    assert done(t, 1) == "t1_pearls_4"


# -- "don't ask again" -------------------------------------------------------------------------------------------------


def test_dont_ask_again_does_not_pass_act_6() -> None:
    """Rule RA-3.6."""
    s = two_tasks(table(3))
    shaman(s, 0, "rua_hatu", pearls=2)
    s.skipping = [True, False, False]
    t = building(s)
    assert t.options(0) == ["shaman rua_hatu", "windows ask", "pass"]
    t.play("p0 shaman rua_hatu", "p0 build s1r1c1")
    assert done(t, 0) == "t1_pearls_4"


def test_dont_ask_again_passes_who_has_nothing_to_decide() -> None:
    """Rule RA-3.6."""
    s = two_tasks(table(3))
    give(s, 0, pearls=2, exhausted="shaman", rituals="tipa", priests=5)
    s.skipping = [True, False, False]
    assert building(s).state.passed[0]


def skipping(place: str, **things: object) -> ScriptedGame:
    s = table(3)
    shaman(s, 0, "tipa", n=2, **things)
    s.skipping = [True, False, False]
    return start(s).play(f"p0 go {place}")


@pytest.mark.parametrize(
    ("place", "things", "asked"),
    [
        ("forest", {}, "forest_pick"),
        ("marae", {}, "marae"),
        ("path", {}, "kahuna_priest"),
        ("neighbourhood", {"masks": "maui"}, "place_mask"),
        ("marketplace", {}, "market"),
    ],
)
def test_asking_again_is_offered_at_any_question_of_the_own_turn(
    place: str, things: dict[str, object], asked: str
) -> None:
    """Rule RA-3.6."""
    t = skipping(place, **things)
    if t.position.pending_chance is not None:
        t.play("die 4")
    assert prompt(t) == asked
    t.play("p0 windows ask")
    assert prompt(t) == asked
    assert "windows ask" not in t.options(0)
    assert t.state.skipping == [False, False, False]


def test_asking_again_is_the_last_thing_offered() -> None:
    """Rule RA-3.6."""
    t = skipping("marketplace")
    question = question_of(GAME, t.position.view(0), GameMessages(GAME, "en"))
    assert question is not None
    *others, last = [option.text for option in question.options]
    assert (last, len(others) > 1) == ("windows ask", True)


def test_asking_again_is_offered_at_a_question_within_a_step() -> None:
    """Rule RA-3.6."""
    s = table(3)
    shaman(s, 0, "tipa")
    give(s, 0, ready="gatherer")
    s.skipping = [True, False, False]
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal uru", "p0 pick gatherer")
    assert prompt(t) == "forest_extra"
    t.play("p0 windows ask")
    assert prompt(t) == "forest_extra"
    assert "windows ask" not in t.options(0)
    t.play("p0 decline")
    assert prompt(t) == "window"


def test_asking_again_is_offered_at_a_question_in_anothers_turn() -> None:
    """Rule RA-3.6."""
    s = table(3, display="uru uru uru uru")
    give(s, 1, ready="gatherer gatherer")
    s.skipping = [False, True, False]
    t = start(s).play("p0 go forest", "die 1")
    assert (prompt(t), t.position.to_move) == ("take_commodity", (1,))
    t.play("p1 windows ask")
    assert prompt(t) == "take_commodity"
    assert t.state.skipping == [False, False, False]


def test_asking_again_is_offered_where_a_set_is_picked_and_leaves_what_is_picked() -> None:
    """Rule RA-3.6."""
    s = table(3)
    open_statue(s, 2)
    lay(s, "s2r1c1", "t2_goods_different_3")
    give(s, 0, goods="uru taro tiare mahi_mahi")
    s.skipping = [True, False, False]
    t = building(s).play("p0 build s2r1c1")
    assert prompt(t) == "pay_goods"
    draft = TurnDraft(t.position, 0)
    ask = t.position.parse("windows ask")
    first = t.position.parse("pay uru 1")
    draft.add([first, ask])
    assert draft.picked == [first]
    assert ask not in draft.legal()


@pytest.mark.parametrize("asked", ["offering", "prepare", "keep_rituals", "auction_bid"])
def test_asking_again_is_offered_where_all_are_asked_in_secret(asked: str) -> None:
    """Rule RA-3.6."""
    s = table(3)
    shaman(s, 0, "tipa tipa", pearls=0)
    s.skipping = [True, False, False]
    s.field = 1
    if asked == "auction_bid":
        lay(s, "s1r1c1", "t1_auction")
    t = building(s) if asked == "auction_bid" else in_phase(s, DANCE)
    if asked == "keep_rituals":
        skip_to(t, "buy").play("p0 buy normal", "p1 decline", "p2 decline", "card rao", "card hina", "card raa")
    skip_to(t, asked).play("p0 windows ask")
    assert prompt(t) == asked
    assert "windows ask" not in t.options(0)
    assert t.state.skipping[0]  # nothing changes before all have answered


def test_all_learn_of_asking_again_beside_cards_that_nobody_else_learns() -> None:
    """Rule RA-3.6."""
    t = skipping("marae").play("die 4", "p0 draw normal", "card rao", "card hina", "card raa")
    assert prompt(t) == "keep_rituals"
    t.play("p0 windows ask")
    assert (prompt(t), t.state.skipping) == ("keep_rituals", [False, False, False])
    ask, record = t.position.parse("windows ask"), t.position.record
    assert record is not None
    assert record[-1] == (0, ask, PUBLIC)
    t.play("p0 keep rao")
    assert record[-1][2] == audience_of_seats(0)


def test_asking_again_is_offered_before_the_first_pick_of_a_set() -> None:
    """Between two picks it would tell all that one was made. Rule RA-3.6."""
    s = table(3)
    shaman(s, 0, "tipa tipa")
    s.skipping = [True, False, False]
    s.field = 1
    t = skip_to(in_phase(s, DANCE), "prepare")
    assert "windows ask" in t.options(0)
    t.play("p0 prepare tipa")
    assert prompt(t) == "prepare"
    assert "windows ask" not in t.options(0)


@pytest.mark.parametrize("asked", ["dance", "buy"])
def test_asking_again_is_offered_in_secret_before_the_windows_of_a_feast(asked: str) -> None:
    """Rule RA-3.6."""
    s = table(3)
    shaman(s, 0, "tipa tipa", pearls=9 if asked == "dance" else 0)
    s.skipping = [True, False, False]
    s.field = 1
    t = in_phase(s, DANCE)
    for seat in (1, 2):
        if prompt(t) == "dance":
            t.play(f"p{seat} train 0")
    if asked == "buy":
        assert prompt(t) == "buy"
    assert "windows ask" in t.options(0)
    t.play("p0 windows ask")
    assert "windows ask" not in t.options(0)
    assert t.state.skipping[0]  # nothing changes before all have answered
    skip_to(t, "window")
    assert (t.position.to_move, t.state.skipping[0]) == ((0,), False)


def asked_in_words(t: ScriptedGame, seat: int) -> str:
    asked = t.position.decision(seat)
    return GameMessages(GAME, "en").say(f"prompt.{asked.prompt}", dict(asked.placeholders or {}))


def test_r67_a_question_with_nothing_but_to_pass_says_why_it_is_asked() -> None:
    """Others know of shaman, priests and the number of rituals, but not that none is cheap enough.

    Rule RA-3.5, ruling R67.
    """
    s = table(3)
    give(s, 0, rituals="roroo", ready="shaman", priests=1)
    t = building(s)
    assert t.options(0) == ["pass"]
    assert "not asking would reveal" in asked_in_words(t, 0)
    s = table(3)
    give(s, 1, rituals="roroo", ready="shaman", priests=1, pearls=1)
    t = start(s).play("p0 go path", "p0 decline", "p0 train 0")
    assert (prompt(t), t.options(t.position.to_move[0])) == ("window", ["windows skip", "done"])
    assert "not asking would reveal" in asked_in_words(t, t.position.to_move[0])


def test_r67_a_question_at_which_something_can_be_done_needs_no_reason() -> None:
    """Rule RA-3.5, ruling R67."""
    s = table(3)
    shaman(s, 0, "tipa")
    lay(s, "s1r1c1", "t1_pearls_4")
    give(s, 0, pearls=9)
    t = building(s)
    assert "build s1r1c1" in t.options(0)
    assert "reveal" not in asked_in_words(t, 0)
