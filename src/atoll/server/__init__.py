"""The web table: people, seats, clocks, push, pages and the JSON API. It knows games only through Position and view."""
