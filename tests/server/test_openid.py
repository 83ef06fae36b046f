"""OpenID Connect, against a provider of this process."""

import base64
import contextlib
import hashlib
import html
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from atoll.server.compose.app import create_app
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.settings import ServerSettings, SettingError

from .conftest import GAMES, Browser, Site

ORIGIN, ISSUER, OTHER_ISSUER = "https://table.example", "https://id.example", "https://other.example"
NO_LIMITS = dict.fromkeys(DEFAULTS, "")
LOGIN = "https://login.example"
"""Another host of the provider, at which people sign in."""


@dataclass
class Provider:
    """An OpenID Connect provider that signs what a test wants it to.

    Attributes:
        claims: Claims that replace the usual ones.
        key: Key that signs.
        issuer: The name that the provider gives itself.
        authorizes: The address at which people sign in.
    """

    claims: dict[str, Any] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "1"}))
    issuer: str = ISSUER
    authorizes: str = f"{LOGIN}/authorize"
    asked: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.published: RSAKey = self.key

    def sign_in(self, address: str) -> str:
        """Sign in at the provider and return the path of the callback."""
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}" == LOGIN
        self.asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert self.asked["redirect_uri"] == f"{ORIGIN}/sign-in/oidc/callback"
        return f"/sign-in/oidc/callback?code=c&state={self.asked['state']}"

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """A request of the server."""
        if request.url.path.endswith("openid-configuration"):
            places = {name: f"{ISSUER}/{name}" for name in ("token_endpoint", "jwks_uri")}
            authorizes = {"authorization_endpoint": self.authorizes}
            return httpx2.Response(200, json={"issuer": self.issuer, **places, **authorizes})
        if request.url.path == "/jwks_uri":
            return httpx2.Response(200, json={"keys": [self.published.as_dict(private=False)]})
        given = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        proof = base64.urlsafe_b64encode(hashlib.sha256(given["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if proof != self.asked["code_challenge"]:
            return httpx2.Response(400, json={"error": "invalid_grant"})
        now = int(time.time())
        usual = {"iss": ISSUER, "sub": "s1", "aud": "atoll", "iat": now, "exp": now + 60, "nonce": self.asked["nonce"]}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, {**usual, **self.claims}, self.key)
        return httpx2.Response(200, json={"access_token": "a", "token_type": "Bearer", "id_token": token})


@pytest.fixture
def provider() -> Provider:
    return Provider()


@contextlib.contextmanager
def _site_with(provider: Provider, url: str, limits: Mapping[str, str] = NO_LIMITS) -> Iterator[Site]:
    """A site with a provider."""
    settings = ServerSettings(
        url=url,
        bot_workers=1,
        public_url=ORIGIN,
        oidc_issuer=provider.issuer,
        oidc_client="atoll",
        oidc_secret="secret",  # noqa: S106 - of the provider below
        oidc_name="Club",
        limits=limits,
    )
    app = create_app(settings, GAMES, provider_transport=httpx2.MockTransport(provider.answer))
    with TestClient(app, base_url=ORIGIN, raise_server_exceptions=False) as client:
        yield Site(client)


@pytest.fixture
def public(sqlite_url: str, provider: Provider) -> Iterator[Site]:
    """A site with the usual provider."""
    with _site_with(provider, sqlite_url) as found:
        yield found


def _target(answer: Any) -> str:
    """Return the address to which the page leads that a form has brought."""
    assert answer.status_code == 200, answer.text
    (found,) = re.findall(r'<meta http-equiv="refresh" content="0;url=([^"]+)">', answer.text)
    address = html.unescape(found)
    assert f'href="{found}"' in answer.text, "also as a link"
    return address


def _goes(browser: Browser, provider: Provider, path: str = "/sign-in/oidc", **form: str) -> Any:
    """Sign in at the provider and come back."""
    browser.get("/")
    return browser.get(provider.sign_in(_target(browser.post(path, form))))


def test_an_account_is_found_by_issuer_and_subject(public: Site, provider: Provider) -> None:
    ada, there = public.browser("Ada"), public.browser()
    assert "Sign in with Club" in there.get("/sign-in").text
    answer = _goes(there, provider)
    assert answer.status_code == 403 and public.cookie() not in there.cookies, "nobody has this identity"
    provider.claims = {"email": "ada@mail.example", "email_verified": False}
    assert _goes(ada, provider, "/account/oidc", name="Ada").headers["location"] == "/account#ways"
    assert "ada@mail.example" not in ada.get("/account").text, "it isn't verified"
    eve = public.browser("Eve")
    old = dict(eve.cookies)
    for browser in (there, eve):
        assert _goes(browser, provider).headers["location"] == "/mine"
        assert "Ada" in browser.get("/settings").text
    eve.cookies = old
    assert "<bdi>Eve<" not in eve.get("/settings").text, "the session that was replaced has ended"
    other = Browser(public, None)
    provider.claims = {"sub": "s2", "email": "ada@mail.example", "email_verified": True}
    assert _goes(other, provider).status_code == 403, "a mail address proves nothing"
    bob = public.browser("Bob")
    provider.claims = {}
    assert _goes(bob, provider, "/account/oidc").status_code == 409, "it belongs to Ada"


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "forged"},
        {"iss": "https://evil.example"},
        {"aud": "another client"},
        {"exp": 1},
        {"sub": None},
    ],
)
def test_forged_claims_are_refused(public: Site, provider: Provider, claims: dict[str, Any]) -> None:
    _goes(public.browser("Ada"), provider, "/account/oidc")
    provider.claims = claims
    there = public.browser()
    answer = _goes(there, provider)
    assert answer.status_code == 403 and public.cookie() not in there.cookies


