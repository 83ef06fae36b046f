"""The lab: simulations, tournaments, experiments and reports. The bots play, people learn about the games."""
