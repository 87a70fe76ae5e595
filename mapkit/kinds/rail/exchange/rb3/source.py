"""An RB3 file as a source package: tables, station lists and charts that a build starts from."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians
from statistics import median
from typing import Final

from mapkit.core.csvtext import csv_text
from mapkit.core.names import fold, slug
from mapkit.core.outputs.filenames import station_file
from mapkit.kinds.rail.exchange.rb3.chances import MADE_UP, made_up_cells, parts_of
from mapkit.kinds.rail.exchange.rb3.frame import EXTENSION, RB3Frame
from mapkit.kinds.rail.exchange.rb3.model import JUNCTION, RATIO, WHOLE, RB3File
from mapkit.kinds.rail.exchange.rb3.place import RB3Placement
from mapkit.kinds.rail.exchange.rb3.text import integer, number_text
from mapkit.kinds.rail.model.board import REGIONS, Pattern
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, WANTED
from mapkit.kinds.rail.trace.georeferencing.picture_plane import plane_crs
from mapkit.variants.writing import toml_value

PATTERNS: Final[tuple[Pattern, ...]] = ("solid", "dash", "dot", "dash-dot", "dash-dot")
"""By pen; there is no dash-dot-dot."""
_DASH_DOT_DOT = 4
_TINTS = ("#d7c9e8", "#f6d5b8", "#cfe3c8", "#f3e4a8", "#f2cdd0", "#cbdff0", "#e6dcc6")
_CODE = 6
_WIDTH, _MARGIN, _LEGEND = 1000, 36, 84
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_ARMS = 3


@dataclass(frozen=True)
class _Name:
    """What a thing is called here: id and name, neither of which anything else of its kind has."""

    id: str
    name: str


class _Names:
    """Gives ids and names that stay apart however they are typed."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = {fold(name) for name in reserved}
        self.changed: list[str] = []

    def add(self, name: str, kind: str) -> _Name:
        """Return an id and a name of their own, with a number at the end where they are taken."""
        base = slug(name) or kind
        for n in range(1, len(self._taken) + 3):
            found = _Name(base if n == 1 else f"{base}-{n}", name if n == 1 else f"{name} ({n})")
            keys = {fold(found.id), fold(found.name)} - {""}
            if not keys & self._taken:
                break
        self._taken |= keys
        if found.name != name:
            self.changed.append(f"{name!r} appears twice; the second is now called {found.name!r}")
        return found


