"""The lessons and coach of Atlandice."""
