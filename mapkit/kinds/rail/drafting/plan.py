"""Plan of a draft before it becomes files: cities, railroads with their lines, regions, amounts."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Area, Frozen, Point, Slug
from mapkit.kinds.rail.model.source import Sheet


class PlannedCity(Frozen):
    """City with its weight in the charts; `milepost` names the milepost shared with its twin, or is empty."""

    id: Slug
    name: str
    region: Slug
    lon: float
    lat: float
    milepost: str
    weight: int
    people: int


class PlannedPlace(Frozen):
    """Milepost or via that is no city; `note` gives its source."""

    name: str
    lon: float
    lat: float
    note: str


class PlannedLine(Frozen):
    """Station list: its name, and places, each with whether it is a milepost."""

    name: str
    stations: tuple[tuple[str, bool], ...]


class PlannedRailroad(Frozen):
    """Railroad with its lines; colour and pattern are starting points of the solver."""

    id: Slug
    name: str
    short: str
    price: int
    colour: str
    pattern: str
    lines: tuple[PlannedLine, ...]


class PlannedRegion(Frozen):
    """Region of the destination charts."""

    id: Slug
    name: str
    short: str
    colour: str


class Plan(Frozen):
    """Plan of a draft.

    Attributes:
        title: Of the board.
        countries: Where names are looked up.
        lon_0: The middle of the region, degrees.
        lat_0: The same.
        extent: West, south, east and north of the land that the page shows, degrees.
        size: Its width and height, miles.
        page: Width and height of the page, millimetres.
        sheet: A standard sheet in its place, if the author names one; upright if the land is taller than wide.
        regions: The regions.
        cities: The cities.
        places: All other named stations.
        railroads: The railroads.
        gap: Miles from milepost to milepost.
        rate: What 100 miles pay, thousands.
        cash: What wins.
        credits: Beside those of names and of the base map.
        assumed: What its author should know, sentences.
        command: What drafts it again.
        options: The same as options by name.
        accepted: Findings that were judged: id -> reason.
    """

    title: str
    countries: tuple[str, ...]
    lon_0: float
    lat_0: float
    extent: Area
    size: Point
    page: tuple[int, int]
    sheet: Literal["", Sheet]
    regions: tuple[PlannedRegion, ...]
    cities: tuple[PlannedCity, ...]
    places: tuple[PlannedPlace, ...]
    railroads: tuple[PlannedRailroad, ...]
    gap: float
    rate: float
    cash: int
    credits: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    command: str = ""
    options: tuple[tuple[str, str | int | tuple[str, ...]], ...] = ()
    accepted: dict[str, str] = Field(default_factory=dict)
