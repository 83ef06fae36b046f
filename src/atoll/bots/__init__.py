"""Bots: players with one interface, `choose(seat_view, budget, seed) -> choices`.

They see only what their seat may know, and sample the rest.
"""

from .advice import Advice, Analysis, Judgement, Prospect, advise, analyse, analyse_from, is_decision, judge
from .bot import Bot, RandomBot
from .evaluation import Evaluation, evaluation, lead
from .greedy import GreedyBot
from .levels import USUAL, CarelessBot, Level, LevelBot, UnknownBot, add_level, bot, bot_names, level_names, levels
from .policy import Decided, decide
from .search import PLAIN, Findings, Tuning, game_tuning, shares_at_end
from .search_bot import SearchBot
from .seeds import mix

__all__ = [
    "PLAIN",
    "USUAL",
    "Advice",
    "Analysis",
    "Bot",
    "CarelessBot",
    "Decided",
    "Evaluation",
    "Findings",
    "GreedyBot",
    "Judgement",
    "Level",
    "LevelBot",
    "Prospect",
    "RandomBot",
    "SearchBot",
    "Tuning",
    "UnknownBot",
    "add_level",
    "advise",
    "analyse",
    "analyse_from",
    "bot",
    "bot_names",
    "decide",
    "evaluation",
    "game_tuning",
    "is_decision",
    "judge",
    "lead",
    "level_names",
    "levels",
    "mix",
    "shares_at_end",
]
