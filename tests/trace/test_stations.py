"""Station lists become mileposts, junctions, pieces and segments."""

from functools import cache
from importlib.resources import as_file, files
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from board_helpers import open_folder
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import without_state
from mapkit.document.document import Setting
from mapkit.geography.gazetteer import division_codes_of
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.compiler.mileposts import shown_names, taken_names
from mapkit.kinds.rail.compiler.package import built
from mapkit.kinds.rail.importing.earlier_packages import load_drawn
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import Network, NetworkPiece, Origin
from mapkit.kinds.rail.model.source import StationRow
from mapkit.kinds.rail.tables import City, RailDocument
from mapkit.kinds.rail.trace.page import fit_page
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations

PLACES = {name: (-100.0 + i % 7, 35.0 + i // 7) for i, name in enumerate("ABCDEFGHIJKLMNOPQRSTU")}


def rows(railroad: str, *lines: str) -> list[StationRow]:
    """Return station rows of lines such as `"A b C"`: small letters are vias of the place of that letter."""
    out: list[StationRow] = []
    for number, line in enumerate(lines):
        for seq, word in enumerate(line.split(), start=1):
            lon, lat = PLACES[word.upper()]
            out.append(
                StationRow(
                    file=f"lines/{railroad}.csv",
                    row=len(out) + 2,
                    railroad=railroad,
                    line=str(number),
                    seq=seq,
                    place=f"{word.upper()}town KS",
                    kind="via" if word.islower() else "milepost",
                    lon=lon,
                    lat=lat,
                )
            )
    return out


@cache
def bare_source() -> Source:
    """Return a source with one city and no lines, to add some to."""
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template:
        source = load_drawn(Path(template))
    city = City(name="Atown KS", region="coast", lon=-100, lat=35)
    return source.model_copy(update={"stations": (), "cities": {"atown": city}})


@pytest.fixture
def bare() -> Source:
    return bare_source()


def traced(bare: Source, *stations: list[StationRow]) -> Network:
    return trace_stations(bare.model_copy(update={"stations": tuple(row for group in stations for row in group)}))


def ends(network: Network) -> list[tuple[str, str, str]]:
    short = {m.id: m.id.removesuffix("town-ks").upper() for m in network.mileposts}
    return [(s.railroad, short[s.a], short[s.b]) for s in network.segments]


def test_vias_shape_a_line_and_nothing_else(bare: Source) -> None:
    """A - b - C - D: two segments, the first bent at b."""
    network = traced(bare, rows("x", "A b C D"))
    assert ends(network) == [("x", "A", "C"), ("x", "C", "D")]
    first = network.pieces[0]
    assert first.line == (PLACES["A"], PLACES["B"], PLACES["C"])
    assert first.miles == round(line_miles(first.line), 2)
    assert network.junctions == ()


def test_three_arms_at_a_via_make_a_junction(bare: Source) -> None:
    """
    ```
    A - b - C      three pieces, three segments that share them by pairs
        |
        D
    ```
    """
    network = traced(bare, rows("x", "A b C", "b D"))
    assert [j.id for j in network.junctions] == ["x--btown-ks"]
    assert ends(network) == [("x", "A", "C"), ("x", "A", "D"), ("x", "C", "D")]
    assert [(p.a, p.b) for p in network.pieces] == [
        ("atown-ks", "x--btown-ks"),
        ("ctown-ks", "x--btown-ks"),
        ("dtown-ks", "x--btown-ks"),
    ]
    by_ends = {(s.a, s.b): set(s.pieces) for s in network.segments}
    for one, other in combinations(by_ends.values(), 2):
        assert len(one & other) == 1


def test_a_via_of_two_railroads_joins_nothing(bare: Source) -> None:
    """RB-C10: lines of different railroads that cross away from any milepost do not connect."""
    network = traced(bare, rows("x", "A b C"), rows("y", "D b E"))
    assert ends(network) == [("x", "A", "C"), ("y", "D", "E")]
    assert network.junctions == ()


def test_a_stretch_listed_twice_is_one(bare: Source) -> None:
    network = traced(bare, rows("x", "A B C", "C B D"))
    assert ends(network) == [("x", "A", "B"), ("x", "B", "C"), ("x", "B", "D")]


def test_parallel_railroads_are_segments_of_their_own(bare: Source) -> None:
    """RB-C09."""
    network = traced(bare, rows("x", "A B"), rows("y", "A c B"))
    assert ends(network) == [("x", "A", "B"), ("y", "A", "B")]
    assert network.segments[1].miles > network.segments[0].miles


def test_two_lines_of_one_railroad_between_the_same_mileposts(bare: Source) -> None:
    network = traced(bare, rows("x", "A c B", "A d B"))
    assert [s.id for s in network.segments] == ["x--atown-ks--btown-ks", "x--atown-ks--btown-ks--2"]


def test_junctions_in_a_row(bare: Source) -> None:
    """A - c - d - B with E at c and F at d: every pair of the four mileposts is joined once."""
    network = traced(bare, rows("x", "A c d B", "c E", "d F"))
    assert len(network.junctions) == 2
    assert len(network.pieces) == 5
    assert ends(network) == [("x", *pair) for pair in combinations("ABEF", 2)]


def test_names_are_short_where_they_are_unique() -> None:
    kinds = {"Btown KS": "dot", "Btown MO": "dot", "Ctown KS": "dot", "Atown KS": "city"}
    assert shown_names(kinds, taken_names(kinds, ["Atown KS"])) == {
        "Atown KS": "Atown KS",  # a city keeps its name
        "Btown KS": "Btown KS",
        "Btown MO": "Btown MO",
        "Ctown KS": "Ctown",
    }


def test_codes_of_divisions_are_not_shown() -> None:
    """GeoNames codes the provinces of Ireland with a letter, those of Cuba with digits: nobody reads them on a map."""
    irish = ("Bray L", "Gort C", "Strabane NIR", "Camp X", "Mallow M")
    kinds = dict.fromkeys(irish, "dot")
    codes = division_codes_of(irish, ("IE", "GB"))
    assert list(shown_names(kinds, taken_names(kinds, (), codes), codes).values()) == [
        "Bray",
        "Gort",
        "Strabane",
        "Camp X",  # no division has this code
        "Mallow",
    ]
    assert without_state("San Luis 15", division_codes_of(["San Luis 15"], ("CU",))) == "San Luis"
    assert without_state("Pier 15", division_codes_of(["Pier 15"], ("IE",))) == "Pier 15"
    assert division_codes_of(["Altoona PA", "Mallow"], ("US",)) == frozenset()  # the gazetteer is not read


def test_mistakes(bare: Source) -> None:
    with pytest.raises(SourceError, match=r"lines/x\.csv:4: line '0' ends at 'Ctown KS', which is a via"):
        traced(bare, rows("x", "A B c"))
    with pytest.raises(SourceError, match=r"lines/x\.csv:5: 'Btown KS' is a via here, but a milepost of 'x'"):
        traced(bare, rows("x", "A B", "C b D"))


def test_origin_names_file_and_row(bare: Source) -> None:
    network = traced(bare, rows("x", "A b C D"))
    assert network.mileposts[2].origin == Origin(how="station list", file="lines/x.csv", row=5)
    assert network.mileposts[0].origin == Origin(how="table", file="cities.csv", row=2)


TREES = st.lists(st.integers(min_value=0), min_size=1, max_size=18)


@given(TREES, st.sets(st.integers(min_value=0, max_value=18)))
def test_segments_of_a_tree_are_its_milepost_pairs_without_one_between(parents: list[int], junctions: set[int]) -> None:
    """In a tree every pair is joined by one way; it is a segment exactly if only junctions lie on it."""
    tree = nx.Graph([(i + 1, parent % (i + 1)) for i, parent in enumerate(parents)])
    inner = {node for node in tree if node in junctions and tree.degree(node) > 1}
    origin = Origin(how="generated", file="x", row=1)
    pieces = [
        NetworkPiece(
            id=f"x--{a}--{b}",
            railroad="x",
            a=f"n{a}",
            b=f"n{b}",
            miles=1.0,
            line=((0, 0), (1, 1)),
            origin=origin,
        )
        for a, b in sorted(tuple(sorted(edge)) for edge in tree.edges)
    ]
    expected = set()
    for a, b in combinations(sorted(set(tree) - inner), 2):
        between = nx.shortest_path(tree, a, b)[1:-1]
        if set(between) <= inner:
            expected.add((frozenset((f"n{a}", f"n{b}")), len(between) + 1))
    found = make_segments(pieces, {f"n{node}" for node in inner})
    assert {(frozenset((s.a, s.b)), len(s.pieces)) for s in found} == expected
    assert len(found) == len(expected)
    assert all(s.miles == len(s.pieces) for s in found)


@given(st.permutations(list("ABCDEFGH")), st.permutations(list("IJKLMNOP")))
def test_the_order_of_lines_does_not_matter(bare_order: list[str], other: list[str]) -> None:
    first = rows("x", " ".join(bare_order)), rows("y", " ".join(other))
    source = bare_source()
    one = trace_stations(source.model_copy(update={"stations": (*first[0], *first[1])}))
    two = trace_stations(source.model_copy(update={"stations": (*first[1], *first[0])}))
    assert one == two


def test_lengths_are_geodesic() -> None:
    """A degree of latitude at the equator is 110.574 km; of longitude 111.320 km (WGS 84)."""
    assert line_miles([(0, 0), (0, 1)]) * 1.609344 == pytest.approx(110.574, abs=0.001)
    assert line_miles([(0, 0), (1, 0)]) * 1.609344 == pytest.approx(111.320, abs=0.001)
    assert line_miles([(0, 0), (1, 0), (2, 0)]) == pytest.approx(2 * line_miles([(0, 0), (1, 0)]))


def test_the_page_holds_everything_and_fills_the_frame(usa: Board) -> None:
    left, top, right, bottom = usa.page.frame
    xs = [x for p in usa.pieces for x, _ in p.path]
    ys = [y for p in usa.pieces for _, y in p.path]
    assert left - 0.01 <= min(xs) < max(xs) <= right + 0.01
    assert top - 0.01 <= min(ys) < max(ys) <= bottom + 0.01
    assert max(xs) - min(xs) == pytest.approx(right - left, abs=0.05) or max(ys) - min(ys) == pytest.approx(
        bottom - top, abs=0.05
    )
    albers = "+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=37.5 +lon_0=-96 +datum=WGS84 +units=m +no_defs"
    assert usa.projection.crs == albers


@given(st.floats(-120, -70), st.floats(25, 49))
def test_every_projection_is_finite_and_keeps_north_up(lon: float, lat: float) -> None:
    source = bare_source().config
    for name in ("albers", "lambert", "mercator", "transverse-mercator", "plate-carree"):
        config = source.projection.model_copy(update={"name": name, "lat_1": 30, "lat_2": 45, "lon_0": -95})
        projection, _ = fit_page(config, source.page, [(-120, 25), (-70, 49), (-120, 49), (-70, 25)])
        (_, y), (_, above) = PageMap(projection).to_page([(lon, lat), (lon, lat + 0.5)])
        assert above < y


def test_projection_that_cannot_be() -> None:
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template:
        document = open_folder(Path(template))

    def built_with(**settings: str | int) -> None:
        rows = {key.replace("_", ".", 1): Setting(value=value) for key, value in settings.items()}
        changed = RailDocument({**document.tables, "settings": {**document.settings, **rows}})
        built(compile_document(changed, board_id="example"))

    with pytest.raises(SourceError, match=r"board\.toml: projection 'crs' \('EPSG:0'\) cannot show this board"):
        built_with(projection_name="crs", projection_crs="EPSG:0")
    with pytest.raises(SourceError, match=r"the margins and the legend fill the page"):
        built_with(page_margin=300)
