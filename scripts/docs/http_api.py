"""The reference of the JSON API, from its OpenAPI description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from atoll.server.http.api.endpoints import create_api

from . import markdown

_HEAD: Final = """# HTTP API

The JSON API of `atoll serve`, for people who write clients and bots that play over HTTP.
Every server describes it as OpenAPI 3.1 at `/api/v1/openapi.json`; this page shows that description.

Paths are relative to `/api/v1`.
A request without a token sees what spectators see; with a token it acts for its user.

"""
_REF: Final = re.compile(r"#/components/schemas/(.+)")


def page() -> str:
    """Return the text of the page."""
    described = json.loads(create_api().openapi())
    by_tag: dict[str, list[str]] = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            (tag,) = operation["tags"]
            by_tag.setdefault(tag, []).append(_operation(method, path, operation))
    text = _HEAD + _prose(described["info"]["description"]) + "\n"
    text += "".join(f"\n## {tag[:1].upper()}{tag[1:]}\n{''.join(parts)}" for tag, parts in by_tag.items())
    schemas = described["components"]["schemas"]
    return text + "\n## Schemas\n" + "".join(_schema(name, schemas[name]) for name in sorted(schemas))


def _prose(text: str) -> str:
    """Return a description as Markdown; descriptions are written in Markdown."""
    return text.strip() + "\n"


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    """Return the section of an operation."""
    text = f"\n### `{method.upper()} {path}`\n\n{_prose(operation['description'])}"
    parameters = [
        (f"`{each['name']}`", each["in"], _type(each["schema"]), _more(each["schema"], each["description"]))
        for each in operation["parameters"]
    ]
    if parameters:
        text += "\n" + markdown.table(("parameter", "in", "type", "meaning"), parameters)
    if "requestBody" in operation:
        text += f"\nBody: {_content(operation['requestBody'])}.\n"
    answers = {int(status): answer for status, answer in operation["responses"].items()}
    for status, answer in answers.items():
        if status < 300:
            text += f"\nAnswer {status}: {_content(answer) if 'content' in answer else 'no content'}.\n"
    errors = ", ".join(f"{status}" for status in answers if status >= 400)
    return text + f"\nErrors, as {_link('Problem')}: {errors}.\n"


def _content(part: Mapping[str, Any]) -> str:
    """Return the type of a body or of an answer."""
    ((kind, content),) = part["content"].items()
    return _type(content["schema"]) if kind == "application/json" else f"`{kind}`"


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    """Return the section of a schema."""
    text = f"\n(schema-{name.lower()})=\n### {name}\n\n{_prose(schema.get('description', ''))}"
    if "enum" in schema:
        return text + f"\nOne of {', '.join(f'`{json.dumps(each)}`' for each in schema['enum'])}.\n"
    needed = schema.get("required", ())
    rows = [
        (f"`{key}`" + ("" if key in needed else " (optional)"), _type(each), _more(each, each.get("description", "")))
        for key, each in schema.get("properties", {}).items()
    ]
    return text + ("\n" + markdown.table(("field", "type", "meaning"), rows) if rows else "")


def _link(name: str) -> str:
    return f"[{name}](#schema-{name.lower()})"


def _type(schema: Mapping[str, Any]) -> str:
    """Return a type in words, with links to schemas."""
    if "$ref" in schema:
        found = _REF.fullmatch(schema["$ref"])
        assert found is not None
        return _link(found[1])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[key])))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = schema.get("type", "any")
    if kind == "array":
        if "prefixItems" in schema:
            return f"array of {', '.join(map(_type, schema['prefixItems']))}"
        return f"array of {_type(schema.get('items') or {})}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _more(schema: Mapping[str, Any], description: str) -> str:
    """Return the meaning of a value, with its bounds and its default."""
    bounds = list(_bounds(schema))
    return " ".join(filter(None, [description, f"({', '.join(bounds)})" if bounds else ""]))


def _bounds(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the bounds and the default of a value."""
    words = {"minimum": "at least", "maximum": "at most", "minLength": "length at least", "maxLength": "length at most"}
    for key, word in words.items():
        if key in schema:
            yield f"{word} {schema[key]}"
    if "default" in schema:
        yield f"default `{json.dumps(schema['default'])}`"
