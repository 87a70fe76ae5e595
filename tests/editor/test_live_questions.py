"""What one click fixes, and what the page asks."""

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import shapely
from board_helpers import open_folder
from generated import changed, grid_document, with_row
from test_live_board import opened

from mapkit.core.errors import MapkitError
from mapkit.document.changes import apply
from mapkit.drawing.colours.colour import to_encoded
from mapkit.drawing.colours.vision import simulate_vision
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.api.reports import report, route
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.live.checks import live_findings
from mapkit.kinds.rail.live.fixes import fixes
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.tables import Payoff, RailDocument, Railroad

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SMALL = grid_document(3, 11, cities=6)


def live_of(document: RailDocument) -> Compiled:
    return compile_document(document, board_id="grid")


def broken(code: str) -> tuple[RailDocument, str]:  # noqa: PLR0911 - one code each
    """Return a document with a finding of a code, and the finding's id."""
    key = min(SMALL.payoffs)
    pair = key.replace("|", ":")
    if code == "P02":
        return with_row(SMALL, "payoffs", key, None), f"P02:{pair}"
    if code == "P03":
        return with_row(SMALL, "payoffs", key, Payoff(thousands=3.0, below=4.0)), f"P03:{pair}"
    if code == "P06":
        return with_row(SMALL, "payoffs", key, Payoff(thousands=3.2)), f"P06:{pair}"
    if code == "D01":
        return changed(SMALL, "destinations", "regions/odd/7", item=None), "D01:odd-7:regions"
    if code == "D03":
        document = SMALL
        for cell in SMALL.destinations:
            if SMALL.destinations[cell].item == "city-0":
                document = changed(document, "destinations", cell, item="city-2")
        return document, "D03:city-0"
    if code == "D04":
        return changed(SMALL, "destinations", "region-0/odd/7", item="city-1"), "D04:city-1:odd-7:region-0"
    if code == "N13":
        row = Railroad(rank=99, name="None", short="NIL", price=1, public=False, colour="#123456", pattern="solid")
        return with_row(SMALL, "railroads", "nil", row), "N13:nil"
    raise ValueError(code)


@pytest.mark.parametrize("code", ["P02", "P03", "P06", "D01", "D03", "D04", "N13"])
def test_every_fix_offered_fixes_its_finding(code: str) -> None:
    document, ident = broken(code)
    live = live_of(document)
    found = next(each for each in live_findings(live).findings if each.id == ident)
    offered = fixes(found, live)
    assert offered
    for fix in offered:
        plan = read_command(fix.command).plan(document)
        after = live_findings(live.recompile(apply(document, plan.patch)))
        assert ident not in {each.id for each in after.findings}, fix


def test_a_segment_that_is_too_short_loses_a_milepost_and_no_city() -> None:
    live = opened("usa")
    segment = max(live.board.segments, key=lambda one: (one.miles, one.id))
    made = {"kind": "add-milepost", "id": "near", "name": "Near", "segments": [segment.id], "at": 0.02}
    document = apply(live.document, read_command(made).plan(live.document).patch)
    live = live.recompile(document)
    known = {each.id for each in live_findings(opened("usa")).findings}
    short = [each for each in live_findings(live).findings if each.id.startswith("N10:") and each.id not in known]
    found = next(each for each in short if "too short" in each.finding.message)
    cures = [fix for fix in fixes(found, live) if fix.command["kind"] == "delete-place"]
    assert "Remove the milepost Near" in [fix.label for fix in cures]
    assert all(not live.cities_at.get(live.laid.ids[fix.command["place"]]) for fix in cures)
    remove = next(fix for fix in cures if fix.label == "Remove the milepost Near")
    after = apply(document, read_command(remove.command).plan(document).patch)
    left = live_findings(live.recompile(after)).findings
    assert found.id not in {each.id for each in left}
    # one that is too long says nothing of what lies along it
    long = found.finding.model_copy(update={"data": {"miles": 900, "usual": 30}})
    assert [fix.label for fix in fixes(long, live)] == ["Accept"]


