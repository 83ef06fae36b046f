"""The training environments pass the test suites of PettingZoo and OpenSpiel for all games and seats."""

from __future__ import annotations

import contextlib
import io
import warnings
from importlib import resources
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts
from open_spiel.python.algorithms import mcts as spiel_mcts
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, render_test, seed_test

import atoll
import atoll.env.openspiel  # noqa: F401 - registers the games
import atoll.env.tiny_atua  # noqa: F401 - registers its variant
from atoll.engine import ComponentError, IllegalChoice, OptionError, Position, SeatCountError, UnknownGame
from atoll.env.gymnasium import LearnerEnv, LearnerVectorEnv
from atoll.env.pettingzoo import env, raw_env
from atoll.env.rendering import render
from atoll.env.rewards import place_rewards, score_rewards
from atoll.env.vector import VectorGames
from atoll.lab.plan import SimulationPlan

TABLES = [(game, seats) for game in atoll.games for seats in atoll.games[game].seat_counts]
tables = pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game}-{seats}" for game, seats in TABLES])
SIMULATED = [
    *(("atacama", 2), ("atacama", 4), ("atlandice", 3), ("raiatea", 3), ("wutaki", 2)),
    *(("atua", 1), ("atua", 5), ("atua", 6)),
]
small_tables = pytest.mark.parametrize("game", list(atoll.games))


@tables
def test_pettingzoo_api(game: str, seats: int) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        # A dict with a mask, as in PettingZoo's own card games.
        warnings.filterwarnings("ignore", message="Observation")
        api_test(env(game, seats=seats), num_cycles=150)


