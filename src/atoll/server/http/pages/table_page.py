"""The values that the templates of a table's page use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.picture.fragments import Fragment

from ...domain.model import AnalysisState, TableView
from ...presentation import texts
from ...presentation.advice import Prospect
from ...presentation.analysis_chart import Study
from ...presentation.coach import Coach
from ...presentation.log_lines import Line
from ...presentation.pictures import Cover, Shown
from ...presentation.question import Option, Question


@dataclass(frozen=True, slots=True)
class MenuActs:
    """Actions at a running table for the menu.

    Attributes:
        can: "pause", "cancel" and "leave", those that aren't being voted on.
        late: The seats for which a bot can be proposed.
        others: The other seats whose consent a proposal needs.
        voter: The own seat that votes.
        level: The level of the bot that plays for a person who leaves.
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
        shown: The parts that show the view. Their names are names in the templates, too.
        view: The table.
        game: Its game.
        words: The texts of the game.
        site: The texts of the site.
        place: The path of the page.
        hidden: The seat that a curtain waits for, or None without a curtain.
        clock_told: The clock, in words.
        coached: Whether the reader has a coach: "off" or the kind of coach.
        coach: What the coach says, if it says something.
        lesson: The address of the game's first lesson, or "" if the reader has read it.
        asked: The seats to move.
        others: Whether other people sit at the table.
        question: The open question to the reader.
        picked: The picked members of a set.
        picking: Whether a set is picked.
        count: The number of picked members, in words.
        done: The choices of the open turn.
        advised: The choices that a strong bot considers.
        rule: The rule behind the question.
        rules_of: The address of the rules in play.
        now: The server's time in milliseconds.
        at: The moment that the picture shows.
        acted: The moment of the reader's last choice.
        data: The JSON for scripts.
        log: The log.
        chat: The chat.
        unbegun: Whether the game hasn't begun.
        gathered: The last lines of the log of a table that gathers.
        vote_lines: The lines that each vote would take back, by its subject.
        voters: The names of those who agree to each vote, by its subject.
        undone: The subjects of votes on moves that can be taken back, the last move first.
        score_lines: The lines of the score by seat.
        ranked: The seats of a finished game, the best first.
        rivals: The rivals without a seat, with their scores.
        ended: How the game ended, in words.
        harder: The options of the next level of a solo game.
        standing: A sentence on a table where nothing is played.
        late: The seats about which the reader can decide because their time is up.
        deciders: The number of people who decide about such a seat.
        due: When the time that is shown is up, or "".
        overdue: Whether the reader's own time is up.
        longest_list: The most lines of a list that is open at once.
        about: The paper about the table.
        papers: The tabs of the papers.
        acts: The actions for the menu.
        waits: Whether the reader waits for other people.
        has_next: Whether another table waits for the reader.
        cover: The cover of the game, before it begins.
        address: The address of the table for other devices, before the game begins.
        usual_level: The usual level of a bot, before the game begins.
        analysis: The state of the analysis of a finished game.
        study: Its chart.
    """

    shown: Shown
    view: TableView
    game: Game
    words: texts.GameTexts
    site: texts.Texts
    place: str
    hidden: int | None
    clock_told: Sequence[str]
    coached: str
    asked: Sequence[int]
    others: bool
    question: Question | None
    picked: Sequence[Option]
    picking: bool
    count: str
    done: Sequence[str]
    advised: Sequence[Prospect]
    rule: texts.Rule | None
    rules_of: str
    now: int
    at: int
    acted: int | None
    data: Markup
    log: Sequence[Fragment]
    chat: Sequence[Fragment]
    unbegun: bool
    gathered: Sequence[Line]
    vote_lines: Mapping[str, Sequence[Line]]
    voters: Mapping[str, str]
    undone: Sequence[str]
    score_lines: Sequence[Sequence[texts.ScoreLine]]
    ranked: Sequence[int]
    rivals: Sequence[texts.RivalScore]
    ended: str
    harder: Mapping[str, Any] | None
    standing: str
    late: Sequence[int]
    deciders: int
    due: str
    overdue: bool
    longest_list: int
    coach: Coach | None = None
    lesson: str = ""
    about: Fragment | None = None
    papers: Fragment | None = None
    acts: MenuActs | None = None
    waits: bool = False
    has_next: bool = False
    cover: Cover | None = None
    address: str = ""
    usual_level: str = ""
    analysis: AnalysisState | None = None
    study: Study | None = None

    def names(self) -> dict[str, Any]:
        """Return all values by their names in templates."""
        return {**vars(self.shown), **vars(self)}