def test_a_warning_can_be_accepted_and_taken_back() -> None:
    live = opened("usa")
    found = next(each for each in live_findings(live).findings if each.id.startswith("N05"))
    labels = [fix.label for fix in fixes(found, live)]
    assert ("No longer accept" if found.finding.accepted else "Accept") in labels
    bare = found.finding.model_copy(update={"accepted": None})
    accept = next(fix for fix in fixes(bare, live) if fix.label == "Accept") if not found.finding.accepted else None
    if accept is not None:
        after = apply(live.document, read_command(accept.command).plan(live.document).patch)
        again = live_findings(live.recompile(after))
        assert next(each for each in again.findings if each.id == found.id).as_json()["accepted"]


def ask(name: str, live: Compiled, *, earlier: RailDocument | None = None, **fields: Any) -> dict[str, Any]:
    given = (lambda _: earlier) if earlier is not None else None
    found = answer(name, json.dumps(fields).encode(), Asked(revision=7, live=live, document_at=given))
    reply: dict[str, Any] = json.loads(found.text())
    assert reply["revision"] == 7
    return reply


def test_route_is_the_command_s() -> None:
    live = opened("usa")
    found = ask("route", live, start="Chicago", end="Miami")
    other = route(live.board, "Chicago", "Miami")
    assert (found["mileposts"], found["miles"], found["payoff"]) == (other.mileposts, other.miles, other.payoff)
    ends = {m.id: [m.x, m.y] for m in live.board.mileposts}
    assert (found["path"][0], found["path"][-1]) == (ends["chicago"], ends["miami"])
    with pytest.raises(MapkitError, match="no route"):
        ask("route", live, start="Chicago", end="Miami", railroads=["wp"])


def test_odds_are_exact() -> None:
    found = ask("odds", opened("usa"))
    assert sum(Fraction(each["exact"]) for each in found["cities"].values()) == 1
    assert sum(Fraction(each["exact"]) for each in found["regions"].values()) == 1
    assert sum(each["in_chart"] for each in found["cities"].values()) == 72 * len(found["regions"])
    assert found["unassigned"]["exact"] == "0/1"
    assert not found["solved"]
    assert found["charts"].keys() == {"regions", *found["regions"]}
    assert [len(chart[parity]) for chart in found["charts"].values() for parity in ("odd", "even")] == [11] * 16


def test_odds_hold_the_cells_of_charts_that_are_solved() -> None:
    commands = [
        {"kind": "clear-charts"},
        {"kind": "set-setting", "key": "destinations.solve", "value": True},
        *({"kind": "edit-city", "id": city, "weight": 2} for city in SMALL.cities),
    ]
    weighed = {"kind": "batch", "label": "Solve", "commands": commands}
    found = ask("odds", live_of(apply(SMALL, read_command(weighed).plan(SMALL).patch)))
    assert found["solved"]
    assert found["unassigned"]["exact"] == "0/1"
    for region in found["regions"]:
        own = [city for city, row in SMALL.cities.items() if row.region == region]
        cells = found["charts"][region]
        assert {item for parity in ("odd", "even") for item in cells[parity].values()} == set(own)


def test_looks_are_what_is_drawn_and_simulated_with() -> None:
    found = ask("looks", opened("usa"))
    assert set(found["swatches"]) == set(get_args(Pattern))
    assert all(paths[0]["stroke"] == "casing" for paths in found["swatches"].values())
    assert all(any(path["stroke"] == "line" for path in paths) for paths in found["swatches"].values())
    lights = np.random.default_rng(8).random((200, 3))
    seen = found["visions"]
    for vision in ("protan", "deutan"):
        assert (
            np.abs(to_encoded(lights @ np.array(seen[vision]).T) - simulate_vision(to_encoded(lights), vision)).max()
            < 1e-3
        )
    blue, red = (lights @ np.array(matrix).T for matrix in seen["tritan"])
    either = np.where((lights @ seen["side"])[:, None] >= 0, blue, red)
    assert np.abs(to_encoded(either) - simulate_vision(to_encoded(lights), "tritan")).max() < 1e-3
    assert 0 < (lights @ seen["side"] >= 0).sum() < 200


