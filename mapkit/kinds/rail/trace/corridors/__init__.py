"""Track that several railroads share."""
