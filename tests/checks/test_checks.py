"""Each check: a bad board gives exactly its finding, the good ones none; and the registry as a whole."""

from collections.abc import Callable, Iterator

import pytest
from conftest import REPOSITORY
from tiny import tiny_board

import mapkit
from mapkit.core.checks import Found
from mapkit.core.findings import Severity, finding_line
from mapkit.formats.sarif import sarif
from mapkit.kinds.rail.checks import CHECKS, Check, run_checks
from mapkit.kinds.rail.checks.check import CheckedRails
from mapkit.kinds.rail.model.board import Board, City, Segment
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import Group

TINY = tiny_board()
GOOD = TINY.model_copy(
    update={"rules": apply_rule_changes(TINY.rules, {"winning.cash": 90_000, "information.announce_cash": 90_000})}
)
"""The small board, with as much to win as its small payoffs let players reach (V08)."""
Change = Callable[[Board], Board]


def with_segments(*extra: tuple[str, str, str, str, float], drop: tuple[str, ...] = ()) -> Change:
    """Add segments (id, railroad, a, b, miles) and drop others, with their pieces."""

    def change(board: Board) -> Board:
        kept = [s for s in board.segments if s.id not in drop]
        new = [
            Segment(id=i, railroad=r, a=a, b=b, miles=m, pieces=(i,), path=((0, 0), (1, 1))) for i, r, a, b, m in extra
        ]
        new_pieces = [
            board.pieces[0].model_copy(update={"id": i, "railroad": r, "a": a, "b": b}) for i, r, a, b, _ in extra
        ]
        used = {piece for s in kept for piece in s.pieces}
        return board.model_copy(
            update={
                "segments": tuple(kept + new),
                "pieces": tuple([p for p in board.pieces if p.id in used] + new_pieces),
            }
        )

    return change


def with_mileposts(*extra: tuple[str, str, float, float]) -> Change:
    """Add dots (id, name, lon, lat)."""

    def change(board: Board) -> Board:
        like = next(m for m in board.mileposts if m.kind == "dot")
        new = [like.model_copy(update={"id": i, "name": n, "lon": x, "lat": y}) for i, n, x, y in extra]
        return board.model_copy(update={"mileposts": (*board.mileposts, *new)})

    return change


def both(*changes: Change) -> Change:
    def change(board: Board) -> Board:
        for one in changes:
            board = one(board)
        return board

    return change


def cell(chart: str, parity: str, total: str, content: str | None) -> Change:
    def change(board: Board) -> Board:
        old = board.destinations[chart]
        new = old.model_copy(update={parity: {**getattr(old, parity), total: content}})
        return board.model_copy(update={"destinations": {**board.destinations, chart: new}})

    return change


def declared(region: str, odds: str) -> Change:
    return lambda board: board.model_copy(update={"declared": {"regions": {region: odds}}})


def cells(chart: str, old: str, new: str) -> Change:
    def change(board: Board) -> Board:
        was = board.destinations[chart]
        swapped = {
            parity: {total: new if content == old else content for total, content in getattr(was, parity).items()}
            for parity in ("odd", "even")
        }
        return board.model_copy(update={"destinations": {**board.destinations, chart: was.model_copy(update=swapped)}})

    return change


def without_cell(board: Board) -> Board:
    was = board.destinations["west"]
    odd = {total: content for total, content in was.odd.items() if total != "7"}
    return board.model_copy(
        update={"destinations": {**board.destinations, "west": was.model_copy(update={"odd": odd})}}
    )


def payoff(value: float | None, *where: tuple[str, str]) -> Change:
    def change(board: Board) -> Board:
        chart = board.payoffs
        rows = [list(row) for row in chart.thousands]
        for a, b in where:
            rows[chart.cities.index(a)][chart.cities.index(b)] = value
        return board.model_copy(
            update={"payoffs": chart.model_copy(update={"thousands": tuple(tuple(row) for row in rows)})}
        )

    return change


def short_row(board: Board) -> Board:
    chart = board.payoffs
    rows = (chart.thousands[0][:-1], *chart.thousands[1:])
    return board.model_copy(update={"payoffs": chart.model_copy(update={"thousands": rows})})


