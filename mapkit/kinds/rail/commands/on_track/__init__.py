"""Commands on mileposts, segments and pieces, which work on rows of track whatever form a board has."""
