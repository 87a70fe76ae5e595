"""How a board looks: sizes in millimetres of the page, and colours."""

from typing import Final, Literal

from pydantic import Field

from mapkit.core.base import Colour, Frozen
from mapkit.kinds.rail.model.drawing import Sizes

FONT: Final = "'Fira Sans Condensed', 'Arial Narrow', 'Liberation Sans Narrow', Arial, sans-serif"


class Theme(Frozen):
    """Colours and sizes of a drawn board."""

    name: str
    about: str = ""
    """One line for people who choose."""
    water: Colour = "#bcd6e4"
    land: Colour = "#f5f1e6"
    """Ground outside the regions."""
    lake_shore: Colour = "#7fa6bd"
    coast: Colour = "#6f97ae"
    coast_glow: Colour = "#d5e6ee"
    """A lighter band of water along the coast; the colour of water for none."""
    river: Colour = "#8fb6cc"
    border: Colour = "#a39c8c"
    """State and country borders."""
    region_edge: Colour = "#8d8473"
    """Borders of regions."""
    frame: Colour = "#4b4a45"
    paper: Colour = "#fdfcf9"
    panel: Colour = "#f7f3ea"
    """Ground of the legend."""
    ink: Colour = "#1b1b1b"
    quiet_ink: Colour = "#4a4a4a"
    casing: Colour = "#ffffff"
    """The light edge of lines and symbols, and the inside of hollow lines."""
    halo: Colour = "#ffffff"
    """The light stroke below a name."""
    tint: Literal["fill", "hatch", "none"] = "fill"
    """How regions are told apart: by colour, by light hatching, or by their borders alone."""
    tint_opacity: float = Field(default=0.8, ge=0, le=1)
    tint_ground: Colour | None = None
    """Colour that regions' own are mixed with; None to take them as the board states them."""
    tint_share: float = Field(default=1.0, ge=0, le=1)
    """How much of a region's own colour is in its tint, where `tint_ground` is given."""
    tint_chroma: float = Field(default=1.0, ge=0, le=4)
    """How much stronger a region's own colour is made before it is mixed."""
    lines: Literal["board", "light", "ink"] = "board"
    """Colours of railroads: as the board states them, lightened for a dark ground, or all in ink."""
    sizes: Sizes = Sizes()


CLASSIC: Final = Theme(name="classic", about="warm paper and pastel regions, like the printed boards")
ATLAS: Final = Theme(
    name="atlas",
    about="white land with tints as in an atlas, blue sea, fine borders",
    water="#d6e8f2",
    land="#fbfaf6",
    lake_shore="#5b93b5",
    coast="#3f7ea5",
    coast_glow="#e9f3f8",
    river="#6ba3c4",
    border="#9a8f9e",
    region_edge="#a4587c",
    frame="#23455c",
    paper="#ffffff",
    panel="#ffffff",
    ink="#14202b",
    quiet_ink="#3d4b57",
    tint_ground="#ffffff",
    tint_share=0.62,
    tint_opacity=1.0,
)
DARK: Final = Theme(
    name="dark",
    about="for screens in the evening: dark land, light lines and names",
    water="#0e1720",
    land="#1d242b",
    lake_shore="#3c5870",
    coast="#4a6a85",
    coast_glow="#142230",
    river="#2d4a61",
    border="#566069",
    region_edge="#8a959f",
    frame="#8796a3",
    paper="#0a0f14",
    panel="#131a21",
    ink="#f2f0ea",
    quiet_ink="#b9c0c6",
    casing="#12181e",
    halo="#10161b",
    tint_ground="#1c2329",
    tint_share=0.2,
    tint_chroma=2.6,
    tint_opacity=1.0,
    lines="light",
)
PRINT: Final = Theme(
    name="print",
    about="black and white: railroads by pattern alone, regions by their borders and light hatching",
    water="#ffffff",
    land="#ffffff",
    lake_shore="#000000",
    coast="#000000",
    coast_glow="#ffffff",
    river="#8c8c8c",
    border="#8c8c8c",
    region_edge="#000000",
    frame="#000000",
    paper="#ffffff",
    panel="#ffffff",
    ink="#000000",
    quiet_ink="#000000",
    casing="#ffffff",
    halo="#ffffff",
    tint="hatch",
    tint_opacity=1.0,
    lines="ink",
)
THEMES: Final = {theme.name: theme for theme in (CLASSIC, ATLAS, DARK, PRINT)}
