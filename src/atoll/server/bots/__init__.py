"""Bots as processes beside the server: the pool that asks them, and the program that each runs."""
