"""Writer of any board as a source package: tables, station lists and charts that build to the same board."""

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.csvtext import csv_text
from mapkit.core.names import fold, slug
from mapkit.core.outputs.filenames import station_file
from mapkit.kinds.rail.compiler.board_rows import drawing_settings
from mapkit.kinds.rail.exchange.source_package.layers import layer_files, layer_names
from mapkit.kinds.rail.model.board import SUMS, Board, City, Junction
from mapkit.kinds.rail.model.source import ProjectionConfig
from mapkit.kinds.rail.rules.rules import PRESETS, preset
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.projections import crs_of
from mapkit.kinds.rail.sources.table_files import CITIES, DECLARED, DESTINATIONS, PAYOFFS, PLACES, RAILROADS
from mapkit.variants.writing import toml_key, toml_value

# Names of a board's places in a source package, chosen so that ids and names are preserved.
#
# The id of a milepost follows from the name of its place, a dot is shown without its state, and a place has one
# position for all railroads. If no name gives both id and name, the name is preserved.

_STATE_LENGTHS = (2, 3)


@dataclass
class PlaceNames:
    """Names of places that remain distinct in any spelling.

    Attributes:
        cities: City id -> name of its place.
        mileposts: Milepost id -> the place's name.
        junctions: Junction id -> the place's name.
        positions: Place -> `(lon, lat)` in degrees, without cities.
    """

    cities: Mapping[str, str] = field(default_factory=dict)
    mileposts: dict[str, str] = field(default_factory=dict)
    junctions: dict[str, str] = field(default_factory=dict)
    positions: dict[str, Point] = field(default_factory=dict)
    _folds: set[str] = field(default_factory=set)
    _slugs: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)
    """Highest number tried with a name; no lower number becomes free again."""

    def free(self, name: str) -> bool:
        """Return whether a name is available for a place."""
        return bool(name) and name == name.strip() and bool(slug(name)) and fold(name) not in self._folds

    def take(self, wishes: Iterable[str]) -> str:
        """Take the first wish that is free, or the last one with a number, and return it."""
        name, name_id = "", ""
        for wish in wishes:
            name = wish
            if self.free(wish) and slug(wish) not in self._slugs:
                break
        else:
            base_name = " ".join((name if slug(name) else f"place {name}").split())
            while not self.free(name) or slug(name) in self._slugs:
                name = self._next_numbered(base_name, 2)
        name_id = slug(name)
        self._folds.add(fold(name))
        self._slugs.add(name_id)
        return name

    def via(self, name: str, at: Point) -> str:
        """Return a place's name for a vertex of a line."""
        numbered_name = self._next_numbered(name, 1)
        while not self.free(numbered_name):
            numbered_name = self._next_numbered(name, 1)
        self._folds.add(fold(numbered_name))
        self.positions[numbered_name] = at
        return numbered_name

    def _next_numbered(self, base: str, first_number: int) -> str:
        """Return a name with its next untried number; many places of one name thus take linear time."""
        number = self._numbers[base] = max(self._numbers.get(base, 0) + 1, first_number)
        return f"{base} {number}"


