"""The lab: simulations, tournaments, experiments, training and reports.

Bots play here so that people learn about a game. The bots themselves are in `atoll.bots`.
"""
