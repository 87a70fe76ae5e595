"""Drafts of boards for any region of the earth: cities, corridors, railroads, regions, charts and prices."""
