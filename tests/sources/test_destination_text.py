"""Destination charts from copied text, and misspelt names confirmed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

import mapkit
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import SUMS, Board
from mapkit.kinds.rail.sources.destinations.files import ChartOptions, KnownNames, read_destination_file

PARITIES = ("odd", "even")


def names_of(board: Board) -> dict[str, str]:
    return {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}


def known_of(board: Board) -> KnownNames:
    return KnownNames([(r.id, r.name) for r in board.regions], [(c.id, c.name) for c in board.cities], board.title)


def rows_of_sums(board: Board) -> str:
    """Each chart below its name: sum, odd, even, one blank between them."""
    names = names_of(board)
    lines = []
    for chart, cells in board.destinations.items():
        lines += ["", names.get(chart, "Regions").upper(), "Odd Even"]
        lines += [f"{s} {names[cells.odd[s] or '']} {names[cells.even[s] or '']}" for s in SUMS]
    return "\n".join(lines)


def columns_in_turn(board: Board) -> str:
    """Each chart below its name: the odd column, then the even one."""
    names = names_of(board)
    lines = []
    for chart, cells in board.destinations.items():
        lines += [f"{names.get(chart, 'Region')}:"]
        for parity in PARITIES:
            lines += [parity.upper(), *(f"{s}. {names[getattr(cells, parity)[s]]}" for s in SUMS)]
    return "\f".join(["Page 3", "\n".join(lines), "17"])


def side_by_side(board: Board) -> str:
    """A row a roll with all charts beside each other, one blank between names; and the regions' chart before."""
    names = names_of(board)
    charts = [r.id for r in board.regions]
    lines = ["Regions"]
    for parity in PARITIES:
        column = getattr(board.destinations["regions"], parity)
        lines += [f"{parity} {s} {names[column[s]]}" for s in SUMS]
    lines += [" ".join(names[c] for c in charts)]
    for parity in PARITIES:
        for s in SUMS:
            lines.append(f"{parity}-{s} " + " ".join(names[getattr(board.destinations[c], parity)[s]] for c in charts))
    return "\n".join(lines)


def parity_above(board: Board) -> str:
    """ODD and EVEN above the names of the charts, sums at both edges; the regions' chart before."""
    names = names_of(board)
    charts = [r.id for r in board.regions]
    lines = [rows_of_sums(board).split("ODD")[0].split("NORTHEAST")[0]]
    for parity in PARITIES:
        lines += [parity.upper(), "  ".join(names[c] for c in charts)]
        for s in SUMS:
            lines.append(
                f"{s}  " + "  ".join(names[getattr(board.destinations[c], parity)[s]] for c in charts) + f"  {s}"
            )
    return "\n".join(lines)


def both_parities_above(board: Board) -> str:
    """ODD EVEN above the names of the charts, each of which is there twice; sums at both edges."""
    names = names_of(board)
    lines = []
    for chart, cells in board.destinations.items():
        name = names.get(chart, "Regions")
        lines += ["Odd    Even", f"{name}  {name}"]
        lines += [f"{s} {names[cells.odd[s] or '']} {names[cells.even[s] or '']} {s}" for s in SUMS]
    return "\n".join(lines)


def grid_of(board: Board, *, parity_first: bool, numbers: str, merged: bool, stacked: bool) -> list[list[str]]:
    """The charts as a table: headings in either order, sums before, behind or on both sides of the names."""
    names = names_of(board) | {"regions": "Regions"}
    out: list[list[str]] = [["The destination charts"]]
    blocks = [[chart] for chart in board.destinations] if stacked else [list(board.destinations)]
    left, right = numbers != "right", numbers != "left"
    for charts in blocks:
        columns = (
            [(c, p) for p in PARITIES for c in charts] if parity_first else [(c, p) for c in charts for p in PARITIES]
        )
        heads = [[names[c] for c, _ in columns], [p.upper() for _, p in columns]]
        heads = heads[::-1] if parity_first else heads
        if merged:
            heads[0] = [text if k == 0 or text != heads[0][k - 1] else "" for k, text in enumerate(heads[0])]
        out += [[*[""] * left, *row] for row in heads]
        for s in SUMS:
            cells = [names[getattr(board.destinations[c], p)[s]] for c, p in columns]
            out.append([*[s] * left, *cells, *[s] * right])
    return [*out, ["Copied from the card."]]


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parity_first=st.booleans(),
    numbers=st.sampled_from(["left", "right", "both"]),
    merged=st.booleans(),
    stacked=st.booleans(),
    comma=st.booleans(),
)
def test_tables_with_headings_in_any_order(
    parity_first: bool,  # noqa: FBT001
    numbers: str,
    merged: bool,  # noqa: FBT001
    stacked: bool,  # noqa: FBT001
    comma: bool,  # noqa: FBT001
    usa: Board,
    tmp_path: Path,
) -> None:
    grid = grid_of(usa, parity_first=parity_first, numbers=numbers, merged=merged, stacked=stacked)
    path = tmp_path / "charts.csv"
    path.write_text("\n".join(("," if comma else "\t").join(row) for row in grid), encoding="utf-8")
    assert read_destination_file(path, known=known_of(usa)).charts == usa.destinations


