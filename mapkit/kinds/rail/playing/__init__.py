"""Play of the game on a railroad board: the rules of a match, and the decisions of computer players.

It imports from `model`, `rules`, `network` and the frame's `playing`. Everything that runs in a match works on arrays
and is compiled.
"""
