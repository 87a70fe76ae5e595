"""Documents made for tests of the editor: a grid of places, with lines that share and cross."""

from typing import Any

from mapkit.document.document import Row, Setting
from mapkit.kinds.rail.tables import (
    Cell,
    City,
    Line,
    Payoff,
    PayoffCity,
    Place,
    RailDocument,
    Railroad,
    Region,
    Stop,
    cell_key,
    document_of_rows,
    payoff_key,
)

SETTINGS = {
    "title": "Grid",
    "licence": "CC0-1.0",
    "projection.name": "plate-carree",
    "page.width": 800,
    "page.height": 600,
    "gazetteer.countries": ["US"],
}


def grid_document(rows: int, columns: int, *, cities: int) -> RailDocument:
    """Return a document of `rows` x `columns` mileposts: a railroad each row, and one every tenth column."""
    names = {(r, c): f"Stop {r:02d}x{c:03d}" for r in range(rows) for c in range(columns)}
    spots = {names[r, c]: (-120 + 50 * c / columns, 25 + 20 * r / rows + (c % 3) / 50) for r, c in names}
    picked = sorted(names)[:: max(1, len(names) // cities)][:cities]
    towns = {f"city-{n}": (f"City {n}", names[at]) for n, at in enumerate(picked)}
    renamed = {place: name for name, place in towns.values()}
    lines = {}
    for r in range(rows):
        stops = [renamed.get(names[r, c], names[r, c]) for c in range(columns)]
        lines[f"row-{r}-main"] = Line(railroad=f"row-{r}", name="main", file=f"lines/row-{r}.csv", stops=_stops(stops))
    tens = range(0, columns, 10)
    for c in tens:
        stops = [renamed.get(names[r, c], names[r, c]) for r in range(rows)]
        lines[f"column-{c}-main"] = Line(
            railroad=f"column-{c}", name="main", file=f"lines/column-{c}.csv", stops=_stops(stops)
        )
    railroads = [f"row-{r}" for r in range(rows)] + [f"column-{c}" for c in tens]
    regions = [f"region-{n}" for n in range(max(2, cities // 20))]
    chart = [
        ("regions", regions),
        *((region, [t for n, t in enumerate(towns) if n % len(regions) == k]) for k, region in enumerate(regions)),
    ]
    keys = list(towns)
    return document_of_rows(
        {
            "settings": [(key, Setting(value=value)) for key, value in SETTINGS.items()],
            "regions": [(r, Region(name=r.title(), short=f"R{r[7:]}", colour="#dddddd")) for r in regions],
            "railroads": [
                (
                    r,
                    Railroad(
                        name=f"Railroad {r}",
                        short=r.upper(),
                        price=10_000,
                        public=False,
                        colour="#203040",
                        pattern="solid",
                    ),
                )
                for r in railroads
            ],
            "cities": [
                (
                    key,
                    City(
                        name=name,
                        region=regions[n % len(regions)],
                        lon=round(spots[place][0], 5),
                        lat=round(spots[place][1], 5),
                    ),
                )
                for n, (key, (name, place)) in enumerate(towns.items())
            ],
            "places": [
                (place, Place(lon=round(x, 5), lat=round(y, 5)))
                for place, (x, y) in spots.items()
                if place not in renamed
            ],
            "lines": list(lines.items()),
            "destinations": [
                (
                    cell_key(ident, parity, total),
                    Cell(item=items[(total * 2 + (parity == "odd")) % len(items)] if items else None),
                )
                for ident, items in chart
                for total in range(2, 13)
                for parity in ("odd", "even")
            ],
            "payoff_cities": [(key, PayoffCity()) for key in keys],
            "payoffs": [
                (payoff_key(a, b), Payoff(thousands=round(abs(i - j) / 2 + 0.5, 1)))
                for i, a in enumerate(keys)
                for j, b in enumerate(keys)
                if a < b
            ],
        }
    )


def _stops(names: list[str]) -> tuple[Stop, ...]:
    return tuple((name, "milepost") for name in names)


def with_row(document: RailDocument, table: str, key: str, row: Row | None) -> RailDocument:
    """Return a document with a row set or taken out."""
    rows = dict(document.table(table))
    if row is None:
        rows.pop(key, None)
    else:
        rows[key] = row
    return RailDocument({**document.tables, table: rows})


def changed(document: RailDocument, table: str, key: str, **values: Any) -> RailDocument:
    """Return a document with fields of a row changed."""
    row = document.table(table)[key]
    return with_row(document, table, key, type(row).model_validate(row.model_dump() | values))
