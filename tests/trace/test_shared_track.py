"""Spacing through the whole path: files of drawn lines, shared track, gaps of regions and railroads, moved lines."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

import mapkit
from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.importing.earlier_packages import load_drawn
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import Network
from mapkit.kinds.rail.model.source import SpacingConfig, TracedLine
from mapkit.kinds.rail.trace.joined_lines import JoinedLines
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations

Lines = Iterable[tuple[str, Sequence[Point]]]

BOSTON, ALBANY, BURLINGTON = (-71.0598, 42.3584), (-73.7562, 42.6526), (-73.2121, 44.4759)
PORTLAND = (-70.2589, 43.6574)
HALF_WAY = ((BOSTON[0] + ALBANY[0]) / 2, (BOSTON[1] + ALBANY[1]) / 2)
NORTH = (HALF_WAY[0], HALF_WAY[1] + 0.5)
MAPPING = "file,by,key,railroad\nall.geojson,column:railroad,shore,shore\nall.geojson,column:railroad,cross,cross\n"


def package(example: Path, lines: Lines, spacing: str, points: Sequence[tuple[str, Point]] = ()) -> Path:
    """Draw lines in place of all station lists but that of `valley`."""
    for name in ("shore.csv", "cross.csv"):
        (example / "lines" / name).unlink()
    features = [
        {
            "type": "Feature",
            "properties": {"railroad": railroad},
            "geometry": {"type": "LineString", "coordinates": list(line)},
        }
        for railroad, line in lines
    ]
    features += [
        {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Point", "coordinates": at}}
        for name, at in points
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    (example / "lines" / "all.geojson").write_text(text, encoding="utf-8")
    (example / "lines" / "mapping.csv").write_text(MAPPING, encoding="utf-8")
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8").replace("[[regions]]", f"{spacing}\n\n[[regions]]", 1)
    config.write_text(text, encoding="utf-8")
    return example


def along(start: Point, end: Point, *, noise: float = 0.0, seed: int = 0) -> list[Point]:
    """Return a line of forty steps whose inner vertices lie off the straight one by up to `noise` degrees."""
    off = np.random.default_rng(seed).uniform(-noise, noise, 41)
    off[[0, -1]] = 0.0
    share = np.linspace(0, 1, 41)
    return [
        (round(start[0] + t * (end[0] - start[0]), 5), round(start[1] + t * (end[1] - start[1]) + d, 5))
        for t, d in zip(share.tolist(), off.tolist(), strict=True)
    ]


def pieces_of(board: Board | Network, railroad: str) -> dict[tuple[str, str], tuple[Point, ...]]:
    return {(p.a, p.b): p.line for p in board.pieces if p.railroad == railroad}


def steps_of(board: Board | Network, railroad: str) -> set[tuple[str, str]]:
    return {(s.a, s.b) for s in board.segments if s.railroad == railroad}


@pytest.mark.parametrize("noise", [0.0, 0.004], ids=["copied", "traced twice"])
def test_a_corridor_with_a_junction_of_one_railroad_has_the_same_mileposts_for_both(
    example: Path, noise: float
) -> None:
    """134 miles at 20; a branch of `shore` leaves half way, where `cross` has nothing."""
    lines = [
        ("cross", along(BOSTON, ALBANY, noise=noise, seed=1)),
        ("shore", along(ALBANY, BOSTON, noise=noise, seed=2)),
        ("shore", [HALF_WAY, NORTH]),
    ]
    board = mapkit.load(package(example, lines, "[spacing]\ngap_mi = 20"))
    cross, shore = steps_of(board, "cross"), steps_of(board, "shore")
    assert len(cross) == 7
    assert cross < shore
    own, other = pieces_of(board, "cross"), pieces_of(board, "shore")
    shared = own.keys() & other.keys()
    assert len(shared) == len(cross) - 1
    assert all(own[ends] == other[ends] for ends in shared)
    (junction,) = [j for j in board.junctions if j.railroad == "shore"]
    assert (junction.lon, junction.lat) == pytest.approx(HALF_WAY, abs=0.01)
    assert not [j for j in board.junctions if j.railroad == "cross"]
    ((over, line),) = [(ends, line) for ends, line in own.items() if ends not in shared]
    arms = [ends for ends in other if junction.id in ends]
    assert {end for ends in arms for end in ends} >= set(over)
    assert line[0] != line[-1]
    miles = {(s.a, s.b): s.miles for s in board.segments if s.railroad == "cross"}
    assert all(15 < each < 25 for each in miles.values())
    notes = [note for note in board.provenance.notes if "offset from shared track" in note.message]
    assert [note.lon is None for note in notes] == ([True, False, False] if noise else [])  # the sum, then each


def test_an_end_on_shared_track_is_a_milepost_of_both(example: Path) -> None:
    line = along(BOSTON, ALBANY)
    board = mapkit.load(package(example, [("cross", line), ("shore", line[:16])], "[spacing]\ngap_mi = 25"))
    cross, shore = steps_of(board, "cross"), steps_of(board, "shore")
    assert shore < cross
    at = {m.id: (m.lon, m.lat) for m in board.mileposts}
    assert line[15] in {at[end] for ends in shore for end in ends}
    assert len(shore) == 2  # 50 miles
    assert board.junctions == tuple(j for j in board.junctions if j.railroad == "valley")


def test_a_pinned_milepost_of_one_railroad_is_one_of_both(example: Path) -> None:
    pin = (HALF_WAY[0], round(HALF_WAY[1] + 0.006, 4))
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", [BOSTON, pin, ALBANY])]
    board = mapkit.load(package(example, lines, "[spacing]\ngap_mi = 30", [("Middle", pin)]))
    assert steps_of(board, "cross") == steps_of(board, "shore")
    assert pieces_of(board, "cross") == pieces_of(board, "shore")
    assert [m.name for m in board.mileposts if (m.lon, m.lat) == pytest.approx(pin, abs=1e-4)] == ["Middle"]


def test_railroads_that_part_off_any_milepost_share_those_before(example: Path) -> None:
    line = along(BOSTON, ALBANY)
    lines = [("cross", line), ("shore", [*line[:21], NORTH, BURLINGTON])]
    board = mapkit.load(package(example, lines, "[spacing]\ngap_mi = 15"))
    shared = steps_of(board, "cross") & steps_of(board, "shore")
    assert len(shared) == 4  # 67 miles, the last of which end half a step before they part
    assert not [j for j in board.junctions if j.railroad in {"cross", "shore"}]
    assert all(7 < s.miles < 23 for s in board.segments if s.railroad in {"cross", "shore"})


def test_railroads_that_cross_share_nothing(example: Path) -> None:
    south = (HALF_WAY[0], HALF_WAY[1] - 0.5)
    lines = [("cross", along(BOSTON, ALBANY)), ("shore", along(south, NORTH))]
    board = mapkit.load(package(example, lines, "[spacing]\ngap_mi = 15"))
    assert not {e for s in steps_of(board, "cross") for e in s} & {e for s in steps_of(board, "shore") for e in s}


def test_a_public_railroad_may_be_closer(example: Path) -> None:
    table = example / "railroads.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("8000,false", "8000,true"), encoding="utf-8")
    package(example, [("shore", along(BOSTON, ALBANY))], "[spacing]\ngap_mi = 40\npublic_gap_mi = 10")
    assert len(steps_of(mapkit.load(example), "shore")) == 14
    config = example / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(
        text.replace("public_gap_mi = 10", "public_gap_mi = 10\nrailroads = { shore = 27 }"), encoding="utf-8"
    )
    assert len(steps_of(mapkit.load(example), "shore")) == 5


def test_gaps_of_regions(example: Path) -> None:
    """Boston is on the coast, Springfield and Albany inland: the gap changes half way from Boston to Springfield."""
    gaps = "[spacing]\ngap_mi = 60\n[spacing.regions]\ncoast = 10\ninland = 33"
    board = mapkit.load(package(example, [("cross", along(BOSTON, ALBANY))], gaps))
    at = {m.id: m.lon for m in board.mileposts}
    steps = sorted((min(at[s.a], at[s.b]), s.miles) for s in board.segments if s.railroad == "cross")
    lengths = [miles for _, miles in steps]  # from Albany to Boston
    assert len(lengths) == 7
    assert all(27 < miles < 41 for miles in lengths[:2])
    assert all(8 < miles < 12.5 for miles in lengths[-3:])
    assert sum(lengths) == pytest.approx(139, abs=2)


@pytest.mark.parametrize(
    ("spacing", "said"),
    [
        (
            "[spacing.regions]\ncoats = 10",
            "spacing.regions names 'coats', which is not a region (did you mean 'coast'?)",
        ),
        (
            "[spacing.regions]\nxyz = 1",
            "spacing.regions names 'xyz', which is not a region; the regions are coast, inland",
        ),
        (
            "[spacing.railroads]\nshroe = 10",
            "spacing.railroads names 'shroe', which is not in railroads.csv (did you mean 'shore'?)",
        ),
        (
            "[spacing.railroads]\nxyz = 10",
            "spacing.railroads names 'xyz', which is not in railroads.csv; add it there",
        ),
        ("[spacing]\npublic_gap_mi = 0", "spacing.public_gap_mi is 0: write 0.01 or more"),
        ("[spacing.regions]\ncoast = -3", "spacing.regions.coast is -3: write 0.01 or more"),
        ("[spacing.regions]\ncoast = nan", "spacing.regions.coast is nan: write a finite number"),
    ],
)
def test_mistakes_in_the_rule_are_reported(example: Path, spacing: str, said: str) -> None:
    package(example, [("cross", along(BOSTON, ALBANY))], spacing)
    with pytest.raises(SourceError) as caught:
        load_drawn(example)
    assert str(caught.value) == f"board.toml:28: {said}"


# Stability


@pytest.fixture(scope="module")
def home() -> Source:
    """The example without its station lists, with a gap of 14 miles."""
    source = load_drawn(Path(mapkit.__file__).parent / "kinds" / "rail" / "sources" / "template")
    config = source.config.model_copy(update={"spacing": SpacingConfig(gap_mi=14)})
    return source.model_copy(update={"config": config, "stations": ()})


def network(home: Source, lines: Lines) -> Network:
    traced = [TracedLine(feature=f"a.geojson#{n}", railroad=r, line=tuple(line)) for n, (r, line) in enumerate(lines)]
    source = home.model_copy(update={"traced": tuple(traced)})
    joined = JoinedLines(source, trace_stations(source))
    return joined.network(joined.space())


def spots(low: Point, high: Point) -> st.SearchStrategy[Point]:
    """Draw places in a box."""
    numbers = (st.integers(round(1000 * a), round(1000 * b)) for a, b in zip(low, high, strict=True))
    return st.tuples(*numbers).map(lambda p: (p[0] / 1000, p[1] / 1000))


EAST = spots((-71.0, 42.9), (-69.5, 44.0))
UPLAND = spots((-72.7, 43.0), (-72.1, 43.6))
FIXED: list[tuple[str, Sequence[Point]]] = [
    ("shore", along(BOSTON, ALBANY)),
    ("cross", along(ALBANY, BOSTON, noise=0.004, seed=5)),
]


def mileposts_of(board: Network, railroad: str, *, away: float = 0.0) -> set[tuple[str, float, float]]:
    """Return the mileposts of a railroad that lie so many miles or more from `HALF_WAY`."""
    ends = {end for ends in steps_of(board, railroad) for end in ends}
    own = [m for m in board.mileposts if m.id in ends]
    return {(m.id, m.lon, m.lat) for m in own if line_miles([(m.lon, m.lat), HALF_WAY]) >= away}


@settings(max_examples=examples(20))
@given(EAST, EAST)
def test_moving_a_railroad_keeps_the_mileposts_and_ids_of_others(home: Source, before: Point, after: Point) -> None:
    """It touches them in Boston only, and goes the other way."""
    branch = ("shore", [HALF_WAY, NORTH])
    one = network(home, [*FIXED, branch, ("valley", [BOSTON, before, PORTLAND])])
    two = network(home, [("valley", [PORTLAND, after, BOSTON]), *FIXED, branch])
    for railroad in ("shore", "cross"):
        assert len(mileposts_of(one, railroad)) >= 10
        assert mileposts_of(one, railroad) == mileposts_of(two, railroad)
        assert steps_of(one, railroad) == steps_of(two, railroad)
        assert pieces_of(one, railroad) == pieces_of(two, railroad)


@settings(max_examples=examples(20))
@given(UPLAND, UPLAND)
def test_moving_a_branch_keeps_the_shared_track_that_it_leaves(home: Source, before: Point, after: Point) -> None:
    """Only within twenty miles of the junction may the branch want a name that the main line wants too."""
    one = network(home, [*FIXED, ("shore", [HALF_WAY, before])])
    two = network(home, [*FIXED, ("shore", [HALF_WAY, after])])
    assert len(mileposts_of(one, "cross")) == len(mileposts_of(two, "cross")) == 10
    assert mileposts_of(one, "cross", away=20) == mileposts_of(two, "cross", away=20)
    assert {j.id for j in one.junctions} == {j.id for j in two.junctions}


@settings(max_examples=examples(20))
@given(EAST)
def test_the_order_of_lines_does_not_matter(home: Source, via: Point) -> None:
    lines = [*FIXED, ("shore", [HALF_WAY, NORTH]), ("valley", [BOSTON, via, PORTLAND])]
    one, two = network(home, lines), network(home, lines[::-1])
    assert one.mileposts == two.mileposts
    assert [(j.id, j.lon, j.lat) for j in one.junctions] == [(j.id, j.lon, j.lat) for j in two.junctions]
    assert [(p.id, p.line) for p in one.pieces] == [(p.id, p.line) for p in two.pieces]
    assert [(s.id, s.miles) for s in one.segments] == [(s.id, s.miles) for s in two.segments]
