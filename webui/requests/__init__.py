"""What all pages need of a request: limits, keys, the visitor's language, addresses, answers."""
