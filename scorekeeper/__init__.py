"""The referee: rules, tricks, raises, scores, the record and the ledger.

Standard library only, the ledger aside; imports nothing of the other folders.
"""
