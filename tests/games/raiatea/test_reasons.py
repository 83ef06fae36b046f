"""Why not? Each reason in the situation that it is for."""

import pytest

from atoll.engine.script import Table
from atoll.games.raiatea import GAME
from atoll.games.raiatea.state import BUY_RITUALS, GIFTS, OFFERING, PREPARE_RITUALS, RaiateaState

from .tables import give, in_phase, lay, open_statue, start, table
from .test_building import building


def why_not(t: Table, choice: str, seat: int = 0) -> str:
    reason = GAME.why_not(t.position.view(seat), GAME.parse(choice))
    return reason.key if reason else "possible"


def market(**things: object) -> Table:
    s = table(3)
    give(s, 0, **things)  # type: ignore[arg-type]
    return start(s).play("p0 go marketplace")


def feast(s: RaiateaState, phase: int) -> Table:
    s.field = 1
    s.gifts = [1, 2]
    return in_phase(s, phase)


def test_at_the_marketplace() -> None:
    t = market(goods="uru", pearls=2)
    assert why_not(t, "sell uru 2") == "no_effect"
    assert why_not(t, "sell uru 3") == "price_too_low"
    assert why_not(t, "sell taro 1") == "no_commodity"
    assert why_not(t, "hire trader") == "possible"
    t.play("p0 hire trader")
    assert why_not(t, "hire trader") == "not_now"  # nothing of the kind is on offer any more
    assert why_not(t, "go reef") == "not_now"
    assert why_not(t, "sell uru 1", seat=1) == "not_your_turn"


def test_at_the_marae() -> None:
    s = table(3)
    give(s, 0, goods="uru")
    s.decks[1] = []
    t = start(s).play("p0 go marae")
    assert why_not(t, "draw forbidden") == "rank_too_low"
    assert why_not(t, "sacrifice taro") == "no_commodity"


def test_on_the_path() -> None:
    s = table(3)
    give(s, 0, pearls=3, priests=11)
    t = start(s).play("p0 go path", "p0 decline")
    assert why_not(t, "train 2") == "priests_full"
    s = table(3)
    give(s, 0, pearls=3)
    t = start(s).play("p0 go path", "p0 decline")
    assert why_not(t, "train 2") == "too_few_pearls"


def test_in_the_forest() -> None:
    s = table(3, display="uru uru uru uru")
    give(s, 0, ready="gatherer", exhausted="gatherer")
    t = start(s).play("p0 go forest", "die 4")
    assert why_not(t, "pick taro") == "not_in_display"
    s = table(3, display="uru uru uru uru")
    give(s, 0, exhausted="gatherer")
    t = start(s).play("p0 go forest", "die 4")
    assert why_not(t, "gather") == "not_now"


def test_free_actions() -> None:
    s = table(3)
    give(s, 0, rituals="tipa oro", ready="shaman", priests=3, masks="maui mirror")
    t = start(s)
    assert why_not(t, "shaman tipa") == "possible"
    assert why_not(t, "shaman oro") == "too_few_priests"
    assert why_not(t, "shaman rao") == "not_in_hand"
    assert why_not(t, "mirror hiro") == "not_your_mask"
    t = start(table(3))
    assert why_not(t, "shaman rao") == "not_ready"
    assert why_not(t, "mirror hiro") == "no_mirror"
    assert why_not(t.play("p0 go reef", "die 1"), "go reef", seat=1) == "location_taken"


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
    t = feast(table(3), OFFERING)
    assert why_not(t, "bid 6") == "too_little_mana"
    t = feast(table(3), GIFTS)
    assert why_not(t, "accept gift_tattoo") == "gift_taken"
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