def test_balance_says_what_changed_since_the_save() -> None:
    before = opened("usa")
    line = next(key for key, row in before.document.lines.items() if row.railroad == "wp")
    after = before.recompile(with_row(before.document, "lines", line, None))
    found = {r["railroad"]: r for r in ask("balance", after, earlier=before.document, income=["pa"])["railroads"]}
    rows = {r.railroad: r for r in report(after.board).railroads}
    old = {r.railroad: r for r in report(before.board).railroads}
    assert found["wp"]["service"] == rows["wp"].service
    assert found["wp"]["change"]["service"] == round(rows["wp"].service - old["wp"].service, 4)
    assert found["wp"]["change"]["lost"] == sorted(set(old["wp"].cities) - set(rows["wp"].cities))
    pair = found["pa"]["best_pair"]
    best = report(after.board).pairs[0]
    assert pair["access"]["percent"] <= best.access
    with pytest.raises(QueryError, match="no history"):
        ask("balance", after)


def test_difference_is_reported_by_meaning() -> None:
    live = live_of(SMALL)
    dearer = live.recompile(changed(SMALL, "railroads", "row-1", price=12_000))
    found = ask("diff", dearer, earlier=SMALL)
    assert [(e["kind"], e["b"], e["fields"][0]["a"], e["fields"][0]["b"]) for e in found["elements"]] == [
        ("railroad", "row-1", 10_000, 12_000)
    ]
    assert ask("diff", live, earlier=SMALL)["elements"] == []


def test_payoffs_are_judged_and_suggested() -> None:
    live = opened("usa")
    key = "boston|seattle"
    gap = live.recompile(with_row(live.document, "payoffs", key, None))
    judged = ask("payoff-residuals", gap)
    missing = next(f for f in judged["findings"] if f["id"] == "P02:boston:seattle")
    true = live.document.payoffs[key].thousands
    assert true is not None
    assert abs(missing["data"]["suggested"] - true) <= 1.0
    cells = ask("payoff-suggestions", gap, only_missing=True)["cells"]
    assert [(c["a"], c["b"], c["value"]) for c in cells] == [("boston", "seattle", None)]
    assert abs(cells[0]["suggested"] - true) <= 3.0


def test_a_first_chart_is_computed_by_a_typed_formula() -> None:
    live = live_of(SMALL)
    keys = list(live.document.payoffs)
    document = SMALL
    for key in keys:
        document = with_row(document, "payoffs", key, None)
    bare = live.recompile(document)
    with pytest.raises(MapkitError, match="10 at least"):
        ask("payoff-suggestions", bare)
    given = {"model": "rail-ground-moves", "base": 1.25, "moves": 2.0, "step": 0.5}
    found = ask("payoff-suggestions", bare, formula=given)
    assert found["model"] == {**given, "rail": 0.0, "ground": 0.0}
    distances = board_distances(live.board, live.board.payoffs.cities)
    assert distances.moves is not None
    at = {city: i for i, city in enumerate(distances.cities)}
    assert len(found["cells"]) == len(at) * (len(at) - 1) // 2
    for cell in found["cells"]:
        moves = (distances.moves[at[cell["a"]], at[cell["b"]]] + distances.moves[at[cell["b"]], at[cell["a"]]]) / 2
        # 1.25 goes up to the grid of 0.5
        assert cell["value"] is None
        assert cell["suggested"] == 1.5 + 2 * moves


def test_a_chart_that_gives_what_is_wanted() -> None:
    live = opened("usa")
    found = ask("solve-destinations", live, chart="regions", percent={"plains": 25})
    assert found["items"]["plains"]["got"] == 18
    assert sum(item["got"] for item in found["items"].values()) == 72
    after = apply(live.document, read_command(found["command"]).plan(live.document).patch)
    assert ask("odds", live.recompile(after))["regions"]["plains"]["exact"] == "1/4"
    with pytest.raises(QueryError, match="100 %"):
        ask("solve-destinations", live, chart="regions", percent={"plains": 60, "northeast": 60})
    with pytest.raises(QueryError, match="no chart"):
        ask("solve-destinations", live, chart="nowhere")


def test_colours_are_measured() -> None:
    live = live_of(SMALL)
    found = ask("colour-distances", live)
    assert found["railroads"]
    assert {pair["smallest"] for pair in found["railroads"]} == {0.0}
    better = ask("colour-suggestions", live)
    after = apply(SMALL, read_command(better["command"]).plan(SMALL).patch)
    assert ask("colour-distances", live_of(after))["alike"] == []


