"""A running game: decisions, answers, views, and the past."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from atoll.engine import PUBLIC, NothingToUndo, Position, SeatView, TurnDraft, WrongSeat, audience_of_seats
from atoll.testing.play import full_knowledge, reload
from tests.conformance.planted.honest import HONEST, Honest
from tests.toy import GAME as TOY
from tests.toy.tables import begun, dealt, wished


def choices(*texts: str) -> list[int]:
    return [TOY.parse(text) for text in texts]


# -- asking ------------------------------------------------------------------------------------------------------------


def test_new_game_awaits_chance_by_hand() -> None:
    position = TOY.new(3)
    assert (position.to_move, position.over, position.sequence) == ((), False, 0)
    assert position.pending_chance is not None
    assert [TOY.text(choice) for choice in position.outcomes()] == ["start 0", "start 1", "start 2"]


def test_new_game_with_a_seed_awaits_a_decision() -> None:
    position = TOY.new(3, seed=1)
    assert position.to_move == (0, 1, 2)
    assert position.pending_chance is None
    assert position.options == {"gifts": True, "deal": "short", "rounds": 3}
    assert TOY.new().seats == 2


def test_outcomes_are_weighted_by_copies() -> None:
    position = begun().play("p0 dive").position
    weights = {TOY.text(choice): weight for choice, weight in position.outcomes().items()}
    in_deck = Counter(position.state.deck)
    assert weights == {f"draw {TOY.components.card_ids[card]}": count for card, count in sorted(in_deck.items())}


def test_decision_says_who_asks_and_why() -> None:
    position = begun().play("p0 play pearl").position
    ask = position.decision(0)
    assert (ask.seat, ask.prompt, ask.source, ask.rule, ask.placeholders) == (0, "pay", "pearl", "play", {"n": 3})
    assert position.view(0)["decision"] == {
        "seat": 0,
        "prompt": "pay",
        "source": "pearl",
        "rule": "play",
        "about": {"n": 3},
        "options": choices("pay white 0", "pay white 1"),
        "secret": False,
    }
    assert position.view(1)["decision"] == {"seat": 0, "prompt": "pay"}
    assert position.legal_choices(1) == []


def test_legal_is_a_list_of_ones_own() -> None:
    position = begun().position
    position.legal_choices(0).clear()
    assert position.legal_choices(0)


def test_public_single_option_is_taken_and_recorded() -> None:
    position = begun().play("p0 play pearl", "p0 pay white 0").position
    assert position.record is not None
    assert [TOY.text(choice) for _, choice, _ in position.record[-4:]] == [
        "pay white 0",
        "pay pink 1",
        "pay blue 1",
        "pay black 1",
    ]
    assert position.decision(0).prompt == "act"


def test_sequence_counts_answers_and_a_sealed_decision_once() -> None:
    position = wished().position
    before = position.sequence
    position.apply(choices("bid 0")[0], 1)
    assert (position.sequence, position.to_move) == (before, (0,))
    position.apply(choices("bid 0")[0], 0)
    assert position.sequence == before + 1


def test_list_is_applied_whole() -> None:
    position = begun().position
    position.apply(choices("play pearl", "pay white 1", "pay pink 1", "pay blue 0"), 0)
    assert position.state.shells[0] == [0, 0, 1, 0]


def test_list_crosses_chance_from_a_source() -> None:
    position = begun().position.fork(seed=1)
    position.apply(choices("dive"), 0)
    assert position.decision(0).prompt == "keep"


def test_list_is_a_tuple_too() -> None:
    position = dealt().position
    position.apply(tuple(choices("wish white", "enough")), 0)
    assert position.to_move == (1,)


# -- sealed decisions --------------------------------------------------------------------------------------------------


def test_sealed_decision_is_open_to_all_in_any_order() -> None:
    table = dealt(3).play("p2 wish blue", "p0 wish white", "p2 enough")
    assert table.position.to_move == (0, 1)
    assert table.position.sealed_ready == [False, False, True]
    assert table.position.sealed_answers == {0: choices("wish white"), 2: choices("wish blue", "enough")}
    assert table.position.view(None)["ready"] == [False, False, True]
    assert table.position.view(1)["decision"]["options"] == choices(
        *("wish white", "wish pink", "wish blue", "wish black")
    )


def test_sealed_answers_are_recorded_in_seat_order() -> None:
    position = wished().play("p1 bid 2", "p0 bid 1").position
    assert position.record is not None
    bids = [(who, TOY.text(choice)) for who, choice, _ in position.record if "bid" in TOY.text(choice)]
    assert bids == [(0, "bid 1"), (1, "bid 2")]
    assert position.sealed_answers == {}
    assert position.sealed_ready is None


def test_seat_may_start_again_until_the_last_answer_is_in() -> None:
    position = dealt().play("p0 wish white", "p0 wish pink", "p0 enough").position
    assert position.to_move == (1,)
    for expected in (3, 2, 1):
        assert len(position.sealed_answers[0]) == expected
        position.undo(0)
    assert 0 not in position.sealed_answers
    position.apply(choices("wish black", "enough"), 0)
    position.apply(choices("wish white", "enough"), 1)
    assert position.state.wishes == [[3], [0]]
    with pytest.raises(NothingToUndo):
        position.undo(0)


def test_starting_again_leaves_the_others_answers() -> None:
    position = dealt(3).play("p0 wish white", "p1 wish pink", "p1 enough").position
    position.undo(0)
    assert position.sealed_answers == {1: choices("wish pink", "enough")}


def test_nobody_sees_sealed_answers_before_all_are_in() -> None:
    one, two = (wished(3).play(f"p0 bid {n}").position for n in (0, 4))
    for viewer in (1, 2, None):
        assert one.view(viewer) == two.view(viewer)
        assert one.view_record(viewer) == two.view_record(viewer)
    opened = wished().play("p0 bid 1", "p1 bid 2").position
    assert opened.view(None)["state"]["bids"] == [{"seat": 1, "amount": 2}, {"seat": 0, "amount": 1}]


# -- taking back -------------------------------------------------------------------------------------------------------


def test_undo_goes_back_step_by_step_and_across_checkpoints() -> None:
    table = begun()
    moments = []
    for line in ("p0 rest", "p0 play net", "p0 pay white 0", "p0 pay pink 0", "p0 pay blue 0", "p0 take white"):
        moments.append(full_knowledge(table.position))
        table.play(line)
    assert table.position.checkpoint_sequence > moments[0]["save"]["sequence"]
    for before in reversed(moments):
        table.position.undo(0)
        assert full_knowledge(table.position) == before


def test_undo_takes_back_what_went_unasked() -> None:
    table = begun().play("p0 play pearl")
    before = full_knowledge(table.position)
    table.play("p0 pay white 0")
    table.position.undo(0)
    assert full_knowledge(table.position) == before


def test_undo_stops_at_chance() -> None:
    table = begun().play("p0 dive", "draw net", "draw song")
    with pytest.raises(NothingToUndo, match="chance, a reveal or another seat's choice followed"):
        table.position.undo(0)
    table.play("p0 keep net")
    table.position.undo(0)
    assert table.options(0) == ["keep net", "keep song"]


def test_undo_after_chance_in_the_same_segment_and_across_its_checkpoint() -> None:
    table = begun(die=5)
    before = full_knowledge(table.position)
    table.play("p0 take pink")
    assert table.position.sequence == table.position.checkpoint_sequence
    table.position.undo(0)
    assert full_knowledge(table.position) == before


def test_undo_stops_at_another_seat() -> None:
    table = begun(3).play("p0 play song", "p0 pay white 1", "p0 pay pink 1", "p0 echo 1", "p1 rest")
    with pytest.raises(NothingToUndo):
        table.position.undo(0)
    table.position.undo(1)
    table.position.undo(0)
    assert table.options(0) == ["echo 1", "echo 2"]


def test_undo_never_rolls_again() -> None:
    rolled = 0
    for seed in range(20):
        position = wished().position.fork(seed)
        position.apply(choices("bid 0")[0], 0)
        position.apply(choices("bid 0")[0], 1)
        if position.decision(0).prompt == "take":
            rolled += 1
            before = position.save()
            position.apply(position.legal_choices(0)[0], 0)
            position.undo(0)
            assert position.save() == before
    assert rolled > 1


class AsksBeforeSealing(Honest):
    """Seat 0 decides something in the open before all mark."""

    def prepare(self, s: Any) -> Any:
        yield from self.pay(s, 1, 0)
        yield from super().prepare(s)

    def draw(self, s: Any, seat: int) -> Any:
        yield from ()

    def take_turn(self, s: Any) -> Any:
        yield from self.pay(s, 1, 0)
        s.over = True


def test_choice_before_a_sealed_decision_cant_be_taken_back_once_others_have_answered() -> None:
    position = AsksBeforeSealing().new(2)
    position.apply(position.parse("pay 1"), 0)
    before = full_knowledge(position)
    position.apply(position.parse("mark 0"), 1)
    with pytest.raises(NothingToUndo, match="another seat has answered"):
        position.undo(0)
    position.undo(1)
    assert full_knowledge(position) == before
    position.undo(0)
    assert position.state.coins == [4, 4]


def test_undo_in_a_loaded_game() -> None:
    table = begun().play("p0 play pearl", "p0 pay white 1")
    position = reload(table.position)
    position.undo(0)
    assert position.legal_choices(0) == choices("pay white 0", "pay white 1")
    position.undo(0)
    assert position.decision(0).prompt == "act"
    with pytest.raises(NothingToUndo):
        position.undo(0)


def test_undo_takes_events_back() -> None:
    table = begun()
    table.position.take_events()
    table.play("p0 rest")
    assert [event.key for event in table.position.take_events()] == ["rested"]
    table.position.undo(0)
    assert table.position.take_events() == []
    table.play("p0 play net", "p0 pay white 0")
    assert [event.key for event in table.position.take_events()] == ["played", "paid"]
    assert len(table.position.events) > 2


# -- the open turn -----------------------------------------------------------------------------------------------------


def test_stage_is_seen_by_nobody_until_confirmed() -> None:
    position = begun().position
    before = full_knowledge(position)
    draft = TurnDraft(position, 0)
    draft.add(choices("play pearl", "pay white 1"))
    assert draft.view()["state"]["played"][0] == [0]
    assert draft.legal() == choices("pay pink 0", "pay pink 1")
    assert full_knowledge(position) == before
    position.apply(draft.choices, 0)
    assert position.view(0) == draft.view()


def test_stage_stops_where_chance_follows() -> None:
    draft = TurnDraft(begun().position, 0)
    draft.add(choices("dive")[0])
    assert not draft.open
    assert draft.legal() == []
    with pytest.raises(WrongSeat, match="the turn is complete; confirm it or take something back"):
        draft.add(choices("rest")[0])
    draft.undo()
    assert draft.open


def test_stage_stops_where_another_seat_follows() -> None:
    position = begun().position
    draft = TurnDraft(position, 0, choices("play song", "pay white 1", "pay pink 1"))
    assert not draft.open  # the only other seat is asked at once
    assert draft.position.to_move == (1,)


def test_stage_never_opens_a_sealed_decision() -> None:
    position = wished().play("p0 bid 1").position
    draft = TurnDraft(position, 1)
    draft.add(choices("bid 2")[0])
    assert not draft.open
    assert draft.position.sealed
    assert draft.view()["state"]["bids"] == []
    position.apply(draft.choices, 1)
    assert position.state.order == [1, 0]


def test_stage_stops_before_a_sealed_decision() -> None:
    position = AsksBeforeSealing().new(2)
    draft = TurnDraft(position, 0)
    draft.add(position.parse("pay 1"))
    assert not draft.open


def test_stage_takes_back_and_starts_again() -> None:
    draft = TurnDraft(begun().position, 0, choices("play pearl", "pay white 1", "pay pink 1"))
    draft.undo()
    assert draft.choices == choices("play pearl", "pay white 1")
    draft.restart()
    assert draft.choices == []
    with pytest.raises(NothingToUndo, match="nothing was chosen in this turn yet"):
        draft.undo()


def test_stage_refuses_whole_lists() -> None:
    draft = TurnDraft(begun().position, 0, choices("rest"))
    with pytest.raises(WrongSeat, match="the turn is complete; confirm it or take something back"):
        draft.add(choices("rest", "rest"))
    assert draft.choices == choices("rest")


# -- copies ------------------------------------------------------------------------------------------------------------


def test_fork_is_independent_and_has_no_source() -> None:
    position = begun().position.fork(seed=3)
    fork = position.fork()
    fork.apply(choices("dive")[0], 0)
    assert fork.pending_chance is not None  # by hand
    assert position.decision(0).prompt == "act"
    assert fork.events == []


def test_forks_with_one_seed_see_one_future_and_others_another() -> None:
    def future(seed: int) -> list[int]:
        fork = begun().position.fork(seed)
        faces = []
        for _ in range(6):
            seat = fork.to_move[0]
            fork.apply(fork.legal_choices(seat)[-1], seat)
            faces.append(fork.state.phase)
        return [*faces, *fork.state.supply]

    assert future(1) == future(1)
    assert len({tuple(future(seed)) for seed in range(8)}) > 4


def test_fork_uses_up_none_of_its_originals_chance() -> None:
    one, two = (TOY.new(2, seed=9) for _ in range(2))
    fork = one.fork(seed=1)
    for position in (fork, one, two):
        while not position.over:
            seat = position.to_move[0]
            position.apply(position.legal_choices(seat)[-1], seat)
    assert one.save() == two.save() != fork.save()


class Loaded:
    """A source of chance that always takes the last outcome, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def outcome(self, index: int, size: int) -> int:
        self.asked.append((index, size))
        return size - 1


