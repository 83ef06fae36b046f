"""The rules of a table: its lifecycle, clocks, chance and permissions, without I/O."""
