"""Bots: players with one interface, `choose(seat_view, budget, seed) -> choices`.

They see only what their seat may know, and sample the rest.
"""

from .advice import Advice, Analysis, ChoiceEstimate, Judgment, analyze, analyze_from, is_decision, judge, suggest
from .amounts import usual_amounts
from .bot import Bot, RandomBot
from .evaluation import Evaluation, evaluation, lead
from .greedy import GreedyBot
from .levels import USUAL, EpsilonRandomBot, Level, LevelBot, UnknownBot, add_level, bot, bot_names, level_names, levels
from .overlooking import OverlookingBot
from .policy import BotDecision, decide
from .search import PLAIN, SearchParameters, SearchResult, game_tuning, shares_at_end
from .search_bot import SearchBot
from .second_look import SecondLookBot
from .seeds import derive_seed

__all__ = [
    "PLAIN",
    "USUAL",
    "Advice",
    "Analysis",
    "Bot",
    "BotDecision",
    "ChoiceEstimate",
    "EpsilonRandomBot",
    "Evaluation",
    "GreedyBot",
    "Judgment",
    "Level",
    "LevelBot",
    "OverlookingBot",
    "RandomBot",
    "SearchBot",
    "SearchParameters",
    "SearchResult",
    "SecondLookBot",
    "UnknownBot",
    "add_level",
    "analyze",
    "analyze_from",
    "bot",
    "bot_names",
    "decide",
    "derive_seed",
    "evaluation",
    "game_tuning",
    "is_decision",
    "judge",
    "lead",
    "level_names",
    "levels",
    "shares_at_end",
    "suggest",
    "usual_amounts",
]
