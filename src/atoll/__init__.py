"""A table for five modern board games: play them, study them, train agents on the same rules.

```python
import atoll

game = atoll.games["atacama"]
position = game.new(seats=2, options={"setup": "basic"}, seed=7)
position.apply(position.legal(0)[0], 0)
```
"""

from collections.abc import Mapping
from typing import Any

# The package must be imported before the mapping with the same name replaces it as `atoll.games`.
import atoll.games as _package  # noqa: F401
from atoll.engine import ChanceSource, Position, SaveError, SeatView
from atoll.engine import save as _save
from atoll.engine.registry import games

__all__ = ["Position", "SeatView", "games", "load"]


def load(saved: str | bytes | Mapping[str, Any], *, source: ChanceSource | None = None) -> Position:
    """Return a saved position of any game with its built-in components.

    A game with other components loads its own saves: `game.load`.

    Args:
        saved: Text that `Position.save` returned, or its parsed content.
        source: Source of chance outcomes; None if they are entered by hand.

    Returns:
        The position.

    Raises:
        SaveError: If the save is damaged or doesn't fit the game; the message says why.
        UnknownGame: If no game has its id.
    """
    data = _save.read(saved)
    if not isinstance(data["game"], str):
        raise SaveError(f"damaged save: game {data['game']!r}")
    return games[data["game"]].load(data, source=source)
