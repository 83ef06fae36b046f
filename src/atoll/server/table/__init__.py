"""The rules of a table: its life, its clocks, its chance and permissions. Nothing here waits for I/O."""
