"""One table for five modern board games: people play, designers study, researchers train agents on the same rules.

```python
import atoll

game = atoll.games["atacama"]
position = game.new(seats=2, options={"setup": "basic"}, seed=7)
position.apply(position.legal(0)[0], 0)
```
"""

from collections.abc import Mapping
from typing import Any

# The package must be imported before the mapping of the same name takes its place as `atoll.games`.
import atoll.games as _package  # noqa: F401
from atoll.engine import ChanceSource, Position, SaveError, SeatView
from atoll.engine import save as _save
from atoll.engine.registry import games

__all__ = ["Position", "SeatView", "games", "load"]


def load(saved: str | bytes | Mapping[str, Any], *, source: ChanceSource | None = None) -> Position:
    """The position that `Position.save` wrote, of whichever game, with its printed components.

    Raises SaveError saying what is wrong, UnknownGame. A game with other components loads its own: `game.load`.
    """
    data = _save.read(saved)
    if not isinstance(data["game"], str):
        raise SaveError(f"damaged save: game {data['game']!r}")
    return games[data["game"]].load(data, source=source)
