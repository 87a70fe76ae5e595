"""The files of a new board made from a region."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mapkit.core.base import Area
from mapkit.document.document import Row, document_of_rows
from mapkit.document.plain import plain_files
from mapkit.document.toml_file import settings_of
from mapkit.geography.land_region import load_region
from mapkit.kinds.hex.compiler import compile_hexes
from mapkit.kinds.hex.example import common_files
from mapkit.kinds.hex.grid.cubes import distance
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.deliveries import short_ways
from mapkit.kinds.hex.network.ways import Ways
from mapkit.kinds.hex.sampling.colouring import Coloured, solve_colours
from mapkit.kinds.hex.sampling.sample import Sampled, Wanted, sample
from mapkit.kinds.hex.sampling.sea_links import SeaLink, sea_links
from mapkit.kinds.hex.tables import CityRow, EdgeRow, HexDocument, HexRow, LinkRow

CREDITS = (
    "Land, lakes and rivers: Natural Earth, public domain",
    "Places: GeoNames, CC BY 4.0",
    "Relief: derived from a shaded relief by Tom Patterson, shadedrelief.com",
)


@dataclass(frozen=True)
class SampledBoard:
    """A board made from a region.

    Args:
        files: Its files by path.
        notes: What was changed or left out, and how well the colours are solved.
    """

    files: dict[str, bytes]
    notes: tuple[str, ...]


def region_board(
    title: str, region: str, wanted: Wanted, *, bounds: Area | None = None, more: Mapping[str, Any] | None = None
) -> SampledBoard:
    """Return the files of a board of a region.

    Args:
        title: Of the board.
        region: Countries, by name or code, separated by commas.
        wanted: How to sample.
        bounds: West, south, east, north in degrees: only this part.
        more: More of `board.toml`.

    Raises:
        UnknownNameError: There is no such country.
        ChoiceError: The sizes do not fit.
    """
    return sampled_board(title, sample(load_region(region, bounds), wanted), more or {})


def sampled_board(title: str, found: Sampled, more: Mapping[str, Any]) -> SampledBoard:
    """Return the files of a board of what was sampled, its colours solved; arguments as for `region_board`."""
    first = compile_hexes(_document(title, found, {}, more), board_id="new").board
    islands = sea_links(first)
    coloured = coloured_cities(compile_hexes(_document(title, found, {}, more, islands), board_id="new").board)
    document = _document(title, found, coloured.colours, more, islands)
    written, _ = plain_files(document)
    files = {name: data.encode() if isinstance(data, str) else data for name, data in written.items()}
    return SampledBoard(
        {**common_files(), **files}, (*found.notes, *(link.note for link in islands), colour_note(coloured))
    )


def coloured_cities(board: HexBoard) -> Coloured:
    """Return colours for the cities of a board, solved."""
    ways = Ways(board)
    near: dict[str, list[str]] = {city.id: [] for city in board.cities}
    for way in short_ways(board, ways):
        near[way.a].append(way.b)
        near[way.b].append(way.a)
    cubes = {city.id: cube for city in board.cities if (cube := board.grid.hex_of(city.hex)) is not None}
    apart = {(one, other): distance(cubes[one], cubes[other]) for one, other in combinations(cubes, 2)}
    return solve_colours(tuple(cubes), apart, near)


def colour_note(coloured: Coloured) -> str:
    """Say how good colours are."""
    apart = "proved" if coloured.apart_proved else "not proved"
    best = f"proved to be within {coloured.bound - coloured.score} of the best there is"
    if coloured.score == coloured.bound:
        best = "proved to be the best there is"
    return (
        f"colours: cities of one colour are {coloured.apart} hexagons apart or more (the most there is: {apart}); "
        f"two links deliver {coloured.deliverable} pairs of city and colour ({best})"
    )


def _document(
    title: str,
    found: Sampled,
    colours: Mapping[str, str],
    more: Mapping[str, Any],
    islands: Sequence[SeaLink] = (),
) -> HexDocument:
    most = Counter(found.terrain.values()).most_common(1)[0][0]
    settings = {
        "title": title,
        "kind": "hex",
        "credits": list(CREDITS),
        "example_track": True,
        **{key: value for key, value in more.items() if not isinstance(value, dict)},
        "grid": {
            "offset": found.grid.offset,
            "columns": found.grid.columns,
            "rows": found.grid.rows,
            "size_mm": found.grid.size_mm,
            "labels": found.grid.labels,
            "terrain": most,
        },
        "earth": found.earth.model_dump(exclude={"turn"}),
        **{key: value for key, value in more.items() if isinstance(value, dict)},
    }
    cities: list[tuple[str, Row]] = [
        (
            city.id,
            CityRow.model_validate(
                {
                    "name": city.name,
                    "hex": city.hex,
                    "colours": (colours.get(city.id, "gray"),),
                    "cubes": city.cubes,
                    "port": city.port,
                }
            ),
        )
        for city in found.cities
    ]
    hexes: list[tuple[str, Row]] = [
        (name, HexRow(terrain=terrain)) for name, terrain in found.terrain.items() if terrain != most
    ]
    edges: list[tuple[str, Row]] = [(edge, EdgeRow(kinds=kinds)) for edge, kinds in found.edges.items()]
    rows: dict[str, Iterable[tuple[str, Row]]] = {
        "settings": settings_of(settings),
        "hexes": hexes,
        "edges": edges,
        "cities": cities,
        "links": [(f"{one.a}-{one.b}", LinkRow(a=one.a, b=one.b, cost=one.cost)) for one in islands],
    }
    return document_of_rows(HexDocument, rows)
