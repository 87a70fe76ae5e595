"""The referee: reads the log of a match and says which step broke which rule.

It is written from the rules, apart from `playing`, so that each tests the other. It imports from `model`, `rules`
and `network`.
"""
