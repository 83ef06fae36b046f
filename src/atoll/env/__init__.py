"""Training environments: PettingZoo, OpenSpiel, and a batched interface. Needs the extra `atoll[env]`."""
