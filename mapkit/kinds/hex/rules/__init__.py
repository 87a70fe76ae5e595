"""Rules of the game as settings; rows, options and gaps as TOML files."""
