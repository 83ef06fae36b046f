"""Measures the server under load: many tables over HTTP, each move pushed to both players.

    make load                                   # 10, 100 and 400 tables, as fast as they go
    make load ARGS="--tables 400 --pace 0.5"    # 400 tables at half a move a second each
    make load ARGS="--pages --game wutaki --pace 0.5 --tables 20"   # as pages do: load_pages.py
    make load ARGS="--servers 4 --router"       # four servers, PostgreSQL, and nginx by table
    make load ARGS="--servers 4 --router --kill"   # one of them is killed meanwhile
    make load ARGS="--servers 4 --router --plant 1"   # with a million other tables: plant.py
    make load ARGS=--peer                       # boardgame.io in the same way (needs node and npm)

A new server on loopback uses a database in a temporary folder; both are removed at the end. At each
table two people play Atacama through the JSON API. Each has a connection for requests and an event
stream with the views.

`answered` is the time from sending a move to its answer, when it is stored. `update` is the time
until the other player has the new view. With --fetch the stream only reports changes, and the other
player requests the view, as browsers do. `per move` is the processor time of server and load, which
matters more than the clock on a busy machine.

Several servers share a PostgreSQL database (--url, or a temporary one) behind nginx. Without
--router, nginx sends each request to any server. The processor time is that of all servers,
without nginx and PostgreSQL. With --kill one server is killed after a third of the time; each
request is repeated until it is answered. The run fails if an acknowledged move is missing, or
if a stream is away for more than five seconds. With --pin the servers share one core and everything
else has the others, so that the processor time per move can be compared on a machine with few
cores.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any, Final

import atoll
from atoll.store import Store

from .load_pages import measure_pages
from .loaded import Cluster, Process, Served, atoll_server, percentile
from .people import Measured, Pair, Person
from .plant import plant, postgres

try:
    from uvloop import run
except ImportError:
    from asyncio import run

_PEER: Final = Path(__file__).parents[1] / "build" / "boardgame_io"
_HEADING: Final = (
    "tables seats streams  moves/s   answered p50/p99     update p50/p99     memory   per move: server, load"
)
_LINE: Final = (
    "{tables:6d} {seats:5d} {streams:7d} {moves_per_second:8.0f} {answered_p50_ms:8.1f} /{answered_p99_ms:7.1f}"
    " {update_p50_ms:8.1f} /{update_p99_ms:7.1f} ms {memory_mib:6.0f} MiB"
    " {server_ms_per_move:10.2f}, {load_ms_per_move:.2f} ms"
)
_PAGES_HEADING: Final = (
    "game       tables seats watch  moves/s updates/s   answered p50/p99     update p50/p99   bytes   memory, per table"
    "   core   per move, per update: server"
)
_PAGES_LINE: Final = (
    "{game:10s} {tables:6d} {seats:5d} {spectators:5d} {moves_per_second:8.1f} {updates_per_second:9.1f}"
    " {answered_p50_ms:8.1f} /{answered_p99_ms:7.1f} {update_p50_ms:8.1f} /{update_p99_ms:7.1f} ms"
    " {bytes_per_update:6.0f} {memory_mib:5.0f}, {memory_mib_per_table:.2f} MiB {server_load:6.2f}"
    " {server_ms_per_move:8.2f}, {server_ms_per_update:.2f} ms"
)
_MOST_TABLES: Final = 1000
_MOST_SERVERS: Final = 20
_MOST_SECONDS: Final = 120.0
_BACK_S: Final = 5.0
"""Longest permitted absence of a stream whose server was killed."""


def _install_peer() -> None:
    """Install boardgame.io and our game for it in build/boardgame_io."""
    if shutil.which("npm") is None:
        raise SystemExit("--peer needs node and npm")
    _PEER.mkdir(parents=True, exist_ok=True)
    for file in (Path(__file__).parent / "boardgame_io").iterdir():
        shutil.copy(file, _PEER)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--silent"]
    subprocess.run([*command, "--legacy-peer-deps"], cwd=_PEER, check=True)


def _node() -> str:
    """Return the path of the actual Node program.

    The command `node` may be a wrapper, whose processor time would be measured instead.
    """
    print_itself = ["node", "-p", "process.execPath"]
    return subprocess.run(print_itself, check=True, capture_output=True, text=True).stdout.strip()


def _measure_peer(folder: Path, tables: int, seconds: float, pace: float, *, node: str) -> dict[str, Any]:
    server = Process([node, "server.mjs", str(folder / "data")], folder / "log", "open at ", folder=_PEER)
    try:
        command = [node, "load.mjs", *map(str, (server.port, server.pid, tables, seconds, pace))]
        done = subprocess.run(command, cwd=_PEER, check=True, capture_output=True, text=True, timeout=seconds + 120)
    finally:
        server.end()
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def _measure_atoll(
    folder: Path,
    tables: int,
    seconds: float,
    pace: float,
    *,
    url: str,
    servers: int,
    by_table: bool,
    cores: Set[int],
    play: Callable[..., Any],
) -> dict[str, Any]:
    url = url or f"sqlite:///{folder}/load.db"
    alone = servers == 1 and not by_table
    server = atoll_server(url, folder / "log") if alone else Cluster(url, folder, servers, by_table=by_table)
    try:
        if cores:
            server.pin(cores)
        row: dict[str, Any] = run(play(server, tables, seconds, pace))
    except (RuntimeError, TimeoutError, OSError) as error:
        logs = "\n".join(file.read_text("utf-8")[-2000:] for file in sorted(folder.glob("log*")))
        raise SystemExit(f"{type(error).__name__}: {error}\n{logs}") from None
    finally:
        server.end()
    return row


async def _measure(
    server: Served, tables: int, seconds: float, pace: float, *, fetch: bool, kill: bool
) -> dict[str, Any]:
    make = partial(Person, server.port, fetch=fetch, patient=kill)
    people = [(make(f"a{number}"), make(f"b{number}")) for number in range(tables)]
    for pair in people:
        for person in pair:
            await person.arrive()
    measured = Measured(tables)
    games = [
        asyncio.create_task(Pair(pair, pace, random.Random(number)).play(measured))
        for number, pair in enumerate(people)
    ]
    begun = asyncio.create_task(measured.begun.wait())
    ended, _ = await asyncio.wait([*games, begun], return_when=asyncio.FIRST_COMPLETED)
    ended.discard(begun)
    if not ended:
        ended, _ = await asyncio.wait(games, timeout=min(2.0, seconds), return_when=asyncio.FIRST_EXCEPTION)
    cpu, own, started = server.cpu_seconds(), time.process_time(), time.perf_counter()
    measured.running = True
    if not ended and kill:
        ended, _ = await asyncio.wait(games, timeout=seconds / 3, return_when=asyncio.FIRST_EXCEPTION)
        assert isinstance(server, Cluster)
        server.kill_one()
        seconds -= seconds / 3
    if not ended:
        ended, _ = await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    measured.running = False
    took, cpu, own = time.perf_counter() - started, server.cpu_seconds() - cpu, time.process_time() - own
    for failed in ended:
        failed.result()
    for task in games:
        task.cancel()
    await asyncio.wait(games, timeout=5)
    memory = server.memory_mib()
    if kill:
        await _check_after_kill([person for pair in people for person in pair])
    for pair in people:
        for person in pair:
            person.leave()
    moves = max(1, len(measured.updated))
    return {
        "tables": tables,
        "seats": 2 * tables,
        "streams": 2 * tables,
        "moves_per_second": len(measured.updated) / took,
        "answered_p50_ms": percentile(measured.answered, 0.5),
        "answered_p99_ms": percentile(measured.answered, 0.99),
        "update_p50_ms": percentile(measured.updated, 0.5),
        "update_p99_ms": percentile(measured.updated, 0.99),
        "memory_mib": memory,
        "server_ms_per_move": 1000 * cpu / moves,
        "load_ms_per_move": 1000 * own / moves,
    }


async def _check_after_kill(people: Sequence[Person]) -> None:
    """Print what the loss of a server meant.

    Args:
        people: The people.

    Raises:
        RuntimeError: If an acknowledged choice is missing, no stream was lost, or one was away for
            too long.
    """
    missing = sum([await person.missing() for person in people])
    absences = sorted(absence for person in people for absence in person.absences)
    made = sum(len(each) for person in people for each in person.made.values())
    found = (
        f"one server killed: {made} moves acknowledged, {missing} missing; "
        f"{len(absences)} streams lost, back after {max(absences, default=0):.1f} s"
    )
    print(found, flush=True)
    if missing or not absences or absences[-1] > _BACK_S:
        raise RuntimeError(found)


async def _plant(url: str, share: float) -> None:
    """Plant the database."""
    store = await Store.open(url)
    print(f"planted in {sum((await plant(store, share)).values()):.0f} s", flush=True)
    await store.close()


def _split_cores() -> Set[int]:
    """Leave one core to the servers, and return it. All else, started later, runs on the others."""
    *others, last = sorted(os.sched_getaffinity(0))
    if not others:
        raise SystemExit("--pin needs two cores")
    os.sched_setaffinity(0, others)
    return {last}


def _bounded(name: str, value: float, most: float) -> float:
    if not 0 < value <= most:
        raise SystemExit(f"invalid --{name} {value:g}: expected a value above 0, at most {most:g}")
    return value


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="10,100,400", help="number of tables; several runs with commas")
    parser.add_argument("--seconds", type=float, default=15.0, help="measured time of each run")
    parser.add_argument("--pace", type=float, default=0.0, help="moves per second and table; 0: as fast as possible")
    parser.add_argument("--fetch", action="store_true", help="streams only report changes; views are requested")
    parser.add_argument("--pages", action="store_true", help="play as pages do")
    parser.add_argument("--game", default="atacama", choices=sorted(atoll.games), help="id of the game; with --pages")
    parser.add_argument("--spectators", type=int, default=0, help="spectators per table; with --pages")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io instead")
    parser.add_argument("--url", default="", help="database; default: a temporary one")
    parser.add_argument("--servers", type=int, default=1, help="number of servers, on PostgreSQL behind nginx")
    parser.add_argument("--router", action="store_true", help="send all requests of a table to one server")
    parser.add_argument("--kill", action="store_true", help="kill one of the servers, and check that nothing is lost")
    parser.add_argument("--pin", action="store_true", help="servers on one core, all else on the others")
    parser.add_argument("--plant", type=float, default=0.0, metavar="SHARE", help="plant the database first: plant.py")
    parser.add_argument("--json", default="", metavar="FILE", help="file for the figures, in addition")
    arguments = parser.parse_args()
    seconds = _bounded("seconds", arguments.seconds, _MOST_SECONDS)
    counts = [int(_bounded("tables", int(text), _MOST_TABLES)) for text in arguments.tables.split(",")]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8 * max(counts) + 500
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    play: Callable[..., Any] = partial(_measure, fetch=arguments.fetch, kill=arguments.kill)
    if arguments.pages:
        play = partial(measure_pages, game=arguments.game, spectators=arguments.spectators)
    cores = _split_cores() if arguments.pin else frozenset()
    servers = int(_bounded("servers", arguments.servers, _MOST_SERVERS))
    if arguments.kill and (servers == 1 or arguments.pages):
        raise SystemExit("--kill needs several --servers, and no --pages")
    stack = contextlib.ExitStack()
    url = arguments.url
    if not url and (servers > 1 or arguments.router or arguments.plant):
        url = stack.enter_context(postgres("load"))
    measure: Callable[[Path, int, float, float], dict[str, Any]] = partial(
        _measure_atoll, url=url, servers=servers, by_table=arguments.router, cores=cores, play=play
    )
    if arguments.peer:
        _install_peer()
        node = _node()
        version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        print(f"boardgame.io, Node {version} ({node})")
        measure = partial(_measure_peer, node=node)
    rows = []
    heading, line = (_PAGES_HEADING, _PAGES_LINE) if arguments.pages else (_HEADING, _LINE)
    print(heading)
    with stack:
        if arguments.plant:
            asyncio.run(_plant(url, arguments.plant))
        for count in counts:
            with tempfile.TemporaryDirectory() as folder:
                row = measure(Path(folder), count, seconds, arguments.pace)
            rows.append(row)
            print(line.format_map(row), flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
