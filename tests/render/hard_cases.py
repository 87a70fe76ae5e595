"""Small boards that are hard to draw, each 120 x 90 mm: `HARD_CASES` by name.

Places are in millimetres of the page. Mileposts whose names begin with a capital letter are cities.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Final, get_args

from mapkit.core.base import Point
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import (
    Board,
    City,
    Junction,
    Milepost,
    Page,
    Pattern,
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

COLOURS: Final = (
    "#d8232a", "#1d3f8f", "#1e7d4f", "#e88a00", "#7b3fa0", "#1a1a1a", "#0f8f96", "#8f1d2c", "#5f6a72", "#e0559a",
    "#7a4a1e", "#3a7fd5",
)  # fmt: skip
_MM_PER_DEGREE: Final = 5.0
_LON, _LAT = -97.0, 40.0
_WIDTH, _HEIGHT = 120.0, 90.0

Runs = dict[str, list[tuple[str, str | Point, str] | tuple[str, str]]]
"""Railroad -> its pieces as pairs of names, or (name, bend, name) for one through a point."""


def board_of(name: str, places: dict[str, Point], runs: Runs, junctions: tuple[str, ...] = ()) -> Board:
    """Return a board of places and runs, its railroads coloured and patterned in turn."""
    ids = {place: place.lower() for place in places}
    patterns: tuple[Pattern, ...] = get_args(Pattern)
    paths: dict[str, tuple[Point, ...]] = {}
    network: list[NetworkPiece] = []
    for railroad, steps in runs.items():
        for number, step in enumerate(steps):
            a, b = step[0], step[-1]
            bend = [step[1]] if len(step) == 3 else []
            path = tuple(p if isinstance(p, tuple) else places[p] for p in (a, *bend, b))
            ident = f"{railroad}--{ids[a]}--{ids[b]}" + (f"--{number}" if bend else "")
            paths[ident] = path
            line = tuple(map(_degrees, path))
            network.append(
                NetworkPiece(
                    id=ident,
                    railroad=railroad,
                    a=ids[a],
                    b=ids[b],
                    miles=10.0,
                    line=line,
                    origin=Origin(how="generated"),
                )
            )
    network.sort(key=lambda piece: piece.id)
    mileposts = [p for p in places if p not in junctions]
    cities = [p for p in mileposts if p[0].isupper()]
    region = Region(id="all", name="All", short="ALL", colour="#cfe3c8")
    return Board(
        id=name,
        title=name.replace("-", " ").title(),
        units=Units(currency="USD", symbol="$", payoff=1000, distance="mile"),
        projection=Projection(
            name="plate-carree",
            crs="+proj=eqc +R=6371000 +units=m +no_defs",
            scale_mm_per_m=_MM_PER_DEGREE / (math.pi * 6371000 / 180),
            offset_x_mm=_WIDTH / 2 - _LON * _MM_PER_DEGREE,
            offset_y_mm=_HEIGHT / 2 + _LAT * _MM_PER_DEGREE,
        ),
        page=Page(width=_WIDTH, height=_HEIGHT, frame=(4, 4, _WIDTH - 4, _HEIGHT - 4)),
        regions=(region,),
        mileposts=tuple(
            sorted(
                (
                    Milepost(
                        id=ids[p],
                        name=p.title(),
                        kind="city" if p in cities else "dot",
                        **dict(zip(("lon", "lat"), _degrees(places[p]), strict=True)),
                        x=places[p][0],
                        y=places[p][1],
                    )
                    for p in mileposts
                ),
                key=lambda m: m.id,
            )
        ),
        cities=tuple(
            City(id=f"{ids[p]}-{i}" if "-" in p else ids[p], name=part, region="all", milepost=ids[p])
            for p in sorted(cities, key=str.lower)
            for i, part in enumerate(p.split("-"))
        ),
        railroads=tuple(
            Railroad(
                id=r,
                name=r.title(),
                short=r.upper(),
                price=4000,
                public=False,
                style=Style(colour=COLOURS[i % len(COLOURS)], pattern=patterns[i % len(patterns)]),
            )
            for i, r in enumerate(sorted(runs))
        ),
        junctions=tuple(
            Junction(
                id=ids[j],
                railroad=next(p.railroad for p in network if ids[j] in (p.a, p.b)),
                **dict(zip(("lon", "lat"), _degrees(places[j]), strict=True)),
                x=places[j][0],
                y=places[j][1],
            )
            for j in sorted(junctions)
        ),
        pieces=tuple(Piece(**p.model_dump(exclude={"origin"}), path=paths[p.id]) for p in network),
        segments=tuple(
            Segment(**s.model_dump(exclude={"origin"}), path=paths[s.pieces[0]])
            for s in make_segments(network, {ids[j] for j in junctions})
        ),
        destinations={},
        payoffs=Payoffs(cities=(), thousands=()),
        rules=Rules(),
        provenance=Provenance(
            tool="mapkit", version="0", credits=(), licence="CC0-1.0", sources=(), elements={}, accepted={}
        ),
    )


def _degrees(at: Point) -> Point:
    return (
        round(_LON + (at[0] - _WIDTH / 2) / _MM_PER_DEGREE, 6),
        round(_LAT - (at[1] - _HEIGHT / 2) / _MM_PER_DEGREE, 6),
    )


def twelve_into_one_city() -> Board:
    """Twelve railroads into one city, six of them from one side."""
    angles = [-35, -21, -7, 7, 21, 35, 80, 120, 160, 200, 240, 280]
    places: dict[str, Point] = {"Hub": (60.0, 45.0)}
    runs: Runs = {}
    for i, angle in enumerate(angles):
        turn = math.radians(angle)
        dot = f"dot{i:02}"
        places[dot] = (round(60 + 33 * math.cos(turn), 3), round(45 + 33 * math.sin(turn), 3))
        runs[f"line{i:02}"] = [("Hub", dot)]
    return board_of("twelve-into-one-city", places, runs)


def five_around_a_bend() -> Board:
    """Five parallel lines around a bend, one by one turning off, in an order that their ids do not give."""
    places: dict[str, Point] = {
        "West": (8, 20), "one": (28, 20), "two": (48, 22), "three": (66, 32), "four": (74, 50), "South": (74, 72),
        "off1": (92, 24), "off2": (104, 40), "off3": (50, 74), "off4": (100, 80),
    }  # fmt: skip
    way = ["West", "one", "two", "three", "four", "South"]
    stem = list(pairwise(way))
    runs: Runs = {
        "a": [*stem, ("South", "off3")],
        "b": [*stem[:3], ("three", "off1")],
        "c": [*stem, ("South", "off4")],
        "d": [*stem],
        "e": [*stem[:4], ("four", "off2")],
    }
    return board_of("five-around-a-bend", places, runs)


def parting_at_a_bar() -> Board:
    """Lanes that part in several directions at a dot, one of them off the bar that spans the others."""
    places: dict[str, Point] = {
        "x": (60, 40), "South": (62, 80), "North": (64, 8), "West": (20, 33), "East": (100, 52),
    }  # fmt: skip
    runs: Runs = {
        "a": [("South", "x"), ("x", "North")],
        "b": [("South", "x"), ("x", "West")],
        "c": [("South", "x"), ("x", "West")],
        "d": [("East", "x"), ("x", "West")],
    }
    return board_of("parting-at-a-bar", places, runs)


def spur() -> Board:
    """A dead-end spur beside a main line."""
    places: dict[str, Point] = {
        "West": (10, 40),
        "mid": (50, 45),
        "East": (108, 42),
        "spur": (78, 38),
        "End": (100, 24),
    }
    return board_of(
        "spur", places, {"main": [("West", "mid"), ("mid", "East")], "twig": [("mid", "spur"), ("spur", "End")]}
    )


def twins() -> Board:
    """Twins with lines from all sides, two of them side by side."""
    places: dict[str, Point] = {
        "Left-Right": (60, 45),
        "west": (15, 40),
        "east": (105, 50),
        "north": (55, 10),
        "S": (68, 80),
    }
    runs: Runs = {
        "a": [("west", "Left-Right"), ("Left-Right", "east")],
        "b": [("west", "Left-Right"), ("Left-Right", "S")],
        "c": [("north", "Left-Right"), ("Left-Right", "east")],
    }
    return board_of("twins", places, runs)


def crowded_coast() -> Board:
    """Eleven mileposts within 40 mm of coast, the nearest 4.5 mm apart."""
    spots: list[Point] = [
        (60, 8),
        (63, 15),
        (66, 20),
        (68, 24.5),
        (72, 30),
        (73, 36),
        (78, 41),
        (80, 46),
        (86, 50),
        (89, 56),
        (96, 62),
    ]
    names = ["Alpha", "b", "c", "Delta", "e", "f", "Golf", "h", "India", "j", "Kilo"]
    places: dict[str, Point] = dict(zip(names, spots, strict=True)) | {
        "West": (12, 40),
        "inn": (50, 34),
        "out": (55, 55),
    }
    shore = list(pairwise(names))
    runs: Runs = {
        "a": [*shore],
        "b": [*shore[3:8], ("West", "inn"), ("inn", "Delta")],
        "c": [("West", "out"), ("out", "Golf"), ("out", "India"), *shore[6:8]],
        "d": [("inn", "Golf"), ("inn", "Alpha"), ("Alpha", (70, 12), "Golf")],
    }
    return board_of("crowded-coast", places, runs)


def shallow_crossing() -> Board:
    """Two lines that cross away from any milepost at 10 degrees."""
    rise = math.tan(math.radians(5)) * 50
    places: dict[str, Point] = {
        "A": (10, 45 - rise), "b": (110, 45 + rise), "C": (10, 45 + rise), "d": (110, 45 - rise),
    }  # fmt: skip
    return board_of("shallow-crossing", places, {"one": [("A", "b")], "two": [("C", "d")]})


def wye() -> Board:
    """A junction wye of one railroad, crossed by another, and one railroad that crosses itself."""
    places: dict[str, Point] = {
        "West": (12, 48), "East": (106, 40), "North": (64, 10), "south": (60, 80), "x1": (30, 72), "x2": (100, 66),
        "jw": (50, 46), "je": (76, 43), "jn": (64, 32),
    }  # fmt: skip
    runs: Runs = {
        "a": [("West", "jw"), ("jw", "je"), ("je", "East"), ("jw", "jn"), ("je", "jn"), ("jn", "North"),
              ("x1", (70, 56), "x2"), ("x1", "south"), ("south", "x2"), ("North", (90, 50), "south")],
        "b": [("West", "North"), ("North", "East")],
    }  # fmt: skip
    return board_of("wye", places, runs, ("jw", "je", "jn"))


HARD_CASES: Final[dict[str, Callable[[], Board]]] = {
    make.__name__: make
    for make in (
        twelve_into_one_city,
        five_around_a_bend,
        parting_at_a_bar,
        spur,
        twins,
        crowded_coast,
        shallow_crossing,
        wye,
    )
}
