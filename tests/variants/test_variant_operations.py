"""Every operation on a board that can be calculated on paper (tests/tiny.py)."""

from collections.abc import Mapping

import pytest
from board_helpers import apply_variant
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_board

from mapkit.core.errors import VariantError
from mapkit.core.geodesy import line_miles
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import NetworkPiece, Origin
from mapkit.kinds.rail.network.destination_chances import count_chart_weights
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.variants.applying import PlacedVariant


def variant(*operations: Mapping[str, object], name: str = "v", **head: object) -> Variant:
    return Variant.model_validate({"name": name, "operations": [{"reason": "test", **op} for op in operations]} | head)


def applied(*operations: Mapping[str, object]) -> Board:
    board = tiny_board()
    before = board.model_dump_json()
    out = apply_variant(board, variant(*operations))
    assert board.model_dump_json() == before
    assert_sound(out)
    return out


def refused(*operations: Mapping[str, object]) -> str:
    with pytest.raises(VariantError) as caught:
        apply_variant(tiny_board(), variant(*operations))
    return str(caught.value)


def assert_sound(board: Board) -> None:
    """Everything that the models and tracing promise of a board holds of a changed one."""
    assert Board.model_validate(board.model_dump()) == board
    nodes = {m.id: (m.lon, m.lat) for m in board.mileposts} | {j.id: (j.lon, j.lat) for j in board.junctions}
    railroads = {r.id for r in board.railroads}
    page = PageMap(board.projection)
    for part in (board.mileposts, board.cities, board.railroads, board.junctions, board.pieces, board.segments):
        ids = [element.id for element in part]
        assert ids == sorted(set(ids))
    for piece in board.pieces:
        assert piece.railroad in railroads
        assert (piece.line[0], piece.line[-1]) == (nodes[piece.a], nodes[piece.b])
        assert piece.miles == round(line_miles(piece.line), 2)
        assert piece.path == page.to_page(piece.line)
    for milepost in board.mileposts:
        assert (milepost.x, milepost.y) == page.to_page([(milepost.lon, milepost.lat)])[0]
    origin = Origin(how="variant")
    pieces = [NetworkPiece(**p.model_dump(exclude={"path"}), origin=origin) for p in board.pieces]
    expected = make_segments(pieces, {j.id for j in board.junctions})
    assert [s.model_dump(exclude={"origin"}) for s in expected] == [
        s.model_dump(exclude={"path"}) for s in board.segments
    ]


def ids(board: Board, part: str) -> set[str]:
    return {element.id for element in getattr(board, part)}


def test_add_and_rename_and_move_a_milepost() -> None:
    board = applied(
        {"op": "add-milepost", "id": "oak", "name": "Oak", "lon": -99.5, "lat": 42.5},
        {"op": "rename-milepost", "id": "birch", "name": "Beech", "was": "Birch"},
        {"op": "move-milepost", "id": "birch", "lon": -99.1, "lat": 42.2, "was": [-99.0, 42.1]},
    )
    found = {m.id: m for m in board.mileposts}
    assert found["oak"].kind == "dot"
    assert found["birch"].name == "Beech"
    assert {p.id for p in board.pieces if (-99.1, 42.2) in p.line} == {
        "red--ash--birch",
        "red--birch--cedar",
        "green--birch--hill",
    }
    assert board.provenance.elements["mileposts"]["birch"].how == "variant"
    assert board.provenance.elements["segments"]["red--ash--birch"].how == "variant"
    assert board.provenance.elements["segments"]["red--cedar--dale"].how == "station list"


def test_remove_a_milepost_and_join_its_track() -> None:
    board = applied({"op": "remove-milepost", "id": "birch"})
    assert "red--ash--cedar" in ids(board, "segments")  # two arms of RED become one piece
    assert "green--birch--hill" not in ids(board, "segments")  # one arm of GREEN ended there
    joined = next(p for p in board.pieces if p.id == "red--ash--cedar")
    assert joined.line == ((-100.0, 42.0), (-99.0, 42.1), (-98.0, 42.0))


