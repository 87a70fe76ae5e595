"""Solved palettes, what touches, and the command that prints them."""

import csv
from pathlib import Path

import numpy as np
import pytest
from boards import shipped
from conftest import Run

import mapkit
from mapkit.core.errors import UnknownNameError
from mapkit.core.findings import Severity
from mapkit.drawing.colours.colour import contrast, lightness, oklab, rgb, rgbs
from mapkit.drawing.theme.theme import CLASSIC, THEMES
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.checks import find_alike_in_grey
from mapkit.kinds.rail.render.colours.distances import LIMIT, report_colour_distances
from mapkit.kinds.rail.render.colours.solver import NEAR, list_candidate_colours, measure_livery_distance, solve_colours
from mapkit.kinds.rail.render.lines.adjacency import find_adjacent_railroads, find_adjacent_regions


def restyled(board: Board, styles: dict[str, Style]) -> Board:
    railroads = tuple(r.model_copy(update={"style": styles[r.id]}) for r in board.railroads)
    return board.model_copy(update={"railroads": railroads})


def test_what_touches_on_the_united_states_board() -> None:
    usa = shipped("usa")
    pairs = {(t.a, t.b): t.kind for t in find_adjacent_railroads(usa)}
    assert len(pairs) == 166
    assert sum(kind == "beside" for kind in pairs.values()) == 24
    assert pairs["rfp", "sal"] == "touch"
    assert ("bm", "sp") not in pairs
    assert len(find_adjacent_regions(usa)) == 13
    assert ("northeast", "southeast") in find_adjacent_regions(usa)


@pytest.mark.parametrize(
    ("name", "smallest", "same", "grey"),
    [("usa", 4.19, 16.03, 10.04), ("portugal", 8.88, 18.09, 10.05), ("mexico", 14.14, 14.14, 10.05)],
)
def test_shipped_colours_are_apart(name: str, smallest: float, same: float, grey: float) -> None:
    found = report_colour_distances(shipped(name))
    assert (found.smallest, found.smallest_same_pattern, found.smallest_grey) == (smallest, same, grey)
    assert (found.alike, found.alike_in_grey) == ((), ())
    assert all(p.smallest >= LIMIT or p.patterns_differ for p in found.railroads)
    assert [p.smallest for p in found.railroads] == sorted(p.smallest for p in found.railroads)


def test_lightness_is_that_of_cielab() -> None:
    assert np.round(lightness(rgbs(["#000000", "#ffffff", "#777777", "#ff0000"])), 2).tolist() == [
        0.0,
        100.0,
        50.03,
        53.24,
    ]


def test_what_a_grey_copy_makes_alike_is_a_note(tiny: Board) -> None:
    """Red and blue are far apart to every eye, and one grey in a copy."""

    def board(blue: Style) -> Board:
        styles = {r.id: r.style for r in tiny.railroads} | {"red": Style(colour="#d8232a", pattern="solid")}
        return restyled(tiny, styles | {"blue": blue})

    alike = board(Style(colour="#2d72b8", pattern="solid"))
    found = [f for f in mapkit.check(alike).findings if f.code in {"R09", "R14"}]
    assert [(f.code, f.severity, f.elements) for f in found] == [("R14", Severity.NOTE, ("blue", "red"))]
    assert "touch, with one pattern and a lightness only 0.1 apart" in found[0].message
    for better in (Style(colour="#2d72b8", pattern="dash"), Style(colour="#1f4e9c", pattern="solid")):
        assert find_alike_in_grey(board(better)) == ()


def test_solved_colours_are_apart_in_grey() -> None:
    """Of the styles that were solved for sight alone, AT&SF and NYC were the nearest."""
    usa = shipped("usa")
    was = {"nyc": "#5f6a72", "tp": "#0f8f96", "sou": "#5a745a"}
    styles = {r.id: Style(colour=was.get(r.id, r.style.colour), pattern=r.style.pattern) for r in usa.railroads}
    board = restyled(usa, styles)
    assert ("atsf", "nyc") in report_colour_distances(board).alike_in_grey
    solved = report_colour_distances(restyled(board, dict(solve_colours(board).styles)))
    assert (solved.alike, solved.alike_in_grey) == ((), ())


