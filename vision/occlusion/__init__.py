"""What moves and what hides the table, and where it is worth looking."""
