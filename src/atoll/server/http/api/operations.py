"""A JSON API built from plain functions.

The signature of a function states what a request must contain, and the API describes itself as
OpenAPI from the same signatures. JSON is read and written by msgspec.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...domain.build_info import build_info
from ...domain.model import Refused, User
from ...play import TableServices
from ..compression import accepts_gzip, gzip_body
from ..session import address, device

_MIN_GZIP_BYTES: Final = 600
_REFS: Final = "#/components/schemas/{name}"
_SECTION: Final = re.compile(r"\n\n(?:Args|Attributes|Returns|Raises):\n")
_FIELD: Final = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_STATUS_DESCRIPTIONS: Final[Mapping[int, str]] = {
    200: "Success.",
    201: "Created.",
    204: "Success, without content.",
    400: "The body isn't valid JSON.",
    401: "A valid token is required.",
    403: "You aren't allowed to do this.",
    404: "Not found, or not visible to you.",
    408: "The request took too long to arrive.",
    409: "Not possible now: for example, the stamp is outdated, or it isn't your turn.",
    410: "The link or token was used or has expired.",
    413: "The body is too large.",
    415: "The body must be sent as application/json.",
    422: "The request is malformed, or a choice isn't legal.",
    429: "Too many requests.",
    503: "Temporarily unavailable: the database, or a table that waits for repair.",
}
_WITHOUT_BODY: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_COMMON_ERRORS: Final = (401, 422, 429, 503)
_UNSAFE_ERRORS: Final = (408, 413)
_BODY_ERRORS: Final = (400, 415)
_TABLE_ERRORS: Final = (403, 404, 409)


class Problem(msgspec.Struct):
    """A refused request; nothing has changed.

    Attributes:
        code: Stable name of the reason.
        detail: An English sentence.
        fields: Values that belong to the reason.
    """

    code: str
    detail: str
    fields: dict[str, Any]


def json_error(error: Refused) -> dict[str, Any]:
    """Return a refusal as JSON-able data."""
    detail = error.detail.encode("utf-8", "replace").decode()
    return {"code": error.code, "detail": detail, "fields": dict(error.fields)}


class Call:
    """A request to the API.

    Attributes:
        tables: The table services.
        who: The user, or None without a token.
    """

    __slots__ = ("_scope", "tables", "who")

    def __init__(self, scope: Scope, tables: TableServices, who: User | None) -> None:
        self._scope: Scope = scope
        self.tables: TableServices = tables
        self.who: User | None = who

    @property
    def address(self) -> str:
        """The network that the request comes from; see `session.network`."""
        return address(self._scope)

    @property
    def device(self) -> str:
        """Program and system of the client; see `session.describe_device`."""
        return device(self._scope)

    @property
    def token(self) -> str:
        """The token of the request, or ""."""
        return _token(self._scope)


Function = Callable[..., Awaitable[Any]]


class Operation:
    """A function that answers one method at one path.

    The first parameter of the function is the `Call`. Parameters that `path` names in braces are
    read from the path, `body` is the decoded body, and all others are read from the query. The
    function returns a value to send as JSON, None for no content, or a Response.

    Args:
        method: HTTP method.
        path: Path below the root of the API.
        function: The function.
        tag: Group of the operation in the description.
        status: Status of success; 204 if the function returns None.
        error_statuses: Error statuses in addition to those that follow from method, path and body.
    """

    def __init__(
        self,
        method: str,
        path: str,
        function: Function,
        *,
        tag: str,
        status: int = 200,
        error_statuses: Sequence[int] = (),
    ) -> None:
        self.method: str = method
        self.path: str = path
        self.function: Function = function
        self.tag: str = tag
        self.hints: dict[str, Any] = get_type_hints(function, include_extras=True)
        self.return_type: Any = self.hints.pop("return")
        self.status: int = 204 if self.return_type is type(None) else status
        self.path_parameters: tuple[str, ...] = tuple(re.findall(r"{(\w+)}", path))
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.body: Any = self.hints.get("body")
        self.values: tuple[inspect.Parameter, ...] = tuple(each for each in parameters if each.name != "body")
        always = {*_COMMON_ERRORS, *(_UNSAFE_ERRORS if method != "GET" else ()), *(_BODY_ERRORS if self.body else ())}
        at_a_table = _TABLE_ERRORS if "table" in self.path_parameters else ()
        self.error_statuses: list[int] = sorted({*always, *at_a_table, *error_statuses})
        self._list_parameters: frozenset[str] = frozenset(
            each.name for each in self.values if get_origin(_without_annotations(self.hints[each.name])) is list
        )
        self._parameter_struct: type[msgspec.Struct] = msgspec.defstruct(
            function.__name__,
            [
                (each.name, self.hints[each.name])
                if each.default is inspect.Parameter.empty
                else (each.name, self.hints[each.name], each.default)
                for each in self.values
            ],
            kw_only=True,
        )
        self._body_decoder: msgspec.json.Decoder[Any] | None = msgspec.json.Decoder(self.body) if self.body else None

    def read_parameters(self, found: tuple[str, ...], query: bytes) -> dict[str, Any]:
        """Return the parameters from path and query.

        Args:
            found: Values of the path's parameters, in order.
            query: Query string of the URL.

        Raises:
            ValidationError: If a parameter is missing or malformed.
        """
        given: dict[str, Any] = dict(zip(self.path_parameters, found, strict=True))
        if query and len(self.values) > len(self.path_parameters):
            for name, text in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
                if name in given and name in self.path_parameters:
                    continue
                if name in self._list_parameters:
                    given.setdefault(name, []).append(text)
                else:
                    given[name] = text
        return msgspec.structs.asdict(msgspec.convert(given, self._parameter_struct, strict=False))

    def read_body(self, content_type: str, body: bytes) -> Any:
        """Return the decoded body.

        Args:
            content_type: Value of the header.
            body: The body.

        Raises:
            Refused: If the body isn't JSON.
            ValidationError: If it doesn't have the declared fields.
        """
        assert self._body_decoder is not None
        if content_type.partition(";")[0].strip().lower() != "application/json":
            raise Refused("malformed", 415, "the body must be JSON, sent as application/json")
        try:
            return self._body_decoder.decode(body)
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refused("malformed", 400, f"the request body isn't valid JSON: {error}"[:500]) from None

    def types(self) -> list[Any]:
        """Return all types that the description refers to."""
        given = [self.hints[each.name] for each in self.values]
        if self.body is not None:
            given.append(self.body)
        if not self._is_response:
            given.append(self.return_type)
        return given

    @property
    def _is_response(self) -> bool:
        return isinstance(self.return_type, type) and issubclass(self.return_type, Response)

    def describe(self, schemas: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
        """Return the operation in OpenAPI.

        Args:
            schemas: JSON schemas of all types.
        """
        parameters = []
        for each in self.values:
            schema = dict(schemas[self.hints[each.name]])
            if each.default is not inspect.Parameter.empty and each.default is not None:
                schema["default"] = each.default
            parameter: dict[str, Any] = {
                "name": each.name,
                "in": "path" if each.name in self.path_parameters else "query",
                "required": each.default is inspect.Parameter.empty,
                "description": schema.pop("description", ""),
                "schema": schema,
            }
            parameters.append(parameter)
        good: dict[str, Any] = {"description": _STATUS_DESCRIPTIONS[self.status]}
        if self._is_response:
            media_type = self.return_type.media_type
            schema_type = "object" if media_type == "application/json" else "string"
            good["content"] = {media_type: {"schema": {"type": schema_type}}}
        elif self.status != 204:
            good["content"] = {"application/json": {"schema": schemas[self.return_type]}}
        problem = {"application/json": {"schema": schemas[Problem]}}
        described: dict[str, Any] = {
            "operationId": self.function.__name__,
            "summary": (self.function.__doc__ or "").partition("\n")[0],
            "description": _SECTION.split(inspect.getdoc(self.function) or "")[0],
            "tags": [self.tag],
            "parameters": parameters,
            "security": [{"token": []}, {}],
            "responses": {
                str(self.status): good,
                **{
                    str(each): {"description": _STATUS_DESCRIPTIONS[each], "content": problem}
                    for each in self.error_statuses
                },
            },
        }
        if self.body is not None:
            described["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": schemas[self.body]}},
            }
        return described

    def explain(self, error: msgspec.ValidationError) -> str:
        """Return the reason why a request is malformed, and allowed values if they are a list."""
        what, _, where = str(error).partition(" - at `$")
        for each in (self._parameter_struct, self.body):
            schema = msgspec.json.schema(each) if each else {}
            allowed = _allowed_values(schema, schema.get("$defs", {}), where)
            if allowed:
                return f"{what} - at `${where}; allowed: {', '.join(map(str, allowed))}"
        return str(error)


_Found = tuple[Mapping[str, Operation], tuple[str, ...]]


class Api:
    """An ASGI application of operations, behind the guard, which answers the refusals it raises.

    Args:
        root: Path of the API.
        title: Title of the description.
        description: Text of the description.
        operations: The operations.
    """

    def __init__(self, root: str, title: str, description: str, operations: Sequence[Operation]) -> None:
        self._root: str = root
        self._title: str = title
        self._description: str = description
        self._operations: Sequence[Operation] = operations
        self._tree: dict[str, Any] = {}
        for operation in operations:
            node = self._tree
            for part in operation.path.split("/")[1:]:
                node = node.setdefault("{}" if part.startswith("{") else part, {})
            node.setdefault("", {})[operation.method] = operation
        self._openapi: bytes = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Args:
            scope: The ASGI scope.
            receive: Reads the body.
            send: Sends the response.

        Raises:
            Refused: If the request isn't carried out.
        """
        body = b"" if scope["method"] in _WITHOUT_BODY else (await receive())["body"]
        response = await self._answer(scope, body)
        await response(scope, receive, send)

    async def _answer(self, scope: Scope, body: bytes) -> Response:
        path: str = scope["path"].removeprefix(self._root)
        methods, found = self._find(path)
        operation = methods.get(scope["method"])
        if operation is None:
            if path == "/openapi.json" and scope["method"] == "GET":
                return _json_response(scope, 200, self.openapi())
            if methods:
                allowed = ", ".join(sorted(methods))
                raise Refused("no_method", 405, f"invalid method {scope['method']} at this path: expected {allowed}")
            raise Refused("no_page", 404, f"unknown path {path[:200]!r}")
        tables: TableServices = scope["state"]["tables"]
        call = Call(scope, tables, await _user_of_token(scope, tables))
        try:
            values = operation.read_parameters(found, scope["query_string"])
            if operation.body is not None:
                values["body"] = operation.read_body(header(scope, b"content-type"), body)
        except msgspec.ValidationError as error:
            raise Refused("malformed", 422, operation.explain(error)[:500]) from None
        given = await operation.function(call, **values)
        if isinstance(given, Response):
            return given
        return _json_response(scope, operation.status, b"" if given is None else msgspec.json.encode(given))

    def _find(self, path: str) -> _Found:
        """Return the operations at a path by method, and the values of the path's parameters."""
        node = self._tree
        found: list[str] = []
        for part in path.split("/")[1:]:
            following = node.get(part) if part else None
            if following is None:
                following = node.get("{}")
                if following is None or not part:
                    return {}, ()
                found.append(part)
            node = following
        return node.get("", {}), tuple(found)

    def openapi(self) -> bytes:
        """Return the description of all operations as OpenAPI 3.1."""
        if not self._openapi:
            types = [Problem, *(each for operation in self._operations for each in operation.types())]
            schemas, components = msgspec.json.schema_components(types, ref_template=_REFS)
            known = dict(zip(types, schemas, strict=True))
            for schema in components.values():
                _describe_properties(schema)
            paths: dict[str, dict[str, Any]] = {}
            for operation in self._operations:
                described = operation.describe(known)
                paths.setdefault(operation.path, {})[operation.method.lower()] = described
            self._openapi = json.dumps(
                {
                    "openapi": "3.1.0",
                    "info": {
                        "title": self._title,
                        "version": "1",
                        "x-atoll-version": build_info().version,
                        "description": self._description,
                    },
                    "servers": [{"url": self._root}],
                    "paths": paths,
                    "components": {
                        "schemas": components,
                        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                    },
                }
            ).encode()
        return self._openapi


