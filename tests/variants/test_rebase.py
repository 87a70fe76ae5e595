"""Moving a variant to a changed base: what is followed, what is done already, what no longer fits."""

import pytest
from board_helpers import apply_variant
from edits import changed_boards, edited, field, milepost, no_track, one, renamed, track
from hypothesis import given, settings
from sampling import examples
from tiny import tiny_board

from mapkit.core.errors import VariantError
from mapkit.document.command import Command
from mapkit.kinds.rail.commands.cities import AddCity
from mapkit.kinds.rail.commands.destinations import SetDestination
from mapkit.kinds.rail.commands.lines import AddLine
from mapkit.kinds.rail.commands.on_track.mileposts import AddMilepost
from mapkit.kinds.rail.commands.on_track.segments import AddPiece, DeleteSegments
from mapkit.kinds.rail.commands.payoffs import SetPayoff, SetPayoffs
from mapkit.kinds.rail.commands.places import DeletePlace, EditPlace
from mapkit.kinds.rail.commands.railroads import DeleteRailroad, EditRailroad, MergeRailroads, RailroadFields
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.rebase import rebase
from mapkit.kinds.rail.variants.variant import Variant

TINY = edited(tiny_board())
INSERTED = edited(
    TINY,
    milepost("coy", -97.5, 42.025),
    *(no_track(f"{r}--cedar--dale") for r in ("red", "blue")),
    *(track(r, *ends) for r in ("red", "blue") for ends in (("cedar", "coy"), ("coy", "dale"))),
)


def variant(*operations: Command) -> Variant:
    return Variant(name="mine", board="tiny", operations=operations)


def fates(*operations: Command, onto: Board) -> list[str]:
    found = rebase(variant(*operations), TINY, onto)
    apply_variant(onto, found.variant)
    return [o.fate for o in found.operations]


def test_on_the_same_base_nothing_changes() -> None:
    mine = variant(
        EditPlace(place="birch", name="Beech", reason="r"),
        AddLine(railroad="green", stops=("birch", "cedar"), along="*", reason="r"),
    )
    found = rebase(mine, TINY, TINY)
    assert found.variant == mine
    assert [o.fate for o in found.operations] == ["fits", "fits"]
    assert found.ok


def test_ids_that_changed_are_followed() -> None:
    onto = edited(TINY, renamed("birch", "beech"), renamed("red", "crimson"))
    mine = variant(
        EditPlace(place="birch", lon=-99.0, lat=42.3, reason="r"),
        EditRailroad(id="red", price=5000, reason="r"),
        DeleteSegments(segments=("red--birch--cedar",), reason="r"),
        AddLine(railroad="green", stops=("ash", "birch"), along="red", reason="r"),
    )
    found = rebase(mine, TINY, onto)
    assert [o.fate for o in found.operations] == ["adapted"] * 4
    assert found.operations[0].text == "place: birch -> beech"
    assert found.variant.operations == (
        EditPlace(place="beech", lon=-99.0, lat=42.3, reason="r"),
        EditRailroad(id="crimson", price=5000, reason="r"),
        DeleteSegments(segments=("crimson--beech--cedar",), reason="r"),
        AddLine(railroad="green", stops=("ash", "beech"), along="crimson", reason="r"),
    )


def test_cities_that_changed_are_followed_in_charts() -> None:
    onto = edited(TINY, renamed("elm", "oak"))
    mine = variant(
        SetPayoff(a="ash", b="elm", thousands=2.0, was=1.5, reason="r"),
        SetDestination(chart="west", parity="odd", total=2, item="elm", was="ash", reason="r"),
        AddCity(
            id="cedar", name="Cedar", region="west", milepost="cedar", payoffs={"elm": 1.0}, before="elm", reason="r"
        ),
    )
    found = rebase(mine, TINY, onto)
    assert found.variant.operations == (
        SetPayoff(a="ash", b="oak", thousands=2.0, was=1.5, reason="r"),
        SetDestination(chart="west", parity="odd", total=2, item="oak", was="ash", reason="r"),
        AddCity(
            id="cedar", name="Cedar", region="west", milepost="cedar", payoffs={"oak": 1.0}, before="oak", reason="r"
        ),
    )


def test_cities_of_many_cells_are_followed_and_ten_changes_are_listed() -> None:
    onto = edited(TINY, renamed("elm", "oak"))
    cells = tuple(
        (a, b, 2.0) for _ in range(3) for a, b in (("ash", "elm"), ("dale", "elm"), ("fir", "elm"), ("elm", "gum"))
    )
    [operation] = rebase(variant(SetPayoffs(cells=(("ash", "dale", 1.0), *cells), reason="r")), TINY, onto).operations
    assert operation.fate == "adapted"
    first, *_, last = operation.text.split("; ")
    assert operation.text.count(" -> ") == 10
    assert first == "cells: ['ash', 'elm', 2.0] -> ['ash', 'oak', 2.0]"
    assert last.endswith(" and 2 more")


def test_a_section_that_was_cut_is_followed() -> None:
    mine = variant(
        DeleteSegments(segments=("red--cedar--dale",), reason="r"),
        AddLine(railroad="green", stops=("dale", "cedar", "birch"), along=None, reason="r"),
    )
    found = rebase(mine, TINY, INSERTED)
    assert found.variant.operations == (
        DeleteSegments(segments=("red--cedar--coy", "red--coy--dale"), reason="r"),
        AddLine(railroad="green", stops=("dale", "coy", "cedar", "birch"), along=None, reason="r"),
    )


