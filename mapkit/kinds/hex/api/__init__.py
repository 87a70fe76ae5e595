"""Operations of play on boards of hexagons: functions from which commands follow."""
