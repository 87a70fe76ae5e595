"""The rules of a game as settings, and their tables (options, presets, words, rows) as TOML files."""
