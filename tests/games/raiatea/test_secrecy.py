"""Information (RA-11): who sees which zone, the events in the log, and what guesses may assume."""

from random import Random
from typing import Any

from atoll.engine import PUBLIC
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.raiatea import GAME
from atoll.games.raiatea.components import GENERAL
from atoll.games.raiatea.learn.positions import BOX, give, in_phase, kinds, lay, names, prompt, start, table
from atoll.games.raiatea.state import BUY_RITUALS, OFFERING, PREPARE_RITUALS, RaiateaState

from .test_building import auction_row, building


def seen(t: ScriptedGame, viewer: int | None) -> dict[str, Any]:
    shown: dict[str, Any] = t.position.view(viewer)["state"]
    return shown


def preparing() -> ScriptedGame:
    """Before act 3; seat 0 has four cards, seat 1 two."""
    s = table(3)
    s.field = 1
    give(s, 0, rituals="rao roroo hina ihi")
    give(s, 1, rituals="tipa tipa")
    return in_phase(s, PREPARE_RITUALS)


def test_only_the_owner_sees_its_hand_and_all_know_the_backs() -> None:
    """Rule RA-11.2."""
    s = table(3)
    give(s, 0, rituals="rao ihi hina")
    t = start(s)
    assert names("ritual", seen(t, 0)["hands"][0]) == "rao hina ihi"
    assert seen(t, 1)["hands"][0] is None
    assert t.position.view(None)["live"]["rituals"][0] == [2, 1]


def test_what_lies_behind_the_screens_is_hidden() -> None:
    """Rule RA-11.2."""
    s = table(3)
    give(s, 0, goods="uru taro", tasks="t1_mana_4")
    t = start(s)
    for viewer in (1, None):
        shown = seen(t, viewer)
        assert shown["pearls"][0] is shown["mana"][0] is shown["goods"][0] is None
        assert shown["tasks_done"][0] == {"count": 1}
        assert t.position.view(viewer)["live"]["goods"] == [2, 0, 0]
        assert t.position.view(viewer)["live"]["scores"][0] is None
    assert seen(t, 0)["goods"][0] == [1, 1, 0, 0]
    assert t.position.view(0)["live"]["scores"] == [1, None, None]


def test_decks_and_unseen_tasks_are_known_to_nobody() -> None:
    """Rule RA-11.2."""
    t = start(table(3))
    for viewer in (0, None):
        assert seen(t, viewer)["decks"] == [{"count": 46}, {"count": 32}]
        assert seen(t, viewer)["forest_deck"] == {"count": 68}
        assert seen(t, viewer)["task_pools"] == [{"count": 24}, {"count": 22}, {"count": 22}]


def test_prepared_rituals_are_secret_and_so_is_their_number() -> None:
    """Rule RA-11.2."""
    t = preparing().play("p0 prepare rao", "p0 prepare hina", "p1 done")
    for viewer in (1, 2, None):
        assert seen(t, viewer)["bag"][0] is None
        assert seen(t, viewer)["hands"][0] is None
    assert [choice for who, choice in t.position.view_record(1) if who == 0] == [None]  # not even how many
    assert not [event for event in t.position.events if event.key not in ("prepared",)]


def test_counts_around_the_bag() -> None:
    """Rule RA-11.2, ruling R101."""
    t = preparing()
    before = t.position.view(2)["live"]["rituals"]
    t.play("p0 prepare rao", "p0 prepare hina", "p1 prepare tipa", "p1 done")
    assert t.position.view(2)["live"]["rituals"] == before == [[3, 1], [2, 0], [0, 0]]
    t.play("p0 bid 0", "p1 bid 0", "p2 bid 0", "p0 accept gift_tattoo", "p1 accept gift_pearls")
    assert t.position.view(2)["live"]["rituals"] == [[1, 1], [1, 0], [0, 0]]  # from the reveal on the true hand (R101)


def test_general_rituals_have_no_owner_in_view_and_log() -> None:
    """Rule RA-11.2."""
    t = preparing().play("p0 prepare rao", "p0 prepare hina", "p1 prepare tipa", "p1 done")
    t.play("p0 bid 1", "p1 bid 0", "p2 bid 0", "p0 accept gift_tattoo", "p1 accept gift_pearls")
    row = next(event for event in t.position.events if event.key == "row")
    owners = dict(zip(row.fields["ritual"], row.fields["owner"], strict=True))
    assert all((owners[card] == -1) == (BOX.ritual_kind[card] == GENERAL) for card in owners)
    for event in t.position.events:
        if event.key == "general_ritual":
            assert set(event.fields) == {"ritual"}


def test_offerings_and_bids_are_secret_until_all_are_in() -> None:
    """Rule RA-11.2."""
    s = table(3)
    s.field = 1
    for t in (in_phase(s, OFFERING), building(auction_row(table(3))).play("p0 build s1r2c1")):
        t.play("p0 bid 2")
        for viewer in (1, None):
            view = t.position.view(viewer)
            assert view["ready"] == [True, False, False]
            assert view["state"]["mana"][0] is None
            assert not [event for event in t.position.events if event.key == "bid"]
        assert t.state.mana[0] == 5


