"""Rules of a game as settings, with their tables (options, presets, words, rows) as TOML files."""
