"""Texts of the operator, and the privacy page's facts, which follow from the settings."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from atoll.server.domain.settings import ServerSettings
from atoll.server.http.pages.legal import privacy_facts
from atoll.server.presentation.operator_texts import OperatorTextError, check_site, operator_text
from atoll.server.presentation.texts import site as texts

from .conftest import site_at

HOSTILE = """# Imprint <script>alert(1)</script>

<img src=x onerror=alert(2)> and <b>bold</b>

![far](https://evil.example/pixel.png) [bad](javascript:alert(3)) [worse](data:text/html,x) [good](https://a.example)

## Address

<post@club.example>
"""
SECURITY = "Contact: mailto:post@club.example\nExpires: 2030-01-01T00:00:00Z\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "site"
    found.mkdir()
    return found


def test_texts_are_shown_in_the_readers_language_and_linked_once_they_are_there(sqlite_url: str, folder: Path) -> None:
    (folder / "imprint.de.md").write_text("# Wer wir sind\n\nSpieleclub *Lagune*", "utf-8")
    with site_at(sqlite_url, site=str(folder)) as site:
        ada = site.browser("Ada")
        there = {"accept-language": "de"}
        start = ada.get("/", headers=there).text
        assert 'href="/imprint"' in start and 'href="/privacy"' in start
        assert "/rules-of-conduct" not in start and 'class="announcement"' not in start
        for path in ("/rules-of-conduct", "/.well-known/security.txt", "/imprint.de.md", "/imprint/../imprint.de.md"):
            assert ada.get(path).status_code == 404
        for headers in (there, {"accept-language": "en"}, {"accept-language": "../../x"}):
            page = ada.get("/imprint", headers=headers).text
            assert (
                '<article class="operator-text" lang="de"><h1>Wer wir sind</h1>' in page and "<em>Lagune</em>" in page
            )
        (folder / "imprint.en.md").write_text("We", "utf-8")
        (folder / "rules.en.md").write_text("Be kind", "utf-8")
        (folder / "privacy.en.md").write_text("# How we treat data\n\nWell.", "utf-8")
        (folder / "announcement.en.md").write_text("**Sunday:** a *feast*", "utf-8")
        (folder / "security.txt").write_text(SECURITY, "utf-8")
        assert "<h1>Legal notice</h1>\n<p>We</p>" in ada.get("/imprint").text
        assert "Be kind" in ada.get("/rules-of-conduct").text
        table = ada.post("/play", {"game": "atacama"}).headers["location"]
        assert 'href="/imprint"' in ada.get(table).text, "in the menu of a page without a foot"
        assert "<h2>How we treat data</h2>" in ada.get("/privacy").text
        answer = ada.get("/.well-known/security.txt")
        assert answer.text == SECURITY and answer.headers["content-type"] == "text/plain; charset=utf-8"
        said = ada.get("/mine").text
        assert "<strong>Sunday:</strong> a <em>feast</em>" in said and 'href="/rules-of-conduct"' in said
        (folder / "announcement.en.md").unlink()
        assert "feast" not in ada.get("/mine").text, "it is gone without a restart"


def test_hostile_texts_do_nothing(sqlite_url: str, folder: Path) -> None:
    (folder / "imprint.en.md").write_text(HOSTILE, "utf-8")
    found = operator_text(str(folder), "imprint", "en")
    assert found is not None and found.title == "Imprint <script>alert(1)</script>"
    with site_at(sqlite_url, site=str(folder)) as site:
        page = site.browser().get("/imprint").text
    article = page[page.index("<article") : page.index("</article>")]
    assert "&lt;script&gt;" in article and "&lt;img" in article and "&lt;b&gt;" in article
    assert not any(each in article for each in ("<script", "<img", "<b>", 'href="javascript', 'href="data'))
    assert '<a href="https://a.example">good</a>' in article
    assert "<h2>Address</h2>" in article and 'href="mailto:post@club.example"' in article


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("impressum.de.md", b"x", "expected NAME.LANGUAGE.md"),
        ("imprint.fr.md", b"x", "expected NAME.LANGUAGE.md"),
        ("imprint.en.md", b"\xff", "expected UTF-8"),
        ("imprint.en.md", b"x" * 300_000, "too large"),
        ("security.txt", b"Contact: mailto:a@b.example\n", "Expires"),
    ],
)
def test_files_that_cannot_be_used_are_named_before_the_start(
    folder: Path, name: str, content: bytes, said: str
) -> None:
    check_site(str(folder))
    (folder / name).write_bytes(content)
    with pytest.raises(OperatorTextError, match=said) as caught:
        check_site(str(folder))
    assert name in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_only_files_of_the_folder_are_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    (folder / "imprint.en.md").symlink_to(tmp_path / "secret")
    (folder / "privacy.en.md").mkdir()
    os.mkfifo(folder / "rules.en.md")
    for name in ("imprint", "privacy", "rules"):
        assert operator_text(str(folder), name, "en") is None
        with pytest.raises(OperatorTextError):
            check_site(str(folder))
        path = folder / f"{name}.en.md"
        path.rmdir() if path.is_dir() else path.unlink()
    (folder / "real").write_text("here", "utf-8")
    (folder / "imprint.en.md").symlink_to("real")
    assert operator_text(str(folder), "imprint", "en") is not None, "a link within the folder"
    with pytest.raises(OperatorTextError, match="expected a folder"):
        check_site(str(tmp_path / "missing"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_fact_on_privacy_changes_with_its_setting(language: str) -> None:
    def told(settings: ServerSettings) -> dict[str, str]:
        say = texts(language).text
        return {
            fact.key: " ".join(say(f"privacy.{key}", **values) for key, values in fact.sentences)
            for fact in privacy_facts(settings)
        }

    usual = ServerSettings(public_url="https://a.example")
    before = told(usual)
    changes: list[tuple[str, dict[str, Any], str]] = [
        ("name", {"guest_days": 33.0}, "33"),
        ("name", {"guest_days": 0.0}, ""),
        ("games", {"finished_days": 44.5}, "44.5"),
        ("games", {"gathering_days": 55.0}, "55"),
        ("ratings", {"no_ratings": True}, ""),
        ("mail", {"smtp": "smtp://post.example", "mail_from": "a@a.example"}, "post.example"),
        ("push", {"secret": "s" * 32}, ""),
        ("log", {"log_refused": "/var/log/atoll"}, "24"),
        ("openid", {"oidc_issuer": "https://id.example", "oidc_client": "a", "oidc_name": "Club"}, "Club (id.example)"),
    ]
    for key, values, said in changes:
        after = told(replace(usual, **values))
        assert {each for each in before if before[each] != after[each]} == {key}
        assert said in after[key]
