"""Words: four languages, sentences, the rulebook, what is called aloud, help with the deal."""
