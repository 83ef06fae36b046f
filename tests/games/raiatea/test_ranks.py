"""Tattoos and ranks, drawing rituals by rank, the bonus of the Tahua, carrying out rituals (RA-7)."""

import pytest

from atoll.games.raiatea.learn.positions import BOX, give, goods, hand, lay, names, prompt, skip_to, start, table


@pytest.mark.parametrize(
    ("tattoos", "rank", "decks", "drawn", "clips"),
    [
        (0, "raatira", "normal", 3, 2),
        (1, "raatira", "normal", 3, 2),
        (2, "ariki", "normal forbidden", 3, 2),
        (5, "ariki", "normal forbidden", 3, 2),
        (6, "arioi", "normal forbidden", 5, 3),
        (10, "tahua", "normal forbidden", 5, 3),
    ],
)
def test_abilities_of_the_ranks(tattoos: int, rank: str, decks: str, drawn: int, clips: int) -> None:
    """Rules RA-7.1 and RA-7.9."""
    s = table(3)
    give(s, 0, tattoos=tattoos)
    assert BOX.rank_ids[s.rank(0)] == rank
    assert BOX.rank_clips[s.rank(0)] == clips
    t = start(s).play("p0 go marae")
    assert [text for text in t.options(0) if text.startswith("draw")] == [f"draw {deck}" for deck in decks.split()]
    t.play(f"p0 draw {decks.rsplit(maxsplit=1)[-1]}")
    for _ in range(drawn):
        t.position.apply(next(iter(t.position.outcomes())))
    assert prompt(t) == "keep_rituals"


def test_a_new_rank_counts_at_once() -> None:
    """Rule RA-7.9, ruling R14."""
    s = table(3)
    give(s, 0, goods="uru", tattoos=1)
    t = start(s).play("p0 go marae")
    assert "draw forbidden" not in t.options(0)
    t.play("p0 sacrifice uru")
    assert "draw forbidden" in t.options(0)  # R14


def test_exactly_the_stated_number_is_kept() -> None:
    """Rule RA-7.1, ruling R15."""
    t = start(table(3)).play("p0 go marae", "p0 draw normal", "card hina", "card hina", "card rao")
    assert t.options(0) == ["keep rao", "keep hina"]  # R15: no way to keep none


def test_draw_and_keep_bonus() -> None:
    """Rules RA-6.6 and RA-7.1."""
    s = table(3)
    give(s, 0, permanents="nanao")
    t = start(s).play("p0 go marae", "p0 draw normal", *["card hina"] * 3, "card rao", "card raa")  # 2 more
    t.play("p0 keep rao", "p0 keep hina")  # 1 more
    assert hand(t, 0) == "rao hina"


def test_the_discard_pile_becomes_the_deck() -> None:
    """Rule RA-7.1, ruling R11."""
    s = table(3)
    s.discards[0] = s.decks[0][2:]
    s.decks[0] = s.decks[0][:2]
    count = len(s.discards[0])
    t = start(s).play("p0 go marae", "p0 draw normal")
    t.position.apply(next(iter(t.position.outcomes())))
    t.position.apply(next(iter(t.position.outcomes())))
    assert sum(t.position.outcomes().values()) == count  # R11: only its own discards
    assert len(t.state.decks[1]) == 32


def test_a_draw_stops_when_both_are_empty() -> None:
    """Rules RA-6.7 and RA-7.1."""
    s = table(3)
    s.decks[0] = s.decks[0][:1]
    t = start(s).play("p0 go marae", "p0 draw normal")
    t.position.apply(next(iter(t.position.outcomes())))
    assert hand(t, 0) == "rua_hatu"  # one card, which the seat keeps
    assert prompt(t) == "choose_location"  # nobody else can draw


def test_an_empty_deck_cannot_be_chosen() -> None:
    """Rules RA-6.7 and RA-7.1."""
    s = table(3)
    s.decks[0] = []
    t = start(s).play("p0 go marae")
    assert prompt(t) == "choose_location"  # nobody has anything to do


# -- Tahua -------------------------------------------------------------------------------------------------------------


def test_tahua_carries_out_one_ritual_for_nothing() -> None:
    """Rule RA-7.10."""
    s = table(3)
    give(s, 0, goods="uru", rituals="oro tino_rua", tattoos=9)
    t = start(s).play("p0 go marae", "p0 sacrifice uru")
    assert prompt(t) == "tahua_ritual"
    t.play("p0 perform tino_rua")  # of any cost: it costs 7
    assert t.state.pearls[0] == 11
    assert t.state.mana[0] == 5
    assert hand(t, 0) == "oro"
    assert t.state.tahua_spent[0]


