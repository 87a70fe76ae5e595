"""A board of any region of the earth, drafted: cities, corridors, railroads, regions, charts, prices."""
