"""Variants: named sets of changes, read from `variants/*.toml` and applied to a board."""
