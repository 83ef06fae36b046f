"""Owners' data: a game with any changed number works everywhere, or a ComponentError refuses it."""

from __future__ import annotations

import copy
import datetime
import importlib
import importlib.resources
import pathlib
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from atoll.engine import ComponentError, Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.translations import GameMessages, catalogue_keys
from atoll.server.domain.game_offer import replace_components
from atoll.server.presentation import rules_page

SAMPLE = 16
"""So many numbers of each game are changed in a usual run; a long one changes them all."""

Path = tuple[str | int, ...]


def numbers(data: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all numbers in component data."""
    if type(data) is int:
        yield path
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from numbers(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from numbers(value, (*path, index))


def changed(data: Mapping[str, Any], path: Path, by: int) -> dict[str, Any]:
    copied = copy.deepcopy(dict(data))
    found: Any = copied
    for step in path[:-1]:
        found = found[step]
    found[path[-1]] += by
    return copied


def check_form(error: ComponentError) -> None:
    """Check the form `[table] card: <fault>; allowed: <allowed values>`, after a file if there is one."""
    assert error.wrong and error.allowed
    assert error.table or error.file
    where = f"[{error.table}] {error.card}".rstrip() + ": " if error.table else ""
    assert str(error) == (f"{error.file}: " if error.file else "") + f"{where}{error.wrong}; allowed: {error.allowed}"


@cache
def validator(id: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(games[id].view_schema())


def play_everywhere(game: Game, rng: random.Random) -> None:
    """A random game to its end: drawn, viewed, saved and explained at some moments."""
    picture = importlib.import_module(f"{game.package}.picture")
    words = {language: GameMessages(game, language) for language in LANGUAGES}
    seats = rng.choice(game.seat_counts)
    position = game.new(seats, rng.choice(game.option_sets(seats)), seed=rng.randrange(1000))
    steps = 0
    while True:
        if position.over or steps % 40 == rng.randrange(40):
            viewer, language = rng.choice((None, *range(seats))), rng.choice(LANGUAGES)
            view = position.view(viewer)
            assert validator(game.id).is_valid(view), next(validator(game.id).iter_errors(view)).message
            picture.regions(game, view, words[language])
            for lines in position.explain():
                for line in lines:
                    assert words[language].score(line)
                    assert all(words[language].score(part) for part in line.parts)
            if not position.over:
                game.load(position.save())
        if position.over:
            break
        seat = rng.choice(position.to_move)
        assert words["en"].prompt(position.decision(seat))
        choice = rng.choice(position.legal_choices(seat))
        assert words["de"].choice(choice)
        position.apply(choice, seat)
        for event in position.take_events():
            words["en"].event(event, seat)
        steps += 1
        assert steps <= game.max_answers


def speak(game: Game) -> None:
    """The whole rules page and every help of an option, in every language."""
    for language in LANGUAGES:
        words = GameMessages(game, language)
        for key in catalogue_keys(game.package, language):
            if key.startswith(f"{game.id}.option."):
                words.say(key.removeprefix(f"{game.id}."))
        seats = game.seat_counts[-1]
        assert rules_page.parts(game, words, rules_page.RulesContext(seats, game.resolve_options({}, seats)))
        assert words.title()


def check(id: str, path: Path, by: int) -> bool:
    """Return whether a game with this number changed is played, or False if it was refused."""
    try:
        game = type(games[id])(changed(games[id].data, path, by))
    except ComponentError as error:
        check_form(error)
        return False
    speak(game)
    play_everywhere(game, random.Random(f"{path} {by}"))
    return True


def failures(id: str, paths: list[Path]) -> list[str]:
    found, played = [], 0
    for path in paths:
        for by in (1, -1):
            try:
                played += check(id, path, by)
            except Exception as error:  # all of them are shown at once
                found.append(f"{path} {by:+}: {type(error).__name__}: {error}")
    assert played, "nothing was played"
    return found


@pytest.mark.parametrize("id", games)
def test_a_changed_number_works_or_is_refused(id: str) -> None:
    paths = sorted(numbers(games[id].data), key=str)
    assert failures(id, random.Random(id).sample(paths, min(SAMPLE, len(paths)))) == []


@pytest.mark.fuzz
@pytest.mark.parametrize("id", games)
def test_every_changed_number_works_or_is_refused(id: str) -> None:
    assert failures(id, list(numbers(games[id].data))) == []


def tables(id: str) -> list[str]:
    return list(games[id].data)


@pytest.mark.parametrize("id", games)
def test_each_table_is_needed_and_no_other_is_known(id: str) -> None:
    for table in tables(id):
        with pytest.raises(ComponentError) as caught:
            type(games[id])({name: value for name, value in games[id].data.items() if name != table})
        check_form(caught.value)
        assert (caught.value.table, caught.value.wrong) == (table, "it is missing")
    with pytest.raises(ComponentError) as caught:
        type(games[id])({**games[id].data, "weather": {}})
    assert (caught.value.table, caught.value.wrong) == ("weather", "it is unknown")


@pytest.mark.parametrize("wrong", [None, "?", -7, 10**30, [[]], datetime.date(2026, 1, 1)])
@pytest.mark.parametrize("id", games)
def test_a_table_of_a_wrong_type_is_refused(id: str, wrong: Any) -> None:
    for table in tables(id):
        with pytest.raises(ComponentError) as caught:
            type(games[id])({**games[id].data, table: wrong})
        check_form(caught.value)


@pytest.mark.parametrize("id", games)
def test_an_unknown_key_is_refused_in_every_table(id: str) -> None:
    for table, value in games[id].data.items():
        data = copy.deepcopy(dict(games[id].data))
        for entry in data[table] if isinstance(value, list) else [data[table]]:
            if isinstance(entry, dict):
                entry["weather"] = 1
        if data != games[id].data:
            with pytest.raises(ComponentError, match=r"weather.* is unknown; allowed: ") as caught:
                type(games[id])(data)
            assert caught.value.table == table


@pytest.mark.parametrize("id", games)
def test_an_entry_that_stands_twice_is_refused(id: str) -> None:
    for table, value in games[id].data.items():
        if isinstance(value, list):
            with pytest.raises(ComponentError) as caught:
                type(games[id])({**games[id].data, table: [*value, value[0]]})
            check_form(caught.value)


@pytest.mark.parametrize("id", games)
def test_huge_numbers_are_refused(id: str) -> None:
    paths = sorted(numbers(games[id].data), key=str)
    for path in random.Random(id).sample(paths, SAMPLE):
        for by in (10**6, 10**30, -(10**6)):
            with pytest.raises(ComponentError) as caught:
                type(games[id])(changed(games[id].data, path, by))
            check_form(caught.value)


@pytest.mark.parametrize("id", games)
def test_the_file_is_named(id: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "mine.toml"
    source = importlib.resources.files(games[id].package).joinpath("components.toml").read_bytes()
    for content in (b"[game", source.replace(b"source = ", b"sauce = "), source.replace("ä".encode(), b"\xff")):
        file.write_bytes(content)
        with pytest.raises(ComponentError) as caught:
            games[id].with_components(file)
        check_form(caught.value)
        assert caught.value.file == str(file)
    file.write_bytes(source)
    assert games[id].with_components(file).components_hash == games[id].components_hash
    assert install_as(file) == id


def install_as(file: pathlib.Path) -> str:
    """The game whose components the server takes this file for."""
    registered: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "register", lambda game: registered.append(game.id))
        replace_components((str(file),))
    return registered[0]
