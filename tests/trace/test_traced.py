"""Lines somebody drew become the same board as the station lists they were drawn from."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from board_helpers import open_folder
from conftest import Run

import mapkit
from mapkit.core.base import Point
from mapkit.core.findings import Severity
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.tables import BY_RULE

Pieces = list[tuple[str, tuple[Point, ...]]]


def drawn(board: Board) -> tuple[Pieces, list[tuple[str, Point]]]:
    """Return the lines of a board, and its dots with their names."""
    lines = [(piece.railroad, piece.line) for piece in board.pieces]
    return lines, [(m.name, (m.lon, m.lat)) for m in board.mileposts if m.kind == "dot"]


def as_geojson(lines: Pieces, dots: list[tuple[str, Point]]) -> str:
    def feature(kind: str, coordinates: object, **properties: str) -> dict[str, object]:
        return {
            "type": "Feature",
            "properties": properties,
            "geometry": {"type": kind, "coordinates": coordinates},
        }

    features = [feature("LineString", line, railroad=railroad) for railroad, line in lines]
    features += [feature("Point", point, name=name) for name, point in dots]
    return json.dumps({"type": "FeatureCollection", "features": features})


def pixel(point: Point) -> tuple[float, float]:
    """Return where a picture shows a place: rotated, sheared, a thousand pixels to three degrees, y downward."""
    lon, lat = point
    x = lon * math.cos(math.radians(lat))
    return 300 * (x + 54) + 40 * (lat - 43) + 900, -300 * (lat - 43) + 25 * (x + 54) + 700


def as_svg(lines: Pieces, dots: list[tuple[str, Point]], noise: float) -> str:
    random = np.random.default_rng(7)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2000 1500">']
    for railroad in sorted({railroad for railroad, _ in lines}):
        out.append(f'<g id="{railroad}">')
        for name, line in lines:
            if name == railroad:
                spots = np.array([pixel(p) for p in line]) + random.uniform(-noise, noise, (len(line), 2))
                points = " ".join(f"{x:.2f},{y:.2f}" for x, y in spots)
                out.append(f'<polyline fill="none" stroke="#000" points="{points}"/>')
        out.append("</g>")
    for name, point in dots:
        x, y = pixel(point)
        out.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="4"><title>{name}</title></circle>')
    return "\n".join([*out, "</svg>"])


def replace_lines(example: Path, files: dict[str, str]) -> None:
    for path in (example / "lines").iterdir():
        path.unlink()
    for name, text in files.items():
        (example / name).write_text(text, encoding="utf-8")


def _in_order(one: str, other: str) -> tuple[str, str]:
    return min(one, other), max(one, other)


def graph(board: Board) -> list[tuple[str, str, str]]:
    """Return railroad and the names of both ends of every segment."""
    names = {m.id: m.name for m in board.mileposts}
    return sorted((s.railroad, *_in_order(names[s.a], names[s.b])) for s in board.segments)


BY_COLUMN = "file,by,key,railroad\n" + "".join(
    f"all.geojson,column:railroad,{railroad},{railroad}\n" for railroad in ("cross", "shore", "valley")
)


def test_geojson_gives_the_same_board(example: Path) -> None:
    home = mapkit.load(example)
    replace_lines(example, {"lines/all.geojson": as_geojson(*drawn(home)), "lines/mapping.csv": BY_COLUMN})
    board = mapkit.load(example)
    assert graph(board) == graph(home)
    assert sum(s.miles for s in board.segments) == pytest.approx(sum(s.miles for s in home.segments), abs=0.1)
    assert [note.kind for note in board.provenance.notes] == ["older package"]
    origin = board.provenance.elements["pieces"][board.pieces[0].id]
    assert (origin.how, (origin.feature or "").partition("#")[0]) == ("traced", "drawings/all.geojson")
    assert "lines/all.geojson" in {file.path for file in board.provenance.sources}


def test_station_lists_and_drawn_lines_make_one_board(example: Path) -> None:
    home = mapkit.load(example)
    lines, dots = drawn(home)
    valley = as_geojson([line for line in lines if line[0] == "valley"], dots)
    (example / "lines" / "valley.csv").unlink()
    (example / "lines" / "valley.geojson").write_text(valley, encoding="utf-8")
    (example / "lines" / "mapping.csv").write_text(
        "file,by,key,railroad\nvalley.geojson,layer,*,valley\n", encoding="utf-8"
    )
    assert graph(mapkit.load(example)) == graph(home)


def test_a_drawing_in_pixels_is_placed_by_control_points(example: Path) -> None:
    """Every vertex is off by up to two pixels, of half a mile each."""
    home = mapkit.load(example)
    spots = [(m.name, m.lon, m.lat, *pixel((m.lon, m.lat))) for m in home.mileposts if m.kind == "city"]
    rows = [f"{x:.2f},{y:.2f},{lon},{lat},{name}" for name, lon, lat, x, y in spots]
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    tracing = '[tracing]\nsnap_mi = 4\ngeoreference = "tps"\n\n[[regions]]'
    config.write_text(text.replace("[[regions]]", tracing, 1), encoding="utf-8")
    files = {
        "lines/scan.svg": as_svg(*drawn(home), noise=2.0),
        "control_points.csv": "\n".join(["x,y,lon,lat,note", *rows]),
    }
    replace_lines(example, files)
    board = mapkit.load(example)
    assert graph(board) == graph(home)
    for segment in board.segments:
        names = {m.id: m.name for m in board.mileposts}
        ends = sorted((names[segment.a], names[segment.b]))
        same = next(
            s
            for s in home.segments
            if s.railroad == segment.railroad and sorted(m.name for m in home.mileposts if m.id in (s.a, s.b)) == ends
        )
        assert segment.miles == pytest.approx(same.miles, abs=3)
    kinds = {f.code: f.severity for f in mapkit.check(board).findings if f.code.startswith("G")}
    assert kinds == {"G03": Severity.NOTE, "G06": Severity.NOTE}


def test_mileposts_by_rule(example: Path) -> None:
    """A railroad drawn without dots gets them evenly, at real places; the ends are cities."""
    home = mapkit.load(example)
    lines = [(railroad, line) for railroad, line in drawn(home)[0] if railroad == "shore"]
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8").replace("[[regions]]", "[spacing]\ngap_mi = 25\n\n[[regions]]", 1)
    config.write_text(text, encoding="utf-8")
    (example / "lines" / "shore.csv").unlink()
    (example / "lines" / "shore.geojson").write_text(as_geojson(lines, []), encoding="utf-8")
    (example / "lines" / "mapping.csv").write_text(
        "file,by,key,railroad\nshore.geojson,layer,*,shore\n", encoding="utf-8"
    )
    board = mapkit.load(example)
    shore = [s for s in board.segments if s.railroad == "shore"]
    total = sum(s.miles for s in home.segments if s.railroad == "shore")
    assert sum(s.miles for s in shore) == pytest.approx(total, abs=1)
    assert all(19 < s.miles < 31 for s in shore)
    places = open_folder(example).places.items()
    placed = [name for name, place in places if place.note == BY_RULE]
    assert len(placed) == len(shore) - 2  # two cities at the ends, one between
    assert len({m.name for m in board.mileposts}) == len(board.mileposts)
    assert board == mapkit.load(example)


def test_what_is_ambiguous_is_a_finding(example: Path) -> None:
    """A dot midway between two lines of one railroad that pass each other, a mile from both."""
    lines: Pieces = [
        ("cross", ((-73.7562, 42.6526), (-72.5, 42.6526), (-71.0598, 42.3584))),
        ("cross", ((-73.7562, 42.6526), (-73.2, 42.62), (-72.5, 42.62), (-71.0598, 42.3584))),
    ]
    (example / "lines" / "cross.csv").unlink()
    (example / "lines" / "cross.geojson").write_text(
        as_geojson(lines, [("Between", (-72.8, 42.636))]), encoding="utf-8"
    )
    (example / "lines" / "mapping.csv").write_text(
        "file,by,key,railroad\ncross.geojson,layer,*,cross\n", encoding="utf-8"
    )
    text = (example / "board.toml").read_text(encoding="utf-8")
    text = text.replace("[[regions]]", "[tracing]\nsnap_mi = 1.5\n\n[[regions]]", 1)
    (example / "board.toml").write_text(text, encoding="utf-8")
    found = [f for f in mapkit.check(mapkit.load(example)).findings if f.code == "G01"]
    assert len(found) == 1
    assert "pin between lines (Between)" in found[0].message
    assert found[0].place.lon == pytest.approx(-72.8, abs=0.01)
    assert found[0].place.lat == pytest.approx(42.64, abs=0.01)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"lines/scan.svg": '<svg xmlns="http://www.w3.org/2000/svg"><g id="shore"><path d="M0 0L9 9"/></g></svg>'},
         "a drawing in pixels needs control_points.csv"),
        ({"lines/a.geojson": as_geojson([("shores", ((-71.0, 42.0), (-72.0, 42.5)))], [])}, "mean 'shore'?"),
        ({"lines/a.geojson": "{"}, "a.geojson"),
        ({"lines/a.svg": "<svg"}, "a.svg"),
    ],
    ids=["no control points", "no railroad", "broken JSON", "broken XML"],
)  # fmt: skip
def test_mistakes_are_reported(files: dict[str, str], message: str, example: Path, run: Run) -> None:
    for name, text in files.items():
        (example / name).write_text(text, encoding="utf-8")
    ran = run("build", "example", "-w", example.parent.parent)
    assert ran.code == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not (example.parent.parent / "build").exists()


def test_the_command_reports_on_control_points(tmp_path: Path, run: Run) -> None:
    rows = ["x,y,lon,lat", "0,0,-75,45", "1000,0,-70,45", "0,1000,-75,41", "1000,1000,-70,41", "500,500,-72.5,43"]
    table = tmp_path / "control_points.csv"
    table.write_text("\n".join(rows), encoding="utf-8")
    ran = run("georeference", table, "--json", "--svg", tmp_path / "check.svg")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["model"], len(found["points"])) == ("affine", 5)
    assert (tmp_path / "check.svg").read_text(encoding="utf-8").startswith("<?xml")
    table.write_text("\n".join(rows[:3]), encoding="utf-8")
    ran = run("georeference", table)
    assert ran.code == 1
    assert "needs at least 3 control points, and there are 2" in ran.err
