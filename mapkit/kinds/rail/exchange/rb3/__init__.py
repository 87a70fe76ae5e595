"""RB3, the map files of Rail Baron Player."""
