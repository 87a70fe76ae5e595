"""Reading and writing source packages."""
