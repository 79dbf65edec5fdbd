"""Pictures of tables with cards on them, with the name and place of every card."""
