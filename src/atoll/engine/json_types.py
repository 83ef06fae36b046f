"""Types of JSON data: component data, views, saves.

Their values are `Any`: what stands below a key depends on the game, or on the data. A schema says it, not a type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

JsonValue: TypeAlias = Any
"""A JSON value."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object."""

JsonMapping: TypeAlias = Mapping[str, Any]
"""A JSON object that is only read."""