def test_what_the_base_has_already_is_left_out() -> None:
    mine = variant(
        AddMilepost(
            id="coy", name="Coy", segments=("red--cedar--dale", "blue--cedar--dale"), lon=-97.5, lat=42.025, reason="r"
        ),
        EditRailroad(id="red", price=5000, was=RailroadFields(price=10000), reason="r"),
    )
    onto = edited(INSERTED, field("railroads", "red", price=5000))
    found = rebase(mine, TINY, onto)
    assert [o.fate for o in found.operations] == ["done already", "done already"]
    assert found.variant.operations == ()
    assert found.ok


def test_track_that_the_base_has_is_not_laid_twice() -> None:
    onto = edited(TINY, track("green", "birch", "cedar"))
    assert fates(AddPiece(railroad="green", a="birch", b="cedar", reason="r"), onto=onto) == ["done already"]
    bent = edited(TINY, track("green", "birch", "cedar", (-98.5, 42.3)))
    assert fates(AddPiece(railroad="green", a="birch", b="cedar", reason="r"), onto=bent) == ["no longer fits"]


def test_what_is_gone_no_longer_fits() -> None:
    onto = edited(
        TINY,
        lambda data: data["mileposts"].remove(one(data, "mileposts", "birch")),
        *(no_track(p) for p in ("red--ash--birch", "red--birch--cedar", "green--birch--hill")),
    )
    mine = variant(EditPlace(place="birch", name="Beech", reason="r"), EditRailroad(id="red", price=5000, reason="r"))
    found = rebase(mine, TINY, onto)
    assert [o.fate for o in found.operations] == ["no longer fits", "fits"]
    assert found.operations[0].text.startswith("there is no milepost 'birch'")
    assert found.variant.operations == mine.operations[1:]
    assert not found.ok


def test_a_merger_is_named_as_the_cause() -> None:
    merger = MergeRailroads(railroads=("red", "green"), into="red", reason="r")
    onto = apply_variant(TINY, variant(merger))
    mine = variant(
        EditRailroad(id="green", price=5000, reason="r"),
        DeleteSegments(segments=("green--birch--hill",), reason="r"),
        EditRailroad(id="blue", price=5000, reason="r"),
    )
    found = rebase(mine, TINY, onto)
    assert found.operations[0].fate == "no longer fits"
    assert found.operations[0].text.endswith("; the new base merged railroad 'green' into 'red'")
    assert found.operations[2].fate == "fits"
    removed = apply_variant(TINY, variant(DeleteRailroad(id="green", reason="r")))
    lost = rebase(variant(EditRailroad(id="green", price=5000, reason="r")), TINY, removed)
    assert "merged" not in lost.operations[0].text


def test_a_value_that_the_base_changed() -> None:
    onto = edited(TINY, field("railroads", "red", price=11000))
    stated = EditRailroad(id="red", price=5000, was=RailroadFields(price=10000), reason="r")
    bare = EditRailroad(id="red", price=5000, reason="r")
    assert fates(stated, onto=onto) == ["no longer fits"]
    found = rebase(variant(bare), TINY, onto)
    (fate,) = found.operations
    assert fate.fate == "overrides"
    assert fate.text == ("railroad red, price was changed in the base too: railroad RED: costs $11,000, not $10,000")
    assert found.variant.operations == (bare,)


def test_what_follows_from_a_lost_operation_is_lost_too() -> None:
    onto = edited(TINY, milepost("ivy", -98.6, 41.8))
    mine = (
        AddMilepost(id="ivy", name="Ivy", segments=("green--birch--hill",), reason="r"),
        EditPlace(place="ivy", name="Ivory", reason="r"),
        DeletePlace(place="ivy", track="join", reason="r"),
    )
    found = rebase(variant(*mine), TINY, onto)
    assert [o.fate for o in found.operations] == ["no longer fits"] * 3
    assert found.operations[1].text == "it builds on operation 1, which is left out"


def test_a_variant_that_does_not_fit_its_own_base() -> None:
    with pytest.raises(VariantError, match=r"operation 1 \(edit-place\) does not fit the base that it was made for"):
        rebase(variant(EditPlace(place="nowhere", name="N", reason="r")), TINY, TINY)


@given(changed_boards(), changed_boards())
@settings(max_examples=examples(12))
def test_the_rebased_variant_always_applies(changed: Board, onto: Board) -> None:
    """Every operation has one fate, those that stay apply, and what is done already needs nothing."""
    mine = variant_of(TINY, changed, name="mine").variant
    found = rebase(mine, TINY, onto)
    assert [o.number for o in found.operations] == list(range(1, len(mine.operations) + 1))
    stay = [o for o in found.operations if o.fate in {"fits", "adapted", "overrides"}]
    assert len(stay) == len(found.variant.operations)
    apply_variant(onto, found.variant)


@given(changed_boards())
@settings(max_examples=examples(12))
def test_onto_its_own_result_nothing_is_left_to_do(changed: Board) -> None:
    mine = variant_of(TINY, changed, name="mine").variant
    found = rebase(mine, TINY, changed)
    assert found.variant.operations == ()
    assert found.ok
    assert diff_boards(apply_variant(changed, found.variant), changed).same
