"""What people read of a table: texts, pictures, fragments. Pages and notifications share it."""
