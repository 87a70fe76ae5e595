"""Import of an RB3 file as a source package."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians
from pathlib import Path
from statistics import median
from typing import Final

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.names import fold, slug
from mapkit.core.outputs.filenames import invalid_id_reason, is_there, station_file
from mapkit.document.importing import FileWriter, WrittenFiles, write_without_step
from mapkit.formats.files import peek_bytes
from mapkit.geography.country_names import country_code
from mapkit.kinds.rail.exchange.rb3.chances import MADE_UP, find_chart_cells, percents_to_parts
from mapkit.kinds.rail.exchange.rb3.frame import EXTENSION, RB3Frame
from mapkit.kinds.rail.exchange.rb3.map_placement import (
    NOWHERE,
    RB3Placement,
    flat_placement,
    place_by_frame,
    place_by_names,
)
from mapkit.kinds.rail.exchange.rb3.model import JUNCTION, RATIO, WHOLE, RB3File
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.text import looks_like_rb3, number_text, parse_integer
from mapkit.kinds.rail.model.board import REGIONS, Pattern
from mapkit.kinds.rail.model.import_report import BoardImportReport, CityFound
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, WANTED
from mapkit.kinds.rail.trace.georeferencing.picture_plane import plane_crs
from mapkit.variants.writing import toml_value

# Conversion of an RB3 file to a source package: tables, station lists and charts.

PATTERNS: Final[tuple[Pattern, ...]] = ("solid", "dash", "dot", "dash-dot", "dash-dot")
"""Patterns by pen; boards have no dash-dot-dot here."""
_DASH_DOT_DOT = 4
_REGION_TINTS = ("#d7c9e8", "#f6d5b8", "#cfe3c8", "#f3e4a8", "#f2cdd0", "#cbdff0", "#e6dcc6")
_MAX_CODE_LETTERS = 6
_PAGE_WIDTH_MM, _PAGE_MARGIN_MM, _LEGEND_HEIGHT_MM = 1000, 36, 84
_CURRENCY_BY_SIGN = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_MIN_ARMS = 3


@dataclass(frozen=True)
class _UniqueName:
    """Id and name of a thing, both unique among things of its kind."""

    id: str
    name: str


class _NameRegistry:
    """Generator of ids and names that remain distinct in any spelling."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = {fold(name) for name in reserved}
        self.changed: list[str] = []

    def add(self, name: str, kind: str) -> _UniqueName:
        """Return a unique id and name, numbered if they exist already."""
        base_id = slug(name) or kind
        for n in range(1, len(self._taken) + 3):
            unique_name = _UniqueName(base_id if n == 1 else f"{base_id}-{n}", name if n == 1 else f"{name} ({n})")
            name_keys = {fold(unique_name.id), fold(unique_name.name)} - {""}
            if not name_keys & self._taken:
                break
        self._taken |= name_keys
        if unique_name.name != name:
            self.changed.append(f"{name!r} appears twice; the second is now called {unique_name.name!r}")
        return unique_name