def test_tahua_bonus_not_used_is_lost() -> None:
    """Rule RA-7.10, ruling R16."""
    s = table(3)
    give(s, 0, goods="uru", rituals="tino_rua", tattoos=9)
    t = start(s).play("p0 go marae", "p0 sacrifice uru", "p0 decline")
    assert t.state.tahua_spent[0]  # R16
    assert hand(t, 0) == "tino_rua"


def test_tahua_without_a_ritual_is_not_asked() -> None:
    """Rule RA-7.10, ruling R16."""
    s = table(3)
    give(s, 0, goods="uru", tattoos=9)
    t = start(s).play("p0 go marae", "p0 sacrifice uru")
    assert prompt(t) == "marae"
    assert t.state.tahua_spent[0]


def test_tahua_only_once() -> None:
    """Rule RA-7.10."""
    s = table(3, display="mask_maui_f2 uru uru uru")
    give(s, 0, rituals="tino_rua", tattoos=10)
    t = start(s).play("p0 go forest", "p0 pick mask_maui_f2")
    assert t.position.to_move == (1,)
    assert t.state.tattoos[0] == 10  # the surplus is lost


def test_tahua_in_the_middle_of_an_effect() -> None:
    """Rule RA-7.10, ruling R17."""
    s = table(3)
    give(s, 0, rituals="ihi tipa", ready="shaman", priests=12, tattoos=8)
    t = start(s).play("p0 shaman ihi")
    assert prompt(t) == "tahua_ritual"  # R17: resolved at once ...
    t.play("p0 perform tipa")
    assert t.state.mana[0] == 9
    assert prompt(t) == "choose_deck"  # ... then the interrupted list continues


def test_tahua_by_a_treasure_in_anothers_turn_order() -> None:
    """Rule RA-7.10, ruling R17."""
    s = table(3)
    for seat in range(3):
        give(s, seat, tattoos=9, rituals="tipa")
    give(s, 0, rituals="tu_rai_po", ready="shaman", priests=5)
    s.favour = [2, 0, 1]
    t = start(s).play("p0 shaman tu_rai_po")
    asked = []
    while prompt(t) == "tahua_ritual":
        asked.append(t.position.to_move[0])
        t.play(f"p{asked[-1]} decline")
    assert asked == [2, 0, 1]  # in the order in which the markers move: favour order


# -- carrying out ------------------------------------------------------------------------------------------------------


def test_a_permanent_ritual_lies_in_front_and_acts_at_once() -> None:
    """Rule RA-7.5, ruling R62."""
    s = table(3)
    give(s, 0, rituals="tua_raa_tai", ready="shaman", priests=3)
    t = start(s).play("p0 shaman tua_raa_tai", "p0 go reef", "die 1")
    assert names("ritual", t.state.permanents[0]) == "tua_raa_tai"
    assert t.state.pearls[0] == 4 + 1 + 3 + 2  # R62


def test_a_used_ritual_goes_to_the_discard_pile_of_its_back() -> None:
    """Rule RA-7.5, ruling R63."""
    s = table(3)
    give(s, 0, rituals="tipa tino_rua", ready="shaman shaman", priests=7)
    t = start(s).play("p0 shaman tipa", "p0 shaman tino_rua")
    assert [names("ritual", pile) for pile in t.state.discards] == ["tipa", "tino_rua"]


def test_execute_ritual_chains() -> None:
    """Rule RA-6.3, ruling R100."""
    s = table(3)
    give(s, 0, rituals="taere tino_rua", ready="shaman", priests=10)
    t = start(s).play("p0 shaman taere")
    assert prompt(t) == "execute_ritual"
    t.play("p0 perform tino_rua")
    assert t.state.pearls[0] == 4 + 4 + 7


def test_execute_ritual_without_cards_is_not_asked() -> None:
    """Rule RA-6.3."""
    s = table(3)
    give(s, 0, rituals="taere", ready="shaman", priests=10)
    t = start(s).play("p0 shaman taere")
    assert prompt(t) == "choose_location"


def test_an_impossible_effect_does_not_stop_the_next() -> None:
    """Rule RA-6.1, ruling R97."""
    s = table(3)
    s.goods_market = [0, 0, 0, 0]
    give(s, 0, rituals="rua_tupua_nui", ready="shaman", priests=8)
    t = start(s).play("p0 shaman rua_tupua_nui")
    assert t.state.pearls[0] == 7  # R97


