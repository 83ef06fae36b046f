"""Pages of the workshop: the components of a game as forms, with pictures, play and simulations.

An address holds all changes, so nothing is stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from babel.numbers import format_decimal
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from atoll.engine import AtollError, ComponentError, Game, MalformedChoice
from atoll.engine.component_changes import value_at, write_changes
from atoll.lab.comparison import SHARE, Comparison, Figure, interval_svg, widest
from atoll.picture.patterns import choice_for_pattern

from ...domain.model import Refused, SeatInfo, TableSeats
from ...play.workshop import (
    GAMES,
    LONGEST_TOKEN,
    MOST_CHOICES,
    WorkshopGame,
    changes_in,
    token_of,
    variant,
)
from ...presentation import pictures, rules_page, texts, workshop
from ...presentation.log_lines import lines
from ...presentation.question import fallback_reason, options_of, question_of
from ..session import tables
from .context import FRAGMENTS, Pages, game_of, language_of, redirect, render, render_html, settings_of
from .forms import FormFields, form, parse_number, query
from .history import seats_at
from .table import LONGEST_LIST, safe_json
from .tryouts import private_game_data

_FIELD: Final = "f."
"""Prefix of the fields of components in the form."""
_SEED_BITS: Final = 20
_SEEDS: Final = 1 << _SEED_BITS
_TOML: Final = "application/toml"

pages = Pages()


# -- the editor ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bench:
    """A request for the editor.

    Attributes:
        game: The original game.
        token: Token of the variant.
        changes: Its changes by path.
        changed: The game with the changes; None if it refuses them.
        error: The refusal, or None.
        place: Key of the place that is edited.
        run: Id of a simulation, or "".
    """

    game: Game
    token: str
    changes: Mapping[str, Any]
    changed: Game | None
    error: ComponentError | None
    place: str
    run: str

    def address(self, **other: str) -> str:
        """Return the address of the editor with these changes; `other` overrides its parameters."""
        given = {"at": self.place, "v": self.token, "run": self.run, **other}
        return f"/workshop/{self.game.id}?{urlencode({key: value for key, value in given.items() if value})}"


def _original(request: Request) -> Game:
    """Return the game in the address, for readers who may use the workshop."""
    tables(request).workshop.require(request.state.user)
    return game_of(request, request.path_params["game"])


def _bench(request: Request, given: FormFields) -> _Bench:
    """Return the editor that a request names, with the fields that it brings."""
    game = _original(request)
    found = [each for table in workshop.tables(game, {}, language_of(request)) for each in table.places]
    place = given.text("at", 200)
    if place and place not in [each.key for each in found]:
        raise Refused("no_page", 404, f"unknown place {place[:40]!r}")
    place = place or found[0].key
    changes = changes_in(given.text("v", LONGEST_TOKEN + 1))
    for field in workshop.fields(game, changes, place):
        if _FIELD + field.path in given:
            value = workshop.read_value(game, field.path, given.text(_FIELD + field.path))
            changes.pop(field.path, None)
            if value != value_at(game.data, field.path):
                changes[field.path] = value
    token, changed, error = token_of(changes), None, None
    if len(token) > LONGEST_TOKEN:
        raise Refused("malformed", 422, "too many changes")
    try:
        changed = variant(game, token)
    except ComponentError as refused:
        error = refused
    return _Bench(game, token, changes, changed, error, place, given.text("run", 40))


@pages.route("/workshop/{game}")
async def editor(request: Request) -> Response:
    """Show the components of a place as a form, with what the changes look like."""
    return _editor(request, _bench(request, query(request)))


@pages.route("/workshop/{game}", "POST")
async def edit(request: Request) -> Response:
    """Take the values of the form; scripts get the new page, and forms are redirected to it."""
    found = _bench(request, await form(request))
    return _editor(request, found) if FRAGMENTS in request.headers else redirect(found.address())


@pages.route("/workshop/{game}/simulate", "POST")
async def simulate(request: Request) -> Response:
    """Start to simulate a variant and the original."""
    found = _bench(request, await form(request))
    run = tables(request).workshop.simulate(found.game, found.token, _changed(found))
    return redirect(found.address(run=run))


@pages.route("/workshop/{game}/changes.toml")
async def save(request: Request) -> Response:
    """Return the changes as a file for `--components`."""
    found = _bench(request, query(request))
    _changed(found)
    headers = {"content-disposition": f'attachment; filename="{found.game.id}.toml"', "cache-control": "no-store"}
    return Response(write_changes(found.game.id, found.changes), media_type=_TOML, headers=headers)


@pages.route("/workshop/{game}/table.svg")
async def picture(request: Request) -> Response:
    """Return the picture of a new table of a variant."""
    found = _changed(_bench(request, query(request)))
    at = rules_page.setting(found, {})
    theme = "dark" if query(request).text("theme", 10) == "dark" else "light"
    drawn = rules_page.picture(
        found, language_of(request), rules_page.FRESH, at.seats, tuple(at.options.items()), theme
    )
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=600"})


def _changed(found: _Bench) -> Game:
    """Return the game of a variant.

    Args:
        found: The editor.

    Raises:
        Refused: If the game refuses the changes.
    """
    if found.changed is None:
        raise Refused("bad_variant", 422, str(found.error), fields={"text": str(found.error)})
    return found.changed


def _editor(request: Request, found: _Bench) -> Response:
    """Return the page of the editor."""
    language = language_of(request)
    site, words = texts.site(language), texts.game_texts(found.game, language)
    title = workshop.title_of(found.game, found.place, language)
    run = None
    if found.run:
        run = tables(request).workshop.simulation(found.run)
    pieces, rows, broken = [], [], False
    if found.changed is not None:
        try:
            pieces = workshop.changed_pieces(found.game, found.changed, language, title)
            rows = list(workshop.changed_rows(found.game, found.changed, language))
        except Exception as error:  # numbers that the rules allow may be too large for a drawing
            texts.log_once("variant can't be drawn", f"{found.game.id}: {type(error).__name__}: {error}")
            broken = True
    return render(
        request,
        "workshop",
        game=found.game,
        words=words,
        symbols=pictures.symbols(found.game),
        bench=found,
        place_title=title,
        tables=workshop.tables(found.game, found.changes, language),
        fields=workshop.fields(found.game, found.changes, found.place),
        wrong="" if found.error is None else workshop.path_of(found.error),
        changes=workshop.changes_in_words(found.game, found.changes),
        pieces=pieces,
        rows=rows,
        broken=broken,
        new_game=_step(found.token, secrets.randbits(_SEED_BITS), ()),
        games=GAMES,
        run=run,
        is_current=run is not None and (run.game, run.token) == (found.game.id, found.token),
        report=None if run is None or run.found is None else _report(run.found, site),
        theme=settings_of(request).color_scheme,
        markup=workshop.ChangedPiece.markup,
    )


def _report(found: Comparison, site: texts.Texts) -> list[tuple[str, str, str, str, str, bool, Any]]:
    """Return the figures of a comparison in words.

    Args:
        found: The comparison.
        site: Texts of the site.

    Returns:
        Per figure its name, the values of original and variant, the difference, its interval,
        whether it is clear, and a drawing of it.
    """
    (other,) = found.variants
    shares = widest([each for each in other.figures if each.unit == SHARE])

    def text(figure: Figure, value: float, *, signed: bool = False) -> str:
        """Return a value as the language writes it.

        Args:
            figure: The figure.
            value: The value.
            signed: Whether a plus is written, as for differences.
        """
        share = figure.unit == SHARE
        pattern = "+0.0;-0.0" if signed else "0.0"
        written: str = format_decimal(100 * value if share else value, pattern, site.language)
        return f"{written} %".replace("-", "−") if share else written.replace("-", "−")

    def interval(figure: Figure) -> str:
        """Return the interval of the difference in words."""
        low, high = (text(figure, end, signed=True) for end in (figure.low, figure.high))
        return site.text("workshop.interval", low=low, high=high)

    return [
        (
            _figure_name(each, site),
            text(each, each.base),
            text(each, each.mean),
            text(each, each.difference, signed=True),
            site.text(
                "workshop.interval", low=text(each, each.low, signed=True), high=text(each, each.high, signed=True)
            ),
            each.is_clear,
            interval_svg(each, shares if each.unit == SHARE else widest([each])),
        )
        for each in other.figures
    ]


def _figure_name(figure: Figure, site: texts.Texts) -> str:
    """Return the name of a figure in words."""
    kind, _, rest = figure.key.partition(" ")
    if kind == "seat":
        return site.text("workshop.figure.seat", n=int(rest) + 1)
    if kind == "points":
        return site.text("workshop.figure.points", source=rest.replace("_", " "))
    return site.text(f"workshop.figure.{figure.key.replace(' ', '_')}")


# -- play ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _PlayRequest:
    """A request for a game of a variant.

    Attributes:
        game: The game with the variant's components.
        token: Token of the variant.
        seed: Seed of the game.
        played: The game.
    """

    game: Game
    token: str
    seed: int
    played: WorkshopGame

    @property
    def path(self) -> str:
        """The path of the page."""
        return f"/workshop/{self.game.id}/play"

    def address(self, choices: Sequence[int]) -> str:
        """Return the address of the game after some choices."""
        return f"{self.path}?{urlencode({'step': _step(self.token, self.seed, choices)})}"


def _step(token: str, seed: int, choices: Sequence[int]) -> str:
    """Return variant, seed and choices as they are written in addresses."""
    return f"{token}~{'.'.join(map(str, (seed, *choices)))}"


def _played(request: Request, given: FormFields) -> _PlayRequest:
    """Return the game that a request names.

    Args:
        request: The request.
        given: Submitted values.

    Raises:
        Refused: If the variant, the seed or a choice is invalid.
    """
    original = _original(request)
    token, _, rest = given.text("step", LONGEST_TOKEN + 20 * MOST_CHOICES).partition("~")
    seed, *choices = [parse_number(part) for part in rest.split(".")]
    if len(choices) > MOST_CHOICES:
        raise Refused("malformed", 422, f"{len(choices)} choices: expected at most {MOST_CHOICES}")
    try:
        game = variant(original, token)
        return _PlayRequest(game, token, seed, WorkshopGame(game, seed, choices))
    except MalformedChoice as error:
        raise Refused("malformed", 422, str(error)) from None
    except AtollError as error:
        raise Refused("illegal", 422, str(error)) from None


@pages.route("/workshop/{game}/play")
async def play(request: Request) -> Response:
    """Show a game of a variant."""
    return _play_page(request, _played(request, query(request)))


@pages.route("/workshop/{game}/play/choose", "POST")
async def choose(request: Request) -> Response:
    """Make choices; scripts get the new page, and forms are redirected to its address."""
    given = await form(request)
    asked = _played(request, given)
    try:
        asked.played.choose(_more(given))
    except MalformedChoice as error:
        raise Refused("malformed", 422, str(error)) from None
    except AtollError as error:
        raise Refused("illegal", 422, str(error)) from None
    return _after(request, asked)


@pages.route("/workshop/{game}/play/undo", "POST")
async def undo(request: Request) -> Response:
    """Remove a picked member of a set."""
    given = await form(request)
    asked = _played(request, given)
    if asked.played.draft is None:
        raise Refused("nothing", 409, "the game is over")
    try:
        asked.played.draft.remove(given.number("choice"))
    except MalformedChoice as error:
        raise Refused("malformed", 422, str(error)) from None
    except AtollError as error:
        raise Refused("nothing", 409, str(error)) from None
    return _after(request, asked)


@pages.route("/workshop/{game}/play/preview")
async def preview(request: Request) -> Response:
    """Return the picture after some choices of the same turn, before chance and replies."""
    given = query(request)
    asked = _played(request, given)
    draft, more = asked.played.draft, _more(given)
    if draft is None or not more:
        return JSONResponse({"html": None, "question": None, "why": ""})
    try:
        draft.add(more)
        seen = draft.view()
    except AtollError:
        return JSONResponse({"html": None, "question": None, "why": ""})
    words = _words(request, asked, seen)
    question = question_of(asked.game, seen, words)
    drawn = render_html(request, "regions", **_picture(request, asked, seen))
    return JSONResponse({"html": drawn, "question": None if question is None else question.to_json(), "why": ""})


@pages.route("/workshop/{game}/play/why")
async def why_not(request: Request) -> Response:
    """Return the reason why the action of an element isn't possible now."""
    given = query(request)
    asked = _played(request, given)
    found = asked.played.to_tryout()
    words, site = _words(request, asked, found.view), texts.site(language_of(request))
    if found.asked is None:
        return JSONResponse({"text": site.text("why.over", names=""), "rule": ""})
    for pattern in given.text("choice", 1000).split(";"):
        choice = choice_for_pattern(asked.game, pattern, found.legal)
        reason = None if choice is None or choice in found.legal else asked.game.why_not(found.view, choice)
        if reason is not None:
            return JSONResponse({"text": words.reason(reason), "rule": reason.rule})
    return JSONResponse({"text": fallback_reason(found.view, words, site), "rule": ""})


