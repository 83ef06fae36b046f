"""The engine: rules as coroutines, positions, chance, visibility, determinization and saves.

It knows no specific game. Games subclass `Game` and declare a `Vocabulary` and a `State`;
everything else uses `Position` and `SeatView`. Public names are exported here.
"""

from .chance import ChanceSource, SeededSource
from .decisions import (
    CHANCE,
    PUBLIC,
    Choose,
    Draw,
    Flow,
    Picks,
    PicksSource,
    Request,
    RequestFlow,
    Roll,
    Sealed,
    audience_of_seats,
)
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
from .explain_context import ExplainContext
from .game import Game
from .json_types import JsonMapping, JsonObject
from .options import Enum, Flag, Int, Option, Options, OptionValue
from .picks import NO_AMOUNT, AmountSet, pick_set
from .position import Position
from .reasons import Explainers, Reason, unless
from .registry import Registry
from .reveals import RevealCheck
from .rules import Rival, Rules, ScoreLine, ScorePart, rank
from .seat_view import SeatView
from .start_player import StartPlayer, find_start_player
from .state import (
    SEAT,
    SEAT_MASK,
    Event,
    Only,
    SeatNumbers,
    State,
    derived,
    insert_sorted,
    known,
    new_without_init,
    nobody,
    owner,
    public,
    remove_sorted,
    trackable,
)
from .turn_draft import TurnDraft
from .verbs import EffectHandlers
from .view import PublicView
from .vocabulary import Domain, Kind, Numbers, Vocabulary, numbers

__all__ = [
    "CHANCE",
    "NO_AMOUNT",
    "PUBLIC",
    "SEAT",
    "SEAT_MASK",
    "AmountSet",
    "AtollError",
    "BrokenGame",
    "ChanceError",
    "ChanceSource",
    "Choose",
    "ComponentError",
    "Domain",
    "Draw",
    "EffectHandlers",
    "Enum",
    "Event",
    "ExplainContext",
    "Explainers",
    "Flag",
    "Flow",
    "Game",
    "GameOver",
    "IllegalChoice",
    "Int",
    "JsonMapping",
    "JsonObject",
    "Kind",
    "MalformedChoice",
    "NothingToUndo",
    "Numbers",
    "Only",
    "Option",
    "OptionError",
    "OptionValue",
    "Options",
    "Picks",
    "PicksSource",
    "Position",
    "PublicView",
    "Reason",
    "Registry",
    "Request",
    "RequestFlow",
    "RevealCheck",
    "Rival",
    "Roll",
    "Rules",
    "RulesError",
    "SaveError",
    "ScoreLine",
    "ScorePart",
    "Sealed",
    "SeatCountError",
    "SeatNumbers",
    "SeatView",
    "SeededSource",
    "StartPlayer",
    "State",
    "TurnDraft",
    "UnknownGame",
    "Vocabulary",
    "WordsError",
    "WrongSeat",
    "audience_of_seats",
    "derived",
    "find_start_player",
    "insert_sorted",
    "known",
    "new_without_init",
    "nobody",
    "numbers",
    "owner",
    "pick_set",
    "public",
    "rank",
    "remove_sorted",
    "trackable",
    "unless",
]
