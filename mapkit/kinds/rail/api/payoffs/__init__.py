"""Operations on payoff charts, one call each."""
