"""`mapkit report` and `route` on boards of hexagons."""

from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_result, stages, table

if TYPE_CHECKING:
    from mapkit.kinds.hex.network.report import HexReport

_SHOWN = 15


def report(
    board: BoardArg, variants: VariantOpt = None, workspace: WorkspaceOpt = None, as_json: JsonOpt = False
) -> None:
    """Report on a board of hexagons: links, deliveries, engines, the length of a game.

    A row per city: its colours, its cheapest link, and how many links it is to the nearest city of each colour. Then
    the best first links, what each engine can deliver, and how many turns a game lasts by number of players.
    """
    with stages(f"report {board}"):
        found = mapkit.hex_report(board, variants=variants or (), workspace=workspace)
    print_result(texts.json_text(found) if as_json else _report_text(found))


def route(
    a: Annotated[str, typer.Argument(metavar="FROM", help="A city, by name or id.")],
    b: Annotated[str, typer.Argument(metavar="TO", help="Another city.")],
    board: Annotated[
        str | None,
        typer.Option(
            "--board", "-b", metavar="BOARD", help="The board, as for mapkit report; the only one of the workspace."
        ),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the cheapest link between two cities of a board of hexagons.

    Terrain, ridges and other edges count; a link passes no other city. Of links at one cost, the one of fewest tiles.
    """
    found = mapkit.cheapest_link(a, b, board, variants=variants or (), workspace=workspace)
    if as_json:
        print_result(texts.json_text(found))
        return
    tiles = f"{found.tiles} tile{'' if found.tiles == 1 else 's'}"
    print_result(f"{found.a} to {found.b}: ${found.cost:,}, {tiles}")
    print_result(f"hexagons: {' '.join(found.hexes) or 'none, the cities touch'}")


def _report_text(found: "HexReport") -> str:
    colours = sorted({colour for city in found.cities for colour in city.links})
    cities = [
        (
            city.name,
            " ".join(city.colours),
            city.nearest or "-",
            "-" if city.cost is None else f"${city.cost:,}",
            "-" if city.tiles is None else city.tiles,
            *(city.links.get(colour, "-") for colour in colours),
        )
        for city in found.cities
    ]
    parts = [
        f"{found.title}: " + ", ".join(f"{count} {terrain}" for terrain, count in found.hexes.items()),
        "",
        table(
            ("city", "takes", "cheapest link to", "cost", "tiles", *colours),
            cities,
            right=(3, 4, *range(5, 5 + len(colours))),
        ),
        "",
        table(
            ("first link", "", "cost", "tiles", "cubes", "points"),
            [(one.a, one.b, f"${one.cost:,}", one.tiles, one.cubes, one.points) for one in found.first_links[:_SHOWN]],
            right=(2, 3, 4, 5),
        ),
        "",
        table(
            ("engine", "price", "deliveries", "most points"),
            [(e.level, "-" if e.price is None else f"${e.price:,}", e.pairs, e.points) for e in found.engines],
            right=(1, 2, 3),
        ),
        "",
        table(
            ("players", "markers", "cubes", "left in the bag", "turns at least", "turns, one delivery each"),
            [
                tuple("not given" if value is None else value for value in row)
                for row in (
                    (one.players, one.markers, one.cubes, one.bag, one.fewest_turns, one.turns_at_one)
                    for one in found.lengths
                )
            ],
            right=(1, 2, 3, 4, 5),
        ),
    ]
    return "\n".join(parts)
