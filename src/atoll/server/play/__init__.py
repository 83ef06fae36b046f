"""The use cases of tables, for pages and API alike: one module and one class per group of actions.

A method raises `Refused` if the action can't be carried out. Then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from atoll.bots import Level
from atoll.engine import Game
from atoll.store import Store

from ..domain.limits import Limits
from ..domain.settings import ServerSettings
from .accounts import Accounts
from .archive import Archive
from .attempts import Attempts
from .blocks import Blocks
from .bot_analysis import BotAnalysis
from .bot_turns import BotTurns
from .calendars import Calendars
from .chat import Chat
from .coaching import CoachService
from .competitions import Competitions
from .credentials import Credentials
from .deadlines import Deadlines
from .departures import Departures
from .device_links import DeviceLinks
from .executor import CommandExecutor
from .flags import Flags
from .game_catalogue import GameCatalogue
from .game_figures import FigureService
from .history import History
from .mail_links import MailLinks
from .moderation import Moderation
from .notes import Notes
from .notification_settings import NotificationSettings
from .nudges import Nudges
from .openid import OpenId
from .operation import Operation
from .passkeys import Passkeys
from .planned_turns import PlannedTurns
from .ports import BotWorkers, IdentityProvider, NotificationChannels
from .presence import Presence
from .previews import Previews
from .profiles import Profiles
from .quick_match import QuickMatch
from .ratings import Ratings
from .reports import Reports
from .rescues import Rescues
from .sanctions import OwnSanctions
from .seasons import Seasons
from .sessions import Sessions
from .subjects import Subjects
from .subscriptions import EventHub
from .table_lists import TableLists
from .table_notices import TableNoticesChoice
from .table_setup import TableSetup
from .table_updates import TableUpdates
from .table_views import TableViews
from .timeouts import Timeouts
from .tryouts import Tryouts
from .turns import Turns
from .users import Users
from .verification import Verification
from .votes import Votes
from .workshop import Workshop

__all__ = ["TableServices"]


class TableServices:
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
        bot_levels: Returns the bot levels that are offered in a game for a number of seats, weakest
            first; for any number if it is None.
        pool: Workers for bots' turns, advice and coaching.
        analysts: Workers for analyses of finished games.
        verifiers: Workers for the verification of games.
        channels: Channels for notifications.
        reserved_names: Names that no user may take, in addition to those of roles and games.
        provider: OpenID Connect provider, or None.
    """

    def __init__(
        self,
        store: Store,
        settings: ServerSettings,
        games: Mapping[str, Game],
        *,
        bot_levels: Callable[[Game, int | None], Sequence[Level]],
        pool: BotWorkers,
        analysts: BotWorkers,
        verifiers: BotWorkers,
        channels: NotificationChannels,
        reserved_names: Iterable[str] = (),
        provider: IdentityProvider | None = None,
    ) -> None:
        self.store: Store = store
        self.settings: ServerSettings = settings
        self.limits: Limits = Limits(settings.limits)
        self.hub: EventHub = EventHub()
        self.catalogue: GameCatalogue = GameCatalogue(games, bot_levels)
        self.workshop: Workshop = Workshop(settings)
        executor = self.executor = CommandExecutor(store, settings, self.catalogue, self.hub)
        self.users: Users = Users(
            store,
            settings.trust_s,
            executor.sessions_ended_payload,
            self.hub.end,
            executor.note_user,
            (*games, *reserved_names),
        )
        self.presence: Presence = Presence(executor)
        self.credentials: Credentials = Credentials(executor, self.limits, self.users)
        self.passkeys: Passkeys = Passkeys(executor, self.limits, self.users, self.credentials)
        self.openid: OpenId = OpenId(store, self.users, self.credentials, provider)
        self.rescues: Rescues = Rescues(store, self.users)
        self.attempts: Attempts = Attempts(store, self.limits)
        self.mail_links: MailLinks = MailLinks(store, self.attempts, self.users, self.credentials, channels)
        self.sessions: Sessions = Sessions(store, self.limits, self.users)
        self.device_links: DeviceLinks = DeviceLinks(store, self.limits, self.users)
        self.table_lists: TableLists = TableLists(
            store, self.hub, settings, executor.blocks.around, lambda: executor.stands_since
        )
        self.archive: Archive = Archive(store, self.catalogue, is_open=not settings.no_archive)
        self.ratings: Ratings = Ratings(executor)
        self.profiles: Profiles = Profiles(executor, self.limits, self.archive, self.ratings, self.presence)
        self.figures: FigureService = FigureService(store, self.catalogue, self.archive)
        self.deadlines: Deadlines = Deadlines(store, self.table_lists)
        self.table_views: TableViews = TableViews(executor)
        self.table_setup: TableSetup = TableSetup(executor, self.limits, self.users, self.ratings)
        self.quick_match: QuickMatch = QuickMatch(executor, self.limits, self.users, self.ratings, self.table_setup)
        self.turns: Turns = Turns(executor, self.limits)
        self.previews: Previews = Previews(executor, self.limits)
        self.departures: Departures = Departures(executor)
        self.calendars: Calendars = Calendars(executor, self.users)
        self.notification_settings: NotificationSettings = NotificationSettings(executor, self.limits, channels)
        self.timeouts: Timeouts = Timeouts(executor, self.calendars)
        self.nudges: Nudges = Nudges(executor, self.limits)
        self.planned_turns: PlannedTurns = PlannedTurns(executor, self.limits)
        self.blocks: Blocks = Blocks(store, self.limits, executor.blocks)
        self.subjects: Subjects = Subjects(executor)
        self.reports: Reports = Reports(executor, self.attempts, self.subjects, channels)
        self.flags: Flags = Flags(executor)
        self.sanctions: OwnSanctions = OwnSanctions(store, self.users)
        self.moderation: Moderation = Moderation(executor, self.users, channels)
        self.operation: Operation = Operation(executor, channels)
        self.chat: Chat = Chat(executor, self.limits, self.users)
        self.table_notices: TableNoticesChoice = TableNoticesChoice(executor, self.users)
        self.notes: Notes = Notes(executor, self.limits)
        self.history: History = History(executor, self.limits, self.users)
        executor.on_sessions_ended = self.users.end
        self.accounts: Accounts = Accounts(
            executor, self.limits, self.users, self.table_lists, self.history, self.notification_settings
        )
        self.tryouts: Tryouts = Tryouts(executor, self.limits, self.history)
        self.votes: Votes = Votes(executor, self.limits, self.history, self.presence)
        self.coach: CoachService = CoachService(executor, self.limits, self.history, self.users, pool)
        self.verification: Verification = Verification(self.history, self.limits, verifiers)
        self.bot_turns: BotTurns = BotTurns(executor, pool)
        self.bot_analysis: BotAnalysis = BotAnalysis(executor, self.limits, pool, analysts)
        self.seasons: Seasons = Seasons(executor)
        self.competitions: Competitions = Competitions(
            executor, self.limits, self.seasons, self.ratings, self.table_setup.invitable
        )
        self.updates: TableUpdates = TableUpdates(executor)
