"""The engine: decisions, chance, positions, visibility, re-deal, vocabulary, options, registry. It knows no game."""

from .chance import ChanceSource, SeededSource
from .decisions import CHANCE, PUBLIC, Ask, Asking, Choose, Draw, Flow, Picking, Picks, Roll, Sealed, only
from .errors import (
    AtollError,
    BrokenGame,
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
from .game import Game
from .json_types import JsonMapping, JsonObject
from .options import Enum, Flag, Int, Option, Options, OptionValue
from .picks import UNSETTLED, Mix, pick_set
from .position import Position
from .reasons import Judges, Reason, unless
from .registry import Registry
from .rules import Line, Part, Rival, Rules, places
from .seat import SeatView
from .seen import Seen
from .shown import Before
from .stage import Stage
from .start_player import StartPlayer, find_start_player
from .state import (
    SEAT,
    SEAT_MASK,
    Event,
    Only,
    Seated,
    State,
    blank,
    derivable,
    derived,
    known,
    nobody,
    owner,
    public,
    put,
    take,
)
from .verbs import Verbs
from .view import PublicView
from .vocabulary import Domain, Kind, Numbers, Vocabulary, numbers

__all__ = [
    "CHANCE",
    "PUBLIC",
    "SEAT",
    "SEAT_MASK",
    "UNSETTLED",
    "Ask",
    "Asking",
    "AtollError",
    "Before",
    "BrokenGame",
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
    "JsonMapping",
    "JsonObject",
    "Judges",
    "Kind",
    "Line",
    "MalformedChoice",
    "Mix",
    "NothingToUndo",
    "Numbers",
    "Only",
    "Option",
    "OptionError",
    "OptionValue",
    "Options",
    "Part",
    "Picking",
    "Picks",
    "Position",
    "PublicView",
    "Reason",
    "Registry",
    "Rival",
    "Roll",
    "Rules",
    "RulesError",
    "SaveError",
    "Sealed",
    "SeatCountError",
    "SeatView",
    "Seated",
    "SeededSource",
    "Seen",
    "Stage",
    "StartPlayer",
    "State",
    "UnknownGame",
    "Verbs",
    "Vocabulary",
    "WordsError",
    "WrongSeat",
    "blank",
    "derivable",
    "derived",
    "find_start_player",
    "known",
    "nobody",
    "numbers",
    "only",
    "owner",
    "pick_set",
    "places",
    "public",
    "put",
    "take",
    "unless",
]
