"""Bots in separate processes: the pool of workers, and the program that each worker runs."""
