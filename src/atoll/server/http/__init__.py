"""One ASGI application: pages, the JSON API, events, and the guard in front of them."""
