"""Write the sources of the shipped boards of hexagons from geography; what an author edits later stays theirs.

```
python tools/hex_boards.py [NAME...]    # sources/NAME/, over what is there
```

Land, lakes, rivers, relief and places come from the layers that mapkit ships; major lines and links are our own.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import shapely

from mapkit.core.output import write_files
from mapkit.document.changes import apply
from mapkit.document.document import sort_rows
from mapkit.geography.land_region import LandRegion, load_region
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.kinds.hex.sampling.files import describe_colours, sampled_board, solve_city_colours
from mapkit.kinds.hex.sampling.region_sampling import SamplingOptions, sample_region
from mapkit.kinds.hex.tables import CityRow, HexDocument

ROOT = Path(__file__).resolve().parent.parent
_COAST_DEGREES = 0.05
_ENDS = (shapely.box(-6, 49.8, -5.2, 50.4), shapely.box(-6, 55.2, -5.3, 55.9))
"""Land's End and Kintyre: too narrow for hexagons of this size, so that no track would reach a city there."""
_MOST_MARKERS = 24
_ROTORS = 4
_CALLED = {
    "Acapulco de Juárez": "Acapulco",
    "Algueirão": "Sintra",
    "Ciudad Nezahualcóyotl": "Mexico City",
    "Kingston upon Hull": "Hull",
    "León de los Aldama": "León",
    "New South Memphis": "Memphis",
    "New York City": "New York",
    "Saint Peters": "Margate",
    "Santiago de Querétaro": "Querétaro",
    "Virginia Beach": "Norfolk",
    "Zapopan": "Guadalajara",
}
"""The largest place of a hexagon in the gazetteer -> the city that it is part of, or lies beside."""


@dataclass(frozen=True)
class Plan:
    """A board to write: how it is sampled, for how many players, and what it has by hand.

    `lines` are major lines: id, name, points, cities; `links` lead off the board: city, where to, cost, colour.
    """

    title: str
    about: str
    region: LandRegion
    wanted: SamplingOptions
    players: tuple[int, int]
    columns: tuple[int, int] | None = None
    lines: tuple[tuple[str, str, int, tuple[str, ...]], ...] = ()
    links: tuple[tuple[str, str, int, str], ...] = ()


def plans() -> dict[str, Plan]:
    """Return the boards by name."""
    states = load_region("US", (-125.0, 24.3, -66.8, 49.4))
    over_us = SamplingOptions(hex_km=92, cities=66)
    return {
        "eastern-us-hex": Plan(
            "Eastern United States",
            "From the Mississippi to the Atlantic, in hexagons of 92 km.",
            states,
            over_us,
            (2, 6),
            columns=(32, 60),
            lines=(
                ("coast-line", "Coast Line", 8, ("boston", "new-york-city", "philadelphia", "washington")),
                ("lakes-line", "Lakes Line", 10, ("new-york-city", "buffalo", "detroit", "chicago")),
                ("river-line", "River Line", 10, ("chicago", "new-south-memphis", "new-orleans")),
            ),
            links=(("new-orleans", "Havana", 10_000, "red"), ("boston", "Halifax", 10_000, "black")),
        ),
        "western-us-hex": Plan(
            "Western United States",
            "From the Pacific to the plains, in hexagons of 92 km; its east side is the west side of eastern-us-hex.",
            states,
            over_us,
            (2, 6),
            columns=(1, 31),
            lines=(
                ("overland-line", "Overland Line", 12, ("omaha", "denver", "salt-lake-city", "sacramento")),
                ("pacific-line", "Pacific Line", 10, ("los-angeles", "san-jose", "portland", "seattle")),
                ("desert-line", "Desert Line", 10, ("san-antonio", "el-paso", "tucson", "los-angeles")),
            ),
            links=(("seattle", "Vancouver", 10_000, "yellow"), ("brownsville", "Mexico", 10_000, "purple")),
        ),
        "mexico-hex": Plan(
            "Mexico",
            "Mexico in hexagons of 72 km.",
            load_region("MX"),
            SamplingOptions(hex_km=72, cities=30),
            (2, 3),
            lines=(
                ("central-line", "Central Line", 10, ("mexico-city", "leon-de-los-aldama", "torreon", "ciudad-juarez")),
                ("gulf-line", "Gulf Line", 8, ("mexico-city", "tampico", "reynosa")),
                ("sunset-line", "Sunset Line", 10, ("zapopan", "culiacan", "hermosillo", "mexicali")),
            ),
            links=(("ciudad-juarez", "United States", 8000, "black"), ("tampico", "Overseas", 10_000, "blue")),
        ),
        "great-britain-hex": Plan(
            "Great Britain",
            "England, Scotland and Wales in hexagons of 26 km.",
            main_island(load_region("GB", (-7.8, 49.8, 1.9, 58.8))),
            SamplingOptions(hex_km=26, cities=32),
            (2, 6),
            lines=(
                ("east-line", "East Line", 10, ("london", "leeds", "newcastle-upon-tyne", "edinburgh")),
                ("west-line", "West Line", 10, ("london", "birmingham", "manchester", "glasgow")),
                ("channel-line", "Channel Line", 8, ("london", "reading", "bristol", "plymouth")),
            ),
            links=(("liverpool", "Ireland", 8000, "purple"), ("london", "The Continent", 10_000, "red")),
        ),
        "portugal-hex": Plan(
            "Portugal",
            "The mainland of Portugal in hexagons of 20 km.",
            load_region("PT"),
            SamplingOptions(hex_km=20, cities=20),
            (2, 4),
            lines=(
                ("north-line", "North Line", 8, ("lisbon", "leiria", "coimbra", "porto")),
                ("south-line", "South Line", 8, ("lisbon", "setubal", "faro")),
                ("douro-line", "Douro Line", 6, ("porto", "vila-real", "braganca")),
            ),
            links=(("lisbon", "The islands", 10_000, "purple"), ("elvas", "Spain", 8000, "yellow")),
        ),
    }


