"""How libraries for learning are plugged in, one file each. They need `requirements/recipes.txt`: `make recipes`."""
