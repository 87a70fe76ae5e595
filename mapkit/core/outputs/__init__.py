"""Files that commands write: their names and their owners."""
