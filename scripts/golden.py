"""Writes golden games: complete games of random play, or of a bot, with a hash per checkpoint.

    .venv/bin/python scripts/golden.py atacama blocked --seats 2 --seed 17 setup=basic tactic=true

writes tests/games/atacama/golden/blocked.game. Review its difference like code.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from atoll.bots import bot
from atoll.engine import SeatView, record
from atoll.engine.registry import games

GAMES = Path(__file__).parent.parent / "tests" / "games"


def main() -> None:
    """Play a game and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("name")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="random", help="bot at all seats; for ends that random play never reaches")
    parser.add_argument("options", nargs="*", help="option=value")
    given = parser.parse_intermixed_args()
    game = games[given.game]
    known = {option.id: option for option in game.options}
    options = {}
    for each in given.options:
        name, _, value = each.partition("=")
        options[name] = known[name].read(value)
    position = game.new(given.seats, options, seed=given.seed)
    random = Random(given.seed)
    player = None if given.bot == "random" else bot(game, given.bot, iterations=100)
    while not position.over:
        seat = position.to_move[0]
        if player is None:
            position.apply(random.choice(position.legal_choices(seat)), seat)
        else:
            position.apply(player.choose(SeatView(position, seat), 60.0, given.seed * 1000 + position.sequence), seat)
    path = GAMES / game.id / "golden" / f"{given.name}.game"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record.write(position), "utf-8")
    print(f"{path}: {position.sequence} answers, scores {position.scores()}")


if __name__ == "__main__":
    main()
