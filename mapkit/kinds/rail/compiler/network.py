"""Mileposts and track of a document in degrees, independent of the page."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import slug, undrawn_script
from mapkit.core.problems import Problem, parse_problem
from mapkit.document.document import RowOrigin, sort_rows
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.evaluate import Reader, tracked
from mapkit.geography.gazetteer import division_codes_of, load_gazetteer
from mapkit.kinds.rail.compiler.letters import undrawn_stops
from mapkit.kinds.rail.compiler.mileposts import Spot, shown_names, taken_names, towns_of
from mapkit.kinds.rail.compiler.places import countries, find_places, found_lines, in_file_order, loose_cities
from mapkit.kinds.rail.compiler.railroads import FoundLine, RailroadTrack, trace_railroad
from mapkit.kinds.rail.compiler.rows import join_track, lay_rows, tabled_junctions, tabled_points, tabled_railroads
from mapkit.kinds.rail.compiler.settings import setting
from mapkit.kinds.rail.importing.drawings import list_notes
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.reading import late
from mapkit.kinds.rail.sources.city_positions import NEAR_MILES, find_misplaced
from mapkit.kinds.rail.sources.projections import turn_from_seam
from mapkit.kinds.rail.sources.table_files import CITIES, PLACES
from mapkit.kinds.rail.tables import City

# Station lists


@tracked
def _lines_by_railroad(db: Reader) -> dict[str, tuple[str, ...]]:
    """Return the lines of each railroad of the board, in the order of the files and their rows."""
    railroads = db.rows("railroads")
    out: dict[str, list[str]] = defaultdict(list)
    for key, line in in_file_order(db.table("lines")):
        if line.railroad in railroads:
            out[line.railroad].append(key)
    return {railroad: tuple(out[railroad]) for railroad in sorted(out)}


@tracked
def listed_railroads(db: Reader) -> tuple[str, ...]:
    """Return the railroads that have station lists, sorted."""
    return tuple(_lines_by_railroad(db))


@tracked
def lines_of(db: Reader, railroad: str) -> tuple[FoundLine, ...]:
    """Return the station lists of a railroad with their places found, in order."""
    found = db.lookup(found_lines)
    return tuple(found[key][0] for key in db.lookup(_lines_by_railroad).get(railroad, ()))


@tracked
def _names_of(db: Reader, railroad: str) -> frozenset[str]:
    """Return the places of the mileposts of a railroad's station lists."""
    return frozenset(stop.place for line in lines_of(db, railroad) for stop in line.stops if stop.kind == "milepost")


@tracked
def _milepost_names(db: Reader) -> frozenset[str]:
    """Return the places of mileposts of station lists and cities."""
    cities = (city.milepost_name for city in loose_cities(db).values())
    return frozenset(cities).union(*(_names_of(db, railroad) for railroad in listed_railroads(db)))


@tracked
def _ids_by_place(db: Reader) -> dict[str, str]:
    """Return the ids of places that do not follow from their names alone."""
    return own_ids(db)[0]


@tracked
def listed_track(db: Reader, railroad: str) -> RailroadTrack:
    """Return the track that the station lists of a railroad give."""
    lines, ids = lines_of(db, railroad), db.lookup(_ids_by_place)
    named = {s.place: ids[s.place] for line in lines for s in line.stops if s.place in ids}
    return trace_railroad(railroad, lines, ids=named)


@tracked
def _listed_spots(db: Reader, railroad: str) -> dict[str, Spot]:
    return {place: ("dot", lon, lat) for place, lon, lat in listed_track(db, railroad).mileposts}


@tracked
def spots(db: Reader) -> dict[str, Spot]:
    """Return the kind and place of each milepost of station lists and cities, by the full name of its place."""
    out: dict[str, Spot] = {}
    for railroad in listed_railroads(db):
        out.update(_listed_spots(db, railroad))
    out.update(towns_of(city for _, city in sort_rows(loose_cities(db))))
    return out


# Tables of track, and both together


@tracked
def _listed_points(db: Reader) -> dict[str, Point]:
    """Return where mileposts and junctions of station lists lie, by id."""
    ids = _ids_by_place(db)
    out = {ids.get(place) or slug(place): (lon, lat) for place, (_, lon, lat) in spots(db).items()}
    tracks = (listed_track(db, railroad) for railroad in listed_railroads(db))
    return out | {j.id: (j.lon, j.lat) for track in tracks for j in track.junctions}


@tracked
def node_points(db: Reader) -> dict[str, Point]:
    """Return where pieces of tables may end, by id."""
    return {**_listed_points(db), **tabled_points(db)}


