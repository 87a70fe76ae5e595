"""Page with the result of a payoff chart's check."""
