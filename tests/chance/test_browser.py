"""A browser's part in the start, its scripts against servers that lie."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import Offer, Terms
from atoll.server.table import chance_protocol as protocol
from atoll.server.table import game_verification

from .browsers import Data, ScriptedBrowser, fails, scripted, takes
from .made import SALT, SEED

TABLE = "t1"


@pytest.fixture
def browser() -> Iterator[ScriptedBrowser]:
    with scripted() as found:
        yield found


def page(number: int = 1, seed: str = SEED, **chance: Any) -> Data:
    """The data of a page of Ada's, on seat 0, before the game."""
    offer = {"table": TABLE, "round": number, "seed": protocol.seed_digest(TABLE, number, seed)}
    known: Data = {
        "protocol": protocol.PROTOCOL,
        "offer": offer,
        "terms": None,
        "seals": ["", "", ""],
        "missing": [0, 1],
        "names": [],
        "mine": [0],
        "game": "atacama",
        "options": {"setup": "basic"},
    }
    names = ["Ada", "Bob", "strong"]
    return {"table": TABLE, "over": False, "sequence": 0, "chance_table": "", "names": names, "chance": known | chance}


def closed(mine: str, number: int = 1, seed: str = SEED, yours: str = "bb" * 32, **changed: Any) -> Data:
    """The same, once the list of seals is closed."""
    tags = [f"person {protocol.name_tag(SALT, name)}" for name in ("Ada", "Bob")]
    terms = {
        "game": "atacama",
        "rules": 1,
        "components": "c0" * 32,
        "options": {"setup": "basic"},
        "seats": [*tags, "bot strong"],
        "start": "new",
    }
    names = [{"name": "Ada", "salt": SALT}, {"name": "Bob", "salt": SALT}, None]
    seals = [mine, yours, ""]
    return page(number, seed, **({"terms": terms, "names": names, "seals": seals} | changed))


def sealed(browser: ScriptedBrowser, number: int = 1, seed: str = SEED) -> str:
    """Let the browser seal, and return its seal."""
    [request] = browser.attend(page(number, seed))
    assert request["url"].endswith("/seal")
    return str(request["fields"]["seal"])


def shares(browser: ScriptedBrowser) -> list[tuple[str, str]]:
    """Terms and shares that it has sent."""
    return [(r["fields"]["terms"], r["fields"]["share"]) for r in browser.sent if r["url"].endswith("/share")]


def terms_of(data: Data) -> str:
    chance = data["chance"]
    offer = protocol.offer_digest(msgspec.convert(chance["offer"], Offer))
    return protocol.terms_digest(offer, msgspec.convert(chance["terms"], Terms), chance["seals"])


def test_it_seals_first_and_shows_what_it_has_sealed(browser: ScriptedBrowser) -> None:
    seal = sealed(browser)
    data = closed(seal)
    [request] = browser.attend(data)
    fields = request["fields"]
    offer = protocol.offer_digest(msgspec.convert(data["chance"]["offer"], Offer))
    assert (request["url"], fields["terms"]) == (f"/t/{TABLE}/share", terms_of(data))
    assert protocol.seal_of(offer, 0, fields["share"]) == seal
    own = {"offer": offer, "terms": terms_of(data), "seat": 0, "share": fields["share"]}
    assert browser.kept(TABLE) == {"format": "atoll-kept-2", "table": TABLE, "shown": [own], "record": None}
    assert browser.attend(closed(seal, missing=[1])) == [], "once it is taken"


