"""Names find room, or are left out; widths of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.render.labels import Name, Placed, place_names
from mapkit.render.symbols import milepost_label
from mapkit.render.text_width import text_width

AREA = (0.0, 0.0, 200.0, 200.0)


def dot(key: str, x: float, y: float, *, bold: bool = False) -> Name:
    return Name(key, f"Place {key}", x, y, 1.1, 1.1, 4.0 if bold else 2.0, bold=bold, gaps=(0.4, 1.0, 2.0))


def place(names: list[Name]) -> tuple[Placed, ...]:
    symbols = [(n.x - n.hx, n.y - n.hy, n.x + n.hx, n.y + n.hy) for n in names]
    return place_names(names, symbols=symbols, lines=[], area=AREA)


def test_a_lonely_name_stands_right_of_its_symbol() -> None:
    (placed,) = place([dot("a", 50, 50)])
    assert (placed.anchor, placed.x) == ("start", 51.5)
    assert placed.box[1] < 50 < placed.box[3]


def test_a_name_at_the_edge_turns_inwards() -> None:
    (placed,) = place([dot("a", 198, 50)])
    assert placed.anchor == "end"


@given(st.lists(st.tuples(st.integers(2, 48), st.integers(2, 48)), max_size=40, unique=True))
def test_names_never_overlap(spots: list[tuple[int, int]]) -> None:
    placed = place([dot(str(i), x * 4, y * 4) for i, (x, y) in enumerate(spots)])
    for i, one in enumerate(placed):
        for other in placed[i + 1 :]:
            a, b = one.box, other.box
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_city_names_are_kept_where_dots_give_way() -> None:
    names = [dot(str(i), 60 + 3 * (i % 8), 60 + 3 * (i // 8)) for i in range(40)] + [dot("city", 70, 66, bold=True)]
    keys = {p.name.key for p in place(names)}
    assert "city" in keys
    assert len(keys) < len(names)


def test_nothing_to_place() -> None:
    assert place([]) == ()


@pytest.mark.parametrize(
    ("text", "bold", "thousandths"), [("A", False, 526), ("il", False, 516), ("Ä", True, 543), ("京", False, 1000)]
)
def test_text_width(text: str, bold: bool, thousandths: int) -> None:  # noqa: FBT001 - a parameter of the table
    assert text_width(text, 1.0, bold=bold) == pytest.approx(thousandths / 1000)


def test_names_on_the_map_leave_the_state_out() -> None:
    assert [milepost_label(n) for n in ("Altoona PA", "St. Cloud", "AB")] == ["Altoona", "St. Cloud", "AB"]
