"""Plugins that a separate pytest process doesn't load."""

UNLOADED = ("-p", "no:schemathesis", "-p", "no:hypothesispytest")
"""The house's own, which a game's author lacks and which are slow to load."""
