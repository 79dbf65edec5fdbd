"""The ledger on disk: events, pictures beside it, erasing a person, the open table."""