def test_a_row_that_lost_its_sum_is_not_taken_for_a_heading(usa: Board, tmp_path: Path) -> None:
    grid = grid_of(usa, parity_first=True, numbers="left", merged=False, stacked=False)
    for lost in ("", "13"):
        grid[5][0] = lost
        path = tmp_path / "charts.csv"
        path.write_text("\n".join(",".join(row) for row in grid), encoding="utf-8")
        with pytest.raises(SourceError, match=r"charts.csv:6:\d+: .* (is not a sum|in a row without a sum or roll)"):
            read_destination_file(path, known=known_of(usa))


@pytest.mark.parametrize("layout", [rows_of_sums, columns_in_turn, side_by_side, parity_above, both_parities_above])
def test_copied_text_gives_the_charts(layout: Callable[[Board], str], usa: Board, tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    path.write_text(layout(usa), encoding="utf-8")
    assert read_destination_file(path, known=known_of(usa)).charts == usa.destinations


def test_a_chart_without_a_name_says_what_it_may_be(usa: Board, tmp_path: Path) -> None:
    path = tmp_path / "alone.csv"
    cells = usa.destinations["regions"]
    names = names_of(usa)
    rows = [f"{s},{names[cells.odd[s] or '']},{names[cells.even[s] or '']}" for s in SUMS]
    path.write_text("sum,odd,even\n" + "\n".join(rows), encoding="utf-8")
    with pytest.raises(SourceError, match=r"alone.csv: no name above it says .* are regions, so give --chart regions"):
        read_destination_file(path, known=known_of(usa))
    read = read_destination_file(path, known=known_of(usa), options=ChartOptions(chart="regions"))
    assert read.charts == {"regions": cells}
    path.write_text("sum,odd,even\n2,Albany,Boston\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"give --chart with one of regions, northeast, "):
        read_destination_file(path, known=known_of(usa))


def test_without_a_board_wide_blanks_part_names(tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    path.write_text("North Side\n" + "".join(f"{s}  New York  Boston\n" for s in SUMS), encoding="utf-8")
    read = read_destination_file(path)
    assert set(read.charts["north-side"].odd.values()) == {"new-york"}
    assert read.names == {"north-side": "North Side", "new-york": "New York", "boston": "Boston"}
    path.write_text("North Side\n" + "".join(f"{s} New York Boston\n" for s in SUMS), encoding="utf-8")
    with pytest.raises(SourceError, match=r"copied.txt:2: 'New York Boston' does not split into 2 names .*--board"):
        read_destination_file(path)


def test_slips_in_text_are_reported_with_their_line(usa: Board, tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    path.write_text("Regions\n13 Plains Plains\n2 Plains Plains\n2 Plains Plains\n", encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_destination_file(path, known=known_of(usa))
    assert caught.value.problems == (
        f"{path}:2: '13' is not a sum; two dice make 2 to 12",
        f"{path}:4: Regions odd 2: odd 2 of 'Regions' is already at {path}:3: Regions odd 2; remove one",
        f"{path}:4: Regions even 2: even 2 of 'Regions' is already at {path}:3: Regions even 2; remove one",
    )


def test_misspelt_names_are_offered_and_taken_with_accept(usa: Board, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "copied.txt"
    text = rows_of_sums(usa).replace("Chattanooga", "Chatanooga").replace("NORTHWEST", "NORTWEST")
    path.write_text(text.replace("St. Louis", "Saint Louis"), encoding="utf-8")
    out = tmp_path / "charts.csv"
    command = ("destinations", "check", path, "-b", "usa", "-w", REPOSITORY)
    refused = run(*command, "--out", out)
    assert (refused.code, out.exists()) == (1, False)
    assert "'Chatanooga' is not a city of United States; similar names: Chattanooga (distance 1)" in refused.err
    assert "'NORTWEST' is not a region of United States; similar names: Northwest (distance 1)" in refused.err
    accepted = ("--accept", "Chatanooga=Chattanooga", "-a", "Nortwest=northwest")
    assert run(*command, *accepted, "--out", out).code == 0
    found = mapkit.diff_destinations(out, "usa", board="usa", workspace=REPOSITORY)
    assert (found.cells, found.missing) == ((), ())
    unused = run(*command, *accepted, "-a", "Bosten=boston")
    assert "--accept Bosten=...: the file has no such name" in unused.err
    nowhere = run(*command, "-a", "Chatanooga=Chat")
    assert "--accept Chatanooga=Chat: 'Chat' is not a city of United States" in nowhere.err
    assert run(*command, "-a", "Chatanooga").code == 2


def test_a_name_left_out_leaves_its_cells_empty(usa: Board, tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    path.write_text(rows_of_sums(usa).replace("Chattanooga", "Roll again"), encoding="utf-8")
    found = mapkit.check_destinations(
        path, board="usa", options=mapkit.ChartOptions(accept={"Roll again": ""}), workspace=REPOSITORY
    )
    was = usa.destinations["southeast"]
    empty = [s for s in SUMS if "chattanooga" in (was.odd[s], was.even[s])]
    assert empty
    now = found.charts["southeast"]
    assert [s for s in SUMS if None in (now.odd[s], now.even[s])] == empty
    assert {f.code for f in found.checks.errors} >= {"D01"}


def test_sums_above_the_columns_are_read_as_sums_beside_the_rows(usa: Board, tmp_path: Path) -> None:
    grid = grid_of(usa, parity_first=False, numbers="left", merged=False, stacked=False)[1:-1]
    path = tmp_path / "charts.csv"
    path.write_text("\n".join(map(",".join, zip(*grid, strict=True))), encoding="utf-8")
    assert read_destination_file(path, known=known_of(usa)).charts == usa.destinations
