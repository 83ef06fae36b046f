"""The templates of Atlandice, and the names of its elements in choices."""

from __future__ import annotations

from typing import Final

from atoll.picture import SvgMacros

from ..kinds import AREA, RESOURCE

draw = SvgMacros("atoll.games.atlandice")
AREA_NAMES: Final = AREA.names
KIND_NAMES: Final = RESOURCE.names
NARROW: Final = 0.85
"""The width of narrow text as a share of the usual width."""
