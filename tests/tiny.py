"""A board made by hand, small enough to reckon every figure on paper.

```
    Ash ==RED== Birch --RED-- Cedar ==BLUE,RED== Dale          regions: West (Ash, Elm), East (Dale, Fir, Gum)
     |            |             |                 |            cities:  Ash, Elm, Dale, Fir+Gum (twins)
    GREEN       GREEN          (J) BLUE          GREEN         J is a free junction of BLUE with three arms:
     |            |           /   \\               |            Cedar, Hill, Fir
    Elm --GREEN-- Hill ------J     +------- Fir/Gum
```

RED:   Ash - Birch - Cedar - Dale
BLUE:  Cedar - Dale; Cedar, Hill and Fir/Gum joined through J
GREEN: Ash - Elm - Hill - Birch; Dale - Fir/Gum  (Dale - Fir/Gum is joined to the rest by Hill - Fir/Gum, GREEN)
"""

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import (
    SUMS,
    Board,
    City,
    DestinationChart,
    Junction,
    Milepost,
    Page,
    Payoffs,
    Piece,
    Provenance,
    Railroad,
    Region,
    Segment,
    Style,
    Units,
)
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.trace.segments import make_segments

PLACES: dict[str, tuple[str, Point]] = {
    "ash": ("Ash", (-100.0, 42.0)),
    "birch": ("Birch", (-99.0, 42.1)),
    "cedar": ("Cedar", (-98.0, 42.0)),
    "dale": ("Dale", (-97.0, 42.05)),
    "elm": ("Elm", (-100.1, 41.2)),
    "hill": ("Hill", (-99.0, 41.1)),
    "fir-gum": ("Fir/Gum", (-97.1, 41.15)),
    "blue--j": ("J", (-98.0, 41.5)),
}
CITIES = (
    City(id="ash", name="Ash", region="west", milepost="ash"),
    City(id="dale", name="Dale", region="east", milepost="dale"),
    City(id="elm", name="Elm", region="west", milepost="elm"),
    City(id="fir", name="Fir", region="east", milepost="fir-gum"),
    City(id="gum", name="Gum", region="east", milepost="fir-gum"),
)
TRACK = (
    ("red", "ash", "birch"),
    ("red", "birch", "cedar"),
    ("red", "cedar", "dale"),
    ("blue", "cedar", "dale"),
    ("blue", "blue--j", "cedar"),
    ("blue", "blue--j", "hill"),
    ("blue", "blue--j", "fir-gum"),
    ("green", "ash", "elm"),
    ("green", "elm", "hill"),
    ("green", "birch", "hill"),
    ("green", "fir-gum", "hill"),
    ("green", "dale", "fir-gum"),
)
PAYOFFS = {
    ("ash", "dale"): 4.5,
    ("ash", "elm"): 1.5,
    ("ash", "fir"): 5.0,
    ("ash", "gum"): 5.0,
    ("dale", "elm"): 5.5,
    ("dale", "fir"): 1.5,
    ("dale", "gum"): 1.5,
    ("elm", "fir"): 4.5,
    ("elm", "gum"): 4.5,
    ("fir", "gum"): 0.0,
}
PAGE_MAP = PageMap(
    Projection(
        name="mercator",
        crs="+proj=merc +lon_0=-98.5 +datum=WGS84 +units=m +no_defs",
        scale_mm_per_m=0.0008,
        offset_x_mm=150.0,
        offset_y_mm=4200.0,
    )
)