@small_tables
@pytest.mark.parametrize("settings", [{"form": "onehot"}, {"form": "tokens"}, {"actions": "candidates"}], ids=str)
def test_pettingzoo_api_of_other_forms(game: str, settings: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")
        api_test(env(game, **settings), num_cycles=30)


@small_tables
def test_pettingzoo_seeds(game: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        seed_test(lambda: env(game), num_cycles=40)


@small_tables
@pytest.mark.parametrize("form", ["flat", "tokens"])
def test_pettingzoo_state(game: str, form: str) -> None:
    table = env(game, form=form)
    table.reset(seed=3)
    for agent in table.agent_iter(12):
        seen = [table.observe(each)["observation"] for each in table.possible_agents]
        assert (table.state() == np.concatenate(seen)).all()
        assert table.state() in table.state_space
        assert table.infos.keys() == set(table.agents)
        mask = table.infos[agent]["action_mask"]
        assert (mask == table.observe(agent)["action_mask"]).all() and mask.any()
        assert not any(table.infos[each] for each in table.agents if each != agent)
        table.step(table.action_space(agent).sample(mask))


def test_options_of_one_game_are_given_at_its_start() -> None:
    table = env("atacama")
    for options, setup in (({"game_options": {"setup": "enhanced"}}, "enhanced"), (None, "basic")):
        table.reset(seed=1, options=options)
        assert table.position is not None and table.position.options["setup"] == setup
    with pytest.raises(OptionError, match="huge"):
        table.reset(options={"game_options": {"setup": "huge"}})
    alike = table.interface.with_options({})
    alike.observing.pieces = alike.pieces[1:]
    with pytest.raises(ValueError, match="change the spaces"):
        alike.with_options({"setup": "enhanced"})


def test_everywhere_the_fewest_above_one_play() -> None:
    made: list[Any] = [env("atua"), VectorGames("atua", 1).interface, LearnerEnv("atua", opponents="random").interface]
    assert [each.seats for each in made] == [2, 2, 2]
    assert pyspiel.load_game("atoll_atua").num_players() == 2
    assert SimulationPlan.make(atoll.games["atua"], None, {}, ("random",)).seats == 2


def test_everywhere_other_components_can_be_played(tmp_path: Path) -> None:
    game = atoll.games["atacama"]
    text = Path(str(resources.files(game.package) / "components.toml")).read_text("utf-8")
    file = tmp_path / "own.toml"
    file.write_text(text.replace("line_minimum_rigs = 4", "line_minimum_rigs = 3"), "utf-8")
    wanted = game.with_components(file).components_hash
    assert wanted != game.components_hash
    spiel: Any = pyspiel.load_game(f"atoll_atacama(components={file})")
    played = [
        env("atacama", components=file).game,
        VectorGames("atacama", 1, components=file).interface.game,
        LearnerEnv("atacama", components=file).interface.game,
        LearnerVectorEnv("atacama", components=file).tables.interface.game,
        spiel.game,
    ]
    assert [each.components_hash for each in played] == [wanted] * 5
    with pytest.raises(ComponentError):
        env("atacama", components=tmp_path / "none.toml")


@small_tables
def test_pettingzoo_renders(game: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        render_test(lambda render_mode: env(game, render_mode=render_mode), custom_tests={"svg": _is_svg})


@small_tables
def test_all_frames_of_a_game_have_one_size(game: str) -> None:
    """Tables grow while they are played, with many seats most."""
    played = atoll.games[game]
    position = played.new(max(played.seat_counts), seed=1)
    random, shapes, pictures = Random(1), set(), set()
    for taken in count():
        if position.over or taken % 500 == 0:
            frame = render(played, position, "rgb_array", "en")
            shapes.add(frame.shape)
            pictures.add(frame.tobytes())
            assert (frame[-1] == frame[0, 0]).all() or (frame[:, -1] == frame[0, 0]).all(), "all of it is in the frame"
        if position.over:
            break
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    assert len(shapes) == 1 and len(pictures) > 1


def _is_svg(result: Any) -> bool:
    return isinstance(result, str) and result.startswith("<svg")


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(UnknownGame):
        env("chess")
    with pytest.raises(UnknownGame, match="expected atacama_v1"):
        env("atacama_v0")
    with pytest.raises(SeatCountError):
        env("atacama", seats=3)
    with pytest.raises(OptionError):
        env("atacama", options={"setup": "huge"})
    with pytest.raises(ValueError, match="place, score"):
        env("atacama", reward="money")
    with pytest.raises(ValueError, match="flat, onehot, tokens"):
        env("atacama", form="round")
    with pytest.raises(ValueError, match="vocabulary, candidates"):
        env("atacama", actions="none")
    with pytest.raises(ValueError, match="render_mode"):
        env("atacama", render_mode="hologram")
    with pytest.raises(ValueError, match="en, de"):
        env("atacama", language="fr")


def test_versioned_name() -> None:
    for name in ("atacama", "atacama_v1"):
        assert raw_env(name).metadata["name"] == "atacama_v1"


def test_illegal_action_ends_the_game() -> None:
    table = env("atacama")
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(0)
    table.step(0)  # the field is taken
    assert any(table.terminations.values())
    assert table.rewards[agent] == 0


def test_illegal_action_costs_the_agent_the_game() -> None:
    table = env("atacama")
    table.reset(seed=1)
    table.step(0)
    table.step(0)
    assert table.rewards == {"seat_0": 0, "seat_1": -1}
    assert all(table.terminations.values())


def test_raw_environment_refuses_an_illegal_action() -> None:
    table = raw_env("atacama")
    for too_early in (lambda: table.step(0), table.last, lambda: table.observe("seat_0")):
        with pytest.raises(RuntimeError, match="reset"):
            too_early()
    table.reset(seed=1)
    table.step(0)
    before = table.observe("seat_1")
    for action in (0, -1, 10_000):
        with pytest.raises(IllegalChoice):
            table.step(action)
    with pytest.raises(ValueError, match="None"):
        table.step(None)
    for wrong in (1.7, "a", float("nan"), np.array([3])):
        with pytest.raises(ValueError, match="expected an integer"):
            table.step(wrong)  # type: ignore[arg-type]
    assert (table.observe("seat_1")["observation"] == before["observation"]).all()
    assert table.agent_selection == "seat_1"


def test_when_all_agents_are_done_only_reset_goes_on() -> None:
    table = env("atacama")
    table.reset(seed=1)
    table.step(-1)
    for _ in table.possible_agents:
        table.step(None)
    assert table.agents == []
    for action in (None, 0):
        with pytest.raises(RuntimeError, match="over"):
            table.step(action)
    table.reset()
    assert table.agents == table.possible_agents


def test_rewards() -> None:
    assert place_rewards([1, 2]) == [1, -1]
    assert place_rewards([1, 1]) == [0, 0]
    assert place_rewards([3, 1, 2]) == [-1, 1, 0]
    assert place_rewards([1, 2, 2]) == [1, -0.5, -0.5]
    assert place_rewards([1]) == [1]
    assert place_rewards([2]) == [-1]
    assert score_rewards([5, 9, 7]) == [-4, 2, -2]


def spiel_name(game: str, seats: int) -> str:
    return f"atoll_{game}(players={seats})"


@pytest.mark.parametrize(("game", "seats"), SIMULATED)
def test_openspiel_random_simulation(game: str, seats: int) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(spiel_name(game, seats)), num_sims=1, serialize=seats < 4, verbose=False)


def test_each_game_and_each_number_of_seats_is_simulated() -> None:
    games, seats = map(set, zip(*SIMULATED, strict=True))
    assert games == set(atoll.games)
    assert seats == {number for game in atoll.games.values() for number in game.seat_counts}


@tables
def test_openspiel_information_states(game: str, seats: int) -> None:
    state = pyspiel.load_game(spiel_name(game, seats)).new_initial_state()
    random = Random(seats)
    checks = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(weight for _, weight in outcomes) - 1) < 1e-9
            state.apply_action(random.choice([action for action, _ in outcomes]))
            continue
        player = state.current_player()
        if not checks or random.random() < 0.05:
            other = state.resample_from_infostate(player, random.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            checks += 1
        state.apply_action(random.choice(state.legal_actions()))
    assert checks
    assert state.legal_actions() == []
    with pytest.raises(pyspiel.SpielError, match="NumPlayers"):
        state.observation_string(seats)


def played(state: Any, decisions: int = 1000) -> Any:
    """The state after some random decisions, at the next one or at the end."""
    random = Random(1)
    while not state.is_terminal() and (decisions or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions -= 1
    return state


def test_openspiel_knows_which_games_are_zero_sum() -> None:
    def utility(name: str) -> Any:
        return pyspiel.load_game(name).get_type().utility

    for name in ("atoll_atua(players=2)", "atoll_atua(players=6)", "atoll_wutaki", "atoll_tiny_atua"):
        assert utility(name) == pyspiel.GameType.Utility.ZERO_SUM
    assert utility("atoll_atua(players=1)") == pyspiel.GameType.Utility.GENERAL_SUM


@small_tables
def test_openspiel_fills_the_tensors_of_who_is_asked(game: str) -> None:
    rules: Any = pyspiel.load_game(f"atoll_{game}")
    state = played(rules.new_initial_state(), 9)
    player = state.current_player()
    everything = make_observation(rules, pyspiel.IIGObservationType(perfect_recall=True), {"every_player": True})
    for each in range(rules.num_players()):
        for name, size in (
            ("information_state_tensor", rules.information_state_tensor_size()),
            ("observation_tensor", rules.observation_tensor_size()),
        ):
            tensor = getattr(state, name)(each)
            assert tensor == getattr(pyspiel.State, name)(state, each)  # as C++ gets it
            assert len(tensor) == size and any(tensor) == state.has_tensor(each)
        everything.set_from(state, each)
        assert everything.tensor.any()
    assert state.has_tensor(player)
    assert state.observation_tensor() == state.observation_tensor(player)
    copied = state.clone()
    assert copied.information_state_tensor() == state.information_state_tensor()
    with pytest.raises(ValueError, match="invalid player"):
        state.observation_tensor(rules.num_players())


@small_tables
def test_openspiel_has_room_for_the_history_of_a_game(game: str) -> None:
    rules: Any = pyspiel.load_game(f"atoll_{game}")
    end = played(rules.new_initial_state())
    answers = len(end.history)
    assert rules.history >= 1.2 * answers
    rows = np.array(end.information_state_tensor(0)[rules.observation_tensor_size() :]).reshape(-1, 2)
    assert len(rows) == rules.history
    assert [[who - 2, choice - 1] for who, choice in rows[:answers].tolist()] == end.history_of(0)
    assert not rows[answers:].any()
    small: Any = pyspiel.load_game(f"atoll_{game}(history=3)")
    with pytest.raises(ValueError, match="room for 3: load the game with a larger parameter history"):
        played(small.new_initial_state()).information_state_tensor(0)
    with pytest.raises(ValueError, match="invalid history -1"):
        pyspiel.load_game(f"atoll_{game}(history=-1)")


@small_tables
def test_openspiel_bots_play(game: str) -> None:
    rules = pyspiel.load_game(f"atoll_{game}")
    rng = np.random.RandomState(1)
    evaluator = spiel_mcts.RandomRolloutEvaluator(1, rng)
    bots = [ismcts.ISMCTSBot(rules, evaluator, uct_c=2, max_simulations=2, random_state=rng)] * rules.num_players()
    bots[0] = spiel_mcts.MCTSBot(rules, 2, 2, evaluator, random_state=rng)
    state = rules.new_initial_state()
    for _ in range(25):
        if state.is_terminal():
            break
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(actions, p=weights))
            continue
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_positions_are_copied_by_deepcopy() -> None:
    state = pyspiel.load_game("atoll_atacama").new_initial_state()
    copy = state.clone()
    copy.apply_action(copy.chance_outcomes()[0][0])
    assert isinstance(state.position, Position)
    assert state.is_chance_node()
    assert not copy.is_chance_node()