def test_source_is_asked_for_numbered_events() -> None:
    source = Loaded()
    position = HONEST.new(2, source=source)
    assert source.asked == [(0, 12), (1, 11), (2, 10), (3, 9)]
    assert position.state.hands == [[10, 11], [8, 9]]
    assert position.chance_count == 4


# -- re-deal -----------------------------------------------------------------------------------------------------------


def middle_of_echo() -> Position:
    """Seat 1 is asked in the middle of seat 0's action, and knows a gift of seat 0's."""
    table = begun(3).play("p0 give", "p0 receiver 1", "p0 gift net", "p0 take white")
    return table.play("p0 play song", "p0 pay white 1", "p0 pay pink 1", "p0 echo 1").position


def test_redeal_keeps_what_the_seat_knows_and_changes_the_rest() -> None:
    position = middle_of_echo()
    view = position.view(1)
    hands = set()
    for seed in range(20):
        fork = position.fork()
        fork.determinize(1, seed)
        assert fork.view(1) == view
        assert fork.legal_choices(1) == position.legal_choices(1)
        assert fork.state.hands[1] == position.state.hands[1]
        assert TOY.component_counts(fork.state) == TOY.component_counts(position.state)
        hands.add(tuple(map(tuple, fork.state.hands)))
    assert len(hands) > 10


