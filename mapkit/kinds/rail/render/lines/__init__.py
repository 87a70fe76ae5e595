"""Lines of railroads: lanes of parallel track, patterns, and flaws of lines."""
