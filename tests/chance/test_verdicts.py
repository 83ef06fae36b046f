"""Verdicts on finished games: all evidence, all attacks, each changed leaf of a file."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from atoll.engine import SaveError
from atoll.server.presentation.verification_report import verdict
from atoll.server.table import chance_protocol as protocol
from atoll.server.table import game_verification
from tests.server.conftest import GAMES

from .browsers import ScriptedBrowser, scripted
from .made import (
    BOB_SHARE,
    GROUND,
    OTHER_SEED,
    SEED,
    TABLE,
    File,
    Made,
    heard_another,
    kept_of,
    made,
    terms_digest_of,
    told_lines,
)

Kept = dict[str, Any] | None
Case = tuple[File, Kept, str, list[str]]
"""A file, what Ada's browser has kept, and the verdict by the rules."""


@pytest.fixture(scope="module")
def browser() -> Iterator[ScriptedBrowser]:
    with scripted() as found:
        yield found


def again(first: Made, second: Made) -> dict[str, Any]:
    """Return what a browser keeps that has shown a share in two rounds, and heard the second one begin."""
    return second.kept | {"shown": [*first.kept["shown"], *second.kept["shown"]]}


def began_elsewhere(save: bool = True) -> tuple[File, dict[str, Any]]:
    """Return a game whose terms name a position."""
    position = GAMES["atacama"].new(2, {"setup": "enhanced"})
    data = json.loads(position.save())
    honest = made(change=lambda terms: terms.update(start=protocol.start_digest(SEED, data)))
    honest.file["start"] = data if save else None
    return honest.file, honest.kept