def name_places(board: Board) -> PlaceNames:
    """Return the names of a board's places."""
    place_names = PlaceNames(cities=_name_cities(board.cities))
    city_names: dict[str, list[str]] = {}
    for city in board.cities:
        city_names.setdefault(city.milepost, []).append(place_names.cities[city.id])
    city_folds = {fold(place_name) for place_name in place_names.cities.values()}
    for milepost in board.mileposts:
        if milepost.id in city_names:
            other_folds = city_folds - {fold(place_name) for place_name in city_names[milepost.id]}
            wishes = (milepost.name, city_names[milepost.id][0], milepost.id)
            place_names.mileposts[milepost.id] = place_names.take(
                [wish for wish in wishes if fold(wish) not in other_folds]
            )
    place_names._folds |= city_folds  # noqa: SLF001 - made here
    for milepost in board.mileposts:
        if milepost.id not in city_names:
            place_name = place_names.take(_list_dot_wishes(milepost.id, milepost.name))
            place_names.mileposts[milepost.id] = place_name
            place_names.positions[place_name] = (milepost.lon, milepost.lat)
    used_ends = {(p.railroad, end_id) for p in board.pieces for end_id in (p.a, p.b)}
    milepost_by_id = {milepost.id: milepost for milepost in board.mileposts}
    named_at: dict[Point, list[str]] = {}
    for junction in board.junctions:
        id_tail = junction.id.removeprefix(f"{junction.railroad}--")
        same_milepost = milepost_by_id.get(id_tail)
        if same_milepost and (same_milepost.lon, same_milepost.lat) == (junction.lon, junction.lat):
            place_name = place_names.mileposts[id_tail]
            if (junction.railroad, id_tail) not in used_ends and place_name in place_names.positions:
                place_names.junctions[junction.id] = place_name
                named_at.setdefault((junction.lon, junction.lat), []).append(junction.id)
                continue
        earlier_junctions = named_at.setdefault((junction.lon, junction.lat), [])
        place_names.junctions[junction.id] = place_name = _name_junction(
            place_names, junction, id_tail, earlier_junctions
        )
        earlier_junctions.append(junction.id)
        place_names.positions[place_name] = (junction.lon, junction.lat)
    return place_names


def _name_junction(place_names: PlaceNames, junction: Junction, tail: str, earlier: Iterable[str]) -> str:
    """Return the name of a junction's place, shared with junctions of other railroads there (`earlier`) if possible."""
    for other_junction in earlier:
        if slug(place_names.junctions[other_junction]) == tail and not other_junction.startswith(
            f"{junction.railroad}--"
        ):
            return place_names.junctions[other_junction]
    return place_names.take((tail, f"{tail} junction"))


def _name_cities(cities: Iterable[City]) -> dict[str, str]:
    """Return names of cities that differ from all other names and ids."""
    city_list = list(cities)
    id_by_fold = {fold(city.id): city.id for city in city_list}
    name_by_city: dict[str, str] = {}
    taken_folds: set[str] = set()
    for city in city_list:
        base_name = " ".join(city.name.split()) if city.name != city.name.strip() or not slug(city.name) else city.name
        city_name, number = base_name if fold(base_name) else city.id, 2
        while fold(city_name) in taken_folds or id_by_fold.get(fold(city_name), city.id) != city.id:
            city_name, number = f"{base_name} {number}", number + 1
        taken_folds.add(fold(city_name))
        name_by_city[city.id] = city_name
    return name_by_city


def _list_dot_wishes(ident: str, name: str) -> list[str]:
    """Return candidate names of a dot: its own, or with the state at the end of its id."""
    wishes = [name] if slug(name) == ident else []
    id_head, _, state = ident.rpartition("-")
    if id_head == slug(name) and len(state) in _STATE_LENGTHS and state.isalpha():
        wishes.append(f"{name} {state.upper()}")
    return [*wishes, name]


_MAX_SHORT_LETTERS: Final = 6
_SIZES_PREFIX: Final = "drawing.sizes."
_NAMED_PROJECTIONS: Final = ("albers", "lambert", "mercator", "transverse-mercator", "plate-carree")
_PARAMETER = re.compile(r"\+(lat_[012]|lon_0|lat_ts)=(-?[0-9.]+)")


