"""What the server says to browsers and programs: pages, API, news; every request passes the guard."""
