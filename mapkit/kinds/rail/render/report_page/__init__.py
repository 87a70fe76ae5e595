"""Report of a board as one HTML page that loads nothing: map, tables, pictures, findings."""

from mapkit.kinds.rail.render.report_page.page import render_report_page

__all__ = ["render_report_page"]
