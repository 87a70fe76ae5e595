"""Formats for boards of every kind: a module each, with its `AnyFormat` as `FORMAT`."""