def add_city(board: Board) -> Board:
    """A city on a milepost without track, in every chart that needs it."""
    like = board.mileposts[0]
    lone = like.model_copy(update={"id": "oak", "name": "Oak", "lon": -95.0, "lat": 40.0})
    city = City(id="oak", name="Oak", region="west", milepost="oak")
    rows = tuple((*row, 3.0) for row in board.payoffs.thousands)
    chart = board.payoffs.model_copy(
        update={"cities": (*board.payoffs.cities, "oak"), "thousands": (*rows, (*(3.0,) * len(rows), 0.0))}
    )
    more = board.model_copy(
        update={"mileposts": (*board.mileposts, lone), "cities": (*board.cities, city), "payoffs": chart}
    )
    return cell("west", "odd", "2", "oak")(more)


def add_railroad(board: Board) -> Board:
    new = board.railroads[0].model_copy(update={"id": "paper", "short": "PAPER"})
    return board.model_copy(update={"railroads": (*board.railroads, new)})


def ruled(changes: dict[str, object], *options: str) -> Change:
    def change(board: Board) -> Board:
        return board.model_copy(update={"rules": apply_rule_changes(board.rules, changes, options_on=options)})

    return change


def public(board: Board) -> Board:
    railroads = tuple(r.model_copy(update={"public": r.id != "red"}) for r in board.railroads)
    return board.model_copy(update={"railroads": railroads})


def grouped(price: int, *members: str) -> Change:
    return ruled({"group_purchase.groups": (Group(name="Rainbow", members=members, price=price),)}, "group-purchase")


FAR = with_mileposts(("yew", "Yew", -94.0, 40.0), ("zinnia", "Zinnia", -93.0, 40.0), ("willow", "Willow", -93.5, 39.0))
LAKE = with_mileposts(("lake", "Lake", -98.5, 42.9))

BAD: dict[str, tuple[Change, tuple[str, ...]]] = {
    "N01": (
        both(
            FAR,
            add_railroad,
            with_segments(
                ("paper--yew--zinnia", "paper", "yew", "zinnia", 52.0),
                ("paper--willow--yew", "paper", "willow", "yew", 52.0),
                ("paper--willow--zinnia", "paper", "willow", "zinnia", 52.0),
            ),
        ),
        ("willow", "yew", "zinnia"),
    ),
    "N02": (
        with_segments(drop=("green--elm--hill",)),
        ("green", "ash", "elm"),
    ),
    "N03": (add_city, ("oak",)),
    "N04": (
        both(LAKE, with_segments(("red--birch--lake", "red", "birch", "lake", 60.0))),
        ("lake",),
    ),
    "N05": (
        with_segments(("red--birch--hill", "red", "birch", "hill", 69.0)),
        ("red", "hill"),
    ),
    "N06": (
        with_segments(("red--ash--birch--2", "red", "ash", "birch", 60.0)),
        ("red--ash--birch", "red--ash--birch--2"),
    ),
    "N07": (with_segments(("red--birch--birch", "red", "birch", "birch", 60.0)), ("red--birch--birch",)),
    "N08": (with_mileposts(("hill-2", "Hill", -96.0, 43.0)), ("hill", "hill-2")),
    "N09": (with_mileposts(("knoll", "Knoll", -98.99, 41.11)), ("hill", "knoll")),
    "N14": (
        both(
            add_railroad,
            with_mileposts(("knoll", "Knoll", -99.0, 41.1)),
            with_segments(
                ("red--birch--knoll", "red", "birch", "knoll", 69.0),
                ("paper--dale--knoll", "paper", "dale", "knoll", 120.0),
            ),
        ),
        ("hill", "knoll"),
    ),
    "N13": (add_railroad, ("paper",)),
    "D00": (without_cell, ("west",)),
    "D01": (cell("west", "odd", "7", None), ("west", "odd-7")),
    "D02": (cells("regions", "west", "east"), ("west",)),
    "D03": (cells("west", "elm", "ash"), ("elm",)),
    "D04": (cell("west", "even", "12", "dale"), ("west", "even-12", "dale")),
    "D05": (cell("west", "even", "12", "nowhere"), ("west", "even-12")),
    "D06": (declared("west", "1/72"), ("regions", "west")),
    "V01": (grouped(1_000, "blue", "red"), ("blue", "red")),
    "V02": (grouped(1_000, "blue", "violet"), ("violet",)),
    "V04": (ruled({"fees.opponent_after_sell_out": 4_000}), ("fees.opponent", "fees.opponent_after_sell_out")),
    "V05": (public, ("red",)),
    "P01": (short_row, ("ash",)),
    "P02": (payoff(None, ("ash", "dale"), ("dale", "ash")), ("ash", "dale")),
    "P03": (payoff(7.5, ("ash", "dale")), ("ash", "dale")),
    "P04": (payoff(1.0, ("elm", "elm")), ("elm",)),
    "P05": (payoff(1.5, ("fir", "gum"), ("gum", "fir")), ("fir", "gum")),
    "P06": (payoff(4.3, ("ash", "dale"), ("dale", "ash")), ("ash", "dale")),
    "P07": (payoff(0.0, ("ash", "dale"), ("dale", "ash")), ("ash", "dale")),
}
NOTES = {"N11", "N12", "G09"}
RULES = {"V03", "V06"}  # tests/rules/test_rules_checks.py
GAPS = {"N16", "N17", "N18"}  # test_gaps.py
PLAY = {"V07", "V08", "V09"}  # test_play.py
PROJECTIONS = {"G10"}  # tests/cli/test_new_empty.py
TRACED = {f"G0{n}" for n in range(1, 9)}  # tests/trace/test_traced.py, test_positions.py, sources/test_layers.py, below


