"""Page to look things up at the table: one HTML file that loads nothing, and what a server needs to install it."""

from typing import Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.html import read_page_part
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render import report_page
from mapkit.kinds.rail.render.report_page.web_page import render_web_page
from mapkit.kinds.rail.render.words import words_of

LOSSES: Final = ("longitudes, latitudes and the projection", "track pieces, except in the drawing", "extensions")
_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#14448c"/>'
    '<path d="M8 46 26 28 38 34 56 16" fill="none" stroke="#fff" stroke-width="5"/>'
    '<path d="M19 21h14v14H19z" fill="#fff"/><circle cx="40" cy="33" r="5" fill="#fff"/></svg>\n'
)


class WebFormat:
    """Folder with a page for any browser, opened as a file or put on a server."""

    name = "web"
    title = "Page to look things up (HTML)"
    suffixes = (".html",)
    carries = "the drawn board with search; routes, payoffs and fees; destinations by dice; deeds; the rule sheet"
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:  # noqa: ARG002 - all exports take options
        """Return the page, and manifest, icon and worker to install it."""
        app_manifest = {
            "name": board.title,
            "lang": words_of(board).language,
            "start_url": "index.html",
            "display": "standalone",
            "background_color": "#fdfcf9",
            "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
        }
        files = {
            "index.html": render_web_page(board),
            "manifest.webmanifest": json_text(app_manifest),
            "icon.svg": _ICON,
            "worker.js": read_page_part(report_page.__name__, "worker.js") + "\n",
        }
        return ExportedBoard(files, LOSSES)


FORMAT = WebFormat()