def tiny_board() -> Board:
    """Return the board of the sketch."""
    origin = Origin(how="station list", file="lines/tiny.csv", row=2)
    network = [
        NetworkPiece(
            id=f"{railroad}--{a.removeprefix('blue--')}--{b}",
            railroad=railroad,
            a=a,
            b=b,
            miles=round(line_miles([PLACES[a][1], PLACES[b][1]]), 2),
            line=(PLACES[a][1], PLACES[b][1]),
            origin=origin,
        )
        for railroad, a, b in TRACK
    ]
    network.sort(key=lambda piece: piece.id)
    segments = make_segments(network, {"blue--j"})
    xy = dict(zip(PLACES, PAGE_MAP.to_page([point for _, point in PLACES.values()]), strict=True))
    pieces = tuple(Piece(**p.model_dump(exclude={"origin"}), path=PAGE_MAP.to_page(p.line)) for p in network)
    city_ids = tuple(city.id for city in CITIES)
    return Board(
        id="tiny",
        title="Tiny",
        units=Units(currency="USD", symbol="$", payoff=1000, distance="mile"),
        projection=PAGE_MAP.projection,
        page=Page(width=400, height=300, frame=(20, 20, 380, 220)),
        regions=(
            Region(id="west", name="West", short="W", colour="#cbdff0"),
            Region(id="east", name="East", short="E", colour="#cfe3c8"),
        ),
        mileposts=tuple(
            Milepost(
                id=ident,
                name=name,
                kind="city" if ident in {city.milepost for city in CITIES} else "dot",
                lon=lon,
                lat=lat,
                x=xy[ident][0],
                y=xy[ident][1],
            )
            for ident, (name, (lon, lat)) in sorted(PLACES.items())
            if ident != "blue--j"
        ),
        cities=CITIES,
        railroads=(
            _railroad("blue", "#1d3f8f", "dash", 6000),
            _railroad("green", "#1e7d4f", "double", 8000),
            _railroad("red", "#b5273a", "sawtooth", 10000),
        ),
        junctions=(
            Junction(
                id="blue--j",
                railroad="blue",
                lon=PLACES["blue--j"][1][0],
                lat=PLACES["blue--j"][1][1],
                x=xy["blue--j"][0],
                y=xy["blue--j"][1],
            ),
        ),
        pieces=pieces,
        segments=tuple(
            Segment(**s.model_dump(exclude={"origin"}), path=_path(s.a, s.pieces, pieces)) for s in segments
        ),
        destinations={
            "regions": chart(("west", "east")),
            "west": chart(("ash", "elm")),
            "east": chart(("dale", "fir", "gum")),
        },
        payoffs=Payoffs(
            cities=city_ids,
            thousands=tuple(tuple(PAYOFFS.get((a, b), PAYOFFS.get((b, a), 0.0)) for b in city_ids) for a in city_ids),
        ),
        rules=Rules(),
        provenance=Provenance(
            tool="mapkit",
            version="0",
            credits=(),
            licence="CC0-1.0",
            sources=(),
            elements={
                "segments": {s.id: origin for s in segments},
                "payoffs": {
                    city: Origin(how="table", file="charts/payoffs.csv", row=row)
                    for row, city in enumerate(city_ids, start=2)
                },
            },
            accepted={},
        ),
    )


def chart(contents: tuple[str, ...]) -> DestinationChart:
    """Return a chart whose odd and even columns repeat the contents in turn."""
    column: dict[str, str | None] = {total: contents[index % len(contents)] for index, total in enumerate(SUMS)}
    return DestinationChart(odd=column, even=dict(column))


def _railroad(ident: str, colour: str, pattern: str, price: int) -> Railroad:
    return Railroad(
        id=ident,
        name=f"{ident.title()} Line",
        short=ident.upper(),
        price=price,
        public=False,
        style=Style.model_validate({"colour": colour, "pattern": pattern}),
    )


def _path(start: str, used: tuple[str, ...], pieces: tuple[Piece, ...]) -> tuple[Point, ...]:
    by_id = {piece.id: piece for piece in pieces}
    out: list[Point] = []
    at = start
    for ident in used:
        piece = by_id[ident]
        path, at = (piece.path, piece.b) if piece.a == at else (piece.path[::-1], piece.a)
        out.extend(path if not out else path[1:])
    return tuple(out)
