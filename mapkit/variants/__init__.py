"""Variants: named lists of commands, read from `variants/*.toml` and carried out on a document of any kind of board."""
