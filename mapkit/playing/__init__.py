"""Playing games many times over: random numbers, batches and figures, whatever the kind of board.

It imports from `mapkit.core` only; rules and players live with each kind.
"""
