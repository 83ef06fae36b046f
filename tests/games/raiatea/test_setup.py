"""Setup and rounds (RA-2, RA-3): preparation, the course of rounds, free actions of the own turn."""

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.kinds import LOCATION
from atoll.games.raiatea.learn.positions import (
    BOX,
    give,
    goods,
    hand,
    in_phase,
    kinds,
    lay,
    names,
    prompt,
    skip_to,
    start,
    table,
)
from atoll.games.raiatea.state import END_OF_ROUND, RaiateaState


def dealt(seats: int, first: int = 0, **options: bool) -> ScriptedGame:
    """A game up to the choice of the starting rituals."""
    t = ScriptedGame("raiatea", seats, options).play(f"start {first}")
    while t.position.pending_chance is not None:
        t.position.apply(next(iter(t.position.outcomes())))
    return t


def keep_all(t: ScriptedGame, n: int) -> None:
    for seat in t.position.to_move:
        while seat in t.position.to_move and prompt(t) == "keep_rituals":
            t.position.apply(t.position.legal_choices(seat)[0], seat)


def test_everybody_starts_with_5_mana_and_4_pearls() -> None:
    """Rule RA-2.1."""
    s: RaiateaState = dealt(3).state
    assert s.mana == [5, 5, 5]
    assert s.pearls == [4, 4, 4]
    assert s.priests == s.tattoos == [0, 0, 0]


def test_favour_is_seat_order_from_the_start_player() -> None:
    """Rule RA-2.1, ruling R10."""
    assert dealt(4, first=2).state.favour == [2, 3, 0, 1]  # R10


def test_markets_at_the_start() -> None:
    """Rule RA-2.1."""
    s: RaiateaState = dealt(4).state
    assert s.assistant_market == [6, 6, 6, 6]
    assert s.goods_market == [1, 1, 1, 1]
    assert s.prices == [2, 2, 2, 2]
    assert [len(masks) for masks in s.masks] == [1, 1, 1, 1]
    assert len(s.mask_market) == 4
    assert len(s.display) == 5


def test_only_statue_1_is_open() -> None:
    """Rules RA-2.1 and RA-7.11."""
    s: RaiateaState = dealt(3).state
    assert s.unlocked == [True, False, False]
    assert all(tile >= 0 for tile in s.tiles[:16])
    assert all(BOX.task_vp[tile] == 1 for tile in s.tiles[:16])
    assert all(tile < 0 for tile in s.tiles[16:])
    assert [len(pool) for pool in s.task_pools] == [8, 22, 22]  # 8 go back to the box unseen (R9)


def test_oracle_shows_all_tasks_but_keeps_them_locked() -> None:
    """Rules RA-1.1 and RA-10.3."""
    s: RaiateaState = dealt(3, oracle=True).state
    assert s.unlocked == [True, False, False]
    assert [BOX.task_vp[tile] for tile in s.tiles] == [1] * 16 + [2] * 16 + [3] * 16
    assert [len(pool) for pool in s.task_pools] == [8, 6, 6]


def test_tane_cards_are_in_the_game_only_with_the_option() -> None:
    """Rules RA-1.1 and RA-10.2."""
    assert [len(deck) for deck in GAME.setup(BOX, GAME.resolve_options({}, 3), 3).decks] == [46, 32]
    tane = GAME.setup(BOX, GAME.resolve_options({"tane": True}, 3), 3)
    assert [len(deck) for deck in tane.decks] == [55, 37]


def test_starting_rituals_are_chosen_at_once_and_in_secret() -> None:
    """Rule RA-2.2."""
    t = dealt(3)
    asked = [t.position.to_move]
    assert t.position.decision(0).audience == 1
    for _ in range(2):  # two cards each
        t.position.apply(t.position.legal_choices(1)[0], 1)
        asked.append(t.position.to_move)
    assert asked == [(0, 1, 2), (0, 1, 2), (0, 2)]


@pytest.mark.parametrize("seats", [3, 5])
def test_two_rituals_are_kept(seats: int) -> None:
    """Rule RA-2.2."""
    t = dealt(seats)
    keep_all(t, 2)
    kept = [len(cards) for cards in t.state.hands]
    assert kept[:3] == [2, 2, 2]
    assert len(t.state.discards[0]) == 3 * seats


def test_the_round_goes_clockwise_from_the_start_player() -> None:
    """Rule RA-3.1."""
    s = table(4)
    s.start_player = 2
    t = start(s)
    went = []
    for place in ("reef", "path", "marae", "marketplace"):
        skip_to(t, "choose_location")
        went.append(t.position.to_move[0])
        t.play(f"p{went[-1]} go {place}")
    assert went == [2, 3, 0, 1]


def test_a_location_must_be_chosen_and_only_once() -> None:
    """Rule RA-3.1."""
    t = start(table(3))
    assert t.options(0) == [f"go {each}" for each in LOCATION.names]
    t.play("p0 go reef", "die 2")
    assert t.options(1) == ["go forest", "go marae", "go path", "go neighbourhood", "go marketplace"]


def test_location_cards_lie_in_front_until_the_end_of_the_round() -> None:
    """Rule RA-3.1."""
    t = start(table(3)).play("p0 go reef", "die 2", "p1 go path")
    assert t.state.taken == [2, 3, -1]