def test_purchases_are_secret_until_all_are_in_and_the_kept_card_stays_so() -> None:
    """Rule RA-11.2."""
    s = table(3)
    s.field = 1
    t = in_phase(s, BUY_RITUALS).play("p0 buy normal", "p1 decline")
    assert seen(t, 2)["bought"] == [-1, -1, -1]
    t.play("p2 decline", "card hina", "card rao", "card raa")
    assert seen(t, 1)["drawn"][0] == {"count": 3}
    t.play("p0 keep rao")
    kept = next(event for event in t.position.events if event.key == "kept")
    assert "ritual" in (kept.seen_by(0) or {})["fields"]
    assert (kept.seen_by(1) or {})["lacking"] == ["ritual"]
    assert names("ritual", seen(t, 1)["discards"][0]) == "raa hina"
    assert next(choice for who, choice in reversed(t.position.view_record(1)) if who == 0) is None


def test_forest_cards_looked_at_are_private_until_resolved() -> None:
    """Rule RA-11.2."""
    s = table(3)
    give(s, 0, goods="mahi_mahi")
    t = start(s).play("p0 go marketplace", "p0 sell mahi_mahi 2", "reveal uru", "reveal taro")
    assert names("forest_card", seen(t, 0)["looked"][0]) == "uru taro"
    assert seen(t, 1)["looked"][0] == {"count": 2}
    assert [choice for who, choice in t.position.view_record(1)[-2:]] == [None, None]
    t.play("p0 pick taro")
    assert seen(t, 1)["goods_market"] == [2, 1, 2, 1]


def test_prompts_do_not_betray_hands() -> None:
    """Rule RA-11.2, rulings R67 and R102."""
    asked = []
    for card in ("tipa", "oro"):
        s = table(3)
        give(s, 1, rituals=card, ready="shaman", priests=3)
        t = start(s).play("p0 go reef", "die 1")
        asked.append((prompt(t), t.position.to_move, t.position.view(2)["decision"]))
    assert asked[0] == asked[1]


def test_task_prompts_in_act_4_do_not_betray_the_bag() -> None:
    """Rule RA-11.2, rulings R67 and R102."""
    asked = []
    for prepared in (True, False):
        s = table(3)
        s.field = 1
        lay(s, "s1r3c1", "t1_rituals_2")
        give(s, 0, rituals="tumu_nui", tattoos=9, mana=0)
        give(s, 1, rituals="rao rao", mana=0)
        give(s, 2, mana=0)
        t = in_phase(s, PREPARE_RITUALS).play("p0 done")
        t.play("p1 prepare rao", "p1 prepare rao") if prepared else t.play("p1 done")
        t.play("p0 accept gift_tattoo", "p0 perform tumu_nui")
        asked.append((prompt(t), t.position.to_move))
        assert kinds(t, 1) == ({"decline"} if prepared else {"build", "decline"})
    assert asked[0] == asked[1] == ("complete_task", (1,))


def test_a_guess_at_the_bags_fits_what_is_known() -> None:
    """Rule RA-11.3, ruling R101."""
    t = preparing().play("p0 prepare rao", "p0 prepare hina", "p1 prepare tipa", "p1 done")
    sizes = set()
    for seed in range(30):
        guess = t.position.fork()
        guess.determinize(2, seed)
        s: RaiateaState = guess.state
        assert guess.view(2) == t.position.view(2)
        for seat in (0, 1):
            clipped = [card for card in s.bag[seat] if BOX.ritual_kind[card] != GENERAL]
            assert len(clipped) <= s.clips[seat]
            assert sorted(s.bag_order[seat]) == list(range(len(s.bag[seat])))
        sizes.add(len(s.bag[0]))
    assert len(sizes) > 2  # how many lie in the bag is unknown


def test_the_own_bag_is_known() -> None:
    """Rule RA-11.3, ruling R101."""
    t = preparing().play("p0 prepare rao", "p0 prepare hina", "p1 done")
    guess = t.position.fork()
    guess.determinize(0, 5)
    assert guess.state.bag[0] == t.state.bag[0]
    assert guess.state.hands[0] == t.state.hands[0]


def test_dice_and_revealed_cards_are_known_to_all() -> None:
    """Rule RA-11.2."""
    position = GAME.new(3, seed=3)
    rng = Random(3)
    while not position.over:
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    secret = {position.text(choice).split()[0] for _, choice, audience in position.record or () if audience != PUBLIC}
    assert secret - {"reveal"} == {"card", "keep", "prepare", "done"}  # the end of a preparation, too
    shown = {position.text(choice).split()[0] for _, choice in position.view_record(None) if choice is not None}
    assert {"die", "reveal", "tile", "start", "deal_mask", "go", "bid", "buy", "train"} <= shown
    assert not shown & {"card", "keep", "prepare"}
