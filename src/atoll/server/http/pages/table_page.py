"""The values that the templates of a table's page use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.picture.fragments import Fragment

from ...domain.model import AnalysisState, RatingChange, TableView
from ...play.ratings import PlayerFacts
from ...presentation import texts
from ...presentation.advice import ProspectText
from ...presentation.analysis_chart import AnalysisChart
from ...presentation.coach import CoachPanel
from ...presentation.ending import Contender
from ...presentation.log_lines import LogLine
from ...presentation.pictures import GameCover, TableRegions
from ...presentation.question import ChoiceText, Question


@dataclass(frozen=True, slots=True)
class MenuActs:
    """Actions at a running table for the menu.

    Attributes:
        can: "pause", "cancel" and "leave", except those that are being voted on.
        late: Seats for which replacing the player with a bot can be proposed.
        others: Other seats whose agreement a vote needs.
        voter: The reader's seat that votes.
        level: Level of the bot that replaces a player who leaves.
        coach: Whether a coach is offered.
    """

    can: frozenset[str]
    late: tuple[int, ...]
    others: frozenset[int]
    voter: int
    level: str
    coach: bool


@dataclass(frozen=True)
class TablePage:
    """The page of a table. Each attribute is a name in its templates.

    Attributes:
        shown: Regions that show the view. Their names are names in the templates, too.
        view: The table.
        game: Its game.
        words: Texts of the game.
        site: Texts of the site.
        place: Path of the page.
        hidden: The seat that a curtain waits for, or None without a curtain.
        clock_told: Time control in words.
        correspondence: Whether the players aren't expected to stay.
        coached: "off", or the kind of coach that the reader has.
        coach: The coach's panel, or None if the coach says nothing.
        lesson: Address of the game's first lesson, or "" if the reader knows it.
        asked: The seats that are asked.
        others: Whether other people have seats at the table.
        question: The open question to the reader, or None.
        picked: Picked members of a set.
        picking: Whether a set is being picked.
        count: Number of picked members in words.
        done: Choices of the turn draft in words.
        advised: Choices that a strong bot considers.
        rule: The rule behind the question, or None.
        rules_of: Address of the rules in play.
        at: The moment that the picture shows.
        acted: The moment of the reader's last choice, or None.
        data: JSON for scripts.
        log: Lines of the log.
        chat: Chat messages.
        unbegun: Whether the game hasn't begun.
        gathered: Last lines of the log of a table that waits for players.
        vote_lines: Log lines that each vote would take back, by its subject.
        voters: Names of those who agree to each vote, by its subject.
        undone: Subjects of votes on answers that can be taken back, last answer first.
        score_lines: Lines of the score, per seat.
        ranked: Seats of a finished game, best first.
        rivals: Rivals without a seat, with their scores.
        ended: Result of the game in words.
        podium: The best three of a finished game; none if nobody else was ranked.
        decided: Sentences on how the game was won, or "" before the end.
        harder: Options of the next level of a solo game, or None.
        standing: A sentence on a table where no game is running, or "".
        late: Seats about which the reader can decide because their time is up.
        deciders: Number of people who decide about such a seat.
        due: Deadline to show, or "".
        overdue: Whether the reader's own time is up.
        longest_list: Largest number of lines of a list that is open at first.
        about: The paper about the table.
        papers: Tabs of the papers.
        acts: Actions for the menu, or None if there are none.
        present: Seats of other people who have the table open.
        present_names: Their names.
        waits: Whether the reader waits for other people.
        has_next: Whether another table waits for the reader.
        cover: Cover of the game, or None after the start.
        address: Address of the table for other devices, or "" after the start.
        usual_level: Default level of a bot, or "" after the start.
        rating_told: Whether the game counts for ratings, in words; "" without ratings.
        changes: Changes of ratings by seat, after the end of a game that counts.
        players: Ratings and reliability by seat; none after the start.
        followed: Names of accounts that the host follows and may invite; none after the start.
        analysis: State of the analysis of a finished game, or None before the end.
        study: Its chart, or None without one.
    """

    shown: TableRegions
    view: TableView
    game: Game
    words: texts.GameTexts
    site: texts.Texts
    place: str
    hidden: int | None
    clock_told: Sequence[str]
    correspondence: bool
    rating_told: str
    changes: Mapping[int, RatingChange]
    coached: str
    asked: Sequence[int]
    others: bool
    question: Question | None
    picked: Sequence[ChoiceText]
    picking: bool
    count: str
    done: Sequence[str]
    advised: Sequence[ProspectText]
    rule: texts.Rule | None
    rules_of: str
    at: int
    acted: int | None
    data: Markup
    log: Sequence[Fragment]
    chat: Sequence[Fragment]
    unbegun: bool
    gathered: Sequence[LogLine]
    vote_lines: Mapping[str, Sequence[LogLine]]
    voters: Mapping[str, str]
    undone: Sequence[str]
    score_lines: Sequence[Sequence[texts.ScoreLineText]]
    ranked: Sequence[int]
    rivals: Sequence[texts.RivalScore]
    ended: str
    podium: Sequence[Contender]
    decided: str
    harder: Mapping[str, Any] | None
    standing: str
    late: Sequence[int]
    deciders: int
    due: str
    overdue: bool
    longest_list: int
    coach: CoachPanel | None = None
    lesson: str = ""
    about: Fragment | None = None
    papers: Fragment | None = None
    acts: MenuActs | None = None
    present: tuple[int, ...] = ()
    present_names: str = ""
    waits: bool = False
    has_next: bool = False
    cover: GameCover | None = None
    address: str = ""
    usual_level: str = ""
    players: Mapping[int, PlayerFacts] = field(default_factory=dict)
    followed: tuple[str, ...] = ()
    analysis: AnalysisState | None = None
    study: AnalysisChart | None = None

    def names(self) -> dict[str, Any]:
        """Return all values by their names in templates."""
        return {**vars(self.shown), **vars(self)}
