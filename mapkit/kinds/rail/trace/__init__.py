"""Tracing: from drawn lines and station lists to mileposts, junctions, track pieces and segments."""
