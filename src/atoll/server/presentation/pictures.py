"""Pictures of games: a game's own `picture.py` draws them from a view alone."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from string import Formatter
from typing import Any, Final, Literal

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.rulebook import GameCard, rulebook
from atoll.engine.rules import Rules
from atoll.engine.translations import GameMessages, domain_of
from atoll.lessons import Lesson, LessonError, lessons
from atoll.lessons.puzzle import Puzzle, puzzles
from atoll.picture import Drawing, Region, Scene, Sound
from atoll.picture.fragments import Fragment
from atoll.picture.loading import picture_of
from atoll.picture.region import ROLES

from ..domain.model import LogEntry, SeatInfo, TableSeats, TableView
from . import clocks, markup, texts

FIRST_LESSON: Final = "first"
_TABLE: Final = Markup('<path d="M3 7l9-4 9 4-9 4zM3 12l9 4 9-4M3 16l9 4 9-4"/>')
_MINE: Final = Markup('<path d="M4 6l7-2 3 14-7 2zM11 5l7 1-2 13-4-1"/>')
_SEATS: Final = Markup(
    '<circle cx="8" cy="8" r="3.500"/><circle cx="17" cy="9" r="3"/><path d="M2 20c0-9 12-9 12 0M14 14c4-3 8 0 8 6"/>'
)
_LOG: Final = Markup('<path d="M5 4h14v16H5zM8 8h8M8 12h8M8 16h5"/>')


def regions(game: Game, view: Mapping[str, Any] | None, words: GameMessages) -> list[Region]:
    """Return the picture of a view; empty if it fails, so that the list of choices remains.

    Args:
        game: The game.
        view: The view, or None.
        words: Messages of the game.
    """
    try:
        return list(picture_of(game.package).regions(game, view, words)) if view is not None else []
    except Exception as error:
        _note(game, error)
        return []


def answer_texts(game: Game, view: Mapping[str, Any], words: GameMessages) -> Mapping[int, str]:
    """Return choices' texts as answers to a decision, where their own texts say too little.

    Args:
        game: The game.
        view: The view of the asked seat.
        words: Messages of the game.
    """
    try:
        worded = getattr(picture_of(game.package), "answers", None)
        found: Mapping[int, str] = {} if worded is None else worded(game, view, words)
    except Exception as error:
        _note(game, error)
        return {}
    return found


def scene(game: Game) -> Scene | None:
    """Return the arrangement of a game's areas, or None to show them in order."""
    try:
        found: Scene | None = getattr(picture_of(game.package), "SCENE", None)
    except Exception as error:
        _note(game, error)
        return None
    return found


@dataclass(frozen=True)
class TableRegions:
    """The parts of a page that show a view. Each attribute is a name in templates.

    Attributes:
        regions: Regions that the game has drawn.
        scene: Their arrangement, or None.
        mode: Mode of the game's picture, a CSS class of the page.
        areas: Areas of the scene.
        cards: The viewer's cards in the dock.
        own: Label of the dock, or "" without cards.
        seats: All seats clockwise, the viewer's own first.
        goods: The viewer's goods, or None.
        dialogs: The dialogs.
        tabs: Tabs of the table on a phone.
    """

    regions: Sequence[Region]
    scene: Scene | None
    mode: str
    areas: Sequence[Fragment]
    cards: Sequence[Fragment]
    own: str
    seats: Sequence[Fragment]
    goods: Fragment | None
    dialogs: Sequence[Fragment]
    tabs: Fragment


def table_regions(
    game: Game,
    view: Mapping[str, Any] | None,
    table: TableView | TableSeats,
    words: texts.GameTexts,
    site: texts.Texts,
    *,
    papers: str = "",
    zone: str = "",
) -> TableRegions:
    """Return the parts of a page that show a view.

    Args:
        game: The game.
        view: The view of a seat or of a spectator. None if no game has started.
        table: The table with its seats.
        words: Messages of the game.
        site: Messages of the site.
        papers: Label of the last tab, or "" for "log".
        zone: Time zone of the reader, or "".
    """
    drawn, placed, mode = regions(game, view, words), scene(game), ""
    try:
        picture = picture_of(game.package)
        mode = picture.mode(view) if view is not None and hasattr(picture, "mode") else ""
    except Exception as error:
        _note(game, error)
        placed = None
    by_role: dict[str, list[Region]] = {role: [] for role in ROLES}
    for region in drawn:
        by_role[region.role].append(region)

    def tabs(region: Region, alone: str) -> str:
        """Return the tabs that show a region; without a scene, `alone`."""
        return alone if placed is None else placed.tabs_of(region.id)

    cards = [each for each in by_role["hand"] if each.drawings]
    dock_label = "" if not cards else site.text("tabs.mine") if table.seat is not None else cards[0].title
    return TableRegions(
        regions=drawn,
        scene=placed,
        mode=mode,
        areas=[markup.area(each, tabs(each, "table")) for each in (*by_role["board"], *by_role["shared"])],
        cards=[markup.hand(each, tabs(each, "")) for each in cards],
        own=dock_label,
        seats=_seats(table, by_role["seat"], words, site, zone),
        goods=markup.goods(tuple(by_role["hand"])) if by_role["hand"] else None,
        dialogs=[markup.dialog(each, site.text("dialog.close")) for each in by_role["dialog"]],
        tabs=markup.tabs(
            site.text("tabs.label"), _tabs(by_role, placed, words, site, dock_label, papers or site.text("tabs.log"))
        ),
    )


