"""Drafts on the rail lines of a file."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from conftest import Run

import mapkit
from mapkit.kinds.rail.drafting.user_lines import _join_loose_ends, _split_at_crossings, read_user_lines

CITIES = {
    "Lisbon": (-9.13, 38.72), "Setúbal": (-8.89, 38.52), "Évora": (-7.91, 38.57), "Beja": (-7.86, 38.01),
    "Faro": (-7.93, 37.02), "Lagos": (-8.67, 37.10), "Sines": (-8.87, 37.96), "Santarém": (-8.69, 39.23),
    "Portalegre": (-7.43, 39.29), "Elvas": (-7.16, 38.88),
}  # fmt: skip
LINES = (
    ("Lisbon", "Setúbal", "Sines", "Lagos", "Faro", "Beja", "Évora", "Elvas", "Portalegre", "Santarém", "Lisbon"),
    ("Setúbal", "Évora", "Santarém"),
    ("Sines", "Beja", "Elvas"),
    ("Évora", "Portalegre"),
)


@pytest.fixture
def space(tmp_path: Path) -> Path:
    features = [
        {
            "type": "Feature",
            "properties": {},
            "geometry": {"type": "LineString", "coordinates": [CITIES[name] for name in names]},
        }
        for names in LINES
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    (tmp_path / "lines.geojson").write_text(text, encoding="utf-8")
    return tmp_path


def test_railroads_run_on_the_lines_of_the_file(space: Path, run: Run) -> None:
    words = ("draft", "south", "--lines", "lines.geojson", "--region", "PT", "--cities", "8", "--railroads", "3")
    told = run(*words, "-w", str(space))
    assert told.code == 0, told.err
    assert "lines: those of lines.geojson that are needed" in told.err
    board = mapkit.load("south", workspace=space)
    assert mapkit.check(board, drawing=False).ok
    drawn = shapely.union_all([shapely.LineString([CITIES[name] for name in names]) for names in LINES])
    off = [drawn.distance(shapely.Point(post.lon, post.lat)) for post in board.mileposts]
    assert max(off) < 0.12  # a milepost lies at a town near the line


def test_the_surroundings_of_the_lines_are_the_region_if_none_is_named(space: Path) -> None:
    made = mapkit.draft("south", mapkit.DraftAsked(lines="lines.geojson", cities=6, railroads=2), workspace=space)
    assert made.figures.cities == 6
    assert all(-9.6 < post.lon < -6.8 for post in mapkit.load("south", workspace=space).mileposts)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--region", "Fiji", "--cities", "6"), "lines.geojson: no line of it lies in Fiji; give lines of the region"),
        (("--region", "PT", "--cities", "60"), "at the lines of lines.geojson"),
        (("--region", "PT", "--cities", "8", "--include", "Lisbonne"), "--include: Portugal"),
    ],
)
def test_lines_that_do_not_fit_are_refused_and_nothing_is_written(
    words: tuple[str, ...], said: str, space: Path, run: Run
) -> None:
    told = run("draft", "bad", "--lines", "lines.geojson", *words, "-w", str(space))
    assert told.code in (1, 2)
    assert said in " ".join(told.err.split())
    assert not (space / "sources").exists()


def test_a_file_without_lines_is_refused(tmp_path: Path, run: Run) -> None:
    point = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}
    text = json.dumps({"type": "FeatureCollection", "features": [point]})
    (tmp_path / "points.geojson").write_text(text, encoding="utf-8")
    told = run("draft", "bad", "--lines", "points.geojson", "-w", str(tmp_path))
    assert told.code == 1
    assert "points.geojson: no lines" in told.err
    with pytest.raises(mapkit.MapkitError):
        read_user_lines(tmp_path / "none.geojson", "none.geojson")


def test_lines_are_cut_where_they_meet_and_ends_reach_the_next_line() -> None:
    cross = [shapely.LineString([(0, 0), (10, 0)]), shapely.LineString([(5, -5), (5, 5)])]
    near = shapely.LineString([(7, 0.4), (7, 6)])
    edges = _split_at_crossings(np.array([*cross, near], dtype=object), 0.1)
    assert len(edges) == 5
    joined = _join_loose_ends(edges, 1.0)
    ends = {tuple(np.round(edge[k], 2).tolist()) for edge in joined for k in (0, -1)}
    assert (7.0, 0.0) in ends
    assert len(joined) == 6