def test_redeal_deals_by_back() -> None:
    for seed in range(20):
        fork = middle_of_echo().fork()
        fork.determinize(1, seed)
        assert sorted(fork.state.charms + fork.state.charm_box) == [0, 1, 2, 3, 4]
        assert fork.state.charms[1] == 1


def test_redeal_guesses_what_isnt_cards() -> None:
    guesses = set()
    for seed in range(30):
        fork = middle_of_echo().fork()
        fork.determinize(1, seed)
        assert fork.state.wishes[1] == [0]
        guesses.add(tuple(fork.state.wishes[0]))
    assert len(guesses) > 5
    assert all(list(guess) == sorted(set(guess)) and 1 <= len(guess) <= 3 for guess in guesses)


def test_redeal_with_one_seed_is_the_same() -> None:
    digests = set()
    for _ in range(3):
        fork = middle_of_echo().fork()
        fork.determinize(1, 5)
        digests.add(fork.digest())
    assert len(digests) == 1


def test_redealt_fork_is_forked_played_and_dealt_again() -> None:
    fork = middle_of_echo().fork()
    fork.determinize(1, 5)
    copy = fork.fork()
    assert copy.digest() == fork.digest()
    copy.apply(
        choices("play net")[0] if choices("play net")[0] in copy.legal_choices(1) else copy.legal_choices(1)[0], 1
    )
    again = copy.fork()
    assert again.digest() == copy.digest()
    again.determinize(again.to_move[0], 6)
    third = again.fork(seed=1)
    assert third.digest() == again.digest()
    assert reload(again).digest() == again.digest()
    assert fork.to_move == (1,)
    while third.to_move and third.sequence < copy.sequence + 6:
        third.apply(third.legal_choices(third.to_move[0])[0], third.to_move[0])


