"""How an author wants a board drawn: its theme, its sizes, and layers of the author's own in place of the base map."""

from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug

ThemeName = Literal["classic", "atlas", "dark", "print"]
"""The themes that mapkit has (`mapkit.kinds.rail.render.theme.theme.THEMES`)."""

Language = Literal["en", "es", "es-MX", "pt"]
"""The languages that mapkit prints in (`mapkit.kinds.rail.render.words`)."""

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The usual one first."""

SMALLEST_MM: Final = 0.05
LARGEST_MM: Final = 50.0

_Length = Annotated[float, Field(ge=SMALLEST_MM, le=LARGEST_MM)]
"""Millimetres of the page."""


class Sizes(Frozen):
    """Sizes in millimetres; what lies where on the page depends on them, and on nothing else of a theme."""

    city_side: _Length = 4.6
    """Side of a city's square (RB-C03)."""
    dot_radius: _Length = 1.4
    """Radius of any other milepost's dot (RB-C04)."""
    junction_radius: _Length = 0.9
    symbol_edge: _Length = 0.25
    """White edge around squares, dots and junctions."""
    least_gap: _Length = 4.0
    """What the middles of two mileposts are apart at least."""

    line: _Length = 1.3
    """Width of a railroad's line."""
    casing_edge: _Length = 0.3
    """Light edge on each side of a line, so that crossings read as over and under."""
    lane: _Length = 1.85
    """Distance between the middles of parallel lines."""
    clearance: _Length = 0.7
    """Room to keep between lines of different bundles, and between a line and a milepost off it."""
    hit: _Length = 2.6
    """Width of the invisible line by which a segment is hit or lit up."""

    city_text: _Length = 6.2
    dot_text: _Length = 2.3
    """Font sizes of names; that of dots is the least one."""
    dot_text_most: _Length = 3.8
    """Where mileposts lie far apart, names of dots grow up to this size; as `dot_text`, they never do."""
    initials_text: _Length = 2.9
    """Font size of railroads' initials along their lines."""
    initials_halo: _Length = 1.1
    region_text: _Length = 11.0
    """Font size of regions' names, where they find room."""
    dot_names: Literal["fit", "none"] = "fit"
    """Which dots are named: those whose names find room, or none."""
    city_halo: _Length = 1.0
    dot_halo: _Length = 0.6
    """Width of the light stroke below a name."""


class DrawingSettings(Frozen):
    """`[drawing]`: how the board is drawn unless a command is given another theme or language."""

    theme: ThemeName = Field(default="classic", description="The theme that the board is drawn in")
    language: Language = Field(
        default="en",
        exclude_if=lambda language: language == "en",
        description="The language of the words on board, sheets and reports; left out where it is English",
    )
    sizes: Sizes = Field(default=Sizes(), description="Sizes of symbols, lines and text, millimetres of the page")


_LAYER_FILE: Final = r"^layers/[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,190}\.(geo)?json$"
_LayerFile = Annotated[str, Field(pattern=_LAYER_FILE)]


class LayerFiles(Frozen):
    """`[layers]`: GeoJSON files of the package, in `layers/`, that are drawn in place of the base map's."""

    land: _LayerFile | None = Field(default=None, description="Areas of land; the rest is sea")
    lakes: _LayerFile | None = Field(default=None, description="Areas of water on land")
    rivers: _LayerFile | None = Field(default=None, description="Lines of rivers")
    borders: _LayerFile | None = Field(default=None, description="Lines of borders")
    regions: _LayerFile | None = Field(
        default=None, description="Areas of the regions; `region` of a feature is the region's id or name"
    )


Ring = tuple[Point, ...]
Polygon = tuple[Ring, ...]
"""The outer ring, then holes; closed, `(lon, lat)` in degrees."""
Polyline = tuple[Point, ...]


class OwnLayers(Frozen):
    """The author's own layers in degrees (EPSG:4326), to five decimals; None stands for the layer of the base map."""

    land: tuple[Polygon, ...] | None = None
    lakes: tuple[Polygon, ...] | None = None
    rivers: tuple[Polyline, ...] | None = None
    borders: tuple[Polyline, ...] | None = None
    regions: dict[Slug, tuple[Polygon, ...]] | None = Field(
        default=None, description="Region id -> its areas; the ground of other regions follows from their mileposts"
    )
