"""Referee of card games: reads the log of a game and names the first step that breaks a rule.

It follows the rules by its own reading and shares no code with the room that carries games out.
"""
