"""Payoff charts read from files, and results inferred from them."""
