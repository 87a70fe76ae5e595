"""The difference of two boards as a variant: applied to A, it gives B."""

import edits
import pytest
from edits import changed_boards, edited, field, milepost, no_track, payoff, track
from hypothesis import given, settings
from tiny import tiny_board

from mapkit.model.board import Board
from mapkit.variants.apply import apply_variant
from mapkit.variants.as_variant import variant_of
from mapkit.variants.board_diff import diff_boards
from mapkit.variants.read import parse_variant
from mapkit.variants.write import variant_text

COMPARED = ("regions", "mileposts", "cities", "railroads", "junctions", "destinations", "payoffs", "rules", "page")


def assert_leads(a: Board, b: Board) -> list[str]:
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
    return [operation.op for operation in read.operations]


@given(changed_boards())
@settings(max_examples=150)
def test_applied_to_a_it_gives_b(b: Board) -> None:
    assert_leads(tiny_board(), b)


@given(changed_boards(), changed_boards())
@settings(max_examples=40)
def test_between_any_two_boards(a: Board, b: Board) -> None:
    assert_leads(a, b)