@pytest.mark.parametrize("code", BAD)
def test_a_bad_board_gives_exactly_this_finding(code: str) -> None:
    change, elements = BAD[code]
    report = mapkit.check(change(GOOD), drawing=False)  # these lines are not drawing anybody made
    found = [f for f in report.findings if f.severity is not Severity.NOTE and f.code not in PLAY]
    assert {f.code for f in found} == {code}, [f.message for f in found]
    assert len(found) == 1
    assert sorted(found[0].elements) == sorted(elements)
    assert found[0].message.endswith(tuple("abcdefghijklmnopqrstuvwxyz)0"))
    assert ";" in found[0].message or ":" in found[0].message, "it must say what to do"


def test_good_boards_give_none(usa: Board) -> None:
    for board in (GOOD, usa):
        report = mapkit.check(board)
        bad = [f for f in report.findings if f.severity is not Severity.NOTE and f.accepted is None]
        assert bad == []
        assert report.ok


def test_every_check_is_provoked_and_codes_are_distinct() -> None:
    codes = [check.code for check in CHECKS]
    assert sorted(codes) == sorted(set(codes))
    assert set(codes) == {*BAD, *NOTES, *TRACED, *RULES, *PLAY, *GAPS, *PROJECTIONS, "N10", "P13"}


def test_what_a_draft_assumed_is_noted_as_long_as_it_stands() -> None:
    assumed = ["24 cities: the largest places", "a milepost pays 700"]
    drafted = GOOD.model_copy(update={"extensions": {"draft": {"assumed": assumed}}})
    notes = [f for f in mapkit.check(drafted).findings if f.code == "G09"]
    assert {f.message for f in notes} == {f"drafted: {sentence}" for sentence in assumed}
    assert {(f.severity, f.place.file if f.place else None) for f in notes} == {(Severity.NOTE, "board.toml")}
    others: list[dict[str, object]] = [{}, {"draft": {}}, {"draft": {"assumed": "all"}}, {"draft": {"assumed": [1]}}]
    for extensions in others:
        clean = GOOD.model_copy(update={"extensions": extensions})
        assert [f for f in mapkit.check(clean).findings if f.code == "G09"] == []


def test_notes_of_the_sketch() -> None:
    """GREEN alone serves Elm; without it BLUE's arms and RED's way to Ash are spurs."""
    notes = [(f.code, f.elements) for f in mapkit.check(GOOD).findings]
    assert notes == [("N11", ("elm", "green"))]
    dropped = tuple(s.id for s in GOOD.segments if s.railroad == "green")
    report = mapkit.check(with_segments(drop=dropped)(GOOD))
    assert [f.elements for f in report.findings if f.code == "N12"] == [
        ("cedar", "birch", "ash"),
        ("cedar", "fir-gum"),
        ("cedar", "hill"),
    ]


def test_findings_know_their_place() -> None:
    change, _ = BAD["P03"]
    (finding,) = [f for f in mapkit.check(change(GOOD)).findings if f.code == "P03"]
    assert (finding.place.file, finding.place.row) == ("charts/payoffs.csv", 2)
    assert finding.data == {
        "value": 7.5,
        "expected": 4.5,
        "suggested": None,
        "cause": "asymmetric",
        "mirrored": 4.5,
    }
    change, _ = BAD["N09"]
    (finding,) = [f for f in mapkit.check(change(GOOD)).findings if f.code == "N09"]
    assert (finding.place.lon, finding.place.lat) == (-98.99, 41.11)


