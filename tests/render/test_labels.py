"""Names find room, or are left out; none overlaps another or covers a symbol; widths of text."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.base import Area
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.symbols import format_milepost_label
from mapkit.kinds.rail.render.text.candidates import set_name_blocks
from mapkit.kinds.rail.render.text.labels import LabelObstacles, NameToPlace, PlacedName, cover_names, place_names

AREA = (0.0, 0.0, 200.0, 200.0)
SIDE = 1.1


def dot(key: str, x: float, y: float, *, bold: bool = False, text: str = "") -> NameToPlace:
    size = 4.0 if bold else 2.2
    return NameToPlace(key, text or f"Place {key}", x, y, SIDE, SIDE, size, bold=bold, gaps=(0.5, 1.0, 2.0))


def box_of(name: NameToPlace) -> Area:
    return (name.x - name.hx, name.y - name.hy, name.x + name.hx, name.y + name.hy)


def place(names: list[NameToPlace], lines: list[Array] | None = None, area: Area = AREA) -> tuple[PlacedName, ...]:
    return place_names(names, LabelObstacles(area, [box_of(n) for n in names], lines or []))


def check(names: list[NameToPlace], placed: tuple[PlacedName, ...]) -> None:
    """Assert all that is never allowed to happen."""
    shapes = cover_names(placed, 0.0)
    assert [(a, b) for a, b in combinations(range(len(placed)), 2) if shapes[a].intersects(shapes[b])] == []
    for spot, shape in zip(placed, cover_names([s for s in placed if not s.leader], 0.0), strict=False):
        del spot
        for name in names:
            left, top, right, bottom = shape.bounds
            x0, y0, x1, y1 = box_of(name)
            assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top
    assert {n.key for n in names if n.bold} <= {p.name.key for p in placed}
    for spot in placed:
        assert spot.box[0] >= AREA[0]
        assert spot.box[1] >= AREA[1]
        assert spot.box[2] <= AREA[2]
        assert spot.box[3] <= AREA[3]


def test_a_lonely_name_stands_right_of_its_symbol_level_with_it() -> None:
    (placed,) = place([dot("a", 50, 50)])
    assert (placed.anchor, placed.x) == ("start", 51.6)
    assert placed.y == pytest.approx(50 + 0.345 * 2.2, abs=0.01)
    assert placed.leader is None


def test_a_name_at_the_edge_turns_inwards() -> None:
    (placed,) = place([dot("a", 198, 50)])
    assert placed.anchor == "end"


def test_a_name_keeps_off_a_line() -> None:
    import numpy as np  # noqa: PLC0415

    (placed,) = place([dot("a", 50, 50)], [np.array([(50.0, 50.0), (150.0, 50.0)])])
    assert not placed.box[1] < 50 < placed.box[3] or placed.anchor == "end"


def test_a_long_name_may_stand_in_two_rows() -> None:
    one, two = set_name_blocks("San Francisco", 4.0, bold=True, breaks=True)
    assert (one.rows, two.rows) == (("San Francisco",), ("San", "Francisco"))
    assert two.width == text_width("Francisco", 4.0, bold=True)
    assert [b.rows for b in set_name_blocks("Oklahoma City", 4.0, bold=True, breaks=True)][1] == ("Oklahoma", "City")


@pytest.mark.parametrize("text", ["Portland OR", "Washington DC", "St. Paul", "Indianapolis"])
def test_short_parts_are_not_torn_off(text: str) -> None:
    assert [b.rows for b in set_name_blocks(text, 4.0, bold=True, breaks=True)] == [(text,)]


def test_two_rows_where_one_is_too_wide() -> None:
    width = text_width("Francisco", 4.0, bold=True)
    area = (50 - SIDE - width - 2.0, 0.0, 50 + SIDE + 0.7, 100.0)
    (placed,) = place([dot("a", 50, 50, bold=True, text="San Francisco")], area=area)
    assert [row for row, _ in placed.rows] == ["San", "Francisco"]


@given(
    st.lists(st.tuples(st.integers(2, 48), st.integers(2, 48), st.booleans()), max_size=40, unique_by=lambda s: s[:2])
)
@settings(max_examples=examples(40))
def test_names_never_overlap_and_cities_are_always_named(spots: list[tuple[int, int, bool]]) -> None:
    names = [dot(str(i), x * 4, y * 4, bold=bold and i < 12) for i, (x, y, bold) in enumerate(spots)]
    check(names, place(names))


def test_the_best_of_all_arrangements_is_found() -> None:
    # three names in a row of dots so close that greedy choice from the left would spend the only free side
    names = [dot(str(i), 60 + 2.6 * i, 60, text="Aaaaaaaa") for i in range(5)]
    placed = place(names)
    check(names, placed)
    assert len(placed) == 5


def test_city_names_are_kept_where_dots_give_way() -> None:
    names = [dot(str(i), 60 + 3 * (i % 8), 60 + 3 * (i // 8)) for i in range(40)] + [dot("city", 70, 66.5, bold=True)]
    placed = place(names)
    check(names, placed)
    assert len(placed) < len(names)


def test_a_city_in_the_middle_of_dots_gets_a_leader_line() -> None:
    ring = [dot(str(i), 100 + 2.4 * dx, 100 + 2.4 * dy) for i, (dx, dy) in enumerate(
        (dx, dy) for dx in range(-4, 5) for dy in range(-4, 5) if (dx, dy) != (0, 0))]  # fmt: skip
    names = [*ring, dot("city", 100, 100, bold=True)]
    placed = place(names)
    city = placed[-1]
    assert city.name.key == "city"
    assert city.leader is not None
    start, end = city.leader
    assert max(abs(start[0] - 100), abs(start[1] - 100)) == pytest.approx(SIDE, abs=0.01)
    assert math.dist(end, (100, 100)) > 5


def test_a_city_is_named_even_where_dots_leave_no_room_at_all() -> None:
    dots = [dot(f"{x} {y}", 4 + 3 * x, 4 + 3 * y) for x in range(30) for y in range(30)]
    city = dot("city", 50.5, 50.5, bold=True)
    (placed,) = place([city, *dots], area=(0, 0, 95, 95))
    assert placed.name.key == "city"


def test_a_city_off_the_page_is_not_named() -> None:
    inside, outside = dot("a", 50, 50, bold=True), dot("b", 900, 50, bold=True)
    assert [spot.name.key for spot in place([inside, outside])] == ["a"]


def test_nothing_to_place() -> None:
    assert place([]) == ()


def test_same_names_same_places() -> None:
    names = [dot(str(i), 40 + 4.1 * (i % 9), 40 + 3.7 * (i // 9), bold=i % 20 == 0) for i in range(60)]
    assert place(names) == place(names)


@pytest.mark.parametrize(
    ("text", "bold", "thousandths"), [("A", False, 526), ("il", False, 516), ("Ä", True, 543), ("京", False, 1000)]
)
def test_text_width(text: str, bold: bool, thousandths: int) -> None:  # noqa: FBT001 - a parameter of the table
    assert text_width(text, 1.0, bold=bold) == pytest.approx(thousandths / 1000)


def test_codes_of_data_sources_stay_off_the_map() -> None:
    """GeoNames numbers the provinces; other numbers belong to a name."""
    names = ("Heidelberg 06", "Abbeville 32", "Kilometre 45", "Castle-Cary 2", "Heidelberg 99")
    assert [format_milepost_label(n) for n in names] == ["Heidelberg", "Abbeville", *names[2:]]


@pytest.mark.parametrize("name", ["Harbourton - Westport 3", "44.92N 28.71W - Southaven 2", "44.93N 28.59W"])
def test_working_names_stay_off_the_map(tiny: Board, name: str) -> None:
    dot = next(m for m in tiny.mileposts if m.kind == "dot")
    mileposts = tuple(m.model_copy(update={"name": name}) if m == dot else m for m in tiny.mileposts)
    layout = lay_out(tiny.model_copy(update={"mileposts": mileposts}))
    assert f"m-{dot.id}" not in {spot.name.key for spot in layout.names}
    assert f"m-{dot.id}" not in layout.left_out


def test_names_on_the_map_leave_the_state_out() -> None:
    assert [format_milepost_label(n) for n in ("Altoona PA", "St. Cloud", "AB")] == ["Altoona", "St. Cloud", "AB"]
