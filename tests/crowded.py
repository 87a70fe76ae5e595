"""Boards whose geography crowds mileposts, from places on the page."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from tiny import tiny_board

from mapkit.core.base import Point
from mapkit.kinds.rail.model.board import Board, City, Junction, Milepost, Page, Piece, Segment

PAGE = Page(width=400, height=300, frame=(20, 20, 380, 220))


def board_of(
    dots: Sequence[Point] = (),
    *,
    cities: Sequence[Point] = (),
    junctions: Sequence[Point] = (),
    track: Sequence[tuple[int, int]] = (),
    ways: Mapping[tuple[int, int], Sequence[Point]] | None = None,
    page: Page = PAGE,
) -> Board:
    """Return a board of dots, then cities, then junctions, which `track` joins by number, through `ways`."""
    kinds = ["d"] * len(dots) + ["c"] * len(cities) + ["j"] * len(junctions)
    spots = {
        f"{kind}{n}": place for n, (kind, place) in enumerate(zip(kinds, (*dots, *cities, *junctions), strict=True))
    }
    ids = list(spots)
    pieces = [
        Piece(
            id=f"red--{ids[a]}--{ids[b]}",
            railroad="red",
            a=ids[a],
            b=ids[b],
            miles=1.0,
            line=(spots[ids[a]], spots[ids[b]]),
            path=(spots[ids[a]], *(ways or {}).get((a, b), ()), spots[ids[b]]),
        )
        for a, b in track
    ]
    tiny = tiny_board()
    place = {ident: {"lon": 0.0, "lat": 0.0, "x": x, "y": y} for ident, (x, y) in spots.items()}
    return tiny.model_copy(
        update={
            "page": page,
            "mileposts": tuple(
                Milepost(id=i, name=i, kind="dot" if i[0] == "d" else "city", **place[i]) for i in ids if i[0] != "j"
            ),
            "junctions": tuple(Junction(id=i, railroad="red", **place[i]) for i in ids if i[0] == "j"),
            "cities": tuple(City(id=i, name=i, region="west", milepost=i) for i in ids if i[0] == "c"),
            "pieces": tuple(sorted(pieces, key=lambda p: p.id)),
            "segments": tuple(
                Segment(id=p.id, railroad="red", a=p.a, b=p.b, miles=1.0, pieces=(p.id,), path=p.path) for p in pieces
            ),
        }
    )


def crowded_coast() -> Board:
    """Return a coast with three lines of thirty stops each, 3 mm apart, with cities, and an empty inland."""
    dots: list[Point] = []
    cities: list[Point] = []
    rows: list[tuple[int, int, Point]] = []
    for line in range(3):
        for stop in range(30):
            bend = 6.0 * np.sin(stop / 4.0)
            place = (round(300.0 + 3.2 * line + bend, 3), round(60.0 + 2.9 * stop + 0.7 * line, 3))
            (cities if stop % 10 == 5 else dots).append(place)
            rows.append((line, stop, place))
    number = {place: n for n, place in enumerate((*dots, *cities))}
    along = [(number[p], number[q]) for (i, _, p), (j, _, q) in pairwise(rows) if i == j]
    across = [(number[p], number[q]) for i, s, p in rows for j, t, q in rows if j == i + 1 and s == t and s % 6 == 0]
    return board_of(dots, cities=cities, track=[*along, *across])


def scattered(count: int, *, seed: int = 5, page: Page = PAGE) -> Board:
    """Return mileposts anywhere in the frame, some of them cities, each joined to the next to the east."""
    left, top, right, bottom = page.frame
    random = np.random.default_rng(seed)
    xy = np.column_stack((random.uniform(left, right, count), random.uniform(top, bottom, count))).round(2)
    order = xy[np.argsort(xy[:, 0], kind="stable")]
    places: list[Point] = [(float(x), float(y)) for x, y in order]
    few = count // 20
    return board_of(places[few:], cities=places[:few], page=page)
