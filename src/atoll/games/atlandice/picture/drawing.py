"""Atlandice's templates, and how things are called in choices."""

from __future__ import annotations

from typing import Final

from atoll.picture import Brush

from ..kinds import AREA, RESOURCE

draw = Brush("atoll.games.atlandice")
AREA_NAMES: Final = AREA.names
KIND_NAMES: Final = RESOURCE.names
NARROW: Final = 0.85  # how much narrower than usual text is set here
