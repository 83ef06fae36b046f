"""A tiny honest game, and games like it with one fault each, for the tests of the laws."""
