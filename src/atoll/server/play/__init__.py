"""The use cases of tables, for pages and API alike: one module and one class per group of actions.

A method raises `Refused` if the action can't be carried out. Then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from atoll.bots import Level
from atoll.engine import Game
from atoll.store import Store

from ..domain.limits import Limits
from ..domain.settings import ServerSettings
from .accounts import Accounts
from .bot_analysis import Study
from .bot_turns import BotTurns
from .calendars import Calendars
from .chat import Chat
from .coaching import Coach
from .deadlines import Deadlines
from .departures import Leaving
from .executor import Keeper
from .game_catalogue import Catalogue
from .history import History
from .notes import Noting
from .notification_settings import Reaching
from .nudges import Nudging
from .planned_turns import Planning
from .ports import BotWorkers, NotificationChannels
from .previews import Previews
from .subscriptions import Hub
from .table_lists import Lists
from .table_setup import Gathering
from .table_updates import News
from .table_views import Reading
from .timeouts import TimeOuts
from .tryouts import Trying
from .turns import Turns
from .users import People
from .verification import Verifying
from .votes import Votes

__all__ = ["Tables"]


class Tables:
    """All services, connected with each other.

    Attributes:
        store: The database.
        settings: Settings of the server.
        limits: Rate limits.
        hub: Event streams of this server.
        catalogue: The games that can be played.

    Args:
        store: The database.
        settings: Settings of the server.
        games: All games by id.
        bot_levels: Returns the bot levels of a game, weakest first.
        pool: Workers for bots' turns, advice and coaching.
        study: Workers for analyses of finished games.
        judge: Workers for the verification of games.
        channels: Channels for notifications.
    """

    def __init__(
        self,
        store: Store,
        settings: ServerSettings,
        games: Mapping[str, Game],
        *,
        bot_levels: Callable[[Game], Sequence[Level]],
        pool: BotWorkers,
        study: BotWorkers,
        judge: BotWorkers,
        channels: NotificationChannels,
    ) -> None:
        self.store: Store = store
        self.settings: ServerSettings = settings
        self.limits: Limits = Limits(settings.limits)
        self.hub: Hub = Hub()
        self.catalogue: Catalogue = Catalogue(games, bot_levels)
        keeper = self.keeper = Keeper(store, settings, self.catalogue, self.hub)
        self.people: People = People(store, settings.trust_s, self.hub.end)
        self.lists: Lists = Lists(store, settings.lobby_per_host)
        self.deadlines: Deadlines = Deadlines(store, self.lists)
        self.reading: Reading = Reading(keeper)
        self.gathering: Gathering = Gathering(keeper, self.limits, self.people)
        self.turn: Turns = Turns(keeper, self.limits)
        self.previews: Previews = Previews(keeper, self.limits)
        self.leaving: Leaving = Leaving(keeper)
        self.calendars: Calendars = Calendars(keeper, self.people)
        self.reaching: Reaching = Reaching(keeper, self.limits, channels)
        self.time_outs: TimeOuts = TimeOuts(keeper, self.calendars)
        self.nudging: Nudging = Nudging(keeper, self.limits)
        self.planning: Planning = Planning(keeper, self.limits)
        self.chat: Chat = Chat(keeper, self.limits)
        self.notes: Noting = Noting(keeper, self.limits)
        self.history: History = History(keeper, self.limits, self.people)
        keeper.ended = self.people.end
        self.accounts: Accounts = Accounts(keeper, self.limits, self.people, self.lists, self.history, self.reaching)
        self.trying: Trying = Trying(keeper, self.limits, self.history)
        self.votes: Votes = Votes(keeper, self.limits, self.history)
        self.coach: Coach = Coach(keeper, self.limits, self.history, self.people, pool)
        self.verifying: Verifying = Verifying(self.history, self.limits, judge)
        self.bots: BotTurns = BotTurns(keeper, pool)
        self.study: Study = Study(keeper, self.limits, pool, study)
        self.news: News = News(keeper)
