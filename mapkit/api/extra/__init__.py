"""Commands of one file each: a module with a function of its name is a command of that name, with hyphens.

A function `show` beside it prints its result for people; without one, it is printed as JSON.
"""