def test_a_milepost_where_three_arms_meet_becomes_a_junction() -> None:
    board = applied({"op": "remove-milepost", "id": "hill"})
    assert "green--hill" in ids(board, "junctions")
    assert {"green--birch--elm", "green--birch--fir-gum", "green--elm--fir-gum"} <= ids(board, "segments")


def test_a_milepost_can_go_with_its_track() -> None:
    board = applied({"op": "remove-milepost", "id": "birch", "track": "remove"})
    assert not [p for p in board.pieces if "birch" in p.id]
    assert {s.id for s in board.segments if s.railroad == "red"} == {"red--cedar--dale"}
    assert "birch" not in ids(board, "mileposts")


def test_a_citys_milepost_is_not_removed() -> None:
    assert "milepost 'fir-gum' is that of the city 'fir'; delete the city first" in refused(
        {"op": "remove-milepost", "id": "fir-gum"}
    )


def test_insert_a_milepost_in_two_railroads_at_once() -> None:
    board = applied(
        {
            "op": "add-milepost",
            "id": "oak",
            "name": "Oak",
            "segments": ["red--cedar--dale", "blue--cedar--dale"],
        }
    )
    oak = next(m for m in board.mileposts if m.id == "oak")
    assert (oak.lon, oak.lat) == (-97.5, 42.025)
    assert {"red--cedar--oak", "red--dale--oak", "blue--cedar--oak", "blue--dale--oak"} <= ids(board, "segments")
    assert not {"red--cedar--dale", "blue--cedar--dale"} & ids(board, "segments")


def test_insert_a_milepost_before_a_junction() -> None:
    """Cedar - Hill and Cedar - Fir/Gum share the piece Cedar - J; both are cut."""
    board = applied({"op": "add-milepost", "id": "oak", "name": "Oak", "segments": ["blue--cedar--hill"], "at": 0.2})
    assert {"blue--cedar--oak", "blue--hill--oak", "blue--fir-gum--oak"} <= ids(board, "segments")
    assert "blue--cedar--fir-gum" not in ids(board, "segments")


def test_railroads_come_change_and_go() -> None:
    board = applied(
        {"op": "add-railroad", "id": "gold", "name": "Gold", "short": "GO", "price": 5000, "colour": "#aabbcc"},
        {"op": "add-line", "railroad": "gold", "mileposts": ["cedar", "dale", "fir-gum"]},
        {"op": "change-railroad", "id": "red", "price": 12000, "colour": "#000000", "was": {"price": 10000}},
        {"op": "make-public", "id": "blue"},
        {"op": "remove-railroad", "id": "green"},
    )
    assert ids(board, "railroads") == {"blue", "gold", "red"}
    assert {"gold--cedar--dale", "gold--dale--fir-gum"} <= ids(board, "segments")
    red = next(r for r in board.railroads if r.id == "red")
    assert (red.price, red.style.colour, red.style.pattern) == (12000, "#000000", "sawtooth")
    assert next(r for r in board.railroads if r.id == "blue").public
    assert not [s for s in board.segments if s.railroad == "green"]
    assert "green" not in board.provenance.elements.get("railroads", {})


def test_a_merger_takes_parallel_track_once() -> None:
    board = applied({"op": "merge-railroads", "railroads": ["red", "blue"], "into": "red", "name": "Purple"})
    red = next(r for r in board.railroads if r.id == "red")
    assert (red.name, red.price) == ("Purple", 16000)
    assert ids(board, "railroads") == {"green", "red"}
    assert [s.id for s in board.segments if {s.a, s.b} == {"cedar", "dale"}] == ["red--cedar--dale"]
    assert ids(board, "junctions") == {"red--j"}
    assert {"red--cedar--hill", "red--cedar--fir-gum", "red--fir-gum--hill"} <= ids(board, "segments")


def test_a_railroad_is_split() -> None:
    board = applied(
        {
            "op": "split-railroad",
            "railroad": "green",
            "segments": ["green--dale--fir-gum", "green--fir-gum--hill"],
            "id": "lime",
            "name": "Lime",
            "short": "LI",
            "price": 3000,
            "price_left": 5000,
            "colour": "#00ff00",
        }
    )
    assert {s.id for s in board.segments if s.railroad == "lime"} == {"lime--dale--fir-gum", "lime--fir-gum--hill"}
    assert {r.id: r.price for r in board.railroads} == {"blue": 6000, "green": 5000, "lime": 3000, "red": 10000}


