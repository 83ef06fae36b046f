"""The layer on top: builds the application from its settings and runs it."""
