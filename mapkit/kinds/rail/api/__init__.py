"""All that a command does, as one call each."""
