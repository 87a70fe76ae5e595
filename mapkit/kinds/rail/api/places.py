"""Looking places up, as station lists and cities do."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.core.errors import SourceError, UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.problems import problem_lines
from mapkit.document.workspace import open_workspace
from mapkit.geography.country_names import country_code, country_problem
from mapkit.geography.gazetteer import Candidate, How, known_countries
from mapkit.geography.land_plane import LandPlane
from mapkit.kinds.rail.editing.config import land_plane_of
from mapkit.kinds.rail.editing.place_names import countries_of, finder_of
from mapkit.kinds.rail.reading.files import read_folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.sources.places import PlaceFinder
from mapkit.kinds.rail.tables import RailDocument
from mapkit.operations.options import Argument, Flag, Workspace


class PlaceOffered(Frozen):
    """A place that a name may mean, degrees (EPSG:4326)."""

    name: str = Field(description="As a station list writes it")
    country: str = Field(description="ISO 3166 alpha-2")
    lon: float
    lat: float
    population: int
    fits: How = Field(description="What of it fits: its name, an alternative name, or it is only spelled alike")
    called: str = Field(description="The alternative name that fits; empty where its own name does")
    miles: float | None = Field(description="From the nearest place that it was looked for near")


class LookedUp(Frozen):
    """Name, its place, and other candidates."""

    asked: str
    name: str | None = Field(description="What a station list takes it for; None where that would be a guess")
    lon: float | None
    lat: float | None
    x: float | None = Field(
        default=None, description="On an invented land, the place in its drawing; lon and lat are None"
    )
    y: float | None = None
    source: str = Field(description="Where it was found: board or gazetteer; empty where it was not")
    offered: tuple[PlaceOffered, ...]


class PlacesLookedUp(Frozen):
    """Result of `mapkit place --json`."""

    board: str | None
    countries: tuple[str, ...] = Field(description="Where the gazetteer was searched; empty for the whole world")
    places: tuple[LookedUp, ...]


def find_places(
    names: Annotated[
        Sequence[str], Argument("", "NAME...", "Names of places, as a station list has them.", reading="name")
    ],
    *,
    near: Annotated[str | None, Flag("", "LINE|PLACE,...")] = None,
    board: Annotated[str | Path | None, Flag("-b", "BOARD", reading="name")] = None,
    countries: Annotated[Sequence[str], Flag("--country", "COUNTRY")] = (),
    most: Annotated[int, Flag("", "N", "", 1, 100)] = 5,
    workspace: Workspace = None,
) -> PlacesLookedUp:
    """Look up places by name: position and population.

    Searches the countries of the board, or of the only board of the workspace; without a board, the whole world. Says
    whether a name is taken as it is. Candidates follow: places of exactly this name first, then those that have it as
    an alternative name, then those with a similar name. mapkit never takes an alternative name by itself; to use one,
    add a row to places.csv with the lon and lat shown here. On an invented land only its own places are found.

    Args:
        near: A line or railroad of the board, or places: the nearest come first.
        board: Whose cities, places and countries count.
        countries: Search this country, such as Ireland or IE, or several with commas.
        most: The most candidates of a name.

    Raises:
        SourceError: A table of the board is wrong, or a country is not one.
        UnknownNameError: `near` is neither a line, nor a railroad, nor places that can be found; or there is no board.
    """
    space = open_workspace(workspace)
    chosen = space.only_board() if board is None else str(board)
    document = RailDocument()
    if chosen is not None:
        reading = read_package(read_folder(space.board_folder(chosen)))
        document = reading.document
        if near is not None and reading.problems and not document.lines:
            raise SourceError(problem_lines(reading.problems))
    codes = [code.strip() for text in countries for code in text.split(",")]
    wrong = [said for code in codes if (said := country_problem(code)) is not None]
    if wrong:
        raise SourceError(wrong)
    where = tuple(map(country_code, codes)) or countries_of(document)
    plane = land_plane_of(document)
    if plane is not None and not where:
        looked = tuple(_look_up_on_plane(name, finder_of(document), plane) for name in names)
        return PlacesLookedUp(board=chosen, countries=(), places=looked)
    finder = PlaceFinder(finder_of(document).known, where or tuple(sorted(known_countries())))
    about = _near(near, document, finder) if near is not None else ()
    looked = tuple(_looked_up(name, finder, about, most) for name in names)
    return PlacesLookedUp(board=chosen, countries=where, places=looked)


def look_up(*names: str, **options: Any) -> PlacesLookedUp:  # noqa: ANN401 - those of `find_places`
    """Look places up by name; `find_places` with names one by one."""
    return find_places(names, **options)


def _looked_up(name: str, finder: PlaceFinder, near: Sequence[Point], most: int) -> LookedUp:
    found = finder.get(name)
    own = finder.known.get(fold(name)) is not None
    offered = tuple(_offered(one) for one in finder.gazetteer.candidates(name, near, most=most))
    called, lon, lat = found or (None, None, None)
    source = "" if found is None else "board" if own else "gazetteer"
    return LookedUp(asked=name, name=called, lon=lon, lat=lat, source=source, offered=offered)


def _look_up_on_plane(name: str, finder: PlaceFinder, plane: LandPlane) -> LookedUp:
    """Look a name up among the places of an invented land."""
    found = finder.known.get(fold(name))
    if found is None:
        return LookedUp(asked=name, name=None, lon=None, lat=None, source="", offered=())
    x, y = map(float, plane.cells(*found[1]))
    return LookedUp(asked=name, name=found[0], lon=None, lat=None, x=x, y=y, source="board", offered=())


def _offered(one: Candidate) -> PlaceOffered:
    return PlaceOffered(
        name=one.place.full_name,
        country=one.place.country,
        lon=one.place.lon,
        lat=one.place.lat,
        population=one.place.population,
        fits=one.how,
        called=one.called,
        miles=None if one.miles is None else round(one.miles, 1),
    )


def _near(text: str, document: RailDocument, finder: PlaceFinder) -> tuple[Point, ...]:
    """Return the places of a line, of the lines of a railroad, or of a list of names; degrees.

    Raises:
        UnknownNameError: It is not one of these, or a place in it cannot be found.
    """
    wanted = fold(text)
    railroads = {key for key, row in document.railroads.items() if wanted in map(fold, (key, row.name, row.short))}
    lines = [line for line in document.lines.values() if fold(line.name) == wanted]
    lines = lines or [line for line in document.lines.values() if line.railroad in railroads]
    names = [place for line in lines for place, _ in line.stops] or text.replace(" - ", ",").split(",")
    found = {name.strip(): finder.get(name.strip()) for name in names}
    points = tuple(dict.fromkeys((place[1], place[2]) for place in found.values() if place is not None))
    if not points or (not lines and None in found.values()):
        known = [*(line.name for line in document.lines.values()), *document.railroads]
        raise UnknownNameError(
            f"--near {text!r} is not a line or railroad{did_you_mean(text, known)}, and it has names of places that "
            "cannot be found; name a line, or places with commas between them"
        )
    return points
