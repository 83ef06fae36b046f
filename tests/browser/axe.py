"""What keeps people with other senses or hands out of a page, as far as a program can find it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

# Only violations are described; describing the rest would take longer than the search.
OPTIONS = {"resultTypes": ["violations"]}


def violations(page: Page, *more: str) -> list[str]:
    """The rules of axe that the page breaks, each with the first element that breaks it.

    `more` names rules that axe leaves out otherwise.
    """
    options = {**OPTIONS, "rules": {rule: {"enabled": True} for rule in more}}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
