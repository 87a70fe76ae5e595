"""Track that is missing is named, wherever it is taken away; whole boards give almost no finding."""

import json
import random
import sys
from collections import defaultdict
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import Run
from tiny import tiny_board

import mapkit
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.checks import Check, gaps, network
from mapkit.kinds.rail.checks.check import CheckedRails
from mapkit.kinds.rail.checks.missing_links import GapReport, find_missing_links
from mapkit.kinds.rail.checks.nearest_track import TrackFinder
from mapkit.kinds.rail.model.board import Board, Junction, Milepost, Piece, Railroad, Segment

CHECKS = {check.code: check for check in (*gaps.CHECKS, *network.CHECKS)}
GAPS = ("N05", "N16", "N17", "N18")

Found = dict[tuple[str, frozenset[str]], str]


def found(board: Board, *codes: str) -> Found:
    """Return the messages by code and elements."""
    checked = CheckedRails(board)
    return {(code, frozenset(f.elements)): f.message for code in codes for f in CHECKS[code].find(checked)}


def laid(places: dict[str, tuple[float, float]], cities: set[str], track: dict[str, list[str]]) -> Board:
    """Return a board with these lines, straight; a name that begins with `j-` is a junction."""
    like = tiny_board()
    a_milepost, a_city, a_railroad = like.mileposts[0], like.cities[0], like.railroads[0]
    posts: list[Milepost] = [
        a_milepost.model_copy(
            update={"id": n, "name": n.title(), "kind": "city" if n in cities else "dot", "lon": x, "lat": y}
        )
        for n, (x, y) in places.items()
        if not n.startswith("j-")
    ]
    junctions: list[Junction] = [
        Junction(id=n, railroad=r, lon=places[n][0], lat=places[n][1], x=0, y=0)
        for r, names in track.items()
        for n in dict.fromkeys(" ".join(names).split())
        if n.startswith("j-")
    ]
    pieces: list[Piece] = []
    segments: list[Segment] = []
    railroads: list[Railroad] = []
    for railroad, lines in track.items():
        railroads.append(a_railroad.model_copy(update={"id": railroad, "short": railroad.upper()}))
        for line in lines:
            names = line.split()
            for a, b in pairwise(names):
                ident = f"{railroad}--{a}--{b}"
                line_of = (places[a], places[b])
                pieces.append(Piece(id=ident, railroad=railroad, a=a, b=b, miles=1, line=line_of, path=line_of))
                if not (a + b).count("j-"):
                    segments.append(
                        Segment(id=ident, railroad=railroad, a=a, b=b, miles=1, pieces=(ident,), path=line_of)
                    )
    whole = {
        "mileposts": tuple(posts), "junctions": tuple(junctions), "pieces": tuple(pieces), "segments": tuple(segments),
        "railroads": tuple(railroads),
        "cities": tuple(a_city.model_copy(update={"id": n, "name": n.title(), "milepost": n}) for n in sorted(cities)),
    }  # fmt: skip
    made: Board = like.model_copy(update=whole)
    return made


#   a - b - c - d ... east along one parallel, a step a degree
ROW = {name: (-100.0 + at, 40.0) for at, name in enumerate("abcdefghij")}


def test_an_end_short_of_a_city_that_others_serve() -> None:
    """Red stops a step before the city e, to which no track leads on from there."""
    places = {**ROW, "n": (-96.0, 41.0), "s": (-96.0, 39.0)}
    track = {"red": ["a b c d"], "blue": ["n e"], "green": ["s e"]}
    assert found(laid(places, {"a", "e", "n", "s"}, track), "N05", "N16", "N17", "N18") == {
        ("N16", frozenset({"red", "d", "e"})): "RED ends at D, 53 miles short of E, which 2 others serve; extend "
        "it, or accept this if its line really ends there"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cities", "track"),
    [
        ({"a", "d", "e", "n", "s"}, {"red": ["a b c d"], "blue": ["n e"], "green": ["s e"]}),  # it ends at a city
        ({"a", "e", "n", "s"}, {"red": ["a b c d e"], "blue": ["n e"], "green": ["s e"]}),  # it serves the city
        ({"a", "e", "n"}, {"red": ["a b c d"], "blue": ["n e"]}),  # one other alone serves it
        ({"a", "h", "n", "s"}, {"red": ["a b c d"], "blue": ["n h"], "green": ["s h"]}),  # the city is four steps away
    ],
)
def test_no_end_short_of_a_city(cities: set[str], track: dict[str, list[str]]) -> None:
    places = {**ROW, "n": (-96.0, 41.0), "s": (-96.0, 39.0)}
    assert found(laid(places, cities, track), "N16", "N17", "N18") == {}


