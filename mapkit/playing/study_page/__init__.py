"""Study of play-tests as one HTML page that loads nothing: plots, pictures, tables."""

from mapkit.playing.study_page.page import StudySection, render_study_page

__all__ = ["StudySection", "render_study_page"]
