"""The ASGI application: pages, the JSON API, event streams, and the guard in front of them."""
