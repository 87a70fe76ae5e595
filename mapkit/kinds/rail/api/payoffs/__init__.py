"""What commands do with payoff charts, as one call each."""
