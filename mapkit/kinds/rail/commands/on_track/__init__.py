"""Commands on mileposts, segments and pieces, on rows of track for boards of any form."""
