"""Scoring windows (AU-4.1) and the final scoring (AU-5.8)."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Flow, RequestFlow, Sealed, pick_set

from . import scoring
from .kinds import SCORE
from .lattice import cards_in
from .state import NO_RESIDENT, TURN, AtuaState, ScoredCounts


def score_window(s: AtuaState) -> Flow:
    """Let all seats choose open sources in secret, and score these as the table is now.

    Nothing is chosen if exactly as many sources are open as must be scored.
    After the last window the game is over.
    Rules AU-4.1 and AU-6.1, ruling R26.
    """
    number = s.components.windows[s.window].sources_to_score
    s.emit("window", stack="ABC"[s.window], number=number)
    chosen = [s.open_sources(seat) for seat in range(s.seats)]
    if number < len(chosen[0]):
        chosen = yield Sealed(range(s.seats), lambda seat: choose_sources(s, seat, number))
    for seat, sources in enumerate(chosen):
        score_sources(s, seat, sources)
    s.window += 1
    s.phase = TURN
    if s.window == len(s.components.windows):
        score_final(s)


def choose_sources(s: AtuaState, seat: int, number: int) -> RequestFlow[list[int]]:
    """Ask a seat for the sources that it scores in this window.

    Rule AU-4.1.

    Args:
        s: The state.
        seat: The seat.
        number: The number of sources to choose.

    Returns:
        The sources.
    """
    picked: list[int] = yield from pick_set(
        seat, "window", SCORE.all_choices(s.open_sources(seat)), number, number, rule="window"
    )
    return [SCORE.part(choice) for choice in picked]


def score_sources(s: AtuaState, seat: int, sources: Sequence[int]) -> None:
    """Score the chosen sources permanently, even with 0 points.

    Rule AU-4.1, rulings R27 and R28.

    Args:
        s: The state.
        seat: The seat.
        sources: The sources.
    """
    s.had[seat] += ScoredCounts(cards_in(s.placed[seat]) - 1, s.supply[seat], int(s.revealed[seat] != NO_RESIDENT))
    for source in sources:
        points = scoring.source_now(s, seat, source).points
        s.sheet[seat][source] = points
        s.scored_in[seat][source] = s.window
        s.emit("scored", seat=seat, source=source, points=points)


def score_final(s: AtuaState) -> None:
    """End the game with fates and bonuses; a resident that wasn't played stays hidden.

    The points are those of `scoring.explain`.
    Rules AU-5.8 and AU-6.1, ruling R33.
    """
    s.over = True
    if s.events is None:  # in a rollout, computing the sheets would take a quarter of the time
        return
    for seat, lines in enumerate(scoring.explain(s)):
        for line in lines:
            if line.key == "fate" or (line.key in ("beach_bonus", "coconut_bonus") and line.points):
                s.emit(line.key, seat=seat, points=line.points, **line.fields)
        s.emit("total", seat=seat, points=sum(line.points for line in lines))
    if s.solo:
        s.emit("tahuma", points=sum(line.points for line in scoring.tahumas_sheet(s)))