@pytest.mark.parametrize("answer", [takes, fails])
def test_a_share_that_was_sent_is_never_given_to_another_offer(browser: ScriptedBrowser, answer: Any) -> None:
    """The share oracle: the server takes it, says that it failed, and begins again."""
    first = sealed(browser)
    browser.attend(closed(first), answer)
    browser.attend(closed(first), answer)
    browser.reload()
    browser.attend(page(2, mine=[]), answer)
    second = sealed(browser, 2)
    browser.attend(closed(second, 2), answer)
    again = sealed(browser)
    assert again == first, "the same offer has the same share"
    sent = shares(browser)
    assert len(set(sent)) == 2 and len({share for _, share in sent}) == 2
    assert browser.attend(closed(first, yours="cc" * 32), answer) == [] and browser.said == ["refused"]
    assert {each["terms"] for each in browser.kept(TABLE)["shown"]} == {terms for terms, _ in sent}


def test_a_request_that_could_not_be_answered_is_sent_again(browser: ScriptedBrowser) -> None:
    def busy(_: Data) -> tuple[int, str]:
        return 503, "{}"

    def refuses(_: Data) -> tuple[int, str]:
        return 409, "{}"

    [first] = browser.attend(page(), busy)
    assert browser.wait(busy) == [first] and browser.wait() == [first] and browser.wait() == []
    [shown] = browser.attend(closed(str(first["fields"]["seal"])), busy)
    assert browser.wait(refuses) == [shown], "a refusal stands"
    assert browser.wait() == [] and len(browser.kept(TABLE)["shown"]) == 1


def test_every_broken_start_is_counted_whatever_the_server_says_in_between(browser: ScriptedBrowser) -> None:
    for number in range(1, 6):
        browser.attend(closed(sealed(browser, number), number), fails)
        browser.attend(page(number, mine=[], missing=[]))
        browser.reload()
    assert len(browser.kept(TABLE)["shown"]) == 5