def rb3_to_source_files(
    rb3: RB3File, placement: RB3Placement, *, title: str | None = None
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the files of a source package by their names in it, and what the package does not hold or made up.

    Args:
        rb3: The map.
        placement: Where it lies.
        title: The board's title; by default the map's name.
    """
    notes = ["the cells of the destination charts are made up: RB3 has only their chances"]
    regions = _Names([REGIONS])
    region_names = [regions.add(region.name, "region") for region in rb3.regions]
    places = _Names()
    city_names = [places.add(city.name, "city") for city in rb3.cities]
    railroads = _Names()
    railroad_names = [railroads.add(railroad.short, "railroad") for railroad in rb3.railroads]
    number = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    milepost: dict[tuple[int, int], str] = {
        (number[city.region], city.dot): name.name for city, name in zip(rb3.cities, city_names, strict=True)
    }
    rows: list[list[object]] = []
    for key in sorted({point[:2] for route in rb3.routes for line in route.lines for point in line} - set(milepost)):
        milepost[key] = places.add(f"{rb3.regions[key[0] - 1].code} {key[1]}", "dot").name
        rows.append([milepost[key], *map(number_text, placement.dots[key]), ""])
    files = {
        "cities.csv": _table(
            ["id", "name", "region", "lon", "lat"],
            [
                [name.id, name.name, region_names[number[city.region] - 1].id, *map(number_text, at)]
                for city, name, at in zip(rb3.cities, city_names, placement.cities, strict=True)
            ],
        ),
        "railroads.csv": _railroads(rb3, railroad_names, notes),
        "charts/payoffs.csv": _payoffs(rb3, city_names),
    }
    charts, text = _charts(rb3, region_names, city_names, notes)
    files[charts] = text
    solve = charts == WANTED
    files["board.toml"] = _config(
        rb3, placement, region_names, title or rb3.head("name") or "Untitled", notes, solve=solve
    )
    if rows:
        files["places.csv"] = _table(["place", "lon", "lat", "note"], rows)
    if placement.points:
        names = {n: name.name for n, name in enumerate(city_names, 1)}
        files["control_points.csv"] = _table(
            ["x", "y", "city"],
            [[number_text(point.x), number_text(point.y), names[point.row]] for point in placement.points],
        )
    for n, name in enumerate(railroad_names):
        files[station_file(name.id)] = _lines(rb3, n, name.id, milepost, notes)
    notes += [*regions.changed, *places.changed, *railroads.changed]
    return files, (*_lost(rb3, placement.frame), *notes)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return csv_text([header, *rows])


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _config(
    rb3: RB3File, placement: RB3Placement, names: Sequence[_Name], title: str, notes: list[str], *, solve: bool
) -> str:
    crs, aspect = _plane(placement)
    sign = _sign(rb3)
    by = rb3.head("by")
    shorts = _shorts(rb3, notes)
    lines = [
        f"# Made by mapkit import from an RB3 map. Its {len(rb3.regions)} regions, cities, prices and payoffs are as",
        "# they stand there. RB3 holds only the chances of the destination charts: their cells are made up. It names",
        "# no dots: they are called by region and number.",
        f"title = {_text(title)}",
        f"licence = {_text(rb3.head('copyright') or 'unknown')}",
        f"credits = [{', '.join(map(_text, [*([by] if by else []), MADE_UP]))}]",
        "",
        "[units]",
        f"currency = {_text(_SIGNS.get(sign, 'XXX'))}",
        f"symbol = {_text(sign)}",
        "",
        "[projection]",
        'name = "crs"',
        f"crs = {_text(crs)}",
        "",
        "# millimetres; the legend strip lies below the map",
        "[page]",
        f"width = {_WIDTH}",
        f"height = {round((_WIDTH - 2 * _MARGIN) * aspect) + 2 * _MARGIN + _LEGEND}",
        f"margin = {_MARGIN}",
        f"legend = {_LEGEND}",
        "",
        "[gazetteer]",
        f"countries = [{', '.join(map(_text, placement.countries))}]",
        "",
        "[tracing]",
        'georeference = "tps"',
    ]
    if solve:
        lines += ["", "[destinations]", "solve = true"]
    if placement.frame is not None:
        values = placement.frame.extension()
        lines += ["", "# as the map has it, for the next export to RB3", f"[extensions.{EXTENSION}]"]
        lines += [f"{key} = {toml_value(value)}" for key, value in values.items()]
    for name, short, n in zip(names, shorts, range(len(names)), strict=True):
        tint = _TINTS[n % len(_TINTS)]
        rows = (f"id = {_text(name.id)}", f"name = {_text(name.name)}", f"short = {_text(short)}")
        lines += ["", "[[regions]]", *rows, f'colour = "{tint}"']
    return "\n".join(lines) + "\n"


def _plane(placement: RB3Placement) -> tuple[str, float]:
    """Return the board's projection, and height by width of what it shows, between a fifth and three."""
    everything = [*placement.dots.values(), *placement.cities]
    if placement.frame is not None:
        frame = placement.frame
        return frame.projection, min(max(frame.height * RATIO / frame.width, 0.2), 3.0)
    lons, lats = zip(*everything, strict=True)
    points = [ControlPoint(row=1, x=0, y=0, lon=lon, lat=lat) for lon, lat in everything]
    crs = plane_crs(points, "albers" if abs(median(lats)) > 5 else "plate-carree")  # noqa: PLR2004 - a cone's use
    across = (max(lons) - min(lons)) * cos(radians(median(lats))) or 1.0
    return crs, min(max((max(lats) - min(lats)) / across, 0.2), 3.0)


def _sign(rb3: RB3File) -> str:
    code = integer(rb3.head("cashchar") or "36")
    if code is None or not 32 < code < 256:  # noqa: PLR2004 - printable, one byte
        return "$"
    sign = bytes([code]).decode("cp1252", errors="replace")
    return sign if sign.isprintable() and sign.strip() else "$"


def _shorts(rb3: RB3File, notes: list[str]) -> list[str]:
    out: list[str] = []
    for region in rb3.regions:
        short = region.code[:_CODE].strip()
        if short != region.code:
            notes.append(f"region code {region.code!r} is long; it is {short!r} here")
        out.append(short)
    return out


def _railroads(rb3: RB3File, names: Sequence[_Name], notes: list[str]) -> str:
    header = ["id", "name", "short", "price", "public", "colour", "pattern"]
    rows: list[list[object]] = []
    for railroad, name in zip(rb3.railroads, names, strict=True):
        colour = f"#{railroad.red:02x}{railroad.green:02x}{railroad.blue:02x}"
        rows.append([name.id, railroad.name, name.name, railroad.price, "false", colour, PATTERNS[railroad.pen]])
    pens = [name.name for railroad, name in zip(rb3.railroads, names, strict=True) if railroad.pen == _DASH_DOT_DOT]
    if pens:
        notes.append(f"lines of dashes and two dots have one dot here: {', '.join(pens)}")
    return _table(header, rows)


def _charts(rb3: RB3File, regions: Sequence[_Name], cities: Sequence[_Name], notes: list[str]) -> tuple[str, str]:
    """Return file and text of destination charts, or of the chances if no cells give them."""
    whole = {REGIONS: {name.id: region.percent for name, region in zip(regions, rb3.regions, strict=True)}}
    for region, chart in zip(rb3.regions, regions, strict=True):
        pairs = zip(rb3.cities, cities, strict=True)
        whole[chart.id] = {name.id: city.percent for city, name in pairs if city.region == region.code}
    names = {name.id: name.name for name in cities}
    parts = {chart: parts_of(chances) for chart, chances in whole.items()}
    cells = {chart: made_up_cells(own) for chart, own in parts.items()}
    bad = [chart for chart, own in cells.items() if own is None]
    if bad:
        notes.append(f"no destination chart has the chances of {', '.join(bad)}; all are solved for the nearest ones")
        rows = [
            [chart, item if chart == REGIONS else names[item], f"{part}/{WHOLE}"]
            for chart, own in parts.items()
            for item, part in own.items()
        ]
        return WANTED, _table(["chart", "name", "weight"], rows)
    return DESTINATIONS, _table(
        ["chart", "sum", "odd", "even"],
        [
            [chart, total, *(_cell(own[total, p], chart, names) for p in ("odd", "even"))]
            for chart, own in cells.items()
            if own is not None
            for total in range(2, 13)
        ],
    )


def _cell(item: str, chart: str, names: dict[str, str]) -> str:
    return item if chart == REGIONS else names[item]


def _payoffs(rb3: RB3File, names: Sequence[_Name]) -> str:
    count = len(rb3.cities)
    ordered = [name.name for _, name in sorted(zip((c.row for c in rb3.cities), names, strict=True), key=_first)]
    amounts = [["0"] * count for _ in range(count)]
    for i, row in enumerate(rb3.payoffs):
        for j, value in enumerate(row, i + 1):
            amounts[i][j] = amounts[j][i] = number_text(value)
    return _table(["city", *ordered], [[name, *row] for name, row in zip(ordered, amounts, strict=True)])


def _first(pair: tuple[int, _Name]) -> int:
    return pair[0]


def _lines(rb3: RB3File, n: int, ident: str, milepost: dict[tuple[int, int], str], notes: list[str]) -> str:
    """Return a railroad's station lists; dots of colour 13 become vias, where three arms meet junctions."""
    lines = [[point[:2] for point in line] for line in rb3.routes[n].lines]
    beside: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    for line in lines:
        for a, b in pairwise(line):
            beside[a].add(b)
            beside[b].add(a)
    ends = Counter(line[end] for line in lines for end in (0, -1))
    free = {
        key
        for key, others in beside.items()
        if rb3.dot(*key).colour == JUNCTION and (len(others) >= _ARMS or (len(others) > 1 and not ends[key]))
    }
    short = rb3.railroads[n].short
    odd = [key for key in sorted(beside) if rb3.dot(*key).colour == JUNCTION and key not in free]
    notes += [f"{short}: {milepost[key]} has colour 13 but no three arms; it is a milepost" for key in odd]
    rows = [
        [ident, f"{rb3.railroads[n].short} {number}", seq, milepost[key], "via" if key in free else "milepost"]
        for number, line in enumerate(lines, 1)
        for seq, key in enumerate(line, 1)
    ]
    return _table(["railroad", "line", "seq", "place", "kind"], rows)


def _lost(rb3: RB3File, frame: RB3Frame | None) -> list[str]:
    """Return what of the file a source package has no place for."""
    out = ["drawing shifts, label hints, dots that no line uses"]
    medium = sum(bool(railroad.medium) for railroad in rb3.railroads)
    if medium:
        out.append(f"medium names of {medium} railroads")
    again = () if frame is None else ("info", "label", "map", "sep")  # mapkit's own, which it draws again
    kept = [raw.name for raw in rb3.other if any(line.strip() for line in raw.lines) and raw.name not in again]
    if kept:
        out.append(f"sections {', '.join(kept)}")
    return out
