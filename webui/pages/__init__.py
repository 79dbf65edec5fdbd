"""The pages and the API, a blueprint each."""
