"""Names, initials and names of regions: how large they are, and where they stand."""