def rb3_to_source_files(rb3: RB3File, placement: RB3Placement) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the files of a source package by name, and notes on lost and invented data.

    Args:
        rb3: The map.
        placement: Where it lies.
    """
    notes = ["the cells of the destination charts are made up: RB3 has only their chances"]
    region_registry = _NameRegistry([REGIONS])
    region_names = [region_registry.add(region.name, "region") for region in rb3.regions]
    place_registry = _NameRegistry()
    city_names = [place_registry.add(city.name, "city") for city in rb3.cities]
    railroad_registry = _NameRegistry()
    railroad_names = [railroad_registry.add(railroad.short, "railroad") for railroad in rb3.railroads]
    number_by_code = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    milepost_by_dot: dict[tuple[int, int], str] = {
        (number_by_code[city.region], city.dot): name.name for city, name in zip(rb3.cities, city_names, strict=True)
    }
    place_rows: list[list[object]] = []
    for dot_key in sorted(
        {point[:2] for route in rb3.routes for line in route.lines for point in line} - set(milepost_by_dot)
    ):
        milepost_by_dot[dot_key] = place_registry.add(f"{rb3.regions[dot_key[0] - 1].code} {dot_key[1]}", "dot").name
        place_rows.append([milepost_by_dot[dot_key], *map(number_text, placement.dots[dot_key]), ""])
    files = {
        "cities.csv": _table_text(
            ["id", "name", "region", "lon", "lat"],
            [
                [name.id, name.name, region_names[number_by_code[city.region] - 1].id, *map(number_text, city_degrees)]
                for city, name, city_degrees in zip(rb3.cities, city_names, placement.cities, strict=True)
            ],
        ),
        "railroads.csv": _railroads_table(rb3, railroad_names, notes),
        "charts/payoffs.csv": _payoffs_table(rb3, city_names),
    }
    chart_file, chart_text = _charts_table(rb3, region_names, city_names, notes)
    files[chart_file] = chart_text
    needs_solving = chart_file == WANTED
    files["board.toml"] = _config_text(
        rb3, placement, region_names, rb3.head("name") or "Untitled", notes, solve=needs_solving
    )
    if place_rows:
        files["places.csv"] = _table_text(["place", "lon", "lat", "note"], place_rows)
    if placement.points:
        name_by_row = {n: name.name for n, name in enumerate(city_names, 1)}
        files["control_points.csv"] = _table_text(
            ["x", "y", "city"],
            [[number_text(point.x), number_text(point.y), name_by_row[point.row]] for point in placement.points],
        )
    for n, name in enumerate(railroad_names):
        files[station_file(name.id)] = _station_lists(rb3, n, name.id, milepost_by_dot, notes)
    notes += [*region_registry.changed, *place_registry.changed, *railroad_registry.changed]
    return files, (*_list_losses(rb3, placement.frame), *notes)


def _table_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return csv_text([header, *rows])


def _toml_string(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _config_text(
    rb3: RB3File, placement: RB3Placement, names: Sequence[_UniqueName], title: str, notes: list[str], *, solve: bool
) -> str:
    crs, aspect = _choose_projection(placement)
    currency_sign = _currency_sign(rb3)
    author = rb3.head("by")
    short_codes = _short_codes(rb3, notes)
    toml_lines = [
        f"# Made by mapkit import from an RB3 map. Its {len(rb3.regions)} regions, cities, prices and payoffs are as",
        "# they stand there. RB3 holds only the chances of the destination charts: their cells are made up. It names",
        "# no dots: they are called by region and number.",
        f"title = {_toml_string(title)}",
        f"licence = {_toml_string(rb3.head('copyright') or 'unknown')}",
        f"credits = [{', '.join(map(_toml_string, [*([author] if author else []), MADE_UP]))}]",
        "",
        "[units]",
        f"currency = {_toml_string(_CURRENCY_BY_SIGN.get(currency_sign, 'XXX'))}",
        f"symbol = {_toml_string(currency_sign)}",
        "",
        "[projection]",
        'name = "crs"',
        f"crs = {_toml_string(crs)}",
        "",
        "# millimetres; the legend strip lies below the map",
        "[page]",
        f"width = {_PAGE_WIDTH_MM}",
        f"height = {round((_PAGE_WIDTH_MM - 2 * _PAGE_MARGIN_MM) * aspect) + 2 * _PAGE_MARGIN_MM + _LEGEND_HEIGHT_MM}",
        f"margin = {_PAGE_MARGIN_MM}",
        f"legend = {_LEGEND_HEIGHT_MM}",
        "",
        "[gazetteer]",
        f"countries = [{', '.join(map(_toml_string, placement.countries))}]",
        "",
        "[tracing]",
        'georeference = "tps"',
    ]
    if solve:
        toml_lines += ["", "[destinations]", "solve = true"]
    if placement.frame is not None:
        frame_values = placement.frame.extension()
        toml_lines += ["", "# as the map has it, for the next export to RB3", f"[extensions.{EXTENSION}]"]
        toml_lines += [f"{key} = {toml_value(value)}" for key, value in frame_values.items()]
    for name, short_code, n in zip(names, short_codes, range(len(names)), strict=True):
        region_tint = _REGION_TINTS[n % len(_REGION_TINTS)]
        region_lines = (
            f"id = {_toml_string(name.id)}",
            f"name = {_toml_string(name.name)}",
            f"short = {_toml_string(short_code)}",
        )
        toml_lines += ["", "[[regions]]", *region_lines, f'colour = "{region_tint}"']
    return "\n".join(toml_lines) + "\n"


def _choose_projection(placement: RB3Placement) -> tuple[str, float]:
    """Return the board's projection, and the height to width ratio of its extent, limited to 0.2 to 3."""
    all_points = [*placement.dots.values(), *placement.cities]
    if placement.frame is not None:
        frame = placement.frame
        return frame.projection, min(max(frame.height * RATIO / frame.width, 0.2), 3.0)
    lons, lats = zip(*all_points, strict=True)
    plane_points = [ControlPoint(row=1, x=0, y=0, lon=lon, lat=lat) for lon, lat in all_points]
    crs = plane_crs(plane_points, "albers" if abs(median(lats)) > 5 else "plate-carree")  # noqa: PLR2004 - a cone's use
    width_degrees = (max(lons) - min(lons)) * cos(radians(median(lats))) or 1.0
    return crs, min(max((max(lats) - min(lats)) / width_degrees, 0.2), 3.0)


