"""The game on a railroad board, carried out: the rules of a match, and the players who decide.

It imports from `model`, `rules`, `network` and the frame's `playing`. Everything that runs in a match works on arrays
and is compiled.
"""
