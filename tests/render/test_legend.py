"""The legend: everything is in it, nothing overlaps, nothing is too small to read."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from boards import shipped
from svg_client import SVG
from tiny import tiny_board

from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import draw_board, render_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.legend import LEAST_TEXT_MM, choose_scale_bar, list_symbol_texts, mm_per_metre
from mapkit.kinds.rail.render.words import words_of

Box = tuple[float, float, float, float]


def crowd(count: int, *, long: bool = False) -> Board:
    """Return the small board with so many railroads."""
    board = tiny_board()
    first = board.railroads[0]
    more = [
        first.model_copy(
            update={
                "id": f"line-{i:02}",
                "name": f"The Very Long Named Railroad and Steamship Company Number {i}" if long else f"Line {i}",
                "short": f"L{i}",
            }
        )
        for i in range(count - len(board.railroads))
    ]
    return board.model_copy(update={"railroads": (*board.railroads, *more)[:count]})


BOARDS: dict[str, Callable[[], Board]] = {
    "usa": lambda: shipped("usa"),
    "portugal": lambda: shipped("portugal"),
    "mexico": lambda: shipped("mexico"),
    "tiny": tiny_board,
    "five": lambda: crowd(5),
    "sixty": lambda: crowd(60),
    "long names": lambda: crowd(24, long=True),
}


@pytest.fixture(scope="module", params=BOARDS)
def drawn(request: pytest.FixtureRequest) -> tuple[Board, ET.Element, Box]:
    board = BOARDS[request.param]()
    layout = lay_out(board.model_copy(update={"pieces": (), "segments": ()}) if len(board.railroads) > 28 else board)
    text = draw_board(layout).to_text()
    tree = ET.fromstring(text.encode())  # noqa: S314 - our own text
    return board, next(g for g in tree if g.get("id") == "layer-legend"), layout.strip


def texts(group: ET.Element, size: float = 0.0, weight: str = "normal") -> list[tuple[str, float, Box]]:
    """Return the texts below a group: what, size, box."""
    size, weight = float(group.get("font-size", size)), group.get("font-weight", weight)
    found = []
    for child in group:
        if child.tag == f"{SVG}g":
            found += texts(child, size, weight)
        elif child.tag == f"{SVG}text":
            own, bold = float(child.get("font-size", size)), child.get("font-weight", weight) == "bold"
            width = text_width(child.text or "", own, bold=bold)
            x, y = float(child.attrib["x"]), float(child.attrib["y"])
            x -= width if child.get("text-anchor") == "end" else 0
            found.append((child.text or "", own, (x, y - 0.74 * own, x + width, y + 0.22 * own)))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("name", ["usa", "mexico", "portugal"])
def test_the_legend_of_a_shipped_board_explains_its_symbols(name: str) -> None:
    board, svg = shipped(name), render_board(shipped(name))
    assert [name for name in list_symbol_texts(board) if f">{words_of(board)(name)}<" not in svg] == []


def test_only_symbols_that_the_board_has_are_explained() -> None:
    board = tiny_board()
    assert list_symbol_texts(board) == ("board.city", "board.dot", "board.junction")
    assert list_symbol_texts(board.model_copy(update={"junctions": ()})) == ("board.city", "board.dot")
    cities = tuple(milepost for milepost in board.mileposts if milepost.kind == "city")
    assert list_symbol_texts(board.model_copy(update={"junctions": (), "mileposts": cities})) == ("board.city",)
    assert "Free junction" in render_board(shipped("usa"))
    assert "Free junction" not in render_board(
        tiny_board().model_copy(update={"junctions": (), "pieces": (), "segments": ()})
    )


def test_no_text_covers_another(drawn: tuple[Board, ET.Element, Box]) -> None:
    found = texts(drawn[1])
    assert len(found) > 4
    assert [(a[0], b[0]) for i, a in enumerate(found) for b in found[i + 1 :] if overlap(a[2], b[2])] == []


def test_every_text_is_in_the_strip(drawn: tuple[Board, ET.Element, Box]) -> None:
    left, top, right, bottom = drawn[2]
    off = [t for t, _, b in texts(drawn[1]) if b[0] < left or b[1] < top or b[2] > right + 0.05 or b[3] > bottom]
    assert off == []


def test_no_text_is_under_six_points(drawn: tuple[Board, ET.Element, Box]) -> None:
    assert [(t, size) for t, size, _ in texts(drawn[1]) if size < LEAST_TEXT_MM] == []


def test_every_railroad_has_its_mark_and_price(drawn: tuple[Board, ET.Element, Box]) -> None:
    board, layer, _ = drawn
    rows = {g.get("id"): [t.text for t in g.iter(f"{SVG}text")] for g in layer.iter(f"{SVG}g")}
    for railroad in board.railroads:
        words = words_of(board)  # Portugal's are Portuguese
        price = words("board.public") if railroad.public else words.money(board.units.symbol, railroad.price)
        row = rows[f"legend-rr-{railroad.id}"]
        assert (row[0], row[-1]) == (railroad.short, price)


def test_long_names_are_shortened_only_where_there_is_no_room() -> None:
    usa = lay_out(shipped("usa"))
    tree = ET.fromstring(draw_board(usa).to_text().encode())  # noqa: S314 - our own text
    names = {t.text for t in tree.iter(f"{SVG}text")}
    assert {r.name for r in usa.board.railroads} <= names
    table = next(g for g in tree.iter(f"{SVG}g") if g.get("id") == "legend-railroads")
    assert float(table.attrib["font-size"]) > 4.5


def test_the_scale_is_true_in_the_middle_of_the_map() -> None:
    usa = shipped("usa")
    # Albers between 29.5 and 45.5 degrees: true at the parallels, at most 1.1 % short between them
    assert mm_per_metre(usa) == pytest.approx(usa.projection.scale_mm_per_m, rel=0.015)
    miles, km = choose_scale_bar(usa, "miles", 80), choose_scale_bar(usa, "km", 80)
    assert miles is not None
    assert km is not None
    assert (miles.length, km.length) == (200, 200)
    assert miles.mm / km.mm == pytest.approx(1.609344, abs=1e-3)
    assert miles.mm == pytest.approx(200 * 1609.344 * mm_per_metre(usa), abs=0.006)
    assert choose_scale_bar(usa, "miles", 10) is None
