"""Finished games for tests of their chance, with any seed and shares."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from atoll.engine import CHANCE, PUBLIC, Draw
from atoll.engine.state import may_know
from atoll.server.domain.model import Offer, Terms
from atoll.server.table import chance_protocol as protocol
from atoll.server.table import game_verification
from atoll.server.table.chance_verdict import Verdict
from atoll.server.table.takebacks import SavedAnswer, reader_lines, told_by_file
from tests.server.conftest import GAMES

TABLE = "table1"
SEED, OTHER_SEED = "11" * 32, "22" * 32
ADA_SECRET = "aa" * 32
BOB_SHARE, GROUND = "bb" * 32, "cc" * 32
SALT = "5a" * 32
OPTIONS: dict[str, dict[str, Any]] = {"atacama": {"setup": "enhanced"}, "toy": {}}

File = dict[str, Any]


@dataclass
class Made:
    """A finished game as its table saves it, and the file that Ada's browser saves."""

    file: File
    kept: dict[str, Any]

    def verdict(self, **changed: Any) -> Verdict:
        """Return the verdict by the rules, on a changed file or against another file of the browser."""
        file, kept = changed.get("file", self.file), changed.get("kept", self.kept)
        found = [] if kept is None else game_verification.read_kept(json.dumps(kept))
        return game_verification.verify(GAMES, json.dumps(file), found)

    def changed(self, change: Callable[[File], Any]) -> File:
        """Return a copy of the file with a change."""
        copied = copy.deepcopy(self.file)
        change(copied)
        return copied


def offer_of(file: File) -> Offer:
    return msgspec.convert(file["fairness"]["offer"], Offer)


def terms_digest_of(file: File) -> str:
    fair = file["fairness"]
    terms = msgspec.convert(fair["terms"], Terms)
    return protocol.terms_digest(protocol.offer_digest(offer_of(file)), terms, fair["seals"])


def made(
    game_id: str = "atacama",
    *,
    number: int = 1,
    seed: str = SEED,
    shares: tuple[str | None, ...] = (None, BOB_SHARE),
    seats: tuple[str, ...] = ("person", "person"),
    chooser: int = 3,
    change: Callable[[dict[str, Any]], Any] = lambda _: None,
    shift: int = 0,
) -> Made:
    """Return a game that is played through at random.

    Args:
        game_id: Id of the game.
        number: Number of the round.
        seed: The server's seed.
        shares: Share of each seat, or ""; None for Ada's own.
        seats: Lines of the seats; "person" gets the tag of a name.
        chooser: Seed of the players' choices.
        change: Changes the terms before anything is computed from them.
        shift: Number of the first draw; 0 for an honest game.
    """
    game = GAMES[game_id]
    names = [{"name": name, "salt": SALT} for name in ("Ada", "Bob", "Cy", "Dan")[: len(seats)]]
    tags = [
        f"person {protocol.name_tag(SALT, name['name'])}" if each == "person" else each
        for each, name in zip(seats, names, strict=True)
    ]
    terms: dict[str, Any] = {
        "game": game_id,
        "rules": game.rules_version,
        "components": game.components_digest,
        "options": dict(game.new(len(seats), OPTIONS[game_id] if len(seats) == 2 else {}).options),
        "seats": tags,
        "start": "new",
    }
    change(terms)
    offer = {"table": TABLE, "round": number, "seed": protocol.seed_digest(TABLE, number, seed)}
    named = protocol.offer_digest(msgspec.convert(offer, Offer))
    own = protocol.share_of(ADA_SECRET, named, 0)
    given = [own if each is None else each for each in shares] + [""] * (len(seats) - len(shares))
    seals = [protocol.seal_of(named, seat, share) if share else "" for seat, share in enumerate(given)]
    fixed = protocol.terms_digest(named, msgspec.convert(terms, Terms), seals)
    source = protocol.KeyedChance(protocol.key_of(fixed, seed, given))
    record, draws, result = _played(game_id, source, random.Random(chooser), len(seats), terms["options"], shift)
    file = {
        "format": "atoll-export-2",
        "table": TABLE,
        "status": "over",
        "seats": [name["name"] for name in names],
        "record": record,
        "undone": [],
        "result": result,
        "start": None,
        "fairness": {
            "protocol": protocol.PROTOCOL,
            "offer": offer,
            "terms": terms,
            "seals": seals,
            "shares": given,
            "seed": seed,
            "rounds": [],
            "names": [name if tag.startswith("person ") else None for name, tag in zip(names, tags, strict=True)],
            "draws": draws,
        },
    }
    return Made(json.loads(json.dumps(file)), kept_of(file))


def kept_of(file: File, lines: int | None = None, live: int | None = None, **more: Any) -> dict[str, Any]:
    """Return the file of Ada's browser, which has heard lines of this game, the first ones live."""
    terms, fair = terms_digest_of(file), file["fairness"]
    heard = told_lines(file)
    count = len(heard) if lines is None else lines
    own = {
        "offer": protocol.offer_digest(offer_of(file)),
        "terms": terms,
        "seat": 0,
        "share": fair["shares"][0],
    }
    record = {"terms": terms, "seats": own_seats(file), "lines": count, "live": count if live is None else live}
    head = protocol.head_of(terms, heard[:count])
    return {"format": "atoll-kept-2", "table": TABLE, "shown": [own], "record": {**record, "head": head}} | more


def own_seats(file: File) -> list[int]:
    return [seat for seat, each in enumerate(file["fairness"]["terms"]["seats"]) if seat == 0 or each == "same 0"]


def told_lines(file: File) -> list[str]:
    """Return the record for Ada."""
    answers = [msgspec.convert(each, SavedAnswer) for each in file["record"]]
    return reader_lines(told_by_file(answers, ()), own_seats(file))


def heard_another(kept: dict[str, Any], **record: Any) -> dict[str, Any]:
    """Return the file of a browser that has heard something else."""
    return kept | {"record": kept["record"] | record}


def _played(
    game_id: str, source: protocol.KeyedChance, rng: random.Random, seats: int, options: dict[str, Any], shift: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    game = GAMES[game_id]
    position = game.new(seats, options)
    autos: list[bool] = [True] * len(position.record or ())
    draws: list[dict[str, Any]] = []
    while not position.over:
        ask = position.pending_chance
        if ask is None:
            seat = position.to_move[0]
            asked = 1 + sum(map(len, position.sealed_answers.values())) if position.sealed else 1
            position.apply(rng.choice(position.legal_choices(seat)), seat)
        else:
            pool = sorted(ask.pool) if isinstance(ask, Draw) else list(range(ask.kind.size))
            outcome, asked = pool[source.pick(len(draws) + shift, len(pool))], 1
            text = game.text(ask.kind.first + outcome)
            draws.append({"index": len(draws), "kind": ask.kind.name, "pool": pool, "outcome": outcome, "text": text})
            position.apply(ask.kind.first + outcome, None)
        new = len(position.record or ()) - len(autos)
        autos += [at >= asked for at in range(new)]
    assert position.record is not None
    record = [
        {
            "seat": None if who == CHANCE else who,
            "choice": game.text(choice),
            "audience": None if audience == PUBLIC else [at for at in range(seats) if may_know(audience, at)],
            "auto": auto,
        }
        for (who, choice, audience), auto in zip(position.record, autos, strict=True)
    ]
    return record, draws, {"places": list(position.ranking()), "totals": list(position.scores())}
