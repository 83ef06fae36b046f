"""The public address: understood in every form, or refused with one line."""

import pytest

from atoll.server.domain.settings import ServerSettings, SettingError

from .conftest import site_at

UNDERSTOOD = [
    ("https://example.org", "https://example.org"),
    ("https://example.org/", "https://example.org"),
    ("HTTPS://Table.Example.ORG", "https://table.example.org"),
    ("https://example.org:443/", "https://example.org"),
    ("http://example.org:80", "http://example.org"),
    ("http://example.org:443", "http://example.org:443"),
    ("https://example.org:8443", "https://example.org:8443"),
    ("https://tisch.müller.example", "https://tisch.xn--mller-kva.example"),
    ("https://TISCH.MÜLLER.example:8443", "https://tisch.xn--mller-kva.example:8443"),
    ("https://straße.example", "https://xn--strae-oqa.example"),
    ("https://日本.example", "https://xn--wgv71a.example"),
    ("http://game_box:8765", "http://game_box:8765"),
    ("http://192.168.0.7:8765", "http://192.168.0.7:8765"),
    ("http://[fd00::7]:80", "http://[fd00::7]"),
]

REFUSED = [
    *(
        "example.org",
        "ftp://example.org",
        "https://",
        "https:///x",
        "https://example.org/atoll",
        "https://example.org?x",
    ),
    *("https://example.org/#x", "https://ada@example.org", "https://a:b@example.org", "https://example.org:0"),
    *(
        "https://example.org:99999",
        "https://exa mple.org",
        "https://example..org",
        "https://-a.example",
        "https://a\n.b",
    ),
    "https://[fd00::7",
]


@pytest.mark.parametrize(("given", "origin"), UNDERSTOOD)
def test_an_address_is_understood_as_browsers_send_it(given: str, origin: str) -> None:
    assert ServerSettings(public_url=given).public_url == origin


@pytest.mark.parametrize("given", REFUSED)
def test_an_address_that_no_link_could_have_is_refused_in_one_line(given: str) -> None:
    with pytest.raises(SettingError, match=r"^--public-url: .*: expected http:// or https://, a host name") as caught:
        ServerSettings(public_url=given)
    assert "\n" not in str(caught.value)


def test_a_server_answers_to_all_forms_of_its_name(sqlite_url: str) -> None:
    with site_at(sqlite_url, public_url="https://Tisch.Müller.example:443/") as site:
        host = "tisch.xn--mller-kva.example"
        for asked, status in (
            (host, 200),
            (host.upper(), 200),
            (f"{host}:443", 200),
            (f"{host}:80", 421),
            ("x.org", 421),
        ):
            assert site.browser().get("/", headers={"host": asked}).status_code == status
        ada = site.browser("Ada")
        headers = {"host": host, "origin": f"https://{host}"}
        token = ada.get("/device", headers=headers).text.partition('name="csrf" content="')[2].partition('"')[0]
        form = {"csrf": token, "game": "atacama"}
        assert ada._send("POST", "/play", data=form, headers=headers).status_code == 303
        assert ada._send("POST", "/play", data=form, headers={**headers, "origin": "https://x.org"}).status_code == 403


def test_search_engines_are_asked_to_leave_tables_out(sqlite_url: str) -> None:
    with site_at(sqlite_url) as site:
        ada = site.browser("Ada")
        table = ada.post("/play", {"game": "atacama"}).headers["location"]
        rules = site.client.get("/robots.txt")
        assert rules.headers["content-type"].startswith("text/plain") and "Disallow: /t/\n" in rules.text
        assert 'name="robots" content="noindex"' in ada.get(table).text
        assert "noindex" not in ada.get("/").text
