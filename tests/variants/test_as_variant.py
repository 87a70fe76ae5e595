"""The difference of two boards as a variant: applied to A, it gives B."""

import string

import pytest
from board_helpers import apply_variant
from edits import Edit, changed_boards, edited, field, milepost, no_track, one, payoff, track
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tiny import tiny_board

import mapkit
from mapkit.core.characters import find_character
from mapkit.kinds.rail.commands.on_track.mileposts import AddMilepost
from mapkit.kinds.rail.commands.single_rules import SetRule
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.variant import Variant, parse_variant
from mapkit.variants.writing import variant_text

TINY = edited(tiny_board())
COMPARED = ("regions", "mileposts", "cities", "railroads", "junctions", "destinations", "payoffs", "rules", "page")


def leads(a: Board, b: Board) -> list[str]:
    """Assert that the variant, written and read again, leads from a to b; return its operations' names."""
    made = variant_of(a, b, name="changed")
    assert made.left == ()
    read = parse_variant(variant_text(made.variant), file="variants/changed.toml").variant
    assert read == made.variant
    got = apply_variant(a, read)
    assert diff_boards(got, b).story == ()
    assert diff_boards(got, b).same
    for kind in COMPARED:
        assert getattr(got, kind) == getattr(b, kind), kind
    assert [(p.id, p.a, p.b, p.line, p.miles) for p in got.pieces] == [
        (p.id, p.a, p.b, p.line, p.miles) for p in b.pieces
    ]
    assert [s.id for s in got.segments] == [s.id for s in b.segments]
    return [operation.kind for operation in read.operations]


@given(changed_boards())
@settings(max_examples=examples(60))
def test_applied_to_a_it_gives_b(b: Board) -> None:
    leads(TINY, b)


@given(changed_boards(), changed_boards())
@settings(max_examples=examples(25))
def test_between_any_two_boards(a: Board, b: Board) -> None:
    leads(a, b)


RED = ("red--ash--birch", "red--birch--cedar", "red--cedar--dale")


def gone(railroad: str) -> Edit:
    """Remove a railroad that has no track."""
    return lambda data: data["railroads"].remove(one(data, "railroads", railroad))


def new_railroad(data: dict[str, list[dict[str, object]]]) -> None:
    data["railroads"].append({**one(data, "railroads", "red"), "id": "gold", "name": "Gold Line", "short": "GOLD"})


def exchanged_marks(data: dict[str, list[dict[str, object]]]) -> None:
    one(data, "railroads", "red")["short"] = "BLUE"
    one(data, "railroads", "blue")["short"] = "RED"


def other_order(data: dict[str, dict[str, list[object]]]) -> None:
    """Put the first city of the payoff chart last."""
    chart = data["payoffs"]
    chart["cities"] = [*chart["cities"][1:], chart["cities"][0]]
    rows = [[*row[1:], row[0]] for row in chart["thousands"]]  # type: ignore[index]
    chart["thousands"] = [*rows[1:], rows[0]]


INSERTED = (
    # on the straight line of both railroads
    milepost("coy", -97.5, 42.025),
    no_track("red--cedar--dale"),
    no_track("blue--cedar--dale"),
    track("red", "cedar", "coy"),
    track("red", "coy", "dale"),
    track("blue", "cedar", "coy"),
    track("blue", "coy", "dale"),
)


@pytest.mark.parametrize(
    ("edits", "operations"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([field("railroads", "red", price=1000)], ["edit-railroad"], id="price"),
        pytest.param([field("mileposts", "birch", lat=42.3)], ["edit-place"], id="milepost moved"),
        pytest.param(INSERTED, ["add-milepost"], id="milepost inserted"),
        pytest.param(
            [track("green", "birch", "cedar"), track("green", "cedar", "dale")], ["add-line"], id="line beside another"
        ),
        pytest.param([no_track("green--elm--hill")], ["delete-segments"], id="segment gone"),
        pytest.param([field("pieces", RED[0], railroad="blue")], ["reassign-segments"], id="reassigned"),
        pytest.param(
            [*(field("pieces", p, railroad="green") for p in RED), gone("red")], ["merge-railroads"], id="merged"
        ),
        pytest.param([new_railroad, field("pieces", RED[0], railroad="gold")], ["split-railroad"], id="split"),
        pytest.param([exchanged_marks], ["edit-railroad"] * 3, id="marks exchanged"),
        pytest.param([field("cities", "elm", region="east")], ["edit-city"], id="city to another region"),
        pytest.param([payoff("ash", "elm", 2.0)], ["set-payoff"], id="payoff"),
        pytest.param([payoff("ash", "elm", 2.0, one_way=True)], ["import-payoffs"], id="payoff one way"),
        pytest.param([other_order], ["delete-city", "add-city", *["set-destination"] * 12], id="order of the chart"),
    ],
)
def test_what_a_person_did_is_one_operation(edits: list[Edit], operations: list[str]) -> None:
    assert leads(TINY, edited(TINY, *edits)) == operations


def test_a_milepost_taken_out_again() -> None:
    # its position stays as a bend of the line
    back = edited(TINY, no_track("red--cedar--dale"), track("red", "cedar", "dale", (-97.5, 42.025)))
    back = edited(back, no_track("blue--cedar--dale"), track("blue", "cedar", "dale", (-97.5, 42.025)))
    assert leads(edited(TINY, *INSERTED), back) == ["delete-place"]


def test_reasons_are_the_steps_of_the_story() -> None:
    made = variant_of(TINY, edited(TINY, *INSERTED, field("railroads", "red", price=1000)))
    assert [o.reason for o in made.variant.operations] == [
        "Coy stands between Cedar and Dale on BLUE and RED",
        "railroad RED: costs $1,000, not $10,000",
    ]


def test_what_no_operation_says_is_reported() -> None:
    def pounds(data: dict[str, dict[str, str]]) -> None:
        data["units"]["symbol"] = "£"

    made = variant_of(TINY, edited(TINY, pounds, field("railroads", "red", price=1000)))
    assert made.left == ("units.symbol: $ -> £",)
    assert [o.kind for o in made.variant.operations] == ["edit-railroad"]


@pytest.mark.parametrize(
    ("name", "most"), [("b-and-o-extension", 1), ("first-printing", 1), ("pennsylvania-48000", 2), ("eastern-us", 522)]
)
def test_shipped_variants_are_found_again(usa: Board, name: str, most: int) -> None:
    other = mapkit.load("usa", variants=[name])
    assert 0 < len(leads(usa, other)) <= most


characters = st.characters(codec="utf-8", exclude_categories=["Cs"]).filter(lambda one: find_character(one) is None)
texts = st.text(characters, min_size=1, max_size=30)
values = st.recursive(
    st.booleans() | st.integers(-(2**40), 2**40) | texts | st.floats(allow_nan=False, allow_infinity=False, width=32),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(string.ascii_letters + "-_ .'\"é", max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(texts, texts, values)
def test_what_is_written_is_read_again(reason: str, name: str, value: object) -> None:
    variant = Variant(
        name="x",
        title=name,
        operations=(
            AddMilepost(id="a-b", name=name, lon=-97.5, lat=41.0, reason=reason),
            SetRule.model_validate({"path": "a.b", "value": value, "reason": reason}),
        ),
    )
    assert parse_variant(variant_text(variant), file="variants/x.toml").variant == variant
