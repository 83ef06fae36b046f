"""Contents of the table apart from the cards: turns, bag, own rituals, gifts, scored pairs."""

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from atoll.engine import TurnDraft
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import give, prompt, start, table
from atoll.games.raiatea.picture import SCENE, mode, regions
from atoll.games.raiatea.state import EXTRA_GIFTS, OFFERING, PREPARE_RITUALS

from .test_building import building
from .test_feast import feast, gifts

WORDS = GameMessages(GAME, "en", ["Ada", "Ben", "Cy", "Dee"])


def parsed(markup: str) -> ElementTree.Element:
    """A drawing as a tree."""
    return ElementTree.fromstring(f"<svg>{markup}</svg>")  # noqa: S314 - ours


def told(t: ScriptedGame, id: str, viewer: int | None = 0) -> str:
    """Return the texts of an element of the table."""
    return said(t.position.view(viewer), id)


def said(view: Mapping[str, Any], id: str) -> str:
    """Return the name and the help of an element in a view; "" if it is missing."""
    for region in regions(GAME, view, WORDS):
        for drawing in region.drawings:
            for element in parsed(drawing.markup).iter():
                if element.get("id") == id:
                    return " ".join(filter(None, (element.get("aria-label"), element.get("data-help"))))
    return ""


def test_before_anything_is_dealt_there_is_nothing_but_a_note() -> None:
    position = GAME.new(3)
    assert position.pending_chance is not None, "entered by hand"
    for viewer in (None, 0):
        assert [region.id for region in regions(GAME, position.view(viewer), WORDS)] == ["track"]


def test_a_question_to_another_seat_changes_nothing_in_ones_hand() -> None:
    s = table(3)
    give(s, 0, rituals="rao", ready="shaman", priests=3)
    give(s, 1, rituals="rao", ready="shaman", priests=3)
    t = start(s)
    view = t.position.view(1)
    assert view["decision"]["seat"] == 0
    plain = {region.id: region for region in regions(GAME, view, WORDS)}
    asked = {**view, "decision": {**view["decision"], "prompt": "prepare"}}
    assert {region.id: region for region in regions(GAME, asked, WORDS)} == plain


def test_who_comes_next_inside_a_location() -> None:
    s = table(4, display="uru uru uru uru uru")
    s.start_player = 2
    t = start(s)
    assert "Turn order" not in told(t, "location-forest")
    t.play("p2 go forest")
    assert told(t, "location-forest").endswith(" Turn order: Cy → Dee → Ada → Ben")
    t.play("p2 pick uru")
    assert told(t, "location-forest").endswith(" Turn order: Dee → Ada → Ben")


def test_the_second_forest_pass_is_shown_reversed() -> None:
    s = table(3, display="uru uru uru uru")
    t = start(s).play("p0 go forest", "p0 pick uru", "p1 pick uru", "p2 pick uru")
    t.play(*["reveal taro"] * 4, "p0 pick taro")
    assert told(t, "location-forest").endswith(" Turn order, counterclockwise ↺: Cy → Ben")
    assert t.position.to_move == (2,)


def test_who_builds_in_turn() -> None:
    s = table(3)
    s.favour = [2, 0, 1]
    give(s, 2, rituals="tipa", ready="shaman", priests=3)
    assert told(building(s), "acts-now") == "Act 6: Build Building order: Cy → Ada → Ben"


def test_the_bag_beside_what_ones_prepared_rituals_cost() -> None:
    s = table(3)
    s.bag_mana = 7
    give(s, 0, rituals="rao ihi hina")
    give(s, 1, rituals="rao")
    t = feast(s, PREPARE_RITUALS)
    assert told(t, "bag") == "Mana in the bag: 7"
    assert told(t, "act-sums") == "Prepare. Mana in the bag: 7. Cost of your prepared rituals: 0."
    t.play("p0 prepare rao")
    assert told(t, "act-sums") == "Prepare. Mana in the bag: 7. Cost of your prepared rituals: 5."
    t.play("p0 prepare ihi", "p0 done", "p1 done")
    assert t.state.phase == OFFERING
    assert told(t, "act-sums") == "Offer. Mana in the bag: 7. Cost of your prepared rituals: 16."
    assert told(t, "act-sums", 1) == ""
    assert told(t, "act-sums", None) == ""


def offered(t: ScriptedGame) -> list[str]:
    """The gifts that lie on the mat."""
    return [gift for gift in ("gift_tattoo", "gift_commodity", "gift_pearls") if told(t, f"gift-{gift}")]


