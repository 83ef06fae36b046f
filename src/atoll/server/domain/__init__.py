"""Data types and small functions that all layers of the server share, without tables in play."""