def main_island(region: LandRegion) -> LandRegion:
    """Return the largest island of a region; what else it has becomes land of others, and its places are left out."""
    parts = sorted(shapely.get_parts(region.land), key=lambda part: -float(part.area))
    main = parts[0]
    near = main.buffer(_COAST_DEGREES)
    points = ((place, shapely.Point(place.lon, place.lat)) for place in region.places)
    places = tuple(p for p, point in points if near.contains(point) and not any(e.contains(point) for e in _ENDS))
    return replace(region, land=main, other=shapely.union_all([region.other, *parts[1:]]), places=places)


def document_of(name: str, plan: Plan) -> tuple[HexDocument, tuple[str, ...]]:
    """Return a board, and what its author should know."""
    found = sample_region(plan.region, plan.wanted)
    least, most = plan.players
    more = {
        "description": plan.about,
        "license": "CC BY 4.0",
        "rules": {"players": {"least": least, "most": most}},
    }
    made = sampled_board(plan.title, found, more)
    document = HEX.document_of({file: data.decode() for file, data in made.files.items()})
    notes = made.notes
    if plan.columns is not None:
        document = done(document, {"kind": "cut-board", "columns": plan.columns})
        coloured = solve_city_colours(HEX.compile(document, board_id=name).board)
        for city, colour in coloured.colours.items():
            document = done(document, {"kind": "recolour-city", "id": city, "colours": (colour,)})
        notes = (*notes[:-1], describe_colours(coloured))
    for key, row in sort_rows(document.table("cities")):
        if isinstance(row, CityRow) and row.name in _CALLED:
            document = done(document, {"kind": "rename-city", "id": key, "name": _CALLED[row.name]})
    document = with_rotors(document)
    for ident, title, points, cities in plan.lines:
        line = {"kind": "set-major-line", "id": ident, "name": title, "points": points, "cities": cities}
        document = done(document, line)
    for city, where, cost, colour in plan.links:
        document = done(document, {"kind": "add-link", "a": city, "name": where, "cost": cost, "colours": (colour,)})
    return judged(name, with_markers(document, least, most)), notes


def with_markers(document: HexDocument, least: int, most: int) -> HexDocument:
    """Return a board with a number of empty city markers of our own for each number of players."""
    number_of = sum(isinstance(row, CityRow) and row.cubes > 0 for row in document.table("cities").values())
    names = ("", "", "two", "three", "four", "five", "six")
    for players in range(least, most + 1):
        number = min(_MOST_MARKERS, round(number_of * (0.2 + 0.06 * players)))
        document = done(document, {"kind": "set-settings", "values": {f"rules.end.markers.{names[players]}": number}})
    return document


_REASONS = {
    "H03": "A city at the end of the world: its link takes two actions of one turn.",
    "H23": "The hexagon of a port is land.",
    "H24": "A hexagon holds one city.",
}


def judged(name: str, document: HexDocument) -> HexDocument:
    """Return a board with what its checks find blocked or accepted."""
    for finding in HEX.check(HEX.compile(document, board_id=name)).findings:
        if finding.code == "H04":
            document = done(document, {"kind": "flood-hexes", "hex": finding.elements[0], "terrain": "blocked"})
        reason = _REASONS.get(finding.code)
        if reason is not None:
            document = done(document, {"kind": "accept-finding", "finding": finding.id, "reason": reason})
    return document


def with_rotors(document: HexDocument) -> HexDocument:
    """Return a board whose first coloured cities have rotors, for games with that option."""
    coloured = [
        (key, row.colours[0])
        for key, row in sort_rows(document.table("cities"))
        if isinstance(row, CityRow) and row.colours[:1] != ("gray",)
    ]
    for key, colour in coloured[:_ROTORS]:
        start = GOODS[(GOODS.index(colour) + 1) % len(GOODS)]
        document = done(document, {"kind": "set-city", "id": key, "rotor": True, "start": start})
    return document


def done(document: HexDocument, command: Mapping[str, Any]) -> HexDocument:
    """Return a document after a command."""
    return apply(document, HEX.commands.read(command).plan(document).patch)


def main() -> int:
    """Write the boards that are named, or all."""
    wanted = sys.argv[1:]
    for name, plan in plans().items():
        if wanted and name not in wanted:
            continue
        document, notes = document_of(name, plan)
        files = HEX.plan_files(document, HexDocument(), {}).write
        write_files(ROOT / "sources" / name, {file: str(data) for file, data in files.items()})
        print(name, *notes, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
