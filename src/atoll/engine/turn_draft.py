"""A seat's open turn: choices made but not yet confirmed, seen only by that seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .decisions import Choose, Picks
from .errors import AtollError, IllegalChoice, NothingToUndo, RulesError, WrongSeat
from .json_types import JsonObject
from .position import Position


class TurnDraft:
    """A fork without a source of chance, on which one seat tries its turn.

    It stops by itself where chance, a reveal or another seat follows: then nothing more can be chosen, and the choices
    are confirmed by applying them to the real position: `position.apply(stage.choices, seat)`.

    Where the rules ask for a set (Picks), its members are picked in any order, and a picked one can be dropped again,
    also from a set that is just complete. The set is made when it is complete or when its end is chosen, and only then
    is it carried out.
    clicks: what the seat has clicked, without what it has dropped; a Stage made with them stands where this one does.
    choices: the same as the rules ask for it, as far as it is carried out. position: the moment after these.
    picked: what is clicked of the set that is asked for now, but not carried out.
    """

    __slots__ = ("_closed", "_followed", "_origin", "choices", "inputs", "picked", "position", "seat")

    def __init__(self, origin: Position, seat: int, clicks: Sequence[int] = ()) -> None:
        """Start a turn, with choices already made. Raises what `Position.apply` raises."""
        origin.decision(seat)
        self._origin: Position = origin
        self.seat: int = seat
        self._begin()
        for choice in clicks:
            self.add(choice)

    def _begin(self) -> None:
        """Nothing is chosen, on a copy of the origin on which a sealed decision never opens."""
        self.position: Position = self._origin.fork()
        self.position.hold_sealed()
        self.inputs: list[int] = []
        self.choices: list[int] = []
        self.picked: list[int] = []
        self._closed: list[int] = []  # the set that the last click has completed
        self._followed: list[int] = []  # what else that set holds: it followed by itself

    # -- what can be done ----------------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """Whether the seat can go on choosing; if not, there is only to confirm or to undo."""
        return self.seat in self.position.to_move and self.position.sealed == self._origin.sealed

    @property
    def picks(self) -> Picks | None:
        """The set that is asked for now, if one is."""
        return self.position.decision(self.seat).picks if self.open else None

    def legal(self) -> list[int]:
        """What the seat can choose next, ascending; [] when the turn is complete. Of a set all that still fits."""
        if not self.open:
            return []
        ask = self.position.decision(self.seat)
        if ask.picks is None:
            return self.position.legal_choices(self.seat)
        return sorted([*ask.picks.offers(self.picked), *ask.side_choices])

    def removable(self) -> list[int]:
        """The picked members of a set that can be dropped, ascending; equal ones as often as they are picked.

        Of a set that the last click has completed only what isn't on offer in the decision after it.
        """
        if self.picked:
            return sorted(self.picked)
        return sorted(each for each in self._closed if each not in self.legal()) if self._closed else []

    def final(self) -> list[int] | None:
        """The choices of the whole turn, if it is complete or the end of the set that is picked completes it."""
        if not self.open:
            return list(self.choices) or None
        picks = self.picks
        if picks is None or not self.picked or not picks.may_end(self.picked):
            return None
        ended = TurnDraft(self._origin, self.seat, [*self.inputs, picks.end])
        return None if ended.open else ended.choices

    def choices_in_rule_order(self) -> list[int]:
        """`choices`, and what the rules can be told of the set that is being picked now: up to a gap in their order."""
        picks = self.picks
        told = list(self.choices)
        if picks is not None and self.picked:
            trial = self.position.fork()
            for choice in sorted(self.picked, key=picks.order):
                if choice not in trial.legal_choices(self.seat):
                    break
                trial.apply(choice, self.seat)
                told.append(choice)
        return told

    def view(self, more: Sequence[int] = ()) -> JsonObject:
        """What the seat sees with its staged choices carried out; of a set what it has clicked, and what still fits.

        more: members of the set that are taken for clicked, too; what is complete with them is still open here.
        """
        seen = self.position.view(self.seat)
        picks = self.picks
        if picks is not None:
            asked, clicked = seen["decision"], [*self.picked, *more]
            told = {**asked["set"], "picked": picks.with_part(clicked)}
            options = sorted([*picks.offers(clicked), *asked.get("beside", ())])
            seen["decision"] = {**asked, "options": options, "set": told}
        return seen

    # -- doing it ------------------------------------------------------------------------------------------------

    def add(self, choice: int | Sequence[int]) -> None:
        """Choose on the stage; a list is taken whole or not at all. It may name all of a mix, also what follows.

        Raises WrongSeat where the turn has ended, IllegalChoice, MalformedChoice.
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
            raise IllegalChoice(f"{self.position.text(choice)!r} doesn't fit into the set; what does: {fitting}")
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
        """Carry the picked members out, in the order in which the rules ask for them, and end the set."""
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
        """Take one picked member out of the set. Raises IllegalChoice, MalformedChoice."""
        droppable = self.removable()
        if choice not in droppable:
            picked = self._shown(droppable) or "nothing"
            raise IllegalChoice(f"{self.position.text(choice)!r} can't be dropped; what can: {picked}")
        last = len(self.inputs) - 1 - self.inputs[::-1].index(choice)
        self._stand_at([*self.inputs[:last], *self.inputs[last + 1 :]])

    def undo(self) -> None:
        """Take the last choice back. Raises NothingToUndo."""
        if not self.inputs:
            raise NothingToUndo("nothing was chosen in this turn yet")
        self._stand_at(self.inputs[:-1])

    def restart(self) -> None:
        """Take the whole turn back."""
        self._begin()

    def _stand_at(self, clicks: Sequence[int]) -> None:
        self._begin()
        for choice in clicks:
            self._click(choice)


def _next_pick(ask: Choose, picks: Picks, left: Sequence[int], clicked: Sequence[int]) -> int:
    """What the rules must be told next so that the set holds just these members. Raises RulesError if they can't.

    clicked: all of them in the order in which they were clicked, which counts among members that `picks.order` doesn't
    put in order.
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
