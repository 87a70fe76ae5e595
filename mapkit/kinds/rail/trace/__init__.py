"""From what the author drew or listed to mileposts, junctions, track pieces and segments."""
