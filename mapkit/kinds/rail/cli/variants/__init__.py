"""Commands on variants."""
