"""Training environments: PettingZoo, Gymnasium, OpenSpiel, and a batched interface. Needs the extra `atoll[env]`.

Whoever imports it finds each game in Gymnasium: `gymnasium.make("atoll/Wutaki-v1")`, see `atoll.env.gymnasium`.
"""

from .registration import register_games

register_games()
