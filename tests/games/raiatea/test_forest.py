"""The forest (RA-4.1), taking forest cards (RA-4.10), and the gatherers (RA-5.5)."""

from atoll.games.raiatea.learn.positions import forest_card, give, goods, kinds, names, prompt, skip_to, start, table


def test_first_pass_clockwise_second_counter_clockwise() -> None:
    """Rule RA-4.1."""
    s = table(4, display="uru taro mahi_mahi tiare gatherer")
    s.start_player = 2
    t = start(s).play("p2 go forest")
    asked = []
    while prompt(t) != "choose_location":
        seat = t.position.to_move[0]
        asked.append(seat)
        t.position.apply(t.position.legal_choices(seat)[0], seat)
        while t.position.pending_chance is not None:
            t.position.apply(next(iter(t.position.outcomes())))
    assert asked == [2, 3, 0, 1, 2, 1, 0, 3]


def test_between_the_passes_the_rest_goes_to_the_markets() -> None:
    """Rule RA-4.1, ruling R27."""
    s = table(3, display="uru taro trader mask_maui_f1")
    t = start(s).play("p0 go forest", "p0 pick taro", "p1 decline", "p2 pick mask_maui_f1")
    for name in ("uru", "tiare", "mahi_mahi", "shaman"):
        t.play(f"reveal {name}")
    assert t.state.goods_market == [2, 1, 1, 1]
    assert t.state.prices == [1, 2, 2, 2]  # R26
    assert t.state.assistant_market == [6, 7, 6, 6]
    assert names("forest_card", t.state.display) == "uru tiare mahi_mahi shaman"


def test_after_the_second_pass_the_rest_stays() -> None:
    """Rule RA-4.1, ruling R21."""
    t = start(table(3)).play("p0 go forest", *(f"p{seat} decline" for seat in range(3)))
    for _ in range(4):
        t.position.apply(next(iter(t.position.outcomes())))
    left = list(t.state.display)
    t.play("p0 decline", "p2 decline", "p1 decline")
    assert t.state.display == left  # R21


def test_a_commodity_goes_behind_the_screen_without_moving_its_price() -> None:
    """Rules RA-4.10 and RA-5.2."""
    t = start(table(3, display="uru taro trader mask_maui_f1")).play("p0 go forest", "p0 pick uru")
    assert goods(t, 0) == "uru"
    assert t.state.prices == [2, 2, 2, 2]


def test_an_assistant_arrives_ready() -> None:
    """Rules RA-4.10 and RA-5.1."""
    t = start(table(3, display="uru taro trader mask_maui_f1")).play("p0 go forest", "p0 pick trader")
    assert t.state.ready[0] == [0, 1, 0, 0]


def test_a_treasure_is_gained_at_once() -> None:
    """Rule RA-4.10, ruling R28."""
    t = start(table(3, display="mask_tinirau_f mask_tafai_f mask_maui_f2 mask_maui_f1")).play("p0 go forest")
    t.play("p0 pick mask_tinirau_f", "p1 pick mask_tafai_f", "p2 pick mask_maui_f2")
    assert t.state.pearls == [7, 4, 4]
    assert t.state.mana == [5, 8, 5]
    assert t.state.tattoos == [0, 0, 1]


def test_a_twin_forms_a_pair_at_once() -> None:
    """Rule RA-5.3."""
    s = table(3, display="mask_maui_f1 uru uru uru")
    give(s, 0, masks="maui")
    t = start(s).play("p0 go forest", "p0 pick mask_maui_f1")
    assert t.state.masks[0] == []
    assert names("mask", t.state.pairs[0]) == "maui"


def test_gatherer_adds_a_card_and_brings_a_commodity_after_the_pick() -> None:
    """Rule RA-5.5."""
    s = table(3, display="mask_maui_f1 uru trader shaman")
    give(s, 0, ready="gatherer gatherer")
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal tiare")
    assert "gather" not in kinds(t, 0)  # one in a pick turn
    assert t.state.ready[0][0] == 1
    assert t.state.exhausted[0][0] == 1
    t.play("p0 pick shaman")
    assert t.options(0) == ["pick uru", "pick tiare", "decline"]
    t.play("p0 pick tiare")
    assert goods(t, 0) == "tiare"
    assert t.state.prices == [2, 2, 2, 2]