def _more(given: FormFields) -> list[int]:
    """Return the choices that are made now."""
    return [parse_number(text) for text in given.text("choices").split(",") if text]


def _after(request: Request, asked: _PlayRequest) -> Response:
    """Return the response to a change: the new page for scripts, else a redirect."""
    if FRAGMENTS in request.headers:
        return _play_page(request, asked)
    return redirect(asked.address(asked.played.to_tryout().choices))


def _sitting(asked: _PlayRequest, view: Mapping[str, Any]) -> TableSeats:
    """Return the seats of the game: the reader's, and those of bots."""
    seats = tuple(
        SeatInfo(
            seat,
            "open" if seat == 0 else "bot",
            name="",
            mine=seat == 0,
            bot="" if seat == 0 else "greedy",
            stand_in=False,
            to_move=False,
            ready=None,
            time_left_s=None,
        )
        for seat in range(view["seats"])
    )
    return TableSeats(asked.game.id, 0, seats_at(TableSeats(asked.game.id, 0, seats), view))


def _words(request: Request, asked: _PlayRequest, view: Mapping[str, Any]) -> texts.GameTexts:
    """Return the texts of the variant, with the names of its seats."""
    return texts.game_texts(asked.game, language_of(request), _sitting(asked, view).seats)


def _picture(request: Request, asked: _PlayRequest, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the picture of the table."""
    site = texts.site(language_of(request))
    words = _words(request, asked, view)
    shown = pictures.table_regions(
        asked.game, view, _sitting(asked, view), words, site, papers=site.text("workshop.play.tab")
    )
    return {**vars(shown), "words": words}


def _play_page(request: Request, asked: _PlayRequest) -> Response:
    """Return the page of a game."""
    found, site = asked.played.to_tryout(), texts.site(language_of(request))
    words = _words(request, asked, found.view)
    question = question_of(asked.game, found.view, words, found.legal, found.mix) if found.legal else None
    picked = options_of(asked.game, found.picked, words)
    title = site.text("workshop.play.title")
    page_title = " – ".join((title, words.title(), "Atoll"))
    step = _step(asked.token, asked.seed, found.choices)
    here = asked.address(found.choices)
    data = private_game_data(found, words, question, picked, address=asked.path, step=step, here=here, title=page_title)
    values = _picture(request, asked, found.view) | {
        "game": asked.game,
        "scripts": pictures.scripts(asked.game),
        "symbols": pictures.symbols(asked.game),
        "title": title,
        "page_title": page_title,
        "path": asked.path,
        "tryout": found,
        "picked": picked,
        "step": step,
        "question": question,
        "longest_list": LONGEST_LIST,
        "back": asked.address(found.choices[:-1]) if found.choices else "",
        "start": asked.address(()),
        "other": f"{asked.path}?{urlencode({'step': _step(asked.token, (asked.seed + 1) % _SEEDS, ())})}",
        "editor": f"/workshop/{asked.game.id}" + (f"?{urlencode({'v': asked.token})}" if asked.token else ""),
        "turns": [
            (
                words.seat(each.seat),
                [words.choice(choice).removesuffix(".") for choice in each.choices],
                [line.words for line in lines(each.log, words, site)],
            )
            for each in reversed(found.tried)
        ],
        "data": safe_json(data),
    }
    return render(request, "workshop_play_main" if FRAGMENTS in request.headers else "workshop_play", **values)
