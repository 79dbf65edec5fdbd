"""The ledger on disk: events, the pictures beside it, forgetting a person, the open table."""
