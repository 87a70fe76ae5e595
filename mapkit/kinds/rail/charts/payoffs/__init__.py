"""Payoff charts: computed, fitted, compared, and examined for slips."""