@tracked
def _rows_of(db: Reader, railroad: str) -> RailroadTrack:
    """Return the track of a railroad that stands in tables; it may end at mileposts and junctions of station lists."""
    return lay_rows(db, railroad, db.lookup(node_points))


@tracked
def _railroads_in_rows(db: Reader) -> frozenset[str]:
    return frozenset({*tabled_railroads(db), *tabled_junctions(db)})


@tracked
def railroads_with_track(db: Reader) -> tuple[str, ...]:
    """Return the railroads that have track, sorted."""
    return tuple(sorted({*listed_railroads(db), *_railroads_in_rows(db)}))


@tracked
def track_of(db: Reader, railroad: str) -> RailroadTrack:
    """Return the track of a railroad, of station lists and tables together."""
    listed, tabled = railroad in listed_railroads(db), railroad in _railroads_in_rows(db)
    if listed and tabled:
        return join_track(railroad, listed_track(db, railroad), _rows_of(db, railroad))
    return listed_track(db, railroad) if listed else _rows_of(db, railroad)


@tracked
def track_problems(db: Reader) -> tuple[Problem, ...]:
    """Return the problems of track that cannot be laid."""
    listed, tabled = listed_railroads(db), sorted(_railroads_in_rows(db))
    problems = [*own_ids(db)[1], *_drawing_notes(db)[1]]
    for railroad in listed:
        problems += listed_track(db, railroad).problems
    for railroad in tabled:
        problems += _rows_of(db, railroad).problems
    for railroad in listed:
        if railroad in tabled:
            problems += track_of(db, railroad).problems
    return tuple(dict.fromkeys(problems))


@tracked
def points(db: Reader) -> tuple[Point, ...]:
    """Return all that a page must show, `(lon, lat)`."""
    listed = [(lon, lat) for _, lon, lat in spots(db).values()]
    rows = [(row.lon, row.lat) for row in db.table("mileposts").values()]
    tracks = (track_of(db, railroad) for railroad in railroads_with_track(db))
    return (*listed, *rows, *chain.from_iterable(track.points for track in tracks))


# Ids and names


@tracked
def _kinds(db: Reader) -> dict[str, str]:
    """Return `city` or `dot` by the full name of the place."""
    return {place: spot[0] for place, spot in spots(db).items()}


@tracked
def milepost_ids(db: Reader) -> dict[str, str]:
    """Return the id of each milepost by the full name of its place, sorted by id."""
    own = _ids_by_place(db)
    ids = [(own.get(place) or slug(place), place) for place in _kinds(db)]
    return {place: ident for ident, place in sorted(ids)}


@tracked
def milepost_names(db: Reader) -> dict[str, str]:
    """Return the name to show of each milepost by the full name of its place."""
    kinds = _kinds(db)
    codes = division_codes_of(kinds, countries(db))
    return shown_names(kinds, taken_names(kinds, _city_names(db), codes), codes)


@tracked
def _city_names(db: Reader) -> frozenset[str]:
    return frozenset(city.name for city in db.table("cities").values())


# Notes


@tracked
def _drawing_notes(db: Reader) -> tuple[tuple[TraceNote, ...], tuple[Problem, ...]]:
    """Return the notes on imported drawn lines, and their problems."""
    try:
        return list_notes(db.table("files").items()), ()
    except SourceError as error:
        return (), tuple(parse_problem(text, table="files") for text in error.problems)


@tracked
def notes(db: Reader) -> tuple[TraceNote, ...]:
    """Return the notes on drawn lines, doubtful positions, and a projection that cuts the board."""
    return (*_drawing_notes(db)[0], *_city_positions(db), *_place_positions(db), *_seam_notes(db))


@tracked
def _city_positions(db: Reader) -> tuple[TraceNote, ...]:
    """Return the cities that lie far from every place of their name, or that look swapped."""
    cities: dict[str, City] = dict(sort_rows(loose_cities(db)))
    known = db.each(_misplaced, cities, countries(db)) if countries(db) else {}
    out = {key: note for key, note in known.items() if note is not None}
    others = {city.name: key for key, city in cities.items() if key not in out}
    at = {name: (cities[key].lon, cities[key].lat) for name, key in others.items()}
    for name, message in late.find_swapped_places(at, db.table("cities").values()):
        out[others[name]] = _position(f"{CITIES}#{others[name]}", message, at[name])
    return (*out.values(), *_far_from_mileposts(db))


