"""The camera of a table, as the serving process knows it."""
