"""Reasons why a choice isn't legal, each in its own situation."""

import pytest

from atoll.engine import TurnDraft
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import give, in_phase, lay, open_statue, start, table
from atoll.games.raiatea.state import BUY_RITUALS, EXTRA_GIFTS, GIFTS, OFFERING, PREPARE_RITUALS, RaiateaState

from .test_building import building


def why_not(t: ScriptedGame, choice: str, seat: int = 0) -> str:
    reason = GAME.why_not(t.position.view(seat), GAME.parse(choice))
    return reason.key if reason else "possible"


def market(**things: object) -> ScriptedGame:
    s = table(3)
    give(s, 0, **things)  # type: ignore[arg-type]
    return start(s).play("p0 go marketplace")


def feast(s: RaiateaState, phase: int) -> ScriptedGame:
    s.field = 1
    s.gifts = [1, 2]
    return in_phase(s, phase)


def test_at_the_marketplace() -> None:
    """Rules RA-4.8 and RA-4.9."""
    t = market(goods="uru", pearls=2)
    assert why_not(t, "sell uru 2") == "no_effect"
    assert why_not(t, "sell uru 3") == "price_too_low"
    assert why_not(t, "sell taro 1") == "no_commodity"
    assert why_not(t, "hire trader") == "possible"
    t.play("p0 hire trader")
    assert why_not(t, "hire trader") == "too_few_pearls"
    assert why_not(t, "go marketplace") == "location_taken"
    assert why_not(t, "go reef") == "first"
    assert why_not(t, "sell uru 1", seat=1) == "not_your_turn"
    t.play("p0 sell uru 1")
    t = market(goods="uru uru uru", ready="trader").play("die 4", "p0 sell uru 1", "p0 sell uru 1", "p0 trade taro")
    assert why_not(t, "sell uru 1") == "sales_used"
    assert why_not(t, "trade uru") == "not_ready"
    t = market(pearls=9, ready="trader trader").play("die 4", "p0 hire trader", "p0 hire shaman", "p0 trade taro")
    assert why_not(t, "hire trader") == "not_your_turn"
    t = market(pearls=9, ready="trader trader", goods="uru").play("die 4", "p0 trade taro")
    assert why_not(t, "trade uru") == "trader_used"
    assert why_not(t, "trade taro") == "price_at_top"
    t.play("p0 hire trader", "p0 hire shaman")
    assert why_not(t, "hire trader") == "hires_used"


def test_at_the_marae() -> None:
    """Rules RA-4.2 and RA-7.1."""
    s = table(3)
    give(s, 0, goods="uru")
    s.decks[1] = []
    t = start(s).play("p0 go marae")
    assert why_not(t, "draw forbidden") == "rank_too_low"
    assert why_not(t, "sacrifice taro") == "no_commodity"
    s = table(3)
    give(s, 0, goods="uru uru uru", tattoos=6)
    t = start(s).play("p0 go marae", "p0 sacrifice uru", "p0 sacrifice uru")
    assert why_not(t, "sacrifice uru") == "sacrifices_used"


def test_on_the_path() -> None:
    """Rule RA-4.5."""
    s = table(3)
    give(s, 0, pearls=3, priests=11)
    t = start(s).play("p0 go path", "p0 decline")
    assert why_not(t, "train 2") == "priests_full"
    s = table(3)
    give(s, 0, pearls=3)
    t = start(s).play("p0 go path", "p0 decline")
    assert why_not(t, "train 2") == "too_few_pearls"


def test_in_the_forest() -> None:
    """Rules RA-4.1 and RA-5.5."""
    s = table(3, display="uru uru uru uru")
    give(s, 0, ready="gatherer", exhausted="gatherer")
    t = start(s).play("p0 go forest", "die 4")
    assert why_not(t, "pick taro") == "not_in_display"
    s = table(3, display="uru uru uru uru")
    give(s, 0, exhausted="gatherer")
    t = start(s).play("p0 go forest", "die 4")
    assert why_not(t, "gather") == "not_ready"
    s = table(3, display="uru uru uru uru")
    give(s, 0, ready="gatherer gatherer")
    t = start(s)
    assert why_not(t, "gather") == "at_location"
    t.play("p0 go forest", "die 4", "p0 gather", "reveal mask_maui_f1")
    assert why_not(t, "gather") == "gatherer_used"
    t.play("p0 pick uru")
    assert why_not(t, "pick mask_maui_f1") == "extra_commodity"


def test_in_the_neighbourhood() -> None:
    """Rule RA-4.6."""
    s = table(3)
    give(s, 0, masks="maui pai", rituals="tipa", ready="shaman", priests=3)
    t = start(s).play("p0 go neighbourhood", "p0 done", "p0 place maui")
    assert why_not(t, "place pai") == "mask_placed"
    assert why_not(t, "place maui") == "not_your_mask"
    assert why_not(t, "claim maui") == "first"


