"""The JSON API. Each operation calls one method of a use case."""