def _currency_sign(rb3: RB3File) -> str:
    character_code = parse_integer(rb3.head("cashchar") or "36")
    if character_code is None or not 32 < character_code < 256:  # noqa: PLR2004 - printable, one byte
        return "$"
    sign_text = bytes([character_code]).decode("cp1252", errors="replace")
    return sign_text if sign_text.isprintable() and sign_text.strip() else "$"


def _short_codes(rb3: RB3File, notes: list[str]) -> list[str]:
    short_codes: list[str] = []
    for region in rb3.regions:
        short_code = region.code[:_MAX_CODE_LETTERS].strip()
        if short_code != region.code:
            notes.append(f"region code {region.code!r} is long; it is {short_code!r} here")
        short_codes.append(short_code)
    return short_codes


def _railroads_table(rb3: RB3File, names: Sequence[_UniqueName], notes: list[str]) -> str:
    column_names = ["id", "name", "short", "price", "public", "colour", "pattern"]
    railroad_rows: list[list[object]] = []
    for railroad, name in zip(rb3.railroads, names, strict=True):
        hex_colour = f"#{railroad.red:02x}{railroad.green:02x}{railroad.blue:02x}"
        railroad_rows.append(
            [name.id, railroad.name, name.name, railroad.price, "false", hex_colour, PATTERNS[railroad.pen]]
        )
    changed_railroads = [
        name.name for railroad, name in zip(rb3.railroads, names, strict=True) if railroad.pen == _DASH_DOT_DOT
    ]
    if changed_railroads:
        notes.append(f"lines of dashes and two dots have one dot here: {', '.join(changed_railroads)}")
    return _table_text(column_names, railroad_rows)


def _charts_table(
    rb3: RB3File, regions: Sequence[_UniqueName], cities: Sequence[_UniqueName], notes: list[str]
) -> tuple[str, str]:
    """Return file name and text of the destination charts, or of the chances if no cells give them."""
    chances_by_chart = {
        REGIONS: {name.id: rb3_region.percent for name, rb3_region in zip(regions, rb3.regions, strict=True)}
    }
    for rb3_region, chart_name in zip(rb3.regions, regions, strict=True):
        named_cities = zip(rb3.cities, cities, strict=True)
        chances_by_chart[chart_name.id] = {
            name.id: city.percent for city, name in named_cities if city.region == rb3_region.code
        }
    city_name_by_id = {name.id: name.name for name in cities}
    parts_by_chart = {chart_name: percents_to_parts(chances) for chart_name, chances in chances_by_chart.items()}
    cells_by_chart = {chart_name: find_chart_cells(chart_items) for chart_name, chart_items in parts_by_chart.items()}
    impossible_charts = [chart_name for chart_name, chart_items in cells_by_chart.items() if chart_items is None]
    if impossible_charts:
        notes.append(
            f"no destination chart has the chances of {', '.join(impossible_charts)}; "
            "all are solved for the nearest ones"
        )
        weight_rows = [
            [chart_name, item_id if chart_name == REGIONS else city_name_by_id[item_id], f"{item_part}/{WHOLE}"]
            for chart_name, chart_items in parts_by_chart.items()
            for item_id, item_part in chart_items.items()
        ]
        return WANTED, _table_text(["chart", "name", "weight"], weight_rows)
    return DESTINATIONS, _table_text(
        ["chart", "sum", "odd", "even"],
        [
            [
                chart_name,
                dice_sum,
                *(_cell_text(chart_items[dice_sum, p], chart_name, city_name_by_id) for p in ("odd", "even")),
            ]
            for chart_name, chart_items in cells_by_chart.items()
            if chart_items is not None
            for dice_sum in range(2, 13)
        ],
    )


