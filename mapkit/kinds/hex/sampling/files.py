"""Files of a new board made from a region."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mapkit.core.base import Area
from mapkit.document.document import Row, document_of_rows
from mapkit.document.plain_tables import plain_files
from mapkit.document.toml_file import settings_of
from mapkit.geography.land_region import load_region
from mapkit.kinds.hex.compiler import compile_hexes
from mapkit.kinds.hex.example import common_files
from mapkit.kinds.hex.grid.cubes import hex_distance
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.deliveries import short_links
from mapkit.kinds.hex.network.ways import Ways
from mapkit.kinds.hex.sampling.colouring import ColourSolution, solve_colours
from mapkit.kinds.hex.sampling.region_sampling import SampledRegion, SamplingOptions, sample_region
from mapkit.kinds.hex.sampling.sea_links import SeaLink, find_sea_links
from mapkit.kinds.hex.tables import CityRow, EdgeRow, HexDocument, HexRow, LinkRow

CREDITS = (
    "Land, lakes and rivers: Natural Earth, public domain",
    "Places: GeoNames, CC BY 4.0",
    "Relief: derived from a shaded relief by Tom Patterson, shadedrelief.com",
)


@dataclass(frozen=True)
class SampledBoard:
    """Board made from a region.

    Args:
        files: Its files by path.
        notes: What was changed or left out, and how well the colours are solved.
    """

    files: dict[str, bytes]
    notes: tuple[str, ...]


def region_board(
    title: str,
    region: str,
    wanted: SamplingOptions,
    *,
    bounds: Area | None = None,
) -> SampledBoard:
    """Return the files of a board of a region.

    Args:
        title: Of the board.
        region: Countries, by name or code, separated by commas.
        wanted: How to sample.
        bounds: West, south, east, north in degrees: only this part.

    Raises:
        UnknownNameError: There is no such country.
        ChoiceError: The sizes do not fit.
    """
    return sampled_board(title, sample_region(load_region(region, bounds), wanted), {})


def sampled_board(title: str, found: SampledRegion, more: Mapping[str, Any]) -> SampledBoard:
    """Return the files of a sampled board with solved colours; `more` are further settings of `board.toml`."""
    uncoloured_board = compile_hexes(_make_document(title, found, {}, more), board_id="new").board
    island_links = find_sea_links(uncoloured_board)
    coloured = solve_city_colours(
        compile_hexes(_make_document(title, found, {}, more, island_links), board_id="new").board
    )
    document = _make_document(title, found, coloured.colours, more, island_links)
    plain_tables, _ = plain_files(document)
    files = {name: data.encode() if isinstance(data, str) else data for name, data in plain_tables.items()}
    return SampledBoard(
        {**common_files(), **files}, (*found.notes, *(link.note for link in island_links), describe_colours(coloured))
    )


def solve_city_colours(board: HexBoard) -> ColourSolution:
    """Solve the colours of the cities of a board."""
    ways = Ways(board)
    neighbours: dict[str, list[str]] = {city.id: [] for city in board.cities}
    for way in short_links(board, ways):
        neighbours[way.a].append(way.b)
        neighbours[way.b].append(way.a)
    cube_by_city = {city.id: cube for city in board.cities if (cube := board.grid.hex_of(city.hex)) is not None}
    distance_by_pair = {
        (first_city, second_city): hex_distance(cube_by_city[first_city], cube_by_city[second_city])
        for first_city, second_city in combinations(cube_by_city, 2)
    }
    return solve_colours(tuple(cube_by_city), distance_by_pair, neighbours)


def describe_colours(coloured: ColourSolution) -> str:
    """Return a sentence on the quality of colours."""
    distance_text = "proved" if coloured.apart_proved else "not proved"
    score_text = f"proved to be within {coloured.bound - coloured.score} of the best there is"
    if coloured.score == coloured.bound:
        score_text = "proved to be the best there is"
    return (
        f"colours: cities of one colour are {coloured.apart} hexagons apart or more (the most there is: "
        f"{distance_text}); "
        f"two links deliver {coloured.deliverable} pairs of city and colour ({score_text})"
    )


def _make_document(
    title: str,
    found: SampledRegion,
    colours: Mapping[str, str],
    more: Mapping[str, Any],
    islands: Sequence[SeaLink] = (),
) -> HexDocument:
    usual_terrain = Counter(found.terrain.values()).most_common(1)[0][0]
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
            "terrain": usual_terrain,
        },
        "earth": found.earth.model_dump(exclude={"turn"}),
        **{key: value for key, value in more.items() if isinstance(value, dict)},
    }
    city_rows: list[tuple[str, Row]] = [
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
    hex_rows: list[tuple[str, Row]] = [
        (name, HexRow(terrain=terrain)) for name, terrain in found.terrain.items() if terrain != usual_terrain
    ]
    edge_rows: list[tuple[str, Row]] = [(edge, EdgeRow(kinds=kinds)) for edge, kinds in found.edges.items()]
    rows_by_table: dict[str, Iterable[tuple[str, Row]]] = {
        "settings": settings_of(settings),
        "hexes": hex_rows,
        "edges": edge_rows,
        "cities": city_rows,
        "links": [
            (f"{sea_link.a}-{sea_link.b}", LinkRow(a=sea_link.a, b=sea_link.b, cost=sea_link.cost))
            for sea_link in islands
        ],
    }
    return document_of_rows(HexDocument, rows_by_table)