@pytest.mark.slow
@pytest.mark.parametrize(("miles", "what"), [(900.0, "long"), (4.0, "short")])
def test_a_gap_far_from_the_usual(usa: Board, miles: float, what: str) -> None:
    wrong = tuple(
        s.model_copy(update={"miles": miles}) if s.id == "pa--altoona-pa--lewistown-pa" else s for s in usa.segments
    )
    found = [f for f in mapkit.check(usa.model_copy(update={"segments": wrong})).findings if f.code == "N10"]
    assert [f.elements for f in found] == [("pa--altoona-pa--lewistown-pa",)]
    assert f"{miles:g} miles long, too {what} for this board" in found[0].message
    assert (found[0].data["miles"], found[0].place.file) == (miles, "lines/pa.csv")


@pytest.mark.parametrize("ident", ["P03:ash:dale", "asymmetric-amount:ash:dale"])
def test_accepted_findings_are_reported_as_accepted(ident: str) -> None:
    change, _ = BAD["P03"]
    board = change(GOOD)
    accepted = board.provenance.model_copy(update={"accepted": {ident: "the chart says so"}})
    report = mapkit.check(board.model_copy(update={"provenance": accepted}))
    (finding,) = [f for f in report.findings if f.code == "P03"]
    assert finding.accepted == "the chart says so"
    assert report.errors == ()
    assert report.ok


def test_a_check_that_crashed_or_was_skipped_is_no_pass() -> None:
    def crash(_: CheckedRails) -> Iterator[Found]:
        raise ZeroDivisionError("by nought")

    def fine(_: CheckedRails) -> Iterator[Found]:
        return iter(())

    report = run_checks(
        GOOD,
        checks=(
            Check("N98", "crash", "crashes", Severity.WARNING, crash),
            Check("N99", "fine", "is skipped", Severity.WARNING, fine, needs=("N98",)),
        ),
    )
    assert report.checks == {"N98": "crashed", "N99": "skipped"}
    assert not report.ok
    assert [(f.code, f.severity) for f in report.findings] == [("N98", Severity.ERROR)]
    assert "ZeroDivisionError: by nought" in report.findings[0].message


def test_most_serious_first() -> None:
    board = both(BAD["P03"][0], BAD["N09"][0])(GOOD)
    assert list(dict.fromkeys(f.severity for f in mapkit.check(board).findings)) == ["error", "warning", "note"]


def test_sarif_names_file_and_row() -> None:
    change, _ = BAD["P03"]
    (run,) = sarif(mapkit.check(change(GOOD)), CHECKS, folder="sources/tiny")["runs"]
    first = run["results"][0]
    assert (first["ruleId"], first["level"]) == ("P03", "error")
    place = first["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("charts/payoffs.csv", 2)
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {check.code for check in CHECKS}
    for rule in rules:
        page, _, anchor = rule["help"]["text"].partition(" ")[0].partition("#")
        assert f"\n### {anchor.upper()}\n" in (REPOSITORY / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "code", "severity"),
    [
        ("ambiguity", "G01", Severity.WARNING),
        ("left out", "G02", Severity.WARNING),
        ("repair", "G03", Severity.NOTE),
        ("spacing", "G04", Severity.NOTE),
        ("crossing", "G05", Severity.NOTE),
    ],
)
def test_notes_of_tracing_become_findings(kind: str, code: str, severity: Severity) -> None:
    note = TraceNote.model_validate(
        {"kind": kind, "message": "a line; look", "feature": "lines/a.svg#3", "lon": -99.5, "lat": 41.0}
    )
    board = GOOD.model_copy(update={"provenance": GOOD.provenance.model_copy(update={"notes": (note,)})})
    (found,) = [f for f in mapkit.check(board).findings if f.code.startswith("G")]
    assert (found.code, found.severity, found.message) == (code, severity, "a line; look")
    assert (found.place.file, found.place.lon, found.place.lat) == ("lines/a.svg", -99.5, 41.0)
    assert found.id == f"{code}:-99.500 41.000:lines/a.svg#3"


def test_findings_carry_the_name_of_their_check() -> None:
    change, _ = BAD["P03"]
    report = mapkit.check(change(GOOD))
    (finding,) = (finding for finding in report.findings if finding.code == "P03")
    assert finding.name == "asymmetric-amount"
    assert finding_line(finding).endswith(" [asymmetric-amount]")
    rules = sarif(report, CHECKS, folder="tiny")["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["name"] for rule in rules if rule["id"] == "P03"] == ["asymmetric-amount"]
