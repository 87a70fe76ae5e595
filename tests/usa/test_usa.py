"""The classic United States, held against the figures of the printed game."""

import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from jsonschema import Draft202012Validator

import mapkit
from mapkit.kinds.rail.api.schemas import schema
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.multigraph import spurs
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.render.layout import clear_layout_cache

BUNDLE = REPOSITORY / "build" / "usa"
SHARED = REPOSITORY.parent / "shared"
NO_SHARED = "the folder ../shared with the reference data is not there"

RAILROADS = {  # id: price, mileposts, segments
    "acl": (12000, 25, 29),
    "atsf": (40000, 61, 61),
    "bm": (4000, 5, 5),
    "bo": (24000, 22, 22),
    "cbq": (20000, 45, 46),
    "cmstpp": (18000, 27, 26),
    "cnw": (14000, 30, 32),
    "co": (20000, 24, 23),
    "crip": (29000, 48, 49),
    "drgw": (6000, 13, 13),
    "gmo": (12000, 18, 17),
    "gn": (17000, 34, 33),
    "ic": (14000, 25, 25),
    "ln": (18000, 30, 30),
    "mp": (21000, 34, 35),
    "np": (14000, 27, 27),
    "nw": (12000, 14, 13),
    "nyc": (28000, 21, 20),
    "nynhh": (4000, 4, 3),
    "pa": (30000, 26, 27),
    "rfp": (4000, 3, 2),
    "sal": (14000, 33, 33),
    "slsf": (19000, 24, 23),
    "sou": (20000, 29, 30),
    "sp": (42000, 53, 53),
    "tp": (10000, 17, 16),
    "up": (40000, 44, 44),
    "wp": (8000, 13, 13),
}


def test_counts(usa: Board) -> None:
    assert len(usa.mileposts) == 529
    assert len(usa.segments) == 750
    assert len(usa.pieces) == 748
    assert len(usa.junctions) == 11
    assert len({frozenset((s.a, s.b)) for s in usa.segments}) == 705
    assert (len(usa.railroads), len(usa.cities), len(usa.regions)) == (28, 67, 7)
    assert len({m.name for m in usa.mileposts}) == 529
    assert sum(m.kind == "city" for m in usa.mileposts) == 65


def test_railroads(usa: Board) -> None:
    """Prices (RB-C12), and how much of the board each railroad has."""
    segments = Counter(s.railroad for s in usa.segments)
    mileposts: dict[str, set[str]] = defaultdict(set)
    for s in usa.segments:
        mileposts[s.railroad] |= {s.a, s.b}
    found = {r.id: (r.price, len(mileposts[r.id]), segments[r.id]) for r in usa.railroads}
    assert found == RAILROADS


def test_merged_groups_cost_what_the_rules_say(usa: Board) -> None:
    """RB-V02 to RB-V07."""
    price = {r.id: r.price for r in usa.railroads}
    for group in usa.rules.group_purchase.groups:
        assert sum(price[member] for member in group.members) == group.price


def test_twins_share_their_milepost(usa: Board) -> None:
    """RB-C06."""
    at = {city.id: city.milepost for city in usa.cities}
    assert at["minneapolis"] == at["st-paul"] == "minneapolis-st-paul"
    assert at["san-francisco"] == at["oakland"] == "san-francisco-oakland"
    assert len(set(at.values())) == 65


def test_the_board_reads_like_a_timetable(usa: Board) -> None:
    names = {m.id: m.name for m in usa.mileposts}
    found = mapkit.route(usa, "Philadelphia", "Pittsburgh", railroads=["PA"])
    stops = [names[found.start], *(names[step.end] for step in found.steps)]
    assert stops == ["Philadelphia", "Harrisburg", "Lewistown", "Altoona", "Pittsburgh"]
    assert found.payoff == 3.5
    assert not [m.name for m in usa.mileposts if any(ch.isdigit() for ch in m.name)]


def test_chances_are_exact(usa: Board) -> None:
    """RB-D03: region weight x city weight / 5,184; the worked example RB-D02 is odd 7, then even 8."""
    chances = calculate_city_chances(usa)
    assert sum(chances.values()) == 1
    assert all((chance * 5184).denominator == 1 and chance > 0 for chance in chances.values())
    regions = count_chart_weights(usa.destinations["regions"])
    assert sum(regions.values()) == 72
    for region, weight in regions.items():
        inside = sum(chances[c.id] for c in usa.cities if c.region == region)
        assert inside == Fraction(weight, 72)
    assert round(float(chances["san-francisco"] + chances["oakland"]) * 100, 2) == 4.40
    assert round(float(chances["fargo"]) * 100, 2) == 0.46
    assert usa.destinations["regions"].odd["7"] == "north-central"
    assert usa.destinations["north-central"].even["8"] == "chicago"


def test_payoffs_are_as_printed(usa: Board) -> None:
    """RB-C26: Miami - Jacksonville is 3 where the printed chart has two values."""
    chart = usa.payoffs
    value = {
        (a, b): v
        for a, row in zip(chart.cities, chart.thousands, strict=True)
        for b, v in zip(chart.cities, row, strict=True)
    }
    assert len(value) == 67 * 67
    assert value["san-francisco", "oakland"] == value["minneapolis", "st-paul"] == 0
    assert value["albany", "san-diego"] == value["san-diego", "albany"] == 31.5
    assert all(v is not None and v >= 0 and (2 * v).is_integer() for v in value.values())


def test_spurs_of_the_rule_books(usa: Board) -> None:
    """RB-C25: the way to Miami and the Santa Fe's end at San Diego."""
    ends = {spur[-1]: len(spur) - 1 for spur in spurs((piece.a, piece.b) for piece in usa.pieces)}
    assert ends == {"miami": 4, "norfolk": 1, "portland-me": 2, "san-diego": 2}


def test_every_city_can_be_reached_and_is_served(usa: Board) -> None:
    assert (count_all_pairs_moves(usa).moves >= 0).all()
    assert min(map(len, railroads_by_city(usa).values())) == 1


def test_the_bundle_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    clear_layout_cache()
    built = mapkit.build("usa", workspace=REPOSITORY, out=tmp_path)
    names = sorted(path.name for path in BUNDLE.iterdir())
    assert names == sorted(path.name for path in built.files)
    for name in names:
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes(), f"{name} differs from build/usa"


def test_the_board_file_keeps_its_schema_and_reads_back(usa: Board) -> None:
    text = (BUNDLE / "board.json").read_text(encoding="utf-8")
    Draft202012Validator(schema("board")).validate(json.loads(text))
    assert Board.model_validate_json(text) == usa
    assert mapkit.load(BUNDLE / "board.json") == usa


def test_the_charts_of_the_bundle_are_those_of_the_sources() -> None:
    def rows(path: Path) -> list[list[str]]:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.reader(stream))

    assert rows(BUNDLE / "payoffs.csv") == rows(REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv")


@pytest.mark.skipif(not (SHARED / "accept" / "usa_board.py").exists(), reason=NO_SHARED)
def test_acceptance() -> None:
    done = subprocess.run(
        [sys.executable, SHARED / "accept" / "usa_board.py", BUNDLE / "board.json"],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout == "529 mileposts, 750 segments, 28 railroads, 67 cities: as the facts say\n"


def test_check_has_no_errors_and_every_warning_was_judged(run: Run) -> None:
    ran = run("check", "usa", "--workspace", REPOSITORY, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert set(found["checks"].values()) <= {"passed", "found"}
    assert {f["severity"] for f in found["findings"] if f["accepted"] is None} == {"note"}
    assert all(f["accepted"] for f in found["findings"] if f["severity"] != "note")