def test_forged_states_keys_and_issuers_are_refused(public: Site, provider: Provider) -> None:
    _goes(public.browser("Ada"), provider, "/account/oidc")
    here, there = public.browser(), public.browser()
    for browser in (here, there):
        browser.get("/")
    back = provider.sign_in(_target(here.post("/sign-in/oidc")))
    assert there.get(back).status_code == 403, "another browser"
    assert here.get(f"{back}&iss=https://evil.example").status_code == 403, "another provider has answered"
    assert here.get(back).status_code == 403, "the state was used"
    assert here.get("/sign-in/oidc/callback?code=c&state=forged").status_code == 403
    provider.key = RSAKey.generate_key(2048, {"kid": "1"})
    assert _goes(there, provider).status_code == 403, "another key"
    provider.key = provider.published
    provider.issuer = "https://evil.example"
    assert here.post("/sign-in/oidc").status_code == 503
    provider.issuer, provider.authorizes = ISSUER, "javascript:alert(1)//"
    assert here.post("/sign-in/oidc").status_code == 503
    provider.authorizes = f"{LOGIN}/authorize"
    assert _goes(there, provider).status_code == 303


def test_only_a_form_of_this_site_leads_to_the_provider(public: Site) -> None:
    ada = public.browser("Ada")
    policy = ada.get("/account").headers["content-security-policy"]
    assert "form-action 'self';" in policy, "a page leads there, whatever hosts the provider has"
    for path in ("/account/oidc", "/sign-in/oidc"):
        assert ada.get(path).status_code == 405
        assert ada._send("POST", path).status_code == 403, "without a form token"
        assert ada.post(path, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    wrong = ada.post("/account/oidc", {"name": "\u200b"})
    assert wrong.status_code == 422 and 'id="wrong-name"' in wrong.text


def test_one_subject_of_two_issuers_is_two_users(sqlite_url: str) -> None:
    first, second = Provider(), Provider({"iss": OTHER_ISSUER}, issuer=OTHER_ISSUER)
    with _site_with(first, sqlite_url) as site:
        assert _goes(site.browser("Ada"), first, "/account/oidc").status_code == 303
    with _site_with(second, sqlite_url) as site:
        assert _goes(site.browser(), second).status_code == 403, "that is Ada's subject at the other issuer"
        assert _goes(site.browser("Bob"), second, "/account/oidc").status_code == 303
        there = site.browser()
        assert _goes(there, second).status_code == 303 and "Bob" in there.get("/settings").text


def test_the_ways_to_the_provider_are_counted_by_address(sqlite_url: str, provider: Provider) -> None:
    with _site_with(provider, sqlite_url, {**NO_LIMITS, "token": "3/hour"}) as site:
        ada, here = site.browser("Ada"), site.browser()
        statuses = [here.post("/sign-in/oidc").status_code, ada.post("/account/oidc").status_code]
        statuses += [here.get("/sign-in/oidc/callback?code=c&state=forged").status_code for _ in range(2)]
        assert statuses == [200, 200, 403, 429] and ada.post("/account/oidc").status_code == 429


def test_a_provider_needs_a_client_and_a_public_address() -> None:
    for values in ({"oidc_client": ""}, {"public_url": ""}, {"oidc_issuer": "id.example"}):
        given: dict[str, Any] = {"oidc_issuer": ISSUER, "oidc_client": "atoll", "public_url": ORIGIN, **values}
        with pytest.raises(SettingError, match="--oidc-issuer"):
            ServerSettings(**given)
