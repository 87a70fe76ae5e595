"""Files for game engines: the board file with its schema and types, and chart tables."""