def test_segments_come_go_and_change_hands() -> None:
    board = applied(
        {
            "op": "add-segment",
            "railroad": "red",
            "a": "dale",
            "b": "fir-gum",
            "line": [[-97, 42.05], [-96.9, 41.6], [-97.1, 41.15]],
        },
        {"op": "remove-segments", "segments": ["green--dale--fir-gum"]},
        {"op": "reassign-segments", "segments": ["blue--cedar--dale"], "railroad": "green"},
    )
    assert {"red--dale--fir-gum", "green--cedar--dale"} <= ids(board, "segments")
    assert not {"green--dale--fir-gum", "blue--cedar--dale"} & ids(board, "segments")
    longer = next(s for s in board.segments if s.id == "red--dale--fir-gum")
    assert longer.miles == round(line_miles([(-97, 42.05), (-96.9, 41.6), (-97.1, 41.15)]), 2)


def test_track_through_a_junction_goes_together_or_not_at_all() -> None:
    assert "shares track with 'blue--cedar--fir-gum' through a junction" in refused(
        {"op": "remove-segments", "segments": ["blue--cedar--hill"]}
    )
    board = applied({"op": "remove-segments", "segments": ["blue--cedar--hill", "blue--cedar--fir-gum"]})
    assert {s.id for s in board.segments if s.railroad == "blue"} == {"blue--cedar--dale", "blue--fir-gum--hill"}
    board = applied(
        {
            "op": "reassign-segments",
            "railroad": "red",
            "segments": ["blue--cedar--hill", "blue--cedar--fir-gum", "blue--fir-gum--hill"],
        }
    )
    assert ids(board, "junctions") == {"red--j"}


def test_junctions_and_pieces() -> None:
    board = applied(
        {"op": "add-junction", "id": "red--k", "railroad": "red", "lon": -98.5, "lat": 41.9},
        {"op": "add-piece", "railroad": "red", "a": "red--k", "b": "hill"},
        {"op": "add-piece", "railroad": "red", "a": "red--k", "b": "cedar"},
        {"op": "remove-piece", "id": "blue--j--fir-gum"},
    )
    assert "red--cedar--hill" in ids(board, "segments")
    assert "blue--fir-gum--hill" not in ids(board, "segments")
    assert "joins blue--j--" in refused({"op": "delete-junction", "id": "blue--j"})
    assert "lines of others do not join" in refused({"op": "add-piece", "railroad": "red", "a": "blue--j", "b": "ash"})


def test_cities_and_regions() -> None:
    board = applied(
        {"op": "add-region", "id": "north", "name": "North", "short": "N", "colour": "#123456"},
        {"op": "change-region", "id": "east", "name": "Orient", "was": {"name": "East"}},
        {
            "op": "add-city",
            "id": "birch",
            "name": "Birch",
            "region": "north",
            "milepost": "birch",
            "payoffs": {"ash": 1, "dale": 3.5, "elm": 2, "fir": 4, "gum": 4},
            "before": "dale",
        },
        {"op": "solve-destinations", "weights": {"birch": 2}},
        {"op": "change-city", "id": "gum", "name": "Gumtree"},
    )
    assert board.payoffs.cities == ("ash", "birch", "dale", "elm", "fir", "gum")
    assert board.payoffs.thousands[1] == (1.0, 0.0, 3.5, 2.0, 4.0, 4.0)
    assert next(m for m in board.mileposts if m.id == "birch").kind == "city"
    assert count_chart_weights(board.destinations["north"]) == {"birch": 72}
    # seven shares: Ash, Elm | Dale, Fir, Gum | Birch twice
    weights = count_chart_weights(board.destinations["regions"])
    assert weights["north"] in (20, 21)
    assert sum(weights.values()) == 72
    assert not run_checks(board).errors


