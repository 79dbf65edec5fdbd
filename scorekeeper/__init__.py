"""The referee: rules, tricks, raises, scores, the record and the ledger.

All but the ledger and the club's draw needs only the standard library. Nothing is
imported from the other folders.
"""
