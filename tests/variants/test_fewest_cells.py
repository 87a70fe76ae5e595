"""A city that moves, goes or comes changes the fewest cells of the charts; payoffs by the board's own model."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from board_helpers import apply_variant
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

import mapkit
from mapkit.core.errors import VariantError
from mapkit.kinds.rail.charts.destinations.chart_targets import CELL_WEIGHT, CELLS, WishError
from mapkit.kinds.rail.charts.destinations.minimal_changes import fewest_changes
from mapkit.kinds.rail.charts.payoffs.board_readings import merged_amounts
from mapkit.kinds.rail.charts.payoffs.compute import choose_model
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.variant import Variant


def applied(board: Board, *operations: dict[str, object]) -> Board:
    data = {"name": "v", "title": "V", "operations": [{"reason": "so", **one} for one in operations]}
    return apply_variant(board, Variant.model_validate(data))


def cells_changed(before: Board, after: Board) -> list[tuple[str, str, str, str | None, str | None]]:
    """Return chart, column, sum, and what the cell had and has, of every cell that changed."""
    return [
        (name, parity, total, old, now)
        for name, chart in before.destinations.items()
        for parity in ("odd", "even")
        for total, old in getattr(chart, parity).items()
        if old != (now := getattr(after.destinations[name], parity)[total])
    ]


def test_a_city_moves_and_the_region_chart_stays(usa: Board) -> None:
    moved = applied(usa, {"op": "move-city", "city": "pueblo", "region": "southwest"})
    assert cells_changed(usa, moved) == [
        ("plains", "odd", "10", "pueblo", "kansas-city"),
        ("plains", "odd", "11", "pueblo", "denver"),
        ("southwest", "even", "10", "san-francisco", "pueblo"),
    ]


def test_where_odds_are_to_move_one_cell_of_the_region_chart_does(usa: Board) -> None:
    """Pueblo is 5/72 of the Plains, which are 9/72: 0.625 cells of weight 1."""
    moved = applied(usa, {"op": "move-city", "city": "pueblo", "region": "southwest", "charts": "solve"})
    regions = [cell for cell in cells_changed(usa, moved) if cell[0] == "regions"]
    assert regions == [("regions", "odd", "2", "plains", "southwest")]
    assert not [f for f in mapkit.check(moved, drawing=False).errors if f.code.startswith("D")]


def test_a_city_that_goes_leaves_only_its_own_cells(usa: Board) -> None:
    gone = applied(usa, {"op": "remove-city", "id": "pueblo"})
    assert [(chart, old) for chart, _, _, old, _ in cells_changed(usa, gone)] == [("plains", "pueblo")] * 2


def test_a_region_that_could_not_be_rolled_gets_its_cell(usa: Board) -> None:
    new: dict[str, object] = {
        "op": "add-region",
        "id": "rockies",
        "name": "Rockies",
        "short": "RO",
        "colour": "#ffffff",
    }
    moved = applied(usa, new, {"op": "move-city", "city": "pueblo", "region": "rockies"})
    regions = [cell for cell in cells_changed(usa, moved) if cell[0] == "regions"]
    assert regions == [("regions", "odd", "2", "plains", "rockies")]
    assert {*moved.destinations["rockies"].odd.values(), *moved.destinations["rockies"].even.values()} == {"pueblo"}


def test_charts_are_kept_if_asked(usa: Board) -> None:
    assert not cells_changed(
        usa, applied(usa, {"op": "move-city", "city": "pueblo", "region": "southwest", "charts": "keep"})
    )


ITEMS = ("a", "b", "c", "d")


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.sampled_from((*ITEMS, None)), min_size=22, max_size=22),
    st.lists(st.integers(1, 40), min_size=4, max_size=4),
)
def test_a_chart_is_filled_and_no_cell_changes_that_need_not(now: list[str | None], weights: list[int]) -> None:
    cells = dict(zip(CELLS, now, strict=True))
    shares = {item: Fraction(weight) for item, weight in zip(ITEMS, weights, strict=True)}
    found = fewest_changes(cells, shares)
    assert found.keys() == set(CELLS)
    assert set(found.values()) == set(ITEMS)
    needed = sum(item is None for item in now)
    lacking = len(set(ITEMS) - {*now})
    changed = sum(found[cell] != cells[cell] for cell in CELLS)
    assert max(needed, lacking) == changed
    assert found == fewest_changes(found, shares)  # what is filled stays


def test_the_newcomer_comes_as_near_as_any_cells_do() -> None:
    """Held against all 2^10 choices of cells of a chart in which only ten may change."""
    cells: dict[tuple[str, int], str | None] = {cell: "a" if n < 10 else "b" for n, cell in enumerate(CELLS)}
    shares = {"a": Fraction(20), "b": Fraction(40), "n": Fraction(9)}
    found = fewest_changes(cells, shares, newcomer="n", givers=("a",))
    goal = Fraction(9 * 72, 69)
    free = CELLS[:10]
    choices = [
        (abs(sum(CELL_WEIGHT[c] for c, taken in zip(free, some, strict=True) if taken) - goal), sum(some))
        for some in product((0, 1), repeat=10)
        if 0 < sum(some) < 10
    ]
    own = [cell for cell in CELLS if found[cell] == "n"]
    assert (abs(sum(CELL_WEIGHT[cell] for cell in own) - goal), len(own)) == min(choices)
    assert set(own) <= set(free)


def test_more_than_the_cells_can_hold_are_refused() -> None:
    with pytest.raises(WishError, match="23 are too many for the 22 cells"):
        fewest_changes({}, {f"c{n}": Fraction(1) for n in range(23)})
    with pytest.raises(WishError, match="no weight is above 0"):
        fewest_changes({}, {"a": Fraction(0)})


NEW_CITY = (
    '[[operations]]\nop = "add-city"\nid = "tulsa"\nname = "Tulsa"\nregion = "plains"\nmilepost = "{}"\nreason = "x"\n'
)


def variant_file(folder: Path, text: str) -> None:
    (folder / "variants").mkdir()
    (folder / "variants/more.toml").write_text(f'name = "more"\ntitle = "More"\nboard = "usa"\n\n{text}', "utf-8")


def test_a_new_city_is_one_finding_that_names_the_cure(usa: Board, tmp_path: Path) -> None:
    milepost = next(m.id for m in usa.mileposts if m.kind == "dot")
    variant_file(tmp_path, NEW_CITY.format(milepost))
    board = mapkit.load("usa", variants=["more"], workspace=tmp_path)
    (found,) = (f for f in mapkit.check(board, drawing=False).findings if f.code == "P02")
    assert found.elements == ("tulsa",)
    assert 'recompute-payoffs with cells = "missing"' in found.message


def test_missing_amounts_are_computed_by_the_boards_own_model(usa: Board, tmp_path: Path) -> None:
    milepost = next(m.id for m in usa.mileposts if m.kind == "dot")
    missing = '\n[[operations]]\nop = "recompute-payoffs"\ncells = "missing"\nreason = "x"\n'
    variant_file(tmp_path, NEW_CITY.format(milepost) + missing)
    board = mapkit.load("usa", variants=["more"], workspace=tmp_path)
    assert not [f for f in mapkit.check(board, drawing=False).findings if f.code == "P02"]
    old = [board.payoffs.cities.index(city) for city in usa.payoffs.cities]
    kept = tuple(tuple(board.payoffs.thousands[i][j] for j in old) for i in old)
    assert kept == usa.payoffs.thousands
    model = choose_model(None, merged_amounts(usa.payoffs), board_distances(usa, usa.payoffs.cities))
    miles = board_distances(board, ("tulsa", "denver")).rail
    assert miles is not None
    at = [board.payoffs.cities.index(city) for city in ("tulsa", "denver")]
    assert board.payoffs.thousands[at[0]][at[1]] == pytest.approx(model.base + model.rail * miles[0, 1] / 100, abs=0.26)


def test_the_model_of_board_toml_comes_first(example: Path) -> None:
    space = example.parents[1]
    (example / "charts/payoffs.csv").unlink()
    (space / "variants").mkdir()
    text = 'name = "again"\ntitle = "Again"\n\n[[operations]]\nop = "recompute-payoffs"\nreason = "x"\n'
    (space / "variants/again.toml").write_text(text, "utf-8")
    plain = mapkit.load("example", workspace=space)
    again = mapkit.load("example", variants=["again"], workspace=space)
    assert again.payoffs == plain.payoffs


def test_a_chart_of_other_cities_is_refused(usa: Board) -> None:
    chart = usa.payoffs.model_copy(update={"cities": ("atlantis", *usa.payoffs.cities[1:])})
    with pytest.raises(VariantError, match="cities that are not on the board"):
        applied(usa.model_copy(update={"payoffs": chart}), {"op": "recompute-payoffs"})
