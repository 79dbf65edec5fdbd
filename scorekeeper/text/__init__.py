"""All texts in four languages: sentences, the rulebook, what is called out, help with the deal."""
