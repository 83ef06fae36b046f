"""Data and small functions that all layers of the server share. Nothing here knows a table in play."""
