"""The engine: decisions, chance, positions, visibility, re-deal, vocabulary, options, registry. It knows no game."""

from .chance import ChanceSource, SeededSource
from .decisions import CHANCE, PUBLIC, Ask, Asking, Choose, Draw, Flow, Roll, Sealed, only
from .errors import (
    AtollError,
    ChanceError,
    ComponentError,
    GameOver,
    IllegalChoice,
    MalformedChoice,
    NothingToUndo,
    OptionError,
    RulesError,
    SaveError,
    SeatCountError,
    UnknownGame,
    WordsError,
    WrongSeat,
)
from .game import Game, Line, Part, Reason, places
from .options import Enum, Flag, Int, Option
from .position import Position
from .registry import Registry
from .seat import SeatView
from .stage import Stage
from .state import Event, Only, State, blank, derivable, derived, known, nobody, owner, public, put
from .vocabulary import Domain, Kind, Numbers, Vocabulary, numbers

__all__ = [
    "CHANCE",
    "PUBLIC",
    "Ask",
    "Asking",
    "AtollError",
    "ChanceError",
    "ChanceSource",
    "Choose",
    "ComponentError",
    "Domain",
    "Draw",
    "Enum",
    "Event",
    "Flag",
    "Flow",
    "Game",
    "GameOver",
    "IllegalChoice",
    "Int",
    "Kind",
    "Line",
    "MalformedChoice",
    "NothingToUndo",
    "Numbers",
    "Only",
    "Option",
    "OptionError",
    "Part",
    "Position",
    "Reason",
    "Registry",
    "Roll",
    "RulesError",
    "SaveError",
    "Sealed",
    "SeatCountError",
    "SeatView",
    "SeededSource",
    "Stage",
    "State",
    "UnknownGame",
    "Vocabulary",
    "WordsError",
    "WrongSeat",
    "blank",
    "derivable",
    "derived",
    "known",
    "nobody",
    "numbers",
    "only",
    "owner",
    "places",
    "public",
    "put",
]
