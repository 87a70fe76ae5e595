"""Networks that somebody made already come in as they are: graphs, exports, twins, stages of tracing."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.findings import CheckReport
from mapkit.kinds.rail.compiler.package import built_folder, compile_folder
from mapkit.kinds.rail.exchange.format import ExportOptions, ReadingFormat
from mapkit.kinds.rail.exchange.graphs.graph_json import board_from_graph, board_to_graph
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format

SHIPPED = ("usa", "portugal", "mexico")
EXACT = [
    name for name in BUILT_IN if isinstance(get_format(name), ReadingFormat) and name != "rb3"
]  # RB3 has no names of dots


def network(board: mapkit.Board) -> dict[str, object]:
    """Return what every format carries: mileposts with kinds, segments with owners, cities with twins."""
    return {
        "mileposts": {(m.id, m.kind) for m in board.mileposts},
        "segments": sorted((s.railroad, *sorted((s.a, s.b))) for s in board.segments),
        "cities": {(c.id, c.milepost, c.region) for c in board.cities},
        "junctions": {(j.id, j.railroad) for j in board.junctions},
    }


def shipped(name: str) -> mapkit.Board:
    return mapkit.load(REPOSITORY / "build" / name / "board.json")


def put(folder: Path, to: str, board: mapkit.Board) -> Path:
    """Write the file of a format that is read back, and return it."""
    form = get_format(to)
    files: dict[str, str | bytes] = form.export(board, ExportOptions(checks=CheckReport(findings=(), checks={}))).files
    [name] = [name for name in files if f".{name}".endswith(form.suffixes[0]) and ".schema" not in name]
    content = files[name]
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


@pytest.mark.slow
@pytest.mark.parametrize("to", EXACT)
def test_import_of_an_export_makes_the_same_board(to: str, tiny: mapkit.Board, tmp_path: Path) -> None:
    report = mapkit.import_board(put(tmp_path, to, tiny), into="again", workspace=tmp_path)
    assert report.written
    assert network(built_folder(tmp_path / "sources" / "again")) == network(tiny)


@pytest.mark.slow
@pytest.mark.parametrize("board", SHIPPED)
def test_import_of_the_graph_of_a_shipped_board(board: str, tmp_path: Path) -> None:
    mapkit.import_board(put(tmp_path, "graph", shipped(board)), into="again", workspace=tmp_path)
    assert network(built_folder(tmp_path / "sources" / "again")) == network(shipped(board))


def test_a_graph_is_known_under_any_name(tiny: mapkit.Board, tmp_path: Path) -> None:
    (tmp_path / put(tmp_path, "graph", tiny)).rename(tmp_path / "mine.json")
    assert mapkit.whole_board(tmp_path / "mine.json") == "exported"
    mapkit.import_board(tmp_path / "mine.json", into="again", workspace=tmp_path)
    assert network(built_folder(tmp_path / "sources" / "again")) == network(tiny)


def test_a_graph_read_back_twice_is_the_same_graph(tiny: mapkit.Board) -> None:
    again = board_from_graph(board_to_graph(tiny), file="graph.json")
    assert network(again) == network(tiny)
    assert network(board_from_graph(board_to_graph(again), file="graph.json")) == network(tiny)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 1}, "no graph of version 2"),
        ({"regions": None}, "regions is not a list"),
        ({"edges": [{"a": "ash", "b": "nowhere", "railroads": ["red"]}]}, "edges 0: no node 'nowhere'"),
        ({"edges": [{"a": "ash", "b": "dale", "railroads": []}]}, "edges 0: railroads is not a list of ids"),
        ({"edges": [{"a": "ash", "b": "dale", "railroads": ["x"]}]}, "railroad 'x' is unknown"),
        ({"projection": {}}, "projection"),
        ({"title": 7}, "title"),
    ],
)
def test_a_damaged_graph_says_what_is_wrong(change: dict[str, object], said: str, tiny: mapkit.Board) -> None:
    with pytest.raises(SourceError, match=said):
        board_from_graph({**board_to_graph(tiny), **change}, file="graph.json")


# A network as it is


def bare(folder: Path, cities: str = "") -> None:
    """Make the board of `mapkit new` without its lines."""
    mapkit.new("made", workspace=folder)
    shutil.rmtree(folder / "sources/made/lines")
    (folder / "sources/made/lines").mkdir()
    if cities:
        (folder / "sources/made/cities.csv").write_text(f"id,name,region,lon,lat,milepost\n{cities}", encoding="utf-8")


def graph(folder: Path, nodes: list[dict[str, object]], edges: list[dict[str, object]]) -> None:
    (folder / "made.json").write_text(json.dumps({"nodes": nodes, "edges": edges}), encoding="utf-8")


def node(ident: str, lon: float, lat: float, **more: object) -> dict[str, object]:
    return {"id": ident, "lon": lon, "lat": lat, **more}


def edge(a: str, b: str, *railroads: str, **more: object) -> dict[str, object]:
    return {"from": a, "to": b, "railroads": list(railroads), **more}


def segments(folder: Path) -> list[tuple[str, str, str]]:
    board = compile_folder(folder / "sources" / "made").board
    assert board is not None
    return sorted((s.railroad, s.a, s.b) for s in board.segments)


BOSTON, ALBANY, TROY = node("Boston", -71.0598, 42.3584), node("Albany", -73.7562, 42.6526), node("x", -73.6, 42.7)


def test_edges_with_several_railroads_and_junctions(tmp_path: Path) -> None:
    bare(tmp_path)
    junction = node("j", -72.5, 42.5, kind="junction")
    graph(
        tmp_path,
        [BOSTON, ALBANY, junction, node("Keene", -72.3, 42.9, railroads=["shore"])],
        [edge("Boston", "j", "shore", "valley"), edge("j", "Albany", "shore", "valley"), edge("j", "Keene", "shore")],
    )
    report = mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=True, workspace=tmp_path)
    assert report.notes == ()
    assert segments(tmp_path) == [
        ("shore", "albany", "boston"),
        ("shore", "albany", "keene"),
        ("shore", "boston", "keene"),
        ("valley", "albany", "boston"),
    ]
    assert not (tmp_path / "sources/made/drawings").exists()


def test_a_shipped_board_keeps_its_topology(tmp_path: Path) -> None:
    """Its own cities and railroads, with all lines from a graph; dots are called as they are shown."""
    board = shipped("portugal")
    shutil.copytree(REPOSITORY / "sources/portugal", tmp_path / "sources/made")
    for path in (tmp_path / "sources/made").glob("[ld]*/*"):
        path.unlink()
    (tmp_path / "sources/made/places.csv").unlink()
    (tmp_path / "made.json").write_text(json.dumps(board_to_graph(board)), encoding="utf-8")
    report = mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=True, workspace=tmp_path)
    assert report.notes == ()
    again = built_folder(tmp_path / "sources/made")
    assert {k: v for k, v in network(again).items() if k != "junctions"} == {
        k: v for k, v in network(board).items() if k != "junctions"
    }
    assert len(again.junctions) == len(board.junctions)


CROSSING = (
    "SHORE (made.json#edges/0) and VALLEY (made.json#edges/4) cross without a milepost, so trains cannot change there; "
    "if they can, draw a point there"
)


def test_doubts_of_a_kept_network_are_findings(tmp_path: Path) -> None:
    bare(tmp_path)
    graph(
        tmp_path,
        [BOSTON, ALBANY, TROY, node("y", -73.0, 42.0, name="Troy"), node("z", -73.5, 42.9, name="Troy"),
         node("j", -72.0, 42.0, milepost=False), node("alone", -72.0, 43.5)],
        [edge("Boston", "Albany", "shore"), edge("Albany", "Boston", "shore"), edge("Boston", "j", "shore"),
         edge("Albany", "y", "valley"), edge("y", "z", "valley"), edge("y", "y", "valley")],
    )  # fmt: skip
    report = mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=True, workspace=tmp_path)
    assert tuple(sorted(report.notes)) == (
        CROSSING,
        "made.json#edges/1: the same track of shore a second time; left out",
        "made.json#edges/2: shore ends off any milepost, so 'shore end 1' was set there; name it or join it",
        "made.json#edges/5: leads from 'Troy' to itself; left out",
        "made.json#nodes/2: no line leads to 'x'; it is not in any list",
        "made.json#nodes/4: a second milepost 'Troy' is called 'Troy 2'; name it in full",
        "made.json#nodes/6: no line leads to 'alone'; it is not in any list",
    )
    assert segments(tmp_path) == [
        ("shore", "albany", "boston"),
        ("shore", "boston", "shore-end-1"),
        ("valley", "albany", "troy"),
        ("valley", "troy", "troy-2"),
    ]
    board = compile_folder(tmp_path / "sources/made").board
    assert board is not None
    assert {note.message for note in board.provenance.notes if note.kind in ("ambiguity", "crossing")} == {
        *report.notes
    }
    with pytest.raises(SourceError, match="shore has a line 'made 1' already"):
        mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=True, workspace=tmp_path)


# Twins

APART = "mpl,Minneapolis,inland,-71.5,43.0,\nstp,St. Paul,inland,-71.49,43.0,\nbos,Boston,coast,-71.0598,42.3584,\n"
SHARED = APART.replace("43.0,\n", "43.0,Minneapolis/St. Paul\n")


@pytest.mark.parametrize(("lon", "keep"), [(-71.38, False), (-71.2, False), (-71.38, True), (-71.49, True)])
def test_twins_that_share_a_milepost_may_be_drawn_beside_each_other(
    lon: float,
    keep: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """Six miles apart the second dot was taken for the first, and fifteen miles apart the import stopped."""
    bare(tmp_path, SHARED)
    graph(
        tmp_path,
        [BOSTON, node("Minneapolis", -71.5, 43.0), node("St. Paul", lon, 43.0), node("Keene", -72.3, 42.9)],
        [edge("Boston", "St. Paul", "shore", "valley"), edge("St. Paul", "Minneapolis", "shore"),
         edge("Minneapolis", "Keene", "shore", "valley")],
    )  # fmt: skip
    report = mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=keep, workspace=tmp_path)
    assert len(report.notes) == 1, report.notes
    both = "minneapolis-st-paul"
    assert segments(tmp_path) == [
        (railroad, *sorted((both, end))) for railroad in ("shore", "valley") for end in ("boston", "keene")
    ]
    board = compile_folder(tmp_path / "sources/made").board
    assert board is not None
    assert {c.id: c.milepost for c in board.cities} == {"mpl": both, "stp": both, "bos": "boston"}


def test_twins_with_mileposts_of_their_own_stay_two(tmp_path: Path) -> None:
    bare(tmp_path, APART)
    graph(
        tmp_path,
        [BOSTON, node("Minneapolis", -71.5, 43.0), node("St. Paul", -71.49, 43.0)],
        [edge("Boston", "St. Paul", "shore"), edge("St. Paul", "Minneapolis", "shore")],
    )
    mapkit.import_lines(tmp_path / "made.json", into="made", keep_topology=True, workspace=tmp_path)
    assert segments(tmp_path) == [("shore", "boston", "st-paul"), ("shore", "minneapolis", "st-paul")]


def test_kinds_of_points_in_geodata_are_kept(tmp_path: Path) -> None:
    bare(tmp_path)
    features = [
        {
            "type": "Feature",
            "properties": {"name": name, "kind": kind},
            "geometry": {"type": "Point", "coordinates": at},
        }
        for name, kind, at in (("Keene", "dot", (-72.3, 42.9)), ("", "junction", (-72.0, 42.6)))
    ]
    line = [(-71.0598, 42.3584), (-72.0, 42.6), (-72.3, 42.9)]
    shape = {"type": "LineString", "coordinates": line}
    features.append({"type": "Feature", "properties": {"railroad": "shore"}, "geometry": shape})
    (tmp_path / "made.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8"
    )
    report = mapkit.import_lines(tmp_path / "made.geojson", into="made", workspace=tmp_path)
    assert report.files[0].points == 1
    assert segments(tmp_path) == [("shore", "boston", "keene")]
