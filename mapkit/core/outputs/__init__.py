"""Output files of commands: names and owners."""
