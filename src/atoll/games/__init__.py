"""The games, one package each; `atoll.games` finds them by their rules."""
