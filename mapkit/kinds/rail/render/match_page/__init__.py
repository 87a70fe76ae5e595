"""One match: in sentences, at any moment on the drawn board, and as an HTML page that plays it and loads nothing."""

from mapkit.kinds.rail.render.match_page.page import narrate_match, render_match_page, render_moment

__all__ = ["narrate_match", "render_match_page", "render_moment"]