def board_to_source_files(board: Board, *, file: str) -> dict[str, str | bytes]:
    """Return the files of a source package by their names in it.

    `cities.csv` and `places.csv` list every place, so that the build needs no gazetteer; bends of lines are vias.

    Args:
        board: The board.
        file: The file that it was read from, for a comment.
    """
    place_names = name_places(board)
    place_by_node = {m.id: place_names.mileposts[m.id] for m in board.mileposts} | place_names.junctions
    station_files = {
        station_file(railroad.id): _station_lists(railroad.id, board, place_names, place_by_node)
        for railroad in board.railroads
        if any(piece.railroad == railroad.id for piece in board.pieces)
    }
    milepost_by_id = {m.id: m for m in board.mileposts}
    place_rows = [[name, *map(_degrees_text, point), ""] for name, point in sorted(place_names.positions.items())]
    files: dict[str, str | bytes] = {
        CONFIG_FILE: _config_text(board, file),
        CITIES: _table_text(
            ["id", "name", "region", "lon", "lat", "milepost"],
            [
                [
                    c.id,
                    place_names.cities[c.id],
                    c.region,
                    *map(_degrees_text, (milepost_by_id[c.milepost].lon, milepost_by_id[c.milepost].lat)),
                    place,
                ]
                for c in board.cities
                for place in [place_names.mileposts[c.milepost]]
            ],
        ),
        RAILROADS: _table_text(
            ["id", "name", "short", "price", "public", "colour", "pattern"],
            [
                [r.id, r.name, short_name, r.price, str(r.public).lower(), r.style.colour, r.style.pattern]
                for r, short_name in zip(
                    board.railroads, _make_distinct([r.short for r in board.railroads]), strict=True
                )
            ],
        ),
        **station_files,
        **layer_files(board.layers),
        **{box.file: base64.b64decode(box.content) for box in board.boxes.values() if box.file and box.content},
        DESTINATIONS: _table_text(
            ["chart", "sum", "odd", "even"],
            [
                [chart_id, dice_sum, chart_cells.odd.get(dice_sum) or "", chart_cells.even.get(dice_sum) or ""]
                for chart_id, chart_cells in board.destinations.items()
                for dice_sum in SUMS
            ],
        ),
        PAYOFFS: _table_text(
            ["city", *board.payoffs.cities],
            [
                [city, *("" if amount is None else f"{amount:.15g}" for amount in payoff_row)]
                for city, payoff_row in zip(board.payoffs.cities, board.payoffs.thousands, strict=True)
            ],
        ),
    }
    if place_rows:
        files[PLACES] = _table_text(["place", "lon", "lat", "note"], place_rows)
    if board.declared:
        odds_rows = [
            [chart_id, item_id, odds]
            for chart_id, chart_odds in board.declared.items()
            for item_id, odds in chart_odds.items()
        ]
        files[DECLARED] = _table_text(["chart", "name", "odds"], odds_rows)
    return files


def _degrees_text(value: float) -> str:
    return f"{value:.5f}"


def _table_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return csv_text([header, *rows])


def _make_distinct(texts: Sequence[str]) -> list[str]:
    """Return texts made distinct by numbers, compared like names, and not empty."""
    text_by_fold: dict[str, str] = {}
    for original_text in texts:
        distinct_text, number = original_text.strip(), 2
        while fold(distinct_text) in text_by_fold or not distinct_text:
            distinct_text, number = f"{original_text.strip()} {number}".strip(), number + 1
        text_by_fold[fold(distinct_text)] = distinct_text
    return list(text_by_fold.values())


def _station_lists(railroad: str, board: Board, names: PlaceNames, ids: Mapping[str, str]) -> str:
    """Return the station lists of a railroad, one line per track piece."""
    junction_ids = {junction.id for junction in board.junctions}
    used_stretches: set[frozenset[str]] = set()
    station_rows: list[list[object]] = []
    for piece in board.pieces:
        if piece.railroad != railroad:
            continue
        piece_places = [ids[piece.a], *(names.via(piece.id, point) for point in piece.line[1:-1]), ids[piece.b]]
        if any(
            frozenset(place_pair) in used_stretches or len(set(place_pair)) == 1
            for place_pair in pairwise(piece_places)
        ):
            a, b = piece.line[0], piece.line[1]
            piece_places.insert(1, names.via(piece.id, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)))
        used_stretches |= {frozenset(place_pair) for place_pair in pairwise(piece_places)}
        last_index = len(piece_places) - 1
        for place_index, place in enumerate(piece_places):
            node_id = {0: piece.a, last_index: piece.b}.get(place_index)
            station_rows.append(
                [
                    railroad,
                    piece.id,
                    place_index + 1,
                    place,
                    "via" if node_id is None or node_id in junction_ids else "milepost",
                ]
            )
    return _table_text(["railroad", "line", "seq", "place", "kind"], station_rows)


