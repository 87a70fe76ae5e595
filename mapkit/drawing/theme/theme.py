"""Appearance of a board: sizes in millimetres of the page, and colours."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from mapkit.core.base import Colour, Frozen
from mapkit.core.package_data import read_table
from mapkit.drawing.text_width import SANS, Family
from mapkit.drawing.theme.sizes import ThemeSizes

FONT: Final = "'Fira Sans Condensed', 'Arial Narrow', 'Liberation Sans Narrow', Arial, sans-serif"
"""Value of `font-family` of the usual family, with substitutes."""


class Theme(Frozen):
    """Colours and sizes of a drawn board."""

    model_config = ConfigDict(json_schema_extra={"required": ["name"]})

    name: str
    about: str = ""
    """One line for people who choose."""
    water: Colour
    land: Colour
    """Ground outside the regions."""
    lake_shore: Colour
    coast: Colour
    coast_glow: Colour
    """A lighter band of water along the coast; the colour of water for none."""
    river: Colour
    border: Colour
    """State and country borders."""
    region_edge: Colour
    """Borders of regions."""
    frame: Colour
    paper: Colour
    panel: Colour
    """Ground of the legend."""
    ink: Colour
    quiet_ink: Colour
    casing: Colour
    """The light edge of lines and symbols, and the inside of hollow lines."""
    halo: Colour
    """The light stroke below a name."""
    tint: Literal["fill", "edge", "hatch", "none"]
    """How regions are told apart: by colour, by a coloured band along their edges, by hatching, or by borders alone."""
    tint_opacity: float = Field(ge=0, le=1)
    tint_ground: Colour | None = None
    """Colour that regions' own are mixed with; None to take them as the board states them."""
    tint_share: float = Field(ge=0, le=1)
    """How much of a region's own colour is in its tint, where `tint_ground` is given."""
    tint_chroma: float = Field(ge=0, le=4)
    """How much stronger a region's own colour is made before it is mixed."""
    lines: Literal["board", "light", "ink"]
    """Colours of railroads: as the board states them, lightened for a dark ground, or all in ink."""
    shore: Literal["glow", "lining", "steps"]
    """The sea along the coast: two light bands, fine lines that follow the coast, or wide bands in steps."""
    hachures: bool
    """Whether rugged land has strokes down its slopes."""
    symbols: Literal["squares", "engraved", "roundels", "rings", "lights"]
    """Shapes of cities and dots."""
    symbol: Colour | None = None
    """Colour of cities; that of ink if it is left out."""
    border_frame: Literal["lines", "bars", "band"]
    """The map's frame: two lines, bars in turn between two lines, or one broad band."""
    title: Literal["plain", "cartouche", "banner"]
    """The title in the legend: alone, in an ornamental frame, or in capitals on a ground."""
    glow: float = Field(ge=0, le=3)
    """How far the colour of lines shines on the ground beside them, in millimetres; 0 for not at all."""
    sizes: ThemeSizes = ThemeSizes()

    @property
    def is_tinted(self) -> bool:
        """Whether regions have colours."""
        return self.tint in ("fill", "edge")

    @property
    def family(self) -> Family:
        """Type family of all texts."""
        return self.sizes.family

    @property
    def font_family(self) -> str:
        """Value of `font-family`: the theme's family, then the usual one, which has more letters."""
        return FONT if self.family == SANS else f"'{self.family}', {FONT}"


class ThemeTable(Frozen):
    """Table of all shipped themes in `themes.toml`; the first is complete, the others state only differences."""

    themes: tuple[Theme, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:  # noqa: ANN401 - any TOML
        """Fill in missing values from the first theme; malformed data is left to the models."""
        rows = data.get("themes") if isinstance(data, dict) else None
        if not (isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)):
            return data
        first, *others = rows
        return {**data, "themes": [first, *({**first, "about": "", **row} for row in others)]}


THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {theme.name: theme for theme in read_table(__package__, "themes", ThemeTable).themes}
)
"""The shipped themes by name, as in `themes.toml`."""
CLASSIC: Final = THEMES["classic"]
"""The default theme."""
DARK: Final = THEMES["dark"]
