"""Cards in a grid: the shape of the grid, which face is where, and ids that do not meet."""

import io

import pytest
from PIL import Image

from mapkit import Board
from mapkit.drawing.sheet import Sheet
from mapkit.exchange.card_grid import LONGEST, draw_card_set, grid_shape, grid_svg
from mapkit.kinds.rail.exchange.bga.format import card_cells, stylesheet
from mapkit.kinds.rail.render.layout import lay_out


def face(number: int) -> str:
    """A card of one colour, painted through a gradient whose id is the same on all cards."""
    colour = f"#{number:02x}{255 - number:02x}80"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88"><defs>'
        f'<linearGradient id="g"><stop offset="0" stop-color="{colour}"/></linearGradient></defs>'
        '<rect width="63" height="88" fill="url(#g)"/></svg>'
    )


def cards(numbers: list[int], group: str = "deed") -> list[Sheet]:
    return [Sheet(f"{group}-x{n}", f"Card: {n}", face(n), 63, 88, "card", None) for n in numbers]


@pytest.mark.parametrize(
    ("count", "shape"),
    [(1, (2, 2, 8)), (4, (2, 2, 8)), (5, (3, 2, 8)), (28, (7, 4, 8)), (40, (8, 5, 8)),
     (41, (7, 6, 7)), (70, (10, 7, 6))],
)  # fmt: skip
def test_grids_are_sharp_and_hold_all(count: int, shape: tuple[int, int, int]) -> None:
    assert grid_shape(count) == shape
    columns, rows, sharp = shape
    assert columns * rows >= count
    assert max(columns * 63 * sharp, rows * 88 * sharp) <= LONGEST


def test_more_than_one_grid_cannot_hold_is_an_error() -> None:
    with pytest.raises(ValueError, match="71 cards do not fit"):
        grid_shape(71)


def test_each_card_has_its_own_face_and_copies_share_one() -> None:
    made = draw_card_set(cards([0, 100, 200, 0, 100]))
    assert made.places == ((0, 0), (0, 1), (0, 2), (0, 0), (0, 1))
    (grid,) = made.grids
    image = Image.open(io.BytesIO(grid.png)).convert("RGB")
    assert image.size == (grid.width, grid.height) == (2 * 504, 2 * 704)
    colours = [image.getpixel((504 * (cell % 2) + 252, 704 * (cell // 2) + 352)) for cell in range(4)]
    assert colours == [(0, 255, 128), (100, 155, 128), (200, 55, 128), (255, 255, 255)]
    assert Image.open(io.BytesIO(made.back)).size == (504, 704)


def test_many_cards_are_several_pictures(tiny: Board) -> None:
    deeds = cards(list(range(75)))
    made = draw_card_set(deeds)
    assert [(grid.columns, grid.rows) for grid in made.grids] == [(10, 7), (3, 2)]
    assert made.places[69:72] == ((0, 69), (1, 0), (1, 1))
    cells = card_cells(deeds, made)
    assert (cells["x0"], cells["x69"], cells["x70"], cells["x74"]) == (0, 69, 70, 74)
    css = stylesheet(tiny, lay_out(tiny), (400, 300), {"deeds": made.grids}, {"deeds": cells})
    assert ".mk-deeds_x69 { background: url('img/deeds.png') 100% 100% / 1000% 700%; }" in css
    assert ".mk-deeds_x70 { background: url('img/deeds_2.png') 0% 0% / 300% 200%; }" in css
    assert ".mk-deeds_x74 { background: url('img/deeds_2.png') 50% 100% / 300% 200%; }" in css


def test_ids_of_cards_do_not_meet() -> None:
    text = grid_svg([face(1), face(2)], 2, 2)
    assert [text.count(part) for part in ('id="c0-g"', 'id="c1-g"', "url(#c0-g)", "url(#c1-g)", "(#g)")] == [
        1,
        1,
        1,
        1,
        0,
    ]
