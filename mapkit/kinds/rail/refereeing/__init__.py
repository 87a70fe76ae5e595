"""Referee: reads the log of a match and reports the first step that breaks a rule.

It is written from the rules, apart from `playing`, so that each tests the other. It imports from `model`, `rules`
and `network`.
"""
