"""Records: complete games as text, with setup, choices, chance outcomes, state hashes and scores.

```
atoll 1
game atacama
rules 1
box 0123456789abcdef
seats 2
option setup basic
= 1f00aa...
seat 0
p0 place r1c1 base
= 99ab...
scores 4 1
places 1 2
```

A line `p<seat> <choice>` is a decision and a line `= <hash>` a checkpoint. Any other line of the
middle part is a chance outcome. Lines `proof <name> <value>` of the head describe how chance can be
verified; the engine doesn't interpret them. Golden games, export and import use this format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .decisions import CHANCE
from .errors import AtollError, MalformedChoice, OptionError, SaveError
from .game import Game
from .integers import parse_int
from .position import Position

_FIRST_LINE: Final = "atoll 1"
_LONGEST: Final = 2_000_000  # characters; far above the longest game


@dataclass(slots=True)
class RecordLine:
    """One line of the middle part of a record.

    Attributes:
        line: Line number, from 1.
        who: The seat; `CHANCE` for outcomes and checkpoints.
        text: Text form of the choice; "" for a checkpoint.
        digest: Hash of a checkpoint; "" for other lines.
    """

    line: int
    who: int
    text: str
    digest: str = ""


@dataclass(slots=True)
class Record:
    """A parsed record that hasn't been replayed.

    Attributes:
        game: Id of the game.
        rules_version: Version of the rules.
        components_hash: Hash of the components.
        seats: Number of seats.
        options: Values of options as text, by id.
        proof: Values of the proof lines by name.
        steps: Lines of the middle part.
        scores: Total of each seat; None if the game isn't over.
        places: Rank of each seat; None if the game isn't over.
    """

    game: str
    rules_version: int
    components_hash: str
    seats: int
    options: dict[str, str] = field(default_factory=dict)
    proof: dict[str, str] = field(default_factory=dict)
    steps: list[RecordLine] = field(default_factory=list)
    scores: list[int] | None = None
    places: list[int] | None = None


@dataclass(slots=True)
class ReplayMismatch:
    """The first difference between a record and its replay.

    Attributes:
        line: Line number, from 1.
        recorded: The recorded text.
        found: The text of the replay.
    """

    line: int
    recorded: str
    found: str

    def __str__(self) -> str:
        return f"line {self.line}: recorded {self.recorded[:200]!r}, found {self.found[:200]!r}"


def write(position: Position, *, hashes: bool = True, proof: Mapping[str, str] | None = None) -> str:
    """Return the record of a game, including all hidden information.

    Args:
        position: A position that was played from its start.
        hashes: Whether to write state hashes at checkpoints.
        proof: Values of proof lines by name; None for none.

    Raises:
        SaveError: If the position has no complete record, such as a fork.
    """
    game = position.game
    if position.record is None or (position.sequence and not position.record):
        raise SaveError("only a position that was played from its start on has a record")
    lines = [
        _FIRST_LINE,
        f"game {game.id}",
        f"rules {game.rules_version}",
        f"box {game.components_hash}",
        f"seats {position.seats}",
    ]
    lines += [f"option {name} {_option_text(value)}" for name, value in position.options.items()]
    lines += [f"proof {what} {value}" for what, value in (proof or {}).items()]
    replay = Position(game, game.setup(game.components, position.options, position.seats), position.options, None)
    marked = -1
    for index, (who, choice, _) in enumerate(position.record):
        marked = _add_checkpoint_hash(replay, lines, marked, hashes)
        advance(replay, index, who, choice)
        lines.append(game.text(choice) if who == CHANCE else f"p{who} {game.text(choice)}")
    _add_checkpoint_hash(replay, lines, marked, hashes)
    if position.over:
        lines.append("scores " + " ".join(map(str, position.scores())))
        lines.append("places " + " ".join(map(str, position.ranking())))
    return "\n".join(lines) + "\n"


def _add_checkpoint_hash(replay: Position, lines: list[str], marked: int, hashes: bool) -> int:
    """Append a hash line at a checkpoint that has none, and return the last checkpoint."""
    at = replay.checkpoint_sequence
    if at == marked or at != replay.sequence:
        return marked
    if hashes:
        lines.append(f"= {replay.digest()}")
    return at


def advance(replay: Position, index: int, who: int, choice: int) -> None:
    """Apply an entry of a record, unless the driver has already answered it automatically.

    Exceptions of `Position.apply` are passed on.

    Args:
        replay: The replayed game, which must be recording.
        index: Number of the entry.
        who: Actor of the entry: a seat or `CHANCE`.
        choice: Choice of the entry.

    Raises:
        SaveError: If the automatic answer differs from the entry.
    """
    assert replay.record is not None
    if index < len(replay.record):
        compare(replay, replay.record[index], who, choice)
        return
    replay.apply(choice, None if who == CHANCE else who)


def compare(replay: Position, taken: tuple[int, int, int], who: int, choice: int) -> None:
    """Compare an entry of a record with the automatic answer of the driver.

    Args:
        replay: The replayed game.
        taken: Entry of the driver: actor, choice, audience.
        who: Actor of the recorded entry: a seat or `CHANCE`.
        choice: Choice of the recorded entry.

    Raises:
        SaveError: If they differ.
    """
    found_who, found, _ = taken
    if (found_who, found) != (who, choice):
        raise SaveError(f"the rules took {replay.text(found)!r} automatically, not {replay.text(choice)!r}")


def _option_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(text: str) -> Record:
    """Return a parsed record.

    Args:
        text: Text of the record.

    Raises:
        SaveError: If the text isn't a record; the message names the line.
    """
    if not isinstance(text, str):
        raise SaveError(f"a record must be a text, not {type(text).__name__}")
    if len(text) > _LONGEST:
        raise SaveError(f"the record is longer than {_LONGEST:,} characters")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines or lines[0][1] != _FIRST_LINE:
        raise SaveError(f"not a record of a game: the first line must be {_FIRST_LINE!r}")
    head: dict[str, str] = {}
    record = Record("", 0, "", 0)
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        if word in ("game", "rules", "box", "seats") and not record.steps:
            head[word] = rest.strip()
        elif word == "option" and not record.steps:
            name, _, value = rest.strip().partition(" ")
            record.options[name] = value.strip()
        elif word == "proof" and not record.steps:
            what, _, value = rest.strip().partition(" ")
            record.proof[what] = value.strip()
        elif word in ("scores", "places"):
            values = [_number(number, word, each) for each in rest.split()]
            if word == "scores":
                record.scores = values
            else:
                record.places = values
        elif word == "=":
            record.steps.append(RecordLine(number, CHANCE, "", rest.strip()))
        elif word[0] == "p" and len(word) < 4 and (seat := parse_int(word[1:])) is not None and seat >= 0:
            record.steps.append(RecordLine(number, seat, rest))
        else:
            record.steps.append(RecordLine(number, CHANCE, line))
    for key in ("game", "rules", "box", "seats"):
        if key not in head:
            raise SaveError(f"not a record of a game: the line {key!r} is missing")
    record.game = head["game"]
    record.components_hash = head["box"]
    record.rules_version = _number(0, "rules", head["rules"])
    record.seats = _number(0, "seats", head["seats"])
    return record


def _number(line: int, what: str, text: str) -> int:
    value = parse_int(text)
    if value is None:
        where = f"line {line}: " if line else ""
        raise SaveError(f"{where}{what} {text[:40]!r} isn't a number")
    return value


def start(game: Game, record: Record) -> Position:
    """Return the start of a recorded game, with chance entered by hand.

    Args:
        game: The game.
        record: The record.

    Raises:
        SaveError: If the record is of another game, other components or newer rules.
        SeatCountError: If the game doesn't support the number of seats.
        OptionError: If an option is unknown or its value isn't allowed.
    """
    if record.game != game.id:
        raise SaveError(f"this is a record of {record.game!r}, not of {game.id!r}")
    game.check_made("record", record.components_hash, record.rules_version)
    known = {option.id: option for option in game.options}
    options = {}
    for name, value in record.options.items():
        if name not in known:
            raise OptionError(f"unknown option {name[:40]!r}; known: {', '.join(known) or 'none'}")
        options[name] = known[name].read(value)
    return game.new(record.seats, options)


def replay(game: Game, record: Record, watch: Callable[[RecordLine, Position], None] | None = None) -> Position:
    """Replay a record.

    Args:
        game: The game.
        record: The record.
        watch: Called with each step and the position after it; None for no calls.

    Returns:
        The final position.

    Raises:
        SaveError: If a line doesn't fit the rules, or a hash, score or rank differs.
        SeatCountError: If the game doesn't support the number of seats.
        OptionError: If an option is unknown or its value isn't allowed.
    """
    position = start(game, record)
    index = 0
    for step in record.steps:
        if step.digest:
            if position.digest() != step.digest:
                raise SaveError(str(ReplayMismatch(step.line, f"= {step.digest}", f"= {position.digest()}")))
        else:
            try:
                advance(position, index, step.who, game.parse(step.text))
            except MalformedChoice as error:
                raise SaveError(f"line {step.line}: {error}") from None
            except AtollError as error:
                raise SaveError(f"line {step.line}: {step.text!r}: {error}") from None
            index += 1
        if watch is not None:
            watch(step, position)
    for what, recorded, found in (
        ("scores", record.scores, position.scores),
        ("places", record.places, position.ranking),
    ):
        if recorded is not None and recorded != found():
            raise SaveError(f"{what}: recorded {recorded}, found {found()}")
    return position


def check(game: Game, text: str) -> str | None:
    """Replay a record and return the first difference as text; None if there is none."""
    try:
        replay(game, read(text))
    except AtollError as error:
        return str(error)
    return None


def from_text(games: Mapping[str, Game], text: str) -> Position:
    """Return the final position of a record of any game.

    Args:
        games: Games by id.
        text: The record.

    Raises:
        SaveError: If the text isn't a record, or the replay differs.
        UnknownGame: If no game has the id.
    """
    record = read(text)
    return replay(games[record.game], record)
