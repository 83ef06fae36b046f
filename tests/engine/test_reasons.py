"""Reasons why a choice isn't legal: those common to all games, and the explainers for the rest."""

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
    explainers = Explainers(vocabulary, turn="turns")

    @explainers.of(buy)
    def buying(seen: ExplainContext, choice: int) -> Reason | None:
        if not seen.asks(buy):
            return None
        price, coins = seen.components["price"] + buy.part(choice), seen.s.coins
        return unless(price <= coins, "too_expensive", card=buy.part(choice), price=price, n=coins)

    return explainers, buy, rest


def view(options: list[int], **more: Any) -> dict[str, Any]:
    decision = {"seat": 1, "prompt": "act", "about": {"n": 2}, "rule": "acts", "options": options}
    return {"viewer": 1, "to_move": [1], "over": False, "state": {"coins": 2}, "decision": decision, **more}


def seen_of(view: dict[str, Any]) -> ExplainContext:
    return ExplainContext(BOX, view, lambda shown: SimpleNamespace(**shown["state"]))


def why_not(explainers: Explainers, view: dict[str, Any], choice: int) -> Reason | None:
    return explainers.why_not(seen_of(view), choice)


def test_what_is_offered_has_no_reason_against_it() -> None:
    explainers, buy, rest = example()
    assert why_not(explainers, view([buy.choice(0), rest.choice()]), rest.choice()) is None


def test_the_explainer_of_the_kind_gives_the_reason() -> None:
    explainers, buy, _ = example()
    found = why_not(explainers, view([buy.choice(0)]), buy.choice(1))
    assert found == Reason("too_expensive", {"card": 1, "price": 3, "n": 2})


def test_explainers_may_be_asked_about_legal_choices() -> None:
    explainers, buy, rest = example()
    seen = seen_of(view([buy.choice(0), rest.choice()]))
    assert explainers.explain(seen, buy.choice(0)) is None
    assert explainers.explain(seen, buy.choice(1)) == Reason("too_expensive", {"card": 1, "price": 3, "n": 2})


def test_a_kind_without_an_explainer_gives_no_reason() -> None:
    explainers, buy, rest = example()
    seen = seen_of(view([buy.choice(0)]))
    assert buy in explainers
    assert rest not in explainers
    assert explainers.explain(seen, rest.choice()) is None


def test_without_a_reason_the_prompt_comes_first() -> None:
    explainers, buy, rest = example()
    asked = {"asked": ("act", {"seat": 1, "n": 2})}
    assert why_not(explainers, view([buy.first]), rest.first) == Reason("first", asked, rule="acts")
    assert why_not(explainers, view([rest.first]), buy.first) == Reason("first", asked, rule="acts")


def test_over_and_not_your_turn() -> None:
    explainers, buy, _ = example()
    assert why_not(explainers, view([], over=True), buy.first) == Reason("over", rule="end")
    for asked in ([0], []):
        others = view([], to_move=asked, decision=None)
        assert why_not(explainers, others, buy.first) == Reason("not_your_turn", rule="turns")


def test_a_kind_has_one_explainer() -> None:
    explainers, buy, _ = example()
    with pytest.raises(ValueError, match="kind 'buy' already has an explainer"):
        explainers.of(buy)(lambda seen, choice: None)


def test_a_choice_of_no_kind_is_malformed() -> None:
    explainers, buy, _ = example()
    with pytest.raises(MalformedChoice):
        why_not(explainers, view([buy.first]), 99)
