"""Games with one fault each, and the laws that must find it."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import structs

from atoll.engine import (
    Choose,
    Flag,
    Flow,
    JsonMapping,
    JsonObject,
    Options,
    Picks,
    Position,
    Reason,
    RequestFlow,
    ScoreLine,
    SeatView,
    State,
    audience_of_seats,
)
from atoll.testing import Law, laws, presentation_laws, secrecy_laws, set_laws

from .honest import HIDE, MARK, NUMBERS, PAY, SHOW, STOP, Honest, HonestState

FAULTS: Final[list[tuple[Honest, Law]]] = []


def found_by(*found: Law) -> Any:
    """Note a game with a fault, and each law that must find it."""

    def note(game: type[Honest]) -> type[Honest]:
        FAULTS.extend((game(), law) for law in found)
        return game

    return note


# -- words -------------------------------------------------------------------------------------------------------------


@found_by(presentation_laws.catalogues_are_complete)
class OptionWithoutText(Honest):
    options = (Flag("unsaid", default=False),)


# -- secrets that leak -------------------------------------------------------------------------------------------------


@found_by(secrecy_laws.secret_answers_show_nothing)
class PublicFieldShowsDraw(Honest):
    def keep(self, s: Any, seat: int, card: int) -> None:
        super().keep(s, seat, card)
        s.last = card


@found_by(secrecy_laws.secret_answers_show_nothing)
class LogShowsDraw(Honest):
    def tell_drawn(self, s: Any, seat: int, card: int) -> None:
        s.emit("drew", seat=seat, card=card)


@found_by(secrecy_laws.secret_answers_show_nothing)
class LogTellsOnlyOfHighDraws(Honest):
    def tell_drawn(self, s: Any, seat: int, card: int) -> None:
        if card > 5:
            super().tell_drawn(s, seat, card)


@found_by(secrecy_laws.secret_answers_show_nothing)
class LogShowsHiddenCount(Honest):
    def marked(self, s: Any) -> None:
        for seat in range(s.seats):
            s.emit("marked", seat=seat, n=len(s.marks[seat]))


@found_by(secrecy_laws.secret_answers_show_nothing)
class PublicFieldShowsHiddenCount(Honest):
    def marked(self, s: Any) -> None:
        s.last = sum(map(len, s.marks))


@found_by(secrecy_laws.all_see_what_is_public)
class LiveIsSaidToBePublic(Honest):
    derived_view_is_public = True

    def derived_view(self, s: Any, viewer: int | None) -> JsonObject:
        return {"mine": None if viewer is None else sum(s.hands[viewer])}


class _Reveals(Honest):
    """An answer claims to reveal something, although it stays hidden."""

    def take_turn(self, s: Any) -> Flow:
        flow = super().take_turn(s)
        ask = next(flow)
        while True:
            if isinstance(ask, Choose) and ask.prompt == "hide":
                ask.reveals = True
            answer: int = yield ask
            if isinstance(ask, Choose) and ask.prompt == "hide":
                self.after_hiding(s, ask.seat, answer)
            try:
                ask = flow.send(answer)
            except StopIteration:
                return

    def after_hiding(self, s: Any, seat: int, choice: int) -> None:
        raise NotImplementedError


@found_by(secrecy_laws.secret_answers_show_nothing)
class RevealsUntold(_Reveals):
    def after_hiding(self, s: Any, seat: int, choice: int) -> None:
        s.last = choice % 2


@found_by(secrecy_laws.secrets_are_in_the_state_only)
class OptionsShowHand(Honest):
    def pay_options(self, s: Any, seat: int, payer: int) -> list[int]:
        options = super().pay_options(s, seat, payer)
        return options[: 1 + sum(s.hidden[seat]) % len(options)]


@found_by(secrecy_laws.secrets_are_in_the_state_only)
class PromptShowsHand(Honest):
    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        yield Choose(payer, "pay", [PAY.choice(0)], placeholders={"card": max(s.hidden[seat])}, rule="turn")


@found_by(secrecy_laws.secrets_are_in_the_state_only)
class WhoIsAskedShowsHand(Honest):
    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        if sum(s.hidden[seat]) % 2:
            yield from super().pay(s, seat, payer)


@found_by(secrecy_laws.secrets_are_in_the_state_only)
class LiveFactsShowHands(Honest):
    def derived_view(self, s: Any, viewer: int | None) -> JsonObject:
        return {"sums": [sum(hand) for hand in s.hands]}


@found_by(secrecy_laws.secrets_are_in_the_state_only)
class LocalKeepsSecret(Honest):
    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        best = max(s.hidden[seat])
        yield from super().pay(s, seat, payer)
        s.last = best


@found_by(secrecy_laws.determinization_keeps_views)
class OrderOfHandShowsWhenDrawn(Honest):
    def keep(self, s: Any, seat: int, card: int) -> None:
        s.hands[seat].append(card)

    def hide_options(self, s: Any, seat: int) -> list[int]:
        return sorted(super().hide_options(s, seat))

    def take_turn(self, s: Any) -> Flow:
        flow = super().take_turn(s)
        ask = next(flow)
        while True:
            if isinstance(ask, Choose):
                ask.choices = sorted(ask.choices)
            answer: int = yield ask
            try:
                ask = flow.send(answer)
            except StopIteration:
                return


@found_by(secrecy_laws.determinization_keeps_views)
class OptionsComeFromRedealtCards(Honest):
    def determinize(self, s: Any, seat: int, rng: random.Random) -> None:
        super().determinize(s, seat, rng)
        s.coins[seat] = 0


@found_by(secrecy_laws.secret_answers_show_nothing, laws.order_of_sealed_answers_is_irrelevant)
class SealedFlowWrites(Honest):
    def mark(self, s: Any, seat: int) -> RequestFlow[list[int]]:
        choice: int = yield Choose(seat, "mark", [MARK.choice(0), STOP.first], audience=audience_of_seats(seat))
        s.last = 2 * seat + int(choice == STOP.first)
        return []


# -- sets --------------------------------------------------------------------------------------------------------------


class _OwnSet(Honest):
    """Asks for a set in a loop of its own."""

    def mark(self, s: Any, seat: int) -> RequestFlow[list[int]]:
        members = [MARK.choice(number) for number in range(NUMBERS)]
        picks = Picks(members, 0, NUMBERS, STOP.first)
        while True:
            options = [*self.next_options(members, picks.picked), STOP.first]
            choice: int = yield Choose(seat, "mark", options, audience=audience_of_seats(seat), into=picks)
            if choice == STOP.first:
                return [MARK.part(each) for each in picks.picked]
            picks.picked.append(choice)

    def next_options(self, members: Sequence[int], picked: Sequence[int]) -> list[int]:
        raise NotImplementedError


@found_by(set_laws.sets_are_picked_in_any_order)
class SetAskedInAnotherOrder(_OwnSet):
    def next_options(self, members: Sequence[int], picked: Sequence[int]) -> list[int]:
        return [each for each in members if not picked or each < picked[-1]]


@found_by(set_laws.sets_are_picked_in_any_order)
class SetOffersWhatDoesNotFit(_OwnSet):
    def next_options(self, members: Sequence[int], picked: Sequence[int]) -> list[int]:
        after = [each for each in members if not picked or each > picked[-1]]
        return after[:-1] if members[0] in picked else after


# -- play that stops or goes wrong -------------------------------------------------------------------------------------


@found_by(laws.random_play_ends)
class NeverEnds(Honest):
    def is_over(self, s: Any) -> bool:
        s.turn = 1
        s.deck = [*s.deck, *s.shown[0]]
        s.shown[0] = []
        s.shown[1:] = [[] for _ in s.shown[1:]]
        s.deck = list(range(12))
        s.hands = [hand[:1] for hand in s.hands]
        s.hidden = [[] for _ in s.hidden]
        s.sums = [0] * s.seats
        return False


@found_by(laws.random_play_ends)
class AsksWithoutOptions(Honest):
    def pay_options(self, s: Any, seat: int, payer: int) -> list[int]:
        return [PAY.choice(amount) for amount in range(1, min(s.coins[payer], 3) + 1)] if s.turn < 3 else []


@found_by(laws.random_play_ends)
class DescendingOptions(Honest):
    def hide_options(self, s: Any, seat: int) -> list[int]:
        return super().hide_options(s, seat)[::-1]


@found_by(laws.random_play_ends)
class OffersTwice(Honest):
    def hide_options(self, s: Any, seat: int) -> list[int]:
        return sorted(super().hide_options(s, seat) * 2)


@found_by(laws.random_play_ends)
class OffersWhatIsNoAnswer(Honest):
    prompts: ClassVar[Any] = {"hide": (HIDE,), "show": (SHOW,), "mark": (MARK, STOP), "pay": (MARK,)}


@found_by(laws.random_play_ends)
class AsksWhatIsNotDeclared(Honest):
    prompts: ClassVar[Any] = {"hide": (HIDE,), "show": (SHOW,), "mark": (MARK, STOP)}


@found_by(laws.random_play_ends)
class OffersChance(Honest):
    def hide_options(self, s: Any, seat: int) -> list[int]:
        return [*super().hide_options(s, seat), self.vocabulary.decisions]


@found_by(laws.offers_can_be_made)
class OffersWhatFails(Honest):
    def show(self, s: Any, seat: int, card: int) -> None:
        if s.turn == 1 and card == max(s.hands[seat]):
            raise KeyError(card)
        super().show(s, seat, card)


@found_by(laws.offers_can_be_made)
class DeadEnd(Honest):
    def hide_options(self, s: Any, seat: int) -> list[int]:
        return [] if s.last == 0 else super().hide_options(s, seat)

    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.last = 0 if s.turn == 2 and card > max(s.hands[seat]) else -1


@found_by(laws.components_are_conserved)
class CardGetsLost(Honest):
    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        if s.turn == 3:
            s.hidden[seat].pop()


@found_by(laws.components_are_conserved)
class RedealLosesCoins(Honest):
    def determinize(self, s: Any, seat: int, rng: random.Random) -> None:
        super().determinize(s, seat, rng)
        s.coins[1 - seat % 2] = 0


@found_by(laws.declared_bounds_hold)
class NumberOutOfBounds(Honest):
    def keep(self, s: Any, seat: int, card: int) -> None:
        super().keep(s, seat, card)
        s.last = 99


@found_by(laws.declared_bounds_hold)
class ListTooLong(Honest):
    def marked(self, s: Any) -> None:
        s.marks[0] = [0] * 4


@found_by(presentation_laws.amounts_stay_below_their_bound)
class AmountAtItsBound(Honest):
    def pay_options(self, s: Any, seat: int, payer: int) -> list[int]:
        return [PAY.choice(0), PAY.choice(9)]


# -- states and copies -------------------------------------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class UndeclaredState(HonestState):
    secret: int = dataclasses.field(init=False, default=0)

    def clone(self) -> UndeclaredState:
        c: Any = HonestState.clone(self)
        c.secret = self.secret
        return c  # type: ignore[no-any-return]


@found_by(laws.clones_are_complete_and_independent)
class UndeclaredField(Honest):
    state_type = UndeclaredState


@dataclasses.dataclass(slots=True)
class SharingState(HonestState):
    def clone(self) -> SharingState:
        c: Any = HonestState.clone(self)
        c.shown = self.shown[:]
        return c  # type: ignore[no-any-return]


@dataclasses.dataclass(slots=True)
class ForgetfulState(HonestState):
    def clone(self) -> ForgetfulState:
        c: Any = HonestState.clone(self)
        del c.last
        return c  # type: ignore[no-any-return]


@dataclasses.dataclass(slots=True)
class WrongState(HonestState):
    def clone(self) -> WrongState:
        c: Any = HonestState.clone(self)
        c.last = -1
        return c  # type: ignore[no-any-return]


class _OtherState(Honest):
    def setup(self, components: Any, options: Options, seats: int) -> State:
        s: Any = super().setup(components, options, seats)
        values = {field.name: getattr(s, field.name) for field in dataclasses.fields(HonestState) if field.init}
        return self.state_type(**values)

    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.last = card


@found_by(laws.clones_are_complete_and_independent, laws.forks_are_independent)
class CloneShares(_OtherState):
    state_type = SharingState


@found_by(laws.clones_are_complete_and_independent)
class CloneForgets(_OtherState):
    state_type = ForgetfulState


@found_by(laws.clones_are_complete_and_independent)
class CloneIsWrong(_OtherState):
    state_type = WrongState


@found_by(laws.states_survive_json)
class DerivedGetsStale(Honest):
    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.sums[seat] += 1


@found_by(laws.states_survive_json)
class ScoreFromOutsideTheState(Honest):
    def scores(self, s: Any) -> list[int]:
        return [id(s) % 1000 for _ in range(s.seats)]


class _Remembers(Honest):
    """Rules that keep something outside of the state."""

    shows: int = 0

    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        self.shows += 1
        s.last = self.shows % 12


@found_by(
    laws.slow_motion,
    laws.forks_are_independent,
    laws.undo_restores,
    laws.turn_drafts_change_nothing,
    laws.one_seed_is_one_game,
)
class RulesRemember(_Remembers):
    pass


@found_by(laws.one_seed_is_one_game, laws.slow_motion)
class RandomModule(Honest):
    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.last = random.randrange(12)


# -- displayed and spoken contents -------------------------------------------------------------------------------------


@found_by(presentation_laws.scores_are_explained)
class ScoreNotExplained(Honest):
    def explain(self, s: Any) -> list[list[ScoreLine]]:
        return [lines[:1] for lines in super().explain(s)]


@found_by(presentation_laws.scores_are_explained)
class PartsNotSummedUp(Honest):
    def explain(self, s: Any) -> list[list[ScoreLine]]:
        return [
            [structs.replace(line, parts=line.parts[1:]) if len(line.parts) > 1 else line for line in lines]
            for lines in super().explain(s)
        ]


@found_by(presentation_laws.scores_are_explained)
class TiesWithoutGap(Honest):
    def ranking(self, s: Any) -> list[int]:
        order = sorted(set(self.scores(s)), reverse=True)
        return [order.index(score) + 1 for score in self.scores(s)] if s.turn else [1] * (s.seats - 1) + [2]


@found_by(presentation_laws.scores_are_explained)
class LowestScoreWins(Honest):
    def ranking(self, s: Any) -> list[int]:
        return [1 + sum(other < score for other in self.scores(s)) for score in self.scores(s)]


@found_by(presentation_laws.texts_parse_back)
class ReadsAnotherChoice(Honest):
    def parse(self, text: str) -> int:
        return super().parse(text) // 2 * 2


@found_by(presentation_laws.views_are_what_they_should_be)
class LiveIsNoPlainData(Honest):
    def derived_view(self, s: Any, viewer: int | None) -> JsonObject:
        return {"coins": set(s.coins)}


@found_by(presentation_laws.views_are_what_they_should_be)
class LiveHasNumbersAsKeys(Honest):
    def derived_view(self, s: Any, viewer: int | None) -> JsonObject:
        return {"coins": dict(enumerate(s.coins))}


@found_by(presentation_laws.views_are_what_they_should_be)
class ViewDoesNotFitSchema(Honest):
    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.last = None


@found_by(presentation_laws.reasons_are_given)
class GivesNoReason(Honest):
    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        return None


@found_by(presentation_laws.reasons_are_given)
class ReasonAgainstOffer(Honest):
    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        return Reason("not_now")


@found_by(presentation_laws.reasons_are_given)
class ReasonWithoutWords(Honest):
    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        reason = super().why_not(view, choice)
        return reason and Reason("whatever")


@found_by(presentation_laws.reasons_are_given)
class ReasonChangesView(Honest):
    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        view["state"]["shown"].append([])
        return super().why_not(view, choice)


@found_by(presentation_laws.every_view_has_a_picture)
class ElementWithoutReason(Honest):
    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        return None if choice in HIDE else super().why_not(view, choice)


@found_by(presentation_laws.tables_are_rebuilt_from_views)
class RebuildsAnotherTable(Honest):
    def state_from_view(self, view: JsonMapping) -> Any:
        s = super().state_from_view(view)
        s.shown = s.shown[1:]
        return s


@found_by(presentation_laws.all_is_said)
class PromptWithoutWords(Honest):
    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        yield Choose(payer, "give_generously", [PAY.choice(0)])


@found_by(presentation_laws.all_is_said)
class LogWithoutWords(Honest):
    def marked(self, s: Any) -> None:
        s.emit("all_have_marked")


# -- bots --------------------------------------------------------------------------------------------------------------


class PeekingBot:
    """A bot that looks through the guesses at the real cards."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        within: Any = seat_view._sample.__closure__
        (origin,) = (each.cell_contents for each in within if isinstance(each.cell_contents, Position))
        cards = [card for hand in origin.state.hands for card in hand]
        return [seat_view.legal[sum(cards) % len(seat_view.legal)]]
