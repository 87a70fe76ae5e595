"""Look of a drawn board of any kind."""

from dataclasses import dataclass

from mapkit.drawing.theme.files import OWN
from mapkit.operations.options import Brightness, Contrast, DotNames, Fonts, Language, PictureDpi, Theme


@dataclass(frozen=True)
class Look:
    """Look of a drawn board.

    Attributes:
        theme: `board` for the one that the board's author chose, the name of a theme (`list_themes` lists them), or the
            file of one (`.toml`).
        language: `board` for the one that the board's author chose, or `en`, `es`, `es-MX`, `pt`.
        brightness: -1 for darker, 1 for brighter than the theme.
        contrast: 1 for higher contrast.
        dot_names: Names of mileposts that are not cities.
        dpi: Dots per inch of a PNG.
        fonts: How an SVG brings its fonts along: `name`, `embed` or `paths`.
    """

    theme: Theme = OWN
    language: Language = OWN
    brightness: Brightness = 0
    contrast: Contrast = 0
    dot_names: DotNames = True
    dpi: PictureDpi = 150.0
    fonts: Fonts = "name"
