"""Formats in which boards of every kind are written: a module each, with its `AnyFormat` as `FORMAT`."""
