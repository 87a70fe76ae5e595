"""Figures and links of boards of hexagons, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result, table

if TYPE_CHECKING:
    from mapkit.kinds.hex.network.report import HexReport
    from mapkit.kinds.hex.network.ways import Way

_SHOWN = 15


def show_link(found: "Way") -> None:
    """Print a link."""
    tiles = f"{found.tiles} tile{'' if found.tiles == 1 else 's'}"
    print_result(f"{found.a} to {found.b}: ${found.cost:,}, {tiles}")
    print_result(f"hexagons: {' '.join(found.hexes) or 'none, the cities touch'}")


def show_report(found: "HexReport") -> None:
    """Print a report as tables."""
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
    print_result("\n".join(parts))
