"""The shipped variants: each built and checked, their figures, and all pairs."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from sampling import pairs, sample
from tiny import tiny_board

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.core.findings import Severity
from mapkit.core.jsontext import json_text
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.service import calculate_access, cities_by_railroad
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.options import option_exclusions
from mapkit.kinds.rail.rules.rules import Rules, preset
from mapkit.kinds.rail.variants.apply import apply_variants, make_draft
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.variants.applying import PlacedVariant, carry_out

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SHELF = rail_shelf(open_workspace(REPOSITORY))
SHIPPED = {path.stem: SHELF.read(path.stem) for path in sorted((REPOSITORY / "variants").glob("*.toml"))}
BOARD_OF = {name: placed.variant.board for name, placed in SHIPPED.items() if placed.variant.board is not None}
MAPS = sorted(name for name, board in BOARD_OF.items() if board == "usa")
RULES = sorted(set(SHIPPED) - set(BOARD_OF))


MADE: dict[tuple[int, str], tuple[Board, Board]] = {}
"""A board and what a variant makes of it, which takes a second where charts are solved; a board kept keeps its id."""


def with_variants(board: Board, *names: str) -> Board:
    if len(names) != 1:
        return apply_variants(board, SHELF.order(names))
    key = (id(board), names[0])
    if key not in MADE:
        MADE[key] = (board, apply_variants(board, SHELF.order(names)))
    return MADE[key][1]


def test_the_list_of_maps_is_this() -> None:
    assert MAPS == [
        "b-and-o-extension",
        "corrected-payoffs",
        "eastern-us",
        "first-printing",
        "pennsylvania-48000",
        "western-us",
    ]
    assert sorted(set(BOARD_OF) - set(MAPS)) == ["great-britain-1923", "mexico-even-prices", "portugal-even-prices"]


PRESETS = [tiny_board().model_copy(update={"rules": preset(name)}) for name in book.preset_titles()]


@cache
def option_does_something(name: str) -> bool:
    """Return whether an option changes the rules of some preset, with the options on that it needs."""
    needs = book.options()[name].needs
    return any(
        apply_rule_changes(board.rules, options_on=[*needs, name]) != apply_rule_changes(board.rules, options_on=needs)
        for board in PRESETS
    )


def test_every_option_that_changes_some_preset_is_shipped_under_its_id() -> None:
    options = {name for name in book.options() if option_does_something(name)}
    assert set(RULES) == (options - {"half-time"}) | {"quick", "tournament"}
    assert set(book.options()) - options == {
        "balanced-fees",
        "fees-before-home-bonus",
        "pass-may-return",
        "same-alternate-loses-turn",
    }


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_every_variant_does_something_somewhere(name: str, usa: Board) -> None:
    """On the board or, for rules, under some preset; over the variants that it builds on."""
    variant = SHIPPED[name].variant
    bases = variant.variants if name in RULES and variant.operations else ()  # a bundle is its variants
    boards = PRESETS if name in RULES else [usa if name in MAPS else mapkit.load(BOARD_OF[name])]

    def parts(board: Board) -> Board:
        return board.model_copy(update={"variants": (), "provenance": usa.provenance})

    assert any(parts(with_variants(board, name)) != parts(with_variants(board, *bases)) for board in boards)


@pytest.mark.parametrize("name", sorted(BOARD_OF))
def test_a_map_builds_and_every_check_is_clean(name: str, tmp_path: Path) -> None:
    built = mapkit.build(BOARD_OF[name], variants=[name], workspace=REPOSITORY, out=tmp_path)
    open_ = [f.id for f in built.checks.findings if f.accepted is None and f.severity is not Severity.NOTE]
    assert open_ == (["V08:winning.cash"] if name == "mexico-even-prices" else [])  # dearer railroads, a longer match
    assert {"crashed", "skipped"}.isdisjoint(built.checks.checks.values())
    assert built.board.variants == (name,)
    assert Board.model_validate_json((tmp_path / "board.json").read_text(encoding="utf-8")) == built.board


@cache
def tiny_is_ok() -> bool:
    return mapkit.check(tiny_board()).ok


@pytest.mark.parametrize("name", sample(RULES, 16))
def test_a_variant_of_rules_builds_on_any_board(name: str, tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_text(json_text(tiny_board()), encoding="utf-8")
    board = mapkit.load("tiny.json", variants=[name], workspace=tmp_path)
    assert board.variants[-1] == name
    assert mapkit.check(board).ok == tiny_is_ok()
    assert board.model_copy(update={"rules": Rules(), "variants": ()}).segments == tiny_board().segments


@pytest.mark.parametrize("name", sorted({*book.options()} & {*RULES}))
def test_an_option_does_what_the_rules_say_it_does(name: str) -> None:
    needed = (*book.options()[name].needs, name)
    assert with_variants(tiny_board(), name).rules == Rules.model_validate({"options": list(needed)})


def test_the_bundles_are_those_of_the_rule_books() -> None:
    assert with_variants(tiny_board(), "tournament").rules == Rules(preset="ah-faq")
    assert with_variants(tiny_board(), "quick").rules == Rules.model_validate({"options": ["half-time"]})


def test_the_extension_of_the_baltimore_and_ohio(usa: Board) -> None:
    """RB-C23: 20.89 % with it, 16.84 % without; nothing comes nearer."""
    extended = with_variants(usa, "b-and-o-extension")
    assert round(float(calculate_access(usa, ["bo"])) * 100, 2) == 16.84
    assert round(float(calculate_access(extended, ["bo"])) * 100, 2) == 20.89
    gained = cities_by_railroad(extended)["bo"] - cities_by_railroad(usa)["bo"]
    assert gained == {"new-york"}
    before, after = (board_distances(b, b.payoffs.cities) for b in (usa, extended))
    assert before.moves is not None and after.moves is not None  # noqa: PT018
    assert (before.moves == after.moves).all()
    assert before.rail is not None and after.rail is not None  # noqa: PT018
    assert (before.rail == after.rail).all()
    new = {s.id: s for s in extended.segments if s.id not in {o.id for o in usa.segments}}
    assert sorted(new) == ["bo--new-york--trenton-nj", "bo--philadelphia--trenton-nj"]
    for segment in new.values():
        beside = next(s for s in usa.segments if s.id == segment.id.replace("bo--", "pa--"))
        assert (segment.path, segment.miles) == (beside.path, beside.miles)


def test_the_first_printing_has_one_more_milepost_on_both_railroads(usa: Board) -> None:
    """RB-C21."""
    first = with_variants(usa, "first-printing")
    assert len(first.mileposts) == len(usa.mileposts) + 1 == 530
    for railroad in ("pa", "bo"):
        route = mapkit.route(first, "Philadelphia", "Baltimore", railroads=[railroad])
        assert (
            route.mileposts == mapkit.route(usa, "Philadelphia", "Baltimore", railroads=[railroad]).mileposts + 1 == 2
        )
        assert [s.end for s in route.steps] == ["wilmington-de", "baltimore"]


def test_the_corrected_chart_differs_in_fifteen_amounts(usa: Board) -> None:
    board = with_variants(usa, "corrected-payoffs")
    cities = board.payoffs.cities
    pairs = [
        (cities[i], cities[j])
        for i, j in combinations(range(len(cities)), 2)
        if board.payoffs.thousands[i][j] != usa.payoffs.thousands[i][j]
    ]
    assert len(pairs) == 15
    assert ("atlanta", "casper") in pairs
    at = cities.index
    assert board.payoffs.thousands[at("casper")][at("atlanta")] == 15.5


def test_a_dearer_pennsylvania_and_its_group(usa: Board) -> None:
    board = with_variants(usa, "pennsylvania-48000")
    prices = {r.id: r.price for r in board.railroads}
    assert prices["pa"] == 48_000
    for group in board.rules.group_purchase.groups:
        assert group.price == sum(prices[member] for member in group.members)


@pytest.mark.parametrize(
    ("name", "regions", "cities", "railroads"), [("eastern-us", 4, 33, 17), ("western-us", 5, 39, 16)]
)
def test_a_regional_board_is_playable(usa: Board, name: str, regions: int, cities: int, railroads: int) -> None:
    board = with_variants(usa, name)
    assert (len(board.regions), len(board.cities), len(board.railroads)) == (regions, cities, railroads)
    assert sum(calculate_city_chances(board).values()) == 1
    assert min(calculate_city_chances(board).values()) > 0
    steps = board_distances(board, board.payoffs.cities)
    assert steps.moves is not None
    assert (steps.moves >= 0).all()  # not NaN: every city is reached
    classic = calculate_city_chances(usa)
    whole = sum(classic[city.id] for city in board.cities)
    assert max(abs(calculate_city_chances(board)[c.id] - classic[c.id] / whole) for c in board.cities) < 0.01
    assert all(len(cities_by_railroad(board)[r.id]) >= 2 for r in board.railroads)


def test_a_regional_board_takes_other_maps_first(usa: Board) -> None:
    board = with_variants(usa, "eastern-us", "b-and-o-extension", "first-printing")
    assert {"bo--new-york--trenton-nj", "bo--philadelphia--wilmington-de"} <= {s.id for s in board.segments}


def same(board: Board) -> Board:
    """Return a board without the order in which its variants are named."""
    return board.model_copy(update={"variants": tuple(sorted(board.variants))})


def outcome(board: Board, names: tuple[str, str]) -> Board | str:
    try:
        return with_variants(board, *names)
    except MapkitError as error:
        return str(error)


def both(board: Board, pairs: Iterator[tuple[str, str]]) -> set[tuple[str, str]]:
    """Try pairs in both orders; return those that are refused."""
    refused = set()
    for one, other in pairs:
        first, second = outcome(board, (one, other)), outcome(board, (other, one))
        if isinstance(first, str) or isinstance(second, str):
            assert isinstance(first, str), (one, other)
            assert isinstance(second, str), (one, other)
            assert "contradict" in first
            assert "contradict" in second
            refused.add((one, other))
        else:
            assert same(first) == same(second), (one, other)
    return refused


def test_all_pairs_of_maps_compose_in_any_order_or_are_refused(usa: Board) -> None:
    assert both(usa, combinations(MAPS, 2)) == {
        ("eastern-us", "western-us"),
        ("b-and-o-extension", "western-us"),
        ("first-printing", "western-us"),
        ("pennsylvania-48000", "western-us"),
    }


def test_two_parts_of_a_board_contradict_each_other_on_more_than_a_title(usa: Board) -> None:
    """One laid over the other would leave five cities, so no order of the two is advised."""
    said = str(outcome(usa, ("western-us", "eastern-us")))
    assert "513 mileposts" in said
    assert "7 settings" in said
    assert said.endswith("; use one of them")
    one_price = str(outcome(usa, ("western-us", "pennsylvania-48000")))
    assert "on railroad pa, price" in one_price
    # the western board has no Pennsylvania, so the price comes first
    assert one_price.endswith("; use one of them, or write after = ['pennsylvania-48000'] in western-us")


def test_all_pairs_of_rules_compose_in_any_order_or_are_refused() -> None:
    special = {("net-worth", "two-players")}
    exclusions = {tuple(sorted(pair[:2])) for pair in option_exclusions() if {*pair[:2]} <= {*RULES}}
    every = list(combinations(RULES, 2))
    refused = both(tiny_board(), iter(sample(every, 150, always=[p for p in every if p in exclusions | special])))
    among_options = {pair for pair in refused if not {"tournament", "quick"} & set(pair)}
    assert among_options - exclusions == special
    assert exclusions <= among_options


def test_maps_and_rules_do_not_meet(usa: Board) -> None:
    """Every map goes with every variant of the rules, in any order: but for what has the rules changed by both."""
    refused = both(usa, iter(pairs([name for name in MAPS if not name.endswith("-us")], RULES)))
    assert refused == set()
    refused = both(usa, ((one, other) for one in ("eastern-us", "western-us") for other in ("quick", "tournament")))
    assert refused == set()


def keys(board: Board, name: str) -> set[str]:
    """Return the tables that a variant reads and writes, and the groups of settings."""
    draft, found = make_draft(compiled_board(board)), set()
    for placed in SHELF.order([name]):
        for operation in placed.variant.operations:
            draft.begin()
            carry_out(draft, operation)
            found |= {" ".join(key[: 2 if key[0] == "settings" else 1]) for key in (*draft.written(), *draft.relied())}
    return found


def test_regional_boards_and_rules_touch_nothing_in_common(usa: Board) -> None:
    """So each of them goes with every variant of the rules in any order, without solving its charts for each."""
    regional = keys(usa, "eastern-us") | keys(usa, "western-us")
    assert "track" in regional
    assert "settings rules" not in regional
    assert {key for name in RULES for key in keys(tiny_board(), name)} == {"settings rules"}


def test_all_that_go_together_go_together(usa: Board) -> None:
    names = ["quick", "corrected-payoffs", "b-and-o-extension", "own-track-free", "first-printing", "tournament"]
    forward, backward = with_variants(usa, *names), with_variants(usa, *reversed(names))
    assert same(forward) == same(backward)
    assert (forward.rules.preset, forward.rules.fees.own) == ("ah-faq", 0)
    assert isinstance(SHIPPED["quick"], PlacedVariant)
