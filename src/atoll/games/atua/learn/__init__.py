"""The lessons and coach of Atua."""