def test_a_city_moves_to_another_region_and_keeps_its_chance() -> None:
    board = applied({"op": "move-city", "city": "dale", "region": "west", "was": "east", "charts": "solve"})
    assert {c.id for c in board.cities if c.region == "west"} == {"ash", "dale", "elm"}
    before = tiny_board()
    old = count_chart_weights(before.destinations["regions"])
    share = count_chart_weights(before.destinations["east"])["dale"] * old["east"] / 72**2
    new = (
        count_chart_weights(board.destinations["regions"])["west"]
        * count_chart_weights(board.destinations["west"])["dale"]
        / 72**2
    )
    assert abs(new - share) < 0.01
    assert not [f for f in run_checks(board).errors if f.code.startswith("D")]


def test_a_city_is_removed_with_its_cells() -> None:
    board = applied({"op": "remove-city", "id": "gum"})
    assert board.payoffs.cities == ("ash", "dale", "elm", "fir")
    assert {len(row) for row in board.payoffs.thousands} == {4}
    assert set(count_chart_weights(board.destinations["east"])) == {"dale", "fir"}
    assert sum(count_chart_weights(board.destinations["east"]).values()) == 72
    assert not run_checks(board).errors


def test_charts_are_set_scaled_recomputed_swapped() -> None:
    board = applied(
        {"op": "set-payoff", "a": "dale", "b": "ash", "was": 4.5, "value": 5},
        {"op": "scale-payoffs", "factor": 2, "step": 1},
        {"op": "set-destination", "chart": "west", "parity": "odd", "total": 2, "was": "ash", "value": "elm"},
        {
            "op": "swap-destinations",
            "chart": "west",
            "first": {"parity": "odd", "total": 4},
            "second": {"parity": "even", "total": 3},
        },
    )
    at = board.payoffs.cities.index
    assert board.payoffs.thousands[at("ash")][at("dale")] == board.payoffs.thousands[at("dale")][at("ash")] == 10
    assert board.payoffs.thousands[at("fir")][at("gum")] == 0
    west = board.destinations["west"]
    assert (west.odd["2"], west.odd["4"], west.even["3"]) == ("elm", "elm", "ash")
    computed = applied({"op": "recompute-payoffs", "model": {"model": "moves", "base": 1.0, "moves": 0.5, "step": 0.5}})
    assert computed.payoffs.thousands[at("ash")] == (0.0, 2.5, 1.5, 2.5, 2.5)


def test_payoffs_are_imported_where_the_chart_names_them() -> None:
    board = applied({"op": "import-payoffs", "cities": ["elm", "ash"], "thousands": [[0, 9], [9, 0]]})
    assert board.payoffs.thousands[0] == (0.0, 4.5, 9.0, 5.0, 5.0)
    assert "was not read" in refused({"op": "import-payoffs", "file": "chart.csv"})


def test_a_board_is_cut_to_a_region() -> None:
    board = applied({"op": "restrict-board", "regions": ["east"]})
    assert ids(board, "regions") == {"east"}
    assert ids(board, "cities") == {"dale", "fir", "gum"}
    assert set(board.destinations) == {"regions", "east"}
    assert count_chart_weights(board.destinations["regions"]) == {"east": 72}
    assert board.destinations["east"] == tiny_board().destinations["east"]  # it lost nothing
    xs = [x for p in board.pieces for x, _ in p.path]
    left, _, right, _ = board.page.frame
    assert left - 0.01 <= min(xs) <= max(xs) <= right + 0.01


def test_a_board_is_cut_to_railroads_or_a_polygon() -> None:
    board = applied({"op": "restrict-board", "railroads": ["red"]})
    assert ids(board, "railroads") == {"red"}
    assert ids(board, "cities") == {"ash", "dale"}
    board = applied(
        {
            "op": "restrict-board",
            "polygon": [[-101, 41], [-98.5, 41], [-98.5, 43], [-101, 43]],
            "charts": "solve anew",
            "weights": {"ash": 3},
        }
    )
    assert ids(board, "cities") == {"ash", "elm"}
    assert count_chart_weights(board.destinations["west"]) == {"ash": 54, "elm": 18}
    assert "no city is left" in refused({"op": "restrict-board", "polygon": [[0, 0], [1, 0], [1, 1]]})


