"""Operations of variants on the board: mileposts, railroads, track, regions, cities.

Mileposts, railroads, regions and cities are named by their ids, segments and pieces by theirs. Positions are degrees
(EPSG:4326), prices whole currency units. Lengths and page positions follow from them.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.model.base import Colour, Frozen, Slug
from mapkit.model.board import Page, Pattern, Projection

Lon = Annotated[float, Field(ge=-180, le=180)]
Lat = Annotated[float, Field(ge=-90, le=90)]
Place = tuple[Lon, Lat]
"""A point of a line, `[lon, lat]`."""
Name = Annotated[str, Field(min_length=1, max_length=200)]
Price = Annotated[int, Field(ge=0, le=10_000_000)]
Ids = Annotated[tuple[Slug, ...], Field(min_length=1, max_length=100_000)]
Line = Annotated[tuple[Place, ...], Field(min_length=2, max_length=100_000)]


class Op(Frozen):
    """What every operation has."""

    reason: str = Field(min_length=1, max_length=5000, description="Why; shown by `mapkit variant show`")


class AddMilepost(Op):
    """A new milepost, off any track yet; `add-segment` and `add-line` lead track to it."""

    op: Literal["add-milepost"] = "add-milepost"
    id: Slug
    name: Name
    lon: Lon
    lat: Lat


class RemoveMilepost(Op):
    """Remove a milepost that is no city's.

    `join` leads each railroad's track on through the place: two arms become one piece, more meet in a junction; an end
    of track goes. `remove` takes all its track away.
    """

    op: Literal["remove-milepost"] = "remove-milepost"
    id: Slug
    track: Literal["join", "remove"] = "join"


class RenameMilepost(Op):
    """Show a milepost under another name; its id stays."""

    op: Literal["rename-milepost"] = "rename-milepost"
    id: Slug
    name: Name
    was: str | None = None


class MoveMilepost(Op):
    """Move a milepost; the ends of its track follow."""

    op: Literal["move-milepost"] = "move-milepost"
    id: Slug
    lon: Lon
    lat: Lat
    was: Place | None = None


class InsertMilepost(Op):
    """Cut segments in two at a new milepost: one of each railroad that runs there.

    Without a position it stands on the first segment's line, at the share `at` of its length from `a`.
    """

    op: Literal["insert-milepost"] = "insert-milepost"
    id: Slug
    name: Name
    segments: Ids
    at: float = Field(default=0.5, gt=0, lt=1)
    lon: Lon | None = None
    lat: Lat | None = None

    @model_validator(mode="after")
    def _whole_position(self) -> Self:
        if (self.lon is None) != (self.lat is None):
            raise ValueError("give lon and lat, or neither")
        return self


class AddRailroad(Op):
    """A new railroad, without track yet."""

    op: Literal["add-railroad"] = "add-railroad"
    id: Slug
    name: Name
    short: Name
    price: Price
    public: bool = False
    colour: Colour
    pattern: Pattern = "solid"


class RemoveRailroad(Op):
    """Remove a railroad and all its track; mileposts stay."""

    op: Literal["remove-railroad"] = "remove-railroad"
    id: Slug


class RailroadSays(Frozen):
    """What may change of a railroad; what is not given stays."""

    name: Name | None = None
    short: Name | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None


class ChangeRailroad(Op):
    """Change name, mark, price, colour or pattern of a railroad."""

    op: Literal["change-railroad"] = "change-railroad"
    id: Slug
    name: Name | None = None
    short: Name | None = None
    price: Price | None = None
    public: bool | None = None
    colour: Colour | None = None
    pattern: Pattern | None = None
    was: RailroadSays = RailroadSays()

    @property
    def changes(self) -> dict[str, object]:
        """Return what is given, field by field."""
        fields = {name: getattr(self, name) for name in RailroadSays.model_fields}
        return {name: value for name, value in fields.items() if value is not None}

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.changes:
            raise ValueError("nothing to change; give name, short, price, public, colour or pattern")
        return self


class MakePublic(Op):
    """Make a railroad public: never sold (RB-C11)."""

    op: Literal["make-public"] = "make-public"
    id: Slug


class MergeRailroads(Op):
    """Give all track of `railroads` to `into`, one of them; the others go.

    Where two of them join the same two mileposts, one segment stays, of `into` if it has one. The price is the sum
    unless given.
    """

    op: Literal["merge-railroads"] = "merge-railroads"
    railroads: Annotated[tuple[Slug, ...], Field(min_length=2, max_length=1000)]
    into: Slug
    name: Name | None = None
    short: Name | None = None
    price: Price | None = None

    @model_validator(mode="after")
    def _among_them(self) -> Self:
        if self.into not in self.railroads:
            raise ValueError(f"into is {self.into!r}, none of the railroads; name one of them")
        if len(set(self.railroads)) != len(self.railroads):
            raise ValueError("a railroad stands twice; name each once")
        return self


class SplitRailroad(Op):
    """Give some segments of a railroad to a new one."""

    op: Literal["split-railroad"] = "split-railroad"
    railroad: Slug
    segments: Ids
    id: Slug
    name: Name
    short: Name
    price: Price
    price_left: Price | None = Field(default=None, description="Price of what is left; unchanged if not given")
    public: bool = False
    colour: Colour
    pattern: Pattern = "solid"


class AddSegment(Op):
    """Track of a railroad between two mileposts, straight or along `line`, which goes from `a` to `b`."""

    op: Literal["add-segment"] = "add-segment"
    railroad: Slug
    a: Slug
    b: Slug
    line: Line | None = None


class AddLine(Op):
    """Track of a railroad along existing mileposts, a segment from each to the next.

    Where `along` (or any railroad, if none is named) joins the two already, the new segment runs beside it.
    """

    op: Literal["add-line"] = "add-line"
    railroad: Slug
    mileposts: Annotated[tuple[Slug, ...], Field(min_length=2, max_length=10_000)]
    along: Slug | None = None


class RemoveSegments(Op):
    """Remove segments with the track that only they use; a junction that is left bare goes too."""

    op: Literal["remove-segments"] = "remove-segments"
    segments: Ids


class ReassignSegments(Op):
    """Give segments to another railroad."""

    op: Literal["reassign-segments"] = "reassign-segments"
    segments: Ids
    railroad: Slug


class AddJunction(Op):
    """A free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it."""

    op: Literal["add-junction"] = "add-junction"
    id: Slug
    railroad: Slug
    lon: Lon
    lat: Lat


class RemoveJunction(Op):
    """Remove a junction that no track uses any more."""

    op: Literal["remove-junction"] = "remove-junction"
    id: Slug


class AddPiece(Op):
    """A track piece between two mileposts or junctions; segments follow from the pieces.

    Without `id` it gets the next free one of the usual form.
    """

    op: Literal["add-piece"] = "add-piece"
    railroad: Slug
    a: Slug
    b: Slug
    line: Line | None = None
    id: Slug | None = None


class RemovePiece(Op):
    """Remove a track piece, and every segment that runs over it."""

    op: Literal["remove-piece"] = "remove-piece"
    id: Slug


class AddRegion(Op):
    """A new region, last in chart order; its chart is empty until set or solved."""

    op: Literal["add-region"] = "add-region"
    id: Slug
    name: Name
    short: Annotated[str, Field(min_length=1, max_length=6)]
    colour: Colour


class RegionSays(Frozen):
    """What may change of a region."""

    name: Name | None = None
    short: Annotated[str, Field(min_length=1, max_length=6)] | None = None
    colour: Colour | None = None


class ChangeRegion(Op):
    """Change name, short name or colour of a region."""

    op: Literal["change-region"] = "change-region"
    id: Slug
    name: Name | None = None
    short: Annotated[str, Field(min_length=1, max_length=6)] | None = None
    colour: Colour | None = None
    was: RegionSays = RegionSays()

    @property
    def changes(self) -> dict[str, object]:
        """Return what is given, field by field."""
        fields = {name: getattr(self, name) for name in RegionSays.model_fields}
        return {name: value for name, value in fields.items() if value is not None}


class RemoveRegion(Op):
    """Remove a region that has no city any more, with its chart; its cells of the region chart are emptied."""

    op: Literal["remove-region"] = "remove-region"
    id: Slug


class AddCity(Op):
    """Make a city of a milepost, or a twin of one that is a city already (RB-C06).

    `payoffs` says what trips to and from it pay, thousands by city id; cells that are not given are missing until set
    or recomputed. Its region's chart has no cell for it until set or solved.
    """

    op: Literal["add-city"] = "add-city"
    id: Slug
    name: Name
    region: Slug
    milepost: Slug
    payoffs: dict[Slug, Annotated[float, Field(ge=0, le=10_000)]] = Field(default_factory=dict)
    before: Slug | None = Field(default=None, description="City of the payoff chart before which it stands; else last")


class ChangeCity(Op):
    """Change the name of a city, or put it on another milepost."""

    op: Literal["change-city"] = "change-city"
    id: Slug
    name: Name | None = None
    milepost: Slug | None = None


class MoveCity(Op):
    """Move a city to another region; both charts need new cells, so both are solved or set after it.

    `charts` solves the two city charts and the region chart anew from the old chances (RB-D01); `keep` leaves the
    cells for other operations.
    """

    op: Literal["move-city"] = "move-city"
    city: Slug
    region: Slug
    was: Slug | None = None
    charts: Literal["solve", "keep"] = "solve"


class RemoveCity(Op):
    """Make a city a mere milepost: its cells of the charts go.

    `charts` fills the emptied cells by solving its region's chart anew from the old chances; `keep` leaves them empty.
    """

    op: Literal["remove-city"] = "remove-city"
    id: Slug
    charts: Literal["solve", "keep"] = "solve"


class RestrictBoard(Op):
    """Keep a part of the board: regions, what lies in a polygon, or railroads.

    A milepost that is no city's belongs to the region of the nearest city. Track with an end outside goes, then track
    that leads nowhere; of a railroad that falls apart, the part with most cities stays; railroads that serve fewer than
    `least_cities` cities go. `charts` says how destination charts are filled: all solved anew from weights (`equal` for
    all cities, the old `chances`, or the number of `railroads` that serve a city; `weights` by id goes before), or only
    those that lost something, from the old chances. Payoffs between the cities that stay are kept.
    """

    op: Literal["restrict-board"] = "restrict-board"
    regions: tuple[Slug, ...] | None = None
    polygon: Annotated[tuple[Place, ...], Field(min_length=3, max_length=10_000)] | None = None
    railroads: tuple[Slug, ...] | None = None
    charts: Literal["solve anew", "cut and renormalise", "keep"] = "cut and renormalise"
    weigh_by: Literal["equal", "chances", "railroads"] = "equal"
    weights: dict[Slug, Annotated[float, Field(ge=0, le=1e9)]] = Field(default_factory=dict)
    least_cities: int = Field(default=1, ge=0, le=100)
    fit_page: bool = Field(default=True, description="Scale and centre what stays inside the page's frame")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(x is not None for x in (self.regions, self.polygon, self.railroads)) != 1:
            raise ValueError("give one of regions, polygon and railroads")
        if self.charts != "solve anew" and (self.weights or self.weigh_by != "equal"):
            raise ValueError('weights are for charts = "solve anew"; leave them out, or say so')
        return self


class ChangeBoard(Op):
    """Change the title, the page or the projection; positions on the page follow."""

    op: Literal["change-board"] = "change-board"
    title: Name | None = None
    page: Page | None = None
    projection: Projection | None = None