def test_a_ritual_without_any_effect_may_be_carried_out() -> None:
    """Rule RA-5.7, ruling R98."""
    s = table(3)
    s.mask_market = []
    give(s, 0, rituals="anuanua", ready="shaman", priests=6)
    t = start(s).play("p0 shaman anuanua")
    assert hand(t, 0) == ""  # R98


def test_each_commodity_raises_its_price_by_itself() -> None:
    """Rules RA-5.2 and RA-6.3, ruling R96."""
    s = table(3)
    s.goods_market = [2, 1, 0, 0]
    give(s, 0, rituals="rua_tupua_nui", ready="shaman", priests=8)
    t = start(s).play("p0 shaman rua_tupua_nui", "p0 take uru", "p0 take uru")
    assert goods(t, 0) == "uru uru"
    assert t.state.prices == [4, 2, 2, 2]  # R96


def test_hina_outside_of_a_feast_feeds_the_bag() -> None:
    """Rule RA-6.2, ruling R58."""
    s = table(3)
    give(s, 0, rituals="hina", ready="shaman", priests=1)
    t = start(s).play("p0 shaman hina")
    assert t.state.bag_mana == 18  # R58


def test_raise_prices_and_ready_for_all() -> None:
    """Rules RA-6.1 and RA-6.3."""
    s = table(3)
    give(s, 0, rituals="pua_te_hau moe", ready="shaman shaman", priests=3)
    give(s, 2, exhausted="trader")
    t = start(s).play("p0 shaman pua_te_hau")
    assert t.state.prices == [4, 4, 4, 4]
    t.play("p0 shaman moe")
    assert t.state.ready[2] == [0, 1, 0, 0]
    assert t.state.ready[0] == [0, 0, 2, 0]  # the shamans that did it, too


def test_favour_first_keeps_the_others_in_order() -> None:
    """Rule RA-6.2."""
    s = table(4)
    s.favour = [3, 1, 0, 2]
    give(s, 0, rituals="rai_tupua", ready="shaman", priests=10)
    t = start(s).play("p0 shaman rai_tupua", "p0 decline")
    assert t.state.favour == [0, 3, 1, 2]


def test_path_action_by_ritual_has_no_kahuna_bonus() -> None:
    """Rule RA-6.2."""
    s = table(3)
    give(s, 0, rituals="tu", ready="shaman", priests=9, pearls=5)
    t = start(s).play("p0 shaman tu")
    assert t.options(0) == ["train 0", "train 1"]
    t.play("p0 train 1")
    assert t.state.mana[0] == 5 + 12


def test_task_without_paying() -> None:
    """Rule RA-6.3, ruling R75."""
    s = table(3)
    lay(s, "s1r1c1", "t1_pearls_7")
    lay(s, "s1r2c1", "t1_cond_priests_4")
    give(s, 0, rituals="oro", ready="shaman", priests=12, pearls=0)
    s.priests[0] = 12
    t = start(s).play("p0 shaman oro")
    assert prompt(t) == "free_task"
    t.play("p0 build s1r1c1")
    assert names("task", t.state.tasks_done[0]) == "t1_pearls_7"


def test_free_task_needs_the_condition_all_the_same() -> None:
    """Rule RA-6.3, ruling R75."""
    s = table(3)
    lay(s, "s1r1c1", "t1_cond_assistants_3")
    lay(s, "s1r2c1", "t1_auction")
    give(s, 0, rituals="oro", ready="shaman", priests=12)
    t = start(s).play("p0 shaman oro")
    assert prompt(t) == "choose_location"  # R75


def test_draw_rituals_may_be_declined_before_drawing() -> None:
    """Rule RA-7.1, ruling R15."""
    s = table(3)
    give(s, 0, rituals="rao", ready="shaman", priests=5)
    t = start(s).play("p0 shaman rao")
    assert prompt(t) == "choose_deck"
    t.play("p0 decline")
    assert prompt(t) == "choose_location"


def test_everybody_draws() -> None:
    """Rule RA-6.1."""
    s = table(3)
    s.favour = [1, 2, 0]
    give(s, 0, rituals="vanaanaa", ready="shaman", priests=3)
    t = start(s).play("p0 shaman vanaanaa")
    assert t.position.to_move == (1,)
    t.play("p1 decline", "p2 decline", "p0 decline")
    skip_to(t, "choose_location")
