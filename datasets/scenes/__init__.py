"""Pictures of tables with cards on them, and what is where in them."""