def test_redeal_forgets_the_sealed_answers_of_others() -> None:
    position = dealt(3).play("p0 wish white", "p0 enough", "p1 wish pink", "p2 wish blue").position
    fork = position.fork()
    fork.determinize(1, 3)
    assert fork.sealed_answers == {1: choices("wish pink")}
    assert fork.to_move == (0, 1, 2)
    assert position.sealed_answers[0] == choices("wish white", "enough")
    again = fork.fork()
    assert again.save() == fork.save()


# -- bots' view --------------------------------------------------------------------------------------------------------


def test_seat_view_has_view_options_and_guesses() -> None:
    position = middle_of_echo()
    seat_view = SeatView(position, 1)
    assert seat_view.view == position.view(1)
    assert seat_view.legal == position.legal_choices(1)
    assert seat_view.decision.prompt == "answer_echo"
    guess = seat_view.sample(4)
    assert guess.view(1)["state"] == position.view(1)["state"]
    assert guess.digest() == seat_view.sample(4).digest()
    assert len({seat_view.sample(seed).digest() for seed in range(10)}) > 5
    before = full_knowledge(position)
    guess.apply(guess.legal_choices(1)[0], 1)
    assert full_knowledge(position) == before


def test_sample_for_play_outs() -> None:
    guess = SeatView(middle_of_echo(), 1).sample(4, snapshots=False)
    while not guess.over:
        guess.apply(guess.legal_choices(guess.to_move[0])[-1], guess.to_move[0])
    with pytest.raises(ValueError, match="can't be forked"):
        guess.fork()


