"""One match: in sentences, at any moment on the drawn board, and as an HTML page that plays it and loads nothing."""

from mapkit.kinds.rail.render.match_page.drawing import render_moment
from mapkit.kinds.rail.render.match_page.narration import narrate_match
from mapkit.kinds.rail.render.match_page.page import render_match_page

__all__ = ["narrate_match", "render_match_page", "render_moment"]
