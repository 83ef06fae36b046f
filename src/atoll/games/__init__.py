"""The bundled games, one package each.

The entry points in pyproject.toml name them, as those of other packages name theirs.
"""
