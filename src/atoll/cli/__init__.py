"""The command line: `atoll`, with one module per group of commands."""
