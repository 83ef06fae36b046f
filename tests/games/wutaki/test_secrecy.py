"""Information (WU-13): who sees which zone. The laws for every game are in tests/conformance."""

from typing import Any

from atoll.engine import Position, SeatView
from atoll.engine.view import view_record
from atoll.games.wutaki import GAME
from atoll.games.wutaki.learn.positions import avenge, card, fill_maw, hold, know_secret, state, stock, table
from atoll.games.wutaki.state import WutakiState, drop_vengeance, hold_vengeance


def seen(position: Position, viewer: int | None, key: str) -> list[dict[str, Any]]:
    """Return the events of one kind in a viewer's log."""
    found = [event.seen_by(viewer) for event in position.events if event.key == key]
    return [each["fields"] for each in found if each is not None]


def test_spectators_see_counts_only() -> None:
    """Rule WU-13.1."""
    s = state(2)
    hold(s, 0, "om_tax")
    avenge(s, 0, "ve_oil")
    know_secret(s, 0, "sp_most_gold")
    view = table(s).position.view(None)["state"]
    assert view["omens"][0] == view["secret_pacts"][0] == {"count": 1}
    assert view["vengeance"][0] == {"count": 1, "known": []}
    assert view["element"] == [None, None]
    for deck in ("omen_deck", "vengeance_deck", "secret_pact_deck", "pact_deck", "round_deck"):
        assert set(view[deck]) == {"count"}


def test_drawn_omens_are_told_to_the_drawer_only() -> None:
    """Rule WU-13.1."""
    t = table(state(2)).play("p0 visit loyal draw_omen", "draw_omen om_tax")
    assert seen(t.position, 0, "omen_drawn") == [{"seat": 0, "omen": card("omen", "om_tax")}]
    assert seen(t.position, 1, "omen_drawn") == seen(t.position, None, "omen_drawn") == [{"seat": 0}]


def test_drawn_vengeance_is_told_to_the_drawer_only() -> None:
    """Rule WU-13.1."""
    s = state(2)
    fill_maw(s, wood=1)
    t = table(s).play("p0 visit loyal plunder", "draw_vengeance ve_oil")
    assert seen(t.position, 1, "vengeance_drawn") == [{"seat": 0}]


def test_given_vengeance_is_told_to_giver_and_receiver() -> None:
    """Rule WU-13.1."""
    s = state(3)
    stock(s, 0, wood=10)
    avenge(s, 0, "ve_oil", "ve_fire")
    t = table(s).play("p0 visit loyal vp_or_gift", "p0 option 2", "p0 to 2", "p0 give_vengeance ve_oil")
    whole = {"seat": 0, "seat_2": 2, "vengeance": card("vengeance", "ve_oil")}
    assert [seen(t.position, seat, "vengeance_given") for seat in (0, 1, 2)] == [
        [whole],
        [{"seat": 0, "seat_2": 2}],
        [whole],
    ]
    assert [choice for _, choice in view_record(t.position.record or [], 1)][-1] is None


def test_returned_vengeance_is_known_to_its_owner_only() -> None:
    """Rule WU-13.1."""
    s = state(2)
    avenge(s, 0, "ve_oil", "ve_fire")
    hold(s, 0, "om_absolution")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_absolution", "p0 return_vengeance ve_oil")
    assert seen(t.position, 1, "vengeance_returned") == [{"seat": 0}]
    assert t.position.view(1)["state"]["returned"] == [None, []]


def test_stolen_omen_is_told_to_thief_and_victim() -> None:
    """Rule WU-13.1."""
    s = state(3)
    hold(s, 0, "om_stolen_vision")
    hold(s, 1, "om_tax", "om_panic")
    t = table(s).play(
        "p0 visit loyal play_omen", "p0 play om_stolen_vision", "draw_omen om_tax", "draw_omen om_visions"
    )
    assert seen(t.position, 2, "omen_taken") == [{"seat": 0, "seat_2": 1}]
    assert seen(t.position, 1, "omen_taken") == [{"seat": 0, "seat_2": 1, "omen": card("omen", "om_tax")}]


def test_legal_options_go_to_the_asked_seat_only() -> None:
    """Rule WU-13.1."""
    s = state(2)
    hold(s, 0, "om_gold_rain")
    t = table(s).play("p0 visit loyal play_omen")
    assert t.position.view(0)["decision"]["options"]
    assert "options" not in t.position.view(1)["decision"]


