"""Paths of pages: the same vertices in less text."""

import re

from hypothesis import given
from hypothesis import strategies as st

import mapkit
from mapkit.drawing.short_paths import shorten_paths
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out

Parts = list[tuple[list[tuple[int, int]], bool]]
HUNDREDTHS = st.integers(-200_000, 200_000)
PARTS = st.lists(
    st.tuples(st.lists(st.tuples(HUNDREDTHS, HUNDREDTHS), min_size=1, max_size=6), st.booleans()),
    min_size=1,
    max_size=4,
)


def read_path(path: str) -> Parts:
    """Read a path of M, m, L, l, Z and z by the rules of SVG 1.1, 8.3: hundredths, and whether each part is closed."""
    parts: Parts = []
    x = y = 0
    for letter, numbers in re.findall(r"([MmLlZz])([^MmLlZz]*)", path):
        steps = [round(float(number) * 100) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        if letter in "Zz":
            parts[-1] = (parts[-1][0], True)
            x, y = parts[-1][0][0]
        for n, (a, b) in enumerate(zip(steps[::2], steps[1::2], strict=True)):
            x, y = (x + a, y + b) if letter.islower() else (a, b)
            if letter in "Mm" and n == 0:
                parts.append(([], False))
            parts[-1][0].append((x, y))
    return parts


@given(PARTS)
def test_a_shortened_path_has_the_same_vertices(parts: Parts) -> None:
    def text(hundredths: int) -> str:
        return f"{hundredths / 100:g}" if hundredths % 10 else f"{hundredths / 100:.1f}".removesuffix(".0")

    path = " ".join(
        "M" + " L".join(" ".join(",".join(map(text, at)) for at in run) for run in (points[:1], points[1:]) if run)
        + (" Z" if closed else "")
        for points, closed in parts
    )  # fmt: skip
    shorter = shorten_paths(f'<path d="{path}" />')
    found = re.fullmatch(r'<path d="([^"]*)" />', shorter)
    assert found is not None
    assert read_path(path) == parts
    assert read_path(found[1]) == parts
    assert found[1].startswith("M")


def test_curves_and_relative_paths_stay() -> None:
    drawing = '<path d="M1,2 C3,4 5,6 7,8" /><path d="m1 2l3 4" /><path data-d="M1,2 L3,4" />'
    assert shorten_paths(drawing) == drawing


def test_a_board_keeps_its_vertices_in_less_text(tiny: mapkit.Board) -> None:
    drawing = draw_board(lay_out(tiny)).to_html()
    shorter = shorten_paths(drawing)
    before, after = (re.findall(r' d="(M[^"]*)"', text) for text in (drawing, shorter))
    assert [read_path(path) for path in before if "C" not in path] == [read_path(p) for p in after if "C" not in p]
    assert len("".join(after)) < 0.8 * len("".join(before))
