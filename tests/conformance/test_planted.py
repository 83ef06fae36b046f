"""Every law finds what it is for: faults planted in a tiny game, and in the engine itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from markupsafe import Markup

from atoll.engine import Choose, Flow, Position, Sealed, State, replay
from atoll.engine import view as views
from atoll.engine.position_view import PositionView
from atoll.engine.state import may_know
from atoll.engine.vocabulary import Notation
from atoll.picture import Drawing, default_table
from atoll.testing import LAWS, BrokenLaw, Case, Effort, Law, laws, presentation_laws, secrecy_laws
from atoll.testing.play import random_game
from atoll.testing.transcript import in_other_process
from tests.toy import GAME as TOY

from .planted.faults import FAULTS, PeekingBot
from .planted.honest import HONEST, PAY, Honest

SEEDS = 12


def is_found(game: Any, law: Law) -> bool:
    """Return whether a law finds a fault in one of a few random games that otherwise end well."""
    random_game.cache_clear()
    for seed in range(SEEDS):
        case = Case(game, 2 + seed % 2, tuple(game.resolve_options({}, 2).items()), seed)
        try:
            laws.random_play_ends(case, Effort())
        except BrokenLaw:
            if law is laws.random_play_ends:
                return True
            continue
        try:
            law(case, Effort())
        except BrokenLaw:
            return True
    return False


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_honest_game_obeys(law: Law) -> None:
    assert not is_found(HONEST, law)


@pytest.mark.parametrize(("game", "law"), FAULTS, ids=lambda each: getattr(each, "__name__", type(each).__name__))
def test_fault_is_found(game: Honest, law: Law) -> None:
    assert is_found(game, law)


@pytest.mark.source
def test_bot_that_peeks_is_found() -> None:
    def law(case: Case, effort: Effort) -> None:
        secrecy_laws.bots_choose_the_same_for_twins(case, effort, lambda game: {"peeking": PeekingBot()})

    assert is_found(HONEST, law)


class _SetOrder(Honest):
    """Rules that depend on the order of a set of texts, which is another one in every process."""

    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.last = int(next(iter({str(number) for number in range(10)})))


SET_ORDER = _SetOrder()


def test_order_of_a_set_is_found() -> None:
    for path, differs in ((f"{__name__}:SET_ORDER", True), (f"{Honest.__module__}:HONEST", False)):
        one, two = (in_other_process([path], 1, hash_seed) for hash_seed in (1, 3))
        assert len(one) > 10
        assert (one != two) is differs


# -- faults of the engine ----------------------------------------------------------------------------------------------


def _field_without_hiding(s: State, name: str, visibility: Any, viewer: int | None) -> Any:
    return views.plain(getattr(s, name))


def _fork_that_shares(self: Position, seed: int | None = None, **_: Any) -> Position:
    copy = self._copy(None)
    copy._history.open.base = self._history.open.base
    copy.state.hands = self.state.hands
    return copy


def _no_redeal(game: Any, s: Any, seat: int, seed: int) -> None:
    """Leaves everything as it is."""


def _undo_that_keeps_the_log(undo: Callable[..., None]) -> Callable[..., None]:
    def faulty(self: Position, seat: int) -> None:
        told = list(self.state.events or ())
        undo(self, seat)
        if self.state.events is not None:
            self.state.events[:] = told

    return faulty


def _apply_that_ignores(self: Position, choice: Any, seat: int | None) -> None:
    ask = self._driver.request
    if isinstance(ask, Sealed) or seat is None:
        original(self, choice, seat)


original = Position._apply_other


def _save_without_sealed(save_data: Callable[[Position], dict[str, Any]]) -> Callable[[Position], dict[str, Any]]:
    return lambda self: {**save_data(self), "sealed": {}}


def _record_with_everything(record: Any, viewer: int | None) -> list[list[int | None]]:
    return [[who, choice] for who, choice, _ in record]


def _record_with_every_step(record: Any, viewer: int | None) -> list[list[int | None]]:
    return [[who, choice if may_know(each, viewer) or who == viewer else None] for who, choice, each in record]


def _board_of_one_card(self: Any, field: str, domain: str, cards: Any, seat: int | None = None) -> list[Drawing]:
    return [Drawing("same", 1, 1, Markup('<g id="same"/>')) for _ in cards]


ENGINE_FAULTS: list[tuple[Any, str, Any, Law]] = [
    (views, "view_field", _field_without_hiding, presentation_laws.views_are_what_they_should_be),
    (views, "view_record", _record_with_everything, secrecy_laws.secret_answers_show_nothing),
    (views, "view_record", _record_with_every_step, secrecy_laws.secret_answers_show_nothing),
    (replay, "determinize", _no_redeal, secrecy_laws.secrets_are_in_the_state_only),
    (Position, "fork", _fork_that_shares, laws.forks_are_independent),
    (Position, "undo", _undo_that_keeps_the_log(Position.undo), laws.undo_restores),
    (Position, "_apply_other", _apply_that_ignores, laws.refusals_change_nothing),
    (Position, "save_data", _save_without_sealed(Position.save_data), laws.slow_motion),
    (default_table._Table, "_cards", _board_of_one_card, presentation_laws.every_view_has_a_picture),
    (
        default_table._Table,
        "_choices",
        lambda self, domain, index: "play nothing",
        presentation_laws.every_view_has_a_picture,
    ),
    (
        Notation,
        "parse",
        lambda self, text: self.vocabulary.kind_named(text.split()[0]).first,
        presentation_laws.texts_parse_back,
    ),
]


@pytest.mark.source
@pytest.mark.parametrize(
    ("where", "name", "fault", "law"), ENGINE_FAULTS, ids=lambda each: getattr(each, "__name__", str(each))
)
def test_fault_of_the_engine_is_found(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, fault: Any, law: Law
) -> None:
    monkeypatch.setattr(where, name, fault)
    assert is_found(TOY, law)


class _Remembers(Honest):
    """The payer names an amount twice and pays both.

    Only the coroutine knows the first amount when it asks for the second.
    """

    def pay(self, s: Any, seat: int, payer: int) -> Flow:
        first: int = yield Choose(payer, "pay", [PAY.choice(0), PAY.choice(1)], rule="turn")
        second: int = yield Choose(payer, "pay", [PAY.choice(0), PAY.choice(1)], rule="turn")
        amount = min(s.coins[payer], PAY.part(first) + PAY.part(second))
        s.coins[payer] -= amount
        s.coins[seat] += amount
        s.emit("paid", seat=payer, amount=amount)


@pytest.mark.source
def test_view_that_lacks_what_its_seat_has_answered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_found(_Remembers(), laws.views_say_all_their_seat_knows)
    monkeypatch.setattr(PositionView, "_answers", lambda self, viewer: [])
    assert is_found(_Remembers(), laws.views_say_all_their_seat_knows)


def test_every_law_has_found_a_fault() -> None:
    found = {law for _, law in FAULTS} | {law for *_, law in ENGINE_FAULTS}
    found |= {secrecy_laws.bots_choose_the_same_for_twins, laws.views_say_all_their_seat_knows}
    assert {law.__name__ for law in LAWS} - {law.__name__ for law in found} == set()
