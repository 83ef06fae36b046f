"""Chance that can be checked: committed before, mixed with the seats' shares, opened after."""

import hashlib
import hmac
from collections import Counter

import pytest

from atoll.server.domain.model import Fairness
from atoll.server.table.fair_chance import FairChance, commitment, is_hex, new_seed

from .conftest import Room

pytestmark = pytest.mark.anyio


def verify(table: str, proof: Fairness) -> None:
    """What the page does after the game, written anew from docs/play/explanation-fair-chance.md."""
    assert proof.seed is not None and proof.contributions is not None and proof.draws is not None
    seed = bytes.fromhex(proof.seed)
    assert hashlib.sha256(seed).hexdigest() == proof.commitment
    message = "\n".join(["atoll-chance-1", table, *proof.contributions])
    key = hmac.new(seed, message.encode(), hashlib.sha256).digest()
    for draw in proof.draws:
        size, attempt = len(draw.pool), 0
        assert list(draw.pool) == sorted(draw.pool)
        while True:
            digest = hmac.new(key, f"{draw.index}:{attempt}".encode(), hashlib.sha256).digest()
            number = int.from_bytes(digest, "big")
            if number < 2**256 - 2**256 % size:
                break
            attempt += 1
        assert draw.pool[number % size] == draw.outcome


async def test_every_draw_of_a_finished_game_can_be_verified(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob", "Cy")
    before = await room.tables.history.fairness(None, table)
    assert before.commitment == (await room.view(None, table)).commitment
    assert (before.seed, before.draws) == (None, None)
    assert before.contributions == ("ab" * 32,) * 3
    await room.play(table, "Ada", "Bob", "Cy")
    await room.forget()
    proof = await room.tables.history.fairness(None, table)
    verify(table, proof)
    assert proof.draws is not None and [draw.index for draw in proof.draws] == list(range(len(proof.draws)))
    assert {draw.kind for draw in proof.draws} == {"start", "draw", "draw_charm", "die"}
    assert proof.commitment == before.commitment


async def test_shares_stay_hidden_until_the_start(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob", start=False)
    await room.tables.table_setup.contribute(room.people["Ada"], table, 0, "ef" * 32)
    assert (await room.tables.history.fairness(room.people["Bob"], table)).contributions is None
    view = await room.view("Bob", table)
    assert [seat.contributed for seat in view.seats] == [True, False]
    assert "ef" * 32 not in str(view)


async def test_a_forked_game_can_be_verified_too(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    fork = await room.tables.history.continue_from(room.people["Ada"], table, 25)
    while (await room.view("Ada", fork)).status == "running":
        await room.tables.bot_turns.play(fork)
        if (await room.view("Ada", fork)).turn is not None:
            await room.play(fork, "Ada", most=1)
    verify(fork, await room.tables.history.fairness(room.people["Ada"], fork))


async def test_taking_back_and_reloading_never_roll_again(room: Room) -> None:
    """However much is staged, taken back and reloaded: the n-th chance event has the n-th number."""
    for fickle in (False, True):
        table = await room.table("toy", "Ada", "Bob", start=False)
        live = await room.tables.executor._find(table)
        live.row.seed = "11" * 32
        for name, seat in (("Ada", 0), ("Bob", 1)):
            await room.tables.table_setup.contribute(room.people[name], table, seat, "ab" * 32)
        for _ in range(25):
            name, view = await room.mover(table, "Ada", "Bob")
            assert view.turn is not None and view.seat is not None
            stamp, choice = view.turn.stamp, view.turn.legal[0]
            if fickle:
                for other in (view.turn.legal[-1], choice):
                    done = await room.tables.turns.choose(
                        room.people[name], table, view.seat, [other], stamp, confirm=False
                    )
                    stamp = (await room.tables.turns.restart(room.people[name], table, view.seat, done.stamp)).stamp
                await room.forget()
            await room.tables.turns.choose(room.people[name], table, view.seat, [choice], stamp, confirm=True)
        rows = await room.tables.store.choices(table)
        source = FairChance("11" * 32, table, ["ab" * 32] * 2)
        chances = [row for row in rows if row.seat == -1]
        for index, row in enumerate(chances):
            kind = room.tables.catalogue.by_id["toy"].vocabulary.kind_of(row.choice)
            pool = row.pool or list(range(kind.size))
            assert pool[source.pick(index, len(pool))] == row.choice - kind.first
        assert len(chances) > 8


def test_numbers_are_uniform_and_independent_of_the_order_of_asking() -> None:
    source = FairChance(new_seed(), "table", ["ab" * 32])
    counts = Counter(source.pick(index, 6) for index in range(12_000))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - 2000) < 250 for count in counts.values())
    assert [source.pick(index, 97) for index in range(50)] == [source.pick(index, 97) for index in range(50)]
    backwards = [source.pick(index, 97) for index in reversed(range(50))]
    assert backwards[::-1] == [source.pick(index, 97) for index in range(50)]


def test_every_part_of_the_key_counts() -> None:
    def numbers(seed: str, table: str, shares: list[str]) -> list[int]:
        source = FairChance(seed, table, shares)
        return [source.pick(index, 10**9) for index in range(3)]

    true = numbers("11" * 32, "t", ["ab" * 32, ""])
    assert numbers("12" + "11" * 31, "t", ["ab" * 32, ""]) != true
    assert numbers("11" * 32, "u", ["ab" * 32, ""]) != true
    assert numbers("11" * 32, "t", ["ab" * 32, "cd" * 32]) != true
    assert numbers("11" * 32, "t", ["", "ab" * 32]) != true


def test_a_number_in_the_last_stretch_is_rejected() -> None:
    """With 2^255 + 1 outcomes only one stretch fits into 256 bits, so about half of all numbers aren't fair."""
    size = 2**255 + 1
    source = FairChance("11" * 32, "t", [])
    key = hmac.new(bytes.fromhex("11" * 32), b"atoll-chance-1\nt", hashlib.sha256).digest()

    def raw(index: int, attempt: int) -> int:
        return int.from_bytes(hmac.new(key, f"{index}:{attempt}".encode(), hashlib.sha256).digest(), "big")

    rejected = [index for index in range(40) if raw(index, 0) >= size]
    assert len(rejected) > 5
    for index in rejected:
        attempt = next(attempt for attempt in range(1, 99) if raw(index, attempt) < size)
        assert source.pick(index, size) == raw(index, attempt)


def test_seeds_have_256_bits_and_shares_have_one_form() -> None:
    seeds = {new_seed() for _ in range(50)}
    assert len(seeds) == 50 and all(len(bytes.fromhex(seed)) == 32 for seed in seeds)
    assert len(commitment(new_seed())) == 64
    assert is_hex("0f" * 32)
    assert not any(map(is_hex, ("", "0F" * 32, "0f" * 33, "0f" * 32 + "\n", "xy" * 32)))
