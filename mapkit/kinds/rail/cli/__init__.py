"""The commands that only railroad boards have: each parses its options, calls the library, and prints."""
