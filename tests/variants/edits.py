"""Boards changed by hand for the tests, element by element, without the operations of variants."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from tiny import PAGE_MAP, tiny_board

from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.model.board import SUMS, Board
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.trace.segments import make_segments

ORIGIN = Origin(how="table", file="x.csv", row=1)
Data = dict[str, Any]
Edit = Callable[[Data], None]


def edited(board: Board, *edits: Edit) -> Board:
    """Return a board with edits to its plain data; lengths, page positions and segments follow from the track."""
    data: Data = board.model_dump(mode="json")
    for edit in edits:
        edit(data)
    nodes = {n["id"]: n for n in (*data["mileposts"], *data["junctions"])}
    for node in nodes.values():
        ((node["x"], node["y"]),) = PAGE_MAP.to_page([(node["lon"], node["lat"])])
    pieces = []
    for piece in data["pieces"]:
        if piece["a"] > piece["b"]:
            piece["a"], piece["b"], piece["line"] = piece["b"], piece["a"], piece["line"][::-1]
        inner = piece["line"][1:-1]
        line = [(nodes[e]["lon"], nodes[e]["lat"]) for e in (piece["a"], piece["b"])]
        piece["line"] = [line[0], *map(tuple, inner), line[1]]
        ends = "--".join(piece[e].removeprefix(f"{piece['railroad']}--") for e in ("a", "b"))
        ends = "--".join(sorted(ends.split("--")))
        piece |= {"id": f"{piece['railroad']}--{ends}", "miles": round(line_miles(piece["line"]), 2)}
        piece["path"] = PAGE_MAP.to_page(piece["line"])
        pieces.append(NetworkPiece(**{k: v for k, v in piece.items() if k != "path"}, origin=ORIGIN))
    pieces.sort(key=lambda p: p.id)
    junctions = {j["id"] for j in data["junctions"]}
    data["segments"] = [
        s.model_dump(exclude={"origin"}) | {"path": [(0, 0), (1, 1)]} for s in make_segments(pieces, junctions)
    ]
    for kind in ("mileposts", "cities", "railroads", "junctions", "pieces"):
        data[kind].sort(key=lambda e: e["id"])
    at = {c["milepost"] for c in data["cities"]}
    for milepost in data["mileposts"]:
        milepost["kind"] = "city" if milepost["id"] in at else "dot"
    return Board.model_validate(data)


def one(data: Data, kind: str, ident: str) -> Data:
    """Return an element."""
    return next(e for e in data[kind] if e["id"] == ident)


def milepost(ident: str, lon: float, lat: float) -> Edit:
    """Add a milepost."""
    new = {"id": ident, "name": ident.title(), "kind": "dot", "lon": lon, "lat": lat, "x": 0, "y": 0}
    return lambda data: data["mileposts"].append(new)


def track(railroad: str, a: str, b: str, *inner: tuple[float, float]) -> Edit:
    """Add a piece of track."""
    new = {"id": "x", "railroad": railroad, "a": a, "b": b, "miles": 0, "line": [(0, 0), *inner, (0, 0)], "path": []}
    return lambda data: data["pieces"].append(new)


def no_track(ident: str) -> Edit:
    """Remove a piece of track."""
    return lambda data: data["pieces"].remove(one(data, "pieces", ident))


def field(kind: str, ident: str, **values: object) -> Edit:
    """Set fields of an element."""
    return lambda data: one(data, kind, ident).update(values)


def payoff(a: str, b: str, value: float | None, *, one_way: bool = False) -> Edit:
    """Set a payoff."""

    def edit(data: Data) -> None:
        cities = data["payoffs"]["cities"]
        if a in cities and b in cities:
            data["payoffs"]["thousands"][cities.index(a)][cities.index(b)] = value
            if not one_way:
                data["payoffs"]["thousands"][cities.index(b)][cities.index(a)] = value

    return edit


def renamed(old: str, new: str) -> Edit:
    """Give whatever has an id another one, and name it so wherever it is named."""

    def edit(data: Data) -> None:
        for kind in ("railroads", "mileposts", "cities"):
            for element in data[kind]:
                element["id"] = new if element["id"] == old else element["id"]
        for city in data["cities"]:
            city["milepost"] = new if city["milepost"] == old else city["milepost"]
        for piece in data["pieces"]:
            piece |= {key: new for key in ("railroad", "a", "b") if piece[key] == old}
        data["payoffs"]["cities"] = [new if c == old else c for c in data["payoffs"]["cities"]]
        for chart in data["destinations"].values():
            for column in chart.values():
                column.update({k: new for k, v in column.items() if v == old})

    return edit


PLACES = ("ash", "birch", "cedar", "dale", "elm", "hill", "fir-gum")
RAILROADS = ("blue", "green", "red")
CITIES = ("ash", "dale", "elm", "fir", "gum")
names = st.text("abcdefg XYZ-/.'", min_size=1, max_size=12)
grades = st.integers(0, 400).map(lambda n: n / 100)
positions = st.tuples(grades.map(lambda g: round(-101 + g, 5)), grades.map(lambda g: round(39 + g, 5)))


def added_railroad(data: Data) -> None:
    """Add a railroad without track."""
    data["railroads"].append({**one(data, "railroads", "red"), "id": "gold", "name": "Gold Line", "short": "GOLD"})


def cell(chart: str, column: str, total: str, value: str | None) -> Edit:
    """Set a cell of a destination chart."""
    return lambda data: data["destinations"][chart][column].update({total: value})


def superchief(price: int) -> Edit:
    """Set a rule."""
    return lambda data: data["rules"]["purchase"].update(superchief_price=price)


def _track_edits(draw: st.DrawFn, ids: list[str]) -> list[Edit]:
    railroads = [*RAILROADS, "gold"]
    edits: list[Edit] = [added_railroad]
    for piece in draw(st.lists(st.sampled_from([p.id for p in tiny_board().pieces]), unique=True, max_size=4)):
        if "j--" in piece or draw(st.booleans()):
            edits.append(no_track(piece))
        else:
            edits.append(field("pieces", piece, railroad=draw(st.sampled_from(railroads))))
    for _ in range(draw(st.integers(0, 4))):
        a, b = draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True))
        edits.append(track(draw(st.sampled_from(railroads)), a, b, *draw(st.lists(positions, max_size=2))))
    return edits


def _chart_edits(draw: st.DrawFn) -> list[Edit]:
    cities = st.sampled_from(CITIES)
    amounts = st.none() | st.integers(0, 80).map(lambda n: n / 2)
    edits = [payoff(draw(cities), draw(cities), draw(amounts)) for _ in range(draw(st.integers(0, 3)))]
    contents = st.sampled_from([("regions", ("west", "east")), ("west", ("ash", "elm")), ("east", ("dale", "fir"))])
    for _ in range(draw(st.integers(0, 3))):
        chart, items = draw(contents)
        value = draw(st.none() | st.sampled_from(items))
        edits.append(cell(chart, draw(st.sampled_from(["odd", "even"])), draw(st.sampled_from(SUMS)), value))
    return edits


@st.composite
def changed_boards(draw: st.DrawFn) -> Board:
    """Draw boards that a person might make of the tiny one, with anything changed."""
    new = [f"new-{number}" for number in range(draw(st.integers(0, 2)))]
    edits = [milepost(ident, *draw(positions)) for ident in new]
    ids = [*PLACES, *new]
    if draw(st.booleans()):
        edits += _track_edits(draw, ids)
    for ident in draw(st.lists(st.sampled_from(PLACES), unique=True, max_size=3)):
        lon, lat = draw(positions)
        moved, named = field("mileposts", ident, lon=lon, lat=lat), field("mileposts", ident, name="New")
        edits.append(moved if draw(st.booleans()) else named)
    edits += [
        field("railroads", ident, price=draw(st.integers(0, 99)) * 500, public=draw(st.booleans()))
        for ident in draw(st.lists(st.sampled_from(RAILROADS), unique=True, max_size=3))
    ]
    edits += [
        field("cities", city, milepost=draw(st.sampled_from(ids)), name=draw(names))
        for city in draw(st.lists(st.sampled_from(CITIES), unique=True, max_size=2))
    ]
    edits += _chart_edits(draw)
    if draw(st.booleans()):
        edits.append(superchief(draw(st.integers(1, 50)) * 1000))
    if draw(st.booleans()):
        old = draw(st.sampled_from(["birch", "red", "elm", "fir-gum", "green"]))
        edits.append(renamed(old, f"{old}-2"))
    return edited(tiny_board(), *edits, _no_doubles)


def _no_doubles(data: Data) -> None:
    """Keep one piece of a railroad between two places, so that ids tell all of them apart."""
    seen: set[tuple[str, frozenset[str]]] = set()
    kept = []
    for piece in data["pieces"]:
        key = (piece["railroad"], frozenset((piece["a"], piece["b"])))
        if key not in seen:
            kept.append(piece)
        seen.add(key)
    data["pieces"] = kept
    used = [end for piece in kept for end in (piece["a"], piece["b"])]
    data["junctions"] = [j for j in data["junctions"] if used.count(j["id"])]
