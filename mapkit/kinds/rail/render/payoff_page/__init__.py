"""The page that shows what is wrong with a payoff chart."""
