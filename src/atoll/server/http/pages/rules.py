"""The illustrated rules of a game: the page, single sections for a running table, and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from atoll.engine import Game
from atoll.engine.languages import LANGUAGES

from ...domain.model import Refused
from ...presentation import pictures, rules_page
from ...presentation.texts import GameTexts, site
from .context import FRAGMENTS, Pages, game_of, language_of, macros, render, settings_of, words_of
from .forms import query

_FRESH: Final = {"Cache-Control": "public, max-age=600"}
_SVG: Final = "image/svg+xml"
_LONGEST_SEARCH: Final = 80

pages = Pages()


@pages.route("/rules/{game}")
async def rules(request: Request) -> Response:
    """Show the rules of a game.

    Query parameters are `seats` and the options of a table, `q` (search words) and `rule` (the key
    of a rule; scripts get only its section).

    Args:
        request: The request.

    Returns:
        The page; for scripts, one section or the sections that were found.

    Raises:
        Refused: If the game or the rule doesn't exist.
    """
    game = game_of(request, request.path_params["game"])
    words = words_of(request, game.id)
    at = rules_page.setting(game, request.query_params)
    theme = settings_of(request).color_scheme
    found = rules_page.parts(game, words, at)
    wanted = query(request).text("rule", 60)
    if wanted and FRAGMENTS in request.headers:
        part = next((each for each in found if wanted in [text.rule.key for text in each.texts]), None)
        if part is None:
            raise Refused("no_page", 404, f"unknown rule {wanted!r} of {game.id}")
        return HTMLResponse(_sections(game, words, at, theme, [part], level=3, wanted=wanted))
    q = query(request).text("q", _LONGEST_SEARCH).strip()
    shown = rules_page.search(found, q) if q else found
    asked = {key: value for key, value in ({"seats": str(at.seats)} | _option_texts(at)).items() if key in at.asked}

    def address(**changed: object) -> str:
        """Return the address of these rules with changed parameters."""
        named = urlencode({**asked, **changed})
        return f"/rules/{game.id}" + (f"?{named}" if named else "")

    values: dict[str, Any] = {
        "game": game,
        "words": words,
        "at": at,
        "symbols": pictures.symbols(game),
        "cover": pictures.cover(game, words.language),
        "sections": _sections(game, words, at, theme, shown) if q else _all_sections(game, words, at, theme),
        "found": len(shown),
        "all_parts": found,
        "q": q,
        "asked": asked,
        "address": address,
    }
    return render(request, "rules_found" if FRAGMENTS in request.headers else "rules", **values)


@lru_cache(maxsize=32)
def _all_sections(game: Game, words: GameTexts, at: rules_page.RulesContext, theme: str) -> Markup:
    """Return all sections, cached for readers of the same rules in the same colors."""
    return _sections(game, words, at, theme, rules_page.parts(game, words, at))


def _sections(
    game: Game,
    words: GameTexts,
    at: rules_page.RulesContext,
    theme: str,
    found: Sequence[rules_page.RulesSection],
    *,
    level: int = 2,
    wanted: str = "",
) -> Markup:
    """Return the markup of sections.

    Args:
        game: The game.
        words: Texts of the game.
        at: Number of seats and options.
        theme: Color scheme of the pictures.
        found: The sections.
        level: Level of their headings.
        wanted: Key of the rule that was requested, or "".
    """
    asked = urlencode({"language": words.language, "seats": at.seats} | _option_texts(at))
    show = macros("rules_parts", t=site(words.language).text, game=game, at=at, theme=theme, picture_query=asked)
    return Markup("").join(show.section(part, level, wanted) for part in found)


def _option_texts(at: rules_page.RulesContext) -> dict[str, str]:
    """Return the options as they are written in addresses."""
    return {key: str(value).lower() for key, value in at.options.items()}


@pages.route("/rules/{game}/{picture}.svg")
async def picture(request: Request) -> Response:
    """Return a picture of the rules: a worked example, or a new table."""
    game = game_of(request, request.path_params["game"])
    at = rules_page.setting(game, request.query_params)
    asked = query(request)
    language = asked.text("language", 2)
    language = language if language in LANGUAGES else language_of(request)
    theme = "dark" if asked.text("theme", 5) == "dark" else "light"
    drawn = rules_page.picture(
        game, language, request.path_params["picture"], at.seats, tuple(sorted(at.options.items())), theme
    )
    return Response(drawn, media_type=_SVG, headers=_FRESH)