def test_gatherer_brings_a_second_commodity_after_a_commodity() -> None:
    """Rule RA-5.5."""
    s = table(3, display="uru uru trader shaman")
    give(s, 0, ready="gatherer")
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal taro", "p0 pick uru", "p0 pick uru")
    assert goods(t, 0) == "uru uru"  # R103


def test_gatherer_without_a_commodity_in_the_display() -> None:
    """Rule RA-5.5, ruling R25."""
    s = table(3, display="mask_maui_f1 mask_maui_f2 trader shaman")
    give(s, 0, ready="gatherer")
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal trader", "p0 pick shaman")
    assert t.position.to_move == (1,)  # R25: the extra card is lost


def test_gatherer_sent_and_the_pick_declined() -> None:
    """Rule RA-5.5, ruling R103."""
    s = table(3, display="mask_maui_f1 uru trader shaman")
    give(s, 0, ready="gatherer")
    t = start(s).play("p0 go forest", "die 4", "p0 gather", "reveal tiare", "p0 decline")
    assert t.position.to_move == (1,)  # R103: no extra commodity
    assert goods(t, 0) == ""
    assert len(t.state.display) == 5
    assert t.state.exhausted[0][0] == 1


def test_gatherer_needs_a_card_to_add() -> None:
    """Rule RA-5.5, ruling R25."""
    s = table(3, display="mask_maui_f1 uru trader shaman")
    give(s, 0, ready="gatherer")
    s.forest_deck = []
    t = start(s).play("p0 go forest", "die 4")
    assert "gather" not in kinds(t, 0)  # R25


def test_forest_deck_is_made_anew_of_the_commodity_market() -> None:
    """Rule RA-5.9, ruling R23."""
    s = table(3, display="uru taro trader shaman")
    s.forest_deck = [forest_card("mask_pai_f1")]
    s.goods_market = [3, 1, 2, 0]
    t = start(s).play("p0 go forest", "p0 pick uru", "p1 pick taro", "p2 pick trader")
    t.play("reveal mask_pai_f1")
    assert sorted(t.position.text(each) for each in t.position.outcomes()) == ["reveal mahi_mahi", "reveal uru"]
    t.play("reveal uru", "reveal uru", "reveal mahi_mahi")
    assert t.state.goods_market == [1, 1, 1, 0]  # one of each type stays
    assert t.state.prices == [2, 2, 2, 2]  # R23: prices don't move


def test_a_display_that_cannot_be_filled_stays_short() -> None:
    """Rule RA-5.9, rulings R22 and R24."""
    s = table(3, display="uru taro trader shaman")
    s.forest_deck = [forest_card("mask_pai_f1")]
    t = start(s).play("p0 go forest", "p0 pick uru", "p1 pick taro", "p2 pick trader", "reveal mask_pai_f1")
    t.play("p0 pick mask_pai_f1")  # R22
    assert prompt(t) == "choose_location"  # nobody else has a card to take


def test_a_free_action_before_the_pick() -> None:
    """Rule RA-3.4."""
    s = table(3)
    give(s, 1, rituals="tipa tipa", ready="shaman shaman", priests=3)
    t = start(s).play("p0 go forest", "p0 decline", "p1 shaman tipa")
    assert prompt(t) == "forest_pick"
    t.play("p1 pick gatherer", "p1 shaman tipa")  # and after it, in a window of its own
    assert t.state.mana[1] == 5 + 4 + 4


def test_forest_done_triggers_for_all_from_the_kahuna_on() -> None:
    """Rules RA-4.1 and RA-6.5."""
    s = table(3)
    give(s, 1, permanents="toa_hiti toa_hiti")
    give(s, 0, goods="uru")
    t = start(s).play("p0 go forest")
    skip_to(t, "take_commodity")
    assert t.position.to_move == (1,)
    t.play("p1 take uru", "p1 take taro")  # two copies act twice (R61)
    assert goods(t, 1) == "uru taro"
    assert t.state.prices == [3, 3, 2, 2]
    assert prompt(t) == "choose_location"
