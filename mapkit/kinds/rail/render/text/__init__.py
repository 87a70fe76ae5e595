"""Names, initials and names of regions: their sizes and places."""