def _seats(
    table: TableView | TableSeats, regions: Sequence[Region], words: texts.GameTexts, site: texts.Texts, zone: str
) -> list[Fragment]:
    """Return all seats clockwise, the viewer's own first, with possessions and notes."""
    first, count = table.seat or 0, len(table.seats)
    return [
        markup.seat(
            seat,
            words.seat(seat),
            f"seat seat-{seat % 6}" + " to-move" * info.to_move + " viewer" * (seat == table.seat),
            _notes(info, site, zone, mine=seat == table.seat),
            tuple(region for region in regions if region.seat == seat),
            site.text("seat.guest") if info.guest else "",
        )
        for seat, info in ((seat % count, table.seats[seat % count]) for seat in range(first, first + count))
    ]


def _notes(info: SeatInfo, site: texts.Texts, zone: str, *, mine: bool) -> tuple[tuple[str, str], ...]:
    """Return the notes next to a seat's name, each with a CSS class and a text."""
    notes = [("you", site.text("seat.you"))] if mine else []
    if info.bot:
        notes.append(("", site.text("seat.stand_in" if info.stand_in else "seat.bot", level=site.level(info.bot))))
    if info.to_move and info.ready is None:
        notes.append(("turn", site.text("seat.to_move")))
    if info.ready is not None:
        notes.append(("turn", site.text("seat.ready" if info.ready else "seat.thinking")))
    time = clocks.note(info, site, zone)
    if time is not None:
        notes.append(("clock", time))
    return tuple(notes)


def _tabs(
    by_role: Mapping[str, Sequence[Region]],
    scene: Scene | None,
    words: texts.GameTexts,
    site: texts.Texts,
    own: str,
    papers: str,
) -> tuple[tuple[str, str, Markup], ...]:
    """Return the parts of the table on a phone, each with id, label and sign.

    Args:
        by_role: Regions by role.
        scene: Their arrangement, or None.
        words: Messages of the game.
        site: Messages of the site.
        own: Label of the dock, or "".
        papers: Label of the last tab.
    """
    region_ids = {region.id for regions in by_role.values() for region in regions}
    tabs = [
        (tab.id, words.say(f"table.tab.{tab.id}"), tab.sign)
        for tab in (() if scene is None else scene.tabs)
        if not region_ids.isdisjoint(tab.layout.rects)
    ]
    if not tabs:
        # Before the game starts, this must be the first tab, too.
        tabs = [("table", site.text("tabs.table"), _TABLE)]
    if own:
        tabs.append(("mine", own, _MINE))
    if region_ids:
        tabs.append(("seats", site.text("tabs.seats"), _SEATS))
    return (*tabs, ("log", papers, _LOG))


def named(game: Rules, entry: LogEntry) -> list[str]:
    """Return the ids of the seats and elements that a log line names; see `LIGHTS` of pictures."""
    try:
        return _named(game, entry)
    except Exception as error:
        _note(game, error)
        return []


def _named(game: Rules, entry: LogEntry) -> list[str]:
    domains = _domains(game)
    names: dict[str, list[str]] = {}
    for field, value in entry.fields.items():
        domain = domain_of(field)
        values = value if isinstance(value, list | tuple) else [value]
        known = domain in domains and domain != "seat"
        names[field] = [game.notation.name(domain, v) if known and type(v) is int else str(v) for v in values]
    seats = [f"seat-{seat}" for field, each in names.items() if domain_of(field) == "seat" for seat in each]
    if entry.origin != "game":
        return seats
    lights: Mapping[str, Sequence[str]] = getattr(picture_of(game.package), "LIGHTS", {})
    found = list(seats)
    for pattern in lights.get(entry.key, ()):
        fields = _fields(pattern)
        if all(field in names for field in fields):
            choices = product(*(names[field] for field in fields))
            found += [pattern.format(**dict(zip(fields, each, strict=True))) for each in choices]
    return list(dict.fromkeys(found))


