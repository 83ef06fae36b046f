"""Which plugins of pytest a pytest in a process of its own goes without."""

UNLOADED = ("-p", "no:schemathesis", "-p", "no:hypothesispytest")
"""The house's own, which a game's author lacks and which are slow to load."""