REFUSED: dict[str, Callable[[Data], Any]] = {
    "its seal is another": lambda chance: chance["seals"].__setitem__(0, "dd" * 32),
    "its seal is at another seat": lambda chance: chance["seals"].reverse(),
    "a bot has a seal": lambda chance: chance["seals"].__setitem__(2, "dd" * 32),
    "another game": lambda chance: chance["terms"].update(game="toy"),
    "other options": lambda chance: chance["terms"]["options"].update(setup="enhanced"),
    "another seat for somebody": lambda chance: chance["terms"]["seats"].reverse(),
    "another name": lambda chance: chance["names"][1].update(name="Bea"),
    "no tag": lambda chance: chance["names"].__setitem__(1, None),
    "a position": lambda chance: chance["terms"].update(start="ee" * 32),
    "draws of another game": lambda chance: chance["terms"].update(
        shared={"competition": "c1", "round": 1, "seed_hash": "ee" * 32, "first": 0}
    ),
    "a seat more": lambda chance: (chance["terms"]["seats"].append("bot x"), chance["seals"].append("")),
    "another table": lambda chance: chance["offer"].update(table="t2"),
    "another round": lambda chance: chance["offer"].update(round=2),
    "another seed": lambda chance: chance["offer"].update(seed="ee" * 32),
    "no components": lambda chance: chance["terms"].update(components="x"),
    "half a number": lambda chance: chance["terms"]["options"].update(half=1.5),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_shows_nothing_under_terms_that_are_not_those_of_its_page(browser: ScriptedBrowser, name: str) -> None:
    data = copy.deepcopy(closed(sealed(browser)))
    REFUSED[name](data["chance"])
    assert browser.attend(data) == []
    assert browser.kept(TABLE)["shown"] == []


def test_two_people_who_share_a_browser_lose_no_share(browser: ScriptedBrowser) -> None:
    """Ada and Bob play at one table, and sign in by turns."""
    mine = sealed(browser)
    [request] = browser.attend(page(mine=[1]))
    yours = str(request["fields"]["seal"])
    for seat in (0, 1):
        data = closed(mine, yours=yours)
        data["chance"]["mine"] = [seat]
        assert len(browser.attend(data)) == 1
    assert [share for _, share in shares(browser)] == [each["share"] for each in browser.kept(TABLE)["shown"]]
    assert [each["seat"] for each in browser.kept(TABLE)["shown"]] == [0, 1]


def test_without_storage_nothing_is_given_and_that_is_said(browser: ScriptedBrowser) -> None:
    browser.fill()
    assert browser.attend(page()) == [] and browser.said == ["unstored"]
    browser.fill(False)
    seal = sealed(browser)
    browser.fill()
    browser.said.clear()
    browser.reload()
    assert browser.attend(closed(seal)) == [] and browser.said == ["unstored"]


def test_a_list_that_this_browser_gave_no_seal_to_gets_no_share(browser: ScriptedBrowser) -> None:
    seal = sealed(browser)
    browser.clear()
    assert browser.attend(closed(seal)) == []


def test_what_another_device_has_sealed_is_left_alone(browser: ScriptedBrowser) -> None:
    assert browser.attend(page(seals=["dd" * 32, "", ""], missing=[1])) == []
    assert browser.attend(closed("dd" * 32)) == []


def test_two_tabs_give_the_same_and_a_race_leaves_two_entries(browser: ScriptedBrowser) -> None:
    seal = sealed(browser)
    assert browser.attend(page(), tab=1)[0]["fields"]["seal"] == seal
    before = browser.names()
    browser.attend(closed(seal))
    assert browser.attend(closed(seal), tab=1)[0]["fields"]["terms"] == shares(browser)[0][0]
    assert browser.attend(closed(seal, yours="cc" * 32), tab=1) == []
    browser.attend(closed(seal, yours="cc" * 32), tab=2, blind=before)
    shown = browser.kept(TABLE)["shown"]
    assert len(shown) == 2 and len({each["offer"] for each in shown}) == 1


def _answers(text: str, _: Data) -> tuple[int, str]:
    return 200, text


def test_it_hears_one_game_of_a_table_in_order_and_gives_no_share_afterwards(browser: ScriptedBrowser) -> None:
    data = page() | {"chance": None, "chance_table": TABLE, "sequence": 3}
    told: Data = {"table": TABLE, "terms": "ab" * 32, "seats": [0], "lines": ["start seat 0", "p0 place r1c1 base"]}

    def serve(request: Data) -> tuple[int, str]:
        first = int(request["url"].partition("first=")[2])
        found = told | {"first": first, "lines": told["lines"][first:]}
        return 200, msgspec.json.encode(found).decode()

    browser.attend(data)
    browser.hear(data, serve)
    told["lines"] += ["?", "p1 pass"]
    browser.hear(data, serve)
    heard = browser.kept(TABLE)["record"]
    head = protocol.head_of(told["terms"], told["lines"])
    assert heard == {"terms": told["terms"], "seats": [0], "lines": 4, "live": 4, "head": head}
    lies: list[Data] = [{"terms": "cd" * 32}, {"seats": [1]}, {"lines": ["x"], "first": 9}, {"table": "other"}]
    for lie in lies:
        answer = msgspec.json.encode(told | {"first": 4} | lie).decode()
        browser.hear(data, partial(_answers, answer))
    assert browser.kept(TABLE)["record"] == heard
    over = data | {"over": True}
    browser.reload()
    browser.attend(over)
    told["lines"].append("p0 pass")
    browser.hear(over, serve)
    assert browser.kept(TABLE)["record"] | {"head": head} == heard | {"lines": 5}, "a page opened later"
    assert browser.attend(page(2)) == [], "it has heard a game begin here"


def test_a_share_is_sent_again_under_the_terms_that_were_heard_and_no_others(browser: ScriptedBrowser) -> None:
    """The server lost the start of the game, but not the closed list."""
    seal = sealed(browser)
    data = closed(seal)
    [shown] = browser.attend(data)
    running = page() | {"chance": None, "chance_table": TABLE, "sequence": 3}
    told = {"table": TABLE, "terms": terms_of(data), "seats": [0], "first": 0, "lines": ["start seat 0"]}
    browser.hear(running, partial(_answers, msgspec.json.encode(told).decode()))
    assert browser.attend(data) == [shown] and browser.attend(closed(seal, yours="cc" * 32)) == []


def test_only_the_end_of_the_game_at_its_own_page_finishes_a_table(browser: ScriptedBrowser) -> None:
    data = closed(sealed(browser))
    browser.attend(data)
    told: Data = {"table": TABLE, "terms": terms_of(data), "seats": [0], "first": 0, "lines": ["start seat 0"]}
    over = page() | {"chance": None, "chance_table": TABLE, "sequence": 3, "over": True}
    assert browser.unfinished() == 1 and browser.unfinished(TABLE) == 0
    browser.hear(over, partial(_answers, msgspec.json.encode(told).decode()), at="t2")
    assert browser.unfinished() == 1, "another page can't say that the game is over"
    told |= {"first": 1, "lines": []}
    browser.hear(over, partial(_answers, msgspec.json.encode(told).decode()))
    assert browser.unfinished() == 0


def test_the_end_of_another_game_does_not_finish_a_table(browser: ScriptedBrowser) -> None:
    browser.attend(closed(sealed(browser)))
    told = {"table": TABLE, "terms": "ab" * 32, "seats": [0], "first": 0, "lines": ["start seat 0"]}
    over = page() | {"chance": None, "chance_table": TABLE, "sequence": 3, "over": True}
    browser.hear(over, partial(_answers, msgspec.json.encode(told).decode()))
    assert browser.unfinished() == 1


def test_a_table_gets_a_share_only_at_its_own_address(browser: ScriptedBrowser) -> None:
    """Else one page would be a table after the other, until the dice suit the server."""
    for number in range(3):
        data = page()
        data["table"] = data["chance"]["offer"]["table"] = f"other{number}"
        assert browser.attend(data, at=TABLE) == []
    assert browser.names() == [], "nothing was even stored"
    assert browser.attend(page())[0]["url"] == f"/t/{TABLE}/seal"


def test_a_page_in_a_frame_gives_nothing_and_finishes_no_table(browser: ScriptedBrowser) -> None:
    """A server that lies could hide tables in a page whose player doesn't know of them."""
    assert browser.attend(page(), framed=True) == []
    data = closed(sealed(browser))
    assert browser.attend(data, framed=True) == []
    browser.attend(data)
    told: Data = {"table": TABLE, "terms": terms_of(data), "seats": [0], "first": 0, "lines": ["start seat 0"]}
    over = page() | {"chance": None, "chance_table": TABLE, "sequence": 3, "over": True, "record": told}
    assert browser.unfinished() == 1
    browser.attend(over, framed=True)
    browser.hear(over, partial(_answers, msgspec.json.encode(told).decode()))
    assert browser.unfinished() == 1
    browser.attend(over)
    browser.hear(over, partial(_answers, msgspec.json.encode(told | {"first": 1, "lines": []}).decode()))
    assert browser.unfinished() == 0


@pytest.mark.parametrize(
    "lie",
    [{"terms": "x"}, {"terms": 5}, {"seats": ["0"]}, {"seats": [0.5]}, {"lines": [5]}, {"table": f"{TABLE} shown"}],
)
def test_nothing_is_stored_that_no_judge_could_read(browser: ScriptedBrowser, lie: Data) -> None:
    """A server that lies could spoil the file that would find it wrong."""
    data = closed(sealed(browser))
    browser.attend(data)
    told: Data = {"table": TABLE, "terms": terms_of(data), "seats": [0], "first": 0, "lines": ["start seat 0"]} | lie
    running = page() | {"chance": None, "chance_table": told["table"], "sequence": 3, "record": told}
    browser.attend(running)
    browser.hear(running, partial(_answers, msgspec.json.encode(told).decode()))
    kept = browser.kept(TABLE)
    assert kept["record"] is None and len(game_verification.read_kept(json.dumps(kept))[0].shown) == 1