def test_rules_are_set_in_any_order_of_preset_and_setting() -> None:
    setting = {"op": "set-rule", "path": "winning.cash", "value": 150000}
    choice = {"op": "choose-preset", "preset": "ici"}
    switch = {"op": "switch-option", "option": "group_purchase.enabled"}
    rules = applied(setting, choice, switch).rules
    assert rules == applied(choice, switch, setting).rules
    assert (rules.preset, rules.winning.cash, rules.fees.own, rules.group_purchase.enabled) == ("ici", 150000, 0, True)
    extra = applied({"op": "switch-option", "option": "extra-cash", "amount": 12000})
    assert extra.rules.options.extra_starting_cash == 12000
    assert "winning.cash" in applied(setting).provenance.elements["rules"]


def test_house_rules_are_added_and_removed_one_by_one() -> None:
    ferry = {"op": "add-house-rule", "title": "Ferry", "text": "Free\non Sundays."}
    tea = {"op": "add-house-rule", "title": "Tea", "text": "At five."}
    board = applied(ferry, tea)
    assert [(rule.title, rule.text) for rule in board.rules.house.words] == [
        ("Ferry", "Free\non Sundays."), ("Tea", "At five."),
    ]  # fmt: skip
    assert Board.model_validate_json(board.model_dump_json()).rules.house == board.rules.house
    less = applied(ferry, tea, {"op": "remove-house-rule", "title": "Ferry"})
    assert [rule.title for rule in less.rules.house.words] == ["Tea"]
    assert "there is a house rule 'Ferry' already" in refused(ferry, ferry)
    misspelt = {"op": "remove-house-rule", "title": "Fery"}
    assert "no house rule 'Fery' (did you mean 'Ferry'?)" in refused(ferry, misspelt)
    one, other = variant(ferry, name="one"), variant(tea, name="other", after=["one"])
    both = apply_variants(tiny_board(), [PlacedVariant(one), PlacedVariant(other)])
    assert [rule.title for rule in both.rules.house.words] == ["Ferry", "Tea"]


def test_house_rules_of_two_variants_clash_by_title_only() -> None:
    def both(one: dict[str, object], other: dict[str, object]) -> list[str]:
        made = [PlacedVariant(variant(one, name="one")), PlacedVariant(variant(other, name="other"))]
        return [rule.title for rule in apply_variants(tiny_board(), made).rules.house.words]

    ferry: dict[str, object] = {"op": "add-house-rule", "title": "Ferry", "text": "Free on Sundays."}
    tea: dict[str, object] = {"op": "add-house-rule", "title": "Tea", "text": "At five."}
    assert both(ferry, tea) == ["Ferry", "Tea"]
    assert both(tea, ferry) == ["Tea", "Ferry"]
    assert both(ferry, ferry) == ["Ferry"]
    with pytest.raises(VariantError, match=r"contradict each other on .*house.*Ferry"):
        both(ferry, {**ferry, "text": "Never."})
    rules = [{"title": "Tea", "text": "At four."}]
    whole: dict[str, object] = {"op": "set-rule", "path": "house.words", "value": rules}
    with pytest.raises(VariantError, match=r"contradict each other on .*house"):
        both(ferry, whole)


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"op": "rename-milepost", "id": "brich", "name": "x"}, "no milepost 'brich' (did you mean 'birch'?)"),
        ({"op": "rename-milepost", "id": "ash", "name": "x", "was": "Oak"}, "is called 'Ash', not 'Oak'"),
        ({"op": "move-milepost", "id": "ash", "lon": 1, "lat": 1, "was": [0, 0]}, "correct `was`"),
        ({"op": "add-milepost", "id": "ash", "name": "x", "lon": 0, "lat": 0}, "already; choose another id"),
        ({"op": "remove-segments", "segments": ["red--ash--brich"]}, "(did you mean 'red--ash--birch'?)"),
        ({"op": "change-railroad", "id": "red", "price": 1, "was": {"price": 2}}, "price of 'red' is 10000, not 2"),
        ({"op": "change-railroad", "id": "red", "short": "BLUE"}, "mark 'BLUE' is that of 'blue'"),
        ({"op": "make-public", "id": "gold"}, "no railroad 'gold'"),
        ({"op": "set-payoff", "a": "ash", "b": "dale", "was": 9, "value": 1}, "ash - dale pays 4.5, not 9"),
        ({"op": "set-payoff", "a": "ash", "b": "dail", "value": 1}, "(did you mean 'dale'?)"),
        (
            {"op": "set-destination", "chart": "west", "parity": "odd", "total": 2, "was": "elm", "value": "elm"},
            "west, odd 2 is 'ash', not 'elm'",
        ),
        ({"op": "remove-region", "id": "west"}, "with `move_to`: ash, elm"),
        ({"op": "move-city", "city": "ash", "region": "west"}, "is in 'west' already"),
        ({"op": "add-line", "railroad": "red", "mileposts": ["ash", "hill"], "along": "green"}, "no segment from"),
        ({"op": "add-segment", "railroad": "red", "a": "ash", "b": "elm", "line": [[0, 0], [1, 1]]}, "begin at a"),
        ({"op": "set-rule", "path": "fees.onw", "value": 1}, "fees.own"),
        ({"op": "set-rule", "path": "fees.own", "value": "much"}, "rules: fees.own is 'much'"),
        ({"op": "set-rule", "path": "fees.own", "was": 5, "value": 1}, "rule 'fees.own' is 1000, not 5"),
        ({"op": "switch-option", "option": "own-track-fre"}, "(did you mean 'own-track-free'?)"),
        ({"op": "switch-option", "option": "own-track-free", "amount": 3}, "has no amount"),
        ({"op": "choose-preset", "preset": "icy"}, "(did you mean 'ici'?)"),
    ],
)
def test_operations_that_do_not_fit_say_why(operation: dict[str, object], said: str) -> None:
    text = refused(operation)
    assert said in text
    assert text.startswith(("variant v: ", "variants/v.toml: "))