def test_two_ends_of_a_railroad_that_face_each_other() -> None:
    places = {**ROW, "n": (-96.0, 41.0)}
    assert found(laid(places, {"a", "h"}, {"red": ["a b c d", "e f g h"]}), "N16", "N17", "N18") == {
        ("N17", frozenset({"red", "d", "e"})): "RED ends at D and goes on at E, 53 miles away; join them, or accept "
        "this if the line really has this gap"
    }  # fmt: skip
    assert found(laid(places, {"a", "h"}, {"red": ["a b c d e f g h"]}), "N16", "N17", "N18") == {}


def test_an_end_that_faces_its_own_line() -> None:
    """The branch from the north stops a step before the main line."""
    places = {**ROW, "n": (-95.0, 42.2), "m": (-95.0, 40.8), "k": (-95.0, 44.5)}
    board = laid(places, {"a", "j", "k"}, {"red": ["a b c d e f g h i j", "k n m"]})
    assert [set(ids) for _, ids in found(board, "N17")] == [{"red", "m", "f"}]


def test_a_city_that_lines_pass_by() -> None:
    places = {**ROW, "n": (-96.5, 41.0), "x": (-96.5, 40.1), "s": (-96.5, 43.0)}
    cities = {"a", "j", "x", "s"}
    lines = {name: ["a b c d e f g h i j"] for name in ("red", "blue", "green")}
    message = (
        "3 railroads pass X within 27 miles and do not serve it (BLUE, GREEN, RED), 1 does; lead them through it, or "
        "accept this if they really pass it by"
    )
    assert found(laid(places, cities, {**lines, "black": ["x n s"]}), "N16", "N18") == {
        ("N18", frozenset({"x"})): message
    }
    assert found(laid(places, cities, {"red": lines["red"], "black": ["x n s"]}), "N16", "N18") == {}


def test_a_dead_end_behind_a_junction() -> None:
    places = {**ROW, "j-1": (-97.5, 40.0), "n": (-97.5, 40.9)}
    board = laid(places, {"a", "f"}, {"red": ["a b c j-1 d e f", "j-1 n"]})
    through = board.segments[0].model_copy(
        update={"id": "red--c--n", "a": "c", "b": "n", "pieces": ("red--c--j-1", "red--j-1--n")}
    )
    other = through.model_copy(update={"id": "red--d--n", "a": "d", "pieces": ("red--j-1--d", "red--j-1--n")})
    board = board.model_copy(update={"segments": (*board.segments, through, other)})
    assert [set(ids) for _, ids in found(board, "N04")] == [{"n"}]


def without(board: Board, gone: set[str]) -> Board:
    segments = tuple(segment for segment in board.segments if segment.id not in gone)
    used = {piece for segment in segments for piece in segment.pieces}
    return board.model_copy(
        update={"segments": segments, "pieces": tuple(piece for piece in board.pieces if piece.id in used)}
    )


def test_links_taken_from_the_united_states_are_named(usa: Board) -> None:
    """Ten links a trial, from a dot to a city of three railroads or more; tests/bench/bench_gaps.py measures more."""
    cities = {city.milepost for city in usa.cities}
    serves: defaultdict[str, set[str]] = defaultdict(set)
    for segment in usa.segments:
        serves[segment.a].add(segment.railroad)
        serves[segment.b].add(segment.railroad)
    links = [
        segment
        for segment in usa.segments
        if len({segment.a, segment.b} & cities) == 1
        and len(serves[segment.a if segment.a in cities else segment.b]) >= 3
        and len(segment.pieces) == 1
    ]
    assert len(links) == 182
    before = found(usa, *GAPS)
    assert len(before) == 9
    chance = random.Random(7)  # noqa: S311
    named = false = 0
    for _ in range(12):
        gone = chance.sample(links, 10)
        new = found(without(usa, {segment.id for segment in gone}), *GAPS).keys() - before.keys()
        right = set()
        for segment in gone:
            mine = {
                key
                for key in new
                if {segment.a, segment.b} & key[1] and (key[0] == "N18" or segment.railroad in key[1])
            }
            named += bool(mine)
            right |= mine
        false += len(new - right)
    assert (named, false) == (103, 1)


def test_each_check_says_what_it_looks_for() -> None:
    assert all(isinstance(check, Check) and check.find.__doc__ for check in gaps.CHECKS)


