"""Play-testing of any kind of board by many matches: random numbers, batches and statistics.

It imports from `mapkit.core` only; rules and players live with each kind.
"""
