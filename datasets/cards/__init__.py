"""Pictures of cards: other makers' decks, and printings that the project draws."""
