"""Boards to edit in tests: the small example in a folder of its own, and commands that suit any board."""

import shutil
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import mapkit
from mapkit.document.document import sort_rows
from mapkit.kinds.rail.compiler.board_rows import track_rows
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.tables import RailDocument

Json = dict[str, Any]
ROOT = Path(mapkit.__file__).parent.parent
TEMPLATE = ROOT / "mapkit" / "kinds" / "rail" / "sources" / "template"


def small_board(folder: Path, name: str = "mymap") -> Path:
    """Copy the example of `mapkit new` to `folder/sources/<name>` and return that."""
    target = folder / "sources" / name
    shutil.copytree(TEMPLATE, target)
    return target


def in_tables(document: RailDocument) -> RailDocument:
    """Return a document of station lists with all track in tables."""
    board = compile_document(document, board_id="x").board
    posts = {city.id: city.milepost for city in board.cities}
    cities = {key: row.model_copy(update={"milepost": posts[key]}) for key, row in document.cities.items()}
    return RailDocument({**document.tables, **track_rows(board), "cities": cities, "lines": {}, "places": {}})


def keys(document: RailDocument, table: str) -> list[str]:
    """Return the keys of a table in order."""
    return [key for key, _ in sort_rows(document.table(table))]


DEGREES = st.tuples(st.floats(-74, -70).map(lambda v: round(v, 5)), st.floats(41, 45).map(lambda v: round(v, 5)))
AMOUNT = st.one_of(st.none(), st.integers(0, 80).map(lambda n: n / 2))
WORD = st.sampled_from(["North Fork", "Junction 4", "Salem", "St. Anne", "x1", "Ærø", "Boston", "Rutland VT"])
COLOUR = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")


@st.composite
def commands(draw: st.DrawFn, document: RailDocument) -> Json:
    """Draw a command for a document; some do not fit it."""

    def some(table: str) -> str:
        there = keys(document, table)
        return draw(st.sampled_from([*there, "nothing"])) if there else "nothing"

    def stop(kind: str) -> Json:
        lon, lat = draw(DEGREES)
        return draw(
            st.sampled_from(
                [
                    {"lon": lon, "lat": lat, "kind": kind},
                    {"place": draw(WORD), "lon": lon, "lat": lat, "kind": kind},
                    {"place": draw(st.sampled_from(["Boston", "Albany", "Portland", "Rutland VT"])), "kind": kind},
                ]
            )
        )

    lon, lat = draw(DEGREES)
    line = some("lines")
    stops = document.lines[line].stops if line in document.lines else (("nowhere", "milepost"),)
    place = draw(st.sampled_from([p for p, _ in stops]))
    index = draw(st.integers(0, len(stops)))
    kind = draw(st.sampled_from(["milepost", "via"]))
    made: list[Json] = [
        {"kind": "set-payoff", "a": some("cities"), "b": some("cities"), "thousands": draw(AMOUNT)},
        {"kind": "edit-city", "id": some("cities"), "lon": lon, "lat": lat},
        {"kind": "edit-city", "id": some("cities"), "name": draw(WORD), "weight": draw(st.integers(0, 9))},
        {"kind": "add-city", "name": draw(WORD), "region": some("regions"), "lon": lon, "lat": lat},
        {"kind": "delete-city", "id": some("cities")},
        {"kind": "twin-cities", "ids": [some("cities"), some("cities")]},
        {"kind": "edit-city", "id": some("cities"), "milepost": ""},
        {"kind": "add-railroad", "id": draw(st.sampled_from(["aa", "bb"])), "name": draw(WORD), "short": draw(WORD)},
        {"kind": "edit-railroad", "id": some("railroads"), "price": draw(st.integers(0, 99)), "colour": draw(COLOUR)},
        {"kind": "delete-railroad", "id": some("railroads")},
        {"kind": "add-line", "railroad": some("railroads"), "stops": [stop("milepost"), stop(kind), stop("milepost")]},
        {"kind": "extend-line", "line": line, "end": draw(st.sampled_from(["start", "end"])), "stops": [stop(kind)]},
        {"kind": "add-stop", "line": line, "index": max(index, 1), "stop": stop(kind)},
        {"kind": "move-stop", "line": line, "index": index, "stop": stop(kind)},
        {"kind": "delete-stop", "line": line, "index": index},
        {"kind": "delete-line", "lines": [line], "start": index, "end": index + 1},
        {"kind": "split-line", "line": line, "index": max(index, 1)},
        {"kind": "join-lines", "a": line, "b": some("lines")},
        {"kind": "edit-line", "lines": [line], "reverse": True},
        {"kind": "edit-line", "lines": [line], "name": draw(WORD)},
        {"kind": "copy-line", "line": line, "railroads": [some("railroads")]},
        {"kind": "edit-line", "lines": [line], "railroad": some("railroads")},
        {"kind": "delete-line", "lines": [line]},
        {"kind": "edit-place", "place": place, "lon": lon, "lat": lat},
        {"kind": "edit-place", "place": place, "name": draw(WORD)},
        {"kind": "delete-place", "place": place, "keep_shape": draw(st.booleans())},
        {"kind": "set-stop-kind", "place": place, "to": kind},
        {"kind": "add-region", "name": draw(WORD), "short": "R"},
        {"kind": "edit-region", "id": some("regions"), "name": draw(WORD), "colour": draw(COLOUR)},
        {"kind": "delete-region", "id": some("regions"), "move_to": some("regions")},
        {"kind": "set-region-of-cities", "cities": [some("cities")], "region": some("regions")},
        {"kind": "set-cell", "chart": some("regions"), "parity": "odd", "total": 7, "item": some("cities")},
        {"kind": "set-cell", "chart": "regions", "parity": "even", "total": 2, "item": some("regions")},
        {"kind": "set-setting", "key": "page.width", "value": draw(st.integers(40, 900))},
        {"kind": "set-setting", "key": "spacing.gap_mi", "value": draw(st.sampled_from([None, 20, 12.5]))},
        {"kind": "accept-finding", "finding": "N05:boston:cross", "reason": draw(WORD)},
        {"kind": "put-control-point", "x": index, "y": 3, "city": "Boston"},
        {"kind": "reorder", "table": "cities", "keys": [some("cities")]},
        {"kind": "clear-payoffs"},
        {"kind": "start-payoffs"},
    ]
    return draw(st.sampled_from(made))
