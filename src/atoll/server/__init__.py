"""The web server: tables, users, clocks, notifications, pages and the JSON API.

It uses games only through `Position` and views.
"""
