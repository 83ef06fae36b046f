"""The top layer: builds the application from its settings and runs it."""
