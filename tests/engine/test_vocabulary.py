"""Choices as ints and as text."""

from __future__ import annotations

import pytest

from atoll.engine import Domain, MalformedChoice, Vocabulary, numbers
from atoll.engine.vocabulary import Notation
from tests.toy import GAME as TOY


def example() -> tuple[Vocabulary, Notation]:
    vocabulary = Vocabulary()
    vocabulary.kind("place", Domain("field", ("a1", "a2", "b1")), Domain("rig", ("base", "double")))
    vocabulary.kind("pass")
    vocabulary.kind("play", Domain("card", size=4))
    vocabulary.chance("die", numbers("pips", 1, 6))
    return vocabulary, Notation(vocabulary, {"card": ("hina", "tane", "rongo")})


def test_kinds_lie_end_to_end_decisions_first() -> None:
    vocabulary, _ = example()
    assert [(kind.name, kind.first, kind.end) for kind in vocabulary.kinds] == [
        ("place", 0, 6),
        ("pass", 6, 7),
        ("play", 7, 11),
        ("die", 11, 17),
    ]
    assert (vocabulary.decisions, vocabulary.size) == (11, 17)


def test_last_domain_counts_fastest() -> None:
    place = example()[0].kind_named("place")
    assert [place.parts(choice) for choice in range(6)] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert [place.choice(*place.parts(choice)) for choice in range(6)] == list(range(6))
    assert place.part(5) == 5
    assert place.all_choices((0, 2, 5)) == [0, 2, 5]
    assert example()[0].kind_named("play").all_choices(range(2)) == [7, 8]
    assert 5 in place
    assert 6 not in place
    assert "pass" not in place


@pytest.mark.parametrize(
    ("text", "choice"), [("place a1 base", 0), ("place b1 double", 5), ("pass", 6), ("play tane", 8), ("die 1", 11)]
)
def test_text(text: str, choice: int) -> None:
    _, notation = example()
    assert notation.text(choice) == text
    assert notation.parse(f"  {text.replace(' ', '   ')} ") == choice


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((0,), "has 2 parts, not 1"),
        ((3, 0), r"field 3 is out of range: expected 0 to 2"),
        ((0, -1), "rig -1 is out of range"),
    ],
)
def test_parts_that_dont_fit(parts: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        example()[0].kind_named("place").choice(*parts)


def test_choice_of_another_kind() -> None:
    with pytest.raises(ValueError, match=r"choice 6 isn't of kind 'place' \(0\.\.5\)"):
        example()[0].kind_named("place").parts(6)


def test_box_may_name_fewer_than_the_game_has() -> None:
    _, notation = example()
    with pytest.raises(MalformedChoice, match=r"card 3 is out of range: expected 0 to 2"):
        notation.text(10)
    with pytest.raises(MalformedChoice, match="unknown card 'maui'; allowed: hina, tane, rongo"):
        notation.parse("play maui")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({}, "domain 'card' has no names"),
        ({"card": tuple("abcde")}, "domain 'card': 5 names, but the game has 4 at most"),
        ({"card": ("a", "a")}, "domain 'card': duplicate name"),
        ({"card": ("a b",)}, "use letters, digits"),
        ({"card": ("",)}, "use letters, digits"),
    ],
)
def test_names_of_a_box_that_are_none(names: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Notation(example()[0], names)


def test_definitions_that_are_none() -> None:
    vocabulary, _ = example()
    with pytest.raises(ValueError, match="define the kinds of decisions before those of chance"):
        vocabulary.kind("late")
    with pytest.raises(ValueError, match="kind 'die' is defined twice"):
        vocabulary.chance("die", numbers("pips", 1, 6))
    with pytest.raises(ValueError, match="use letters"):
        vocabulary.chance("two words", numbers("pips", 1, 6))
    with pytest.raises(ValueError, match="give either its names or its size"):
        Domain("card")
    with pytest.raises(ValueError, match="give either its names or its size"):
        Domain("card", ("a",), size=1)
    with pytest.raises(ValueError, match="domain 'card' is empty"):
        Domain("card", ())
    with pytest.raises(ValueError, match="duplicate name"):
        Domain("card", ("a", "a"))


def test_numbers_are_their_own_names() -> None:
    amount = numbers("amount", 2, 4)
    assert (amount.names, amount.low, amount.high, amount.size) == (("2", "3", "4"), 2, 4, 3)


def test_names_and_indices() -> None:
    notation = TOY.notation
    assert notation.name("card", 2) == "gale"
    assert notation.index("card", "gale") == 2
    assert notation.names("shell") == ("white", "pink", "blue", "black")
    with pytest.raises(MalformedChoice, match="unknown domain 'colour'; known: shell"):
        notation.name("colour", 0)


def test_given_names_and_their_indices() -> None:
    rig = Domain("rig", ("base", "double"))
    assert (rig.label(1), rig.index("double"), rig.names) == ("double", 1, ("base", "double"))
    for wrong in (-1, 2):
        with pytest.raises(ValueError, match=f"domain 'rig' has no name number {wrong}; it has 2 names"):
            rig.label(wrong)
    with pytest.raises(ValueError, match="domain 'rig' has no 'triple'; allowed: base, double"):
        rig.index("triple")


def test_names_that_the_box_gives_arent_in_the_domain() -> None:
    card = Domain("card", size=4)
    assert card.names == ()
    with pytest.raises(ValueError, match="domain 'card' has no name number 0; it has 0 names"):
        card.label(0)
    with pytest.raises(ValueError, match="domain 'card' has no 'hina'; allowed: none"):
        card.index("hina")


def test_choices_that_begin_alike() -> None:
    place = example()[0].kind_named("place")
    assert place.choices() == tuple(range(6))
    assert place.choices(1) == (place.choice(1, 0), place.choice(1, 1))
    assert place.choices(2, 1) == (place.choice(2, 1),)
    with pytest.raises(ValueError, match=r"field 3 is out of range: expected 0 to 2"):
        place.choices(3)
    with pytest.raises(ValueError, match="has 2 parts, not 3"):
        place.choices(0, 0, 0)
