"""Profiles of accounts, following, and a person's statistics."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from ...domain.profile import AUDIENCES, PARTS, ProfileVisibility
from ...presentation import score_chart
from ...presentation.competitions import badge_text
from ...presentation.texts import GameTexts
from ..session import tables
from .cards import cards_of
from .context import Pages, covers, game_of, language_of, profile_address, redirect, render, words_of
from .forms import form, query
from .table import table_id

_FOLLOW: Final = "follow"

pages = Pages()


@pages.route("/@{person}")
async def profile(request: Request) -> Response:
    """Show the profile of an account; other spellings of its name lead to it."""
    name = request.path_params["person"]
    who = request.state.user
    found = await tables(request).profiles.profile(who, name)
    if profile_address(found.name) != profile_address(name):
        return redirect(profile_address(found.name))
    words = {each.game.id: each.words for each in covers(request)}
    return render(
        request,
        "profile",
        profile=found,
        shown=found.shown,
        words_of_games=words,
        ratings=[each for each in found.ratings if each.game in words],
        places=[each for each in found.places if each.game in words],
        recent=cards_of(request, found.recent, named=not found.own),
        achievements=[each for each in found.achievements if not each.game or each.game in words],
        badges=await _badges(request, found.name) if "achievements" in found.shown else (),
        noon=_noon,
        followed=await tables(request).profiles.followed(who) if found.own else (),
        visibility=await tables(request).profiles.visibility(who) if found.own else None,
        parts_of_profile=PARTS,
        audiences=AUDIENCES,
        has_account=who is not None and who.has_account,
        saved=query(request).text("saved", 10),
    )


async def _badges(request: Request, name: str) -> list[tuple[str, str]]:
    """Return the good ranks of an account in competitions as text, with the competitions' ids."""
    titles = {each.game.id: each.title for each in covers(request)}
    found = await tables(request).competitions.badges(name)
    language = language_of(request)
    return [
        (badge_text(each, titles[each.card.game], language), each.card.id) for each in found if each.card.game in titles
    ]


def _noon(day: Any) -> datetime:
    """Return a moment of a day, which is on that day in most time zones."""
    return datetime.combine(day, time(12), UTC)


@pages.route("/@{person}/follow", "POST")
async def follow(request: Request) -> Response:
    """Follow an account, or follow it no longer."""
    given = await form(request)
    yes = given.text(_FOLLOW, 4) != "no"
    name = await tables(request).profiles.follow(request.state.user, request.path_params["person"], yes)
    return redirect(profile_address(name))


@pages.route("/profile", "POST")
async def set_visibility(request: Request) -> Response:
    """Set who sees which part of the reader's profile."""
    given = await form(request)
    service = tables(request).profiles
    old = await service.visibility(request.state.user)
    chosen = {part: given.text(part, 10) for part in PARTS}
    kept: dict[str, Any] = {part: value if value in AUDIENCES else getattr(old, part) for part, value in chosen.items()}
    await service.set_visibility(request.state.user, ProfileVisibility(**kept))
    return redirect(f"{profile_address(request.state.user.name)}?saved=yes#visibility")


@pages.route("/@{person}/{game}")
async def statistics(request: Request) -> Response:
    """Show a person's statistics in a game."""
    game = game_of(request, request.path_params["game"])
    found = await tables(request).profiles.statistics(request.state.user, request.path_params["person"], game.id)
    if profile_address(found.name) != profile_address(request.path_params["person"]):
        return redirect(profile_address(found.name, game.id))
    words: GameTexts = words_of(request, game.id)
    largest = max((abs(value) for each in found.sources for value in (each.won, each.others) if value), default=1.0)
    return render(
        request,
        "personal",
        covers=covers(request),
        game=game,
        words=words,
        found=found,
        chart=score_chart.score_chart(found.scores) if found.scores else None,
        largest=largest,
    )


@pages.route("/t/{id}/profile")
async def profile_of_seat(request: Request) -> Response:
    """Redirect to the profile of the account that holds a seat."""
    seat = query(request).number_if_any("take") or 0
    return redirect(
        profile_address(await tables(request).profiles.of_seat(request.state.user, table_id(request), seat))
    )
