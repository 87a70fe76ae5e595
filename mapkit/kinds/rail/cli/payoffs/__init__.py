"""Commands on payoff charts."""
