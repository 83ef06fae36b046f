"""Why a choice isn't offered: what is the same in all games, and who judges the rest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from atoll.engine import Domain, ExplainContext, Explainers, Kind, MalformedChoice, Reason, Vocabulary, unless

BOX = {"price": 2}


def example() -> tuple[Explainers, Kind, Kind]:
    vocabulary = Vocabulary()
    buy = vocabulary.kind("buy", Domain("card", ("hina", "tane")))
    rest = vocabulary.kind("rest")
    judges = Explainers(vocabulary, turn="turns")

    @judges.of(buy)
    def buying(seen: ExplainContext, choice: int) -> Reason | None:
        if not seen.asks(buy):
            return None
        price, coins = seen.components["price"] + buy.part(choice), seen.s.coins
        return unless(price <= coins, "too_expensive", card=buy.part(choice), price=price, n=coins)

    return judges, buy, rest


def view(options: list[int], **more: Any) -> dict[str, Any]:
    decision = {"seat": 1, "prompt": "act", "about": {"n": 2}, "rule": "acts", "options": options}
    return {"viewer": 1, "to_move": [1], "over": False, "state": {"coins": 2}, "decision": decision, **more}


def seen_of(view: dict[str, Any]) -> ExplainContext:
    return ExplainContext(BOX, view, lambda shown: SimpleNamespace(**shown["state"]))


def why_not(judges: Explainers, view: dict[str, Any], choice: int) -> Reason | None:
    return judges.why_not(seen_of(view), choice)


def test_what_is_offered_has_no_reason_against_it() -> None:
    judges, buy, rest = example()
    assert why_not(judges, view([buy.choice(0), rest.choice()]), rest.choice()) is None


def test_the_judge_of_the_kind_says_why() -> None:
    judges, buy, _ = example()
    found = why_not(judges, view([buy.choice(0)]), buy.choice(1))
    assert found == Reason("too_expensive", {"card": 1, "price": 3, "n": 2})


def test_a_judge_can_be_asked_about_what_is_offered() -> None:
    judges, buy, rest = example()
    seen = seen_of(view([buy.choice(0), rest.choice()]))
    assert judges.judge(seen, buy.choice(0)) is None
    assert judges.judge(seen, buy.choice(1)) == Reason("too_expensive", {"card": 1, "price": 3, "n": 2})


def test_a_kind_without_a_judge_has_nothing_against_it() -> None:
    judges, buy, rest = example()
    seen = seen_of(view([buy.choice(0)]))
    assert buy in judges
    assert rest not in judges
    assert judges.judge(seen, rest.choice()) is None


def test_what_no_judge_knows_says_what_comes_first() -> None:
    judges, buy, rest = example()
    asked = {"asked": ("act", {"seat": 1, "n": 2})}
    assert why_not(judges, view([buy.first]), rest.first) == Reason("first", asked, rule="acts")
    assert why_not(judges, view([rest.first]), buy.first) == Reason("first", asked, rule="acts")


def test_over_and_not_your_turn() -> None:
    judges, buy, _ = example()
    assert why_not(judges, view([], over=True), buy.first) == Reason("over", rule="end")
    for asked in ([0], []):
        others = view([], to_move=asked, decision=None)
        assert why_not(judges, others, buy.first) == Reason("not_your_turn", rule="turns")


def test_a_kind_has_one_judge() -> None:
    judges, buy, _ = example()
    with pytest.raises(ValueError, match="kind 'buy' already has an explainer"):
        judges.of(buy)(lambda seen, choice: None)


def test_a_choice_of_no_kind_is_malformed() -> None:
    judges, buy, _ = example()
    with pytest.raises(MalformedChoice):
        why_not(judges, view([buy.first]), 99)
