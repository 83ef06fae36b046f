"""The lessons of Atacama, its puzzles, and what its coach knows."""
