"""Source package as read: tables and lines of the author, checked row by row."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from mapkit.core.base import Colour, Frozen, Point, Slug
from mapkit.geography.country_names import country_code
from mapkit.geography.land_plane import PLANE, LandPlane
from mapkit.kinds.rail.model.board import Extensions
from mapkit.kinds.rail.model.boxes import CheckedExtent, PageBoxes, refuse_repeated_kinds
from mapkit.kinds.rail.model.drawing import DrawingSettings, LayerFiles
from mapkit.kinds.rail.model.georeference import PictureModel
from mapkit.kinds.rail.model.payoffs.model import PayoffModel
from mapkit.kinds.rail.rules.rules import Rules

LAST_PIXEL = 1e7
"""No picture is larger; a coordinate beyond is a slip."""


class UnitsConfig(Frozen):
    """`[units]` of `board.toml`."""

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    symbol: str = Field(default="$", min_length=1, max_length=4)
    payoff: int = Field(default=1000, gt=0)
    distance: Literal["mile"] = "mile"


class ProjectionConfig(Frozen):
    """`[projection]`: a named projection with parameters in degrees, any PROJ/EPSG `crs`, or an automatic choice.

    `plane` is the plane of an invented land: positions are coordinates of its drawing.
    """

    name: Literal["albers", "lambert", "mercator", "transverse-mercator", "plate-carree", "plane", "crs", "auto"] = (
        Field(default="auto", description="`auto`, also without the table, chooses one that suits the board")
    )
    scale_mi: float | None = Field(
        default=None, gt=0, le=1000, description='Miles of a unit of the drawing, with name = "plane"'
    )
    middle: Point = Field(
        default=(0.0, 0.0),
        description='The middle of the drawing in its units, with name = "plane"; lengths are most exact around it',
    )
    lon_0: float = Field(default=0.0, ge=-180, le=180)
    lat_0: float = Field(default=0.0, ge=-90, le=90)
    lat_1: float = Field(default=0.0, ge=-90, le=90)
    lat_2: float = Field(default=0.0, ge=-90, le=90)
    crs: str | None = Field(default=None, description='PROJ string or "EPSG:n", with name = "crs"')

    @model_validator(mode="after")
    def _has_scale(self) -> Self:
        """Raise if a plane has no scale, or a scale no plane."""
        if (self.name == PLANE) != (self.scale_mi is not None):
            raise ValueError(
                'name = "plane" needs scale_mi, the miles of a unit of the drawing, and nothing else has one; '
                "write such as scale_mi = 1.5"
            )
        return self

    @property
    def land_plane(self) -> LandPlane | None:
        """The plane of an invented land; None for a map of the earth."""
        return None if self.scale_mi is None else LandPlane(scale_mi=self.scale_mi, middle=self.middle)


Sheet = Literal["A0", "A1", "A2", "A3", "A4", "ANSI A", "ANSI B", "ANSI C", "ANSI D", "ANSI E"]
"""A standard sheet of paper."""
SHEETS_MM: Final[Mapping[Sheet, Point]] = {
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A4": (210, 297),
    "ANSI A": (215.9, 279.4), "ANSI B": (279.4, 431.8), "ANSI C": (431.8, 558.8), "ANSI D": (558.8, 863.6),
    "ANSI E": (863.6, 1117.6),
}  # fmt: skip
"""Width and height of sheets (ISO 216, ANSI/ASME Y14.1), upright, millimetres."""


class PageConfig(Frozen):
    """`[page]` in millimetres: the map is scaled to fit between the margins, above the legend strip."""

    sheet: Sheet | None = Field(default=None, description="A standard sheet, in place of width and height")
    upright: bool = Field(default=False, description="The sheet stands upright")
    width: float = Field(gt=50, le=5000)
    height: float = Field(gt=50, le=5000)
    margin: float = Field(default=15, ge=0)
    legend: float = Field(default=0, ge=0, description="Height of the strip for title and legend, at the bottom")
    extent: CheckedExtent | None = Field(
        default=None,
        description="West, south, east, north in degrees: shown too, beside everything on the board; west is more than "
        "east across longitude 180",
    )
    boxes: Annotated[PageBoxes, AfterValidator(refuse_repeated_kinds)] = Field(
        default_factory=dict,
        exclude_if=lambda boxes: not boxes,
        description="Name -> a box with title, legend, charts, an inset, a picture or a text; a box of kind `legend` "
        "takes the place of the strip",
    )

    @model_validator(mode="before")
    @classmethod
    def _measure_sheet(cls, values: object) -> object:
        """Fill in width and height of a sheet; raise if other ones are given."""
        size = SHEETS_MM.get(values.get("sheet", "")) if isinstance(values, dict) else None
        if size is None or not isinstance(values, dict):
            return values
        width, height = size if values.get("upright") is True else size[::-1]
        if (values.get("width", width), values.get("height", height)) != (width, height):
            raise ValueError(f"a sheet {values['sheet']} measures {width:g} x {height:g}; delete width and height")
        return values | {"width": width, "height": height}


class GazetteerConfig(Frozen):
    """`[gazetteer]`: the countries in which place names are looked up, by name or ISO 3166 code."""

    countries: tuple[str, ...] = Field(default=(), description="Without any, no place is looked up")

    @field_validator("countries")
    @classmethod
    def _find_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(country_code, value)))


class TracingConfig(Frozen):
    """`[tracing]`: how drawn lines are placed and joined."""

    snap_mi: float = Field(default=1.0, gt=0, le=50, description="Lines of a railroad join within this distance, miles")
    georeference: PictureModel = Field(default="affine", description="How control points place a drawing in pixels")
    projection: str | None = Field(
        default=None,
        description="Projection of pictures, as `mapkit georeference --projection` takes it; the board's by default",
    )
    crs: str | None = Field(default=None, description='CRS of files that name none, such as "EPSG:4326"')


Gap = Annotated[float, Field(ge=0.01, le=10_000)]
"""Miles from one milepost to the next."""


class SpacingConfig(Frozen):
    """`[spacing]`: mileposts by rule along traced lines, where none are drawn.

    The gap of a railroad is its own, else that of public railroads if it is public, else that of the region (of the
    nearest city), else the board's.
    """

    at_junctions: bool = Field(default=False, description="A milepost at every junction of drawn lines")
    at_crossings: bool = Field(
        default=False, description="A milepost wherever drawn lines of different railroads cross, meet or part"
    )
    gap_mi: Gap | None = Field(default=None, description="Target gap in miles; without it only the gaps below count")
    public_gap_mi: Gap | None = Field(default=None, description="Target gap of public railroads, miles")
    railroads: dict[Slug, Gap] = Field(default_factory=dict, description="Target gaps of single railroads, miles")
    regions: dict[Slug, Gap] = Field(default_factory=dict, description="Target gaps in regions, miles")
    names: tuple[str, ...] = Field(
        default=(), description="Names for mileposts where no place is near, taken in order along the lines"
    )
    reach_mi: float = Field(default=5.0, gt=0, le=100, description="How far off the line a place gives its name, miles")


class RegionConfig(Frozen):
    """A row of `[[regions]]`, in chart order."""

    id: Slug
    name: str = Field(min_length=1)
    short: str = Field(min_length=1, max_length=6)
    colour: Colour


class DestinationsConfig(Frozen):
    """`[destinations]`: charts that mapkit solves where there is no `charts/destinations.csv`."""

    solve: bool = Field(default=False, description="Solve the charts from weights if none are typed")
    weights: Literal["cities", "population"] = Field(
        default="cities",
        description="Where cities without a typed weight get theirs: nowhere, or the gazetteer's population",
    )
    damping: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="How much weights from population are damped: a city weighs people ** (1 - damping), so that 0 "
        "counts people, 0.5 takes square roots, and with 1 all cities weigh the same",
    )


class BoardConfig(Frozen):
    """`board.toml`."""

    kind: Literal["rail"] = "rail"
    title: str = Field(min_length=1)
    credits: tuple[str, ...] = ()
    licence: str = Field(min_length=1)
    units: UnitsConfig = UnitsConfig()
    projection: ProjectionConfig = ProjectionConfig()
    page: PageConfig
    gazetteer: GazetteerConfig = GazetteerConfig()
    tracing: TracingConfig = TracingConfig()
    spacing: SpacingConfig = SpacingConfig()
    drawing: DrawingSettings = DrawingSettings()
    layers: LayerFiles = LayerFiles()
    destinations: DestinationsConfig = DestinationsConfig()
    regions: tuple[RegionConfig, ...] = Field(min_length=1)
    payoffs: PayoffModel | None = Field(
        default=None, description="The model that the chart is computed by where there is no charts/payoffs.csv"
    )
    rules: Rules = Field(default_factory=Rules)
    accepted: dict[str, str] = Field(default_factory=dict)
    extensions: Extensions = Field(default_factory=dict, description="Name -> anything; it goes into the board file")


class StationRow(Frozen):
    """A row of a station list: a place that a line of a railroad runs through."""

    file: str
    row: int
    railroad: Slug
    line: str = Field(min_length=1)
    seq: int
    place: str = Field(min_length=1)
    kind: Literal["milepost", "via"]
    lon: float = Field(description="Looked up: cities.csv, places.csv, then the gazetteer")
    lat: float
    feature: str = Field(default="", description="The feature of a drawing that the line came from")


class TracedLine(Frozen):
    """A drawn line: `(lon, lat)` in degrees, or pixels (y downward) that control points place."""

    feature: str = Field(description="Where it stands: `lines/east.geojson#12`")
    railroad: Slug
    line: tuple[Point, ...] = Field(min_length=2)
    level: int = Field(default=0, description="Lines of one railroad on different levels cross without joining")
    pixels: bool = False


class PinnedPoint(Frozen):
    """A drawn milepost, in degrees or pixels as a line; its name may be empty."""

    feature: str
    name: str
    x: float
    y: float
    railroads: tuple[Slug, ...] = Field(default=(), description="Those that stop there; none: all that pass")
    generated: bool = Field(default=False, description="Placed by rule in an earlier stage")
    pixels: bool = False


class ControlPoint(Frozen):
    """A pixel `(x, y)`, y downward, and its place `(lon, lat)` in degrees (EPSG:4326)."""

    file: str = "control_points.csv"
    row: int = Field(ge=1, description="Line of the file, the header being 1")
    name: str = Field(default="", description="The city, if the place was given by name; else the note")
    x: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    y: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)

    @property
    def label(self) -> str:
        """Return its name, or its row if it has none."""
        return self.name or f"row {self.row}"


class WantedRow(Frozen):
    """Target of the chart solver: a row of `charts/wanted.csv`, or derived from a city's weight.

    `weight` is an exact fraction as text, a `share` of one or a `number` in any unit; bounds are 72nds. `name` and
    `chart_name` are what people call the two.
    """

    row: int
    chart: Slug
    item: Slug
    weight: str | None = None
    unit: Literal["number", "share"] | None = None
    least: int | None = None
    most: int | None = None
    avoid: tuple[tuple[str, int], ...] = ()
    cells: tuple[tuple[str, int], ...] = ()
    name: str = ""
    chart_name: str = ""
