"""Lines of different railroads meet where one of them ends, and nowhere else."""

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from math import cos, pi, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.core.base import Point
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import BoardConfig, PinnedPoint, TracedLine
from mapkit.kinds.rail.tables import City, Railroad
from mapkit.kinds.rail.trace.finished_networks import list_finished_network
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.station_lists import TracedStationLists, list_traced_lines

WEST, MIDDLE, EAST, NORTH = (-100.0, 39.0), (-98.0, 39.0), (-96.0, 39.0), (-98.0, 40.0)
MILE = 1 / 69.0
"""Degrees of latitude."""

LISTINGS = pytest.mark.parametrize("place_lines", [list_traced_lines, list_finished_network])
Track = list[tuple[str, list[Point]]]
Placing = Callable[[Source], TracedStationLists]


def source(
    lines: Track,
    points: tuple[PinnedPoint, ...] = (),
    cities: tuple[tuple[str, Point], ...] = (),
    levels: dict[str, int] | None = None,
) -> Source:
    config = {
        "title": "Test",
        "licence": "CC0-1.0",
        "projection": {"name": "mercator"},
        "page": {"width": 200, "height": 200},
        "gazetteer": {"countries": ["US"]},
        "regions": [{"id": "all", "name": "All", "short": "A", "colour": "#cccccc"}],
    }
    return Source(
        id="test",
        config=BoardConfig.model_validate(config),
        railroads={
            name: Railroad(name=name, short=name.upper(), price=1, public=False, colour="#000000", pattern="solid")
            for name in ("blue", "green", "red")
        },
        cities={name.lower(): City(name=name, region="all", lon=lon, lat=lat) for name, (lon, lat) in cities},
        stations=(),
        traced=tuple(
            TracedLine(
                feature=f"in.geojson#{number}", railroad=name, line=tuple(line), level=(levels or {}).get(name, 0)
            )
            for number, (name, line) in enumerate(lines)
        ),
        pinned=points,
    )


def mileposts(listed: TracedStationLists) -> dict[str, set[str]]:
    """Return the mileposts of each railroad."""
    out: dict[str, set[str]] = defaultdict(set)
    for line in listed.lines:
        out[line.railroad] |= {name for name, kind in line.stops if kind == "milepost"}
    return out


def common(listed: TracedStationLists) -> set[Point]:
    """Return where mileposts of both railroads are."""
    stops = mileposts(listed)
    return {(listed.places[name].lon, listed.places[name].lat) for name in stops["red"] & stops["blue"]}


def apart(listed: TracedStationLists) -> list[TraceNote]:
    return [note for note in listed.notes if note.what in ("apart", "kept as drawn") and note.kind == "crossing"]


@LISTINGS
@pytest.mark.parametrize(
    "lines",
    [
        [("red", [WEST, MIDDLE]), ("blue", [MIDDLE, EAST])],
        [("red", [WEST, MIDDLE]), ("blue", [NORTH, MIDDLE, EAST])],
        [("red", [WEST, MIDDLE]), ("blue", [MIDDLE, EAST]), ("blue", [MIDDLE, NORTH])],
        [("red", [WEST, MIDDLE]), ("red", [MIDDLE, EAST]), ("blue", [NORTH, MIDDLE]), ("blue", [MIDDLE, (-98, 38)])],
    ],
    ids=["end on end", "end on line", "end on two lines", "four ends"],
)
def test_an_end_is_a_milepost_of_every_railroad_there(place_lines: Placing, lines: Track) -> None:
    listed = place_lines(source(lines))
    assert common(listed) == {MIDDLE}
    assert not apart(listed)


@LISTINGS
def test_an_end_near_a_line_is_a_milepost_of_both(place_lines: Placing) -> None:
    end = (MIDDLE[0], round(MIDDLE[1] + 0.8 * MILE, 5))
    listed = place_lines(source([("red", [WEST, EAST]), ("blue", [end, NORTH])]))
    ((lon, lat),) = common(listed)
    assert (lon, lat) == pytest.approx(end, abs=1e-4)


@LISTINGS
@pytest.mark.parametrize("vertex", [(), (MIDDLE,)])
def test_lines_that_cross_stay_apart_and_are_noted_once(place_lines: Placing, vertex: tuple[Point, ...]) -> None:
    listed = place_lines(source([("red", [WEST, *vertex, EAST]), ("blue", [NORTH, *vertex, (-98, 38)])]))
    assert not common(listed)
    (note,) = apart(listed)
    assert "BLUE (in.geojson#1) and RED (in.geojson#0) cross without a milepost" in note.message
    assert (note.lon, note.lat) == pytest.approx(MIDDLE, abs=0.02)


@LISTINGS
def test_a_file_can_keep_two_stations_apart(place_lines: Placing) -> None:
    lines: Track = [("red", [WEST, MIDDLE, EAST]), ("blue", [NORTH, (MIDDLE[0], 39.005)])]
    assert common(place_lines(source(lines)))
    dots = (PinnedPoint(feature="in.geojson#9", name="North Side", x=MIDDLE[0], y=39.005, railroads=("blue",)),)
    dotted = place_lines(source(lines, dots))
    assert not common(dotted)
    assert "North Side" in mileposts(dotted)["blue"]
    assert ["come within 0.34 miles" in note.message for note in apart(dotted)] == [True]
    levels = place_lines(source(lines, levels={"blue": 1}))
    assert not common(levels)
    assert not apart(levels)


