"""The check of a payoff chart: what is found, and repairs."""