# -- events, records, results ------------------------------------------------------------------------------------------


def test_events_are_told_to_their_audience() -> None:
    position = begun().play("p0 dive", "draw net", "draw song", "p0 keep song").position
    kept = position.events[-1]
    assert (kept.key, dict(kept.hidden)) == ("kept", {"card": audience_of_seats(0)})
    assert kept.seen_by(0) == {"key": "kept", "fields": {"seat": 0, "card": 3}, "lacking": []}
    for viewer in (1, None):
        assert kept.seen_by(viewer) == {"key": "kept", "fields": {"seat": 0}, "lacking": ["card"]}


def test_record_hides_what_the_viewer_may_not_know() -> None:
    position = begun(3).play("p0 give", "p0 receiver 2", "p0 gift song", "p0 take blue").position
    tail = {viewer: position.view_record(viewer)[-4:] for viewer in (0, 1, 2, None)}
    give, receiver, gift, take = choices("give", "receiver 2", "gift song", "take blue")
    assert tail[0] == tail[2] == [[0, give], [0, receiver], [0, gift], [0, take]]
    assert tail[1] == tail[None] == [[0, give], [0, receiver], [0, None], [0, take]]
    assert position.record is not None
    assert position.record[-2:] == [(0, gift, audience_of_seats(0, 2)), (0, take, PUBLIC)]


def test_result() -> None:
    position = begun(rounds=1).play("p0 rest", "p0 rest", "die 6", "p1 rest", "p1 rest").position
    assert (position.over, position.to_move, position.pending_chance) == (True, (), None)
    assert position.scores() == [0, 0]
    assert position.ranking() == [1, 1]
    assert position.view(None)["ranking"] == [1, 1]
    assert position.view(None)["state"]["wishes"] == [[0], [0]]  # shown at the end
    assert position.view(None)["state"]["hands"] == [{"count": 3}, {"count": 3}]
    assert repr(position).endswith("the game is over>")


def test_play_out_is_the_same_game() -> None:
    positions = [TOY.new(2, seed=5, snapshots=snapshots) for snapshots in (True, False)]
    for position in positions:
        while not position.over:
            seat = position.to_move[-1]
            position.apply(position.legal_choices(seat)[-1], seat)
    assert positions[0].digest() == positions[1].digest()
    assert positions[0].sequence == positions[1].sequence