def test_end_of_round() -> None:
    """Rule RA-3.3, rulings R26 and R86."""
    s = table(3, display="uru uru taro mask_maui_f1")
    s.taken = [0, 1, 2]
    s.turn = 3
    t = in_phase(s, END_OF_ROUND).play("reveal trader", "reveal trader", "reveal uru", "reveal tiare")
    s = t.state
    assert s.start_player == 1
    assert s.goods_market == [3, 2, 1, 1]
    assert s.prices == [1, 1, 2, 2]  # R26: two Uru lower the price twice, but not below 1
    assert "maui" in names("mask", s.mask_market)
    assert names("forest_card", s.display) == "trader trader uru tiare"
    assert s.taken == [-1, -1, -1]


def test_window_before_choosing_offers_shaman_and_mirror_beside_the_locations() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 0, rituals="tipa rua_hatu", ready="shaman", masks="maui mirror", priests=3)
    t = start(s)
    assert "shaman tipa" in t.options(0)
    assert "shaman rua_hatu" not in t.options(0)  # costs 4, but there are only 3 priests
    assert "mirror maui" in t.options(0)
    t.play("p0 shaman tipa")
    assert t.state.mana[0] == 9
    assert prompt(t) == "choose_location"  # and now the location


def test_windows_of_their_own_open_only_on_public_facts() -> None:
    """Rule RA-3.5, ruling R67."""
    s = table(3)
    give(s, 1, rituals="ihi", ready="shaman", priests=1)
    t = start(s).play("p0 go reef", "die 1")
    assert prompt(t) == "window"  # a shaman, a priest and a card: asked although the card is too expensive (R67)
    assert t.options(1) == ["windows skip", "done"]


def test_no_window_without_cards_priests_or_shaman() -> None:
    """Rule RA-3.5, ruling R67."""
    s = table(3)
    give(s, 0, ready="shaman", priests=1)
    give(s, 1, rituals="tipa", ready="shaman")
    give(s, 2, rituals="tipa", exhausted="shaman", priests=5)
    t = start(s).play("p0 go reef", "die 1")
    assert prompt(t) == "choose_location"


def test_skipping_windows_until_one_asks_again() -> None:
    """Rule RA-3.6."""
    s = table(3)
    give(s, 1, rituals="tipa", ready="shaman", priests=3, pearls=0)
    t = start(s).play("p0 go reef", "die 1", "p1 windows skip")
    assert t.position.to_move == (1,)
    assert prompt(t) == "choose_location"
    assert "windows ask" in t.options(1)
    t.play("p1 windows ask")
    assert "windows ask" not in t.options(1)


def test_window_after_the_reef_pearls() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 0, rituals="rua_hatu", ready="shaman", priests=4)
    t = start(s).play("p0 go reef", "die 2", "p0 shaman rua_hatu")
    assert t.state.pearls[0] == 4 + 2 + 3 + 3


def test_own_turns_between_the_acts_of_a_feast() -> None:
    """Rule RA-3.4, ruling R65."""
    s = table(3)
    s.favour = [2, 0, 1]
    for seat in (0, 2):
        give(s, seat, rituals="tipa", ready="shaman", priests=3, pearls=0)
    s.turn = 3
    t = in_phase(s, END_OF_ROUND)
    for _ in range(4):
        t.position.apply(next(iter(t.position.outcomes())))
    asked = []
    while prompt(t) == "window":
        asked.append(t.position.to_move[0])
        t.play(f"p{asked[-1]} done")
    assert asked == [2, 0]  # W-feast-a, in favour order
    skip_to(t, "window")
    assert t.position.to_move == (2,)  # W-feast-b, after act 2


def test_kahuna_acts_first_wherever_he_sits() -> None:
    """Rule RA-3.1."""
    s = table(3)
    s.start_player = 1
    for seat in range(3):
        give(s, seat, goods="uru")
    t = start(s).play("p1 go marketplace")
    asked = []
    while prompt(t) == "market":
        asked.append(t.position.to_move[0])
        t.play(f"p{asked[-1]} done")
    assert asked == [1, 2, 0]
    assert goods(t, 0) == "uru"


def test_unused_round_fields_are_skipped() -> None:
    """Rules RA-3.2 and RA-10.1."""
    s = table(5)
    s.field = 5  # a4, the last action round with 5 players
    s.turn = 5
    t = in_phase(s, END_OF_ROUND)
    for _ in range(6):
        t.position.apply(next(iter(t.position.outcomes())))
    skip_to(t, "dance")
    assert BOX.fields[t.state.field].id == "f3"


def test_everything_can_be_declined() -> None:
    """Rule RA-3.1."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_4")
    give(s, 0, masks="maui")
    t = start(s).play("p0 go neighbourhood", "p0 decline", "p0 decline", "p0 decline")
    assert prompt(t) == "choose_location"
    assert hand(t, 0) == ""


def test_marae_offers_only_what_is_possible() -> None:
    """Rules RA-4.2 and RA-6.7."""
    t = start(table(3)).play("p0 go marae")
    assert kinds(t, 0) == {"draw", "done"}