def test_all_that_do_not_fit_are_listed_with_their_lines() -> None:
    bad = variant(
        {"op": "make-public", "id": "gold"}, {"op": "make-public", "id": "red"}, {"op": "make-public", "id": "x"}
    )
    with pytest.raises(VariantError) as caught:
        apply_variants(tiny_board(), [PlacedVariant(bad, "variants/v.toml", (3, 9, 15))])
    assert [p.split(" (")[0] for p in caught.value.problems] == [
        "variants/v.toml:3: operation 1",
        "variants/v.toml:15: operation 3",
    ]


def test_a_railroad_without_track_and_a_board_in_two_pieces_are_findings() -> None:
    bare = applied({"op": "remove-segments", "segments": ["red--ash--birch", "red--birch--cedar", "red--cedar--dale"]})
    assert "N13:red" in {f.id for f in run_checks(bare).errors}
    parted = applied(
        {"op": "remove-railroad", "id": "green"}, {"op": "remove-segments", "segments": ["red--birch--cedar"]}
    )
    assert "N01" in {f.code for f in run_checks(parted).errors}


def test_an_accepted_finding_is_accepted() -> None:
    board = applied(
        {"op": "remove-segments", "segments": ["red--ash--birch", "red--birch--cedar", "red--cedar--dale"]},
        {"op": "accept-finding", "finding": "N13:red", "reason": "A railroad to come."},
    )
    assert {f.id: f.accepted for f in run_checks(board).findings}["N13:red"] == "A railroad to come."


def test_a_variant_for_another_board_is_refused() -> None:
    with pytest.raises(VariantError, match="'v' is for the board 'usa', not 'tiny'"):
        apply_variant(tiny_board(), variant(board="usa"))


def test_variants_that_contradict_each_other_are_refused_unless_one_names_the_other() -> None:
    one = variant({"op": "change-railroad", "id": "red", "price": 1}, name="one")
    other = variant({"op": "change-railroad", "id": "red", "price": 2}, name="other")
    for pair in ((one, other), (other, one)):
        with pytest.raises(VariantError, match="contradict each other on railroad red, price"):
            apply_variants(tiny_board(), [PlacedVariant(v) for v in pair])
    knowing = other.model_copy(update={"after": ("one",)})
    board = apply_variants(tiny_board(), [PlacedVariant(one), PlacedVariant(knowing)])
    assert next(r.price for r in board.railroads if r.id == "red") == 2
    assert board.variants == ("one", "other")


