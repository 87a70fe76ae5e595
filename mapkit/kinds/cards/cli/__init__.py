"""Commands of the command line for card games."""