def _config_text(board: Board, file: str) -> str:
    frame_left, _, _, frame_bottom = board.page.frame
    margin_mm = max(frame_left, 0)
    toml_tables: list[tuple[str, Mapping[str, Any]]] = [
        ("units", board.units.model_dump()),
        ("projection", _projection_table(board)),
        (
            "page",
            {
                "width": board.page.width,
                "height": board.page.height,
                "margin": margin_mm,
                "legend": max(round(board.page.height - margin_mm - frame_bottom, 6), 0),
                "extent": list(board.page.extent) if board.page.extent else None,
            },
        ),
        *(
            (f"page.boxes.{name}", box.model_dump(mode="json", exclude={"content"}, exclude_defaults=True))
            for name, box in board.boxes.items()
        ),
        *_drawing_tables(board),
        ("layers", {layer_name: f"layers/{layer_name}.geojson" for layer_name in layer_names(board.layers)}),
        ("gazetteer", {"countries": ["US"]}),
        *_rules_tables(board),
        ("accepted", board.provenance.accepted),
        (
            "extensions",
            {
                extension_name: extension_value
                for extension_name, extension_value in board.extensions.items()
                if not has_null(extension_value)
            },
        ),
    ]
    head_values = {
        "title": board.title,
        "licence": board.provenance.licence or "unknown",
        "credits": list(board.provenance.credits),
    }
    toml_lines = [
        f"# Made by mapkit import from {file.encode('unicode_escape').decode()}.",
        "# All places stand in cities.csv and places.csv, so the gazetteer is asked only for what you add: name your",
        "# countries below.",
        *_toml_lines(head_values),
    ]
    for table_name, table_values in toml_tables:
        if table_values:
            toml_lines += ["", f"[{table_name}]", *_toml_lines(table_values)]
    for region in board.regions:
        short_name = region.short.strip()[:_MAX_SHORT_LETTERS].strip() or region.id[:_MAX_SHORT_LETTERS]
        region_values = {
            "id": region.id,
            "name": region.name or region.id,
            "short": short_name,
            "colour": region.colour,
        }
        toml_lines += ["", "[[regions]]", *_toml_lines(region_values)]
    return "\n".join(toml_lines) + "\n"


def _toml_lines(values: Mapping[str, Any]) -> list[str]:
    return [
        f"{toml_key(toml_name)} = {toml_value(toml_data)}"
        for toml_name, toml_data in values.items()
        if toml_data is not None
    ]


def has_null(value: object) -> bool:
    """Return whether JSON data contain a null, a value that TOML lacks."""
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None


def _drawing_tables(board: Board) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of the drawing with values that are not the defaults."""
    changed_settings = dict(drawing_settings(board.drawing))
    changed_sizes = {
        setting_name.removeprefix(_SIZES_PREFIX): value
        for setting_name, value in changed_settings.items()
        if setting_name.startswith(_SIZES_PREFIX)
    }
    changed_drawing = {
        name: changed_settings[f"drawing.{name}"]
        for name in ("theme", "language")
        if f"drawing.{name}" in changed_settings
    }
    return [("drawing", changed_drawing), (_SIZES_PREFIX[:-1], changed_sizes)]


def _projection_table(board: Board) -> dict[str, Any]:
    """Return the projection by name and parameters if these give the same CRS, or else by its CRS."""
    crs, projection_name = board.projection.crs, board.projection.name
    if projection_name in _NAMED_PROJECTIONS:
        projection_parameters = {
            parameter_name.replace("lat_ts", "lat_1"): float(value) for parameter_name, value in _PARAMETER.findall(crs)
        }
        projection_config = ProjectionConfig.model_validate({"name": projection_name, **projection_parameters})
        if crs_of(projection_config) == crs:
            return {"name": projection_name, **projection_parameters}
    return {"name": "crs", "crs": crs}


def _rules_tables(board: Board) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of rules with values that differ from the preset."""
    rule_groups = board.rules.model_dump(mode="json")
    preset_groups = preset(board.rules.preset if board.rules.preset in PRESETS else "ah").model_dump(mode="json")
    rule_tables: list[tuple[str, Mapping[str, Any]]] = [("rules", {"preset": board.rules.preset})]
    for group_name, group_values in rule_groups.items():
        if isinstance(group_values, dict):
            rule_tables.append(
                (
                    f"rules.{group_name}",
                    {
                        rule_name: rule_value
                        for rule_name, rule_value in group_values.items()
                        if rule_value != preset_groups[group_name][rule_name]
                    },
                )
            )
    return rule_tables
