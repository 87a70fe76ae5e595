"""Destination charts and payoff charts."""