def test_a_missing_link_is_ranked_first_with_the_command_that_adds_it() -> None:
    board = laid(ROW, {"a", "h"}, {"red": ["a b c d", "e f g h"]})
    best, *others = find_missing_links(CheckedRails(board))
    assert {best.end, best.to} == {"d", "e"}
    assert best.command == {"kind": "add-piece", "railroad": "red", "a": best.end, "b": best.to}
    assert best.own is not None
    assert best.own.name == best.to_name
    assert {"two ends of it", f"it ends off any city at {best.end_name}"} <= set(best.evidence)
    assert best.is_likely
    assert not any(other.is_likely for other in others)
    report = GapReport(board="test", links=(best, *others))
    assert [json.loads(line) for line in report.commands().splitlines()] == [best.command]
    assert len(report.commands(every=True).splitlines()) == 1 + len(others)


def test_a_link_that_makes_payoffs_fit_ranks_higher(usa: Board) -> None:
    (link,) = [each for each in usa.segments if each.id == "sou--corinth-ms--memphis"]
    board = without(usa, {link.id})
    blank_payoffs = usa.payoffs.model_copy(update={"thousands": tuple((None,) * 67 for _ in usa.payoffs.thousands)})
    ranks = []
    for changed in (board, board.model_copy(update={"payoffs": blank_payoffs})):
        pairs = [{gap.end, gap.to} for gap in find_missing_links(CheckedRails(changed)) if gap.railroad == "sou"]
        ranks.append(pairs.index({link.a, link.b}))
    assert ranks[0] < ranks[1]
    assert not any(gap.is_likely for gap in find_missing_links(CheckedRails(usa)))


def test_the_first_fifteen_places_name_the_links_that_were_taken_away(usa: Board) -> None:
    accepted = [set(ident.split(":")[1:]) for ident in usa.provenance.accepted]
    links = [
        link
        for link in usa.segments
        if len(link.pieces) == 1 and not any(link.railroad in e and {link.a, link.b} & e for e in accepted)
    ]
    chance, named = random.Random(1), 0  # noqa: S311
    for _ in range(3):
        gone = chance.sample(links, 10)
        top = find_missing_links(CheckedRails(without(usa, {link.id for link in gone})))[:15]
        for link in gone:
            named += any(
                {link.a, link.b} in ({gap.end, gap.to}, {gap.end, gap.or_to})
                for gap in top
                if gap.railroad == link.railroad
            )
    assert named >= 26


def test_the_nearest_track_is_found() -> None:
    places = {"a": (0.0, 0.0), "b": (2.0, 0.0), "c": (2.0, 2.0), "d": (0.0, 1.0)}
    pieces = laid(places, {"a"}, {"x": ["a b c"], "y": ["a b", "c d"]}).pieces
    finder = TrackFinder(pieces)
    near = finder.nearest((1.0, 0.25))
    assert near is not None
    assert near[0].id == "x--a--b"  # of two the first
    assert near[1] == pytest.approx(line_miles(((1.0, 0.25), (1.0, 0.0))))
    beyond = finder.nearest((2.5, 2.5), apart_from="d")
    assert beyond is not None
    assert beyond[0].id == "x--b--c"
    assert beyond[1] == pytest.approx(line_miles(((2.5, 2.5), (2.0, 2.0))))
    apart = finder.nearest((1.0, 0.25), apart_from="b")
    assert apart is not None
    assert apart[0].id == "y--c--d"
    assert TrackFinder(()).nearest((0.0, 0.0)) is None
    assert TrackFinder(pieces[:1]).nearest((0.0, 0.0), apart_from=pieces[0].a) is None


def test_commands_of_gaps_go_through_a_pipe(example: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shore = example / "lines" / "shore.csv"
    before = shore.read_bytes()
    head, seam, tail = before.partition(b"SHORE,Portland - New Haven,6,")
    tail = tail.replace(b"SHORE,Portland - New Haven,7,", b"SHORE,New London - New Haven,2,")
    shore.write_bytes(head + seam.replace(b"Portland - New Haven,6", b"New London - New Haven,1") + tail)
    workspace = ("--workspace", example.parents[1])
    printed = run("check", "example", "--gaps", "--format", "commands", *workspace)
    assert printed.code == 0
    assert json.loads(printed.out)["railroad"] == "shore"
    broken = mapkit.load("example", workspace=example.parents[1])
    for text, code, message in ((printed.out, 0, "saved: "), ("", 1, "mapkit: standard input: no command in it")):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
        done = run("do", "example", "-", *workspace)
        assert (done.code, message in done.err) == (code, True), done.err
    mended = mapkit.load("example", workspace=example.parents[1])
    assert {segment.id for segment in mended.segments} - {segment.id for segment in broken.segments} == {
        "shore--new-london-ct--providence-ri"
    }
    assert run("undo", "example", *workspace).code == 0
    assert mapkit.load("example", workspace=example.parents[1]).segments == broken.segments
