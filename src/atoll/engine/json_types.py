"""Types of JSON data: component data, views, saves.

Values are `Any`, because the content below a key depends on the game or the data. Schemas describe
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

JsonValue: TypeAlias = Any
"""Any JSON value."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object."""

JsonMapping: TypeAlias = Mapping[str, Any]
"""A JSON object that is only read."""
