"""Numbers and forms that a browser would never send are refused in words; nothing breaks on them."""

import html

import pytest

from atoll.server.domain.model import Refused
from atoll.server.http.pages.forms import FormFields, parse_number

from .conftest import Browser, Site

NO_NUMBERS = ("²", "٣", "x", "-1", "+1", "1.5", "1e3", " 1", "1_0", "0x1", "7" * 5000)


@pytest.fixture
def ada(site: Site) -> Browser:
    return site.browser("Ada")


@pytest.fixture
def table(ada: Browser) -> str:
    """The address of a running table where Ada has seat 0."""
    address: str = ada.post("/play", {"game": "atacama"}).headers["location"]
    return address


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_a_number_is_a_few_ascii_digits(text: str) -> None:
    with pytest.raises(Refused, match="expected 0 to 999999999") as caught:
        parse_number(text)
    assert caught.value.status == 422
    with pytest.raises(Refused):
        FormFields({"seat": text}).number_if_any("seat")


def test_a_missing_number_is_none_where_it_may_be() -> None:
    fields = FormFields({"seat": "", "at": "007"})
    assert (fields.number_if_any("seat"), fields.number_if_any("take"), fields.number("at")) == (None, None, 7)
    with pytest.raises(Refused):
        fields.number("seat")
    with pytest.raises(Refused):
        _ = fields.seat


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_no_number_in_an_address_breaks_a_page(ada: Browser, table: str, text: str) -> None:
    wrong = {
        "/new": ("seats",),
        table: ("seat",),
        f"{table}/why": ("seat",),
        f"{table}/preview": ("seat", "choices"),
        f"{table}/moment": ("seat", "at"),
        f"{table}/acts": ("seat", "since"),
        f"{table}/replay": ("seat", "at"),
        f"{table}/export": ("seat",),
        f"{table}/try": ("seat",),
        f"{table}/try/preview": ("seat",),
        f"{table}/try/why": ("seat",),
    }
    for path, names in wrong.items():
        for name in names:
            answer = ada.get(path, params={name: text})
            assert answer.status_code == 422, (path, name)
            assert "isn’t a number" in html.unescape(answer.text)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_no_number_in_a_form_breaks_a_command(ada: Browser, table: str, text: str) -> None:
    wrong = {
        "choose": ({"seat": text, "choices": "1"}, {"seat": "0", "choices": f"1,{text}"}),
        "undo": ({"seat": text}, {"seat": "0", "choice": text}),
        "confirm": ({"seat": text},),
        "join": ({"take": text},),
        "leave": ({"seat": text},),
        "vote": ({"seat": text, "subject": "cancel"}, {"seat": "0", "subject": f"remove:{text}"}),
        "play-on": ({"at": text}, {"at": "0", "seat": text}),
        "say": ({"seat": text, "text": "hi"},),
    }
    for path, forms in wrong.items():
        for form in forms:
            assert 400 <= ada.post(f"{table}/{path}", form).status_code < 500, (path, form)
    assert ada.post("/new", {"game": "atacama", "seats": text}).status_code == 422


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_no_number_in_a_call_breaks_the_api(site: Site, table: str, text: str) -> None:
    program = site.program("Bob")
    path = table.replace("/t/", "/tables/")
    for query in ({"seat": text}, {"log": text}, {"chat": text}):
        assert program.ask("GET", path, params=query).status_code < 500


def test_a_form_of_too_many_fields_is_refused(ada: Browser, table: str) -> None:
    many = {"csrf": ada.token()} | {f"f{number}": "" for number in range(1000)}
    for path in ("/settings", "/new", f"{table}/say"):
        assert ada._send("POST", path, data=many).status_code == 413
        by_header = ada._send("POST", path, data=many, headers={"x-csrf": ada.token()})
        assert by_header.status_code == 400
