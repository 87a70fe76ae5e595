"""Operations on boards of any kind, one call each. The room may import all but the command line."""
