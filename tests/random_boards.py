"""Random small boards, for round trips: any names, parallel railroads, junctions, drawn paths, empty cells."""

from typing import Any, Literal

from hypothesis import strategies as st
from tiny import PAGE_MAP, tiny_board

from mapkit.core.base import Point
from mapkit.kinds.rail.exchange.board_parts import PIECE_SEPARATOR, join_lines
from mapkit.kinds.rail.model.board import (
    SUMS,
    Board,
    City,
    DestinationChart,
    Junction,
    Milepost,
    Payoffs,
    Piece,
    Railroad,
    Region,
    Segment,
    Style,
)


def _names(*without: Literal["Lo"]) -> st.SearchStrategy[str]:
    letters = st.characters(
        codec="utf-8", exclude_categories=("Cs", "Cc", "Cn", *without), exclude_characters="\ufffe\uffff"
    )
    return st.text(letters, min_size=1, max_size=12)


NAMES = _names()
DRAWN_NAMES = _names("Lo")
"""Names that mapkit can draw: the letters that it cannot have no capitals."""
DEGREES = st.tuples(st.floats(-109, -90).map(lambda v: round(v, 5)), st.floats(38, 48).map(lambda v: round(v, 5)))
COLOURS = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")
MILES = st.floats(0.01, 999).map(lambda v: round(v, 2))


@st.composite
def boards(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> Board:
    """Draw a board that a file of any format has to carry."""
    drawn = draw(st.booleans())
    spots = draw(st.lists(DEGREES, min_size=3, max_size=7, unique=True))
    nodes: dict[str, Point] = {f"m{at}": spot for at, spot in enumerate(spots)}
    railroads = [f"r{at}" for at in range(draw(st.integers(1, 3)))]
    pairs = st.tuples(st.sampled_from(railroads), st.sampled_from(sorted(nodes)), st.sampled_from(sorted(nodes)))
    track = sorted({(r, min(a, b), max(a, b)) for r, a, b in draw(st.lists(pairs, min_size=1, max_size=8)) if a != b})
    arms = (
        draw(st.lists(st.sampled_from(sorted(nodes)), min_size=2, max_size=3, unique=True))
        if draw(st.booleans())
        else []
    )
    if arms:
        nodes["j"] = draw(DEGREES)
    pieces = [_piece(draw, r, a, b, nodes, drawn=drawn) for r, a, b in track]
    pieces += [_piece(draw, railroads[0], "j", arm, nodes, drawn=drawn) for arm in arms]
    pieces.sort(key=lambda p: p.id)
    direct = [(p.railroad, p.a, p.b, (p.id,)) for p in pieces if p.a != "j"]
    through = [
        (railroads[0], a, b, (f"{railroads[0]}--j--{a}", f"{railroads[0]}--j--{b}"))
        for a in sorted(arms)
        for b in sorted(arms)
        if a < b
    ]
    regions = [f"g{at}" for at in range(draw(st.integers(1, 2)))]
    towns = draw(st.lists(st.sampled_from([m for m in nodes if m != "j"]), min_size=1, max_size=4))
    cities = [
        City(id=f"c{at}", name=draw(names), region=draw(st.sampled_from(regions)), milepost=town)
        for at, town in enumerate(towns)
    ]
    kinds = dict.fromkeys(towns, "city")
    return tiny_board().model_copy(
        update={
            "title": draw(names),
            "regions": tuple(Region(id=g, name=draw(names), short=draw(names), colour=draw(COLOURS)) for g in regions),
            "mileposts": tuple(
                Milepost.model_validate(
                    {
                        "id": ident,
                        "name": draw(names),
                        "kind": kinds.get(ident, "dot"),
                        **_place(spot),
                    }
                )
                for ident, spot in sorted(nodes.items())
                if ident != "j"
            ),
            "cities": tuple(cities),
            "railroads": tuple(
                Railroad(
                    id=r,
                    name=draw(names),
                    short=draw(names),
                    price=draw(st.integers(0, 99_999)),
                    public=draw(st.booleans()),
                    style=Style(colour=draw(COLOURS), pattern=draw(st.sampled_from(("solid", "ladder", "hollow")))),
                )
                for r in railroads
            ),
            "junctions": tuple(Junction(id="j", railroad=railroads[0], **_place(nodes["j"])) for _ in arms[:1]),
            "pieces": tuple(pieces),
            "segments": tuple(
                sorted((_segment(draw, s, pieces, drawn=drawn) for s in direct + through), key=lambda s: s.id)
            ),
            "destinations": {
                "regions": draw(_charts(regions)),
                **{g: draw(_charts([c.id for c in cities])) for g in regions},
            },
            "payoffs": Payoffs(
                cities=tuple(c.id for c in cities),
                thousands=tuple(
                    tuple(draw(st.none() | st.integers(0, 80).map(lambda n: n / 2)) for _ in cities) for _ in cities
                ),
            ),
        }
    )


def _place(spot: Point) -> Any:
    x, y = PAGE_MAP.to_page([spot])[0]
    return {"lon": spot[0], "lat": spot[1], "x": x, "y": y}


def _piece(draw: st.DrawFn, railroad: str, a: str, b: str, nodes: dict[str, Point], *, drawn: bool) -> Piece:
    line = (nodes[a], *draw(st.lists(DEGREES, max_size=3)), nodes[b])
    path = PAGE_MAP.to_page(line)
    if drawn and draw(st.booleans()):
        path = tuple((x + 1, y - 1) for x, y in path)
    return Piece(id=f"{railroad}--{a}--{b}", railroad=railroad, a=a, b=b, miles=draw(MILES), line=line, path=path)


def _segment(draw: st.DrawFn, parts: Any, pieces: list[Piece], *, drawn: bool) -> Segment:
    railroad, a, b, used = parts
    rows = {p.id: p.model_dump() for p in pieces}
    path = join_lines(a, used, rows, {p.id: p.path for p in pieces})
    if drawn and draw(st.booleans()):
        path = (path[0], path[-1])
    ident = f"{railroad}--{a}--{b}" + ("--2" if len(used) > 1 else "")
    assert PIECE_SEPARATOR not in ident
    return Segment(id=ident, railroad=railroad, a=a, b=b, miles=draw(MILES), pieces=used, path=path)


@st.composite
def _charts(draw: st.DrawFn, names: list[str]) -> DestinationChart:
    cell = st.none() | st.sampled_from(names)
    return DestinationChart(odd={t: draw(cell) for t in SUMS}, even={t: draw(cell) for t in SUMS})
