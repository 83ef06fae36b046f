"""Turn drafts: choices that a seat has made but not confirmed, visible to that seat only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .decisions import Choose, Picks
from .errors import AtollError, IllegalChoice, NothingToUndo, RulesError, WrongSeat
from .json_types import JsonObject
from .position import Position


class TurnDraft:
    """A fork without a source of chance on which one seat tries its turn.

    The draft ends where chance, a reveal or another seat follows. To confirm it, apply its choices
    to the real position: `position.apply(draft.choices, seat)`.

    Members of a set (`Picks`) can be picked in any order and removed again, also from a set that
    has just become complete. The set is applied when it is complete or when its end is chosen.

    Args:
        origin: The position; it isn't changed.
        seat: The seat, which must be asked now.
        clicks: Inputs to start with.

    Attributes:
        seat: The seat.
        inputs: Choices as the seat made them, without removed ones. A draft created with them is
            equal to this one.
        choices: The same in the order in which the rules ask, up to what has been applied.
        picked: Members picked of the current set that haven't been applied.
        position: The position after `choices`.

    Raises:
        WrongSeat: If the seat doesn't exist or isn't asked.
        IllegalChoice: If one of `clicks` isn't legal.
        MalformedChoice: If one of `clicks` isn't a choice of the game.
    """

    __slots__ = ("_closed", "_followed", "_origin", "choices", "inputs", "picked", "position", "seat")

    def __init__(self, origin: Position, seat: int, clicks: Sequence[int] = ()) -> None:
        origin.decision(seat)
        self._origin: Position = origin
        self.seat: int = seat
        self._begin()
        for choice in clicks:
            self.add(choice)

    def _begin(self) -> None:
        """Discard all choices, on a copy of the origin in which sealed decisions stay closed."""
        self.position: Position = self._origin.fork()
        self.position.hold_sealed()
        self.inputs: list[int] = []
        self.choices: list[int] = []
        self.picked: list[int] = []
        self._closed: list[int] = []  # members of the set that the last input completed
        self._followed: list[int] = []  # other members of that set, which followed automatically

    # -- queries ----------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """True while the seat can choose further; otherwise it can only confirm or undo."""
        return self.seat in self.position.to_move and self.position.sealed == self._origin.sealed

    @property
    def picks(self) -> Picks | None:
        """The current set; None if no set is asked for."""
        return self.position.decision(self.seat).picks if self.open else None

    def legal(self) -> list[int]:
        """Return the choices that can be added, ascending; empty if the turn is complete.

        In a set these are all members that still fit.
        """
        if not self.open:
            return []
        ask = self.position.decision(self.seat)
        if ask.picks is None:
            return self.position.legal_choices(self.seat)
        return sorted([*ask.picks.offers(self.picked), *ask.side_choices])

    def removable(self) -> list[int]:
        """Return the picked members that can be removed, ascending, with duplicates.

        Members of a set that the last input completed can be removed unless the next decision
        offers the same choice.
        """
        if self.picked:
            return sorted(self.picked)
        return sorted(each for each in self._closed if each not in self.legal()) if self._closed else []

    def final(self) -> list[int] | None:
        """Return the choices of the whole turn if it can be confirmed now, else None.

        A turn can also be confirmed if ending the current set completes it.
        """
        if not self.open:
            return list(self.choices) or None
        picks = self.picks
        if picks is None or not self.picked or not picks.may_end(self.picked):
            return None
        ended = TurnDraft(self._origin, self.seat, [*self.inputs, picks.end])
        return None if ended.open else ended.choices

    def choices_in_rule_order(self) -> list[int]:
        """Return `choices` and those picks of the current set that the rules can already be given.

        The rules ask in a fixed order, so picks after a gap aren't included.
        """
        picks = self.picks
        choices = list(self.choices)
        if picks is not None and self.picked:
            trial = self.position.fork()
            for choice in sorted(self.picked, key=picks.order):
                if choice not in trial.legal_choices(self.seat):
                    break
                trial.apply(choice, self.seat)
                choices.append(choice)
        return choices

    def view(self, more: Sequence[int] = ()) -> JsonObject:
        """Return the seat's view after the applied choices, with the picks of the current set.

        Args:
            more: Members of the current set to treat as picked; a set that they complete stays open
                here.
        """
        seen = self.position.view(self.seat)
        picks = self.picks
        if picks is not None:
            asked, clicked = seen["decision"], [*self.picked, *more]
            picked_set = {**asked["set"], "picked": picks.with_part(clicked)}
            options = sorted([*picks.offers(clicked), *asked.get("beside", ())])
            seen["decision"] = {**asked, "options": options, "set": picked_set}
        return seen

    # -- changes ----------------------------------------------------------------------------------

    def add(self, choice: int | Sequence[int]) -> None:
        """Add a choice, or a list of choices that is added completely or not at all.

        A list may contain all members of an `AmountSet`, including amounts that follow
        automatically.

        Args:
            choice: A choice of `legal()`, or a list.

        Raises:
            AtollError: If a choice can't be added: `WrongSeat` if the turn is complete,
                `IllegalChoice` if it isn't legal, `MalformedChoice` if it isn't a choice of the
                game.
        """
        before = list(self.inputs)
        self._followed = []
        try:
            for each in [choice] if isinstance(choice, int) else choice:
                if each in self._followed:
                    self._followed.remove(each)
                else:
                    self._click(each)
        except AtollError:
            self._stand_at(before)
            raise

    def _click(self, choice: int) -> None:
        if not self.open:
            raise WrongSeat("the turn is complete; confirm it or take something back")
        ask = self.position.decision(self.seat)
        picks = ask.picks
        closed: list[int] = []
        self._followed = []
        if picks is None:
            self._carry_out(choice)
        elif choice not in self.legal():
            fitting = self._shown(self.legal())
            raise IllegalChoice(f"{self.position.text(choice)!r} doesn't fit into the set: expected one of {fitting}")
        elif choice == picks.end:
            self._make(ask, picks)
        elif choice in ask.side_choices:
            self._carry_out(choice)
        else:
            self.picked.append(choice)
            if picks.is_whole(self.picked):
                closed = self.picked
                self._make(ask, picks)
        self.inputs.append(choice)
        self._closed = closed

    def _shown(self, choices: Sequence[int]) -> str:
        return ", ".join(self.position.text(each) for each in choices)

    def _carry_out(self, choice: int) -> None:
        self.position.apply(choice, self.seat)
        self.choices.append(choice)

    def _make(self, ask: Choose, picks: Picks) -> None:
        """Apply the picked members in the order in which the rules ask, and end the set."""
        wanted = Counter([*picks.picked, *self.picked])
        clicked, self.picked = self.picked, []
        while self.open:
            ask = self.position.decision(self.seat)
            if ask.picks is not picks:
                break
            left = list((wanted - Counter(picks.picked)).elements())
            self._carry_out(_next_pick(ask, picks, left, clicked))
        self._followed = list((Counter(picks.picked) - wanted).elements())

    def remove(self, choice: int) -> None:
        """Remove a picked member of a set.

        Args:
            choice: The choice of the member.

        Raises:
            IllegalChoice: If the choice can't be removed.
            MalformedChoice: If the value isn't a choice of the game.
        """
        droppable = self.removable()
        if choice not in droppable:
            picked = self._shown(droppable) or "nothing"
            raise IllegalChoice(f"{self.position.text(choice)!r} can't be removed: expected one of {picked}")
        last = len(self.inputs) - 1 - self.inputs[::-1].index(choice)
        self._stand_at([*self.inputs[:last], *self.inputs[last + 1 :]])

    def undo(self) -> None:
        """Undo the last input.

        Raises:
            NothingToUndo: If nothing has been chosen.
        """
        if not self.inputs:
            raise NothingToUndo("nothing was chosen in this turn yet")
        self._stand_at(self.inputs[:-1])

    def restart(self) -> None:
        """Discard all inputs."""
        self._begin()

    def _stand_at(self, clicks: Sequence[int]) -> None:
        self._begin()
        for choice in clicks:
            self._click(choice)


def _next_pick(ask: Choose, picks: Picks, left: Sequence[int], clicked: Sequence[int]) -> int:
    """Return the next choice for the rules so that the set gets exactly the remaining members.

    Args:
        ask: The open decision.
        picks: The set.
        left: Members that the rules haven't been given yet.
        clicked: All members in the order in which they were picked; it decides among members that
            `picks.order` treats as equal.

    Raises:
        RulesError: If the set can't be asked for in its order.
    """
    order = picks.order or int
    fitting = sorted(
        (each for each in left if each in ask.choices), key=lambda each: (order(each), clicked.index(each))
    )
    if fitting:
        return fitting[0]
    if not left and picks.end in ask.choices:
        return picks.end
    forced = [each for each in ask.choices if each in picks.members and picks.may_hold([*left, each])]
    if len(forced) != 1:
        raise RulesError(f"the set of {ask.prompt!r} can't be asked for in its order: {left} of {list(ask.choices)}")
    return forced[0]
