"""Payoff charts read from files, and what is inferred from them."""
