"""Passkeys: the way in, and the attacks on it."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from prometheus_client import REGISTRY
from sqlalchemy import select

from atoll.server.domain.public import passkey_site
from atoll.server.play.passkeys import CHALLENGE_MINUTES
from atoll.store import schema

from .authenticator import Authenticator
from .conftest import Browser, Site, Time, site_at

ORIGIN, SITE = "https://table.example", "table.example"
HEADERS = {"host": SITE, "origin": ORIGIN, "x-fragments": ""}


@pytest.fixture
def public(sqlite_url: str) -> Iterator[Site]:
    """A site with a public address."""
    with site_at(sqlite_url, public_url=ORIGIN) as found:
        found.client.base_url = ORIGIN  # so that cookies that are Secure are sent
        yield found


def _post(browser: Browser, path: str, form: dict[str, str] | None = None) -> Any:
    return browser.post(path, form, headers=HEADERS)


def _add(browser: Browser, key: Authenticator, **form: str) -> Any:
    options = _post(browser, "/account/passkeys/options").json()
    return _post(browser, "/account/passkeys", {"answer": key.make(options), **form})


def _sign_in(browser: Browser, key: Authenticator) -> Any:
    options = _post(browser, "/sign-in/passkey/options").json()
    assert "allowCredentials" not in options or options["allowCredentials"] == []
    return _post(browser, "/sign-in/passkey", {"answer": key.sign(options)})


def _told(site: Site, user_id: str) -> list[str]:
    """Return the notifications of a user about the account."""
    table = schema.notices
    query = select(table.c.data).where(table.c.user_id == user_id, table.c.kind == "account")

    async def read() -> list[str]:
        return [
            msgspec.json.decode(data)["what"]
            for data in await site.tables.store._database.read(lambda connection: list(connection.scalars(query)))
        ]

    found: list[str] = site.call(read)
    return found


def test_a_passkey_keeps_the_name_and_brings_it_back(public: Site) -> None:
    ada, there, key = public.browser("Ada"), public.browser(), Authenticator(ORIGIN, SITE)
    old = dict(ada.cookies)
    assert _add(ada, key).json() == {"to": "/account#ways"}
    page = ada.get("/account").text
    assert "Passkey" in page and "/remove" not in page and ada.cookies == old, "no session has ended"
    key.count += 1
    assert _sign_in(there, key).json() == {"to": "/mine"}
    assert "last used" in ada.get("/account").text
    assert "Ada" in there.get("/settings").text and there.cookies[public.cookie()] != ada.cookies[public.cookie()]
    taken = _add(public.browser("Bob"), key)
    assert taken.status_code == 409 and taken.json()["code"] == "credential_taken"
    named = _add(public.browser("ada"), Authenticator(ORIGIN, SITE))
    assert named.status_code == 409 and named.json()["code"] == "name_taken"


def _refused_so_far() -> float:
    """Return the number of refused passkey answers, by the metrics."""
    return REGISTRY.get_sample_value("atoll_requests_refused_total", {"code": "bad_passkey"}) or 0.0


@pytest.mark.parametrize(
    "wrong", [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"id": b"unknown passkey!"}]
)
def test_an_answer_for_another_site_or_passkey_is_refused(public: Site, wrong: dict[str, Any]) -> None:
    ada, key = public.browser("Ada"), Authenticator(ORIGIN, SITE)
    _add(ada, key)
    there, before = public.browser(), _refused_so_far()
    answer = _sign_in(there, dataclasses.replace(key, count=9, **wrong))
    assert answer.status_code == 403 and answer.json()["code"] == "bad_passkey"
    assert _refused_so_far() == before + 1
    assert public.cookie() not in there.cookies
    assert _sign_in(there, dataclasses.replace(key, count=9)).status_code == 200


def test_a_challenge_works_once_in_its_browser_and_only_for_a_while(public: Site, clock: Time) -> None:
    ada, key = public.browser("Ada"), Authenticator(ORIGIN, SITE, synced=True)
    _add(ada, key)
    here, there = public.browser(), public.browser()
    for browser in (here, there):
        browser.get("/")  # it has a secret of its own from now on
    options = _post(here, "/sign-in/passkey/options").json()
    sent = {"answer": key.sign(options)}
    assert _post(there, "/sign-in/passkey", sent).status_code == 403, "another browser"
    kept = dict(here.cookies)
    assert _post(here, "/sign-in/passkey", sent).status_code == 200
    here.cookies = kept
    assert _post(here, "/sign-in/passkey", sent).status_code == 403, "replayed"
    options = _post(here, "/sign-in/passkey/options").json()
    clock.passes(60 * CHALLENGE_MINUTES)
    assert _post(here, "/sign-in/passkey", {"answer": key.sign(options)}).status_code == 403, "expired"
    for nonsense in ("", "{}", "[1]", "x" * 25_000, '{"response": {"clientDataJSON": 7}}'):
        assert _post(here, "/sign-in/passkey", {"answer": nonsense}).status_code == 403
    bob = public.browser("Bob")
    made = key.make(_post(ada, "/account/passkeys/options").json())
    assert _post(bob, "/account/passkeys", {"answer": made}).status_code == 403, "another user"


def test_a_synced_passkey_may_not_count_but_a_device_may_not_count_back(public: Site) -> None:
    ada = public.browser("Ada")
    assert ada.user is not None
    synced, bound = Authenticator(ORIGIN, SITE, synced=True, count=0), Authenticator(ORIGIN, SITE, count=5)
    for key in (synced, bound):
        assert _add(ada, key).status_code == 200
    for count in (0, 3, 3):
        synced.count = count
        assert _sign_in(public.browser(), synced).status_code == 200
    bound.count = 6
    assert _sign_in(public.browser(), bound).status_code == 200
    for count in (6, 2, 0):
        bound.count = count
        assert _sign_in(public.browser(), bound).status_code == 403
    assert _told(public, ada.user.id).count("passkey_copied") == 3
    bound.count = 7
    assert _sign_in(public.browser(), bound).status_code == 200
    assert ada.get("/account").text.count("/remove") == 2


def test_a_passkey_ends_the_browsers_old_session(public: Site) -> None:
    ada, eve, key = public.browser("Ada"), public.browser("Eve"), Authenticator(ORIGIN, SITE, synced=True)
    _add(ada, key)
    old = dict(eve.cookies)
    assert _sign_in(eve, key).status_code == 200 and "<bdi>Ada<" in eve.get("/settings").text
    assert eve.cookies[public.cookie()] not in (old[public.cookie()], ada.cookies[public.cookie()])
    eve.cookies = old
    assert "<bdi>Eve<" not in eve.get("/settings").text


@pytest.mark.parametrize(
    ("origin", "site", "reason"),
    [
        ("https://table.example", "table.example", ""),
        ("http://localhost:8765", "localhost", ""),
        ("https://table.example:8443", "table.example", ""),
        ("", "", "address"),
        ("http://table.example", "", "http"),
        ("https://192.0.2.7", "", "ip"),
        ("https://[2001:db8::1]", "", "ip"),
        ("http://127.0.0.1:8765", "", "ip"),
    ],
)
def test_a_site_that_browsers_give_no_passkeys_to_says_why(origin: str, site: str, reason: str) -> None:
    assert passkey_site(origin) == (site, reason)


def test_where_passkeys_cant_work_none_is_offered(site: Site) -> None:
    ada = site.browser("Ada")
    for page in (ada.get("/account").text, ada.get("/sign-in").text):
        assert "data-passkey" not in page and "has no public address" in page and "recovery code" in page
    assert ada.post("/account/passkeys/options").status_code == 409