def test_what_belongs_elsewhere_says_where() -> None:
    s = table(3)
    give(s, 0, goods="uru", masks="maui", pearls=9, rituals="rao")
    t = start(s)
    for choice in ("sacrifice uru", "draw normal", "priest", "train 1", "place maui", "sell uru 1", "hire trader"):
        assert why_not(t, choice) == "at_location", choice
    for choice in ("buy normal", "prepare rao", "bid 1", "accept gift_pearls", "first rao"):
        assert why_not(t, choice) == "in_act", choice
    for choice in ("take uru", "enlist trader", "ready trader"):
        assert why_not(t, choice) == "by_effect", choice


def test_free_actions() -> None:
    """Rules RA-5.4 and RA-5.7."""
    s = table(3)
    give(s, 0, rituals="tipa oro", ready="shaman", priests=3, masks="maui mirror")
    t = start(s)
    assert why_not(t, "shaman tipa") == "possible"
    assert why_not(t, "shaman oro") == "too_few_priests"
    assert why_not(t, "shaman rao") == "not_in_hand"
    assert why_not(t, "mirror hiro") == "not_your_mask"
    t = start(table(3))
    assert why_not(t, "shaman rao") == "no_shaman"
    assert why_not(t, "mirror hiro") == "no_mirror"
    assert why_not(t.play("p0 go reef", "die 1"), "go reef", seat=1) == "location_taken"


def test_what_assistants_are_sent_for() -> None:
    s = table(3)
    give(s, 0, rituals="oro", ready="shaman pearl_diver", priests=3)
    t = start(s)
    assert why_not(t, "ready pearl_diver") == "diver_later"
    assert why_not(t, "shaman oro") == "too_few_priests"
    assert why_not(t, "shaman rua_hatu") == "no_ritual_for_shaman"  # what the shaman's own card asks for


@pytest.mark.parametrize(
    ("place", "name", "expected"),
    [
        ("s1r3c1", "t1_pearls_7", "cannot_pay"),
        ("s1r3c1", "t1_cond_rank_ariki", "condition_unmet"),
        ("s1r3c1", "t1_auction", "auction_task"),
        ("s1r3c1", "t1_cond_priests_4", "condition_once"),
        ("s1r4c1", "", "no_task"),
        ("s2r1c1", "", "statue_locked"),
    ],
)
def test_tasks(place: str, name: str, expected: str) -> None:
    """Rule RA-7.2."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    lay(s, "s1r3c2", "t1_rituals_2")
    give(s, 0, tasks="t1_cond_priests_4", priests=5)
    if name:
        lay(s, place, name)
    assert why_not(building(s), f"build {place}") == expected


def test_in_the_feast() -> None:
    s = table(3)
    give(s, 0, rituals="rao rao rao hina")
    t = feast(s, PREPARE_RITUALS).play("p0 prepare rao", "p0 prepare rao")
    assert why_not(t, "prepare rao") == "no_clip"
    assert why_not(t, "prepare ihi") == "not_in_hand"
    s = table(3)
    give(s, 0, rituals="rao hina te_fatu pua_te_hau")
    t = feast(s, PREPARE_RITUALS).play("p0 prepare te_fatu")
    assert why_not(t, "prepare hina") == "general_by_cost"
    assert why_not(t, "prepare rao") == "first"  # clips are left: the clip isn't why
    s = table(3)
    give(s, 0, rituals="rao ihi tipa hina")
    draft = TurnDraft(feast(s, PREPARE_RITUALS).position, 0)
    for choice in ("prepare hina", "prepare tipa", "prepare rao"):  # in any order: only the clips limit them
        draft.add(GAME.parse(choice))
    reason = GAME.why_not(draft.view(), GAME.parse("prepare ihi"))
    assert reason is not None and (reason.key, reason.fields) == ("no_clip", {"n": 2})
    t = feast(table(3), OFFERING)
    assert why_not(t, "bid 6") == "too_little_mana"
    t = feast(table(3), GIFTS)
    assert why_not(t, "accept gift_tattoo") == "gift_taken"
    s = table(3)
    give(s, 0, permanents="rua_nuu", tattoos=10)
    assert why_not(feast(s, EXTRA_GIFTS), "accept gift_tattoo") == "no_effect"
    s = table(3)
    for seat in range(3):
        give(s, seat, pearls=0)
    t = feast(s, BUY_RITUALS)
    assert why_not(t, "buy forbidden") == "rank_too_low"


def test_when_the_game_is_over() -> None:
    s = table(3)
    open_statue(s, 2)
    s.over = True
    t = start(s)
    assert why_not(t, "go reef") == "over"
