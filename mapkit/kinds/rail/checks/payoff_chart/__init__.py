"""Check of a payoff chart: findings and repairs."""