def test_a_green_railroad_stays_green(usa: Board) -> None:
    """Liveries keep their hue where they can: none is made grey, and none is turned by more than a colour's name."""
    dull = {"sou": "#4f7a5c", "gmo": "#7a4f4f", "sal": "#5c7a4f", "ln": "#4f5c7a", "acl": "#6f5f7a"}
    styles = {r.id: Style(colour=dull.get(r.id, r.style.colour), pattern=r.style.pattern) for r in usa.railroads}
    solved = solve_colours(restyled(usa, styles))
    for ident, style in styles.items():
        was, now = (oklab(rgb(colour)) for colour in (style.colour, solved.styles[ident].colour))
        if np.hypot(was[1], was[2]) >= 0.04:
            assert np.hypot(now[1], now[2]) >= 0.03, ident
            turn = np.degrees(np.arctan2(now[2], now[1]) - np.arctan2(was[2], was[1]))
            assert abs((turn + 180) % 360 - 180) <= 50, ident


def test_one_colour_for_all_is_solved() -> None:
    portugal = shipped("portugal")
    red = Style(colour="#b5273a", pattern="solid")
    poor = restyled(portugal, {r.id: red for r in portugal.railroads})
    assert report_colour_distances(poor).smallest == 0
    assert len(report_colour_distances(poor).alike) == 20
    solved = solve_colours(poor, keep=["nl"], near=100)
    assert solved == solve_colours(poor, keep=["nl"], near=100)
    assert solved.styles["nl"] == red
    better = report_colour_distances(restyled(poor, dict(solved.styles)))
    assert better.alike == ()
    assert (better.smallest or 0) > 5
    assert {s.colour for s in solved.styles.values()} - {red.colour} <= set(list_candidate_colours())


def test_colours_stay_near_liveries_and_stand_out() -> None:
    mexico = shipped("mexico")
    solved = solve_colours(mexico, keep=["central"])
    for railroad in mexico.railroads:
        style = solved.styles[railroad.id]
        assert measure_livery_distance(railroad.style.colour, style.colour) <= NEAR
        assert contrast(style.colour, CLASSIC.land) >= 3
    assert all(contrast(c, "#ffffff") >= 3 for c in list_candidate_colours())
    with pytest.raises(UnknownNameError, match=r"'centrol' is not a railroad of mexico \(did you mean 'central'\?\)"):
        solve_colours(mexico, keep=["centrol"])


def test_the_command_reports_and_solves(run: Run, tmp_path: Path, example: Path) -> None:
    workspace = example.parent.parent
    ran = run("colours", "example", "--workspace", workspace)
    assert ran.code == 0
    assert "smallest difference" in ran.out
    table = tmp_path / "out" / "railroads.csv"
    assert run("colours", "example", "--workspace", workspace, "--solve", "--out", table).code == 0
    rows = {row["id"]: row for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines())}
    old = {
        row["id"]: row
        for row in csv.DictReader((example / "railroads.csv").read_text(encoding="utf-8-sig").splitlines())
    }
    assert {k: (v["name"], v["price"]) for k, v in rows.items()} == {k: (v["name"], v["price"]) for k, v in old.items()}
    (example / "railroads.csv").write_bytes(table.read_bytes())
    assert run("check", "example", "--workspace", workspace).code == 0
    wrong = run("colours", "example", "--workspace", workspace, "--solve", "--keep", "XYZ")
    assert (wrong.code, "'XYZ' is not a railroad" in wrong.err) == (1, True)


def test_a_board_is_drawn_in_a_theme(run: Run, tmp_path: Path, example: Path) -> None:
    workspace = example.parent.parent
    picture = tmp_path / "dark.svg"
    drawn = run("draw", "example", "-w", workspace, "--theme", "dark", "--no-dot-names", "--out", picture)
    assert (drawn.code, drawn.out.strip()) == (0, str(picture))
    text = picture.read_text(encoding="utf-8")
    assert 'fill="#1d242b"' in text
    assert 'id="label-c-' in text
    assert 'id="label-m-' not in text
    again = run(
        "draw", "example", "-w", workspace, "--theme", "dark", "--no-dot-names", "--contrast", "1", "-o", picture
    )
    assert again.code == 0
    assert picture.read_text(encoding="utf-8") != text
    wrong = run("draw", "example", "-w", workspace, "--out", tmp_path / "x.bmp")
    assert (wrong.code, "a picture's name ends in .svg" in wrong.err) == (2, True)
    wrong = run("draw", "example", "-w", workspace, "--theme", "drak")
    assert (wrong.code, "did you mean 'dark'" in wrong.err) == (2, True)
    assert [line.split()[0] for line in run("themes").out.splitlines()[1:]] == list(THEMES)


def test_a_board_without_cities_has_no_neighbouring_regions(tiny: Board) -> None:
    """So an author sees the colours, and every check, of a board that has no city yet."""
    bare = tiny.model_copy(update={"cities": ()})
    assert find_adjacent_regions(bare) == ()
    assert find_adjacent_regions(bare.model_copy(update={"mileposts": (), "segments": (), "pieces": ()})) == ()
