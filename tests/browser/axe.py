"""Accessibility faults of a page that a program can find."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

# Only violations are described; describing the rest would take longer than the search.
OPTIONS = {"resultTypes": ["violations"]}


# Rules whose verdict depends on the theme.
COLOURS = ["color-contrast", "link-in-text-block"]


def violations(page: Page, *more: str, within: str | None = None, only: list[str] | None = None) -> list[str]:
    """The rules of axe that the page breaks, each with the first element that breaks it.

    `more` names rules that axe leaves out otherwise, `within` the part of the page to look at, `only` the rules to
    look for.
    """
    options = {**OPTIONS, "rules": {rule: {"enabled": True} for rule in more}, **({"runOnly": only} if only else {})}
    found = Axe().run(page, context=within, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