def test_variants_that_say_the_same_go_together() -> None:
    one = variant({"op": "change-railroad", "id": "red", "price": 1, "was": {"price": 10000}}, name="one")
    other = one.model_copy(update={"name": "other"})
    board = apply_variants(tiny_board(), [PlacedVariant(one), PlacedVariant(other)])
    assert next(r.price for r in board.railroads if r.id == "red") == 1


def test_removing_what_another_uses_contradicts_it() -> None:
    gone = variant({"op": "remove-railroad", "id": "red"}, name="gone")
    uses = variant({"op": "add-line", "railroad": "blue", "mileposts": ["ash", "birch"], "along": "red"}, name="uses")
    for pair in ((gone, uses), (uses, gone)):
        with pytest.raises(VariantError, match=r"contradict each other on (railroad|track) red"):
            apply_variants(tiny_board(), [PlacedVariant(v) for v in pair])


MILEPOSTS = ("ash", "birch", "cedar", "dale", "elm", "hill", "fir-gum")
RAILROADS = ("red", "blue", "green")
STEP = st.one_of(
    st.builds(
        lambda m, x, y: {"op": "move-milepost", "id": m, "lon": x, "lat": y},
        st.sampled_from(MILEPOSTS),
        st.floats(-101, -96),
        st.floats(40, 43),
    ),
    st.builds(lambda m: {"op": "remove-milepost", "id": m}, st.sampled_from(("birch", "cedar", "hill"))),
    st.builds(
        lambda r, a, b: {"op": "add-segment", "railroad": r, "a": a, "b": b},
        st.sampled_from(RAILROADS),
        st.sampled_from(MILEPOSTS),
        st.sampled_from(MILEPOSTS),
    ),
    st.builds(
        lambda s, n: {"op": "add-milepost", "id": f"n{n}", "name": f"N{n}", "segments": [s]},
        st.sampled_from([s.id for s in tiny_board().segments]),
        st.integers(0, 3),
    ),
    st.builds(
        lambda s, r: {"op": "reassign-segments", "segments": [s], "railroad": r},
        st.sampled_from([s.id for s in tiny_board().segments]),
        st.sampled_from(RAILROADS),
    ),
    st.builds(
        lambda s: {"op": "remove-segments", "segments": [s]}, st.sampled_from([s.id for s in tiny_board().segments])
    ),
    st.builds(
        lambda a, b: {"op": "merge-railroads", "railroads": [a, b], "into": a},
        st.sampled_from(RAILROADS),
        st.sampled_from(RAILROADS),
    ).filter(lambda op: op["railroads"][0] != op["railroads"][1]),
)


@given(st.lists(STEP, max_size=6))
def test_whatever_is_done_the_board_is_sound_or_refused(steps: list[dict[str, object]]) -> None:
    board = tiny_board()
    try:
        out = apply_variant(board, variant(*steps))
    except VariantError:
        return
    assert_sound(out)
    run = run_checks(out)
    assert "crashed" not in run.checks.values()


OTHER = st.one_of(
    st.builds(
        lambda a, b, v: {"op": "set-payoff", "a": a, "b": b, "value": v},
        st.sampled_from(("ash", "dale")),
        st.sampled_from(("elm", "fir", "gum")),
        st.integers(1, 3),
    ),
    st.builds(
        lambda r, p: {"op": "change-railroad", "id": r, "price": p}, st.sampled_from(RAILROADS), st.integers(1, 2)
    ),
    st.builds(lambda m: {"op": "rename-milepost", "id": m, "name": "New"}, st.sampled_from(MILEPOSTS)),
    st.builds(lambda r: {"op": "remove-railroad", "id": r}, st.sampled_from(RAILROADS)),
    st.builds(lambda c: {"op": "remove-city", "id": c, "charts": "keep"}, st.sampled_from(("elm", "fir"))),
    st.builds(
        lambda r, a, b: {"op": "add-line", "railroad": r, "mileposts": [a, b]},
        st.sampled_from(RAILROADS),
        st.sampled_from(MILEPOSTS),
        st.sampled_from(MILEPOSTS),
    ),
)