def test_what_prepared_rituals_cost_while_they_are_picked_in_any_order() -> None:
    s = table(3)
    give(s, 0, rituals="rao ihi hina te_fatu")
    t = feast(s, PREPARE_RITUALS)
    draft = TurnDraft(t.position, 0)
    costs = []
    for change, choice in (
        (draft.add, "prepare hina"),
        (draft.add, "prepare ihi"),
        (draft.add, "prepare rao"),
        (draft.remove, "prepare ihi"),
    ):
        change(GAME.parse(choice))
        costs.append(said(draft.view(), "act-sums").rpartition(": ")[2])
    assert costs == ["1.", "12.", "17.", "6."]


def test_gifts_and_extra_gifts_are_drawn() -> None:
    s = table(3)
    give(s, 2, permanents="rua_nuu")
    t = gifts(s)
    assert offered(t) == ["gift_tattoo", "gift_commodity", "gift_pearls"]
    t.play("p0 accept gift_tattoo")
    assert offered(t) == ["gift_commodity", "gift_pearls"]
    t.play("p1 accept gift_pearls")
    assert t.state.phase == EXTRA_GIFTS
    assert offered(t) == ["gift_tattoo", "gift_commodity", "gift_pearls"]


def test_the_own_pearl_diver_stands_for_the_second_task() -> None:
    s = table(3)
    give(s, 0, pearls=30, ready="pearl_diver")
    for place, name in (("s1r1c1", "t1_pearls_4"), ("s1r2c1", "t1_pearls_5")):
        s.task_pools[0].remove(GAME.components.task_ids.index(name))
        s.tiles[GAME.components.space_ids.index(place)] = GAME.components.task_ids.index(name)
    t = building(s).play("p0 build s1r1c1")
    assert prompt(t) == "diver"
    shown = {d.id: d.markup for region in regions(GAME, t.position.view(0), WORDS) for d in region.drawings}
    assert 'data-choice="build *' in shown["card-helper-0-pearl_diver"]


@pytest.mark.parametrize(
    ("things", "text"),
    [
        ({"pairs": "tinirau", "tasks": "t1_pearls_4 t1_pearls_5"}, "Pair of Tinirau: 2 tasks that cost pearls"),
        ({"mirrored": "hiro", "ready": "trader"}, "Pair of Hiro: 1 trader"),
        ({"pairs": "maui", "mirrored": "hiro"}, "Pair of Maui: 2 colors among your pairs"),
    ],
)
def test_the_line_of_a_pair_says_what_is_counted(things: Mapping[str, str], text: str) -> None:
    s = table(3)
    give(s, 0, **things)  # type: ignore[arg-type]
    lines = start(s).position.explain()[0]
    assert text in [WORDS.score(part) for line in lines for part in line.parts]


def test_the_table_has_a_face_for_each_moment() -> None:
    t = start(table(3))
    assert mode(t.position.view(0)) == ""
    t.play("p0 go marae", "p0 draw normal")
    assert mode(feast(table(3), PREPARE_RITUALS).position.view(None)) == "feast"
    for view in (t.position.view(0), t.position.view(1), t.position.view(None)):
        shown = {region.id for region in regions(GAME, view, WORDS) if region.role in ("board", "shared")}
        assert set(SCENE.wide[mode(view)].rects) <= shown | {"row", "choose"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_where_there_is_little_height_a_ritual_still_has_all_its_text(language: str) -> None:
    deck = range(len(GAME.components.ritual_cost))
    for first in deck[::5]:
        position = GAME.new(3, seed=1)
        position.state.drawn[0] = list(deck[first : first + 5])
        tray = next(
            each for each in regions(GAME, position.view(0), GameMessages(GAME, language)) if each.id == "choose"
        )
        for card, drawing in zip(position.state.drawn[0], tray.drawings, strict=True):
            faces = parsed(drawing.markup).findall("./g/g")
            tall, low = (
                [(each.text, each.get("y")) for each in face.findall("text[@class='small']")] for face in faces
            )
            assert [face.get("class", "").split()[0] for face in faces] == ["face-tall", "face-low"]
            assert " ".join(str(text) for text, _ in low) == " ".join(str(text) for text, _ in tall)
            assert float(low[-1][1] or 0) <= 148 - 15, card  # above the hem of forbidden rituals


@pytest.mark.parametrize("many", [10, 11, 15])
def test_many_masks_leave_out_names_that_could_not_be_read(many: int) -> None:
    position = GAME.new(3, seed=1)
    position.state.mask_market[:] = [each % len(GAME.components.god_ids) for each in range(many)]
    masks = next(each for each in regions(GAME, position.view(0), WORDS) if each.id == "masks")
    faces = parsed(masks.drawings[0].markup).findall("./g")
    assert all(face.get("aria-label") for face in faces)
    assert [len(face.findall(".//text[@class='god']")) for face in faces] == [int(many == 10)] * many
