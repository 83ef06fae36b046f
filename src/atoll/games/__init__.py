"""The games that come along, one package each. pyproject.toml names them as entry points, as other packages do."""
