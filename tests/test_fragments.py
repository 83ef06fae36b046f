"""Fragments: omitted for readers that have them, and rendered once."""

import re

import pytest
from markupsafe import Markup

from atoll.picture import fragments
from atoll.picture.fragments import Fragment, Sender, digests_in, fragment

LONG = "x" * 300


def sent(of: Fragment, *known: Fragment) -> str:
    return str(Sender(frozenset(each.digest for each in known))(of))


def test_a_fragment_is_an_element_with_its_digest() -> None:
    made = Fragment("g", "a", 'class="b"', [LONG])
    found = re.fullmatch(r'<g id="a" data-h="([\w-]{8})" class="b">x+</g>', sent(made))
    assert found is not None
    assert found[1] == made.digest
    assert made.__html__() == found[0]


def test_a_client_that_has_a_fragment_gets_an_empty_element() -> None:
    inner = Fragment("g", "in", "", [LONG])
    outer, changed = (Fragment("g", "out", "", [f"<text>{n}</text>", inner, LONG]) for n in (1, 2))
    assert sent(outer, outer) == f'<g id="out" data-h="{outer.digest}"></g>'
    assert outer.digest != changed.digest
    assert f'<text>2</text><g id="in" data-h="{inner.digest}"></g>{LONG}</g>' in sent(changed, outer, inner)
    assert LONG + "</g>" + LONG in sent(changed, outer)


def test_a_digest_depends_on_all_of_an_element_and_of_what_is_in_it() -> None:
    inner = [Fragment("g", "in", "", [text]) for text in ("a", "b")]
    made = [
        Fragment("g", "a", "", ["x"]),
        Fragment("p", "a", "", ["x"]),
        Fragment("g", "b", "", ["x"]),
        Fragment("g", "a", 'class="x"', ["x"]),
        Fragment("g", "a", "", ["xx"]),
        Fragment("g", "a", "", inner[:1]),
        Fragment("g", "a", "", inner[1:]),
        Fragment("g", "a", "", inner),
    ]
    assert len({each.digest for each in made}) == len(made)
    assert Fragment("g", "a", "", inner).digest == made[-1].digest


def test_a_short_element_is_always_sent() -> None:
    short = Fragment("p", "a", "", ["hello"])
    assert sent(short, short) == '<p id="a">hello</p>'
    assert sent(Fragment("div", "b", "", [short, LONG]), short).count("hello") == 1


def test_an_empty_element_is_always_sent() -> None:
    """Scripts take an empty element with a digest for one that was left out."""
    empty = Fragment("use", "a", f'href="#{LONG}"', ())
    assert sent(empty, empty) == f'<use id="a" href="#{LONG}"></use>'


def test_digests_are_read_from_a_header() -> None:
    assert digests_in("") == frozenset()
    assert digests_in("aaaaaaaa.bbbbbbbb") == {"aaaaaaaa", "bbbbbbbb"}


def test_the_element_of_a_template_is_a_fragment() -> None:
    made = Fragment.of(f'\n <p id="a" class="b">{LONG}</p>\n')
    assert made.digest == Fragment("p", "a", 'class="b"', [LONG]).digest
    assert (
        Fragment.of(f'<p id="a" title="1 > 0">{LONG}</p>').digest == Fragment("p", "a", 'title="1 > 0"', [LONG]).digest
    )
    with pytest.raises(ValueError, match="begins with an element and its id"):
        Fragment.of('<p class="b" id="a"></p>')


def test_a_function_of_equal_arguments_is_called_once() -> None:
    calls = []

    @fragment
    def draw(name: str, amounts: tuple[int, ...], *, large: bool = False) -> Markup:
        calls.append((name, amounts, large))
        return Markup("<p>{}</p>").format(name)

    assert draw("a", (1, 2)) is draw("a", tuple(range(1, 3)))
    assert draw("b", (1, 2)) is not draw("a", (1, 2), large=True)
    assert calls == [("a", (1, 2), False), ("b", (1, 2), False), ("a", (1, 2), True)]
    fragments.cache_clear()
    draw("a", (1, 2))
    assert len(calls) == 4


def test_an_argument_that_can_change_is_refused() -> None:
    @fragment
    def draw(amounts: list[int]) -> int:
        return sum(amounts)

    with pytest.raises(TypeError, match="unhashable"):
        draw([1])