@LISTINGS
def test_parallel_track_is_noted_once(place_lines: Placing) -> None:
    beside = [(-100 + 0.25 * n, 39 + (0.006 if 2 < n < 14 else 0.3)) for n in range(17)]
    listed = place_lines(source([("red", [(-100.5 + 0.5 * n, 39) for n in range(12)]), ("blue", beside)]))
    (note,) = apart(listed)
    assert "run within snap_mi = 1 of each other for" in note.message


@LISTINGS
def test_an_end_that_is_short_is_named_with_the_distance(place_lines: Placing) -> None:
    for miles in (1.1, 1.8):
        end = (MIDDLE[0], MIDDLE[1] + miles * MILE)
        listed = place_lines(source([("red", [WEST, MIDDLE, EAST]), ("red", [NORTH, end])]))
        (note,) = [note for note in listed.notes if "snap_mi = 1" in note.message]
        assert note.message.startswith(f"in.geojson#1: ends {miles:.1f}")
        assert "miles from the line in.geojson#0 of RED, more than snap_mi = 1" in note.message


@LISTINGS
def test_an_end_just_beyond_a_city_leads_to_it(place_lines: Placing) -> None:
    """Red passes the city 0.8 miles off and ends 0.8 miles on; blue passes only where red ends, 1.15 miles away."""
    end = (-98.0, 39.0 - 1.15 * MILE)
    lines: Track = [("red", [end, (-97.0, 39.75)]), ("blue", [end, (-96, 38.5)]), ("blue", [end, (-99.5, 37.5)])]
    listed = place_lines(source(lines, cities=(("Madrid", (-98.0, 39.0)),)))
    stops = mileposts(listed)
    assert stops["red"] & stops["blue"] == {"Madrid"}
    assert any("the end" in note.message and "1.15 miles from" in note.message for note in listed.notes)


@LISTINGS
def test_a_city_is_a_stop_of_every_railroad_that_passes_it(place_lines: Placing) -> None:
    """Red has a vertex 0.5 miles off, blue passes 0.5 miles off between two vertices, green 1.5 miles off."""
    south = 39.0 - 0.5 * MILE
    lines: Track = [
        ("red", [(-99, 39.5), (-98, south), (-97, 39.5)]),
        ("blue", [(-98.2, south), (-97.8, south)]),
        ("green", [(-98.2, 39 + 1.5 * MILE), (-97.8, 39 + 1.5 * MILE)]),
    ]
    stops = mileposts(place_lines(source(lines, cities=(("Mitte", (-98.0, 39.0)),))))
    assert {name for name, own in stops.items() if "Mitte" in own} == {"red", "blue"}


def test_double_track_is_noted_with_its_offset() -> None:
    offset = 39 + 0.3 * MILE
    lines: Track = [
        ("red", [(-100 + 0.25 * n, 39) for n in range(9)]),
        ("red", [WEST, *((-100 + 0.25 * n, offset) for n in range(1, 8)), MIDDLE]),
    ]
    listed = list_traced_lines(source(lines))
    texts = [note.message for note in listed.notes if note.what == "near-duplicate" and note.lon is not None]
    assert texts
    assert {text.partition("near-duplicate, ")[2] for text in texts} == {"0.30 miles apart"}


SEAM = (180.0, 65.0)


@LISTINGS
@pytest.mark.parametrize(
    "lines",
    [
        [("red", [(177.0, 64.8), (179.5, 65.0), (-179.5, 65.0), (-177.0, 64.8)])],
        [("red", [(177.0, 64.8), SEAM]), ("red", [SEAM, (-177.0, 64.8)])],
    ],
    ids=["jump", "split"],
)
def test_railroads_meet_at_longitude_180(place_lines: Placing, lines: Track) -> None:
    ends = (("West", (177.0, 64.8)), ("East", (-177.0, 64.8)))
    listed = place_lines(source([*lines, ("blue", [(-179.0, 66.0), SEAM])], cities=ends))
    assert {abs(lon) for lon, lat in common(listed)} == {180.0}
    stops = mileposts(listed)
    assert stops["red"] == {"West", "East", *(stops["red"] & stops["blue"])}


RING = [(round(-98 + 3 * cos(2 * pi * n / 9 + 0.1), 4), round(39 + 2 * sin(2 * pi * n / 9 + 0.1), 4)) for n in range(9)]
"""Places of which no three are on a line, so that lines between them meet at places or cross."""
PATHS = st.lists(
    st.tuples(st.sampled_from(["red", "blue"]), st.lists(st.sampled_from(RING), min_size=2, max_size=4, unique=True)),
    min_size=2,
    max_size=5,
)


@pytest.mark.slow
@LISTINGS
@settings(max_examples=25, deadline=None)
@given(lines=PATHS)
def test_railroads_meet_exactly_where_a_line_ends_on_a_vertex_of_both(place_lines: Placing, lines: Track) -> None:
    beside: dict[str, dict[Point, set[Point]]] = {name: defaultdict(set) for name in ("red", "blue")}
    ends: set[Point] = set()
    for name, line in lines:
        ends |= {line[0], line[-1]}
        for one, other in pairwise(line):
            beside[name][one].add(other)
            beside[name][other].add(one)
    expected = {
        at
        for at in ends & beside["red"].keys() & beside["blue"].keys()
        if 1 in (len(beside["red"][at]), len(beside["blue"][at]))
        or not (beside["red"][at] <= beside["blue"][at] or beside["blue"][at] <= beside["red"][at])
    }
    found = {
        min(RING, key=lambda at: abs(at[0] - lon) + abs(at[1] - lat)) for lon, lat in common(place_lines(source(lines)))
    }
    assert found == expected