def sound_of(game: Rules, log: Sequence[LogEntry]) -> Sound | Literal[""]:
    """Return the sound of an act; see `SOUNDS` of pictures.

    Args:
        game: The game.
        log: The act's log entries.

    Returns:
        The first sound of the game that belongs to one of the events, `piece` if none does, or ""
        for an act without events.
    """
    keys = {entry.key for entry in log if entry.origin == "game"}
    if not keys:
        return ""
    try:
        sounds: Mapping[Sound, Sequence[str]] = getattr(picture_of(game.package), "SOUNDS", {})
        return next((sound for sound, events in sounds.items() if not keys.isdisjoint(events)), "piece")
    except Exception as error:
        _note(game, error)
        return "piece"


@lru_cache(maxsize=256)
def _domains(game: Rules) -> frozenset[str]:
    """Return the names of all domains of a game."""
    return frozenset(game.vocabulary.domains())


@lru_cache(maxsize=2048)
def _fields(pattern: str) -> tuple[str, ...]:
    """Return the fields of an event that an id pattern contains."""
    return tuple(name for _, name, _, _ in Formatter().parse(pattern) if name)


def symbols(game: Game) -> Markup:
    """Return the shapes that a game's pictures share; empty if they fail."""
    try:
        return Markup(picture_of(game.package).symbols())  # noqa: S704 - markup of the game
    except Exception as error:
        _note(game, error)
        return Markup("")


def _note(game: Rules, error: Exception) -> None:
    texts.log_once("game can't be shown", f"{game.id}: {type(error).__name__}: {error}")


def lesson_address(game: Game, lesson: str) -> str:
    """Return the address of a lesson, or "" if it doesn't exist.

    Args:
        game: The game.
        lesson: Name of the lesson, optionally with a step: `first#four`.
    """
    name, _, step = lesson.partition("#")
    found = lessons_of(game).get(name)
    if found is None or not step:
        return "" if found is None else f"/learn/{game.id}/{name}"
    ids = [each.id for each in found.steps]
    return f"/learn/{game.id}/{name}?step={ids.index(step) + 1}" if step in ids else ""


def lessons_of(game: Game) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name; none if they can't be read, which is logged."""
    try:
        return lessons(game)
    except LessonError as error:
        _note(game, error)
        return {}


def puzzles_of(game: Game) -> Mapping[str, Puzzle]:
    """Return the puzzles of a game by id; none if they can't be read, which is logged."""
    try:
        return puzzles(game)
    except LessonError as error:
        _note(game, error)
        return {}


@dataclass(frozen=True, slots=True)
class GameCover:
    """A game as lists show it.

    Attributes:
        game: The game.
        words: Its messages.
        title: Its title.
        goal: Its goal in one sentence, or "".
        card: Key facts from its rulebook.
        lesson: Address of its first lesson, or "".
        puzzles: Whether it has puzzles.
        emblem: The picture that stands for it.
        symbols: Shapes that its pictures share.
    """

    game: Game
    words: texts.GameTexts
    title: str
    goal: str
    card: GameCard
    lesson: str
    puzzles: bool
    emblem: Drawing
    symbols: Markup


def cover(game: Game, language: str) -> GameCover | None:
    """Return a game as lists show it.

    Args:
        game: The game.
        language: Language code.

    Returns:
        The cover, or None if the game's texts or pictures are broken, so that other games stay
        visible.
    """
    try:
        words = texts.game_texts(game, language)
        picture = picture_of(game.package)
        goal = words.say("goal") if words.has(f"{game.id}.goal") else ""
        lesson = lesson_address(game, FIRST_LESSON)
        card, has_puzzles = rulebook(game).card, bool(puzzles_of(game))
        drawn = picture.emblem(), picture.symbols()
        return GameCover(game, words, words.title(), goal, card, lesson, has_puzzles, *drawn)
    except Exception as error:
        _note(game, error)
        return None


def scripts(game: Game) -> list[str]:
    """Return the file names of a game's JavaScript modules; it starts in `table.js`."""
    return sorted(file.name for file in importlib.resources.files(game.package).iterdir() if file.name.endswith(".js"))
