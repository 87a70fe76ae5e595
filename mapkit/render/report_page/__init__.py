"""A board's report as one HTML page that needs nothing from elsewhere: map, tables, pictures, findings."""

from mapkit.render.report_page.page import render_report_page

__all__ = ["render_report_page"]
