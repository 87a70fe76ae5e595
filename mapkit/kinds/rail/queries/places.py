"""Searching the gazetteer and the board's own places."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import Field, JsonValue

from mapkit.core.base import Area, Frozen
from mapkit.core.errors import MapkitError, UnknownNameError
from mapkit.core.names import fold
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.kind import RegionAsked
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.api.matching import ChosenPlace, plan_line
from mapkit.kinds.rail.editing.place_matching import MatchedName
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.sources.new_board_files import region_settings


class SearchPlaces(Frozen):
    """A part of a name, and how many places are wanted at most."""

    text: str = Field(max_length=200)
    most: int = Field(default=20, ge=1, le=200)


class WantedRegion(Frozen):
    """Where a board is: countries by name or code, a box (west, south, east, north in degrees), or their overlap."""

    region: str = Field(default="", max_length=200)
    box: Area | None = None


class RegionFound(QueryResult):
    """The settings of `board.toml` that follow from a region, by key; null for those that do not hold there."""

    values: dict[str, JsonValue]


@question("region-settings", WantedRegion, RegionFound)
def find_region_settings(ask: WantedRegion, asked: Asked) -> RegionFound:
    """Return projection, page, extent and countries for a region."""
    try:
        values = region_settings(RegionAsked(ask.region, bounds=ask.box))
    except UnknownNameError as error:
        raise QueryError(str(error).removeprefix("--region: ")) from error
    stale = ("projection.", "page.sheet", "page.upright")
    dropped = [key for key in asked.document.settings if key.startswith(stale) and key not in values]
    return RegionFound(values={**dict.fromkeys(dropped), **values})


@cache
def _folded(countries: tuple[str, ...]) -> tuple[tuple[str, GazetteerPlace], ...]:
    return tuple((fold(place.full_name), place) for place in load_gazetteer(countries).places())


class FoundPlace(Frozen):
    """Place: degrees (EPSG:4326), its country, and its population if known."""

    name: str
    lon: float
    lat: float
    source: Literal["board", "gazetteer"]
    population: int | None


class PlacesFound(QueryResult):
    """Places: the board's own first, then the gazetteer's largest."""

    places: tuple[FoundPlace, ...]


@question("search-places", SearchPlaces, PlacesFound)
def search_places(ask: SearchPlaces, asked: Asked) -> PlacesFound:
    """Return the places of a name.

    Case, accents and punctuation do not matter; names that begin with the text come before names that hold it.
    """
    wanted = fold(ask.text)
    if not wanted:
        return PlacesFound(places=())
    own = [
        FoundPlace(name=name, lon=row.lon, lat=row.lat, source="board", population=None)
        for name, row in sorted(asked.document.places.items())
        if wanted in fold(name)
    ]
    named = {entry.name for entry in own}
    countries = tuple(asked.live.settings.config.gazetteer.countries)
    found = [(key, place) for key, place in _folded(countries) if wanted in key and place.full_name not in named]
    found.sort(key=lambda item: (not item[0].startswith(wanted), -item[1].population, item[1]))
    near = [
        FoundPlace(name=p.full_name, lon=p.lon, lat=p.lat, source="gazetteer", population=p.population)
        for _, p in found[: ask.most]
    ]
    return PlacesFound(places=(*own, *near)[: ask.most])


class StationListPasted(Frozen):
    """Station list as text, for a line of a railroad; `yes` accepts the proposals, `chosen` places in their stead."""

    railroad: str
    text: str = Field(max_length=20_000)
    yes: bool = False
    chosen: Mapping[str, ChosenPlace] = {}


class StationListRead(QueryResult):
    """Command that adds the line; none while names remain."""

    matched: int
    corrected: dict[str, str]
    remaining: tuple[MatchedName, ...]
    command: SentCommand | None


@question("station-list", StationListPasted, StationListRead)
def read_station_list(ask: StationListPasted, asked: Asked) -> StationListRead:
    """Find the places of a station list."""
    try:
        plan = plan_line(asked.document, ask.railroad, ask.text, yes=ask.yes, place_unknown=ask.yes, chosen=ask.chosen)
    except MapkitError as error:
        raise QueryError(str(error)) from error
    return StationListRead(
        matched=plan.matched,
        corrected=plan.corrected,
        remaining=plan.remaining,
        command=None if plan.command is None else PACKAGE.commands.read(plan.command),
    )