def _cell_text(item: str, chart: str, names: dict[str, str]) -> str:
    return item if chart == REGIONS else names[item]


def _payoffs_table(rb3: RB3File, names: Sequence[_UniqueName]) -> str:
    city_count = len(rb3.cities)
    sorted_names = [
        name.name for _, name in sorted(zip((c.row for c in rb3.cities), names, strict=True), key=_row_of_pair)
    ]
    amount_texts = [["0"] * city_count for _ in range(city_count)]
    for i, payoff_row in enumerate(rb3.payoffs):
        for j, payoff_value in enumerate(payoff_row, i + 1):
            amount_texts[i][j] = amount_texts[j][i] = number_text(payoff_value)
    return _table_text(
        ["city", *sorted_names],
        [[name, *payoff_row] for name, payoff_row in zip(sorted_names, amount_texts, strict=True)],
    )


def _row_of_pair(pair: tuple[int, _UniqueName]) -> int:
    return pair[0]


def _station_lists(rb3: RB3File, n: int, ident: str, milepost: dict[tuple[int, int], str], notes: list[str]) -> str:
    """Return a railroad's station lists; dots of colour 13 become vias, or junctions where three arms meet."""
    dot_lines = [[point[:2] for point in line] for line in rb3.routes[n].lines]
    neighbours: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for line in dot_lines:
        for a, b in pairwise(line):
            neighbours[a].add(b)
            neighbours[b].add(a)
    end_counts = Counter(line[end_index] for line in dot_lines for end_index in (0, -1))
    junction_dots = {
        dot_key
        for dot_key, neighbour_dots in neighbours.items()
        if rb3.dot(*dot_key).colour == JUNCTION
        and (len(neighbour_dots) >= _MIN_ARMS or (len(neighbour_dots) > 1 and not end_counts[dot_key]))
    }
    short_name = rb3.railroads[n].short
    unused_junctions = [
        dot_key
        for dot_key in sorted(neighbours)
        if rb3.dot(*dot_key).colour == JUNCTION and dot_key not in junction_dots
    ]
    notes += [
        f"{short_name}: {milepost[dot_key]} has colour 13 but no three arms; it is a milepost"
        for dot_key in unused_junctions
    ]
    station_rows = [
        [
            ident,
            f"{rb3.railroads[n].short} {line_number}",
            sequence_number,
            milepost[dot_key],
            "via" if dot_key in junction_dots else "milepost",
        ]
        for line_number, line in enumerate(dot_lines, 1)
        for sequence_number, dot_key in enumerate(line, 1)
    ]
    return _table_text(["railroad", "line", "seq", "place", "kind"], station_rows)


def _list_losses(rb3: RB3File, frame: RB3Frame | None) -> list[str]:
    """Return a phrase for each part of the file that a source package cannot hold."""
    lost_parts = ["drawing shifts, label hints, dots that no line uses"]
    medium_count = sum(bool(railroad.medium) for railroad in rb3.railroads)
    if medium_count:
        lost_parts.append(f"medium names of {medium_count} railroads")
    redrawn_sections = (
        () if frame is None else ("info", "label", "map", "sep")
    )  # written by mapkit, which generates them again
    lost_sections = [
        raw.name for raw in rb3.other if any(line.strip() for line in raw.lines) and raw.name not in redrawn_sections
    ]
    if lost_sections:
        lost_parts.append(f"sections {', '.join(lost_sections)}")
    return lost_parts