@given(st.lists(st.one_of(STEP, OTHER), max_size=3), st.lists(st.one_of(STEP, OTHER), max_size=3))
def test_two_variants_give_one_board_in_any_order_or_are_refused(
    one: list[dict[str, object]], other: list[dict[str, object]]
) -> None:
    pair = [PlacedVariant(variant(*one, name="one")), PlacedVariant(variant(*other, name="other"))]
    outcomes: list[Board | None] = []
    for order in (pair, pair[::-1]):
        try:
            outcomes.append(apply_variants(tiny_board(), order).model_copy(update={"variants": ()}))
        except VariantError:
            outcomes.append(None)
    first, second = outcomes
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.model_dump(exclude={"provenance"}) == second.model_dump(exclude={"provenance"})


def test_an_empty_variant_changes_nothing_but_the_name() -> None:
    out = apply_variant(tiny_board(), variant())
    assert out.model_copy(update={"variants": ()}) == tiny_board()


@pytest.mark.parametrize(
    ("operation", "part"),
    [
        ({"op": "edit-railroad", "id": "red", "price": 5}, "railroads"),
        ({"op": "set-cell", "chart": "west", "parity": "odd", "total": 2, "item": "elm"}, "destinations"),
        ({"op": "set-payoffs", "cells": [["ash", "dale", 9]]}, "payoffs"),
        ({"op": "set-setting", "key": "title", "value": "Other"}, "title"),
        ({"op": "change-rules", "preset": "ici"}, "rules"),
        ({"op": "batch", "label": "b", "commands": [{"kind": "make-public", "id": "red"}]}, "railroads"),
    ],
)
def test_commands_of_the_editor_are_operations_too(operation: dict[str, object], part: str) -> None:
    board, before = applied(operation), tiny_board()
    fields = {f for f in type(board).model_fields if getattr(board, f) != getattr(before, f)}
    assert fields - {"provenance", "variants"} == {part}


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"op": "set-setting", "key": "page.width", "value": "x"}, "width is 'x'"),
        ({"op": "set-setting", "key": "gazetteer.countries", "value": ["US"]}, "a setting of sources"),
    ],
)
def test_what_a_compiled_board_cannot_hold_is_refused(operation: dict[str, object], said: str) -> None:
    assert said in refused(operation)


def test_commands_mean_the_same_on_a_compiled_board() -> None:
    """Each leaves a sound board: no track without a railroad, no city without a milepost."""
    board = applied({"op": "delete-railroad", "id": "red"})
    assert not [piece.id for piece in board.pieces if piece.railroad == "red"]
    post = {m.id: m for m in applied({"op": "edit-city", "id": "ash", "lon": -99.5, "lat": 42.2}).mileposts}["ash"]
    assert (post.lon, post.lat) == (-99.5, 42.2)
    cities = {c.id: c for c in applied({"op": "edit-city", "id": "ash", "name": "Ashes"}).cities}
    assert (cities["ash"].name, cities["ash"].milepost) == ("Ashes", "ash")
    new = applied({"op": "add-city", "name": "Oak", "region": "west", "lon": -99.0, "lat": 41.0})
    assert ({c.id: c.milepost for c in new.cities}["oak"], {m.id: m.lon for m in new.mileposts}["oak"]) == (
        "oak",
        -99.0,
    )


def test_a_line_is_led_through_places_with_bends_between() -> None:
    stops = [
        "ash",
        {"kind": "via", "lon": -99.5, "lat": 41.5},
        "Dale",
        {"place": "Far Post", "lon": -96.0, "lat": 41.0},
    ]
    board = applied({"op": "add-line", "railroad": "red", "stops": stops})
    lines = {(p.a, p.b): p.line for p in board.pieces if p.railroad == "red"}
    assert lines["ash", "dale"][1] == (-99.5, 41.5)
    assert lines["dale", "far-post"][1] == (-96.0, 41.0)
    before = {m.id for m in tiny_board().mileposts}
    assert {m.id: m.name for m in board.mileposts if m.id not in before} == {"far-post": "Far Post"}
