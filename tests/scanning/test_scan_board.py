"""What is read from a picture of a board: every dot and link of a small one, clean and as a scanner leaves it."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from scanned import COLOURS, INK, LINES, LINK_TOLERANCE, LINKS, SPOTS, SQUARES, drawn, scanned

from mapkit.core.errors import SourceError
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import guess_symbol_colours, pick_colour, read_colours
from mapkit.kinds.rail.scanning.scan import ScannedBoard, scan_board


def names_of(board: ScannedBoard) -> list[str]:
    """Return the name of each symbol; its place must be right to a pixel."""
    out = []
    for symbol in board.symbols:
        name = min(SPOTS, key=lambda n: abs(SPOTS[n][0] - symbol.x) + abs(SPOTS[n][1] - symbol.y))
        assert (symbol.x, symbol.y) == pytest.approx(np.subtract(SPOTS[name], 0.5), abs=1.0)
        assert symbol.kind == ("square" if name in SQUARES else "dot")
        out.append(name)
    return out


def links_of(board: ScannedBoard, least: float = 0.5) -> list[tuple[str, str, str]]:
    names = names_of(board)
    ends = ((link.railroad, names[link.a], names[link.b]) for link in board.links if link.confidence >= least)
    return sorted((railroad, min(a, b), max(a, b)) for railroad, a, b in ends)


@pytest.fixture(scope="module")
def clean() -> ScannedBoard:
    return scan_board(drawn(), COLOURS, (INK,))


def test_every_dot_and_square_is_found_once(clean: ScannedBoard) -> None:
    assert sorted(names_of(clean)) == ["A", "B", "C", "D", "E", "F", "G"]
    assert clean.sizes.dot == pytest.approx(5.5, abs=0.8)
    assert clean.sizes.square == pytest.approx(9.0, abs=0.6)


def test_a_symbol_that_no_line_serves_is_stray(clean: ScannedBoard) -> None:
    assert [(s.kind, round(s.x), round(s.y)) for s in clean.stray] == [("dot", 40, 370)]


def test_every_link_is_found_once_and_no_other(clean: ScannedBoard) -> None:
    assert links_of(clean) == sorted(LINKS)


def test_a_scanned_picture_gives_the_same_links() -> None:
    assert links_of(scan_board(scanned(drawn()), COLOURS, (INK,))) == sorted(LINKS)


def test_lines_follow_the_ink(clean: ScannedBoard) -> None:
    truth: dict[str, list[Sequence[tuple[float, float]]]] = {}
    for railroad, points, _ in LINES:
        truth.setdefault(railroad, []).append(points)
    for link in clean.links:
        steps = np.concatenate([np.linspace(a, b, 40) for a, b in zip(link.line[:-1], link.line[1:], strict=True)])
        off = np.full(len(steps), np.inf)
        for course in truth[link.railroad]:
            for a, b in pairwise(course):
                along = np.linspace(a, b, 300) - 0.5
                off = np.minimum(off, np.hypot(*(steps[:, None] - along[None]).transpose(2, 0, 1)).min(axis=1))
        assert off.max() < LINK_TOLERANCE


def test_lines_are_drawn_once_and_meet_at_the_junction(clean: ScannedBoard) -> None:
    blue = [line for line in clean.lines if line.railroad == "blue"]
    assert sorted(line.b is None for line in blue) == [False, True]
    loose = next(line for line in blue if line.b is None)
    assert loose.line[-1] == pytest.approx((339.5, 249.5), abs=8.0)


def test_the_larger_picture_gives_the_same(clean: ScannedBoard) -> None:
    twice = np.repeat(np.repeat(drawn(), 2, axis=0), 2, axis=1)
    board = scan_board(twice, COLOURS, (INK,))
    found, half = (np.array([(s.x, s.y) for s in one.symbols]) for one in (board, clean))
    assert found == pytest.approx(2 * half + 0.5, abs=1.0)
    assert sorted((link.railroad, link.a, link.b) for link in board.links) == sorted(
        (link.railroad, link.a, link.b) for link in clean.links
    )


def test_the_same_picture_gives_the_same_lines(clean: ScannedBoard) -> None:
    again = scan_board(drawn(), COLOURS, (INK,))
    assert [line.line.tolist() for line in again.lines] == [line.line.tolist() for line in clean.lines]


def test_the_colour_of_symbols_is_found() -> None:
    pixels = drawn()
    assert len(scan_board(pixels, COLOURS, guess_symbol_colours(pixels)).symbols) == 7


def test_an_ink_is_picked_beside_the_pixel() -> None:
    pixels = drawn()
    assert pick_colour(pixels, 140, 63) == COLOURS["red"]


def test_an_ink_is_picked_where_its_line_meets_a_dot() -> None:
    """Between the edge of a black dot and paper lies a grey that is darker than the teal line."""
    page: Pixels = np.full((120, 120, 3), 255, np.uint8)
    page[28:33, :30] = (0, 131, 143)
    page[20:40, 30] = (84, 84, 84)
    page[20:40, 31:50] = (27, 27, 27)
    assert pick_colour(page, 27, 30) == "#00838f"


def test_a_line_ends_on_the_line_that_it_joins(clean: ScannedBoard) -> None:
    """The blue lines meet where there is no symbol: the end of one is a vertex of the other."""
    blue = [line for line in clean.lines if line.railroad == "blue"]
    ends = [line.line[0 if line.a is None else -1] for line in blue if line.a is None or line.b is None]
    assert ends
    for end in ends:
        others = [line.line for line in blue if not (line.line == end).all(axis=1)[[0, -1]].any()]
        assert min(float(np.hypot(*(other - end).T).min()) for other in others) < 0.01


@pytest.mark.parametrize("shade", [0, 255])
def test_a_plain_page_shows_no_board(shade: int) -> None:
    page: Pixels = np.full((200, 300, 3), shade, np.uint8)
    with pytest.raises(SourceError, match="no board found in this picture: 0 dots and squares") as error:
        scan_board(page, COLOURS, (INK,))
    assert f"Seen: 300 by 200 pixels, 100% #{3 * f'{shade:02x}'}." in str(error.value)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("reed,#112233,,", "no railroad 'reed' in railroads.csv (did you mean 'red'?)"),
        ("red,crimson,,", "colour 'crimson' is not one; write it as #rrggbb"),
        ("red,,,", "no colour; give #rrggbb, or x and y of a pixel on its line"),
        ("red,,900,10", "pixel 900, 10 is outside the picture of 520 by 400; correct it"),
        ("red,#112233,,\nred,#112244,,", "railroad 'red' has a colour above; remove one of them"),
    ],
)
def test_a_wrong_row_of_colours_is_named(rows: str, said: str) -> None:
    with pytest.raises(SourceError) as error:
        read_colours(f"railroad,colour,x,y\n{rows}\n", drawn(), file="inks.csv", railroads=COLOURS)
    assert str(error.value).startswith("inks.csv:")
    assert said in str(error.value)


def test_colours_are_stated_or_picked() -> None:
    table = "railroad,colour,x,y\nblue,#153890,,\nred,,140,60\n"
    inks = read_colours(table, drawn(), file="inks.csv", railroads=COLOURS)
    assert inks == ({"blue": "#153890", "red": "#d8232a"}, {"red": (140, 60)})