@cache
def cases() -> dict[str, Case]:
    honest, toy = made(), made("toy")
    file, kept = honest.file, honest.kept
    second = made(number=2, seed=OTHER_SEED)
    absent = made(number=2, seed=OTHER_SEED, shares=("", BOB_SHARE))
    phone = made(number=2, seed=OTHER_SEED, shares=("dd" * 32, BOB_SHARE))
    alone = made(seats=("person", "bot strong"), shares=(None,))
    device = made(seats=("person", "same 0", "bot strong", "bot casual"), shares=(None,))
    bot = ("person", "person", "bot strong", "bot strong")
    three = made(seats=bot)
    forged = made(seats=bot, shares=(None, BOB_SHARE, GROUND))
    other_course = made(chooser=4)
    heard = kept["record"]
    length = heard["lines"]
    both = zip(told_lines(file), told_lines(other_course.file), strict=False)
    common = next(at for at, (one, two) in enumerate(both) if one != two)

    def changed(change: Callable[[File], Any], of: Made = honest) -> File:
        return of.changed(change)

    def fair(**values: Any) -> File:
        return changed(lambda file: file["fairness"].update(values))

    start, start_kept = began_elsewhere()
    return {
        # what befalls honest people
        "a plain game": (file, kept, "proven", []),
        "a game with secrets": (toy.file, toy.kept, "proven", []),
        "alone against a bot": (alone.file, alone.kept, "proven", []),
        "two seats at one device": (device.file, device.kept, "proven", []),
        "bots give nothing": (three.file, three.kept, "proven", []),
        "nothing kept": (file, None, "open", ["terms"]),
        "an empty file of a browser": (file, {**kept, "shown": [], "record": None}, "open", ["terms"]),
        "nothing heard": (file, {**kept, "record": None}, "open", ["record"]),
        "heard in part": (file, kept_of(file, lines=length // 2), "open", ["record"]),
        "heard after the end": (file, kept_of(file, live=2), "open", ["record"]),
        "heard as a spectator": (file, heard_another(kept_of(file), seats=[]), "open", ["record"]),
        "a start broken off before": (second.file, again(honest, second), "open", ["starts"]),
        "away at the start that counted": (
            absent.file,
            again(honest, absent) | {"shown": kept["shown"]},
            "open",
            ["terms", "starts"],
        ),
        "another device at the start that counted": (
            phone.file,
            again(honest, phone) | {"shown": kept["shown"]},
            "open",
            ["terms", "starts"],
        ),
        "two people of one browser, which heard the record of the first": (
            file,
            {**kept, "shown": [*kept["shown"], {**kept["shown"][0], "seat": 1, "share": BOB_SHARE}]},
            "open",
            ["record"],
        ),
        "two people of one browser, of whom one's share was replaced": (
            file,
            {**kept, "shown": [{**kept["shown"][0], "seat": 1, "share": GROUND}, *kept["shown"]]},
            "wrong",
            ["share"],
        ),
        "went on from a position": (start, start_kept, "open", ["start"]),
        "rules mended meanwhile": (
            changed(
                lambda file: file["undone"].append({"kind": "again", "length": length, "sequence": 1, "record": []})
            ),
            {**kept, "record": None},
            "open",
            ["rules", "record"],
        ),
        "rules that aren't here": (
            made(change=lambda terms: terms.update(rules=7)).file,
            None,
            "open",
            ["rules", "terms"],
        ),
        "another protocol": ({"format": "atoll-export-1"}, kept, "open", ["form"]),
        # the six attacks on the former protocol
        "share oracle: back to the start whose share was known": (
            made(shares=(None, GROUND)).file,
            again(honest, second),
            "wrong",
            ["terms"],
        ),
        "offset: draws from another number": (made(shift=142).file, kept, "wrong", ["draws"]),
        "opening position dictated": (start, kept, "wrong", ["terms"]),
        "opening position in the file only": (
            changed(lambda file: file.update(start=start["start"])),
            kept,
            "proven",
            [],
        ),
        "a bot's share": (
            changed(lambda file: file["fairness"]["shares"].__setitem__(2, GROUND), three),
            three.kept,
            "wrong",
            ["seals"],
        ),
        "a bot's share with a seal": (forged.file, three.kept, "wrong", ["seals"]),
        "a share left out": (fair(shares=[file["fairness"]["shares"][0], ""]), kept, "wrong", ["seals"]),
        "a share and its seal left out": (made(shares=(None, "")).file, kept, "wrong", ["terms"]),
        "half a record, then another course": (
            other_course.file,
            kept_of(file, lines=common),
            "open",
            ["record"],
        ),
        # and others
        "another course": (other_course.file, kept, "wrong", ["record"]),
        "another seed": (made(seed=OTHER_SEED).file, kept, "wrong", ["terms"]),
        "another seed, its seal left": (fair(seed=OTHER_SEED), kept, "wrong", ["seed"]),
        "Bob's share ground": (made(shares=(None, GROUND)).file, kept, "wrong", ["terms"]),
        "Ada's share replaced": (made(shares=("dd" * 32, BOB_SHARE)).file, kept, "wrong", ["terms"]),
        "the start that counted is replaced": (absent.file, kept, "wrong", ["terms"]),
        "one share under two lists": (
            file,
            again(made(shares=(None, GROUND)), honest),
            "wrong",
            ["share"],
        ),
        "a share of her own that she never gave": (
            file,
            {**kept, "shown": [kept["shown"][0] | {"share": "dd" * 32}]},
            "wrong",
            ["share"],
        ),
        "a seed in capital letters": (fair(seed="AB" * 32), kept, "wrong", ["form"]),
        "another name for a tag": (fair(names=[{"name": "Eve", "salt": "5a" * 32}, None]), kept, "wrong", ["form"]),
        "an answer changed": (changed(lambda file: file["record"][-1].update(choice="p")), kept, "wrong", ["rules"]),
        "the result changed": (changed(lambda file: file["result"]["totals"].reverse()), kept, "wrong", ["rules"]),
        "chance taken back": (
            changed(
                lambda file: file["undone"].append(
                    {"kind": "undo", "length": 0, "sequence": 0, "record": file["record"][:1]}
                )
            ),
            kept,
            "wrong",
            ["back"],
        ),
    }


CASES = list(cases())


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_verdict_by_the_rules(name: str) -> None:
    file, kept, value, named = cases()[name]
    found = made().verdict(file=file, kept=kept)
    assert (found.value, found.names) == (value, named)


@pytest.mark.parametrize("name", CASES)
def test_the_page_says_the_same_as_far_as_it_can(browser: ScriptedBrowser, name: str) -> None:
    file, kept, value, named = cases()[name]
    if "fairness" not in file:
        return
    plain = browser.judge(file, kept)
    assert plain[0] != "proven", "a page can't play the rules"
    if named in (["rules"], ["back"]) or "rules" in named:
        return
    assert browser.judge(file, kept, rules=True) == (value, named)
    assert plain == ((value, named) if value == "wrong" else ("open", ["rules", *named]))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All leaves of plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    empty = True
    for name, each in items:
        empty = False
        yield from leaves(each, (*path, name))
    if empty:
        yield path


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def altered(leaf: Any) -> Any:
    """Something else of the same kind."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int):
        return leaf + 1
    if isinstance(leaf, str):
        return ("1" if leaf[:1] != "1" else "2") + leaf[1:]
    return "new" if leaf is None else ["x"]


DISPLAYED = ("table", "seats", "audience", "auto", "draws", "rounds", "sequence", "start")
"""Fields that a judge with the rules doesn't read: their change leaves a file proven."""
OWN_NOTES = ("offer", "live")
"""Notes of a browser by which its own player could only deceive themselves."""


def test_no_change_of_a_leaf_leaves_a_file_proven(browser: ScriptedBrowser) -> None:
    honest = made()
    rng = random.Random(5)
    for whole, changes_kept in ((honest.file, False), (honest.kept, True)):
        paths = list(leaves(whole))
        record = [path for path in paths if path[0] == "record" and not changes_kept]
        for path in [path for path in paths if path not in record] + rng.sample(record, min(12, len(record))):
            copied = copy.deepcopy(whole)
            at(copied, path[:-1])[path[-1]] = altered(at(whole, path))
            file, kept = (honest.file, copied) if changes_kept else (copied, honest.kept)
            try:
                found = honest.verdict(file=file, kept=kept)
            except SaveError:
                continue
            if not changes_kept and set(path) & set(DISPLAYED) and "terms" not in path:
                assert found.value == "proven", path
                continue
            if changes_kept and path[-1] in OWN_NOTES:
                continue
            assert found.value != "proven", path
            if found.names and found.names[0] not in ("rules", "back", "form"):
                assert browser.judge(file, kept, rules=True) == (found.value, found.names), path


def test_what_was_kept_of_another_table_is_refused() -> None:
    honest = made()
    with pytest.raises(SaveError, match="belongs to table 'other'"):
        honest.verdict(kept={**honest.kept, "table": "other"})
    with pytest.raises(SaveError, match="several tables"):
        honest.verdict(kept=[honest.kept, {**honest.kept, "table": "other"}])


def test_files_of_two_devices_are_joined() -> None:
    honest = made()
    phone = {**honest.kept, "record": None}
    laptop = {**honest.kept, "shown": []}
    assert honest.verdict(kept=phone).names == ["record"] and honest.verdict(kept=laptop).names == ["terms"]
    assert honest.verdict(kept=[phone, laptop]).value == "proven"
    part = kept_of(honest.file, lines=3)
    assert honest.verdict(kept=[honest.kept, part]).value == "proven"
    lie = heard_another(part, head="00" * 32)
    assert honest.verdict(kept=[lie, honest.kept]).names == ["record"]


def record_of(game: Made, *proof: str) -> str:
    """Return a made game in the notation of records, which doesn't say who learned which answer."""
    fair, result = game.file["fairness"], game.file["result"]
    terms = fair["terms"]
    proofs = {"table": TABLE, "round": fair["offer"]["round"], "components": terms["components"], "seed": SEED}
    proofs |= {f"seat-{seat}": each for seat, each in enumerate(terms["seats"])}
    proofs |= {f"seal-{seat}": each for seat, each in enumerate(fair["seals"])}
    proofs |= {f"share-{seat}": each for seat, each in enumerate(fair["shares"])}
    head = ["atoll 1", f"game {terms['game']}", f"rules {terms['rules']}", f"box {GAMES['atacama'].components_hash}"]
    head += ["seats 2", *(f"option {name} {value}" for name, value in terms["options"].items())]
    head += [*(f"proof {name} {value}" for name, value in proofs.items()), *(f"proof {each}" for each in proof)]
    steps = [("" if each["seat"] is None else f"p{each['seat']} ") + each["choice"] for each in game.file["record"]]
    end = [f"{name} {' '.join(map(str, result[of]))}" for name, of in (("scores", "totals"), ("places", "places"))]
    return "\n".join([*head, *steps, *end])


def test_without_its_rules_a_record_accuses_nobody() -> None:
    """The rules were updated or fixed, and a record doesn't say who learned which answer."""
    honest, older = made(), made(change=lambda terms: terms.update(rules=0))
    [kept] = game_verification.read_kept(json.dumps(honest.kept))
    assert game_verification.verify(GAMES, record_of(honest), [kept]).value == "proven"
    own = next(each["choice"] for each in honest.file["record"] if each["seat"] == 0)
    again = record_of(honest, f"undone-0 again {len(honest.file['record'])} 1 p0 {own}")
    for text, game in ((again, honest), (record_of(older), older)):
        [kept] = game_verification.read_kept(json.dumps(game.kept))
        found = game_verification.verify(GAMES, text, [kept])
        assert (found.value, found.names) == ("open", ["rules", "record"])
        report = verdict({"game": text}, [json.dumps(game.kept)], None, "en")[0]
        assert any("doesn’t say who learned which answer" in line for line in report)


def test_a_verdict_names_the_facts_that_were_fixed() -> None:
    facts = made(seats=("person", "same 0", "bot strong", "bot casual"), shares=(None,)).verdict().facts
    assert facts is not None
    assert (facts.table, facts.game, facts.round, facts.new) == (TABLE, "atacama", 1, True)
    assert facts.seats == ("person", "same 0", "bot strong", "bot casual") and facts.names == ("Ada", "", "", "")


@pytest.mark.parametrize("text", ["{", "[1]", "null", '{"table": 1}', "\x00", '{"table": "t", "shown": []}'])
def test_what_no_browser_keeps_is_refused(text: str) -> None:
    with pytest.raises(SaveError, match="isn't a browser's file"):
        game_verification.read_kept(text)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda file: file.pop("record"), "isn't a saved game: .*record"),
        (lambda file: file.update(format="x"), "isn't a saved game"),
        (lambda file: file.update(status="running"), "the game is running: only finished games"),
        (lambda file: file.pop("start"), "isn't a saved game: .*start"),
    ],
)
def test_a_file_that_tells_too_little_says_what_is_missing(change: Callable[[File], Any], told: str) -> None:
    with pytest.raises(SaveError, match=told):
        made().verdict(file=made().changed(change))


def test_terms_of_a_made_game_are_those_that_are_kept() -> None:
    honest = made()
    assert honest.kept["shown"][0]["terms"] == terms_digest_of(honest.file)