def _far_from_mileposts(db: Reader) -> Iterator[TraceNote]:
    """Yield the cities that lie far from their milepost, which another row has."""
    cities: dict[str, City] = dict(sort_rows(db.table("cities")))
    posts, city_by_name = db.table("mileposts"), {city.name: city for city in cities.values()}
    for key, city in cities.items():
        name = city.milepost_name
        post = posts.get(name) or posts.get(slug(name)) or city_by_name.get(name)
        miles = 0.0 if post is None else line_miles(((city.lon, city.lat), (post.lon, post.lat)))
        if post is not None and miles > NEAR_MILES:
            message = (
                f"{city.name} lies {miles:,.0f} miles from {post.name}, its milepost; correct lon and lat or milepost, "
                "or accept this if both are meant"
            )
            yield _position(f"{CITIES}#{key}", message, (city.lon, city.lat))


def _misplaced(key: str, city: City, countries: tuple[str, ...]) -> TraceNote | None:
    at = (city.lon, city.lat)
    other = find_misplaced(load_gazetteer(countries), city.name, at)
    if other is None:
        return None
    message = (
        f"{city.name} lies at lon {city.lon:.4f}, lat {city.lat:.4f}, but in the gazetteer {other}; "
        "correct its position, or accept this if another place is meant"
    )
    return _position(f"{CITIES}#{key}", message, at)


@tracked
def _typed_places(db: Reader) -> dict[str, Point]:
    """Return where the rows of `places.csv` lie that are not of drawings."""
    return {name: (row.lon, row.lat) for name, row in db.table("places").items() if not row.is_drawn}


@tracked
def undrawn_places(db: Reader) -> tuple[Problem, ...]:
    """Return a problem for each name of a milepost of a line that cannot be drawn."""
    if not any(map(undrawn_script, _milepost_names(db))):
        return ()
    return tuple(undrawn_stops(find_places(db).lines.values(), _city_names(db)))


@tracked
def _place_positions(db: Reader) -> tuple[TraceNote, ...]:
    """Return the rows of `places.csv` that look swapped; those of drawings are reported with the drawing."""
    at = _typed_places(db)
    found = late.find_swapped_places(at, db.table("cities").values())
    origin = db.document.origin
    return tuple(_position(f"{PLACES}#{name}", text, at[name], origin("places", name)) for name, text in found)


@tracked
def _seam_notes(db: Reader) -> tuple[TraceNote, ...]:
    """Return a note if the projection's seam runs between the cities, so that the board is drawn around another."""
    projection = setting(db, "projection")
    turned = turn_from_seam(projection, [(city.lon, city.lat) for city in loose_cities(db).values()])
    if turned == projection:
        return ()
    message = (
        f"lon_0 = {projection.lon_0:g} puts the seam of the projection through the board; it is drawn around "
        f"lon_0 = {turned.lon_0:g}; write that under [projection]"
    )
    return (TraceNote(kind="seam", message=message, feature=CONFIG_FILE),)


def _position(feature: str, message: str, at: Point, origin: RowOrigin | None = None) -> TraceNote:
    row = origin.row if origin is not None else None
    return TraceNote(kind="position", message=message, feature=feature, lon=at[0], lat=at[1], row=row or None)


@tracked
def own_ids(db: Reader) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Return ids by place for mileposts with ambiguous or empty names, and the problems."""
    names = _milepost_names(db)
    if "" not in (slugs := set(map(slug, names))) and len(slugs) == len(names):
        return {}, ()
    lines = {railroad: lines_of(db, railroad) for railroad in listed_railroads(db)}
    owner: dict[str, str] = {}
    ids: dict[str, str] = {}
    problems: list[Problem] = []
    places = chain(
        ((city.milepost_name, "cities", key) for key, city in sort_rows(loose_cities(db))),
        (
            (stop.place, "lines", line.id)
            for railroad in sorted(lines)
            for line in lines[railroad]
            for stop in line.stops
            if stop.kind == "milepost"
        ),
    )
    for place, table, key in places:
        ident = slug(place)
        first = owner.setdefault(ident, place)
        if (first != place or not ident) and place not in ids:
            number = 2
            while f"{ident or 'milepost'}-{number}" in owner:
                number += 1
            ids[place] = f"{ident or 'milepost'}-{number}"
            owner[ids[place]] = place
            if ident:
                text = f"mileposts {first!r} and {place!r} give the same id {ident!r}; rename one"
                problems.append(Problem(table, key, text))
            elif not undrawn_script(place):  # which is a problem of its own
                problems.append(Problem(table, key, f"{place!r} cannot become an id; use letters or digits"))
    return ids, tuple(problems)
