"""Names and messages that people type: what can't be seen is left out of them."""

import unicodedata

import pytest

from atoll.server.domain import sanitize

from .conftest import refused

# Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 16.0
IGNORABLE = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180D 180E 180F 200B-200F 202A-202E 2060-2064 2065 2066-206F 3164 "
    "FE00-FE0F FEFF FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)
BLANK = "\u2800\U00013441\U00013442\U00016fe4\U0001d159\u3000\u00a0\u2007\u202f"


def ignorable() -> list[str]:
    """Return all characters that a font may draw as nothing."""
    found: list[str] = []
    for part in IGNORABLE.split():
        first, _, last = part.partition("-")
        found += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return found


def test_a_text_of_characters_that_show_nothing_is_empty() -> None:
    unseen = [*ignorable(), *BLANK]
    assert len(unseen) > 4000
    assert sanitize.clean("".join(unseen)) == ""
    assert [each for each in unseen if sanitize.clean(each)] == []
    for each in unseen:
        assert sanitize.clean(f"A{each}") == "A", f"{ord(each):x} makes another name of the same look"


@pytest.mark.parametrize(
    "text", ["\u3164", "\u2800", "\u115f\u1160", "\u0301", " \u0301\u20dd", "\u3164\u0301", "\ufe0f"]
)
def test_who_shows_no_name_and_says_nothing_is_refused(text: str) -> None:
    with refused("bad_name"):
        sanitize.name(text)
    with refused("bad_text"):
        sanitize.message(text)
    assert sanitize.note(text) == ""


@pytest.mark.parametrize(
    "text",
    ["Zoë", "Ada 2", "李小龍", "한글", "نور", "श्री", "क्‍ष", "👩‍🚀", "❤️", "👍🏽", "Ḍ̣", "x̂", "⠓⠊", "***", "…"],
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert sanitize.name(text) == unicodedata.normalize("NFC", text)
