"""The documentation under /docs: from the package if it was built, else the command that builds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from atoll.server.http.pages import docs

from .conftest import Site


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the site is served from; it doesn't exist yet."""
    built = tmp_path / "site"
    monkeypatch.setattr(docs.site, "all_directories", [built])
    return built


@pytest.mark.parametrize(("language", "says"), [("en", "hasn’t been built"), ("de", "noch nicht gebaut")])
def test_without_a_site_the_page_says_how_to_build_it(site: Site, folder: Path, language: str, says: str) -> None:
    ada = site.browser()
    page = ada.get("/docs", headers={"accept-language": language})
    assert page.status_code == 200 and says in page.text and "make docs" in page.text
    assert ada.get("/docs/index.html").status_code == 404
    assert 'href="/docs"' in ada.get("/").text


def test_the_site_is_served_as_files(site: Site, folder: Path) -> None:
    (folder / "study").mkdir(parents=True)
    for name in ("index.html", "study/index.html", "study/lab.html"):
        (folder / name).write_text(f"<title>{name}</title>")
    (folder.parent / "secret.html").write_text("not for readers")
    (folder / "link.html").symlink_to(folder.parent / "secret.html")
    ada = site.browser()
    moved = ada.get("/docs")
    assert moved.status_code == 303 and moved.headers["location"] == "/docs/"
    page = ada.get("/docs/")
    assert "<title>index.html" in page.text
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "default-src 'none'" in policy
    assert page.headers["x-frame-options"] == "DENY" and page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cache-control"] == "no-cache" and "set-cookie" not in page.headers
    again = ada.get("/docs/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert "study/index" in ada.get("/docs/study/").text and "study/lab" in ada.get("/docs/study/lab.html").text
    for path in ("../secret.html", "%2e%2e/secret.html", "..%2fsecret.html", "link.html", "%00", "study/none.html"):
        answer = ada.get(f"/docs/{path}")
        assert answer.status_code in (400, 404) and "not for readers" not in answer.text, path
    assert ada.post("/docs/", {}).status_code == 405