def header(scope: Scope, name: bytes) -> str:
    """Return the value of a header of a request; "" without it."""
    for key, value in scope["headers"]:
        if key == name:
            text: str = value.decode("latin-1")
            return text
    return ""


def _token(scope: Scope) -> str:
    """Return the bearer token of a request, or "" without one."""
    scheme, _, token = header(scope, b"authorization").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _user_of_token(scope: Scope, tables: TableServices) -> User | None:
    """Return the user whose token was sent, or None without one; refuse an invalid token."""
    token = _token(scope)
    if not token:
        return None
    user = await tables.users.by_token(token, "api")
    if user is None:
        raise Refused("sign_in", 401, "invalid or expired token")
    return user


def _json_response(scope: Scope, status: int, body: bytes) -> Response:
    """Return a JSON response, compressed if it is long and the client accepts that."""
    headers = {}
    if len(body) >= _MIN_GZIP_BYTES:
        headers["vary"] = "accept-encoding"
        if accepts_gzip(scope):
            body = gzip_body(body)
            headers["content-encoding"] = "gzip"
    return Response(body, status, headers, media_type="application/json" if body else None)


def _without_annotations(hint: Any) -> Any:
    """Return a type without its annotations."""
    return get_args(hint)[0] if hasattr(hint, "__metadata__") else hint


def _describe_properties(schema: dict[str, Any]) -> None:
    """Move the descriptions of attributes from a struct's docstring to the schema's properties."""
    text, _, attributes = inspect.cleandoc(schema.get("description", "")).partition("\n\nAttributes:\n")
    schema["description"] = text
    for name, described in _FIELD.findall(attributes):
        if name in schema["properties"]:
            schema["properties"][name]["description"] = " ".join(described.split())


def _allowed_values(schema: Mapping[str, Any], types: Mapping[str, Any], where: str) -> list[Any]:
    """Return the values that a schema lists at a place such as `.seats[...].kind`.

    Args:
        schema: The schema of a request.
        types: Schemas by name, for references.
        where: The place.
    """
    for part in (None, *re.findall(r"\.(\w+)|\[", where)):
        if part is not None:
            schema = schema.get("properties", {}).get(part, {}) if part else schema.get("items", {})
        schema = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), schema)
        schema = types.get(schema.get("$ref", "").rpartition("/")[2], schema)
    found: list[Any] = schema.get("enum", [])
    return found
