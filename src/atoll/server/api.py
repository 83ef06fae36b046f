"""The JSON API for programs and people's own clients: the same service, the same rights, the same secrecy.

Whoever asks proves who they are by `Authorization: Bearer <token>`; cookies mean nothing here.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import Depends, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from atoll.engine import Game

from . import metrics
from .events import stream_for
from .http import json_error, service
from .model import (
    Clock,
    Done,
    Fairness,
    LogEntry,
    Message,
    Moment,
    NewTable,
    Refused,
    SeatPlan,
    TableCard,
    TableView,
    Turn,
    User,
)

_BEARER: Final = HTTPBearer(auto_error=False, description="A token from POST /guests or POST /recover.")

TableId = Annotated[str, Path(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="A table's id.")]
SeatPath = Annotated[int, Path(ge=0, le=31, description="A seat, from 0.")]
SeatQuery = Annotated[int | None, Query(ge=0, le=31, description="One of your seats; without: the one that is asked.")]
From = Annotated[int, Query(ge=0, le=10_000_000, description="Leave out what comes before this number.")]
Key = Annotated[
    str,
    Field(default="", max_length=64, pattern="^[!-~]*$", description="Idempotency key: a repetition changes nothing."),
]


class Problem(BaseModel):
    """Why a request wasn't carried out. Nothing has changed."""

    code: str
    detail: str
    fields: dict[str, Any]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GuestBody(_Body):
    """A new user."""

    name: str = Field(min_length=1, max_length=100)


class TokenBody(_Body):
    """A secret token."""

    token: str = Field(min_length=1, max_length=100)


class LoginOut(BaseModel):
    """A user with a token. Keep the token: it is shown once."""

    id: str
    name: str
    token: str


class SeatBody(_Body):
    """Who shall sit on a seat. `bot` is a level, see GET /games."""

    kind: Literal["me", "device", "invite", "open", "bot"]
    name: str = Field(default="", max_length=100)
    bot: str = Field(default="", max_length=32)


class ClockBody(_Body):
    """Time for correspondence play, in seconds."""

    bank_s: int = Field(ge=60, le=7_776_000)
    increment_s: int = Field(ge=0, le=7_776_000)
    cap_s: int = Field(ge=60, le=7_776_000)


class NewTableBody(_Body):
    """A new table."""

    game: str = Field(max_length=32)
    seats: list[SeatBody] = Field(min_length=1, max_length=32)
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=50)
    clock: ClockBody | None = None
    visibility: Literal["lobby", "link", "private"] = "lobby"
    key: Key = ""


class JoinBody(_Body):
    """Which seat; without one, the first that is free."""

    seat: int | None = Field(default=None, ge=0, le=31)
    key: Key = ""


class ShareBody(_Body):
    """32 random bytes in lower case hex, made by the one who sits there."""

    share: str = Field(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")


class StampBody(_Body):
    """The stamp of the turn as it was read."""

    stamp: str = Field(max_length=32)
    key: Key = ""


class ApplyBody(StampBody):
    """Choices, as numbers or texts, taken all or none. confirm: final at once, else staged."""

    choices: list[Annotated[int, Field(ge=0, le=2**31 - 1)] | Annotated[str, Field(max_length=200)]] = Field(
        min_length=1, max_length=64
    )
    confirm: bool = True


class VoteBody(_Body):
    """Consent, or its withdrawal. Subjects: `cancel`, `remove:<seat>`."""

    subject: str = Field(max_length=16)
    yes: bool = True


class ChatBody(_Body):
    """A message."""

    text: str = Field(min_length=1, max_length=2000)
    key: Key = ""


class PlayOnBody(_Body):
    """From which moment, on which seat, against which bots."""

    sequence: int = Field(ge=0, le=10_000_000)
    seat: int | None = Field(default=None, ge=0, le=31)
    bot: str = Field(default="", max_length=32)


class GameOut(BaseModel):
    """A game that can be played. choices: the size of its vocabulary; every choice is a number below."""

    id: str
    rules_version: int
    seat_counts: list[int]
    options: list[dict[str, Any]]
    choices: int
    bots: list[str]


class TableOut(BaseModel):
    """Which table."""

    table: str


class SeatOut(BaseModel):
    """Which seat of which table."""

    table: str
    seat: int


class LegalOut(BaseModel):
    """What a seat can do now; null if it isn't asked."""

    turn: Turn | None


class LogOut(BaseModel):
    """What happened, as you may know it."""

    log: list[LogEntry]


class ChatOut(BaseModel):
    """Messages."""

    chat: list[Message]


class ExportOut(BaseModel):
    """The record of a game: while it runs, what you may know; when it is over, everything."""

    model_config = ConfigDict(extra="allow")

    format: str
    table: str
    game: str
    record: list[dict[str, Any]]
    log: list[dict[str, Any]]


class _EventText(Response):
    media_type = "text/event-stream"


class VersionsOut(BaseModel):
    """Versions by table; compare for equality."""

    tables: dict[str, str]


async def _who(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]
) -> User | None:
    """The user whose token was sent; None without one. Raises Refused for a wrong one."""
    if credentials is None:
        return None
    found = service(request)
    user = await found.user_by_token(credentials.credentials, "api")
    if user is None:
        raise Refused("sign_in", 401, "this token isn't valid (any more)")
    return user


