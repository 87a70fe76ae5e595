"""The live board is the compiled board, and what it is after edits it is from scratch."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from board_helpers import open_folder
from boards import REPOSITORY, shipped
from generated import changed, grid_document, with_row
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.checks import Found
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.checks.check import Check, CheckedRails
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document, refit
from mapkit.kinds.rail.live import lookups
from mapkit.kinds.rail.live.checks import full_findings, live_findings
from mapkit.kinds.rail.live.view import view_delta, whole_view
from mapkit.kinds.rail.tables import Line, Payoff, Place, RailDocument

pytestmark = pytest.mark.slow

SHIPPED = ("usa", "mexico", "portugal")
MEANING = (
    *("title", "units", "projection", "page", "regions", "mileposts", "cities", "railroads", "junctions", "pieces"),
    *("segments", "destinations", "payoffs", "declared", "rules"),
)
SMALL = grid_document(3, 11, cities=6)


@cache
def opened(name: str) -> Compiled:
    return compile_document(open_folder(Path(REPOSITORY / "sources" / name)), board_id=name)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_live_board_is_the_compiled_one(name: str) -> None:
    live, built = opened(name), shipped(name)
    assert live.problems == ()
    for part in MEANING:
        assert getattr(live.board, part) == getattr(built, part), part
    assert live.board.provenance.accepted == built.provenance.accepted
    assert live.board.provenance.notes == built.provenance.notes


@pytest.mark.parametrize("name", SHIPPED)
def test_live_findings_are_those_of_the_command(name: str) -> None:
    live, report = opened(name), run_checks(shipped(name))
    found = live_findings(live)
    assert [each.id for each in found.findings] == [each.id for each in report.findings]
    assert [each.message for each in found.findings] == [each.message for each in report.findings]
    assert dict(found.checks) == report.checks
    places = [each for each in found.findings if each.finding.place.lon is not None]
    assert all(each.at for each in places)


@pytest.mark.parametrize("name", ["usa", "portugal"])
def test_a_document_builds_the_board_of_its_files(name: str) -> None:
    built = compile_document(opened(name).document, board_id=name).board
    for part in MEANING:
        assert getattr(built, part) == getattr(shipped(name), part), part


def test_full_findings_have_files_and_rows() -> None:
    found = full_findings(opened("usa"), drawing=False)
    places = [each.finding.place for each in found.findings]
    assert [each.id for each in found.findings] == [each.id for each in run_checks(shipped("usa")).findings]
    assert any(place.file is not None and place.row is not None for place in places)


KEYS = sorted(SMALL.lines)
NAMES = [*sorted(SMALL.places), *(city.name for city in SMALL.cities.values()), "Nowhere at all", "Stop-00x001"]
DEGREES = {"lon": st.floats(-119, -80).map(lambda v: round(v, 4)), "lat": st.floats(26, 44).map(lambda v: round(v, 4))}
EDITS = st.one_of(
    st.tuples(st.just("place"), st.sampled_from(sorted(SMALL.places)), st.fixed_dictionaries(DEGREES)),
    st.tuples(st.just("no place"), st.sampled_from(sorted(SMALL.places)), st.just({})),
    st.tuples(st.just("city"), st.sampled_from(sorted(SMALL.cities)), st.fixed_dictionaries(DEGREES)),
    st.tuples(st.just("no city"), st.sampled_from(sorted(SMALL.cities)), st.just({})),
    st.tuples(st.just("region"), st.sampled_from(sorted(SMALL.cities)), st.sampled_from(sorted(SMALL.regions))),
    st.tuples(st.just("twin"), st.sampled_from(sorted(SMALL.cities)), st.sampled_from(NAMES)),
    st.tuples(
        st.just("line"),
        st.sampled_from(KEYS),
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["milepost", "via"])), max_size=6),
    ),
    st.tuples(st.just("no line"), st.sampled_from(KEYS), st.just({})),
    st.tuples(st.just("railroad"), st.sampled_from(sorted(SMALL.railroads)), st.integers(0, 99)),
    st.tuples(st.just("no railroad"), st.sampled_from(sorted(SMALL.railroads)), st.just({})),
    st.tuples(st.just("payoff"), st.sampled_from(sorted(SMALL.payoffs)), st.sampled_from([None, 0.0, 3.5, 4.2])),
    st.tuples(st.just("one way"), st.sampled_from(sorted(SMALL.payoffs)), st.just(7.0)),
    st.tuples(st.just("cell"), st.sampled_from(sorted(SMALL.destinations)), st.sampled_from([None, "city-0"])),
    st.tuples(st.just("solve"), st.just("payoffs"), st.just({})),
)


def edited(document: RailDocument, edit: tuple[str, str, Any]) -> RailDocument:  # noqa: C901, PLR0911 - one kind each
    kind, key, value = edit
    if kind == "place":
        return with_row(document, "places", key, Place(rank=1.0, **value))
    if kind == "no place":
        return with_row(document, "places", key, None)
    if kind == "no city":
        return with_row(document, "cities", key, None)
    if key in document.cities:
        fields = {"city": value, "twin": {"milepost": value}, "region": {"region": value}}[kind]
        return changed(document, "cities", key, **fields)
    if kind == "line":
        railroad = key.removesuffix("-main")
        row = Line(rank=3.0, railroad=railroad, name="main", file=f"lines/{railroad}.csv", stops=tuple(value))
        return with_row(document, "lines", key, row)
    if kind in ("no line", "no railroad"):
        return with_row(document, "lines" if kind == "no line" else "railroads", key, None)
    if kind == "railroad" and key in document.railroads:
        return changed(document, "railroads", key, price=value)
    if kind == "payoff":
        return with_row(document, "payoffs", key, Payoff(thousands=value))
    if kind == "one way":
        return with_row(document, "payoffs", key, Payoff(thousands=2.0, below=value))
    if kind == "cell":
        return changed(document, "destinations", key, item=value)
    return document


def taken_over(view: Any, delta: Any) -> Any:
    out = {}
    for part, now in view.items():
        if part == "page":
            out[part] = delta.get(part, now)
            continue
        both = now | delta[part]
        out[part] = {key: value for key, value in both.items() if value is not None}
    return out


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(EDITS, min_size=1, max_size=6))
def test_edit_by_edit_is_from_scratch(edits: list[tuple[str, str, Any]]) -> None:
    live = compile_document(SMALL, board_id="grid")
    found = live_findings(live)
    view = whole_view(live)
    for edit in edits:
        document = edited(live.document, edit)
        after = live.recompile(document)
        scratch = compile_document(document, board_id="grid", frame=live.frame)
        assert after.board == scratch.board
        assert after.problems == scratch.problems
        assert after.laid.ids == scratch.laid.ids
        found = live_findings(after)
        assert found.as_json() == live_findings(scratch).as_json()
        delta = view_delta(live, after)
        view = taken_over(view, delta)
        assert view == whole_view(scratch)
        assert all(view_delta(after, scratch)[part] == {} for part in ("mileposts", "segments", "junctions", "lines"))
        live = after
    ids = [each.id for each in found.findings if each.finding.code == "S01"]
    assert len(set(ids)) == len(ids)


def test_a_short_name_follows_others_of_the_name_that_come_and_go() -> None:
    line = SMALL.lines["row-0-main"]
    document = SMALL
    for name in ("Btown KS", "Btown MO", "Ctown KS"):
        document = with_row(
            document, "places", name, Place(rank=1.0, lon=-100.0 + len(document.places) / 100, lat=30.0)
        )
    live = compile_document(document, board_id="grid")
    shown = []
    for names in (["Btown KS"], ["Btown KS", "Btown MO"], ["Btown MO", "Ctown KS"], ["Btown KS", "Btown MO"], []):
        stops = (*line.stops, *((name, "milepost") for name in names))
        document = changed(document, "lines", "row-0-main", stops=stops)
        live = live.recompile(document)
        assert live.board == compile_document(document, board_id="grid", frame=live.frame).board
        shown.append(sorted(m.name for m in live.board.mileposts if "town" in m.name))
    assert shown == [["Btown"], ["Btown KS", "Btown MO"], ["Btown", "Ctown"], ["Btown KS", "Btown MO"], []]


def test_an_edit_touches_only_its_railroads() -> None:
    live = compile_document(SMALL, board_id="grid")
    after = live.recompile(changed(SMALL, "places", "Stop 01x006", lat=33.0))
    assert after.laid.drawn["row-0"] is live.laid.drawn["row-0"]
    assert after.laid.drawn["row-1"] is not live.laid.drawn["row-1"]
    delta = view_delta(live, after)
    assert sorted(delta["mileposts"]) == ["stop-01x006"]
    assert sorted(delta["segments"]) == [
        "row-1--stop-01x005--stop-01x006",
        "row-1--stop-01x006--stop-01x007",
    ]
    assert list(delta["lines"]) == ["row-1-main"]
    assert (delta["lines"]["row-1-main"] or {"stops": []})["stops"][6]["lat"] == 33.0


def test_findings_whose_ground_is_the_same_are_not_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    live = compile_document(SMALL, board_id="grid")
    live_findings(live)
    ran: list[str] = []
    for code, check in lookups.CHECK_BY_CODE.items():
        monkeypatch.setitem(lookups.CHECK_BY_CODE, code, replace(check, find=noted(ran, check)))
    key = min(SMALL.payoffs)
    after = live_findings(live.recompile(with_row(SMALL, "payoffs", key, Payoff(thousands=9.9))))
    assert sorted(ran) == ["P01", "P02", "P03", "P04", "P05", "P06", "P07", "V08"]
    assert f"P06:{key.replace('|', ':')}" in {each.id for each in after.findings}


def noted(ran: list[str], check: Check) -> Callable[[CheckedRails], Iterable[Found]]:
    def find(checked: CheckedRails) -> Iterable[Found]:
        ran.append(check.code)
        return check.find(checked)

    return find


def problems_of(document: RailDocument) -> list[str]:
    return [problem.message for problem in compile_document(document, board_id="grid").problems]


def test_what_a_build_refuses_is_reported_and_left_out() -> None:
    line = SMALL.lines["row-0-main"]
    via = (*line.stops[:-1], (line.stops[-1][0], "via"))
    loose = changed(SMALL, "lines", "row-0-main", stops=via)
    assert [text for text in problems_of(loose) if "which is a via" in text] == problems_of(loose)
    live = compile_document(loose, board_id="grid")
    full = compile_document(SMALL, board_id="grid")
    assert len(live.board.segments) == len(full.board.segments) - 1
    assert live_findings(live).findings[0].id == "S01:lines/row-0-main"
    assert live_findings(live).findings[0].as_json()["x"] is not None
    found = full_findings(live, drawing=False)
    assert any("which is a via" in each.message for each in found.findings)

    unknown = changed(SMALL, "lines", "row-0-main", stops=(*line.stops, ("Nowhere at all XY", "milepost")))
    assert any("Nowhere at all XY" in text for text in problems_of(unknown))
    alone = changed(SMALL, "lines", "row-0-main", stops=line.stops[:1])
    assert any("only one place" in text for text in problems_of(alone))
    double = changed(SMALL, "lines", "row-0-main", stops=(line.stops[0], *line.stops))
    assert any("twice in a row" in text for text in problems_of(double))
    both = with_row(
        SMALL,
        "lines",
        "row-0-spur",
        Line(
            rank=99,
            railroad="row-0",
            name="spur",
            file="lines/row-0.csv",
            stops=(("Stop 02x004", "milepost"), (line.stops[1][0], "via"), ("Stop 02x005", "milepost")),
        ),
    )
    assert any("a milepost and a via" in text for text in problems_of(both))


def test_names_that_give_one_id_are_told_apart() -> None:
    clash = with_row(SMALL, "places", "Stop-00x003", Place(rank=99, lon=-110, lat=30))
    line = SMALL.lines["row-1-main"]
    clash = changed(clash, "lines", "row-1-main", stops=(*line.stops, ("Stop 00X003.", "milepost")))
    live = compile_document(clash, board_id="grid")
    assert len({m.id for m in live.board.mileposts}) == len(live.board.mileposts)


def test_fitting_the_page_again_is_what_a_build_does() -> None:
    moved = changed(SMALL, "cities", "city-0", lon=-130.0)
    live = compile_document(SMALL, board_id="grid").recompile(moved)
    assert live.board.projection == compile_document(SMALL, board_id="grid").board.projection
    fitted = refit(live)
    assert fitted.board == compile_document(moved, board_id="grid").board
    assert view_delta(live, fitted)["page"] == whole_view(fitted)["page"]
    assert taken_over(whole_view(live), view_delta(live, fitted)) == whole_view(fitted)


def test_another_projection_fits_the_page_at_once() -> None:
    other = changed(SMALL, "settings", "projection.name", value="mercator")
    before = compile_document(SMALL, board_id="grid")
    live = before.recompile(other)
    assert live.board == compile_document(other, board_id="grid").board
    assert live.board.projection != before.board.projection
    assert live.recompile(SMALL).board == before.board  # undone
