"""Study of play-tests as one HTML page that loads nothing: maps of use and income, plots, tables."""

from mapkit.kinds.rail.render.study_page.page import render_study_page

__all__ = ["render_study_page"]