Who = Annotated[User | None, Depends(_who)]


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    meaning = {
        400: "The body can't be read.",
        401: "A token is needed.",
        403: "It isn't yours.",
        404: "There is none, or it isn't for you.",
        408: "The request took too long to arrive.",
        409: "It doesn't fit the moment: stale, not your turn, over, taken.",
        410: "It was used or has ended.",
        413: "The body is too long.",
        422: "It isn't legal or well-formed.",
        429: "Too often.",
        503: "Not just now: the database, or a table that waits for repair.",
    }
    common = (400, 401, 408, 413, 422, 429, 503)
    return {status: {"model": Problem, "description": meaning[status]} for status in sorted({*common, *statuses})}


_READ: Final = _problems(403, 404, 409)
_ANY: Final = _problems()
_SEAT: Final = _problems(403, 404, 409, 410)


def _game_out(game: Game, bots: tuple[str, ...]) -> GameOut:
    return GameOut(
        id=game.id,
        rules_version=game.rules_version,
        seat_counts=list(game.seat_counts),
        options=[option.describe() for option in game.options],
        choices=game.vocabulary.decisions,
        bots=list(bots),
    )


def create_api() -> FastAPI:
    """The sub-application for /api/v1."""
    api = FastAPI(
        title="Atoll",
        version="1",
        description=__doc__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    api.add_exception_handler(Refused, _on_refused)
    api.add_exception_handler(RequestValidationError, _on_invalid)
    api.add_exception_handler(HTTPException, _on_http)
    _add_people(api)
    _add_tables(api)
    _add_seats(api)
    _add_turns(api)
    _add_reading(api)
    return api


async def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    metrics.REFUSED.labels(error.code).inc()
    headers = {"retry-after": str(error.retry_after)} if error.retry_after else {}
    if error.status == 401:
        headers["www-authenticate"] = "Bearer"
    return JSONResponse(json_error(error), error.status, headers)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return await _on_refused(request, Refused("malformed", 422, f"{where}: {first['msg']}"[:500]))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "no_page", 405: "no_method"}.get(error.status_code, "malformed")
    response = await _on_refused(request, Refused(code, error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


def _add_people(api: FastAPI) -> None:
    @api.post("/guests", responses=_ANY, status_code=201, tags=["people"])
    async def guest(request: Request, body: GuestBody) -> LoginOut:
        """Become a user, with nothing but a name."""
        found = service(request)
        found.limits.hit("guest", request.client.host if request.client else "")
        login = await found.guest(body.name, kind="api")
        return LoginOut(id=login.user.id, name=login.user.name, token=login.token)

    @api.post("/recover", responses=_problems(410), status_code=201, tags=["people"])
    async def recover(request: Request, body: TokenBody) -> LoginOut:
        """A token for the person whose recovery link this is."""
        found = service(request)
        found.limits.hit("token", request.client.host if request.client else "")
        login = await found.recover(body.token, kind="api")
        return LoginOut(id=login.user.id, name=login.user.name, token=login.token)

    @api.get("/me", responses=_ANY, tags=["people"], response_model=User)
    async def me(who: Who) -> Response:
        """Who you are."""
        if who is None:
            raise Refused("sign_in", 401, "a token is needed")
        return _json(who)

    @api.get("/games", responses=_ANY, tags=["tables"])
    async def games(request: Request, who: Who) -> list[GameOut]:
        """The games with their options and bots."""
        found = service(request)
        return [_game_out(game, found.bots(game.id)) for game in found.games()]


def _add_tables(api: FastAPI) -> None:
    @api.get("/tables", responses=_ANY, tags=["tables"], response_model=list[TableCard])
    async def lobby(request: Request, who: Who) -> Response:
        """The tables that are listed for all."""
        return _json(await service(request).lobby(who))

    @api.get("/tables/mine", responses=_ANY, tags=["tables"], response_model=list[TableCard])
    async def mine(request: Request, who: Who) -> Response:
        """Your tables."""
        return _json(await service(request).my_tables(who))

    @api.post("/tables", responses=_problems(409), status_code=201, tags=["tables"])
    async def create(request: Request, who: Who, body: NewTableBody) -> TableOut:
        """Make a table. It starts when all seats are taken and all have given their share of the chance."""
        new = NewTable(
            game=body.game,
            seats=tuple(SeatPlan(seat.kind, seat.name, seat.bot) for seat in body.seats),
            options=body.options,
            clock=None if body.clock is None else Clock(**body.clock.model_dump()),
            visibility=body.visibility,
        )
        return TableOut(table=await service(request).create(who, new, body.key))

    @api.get("/tables/{table}", responses=_READ, tags=["tables"], response_model=TableView)
    async def view(
        request: Request, who: Who, table: TableId, seat: SeatQuery = None, log: From = 0, chat: From = 0
    ) -> Response:
        """The table as you may see it. `log`, `chat`: leave out what comes before these numbers."""
        found = await service(request).table(who, table, seat=seat, log_from=log, chat_from=chat)
        return _json(found)

    @api.post("/tables/{table}/join", responses=_SEAT, tags=["tables"])
    async def join(request: Request, who: Who, table: TableId, body: JoinBody) -> SeatOut:
        """Take an open seat."""
        return SeatOut(table=table, seat=await service(request).join(who, table, body.seat, body.key))

    @api.post("/invitations/accept", responses=_SEAT, tags=["tables"])
    async def accept(request: Request, who: Who, body: TokenBody) -> SeatOut:
        """Take the seat that an invitation is for."""
        service(request).limits.hit("token", request.client.host if request.client else "")
        table, seat = await service(request).accept(who, body.token)
        return SeatOut(table=table, seat=seat)

    @api.post("/tables/{table}/start", responses=_READ, status_code=204, tags=["tables"])
    async def start(request: Request, who: Who, table: TableId) -> Response:
        """Begin without waiting for more shares of the chance."""
        await service(request).start(who, table)
        return Response(status_code=204)

    @api.post("/tables/{table}/rematch", responses=_READ, status_code=201, tags=["tables"])
    async def rematch(request: Request, who: Who, table: TableId) -> TableOut:
        """A new table for the same people."""
        return TableOut(table=await service(request).rematch(who, table))


def _add_seats(api: FastAPI) -> None:
    @api.put("/tables/{table}/seats/{seat}", responses=_READ, status_code=204, tags=["seats"])
    async def set_seat(request: Request, who: Who, table: TableId, seat: SeatPath, body: SeatBody) -> Response:
        """The host gives a free seat to a bot, an invited one, or anybody."""
        await service(request).set_seat(who, table, seat, SeatPlan(body.kind, body.name, body.bot))
        return Response(status_code=204)

    @api.post("/tables/{table}/seats/{seat}/invitation", responses=_READ, status_code=201, tags=["seats"])
    async def invite(request: Request, who: Who, table: TableId, seat: SeatPath) -> TokenBody:
        """A secret that lets whoever has it take this seat, once."""
        return TokenBody(token=await service(request).invite(who, table, seat))

    @api.post("/tables/{table}/seats/{seat}/share", responses=_READ, status_code=204, tags=["seats"])
    async def share(request: Request, who: Who, table: TableId, seat: SeatPath, body: ShareBody) -> Response:
        """Your share of the chance, before the start."""
        await service(request).contribute(who, table, seat, body.share)
        return Response(status_code=204)

    @api.post("/tables/{table}/seats/{seat}/leave", responses=_READ, status_code=204, tags=["seats"])
    async def leave(request: Request, who: Who, table: TableId, seat: SeatPath) -> Response:
        """Leave the seat; in a running game a bot plays it on."""
        await service(request).leave(who, table, seat)
        return Response(status_code=204)

    @api.post("/tables/{table}/seats/{seat}/return", responses=_READ, status_code=204, tags=["seats"])
    async def come_back(request: Request, who: Who, table: TableId, seat: SeatPath) -> Response:
        """Take the seat over from the bot again."""
        await service(request).come_back(who, table, seat)
        return Response(status_code=204)

    @api.post("/tables/{table}/seats/{seat}/vote", responses=_READ, status_code=204, tags=["seats"])
    async def vote(request: Request, who: Who, table: TableId, seat: SeatPath, body: VoteBody) -> Response:
        """Consent to cancel the game or to remove an absent seat."""
        await service(request).vote(who, table, seat, body.subject, body.yes)
        return Response(status_code=204)


def _add_turns(api: FastAPI) -> None:
    @api.get("/tables/{table}/seats/{seat}/legal", responses=_READ, tags=["turn"], response_model=LegalOut)
    async def legal(request: Request, who: Who, table: TableId, seat: SeatPath) -> Response:
        """What the seat can do now, with the stamp that its next command must carry."""
        return _json({"turn": await service(request).legal(who, table, seat)})

    @api.post("/tables/{table}/seats/{seat}/apply", responses=_READ, tags=["turn"], response_model=Done)
    async def apply(request: Request, who: Who, table: TableId, seat: SeatPath, body: ApplyBody) -> Response:
        """Choose: all of the list or nothing. By default final at once."""
        done = await service(request).apply(who, table, seat, body.choices, body.stamp, body.key, body.confirm)
        return _json(done)

    @api.post("/tables/{table}/seats/{seat}/undo", responses=_READ, tags=["turn"], response_model=Done)
    async def undo(request: Request, who: Who, table: TableId, seat: SeatPath, body: StampBody) -> Response:
        """Take the last staged choice back, or a sealed answer as long as others are awaited."""
        return _json(await service(request).undo(who, table, seat, body.stamp, body.key))

    @api.post("/tables/{table}/seats/{seat}/restart", responses=_READ, tags=["turn"], response_model=Done)
    async def restart(request: Request, who: Who, table: TableId, seat: SeatPath, body: StampBody) -> Response:
        """Take the whole staged turn back."""
        return _json(await service(request).restart(who, table, seat, body.stamp, body.key))

    @api.post("/tables/{table}/seats/{seat}/confirm", responses=_READ, tags=["turn"], response_model=Done)
    async def confirm(request: Request, who: Who, table: TableId, seat: SeatPath, body: StampBody) -> Response:
        """Make the staged turn final."""
        return _json(await service(request).confirm(who, table, seat, body.stamp, body.key))


def _add_reading(api: FastAPI) -> None:
    @api.get("/tables/{table}/log", responses=_READ, tags=["reading"], response_model=LogOut)
    async def log(request: Request, who: Who, table: TableId, seat: SeatQuery = None, first: From = 0) -> Response:
        """What happened, as you may know it."""
        return _json({"log": (await service(request).table(who, table, seat=seat, log_from=first)).log})

    @api.get("/tables/{table}/chat", responses=_READ, tags=["reading"], response_model=ChatOut)
    async def chat(request: Request, who: Who, table: TableId, first: From = 0) -> Response:
        """The messages."""
        return _json({"chat": (await service(request).table(who, table, chat_from=first)).chat})

    @api.post("/tables/{table}/chat", responses=_READ, status_code=201, tags=["reading"], response_model=Message)
    async def say(request: Request, who: Who, table: TableId, body: ChatBody) -> Response:
        """Say something to the table."""
        return _json(await service(request).say(who, table, body.text, body.key), 201)

    @api.get("/tables/{table}/moments/{sequence}", responses=_READ, tags=["reading"], response_model=Moment)
    async def moment(
        request: Request,
        who: Who,
        table: TableId,
        sequence: Annotated[int, Path(ge=0, le=10_000_000)],
        seat: SeatQuery = None,
    ) -> Response:
        """The game as it stood after so many answers, as you may know it."""
        return _json(await service(request).moment(who, table, sequence, seat))

    @api.post("/tables/{table}/play-on", responses=_READ, status_code=201, tags=["reading"])
    async def play_on(request: Request, who: Who, table: TableId, body: PlayOnBody) -> TableOut:
        """A new table that goes on from a moment against bots."""
        return TableOut(table=await service(request).play_on(who, table, body.sequence, body.seat, body.bot))

    @api.get("/tables/{table}/export", responses=_READ, tags=["reading"], response_model=ExportOut)
    async def export(request: Request, who: Who, table: TableId, seat: SeatQuery = None) -> Response:
        """The record of the game, as you may know it."""
        return _json(await service(request).export(who, table, seat))

    @api.get("/tables/{table}/fairness", responses=_READ, tags=["reading"], response_model=Fairness)
    async def fairness(request: Request, who: Who, table: TableId) -> Response:
        """How the chance of this table can be checked."""
        return _json(await service(request).fairness(who, table))

    @api.get("/versions", responses=_ANY, tags=["push"], response_model=VersionsOut)
    async def versions(
        request: Request,
        who: Who,
        watch: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - FastAPI copies
    ) -> Response:
        """The versions of your tables and those you name, for where streams don't get through."""
        return _json({"tables": await service(request).versions(who, watch)})

    @api.get(
        "/events",
        responses=_ANY,
        tags=["push"],
        response_class=_EventText,
    )
    async def events(
        request: Request,
        who: Who,
        watch: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - FastAPI copies
    ) -> Response:
        """News as server-sent events: `table` with {game, version}, `lists`. Your tables, and those you name."""
        return stream_for(request, who, request.headers.get("last-event-id", "")[:100])
