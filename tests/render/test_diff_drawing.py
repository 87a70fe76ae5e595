"""The difference of two boards as a drawing."""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tiny import tiny_board

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.diff.drawing import COLOURS, render_diff
from mapkit.kinds.rail.render.diff.union import REMOVED_PREFIX, unite_boards
from mapkit.kinds.rail.render.layout import clear_layout_cache, lay_out
from mapkit.kinds.rail.variants.board_diff import diff_boards

sys.path.insert(0, str(Path(__file__).parent.parent / "variants"))

from edits import edited, field, milepost, no_track, one, track

TINY = edited(tiny_board())
CHANGED = edited(
    TINY,
    milepost("coy", -97.5, 42.025),
    no_track("red--cedar--dale"),
    track("red", "cedar", "coy"),
    track("red", "coy", "dale"),
    field("pieces", "green--ash--elm", railroad="red"),
    no_track("green--dale--fir-gum"),
    field("cities", "elm", region="east"),
)


def elements(text: str) -> list[ET.Element]:
    return list(ET.fromstring(text).iter())  # noqa: S314 - our own text


def drawn(a: Board, b: Board) -> str:
    return render_diff(a, b, diff_boards(a, b))


def test_every_segment_and_mark_is_drawn_once() -> None:
    found = elements(drawn(TINY, CHANGED))
    marked = {
        (e.get("class"), e.get("data-segment")) for e in found if e.get("data-segment") and "diff" in e.get("class", "")
    }
    assert marked == {
        ("diff-segment diff-added", "red--cedar--coy"),
        ("diff-segment diff-added", "red--coy--dale"),
        ("diff-segment diff-removed", "red--cedar--dale"),
        ("diff-segment diff-removed", "green--dale--fir-gum"),
        ("diff-segment diff-changed", "red--ash--elm"),
    }
    marks = Counter(e.get("class") for e in found if (e.get("class") or "").startswith(("diff-milepost", "diff-city")))
    assert marks == {"diff-milepost diff-added": 1, "diff-city diff-changed": 1}


def test_colours_and_forms_tell_them_apart() -> None:
    found = elements(drawn(TINY, CHANGED))
    lines = {e.get("class", ""): e for e in found if e.get("data-segment")}
    for how, colour in COLOURS.items():
        assert lines[f"diff-segment diff-{how}"].get("stroke") == colour
    assert lines["diff-segment diff-removed"].get("stroke-dasharray")
    assert lines["diff-segment diff-added"].get("stroke-dasharray") is None
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_the_legend_counts_and_explains() -> None:
    texts = [e.text for e in elements(drawn(TINY, CHANGED)) if e.tag.endswith("text")]
    assert "added: 2 segments, 1 milepost" in texts
    assert "removed: 2 segments" in texts
    assert "changed: 1 segment, 1 city" in texts
    assert "- Coy stands between Cedar and Dale on RED" in texts


def test_a_moved_milepost_is_led_to_its_place() -> None:
    moved = edited(TINY, field("mileposts", "birch", lat=42.3))
    paths = [e.get("d") for e in elements(drawn(TINY, moved)) if e.get("class") == "diff-moved" and e.get("d")]
    (path,) = paths
    ends = [tuple(map(float, word.split(","))) for word in str(path).replace("M", "").split(" L")]
    old, new = (one(b.model_dump(), "mileposts", "birch") for b in (TINY, moved))
    # where they are drawn: a little off where they are projected to
    assert ends[0] == pytest.approx((old["x"], old["y"]), abs=1.0)
    assert ends[1] == pytest.approx((new["x"], new["y"]), abs=1.0)


def test_removed_places_are_crossed_out() -> None:
    gone = edited(
        TINY,
        lambda data: data["mileposts"].remove(one(data, "mileposts", "hill")),
        *(no_track(p) for p in ("green--elm--hill", "green--birch--hill", "green--fir-gum--hill", "blue--hill--j")),
    )
    found = elements(drawn(TINY, gone))
    crossed = [e for e in found if e.get("class") == "diff-milepost diff-removed"]
    assert [e.get("data-milepost") for e in crossed] == ["hill"]
    # through the junction: the three segments of BLUE at J were three, two of them led to Hill
    removed = {e.get("data-segment") for e in found if "diff-removed" in e.get("class", "") and e.get("data-segment")}
    assert removed == {
        "blue--cedar--hill",
        "blue--fir-gum--hill",
        "green--birch--hill",
        "green--elm--hill",
        "green--fir-gum--hill",
    }


def test_same_boards_same_bytes_and_nothing_marked() -> None:
    first = drawn(TINY, CHANGED)
    clear_layout_cache()
    assert first == drawn(TINY, CHANGED)
    same = drawn(TINY, TINY)
    assert "added: nothing" in same
    assert not [e for e in elements(same) if e.get("data-segment")]


@pytest.fixture(scope="module")
def west() -> Board:
    """The western United States; making it takes a second."""
    return mapkit.load("usa", variants=["western-us"])


@pytest.mark.parametrize("way", [1, -1])
def test_a_part_is_drawn_on_the_page_of_the_whole(usa: Board, west: Board, way: int) -> None:
    """What lies outside a regional board's page is on the page of the larger one."""
    a, b = (usa, west)[::way]
    difference = diff_boards(a, b)
    found = elements(render_diff(a, b, difference))
    root = found[0]
    assert root.get("width") == f"{usa.page.width:g}mm"
    how = "removed" if way == 1 else "added"
    spot = next(e for e in found if e.get("data-milepost") == "miami" and how in e.get("class", ""))
    circle = next(c for c in spot.iter() if c.get("d") or c.get("cx"))
    both = lay_out(unite_boards(a, b, difference).board).spots
    miami = both["miami"] if "miami" in both else both[REMOVED_PREFIX + "miami"]
    middle = float(circle.get("cx") or sum(float(w.strip("ML").split(",")[0]) for w in circle.get("d", "").split()) / 4)
    assert middle == pytest.approx(miami[0], abs=0.02)