SUFFIXES = (".rb3", ".rbp")
_PEEK_BYTES = 4096


def is_rb3(path: Path) -> bool:
    """Return whether a file is RB3, judged by its name or its first bytes."""
    return path.suffix.lower() in SUFFIXES or looks_like_rb3(peek_bytes(path, _PEEK_BYTES))


def place_map(rb3: RB3File, *, file: str, countries: Sequence[str] = ()) -> RB3Placement:
    """Place a map by its own frame, by city names in some countries, or flat in country `none`.

    Raises:
        SourceError: Its cities are not found.
    """
    country_codes = tuple(country.strip() for country in countries)
    if country_codes == (NOWHERE,):
        return flat_placement(rb3)
    frame = RB3Frame.of_file(rb3)
    if frame is not None and not country_codes:
        return place_by_frame(rb3, frame, file=file)
    return place_by_names(rb3, file=file, countries=tuple(map(country_code, country_codes)))


def import_rb3(
    path: Path,
    *,
    into: Path | None,
    countries: Sequence[str] = (),
    replace: bool = False,
    write: FileWriter = write_without_step,
) -> BoardImportReport:
    """Read an RB3 file and, given a folder, write a source package into it, all files or none.

    Args:
        path: The file.
        into: Folder of the package, created if missing; with None, nothing is written.
        countries: Countries of its cities (ISO 3166 alpha-2), or `none`; by default inferred from their names.
        replace: Write over the files of an earlier import.
        write: Writes the files of the source package.

    Raises:
        SourceError: The file is wrong, its cities are not found, or a package is there already.
        WorkspaceError: The file is missing, or the folder's name is not an id.
        OutputError: The folder cannot be written; it is unchanged.
    """
    rb3 = read_rb3(path)
    placement = place_map(rb3, file=path.name, countries=countries)
    files, lost_parts = rb3_to_source_files(rb3, placement)
    outcome = WrittenFiles(is_step=False)
    if into is not None:
        refuse_folder(into, files, replace=replace)
        outcome = write(into, files, label=f"Import {path.name}")
    fit = placement.spline
    return BoardImportReport(
        file=path.name,
        title=rb3.head("name"),
        regions=len(rb3.regions),
        cities=len(rb3.cities),
        railroads=len(rb3.railroads),
        dots=sum(len(dots.dots) for dots in rb3.dots),
        steps=sum(len(line) - 1 for route in rb3.routes for line in route.lines),
        countries=placement.countries if placement.found else (),
        found=tuple(
            CityFound(name=c.name, place=str(c.place), lon=c.place.lon, lat=c.place.lat, miles=c.miles)
            for c in placement.found
        ),
        missing=placement.missing,
        rms_miles=placement.affine.rms_miles if placement.affine else None,
        left_out_rms_miles=fit.left_out_rms_miles if fit else None,
        warnings=(*rb3.notes, *(w.message for w in (fit.warnings if fit else ()))),
        lost=lost_parts,
        is_step=outcome.is_step,
        undo_obstacle=outcome.obstacle,
        written=tuple((into / name).as_posix() for name in sorted(files)) if into is not None else (),
    )


def refuse_folder(into: Path, files: Mapping[str, str | bytes], *, replace: bool) -> None:
    """Raise an error for a folder without a valid id as name, or with files that an import would overwrite.

    Raises:
        SourceError: A package is there already, or a file in it is not of this import.
        WorkspaceError: The folder's name is not an id.
    """
    if id_problem := invalid_id_reason(into.name, "a board"):
        raise WorkspaceError(f"{into}: {id_problem}")
    if not is_there(into):
        return
    existing_names = sorted(
        file_path.relative_to(into).as_posix() for file_path in into.rglob("*") if file_path.is_file()
    )
    if existing_names and not replace:
        raise SourceError(f"{into} already exists; give --replace to overwrite it, or another name")
    foreign_names = [existing_name for existing_name in existing_names if existing_name not in files]
    if foreign_names:
        raise SourceError(
            f"{into / foreign_names[0]} is not part of this map, and a program that reads the folder would take "
            "it as part of it; remove it first"
        )
