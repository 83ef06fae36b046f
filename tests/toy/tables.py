"""Tables of the toy that several tests begin with."""

from typing import Any

from atoll.engine.scripted_game import ScriptedGame

from . import GAME

HANDS = ("pearl net song", "gale net raft", "song song net", "gale pearl pearl")
CHARMS = ("gull", "coral", "whale", "squid")


def dealt(seats: int = 2, **options: Any) -> ScriptedGame:
    """Seat 0 starts; everybody has the charm and the hand named above, and wishes next."""
    table = ScriptedGame(GAME, seats, options).play("start 0")
    for seat in range(seats):
        table.play(f"draw_charm {CHARMS[seat]}", *(f"draw {card}" for card in HANDS[seat].split()))
    return table


def wished(seats: int = 2, **options: Any) -> ScriptedGame:
    """Everybody has wished for the white shell; the bidding follows."""
    table = dealt(seats, **options)
    for seat in range(seats):
        table.play(f"p{seat} wish white", f"p{seat} enough")
    return table


def begun(seats: int = 2, die: int = 6, **options: Any) -> ScriptedGame:
    """Nobody has bid anything; seat 0 has rolled the die (6: for nothing) and acts."""
    table = wished(seats, **options)
    for seat in range(seats):
        table.play(f"p{seat} bid 0")
    return table.play(f"die {die}")
