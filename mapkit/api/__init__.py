"""What a command does with a board of any kind, as one call each. It may import all but the command line."""
