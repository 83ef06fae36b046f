"""The JSON API; each operation calls one method of a service."""