def test_estimate_of_the_own_score_only() -> None:
    """Rule WU-13.1."""
    s = state(2)
    t = table(s)
    assert t.position.view(0)["live"]["score"] == 5
    assert t.position.view(None)["live"] == {}


def test_gift_from_several_cards_hides_which_one_went() -> None:
    """Rule WU-13.1."""
    s = state(3)
    # Seat 0 holds a card that seat 1 has given to it, and one that only seat 0 knows.
    hold_vengeance(s, 0, 3, 0b011)
    hold_vengeance(s, 0, 5, 0b001)
    s.vengeance_deck = [each for each in s.vengeance_deck if each not in (3, 5)]
    mask = drop_vengeance(s, 0, 5, 0b101)
    assert mask == 0b101
    assert s.vengeance_known[0] == [0b001]  # seat 1 can't know which one is left


def test_gift_of_the_only_card_stays_known() -> None:
    """Rule WU-13.1."""
    s = state(3)
    hold_vengeance(s, 0, 3, 0b011)
    s.vengeance_deck.remove(3)
    assert drop_vengeance(s, 0, 3, 0b101) == 0b111


def test_returned_card_stays_in_the_deck_of_a_guess() -> None:
    """Rule WU-13.2."""
    s = state(2)
    avenge(s, 0, "ve_oil", "ve_fire")
    avenge(s, 1, "ve_wood", "ve_gold")
    hold(s, 0, "om_absolution")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_absolution", "p0 return_vengeance ve_oil")
    t.play("p1 visit loyal market")
    oil = card("vengeance", "ve_oil")
    guesses = [SeatView(t.position, 0).sample(seed).state for seed in range(40)]
    assert all(oil in guess.vengeance_deck for guess in guesses)
    assert len({tuple(guess.vengeance[1]) for guess in guesses}) > 5


def test_a_draw_by_another_seat_ends_the_certainty() -> None:
    """Rule WU-13.2."""
    s = state(2)
    fill_maw(s, wood=1)
    avenge(s, 1, "ve_oil")
    s.returned[0] = [card("vengeance", "ve_wood")]
    s.active = 1
    t = table(s).play("p1 visit loyal plunder", "draw_vengeance ve_gold")
    assert t.state.returned == [[], []]


def test_rejected_secret_pact_is_in_the_deck_of_a_guess() -> None:
    """Rule WU-13.2."""
    position = GAME.new(2, {"start_player": "first_seat"}, seed=3)
    while position.state.round_card < 0:
        seat = position.to_move[0]
        position.apply(position.legal_choices(seat)[0], seat)
    seat = position.to_move[0]
    rejected = position.state.rejected[seat][0]
    for seed in range(40):
        guess = SeatView(position, seat).sample(seed).state
        assert rejected in guess.secret_pact_deck
        assert guess.rejected[1 - seat] == []


def test_guess_keeps_what_the_seat_knows_and_changes_the_rest() -> None:
    """Rule WU-13.2."""
    s = state(3)
    hold(s, 0, "om_tax", "om_panic")
    hold(s, 1, "om_visions", "om_crumbs", "om_rockfall")
    hold_vengeance(s, 1, 3, 0b011)
    hold_vengeance(s, 1, 5, 0b010)
    s.vengeance_deck = [each for each in s.vengeance_deck if each not in (3, 5)]
    position = table(s).position
    guesses: list[WutakiState] = [SeatView(position, 0).sample(seed).state for seed in range(60)]
    assert all(guess.omens[0] == s.omens[0] and 3 in guess.vengeance[1] for guess in guesses)
    assert len({tuple(guess.omens[1]) for guess in guesses}) > 20
    assert len({tuple(guess.vengeance[1]) for guess in guesses}) > 10
    assert len({guess.element[1] for guess in guesses}) == 3  # any but the own one


def test_twins_ask_the_same_whatever_an_opponent_holds() -> None:
    """Prompts of an opponent come at the same moments, whatever omens it holds: silence betrays nothing.

    Rule WU-13.1.
    """
    for omens in (("om_golden_idol",), ("om_gold_rain",)):
        s = state(2, board="extreme", player_boards="b")
        s.ability[0] = card("ability", "free_omen")
        s.ability_pool.remove(s.ability[0])
        hold(s, 0, *omens)
        t = table(s).play("p0 visit loyal quarry")
        assert t.position.to_move == (0,)
        assert t.options(0)[-1] == "pass"
