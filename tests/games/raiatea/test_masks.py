"""Pairs and mirrors (RA-5.3, RA-5.4), end scoring and ties (RA-9)."""

import pytest

from atoll.games.raiatea.learn.positions import BOX, give, in_phase, mask, names, start, table
from atoll.games.raiatea.state import END_OF_FEAST, RaiateaState


def scores(s: RaiateaState) -> list[int]:
    return start(s).position.scores()


def pair_scores(s: RaiateaState, seat: int) -> dict[str, int]:
    lines = {line.key: line for line in start(s).position.explain()[seat]}
    return {BOX.god_ids[part.fields["mask"]]: part.points for part in lines["masks"].parts}


# -- pairs and mirrors -------------------------------------------------------------------------------------------------


def test_a_mirror_pairs_with_any_unpaired_god() -> None:
    """Rule RA-5.4."""
    s = table(3)
    give(s, 0, masks="maui hiro mirror")
    t = start(s)
    assert [text for text in t.options(0) if text.startswith("mirror")] == ["mirror hiro", "mirror maui"]
    t.play("p0 mirror hiro")
    assert names("mask", t.state.mirrored[0]) == "hiro"
    assert names("mask", t.state.masks[0]) == "maui"


def test_two_mirrors_never_pair() -> None:
    """Rule RA-5.4."""
    s = table(3)
    give(s, 0, masks="mirror mirror")
    t = start(s)
    assert not [text for text in t.options(0) if text.startswith("mirror")]


def test_a_mirror_placed_stays_and_a_third_mask_stays_unpaired() -> None:
    """Rule RA-5.4."""
    s = table(3, display="mask_maui_f2 uru uru uru")
    give(s, 0, masks="mirror", mirrored="maui")
    t = start(s).play("p0 go forest", "p0 pick mask_maui_f2")
    assert names("mask", t.state.masks[0]) == "mirror maui"
    t.play("p0 mirror maui")
    assert names("mask", t.state.mirrored[0]) == "maui maui"
    assert t.position.scores()[0] == 2 + 2  # both pairs score, one colour


def test_a_mirror_is_placed_on_the_own_turn_only() -> None:
    """Rule RA-5.4."""
    s = table(3)
    give(s, 1, masks="maui mirror")
    t = start(s)
    assert t.position.legal_choices(1) == []


def test_pairs_are_locked() -> None:
    """Rule RA-5.3."""
    s = table(3)
    give(s, 0, pairs="maui", mirrored="hiro")
    t = start(s).play("p0 go neighbourhood")
    assert t.position.to_move == (1,)  # nothing can be placed


# -- RA-9 End and scoring ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tattoos", "points"), [(0, 0), (1, 0), (2, 3), (5, 3), (6, 6), (9, 6), (10, 9)])
def test_points_for_the_rank(tattoos: int, points: int) -> None:
    """Rule RA-9.2, ruling R88."""
    s = table(3)
    give(s, 0, tattoos=tattoos)
    assert scores(s)[0] == points  # R88: only the current rank


def test_points_for_permanent_rituals_in_front_only() -> None:
    """Rule RA-9.3, ruling R89."""
    s = table(3)
    give(s, 0, permanents="papa_rai_2 papa_rai_4 tohu", rituals="papa_rai_3")
    assert scores(s) == [6, 0, 0]  # R89


def test_points_for_tasks() -> None:
    """Rule RA-9.4."""
    s = table(3)
    give(s, 1, tasks="t1_pearls_4 t2_auction t3_masks_3")
    assert scores(s) == [0, 6, 0]


@pytest.mark.parametrize(
    ("god", "tasks", "points"),
    [
        ("tinirau", "t1_pearls_4 t2_pearls_7 t1_mana_4", 2),
        ("tafai", "t1_mana_4 t1_auction t3_auction t1_pearls_4", 3),
        ("rehua", "t1_goods_same_2 t1_rituals_2 t1_masks_1", 1),
        ("honoura", "t1_cond_priests_4 t2_cond_rank_arioi", 2),
    ],
)
def test_pairs_that_count_tasks(god: str, tasks: str, points: int) -> None:
    """Rule RA-9.5."""
    s = table(3)
    give(s, 0, pairs=god, tasks=tasks)
    assert pair_scores(s, 0) == {god: points}


@pytest.mark.parametrize(
    ("god", "assistant"), [("rata", "gatherer"), ("hiro", "trader"), ("vahieroa", "shaman"), ("hema", "pearl_diver")]
)
def test_pairs_that_count_assistants(god: str, assistant: str) -> None:
    """Rule RA-9.5."""
    s = table(3)
    give(s, 0, pairs=god, ready=f"{assistant} {assistant}", exhausted=assistant)
    assert pair_scores(s, 0) == {god: 3}  # ready or exhausted


def test_pairs_that_count_colours() -> None:
    """Rule RA-9.5, ruling R90."""
    s = table(3)
    give(s, 0, pairs="maui", mirrored="pai")
    assert pair_scores(s, 0) == {"maui": 4, "pai": 4}  # R90: each counts its own colour, too


def test_at_most_8_points_for_colours() -> None:
    """Rule RA-9.5."""
    s = table(3)
    give(s, 0, pairs="maui pipiri matuku pai")
    assert pair_scores(s, 0) == {"maui": 8, "pipiri": 8, "matuku": 8, "pai": 8}


def test_unpaired_masks_and_possessions_score_nothing() -> None:
    """Rule RA-9.1."""
    s = table(3)
    give(s, 0, masks="maui mirror", goods="uru", rituals="rao", pearls=50, mana=50)
    assert scores(s) == [0, 0, 0]


def test_explanation_adds_up() -> None:
    """Rule RA-9.1."""
    s = table(3)
    give(s, 0, pairs="maui", tattoos=6, tasks="t1_pearls_4 t2_auction", permanents="papa_rai_3")
    position = start(s).position
    lines = position.explain()[0]
    assert [(line.key, line.points) for line in lines] == [("rank", 6), ("rituals", 3), ("tasks", 3), ("masks", 2)]
    assert sum(line.points for line in lines) == position.scores()[0] == 14


def test_favour_breaks_every_tie() -> None:
    """Rule RA-9.7, ruling R92."""
    s = table(4)
    s.favour = [2, 3, 0, 1]
    give(s, 1, tattoos=2)
    s.field = 8
    t = in_phase(s, END_OF_FEAST)
    assert t.position.over
    assert t.position.ranking() == [4, 1, 2, 3]


def test_a_god_is_known_by_its_mask() -> None:
    assert mask("mirror") == 0
    assert len(set(BOX.god_ids)) == 13