def test_respacing_is_shown_before_it_is_done() -> None:
    live = live_of(SMALL)
    found = ask("respace-preview", live, lines=["row-1-main"], gap_mi=60)
    after = apply(SMALL, read_command(found["command"]).plan(SMALL).patch)
    assert found["mileposts"] == {"before": len(live.board.mileposts), "after": len(live_of(after).board.mileposts)}
    assert found["mileposts"]["after"] > found["mileposts"]["before"]
    assert 0 < len(found["pairs"]) <= found["changed"]
    assert all(pair["before"] != pair["after"] for pair in found["pairs"])


def test_fixes_can_be_asked_for() -> None:
    document, ident = broken("D01")
    code, *elements = ident.split(":")
    found = ask("fixes", live_of(document), code=code, severity="error", elements=["regions", "odd-7"])
    assert elements
    assert found["fixes"][0]["command"]["kind"] == "set-destination"
    assert ask("fixes", live_of(document), code="build")["fixes"] == []


def test_limits_of_what_is_dragged_are_those_of_the_checks() -> None:
    live = live_of(SMALL)
    found = ask("spacing-limits", live)
    usual = found["usual"]
    miles = sorted(segment.miles for segment in live.board.segments)
    assert usual["least"] < usual["middle"] < usual["most"]
    assert usual["middle"] == pytest.approx(np.median(miles), rel=1e-3)
    assert found["near"] == pytest.approx(0.1 * np.median(miles))
    # a milepost moved across each limit is found by the check, and not before it
    segment = live.board.segments[0]
    one, other = (next(m for m in live.board.mileposts if m.id == end) for end in (segment.a, segment.b))
    for share, near in ((1.05, False), (0.95, True)):
        lat = one.lat + share * found["near"] / 69.0
        move = read_command({"kind": "edit-place", "place": other.name, "lon": one.lon, "lat": lat})
        document = apply(SMALL, move.plan(SMALL).patch)
        codes = {f.finding.code for f in live_findings(live_of(document)).findings if one.id in f.finding.elements}
        assert ("N09" in codes) is near
    assert ask("spacing-limits", live_of(grid_document(2, 3, cities=2)))["usual"] is None


def test_a_grid_of_degrees_lies_over_the_page() -> None:
    live = live_of(SMALL)
    grid = ask("page-grid", live)
    page, (wide, high), columns = live.frame.page, grid["cell"], grid["columns"]
    rows = len(grid["points"]) // (columns + 1) - 1
    assert (wide * columns, high * rows) == pytest.approx((page.width, page.height))
    for number in (0, columns, len(grid["points"]) - 1):
        row, column = divmod(number, columns + 1)
        (spot,) = live.frame.to_page([tuple(grid["points"][number])])
        assert spot == pytest.approx((wide * column, high * row), abs=0.05)


def test_open_water_keeps_off_the_coast(tmp_path: Path) -> None:
    live = live_of(open_folder(shutil.copytree(ROOT / "sources" / "portugal", tmp_path / "portugal")))
    rings = [shapely.Polygon(ring) for ring in ask("open-water", live)["rings"]]

    def wet(lon: float, lat: float) -> bool:
        (spot,) = live.frame.to_page([(lon, lat)])
        return sum(ring.covers(shapely.Point(spot)) for ring in rings) % 2 == 1

    assert wet(-9.9, 39.5)
    assert not any(wet(milepost.lon, milepost.lat) for milepost in live.board.mileposts)
    assert not wet(-8.91, 40.15)  # two miles off the beach near Figueira da Foz


def test_a_region_or_a_box_sets_projection_page_and_countries_together() -> None:
    asked = Asked(revision=0, live=live_of(SMALL))

    def found(**ask: Any) -> dict[str, Any]:
        values: dict[str, Any] = json.loads(answer("region-settings", json.dumps(ask).encode(), asked).text())["values"]
        return values

    country, box = found(region="Ireland"), found(box=[-10, 51, -5, 56])
    assert (country["gazetteer.countries"], country["projection.name"]) == (["IE"], "transverse-mercator")
    assert country["page.width"] < country["page.height"]
    assert box["gazetteer.countries"] == ["GB", "IE"]
    assert [round(side) for side in box["page.extent"]] == [-10, 52, -5, 56]
    # what the board had of another projection does not hold there
    assert all(country[key] is None for key in SMALL.settings if key.startswith("projection.") and key not in country)
    with pytest.raises(QueryError, match=r"^no country is called 'Irland' \(did you mean 'Ireland'\?\)"):
        found(region="Irland")
    with pytest.raises(QueryError, match="is empty; name a country"):
        found()
