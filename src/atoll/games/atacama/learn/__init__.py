"""The lessons, puzzles and coach of Atacama."""
