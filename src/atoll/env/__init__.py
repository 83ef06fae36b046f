"""Training environments: PettingZoo, Gymnasium, OpenSpiel, and a batched interface.

Needs the extra `atoll[env]`. Importing this package registers each game with Gymnasium:
`gymnasium.make("atoll/Wutaki-v1")`, see `atoll.env.gymnasium`.
"""

from .registration import register_games

register_games()
