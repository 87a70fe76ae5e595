"""Commands of one file each: `extra/count_boards.py` with a function `count_boards` is `mapkit count-boards`.

A function `show` beside it prints its result for people; without one, it is printed as JSON.
"""
