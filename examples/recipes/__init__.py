"""Recipes that connect libraries for reinforcement learning, one per file.

They need `requirements/recipes.txt`; `make recipes` runs them.
"""
