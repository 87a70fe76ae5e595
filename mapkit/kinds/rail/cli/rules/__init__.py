"""Commands on rules."""
