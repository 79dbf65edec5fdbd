"""From tracked cards to events and questions (V-1 … V-14)."""
