"""Two boards compared by meaning: exact small cases, said as a person would say them."""

from collections.abc import Sequence

import pytest
from edits import Edit, changed_boards, edited, field, milepost, no_track, one, payoff, renamed, track
from hypothesis import given, settings
from sampling import examples
from tiny import PLACES, tiny_board

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.difference import KINDS, BoardDiff
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.matching import match_boards

TINY = edited(tiny_board())


def diff(*edits: Edit) -> BoardDiff:
    return diff_boards(TINY, edited(TINY, *edits))


def sentences_of(found: BoardDiff) -> list[str]:
    return [step.text for step in found.story]


def test_a_board_does_not_differ_from_itself(usa: Board) -> None:
    assert diff_boards(TINY, TINY).same
    assert diff_boards(usa, usa).same


CASES: dict[str, tuple[Sequence[Edit], list[str]]] = {
    "price": (
        [field("railroads", "red", price=12000)],
        ["railroad RED: costs $12,000, not $10,000"],
    ),
    "public": ([field("railroads", "red", public=True)], ["railroad RED: is public"]),
    "milepost renamed": (
        [field("mileposts", "birch", name="Beech")],
        ["milepost Birch is now Beech"],
    ),
    "milepost renamed with its id": (
        [renamed("birch", "beech"), field("mileposts", "beech", name="Beech")],
        ["milepost Birch is now Beech (birch -> beech)"],
    ),
    "milepost moved": (
        # a tenth of a degree of latitude; three segments follow it
        [field("mileposts", "birch", lat=42.2)],
        ["milepost Birch moved 6.9 miles"],
    ),
    "milepost renamed and moved": (
        [renamed("birch", "beech"), field("mileposts", "beech", name="Beech", lat=42.2)],
        ["milepost Birch is now Beech (birch -> beech) and moved 6.9 miles"],
    ),
    "milepost inserted on two railroads": (
        [
            milepost("coy", -97.5, 42.0),
            no_track("red--cedar--dale"),
            no_track("blue--cedar--dale"),
            track("red", "cedar", "coy"),
            track("red", "coy", "dale"),
            track("blue", "cedar", "coy"),
            track("blue", "coy", "dale"),
        ],
        ["Coy stands between Cedar and Dale on BLUE and RED"],
    ),
    "two mileposts inserted": (
        [
            milepost("coy", -97.6, 42.0),
            milepost("day", -97.3, 42.0),
            no_track("red--cedar--dale"),
            track("red", "cedar", "coy"),
            track("red", "coy", "day"),
            track("red", "day", "dale"),
        ],
        ["Coy and Day stand between Cedar and Dale on RED"],
    ),
    "line beside another": (
        [track("green", "birch", "cedar"), track("green", "cedar", "dale")],
        ["GREEN gets the line Birch - Cedar - Dale (2 segments), beside RED"],
    ),
    "line to a new place": (
        [milepost("ivy", -100.5, 42.0), track("red", "ash", "ivy")],
        ["RED gets the line Ash - Ivy (1 segment), with 1 milepost that is new"],
    ),
    "line gone": (
        [no_track("green--elm--hill")],
        ["GREEN loses the line Elm - Hill (1 segment)"],
    ),
    "segment reassigned": (
        [field("pieces", "red--ash--birch", railroad="blue")],
        ["Ash - Birch (1 segment) of RED now belongs to BLUE"],
    ),
    "line reassigned": (
        [field("pieces", p, railroad="red") for p in ("green--ash--elm", "green--elm--hill")],
        ["Ash - Elm - Hill (2 segments) of GREEN now belongs to RED"],
    ),
    "railroads merged": (
        [
            *(
                field("pieces", p, railroad="green")
                for p in ("red--ash--birch", "red--birch--cedar", "red--cedar--dale")
            ),
            lambda data: data["railroads"].remove(one(data, "railroads", "red")),
        ],
        ["RED is merged into GREEN: 3 segments of it"],
    ),
    "railroad renamed": (
        [renamed("red", "crimson"), field("railroads", "crimson", short="CRI", name="Crimson Line")],
        ["railroad RED: has the id crimson, not red, is now Crimson Line and short RED -> CRI"],
    ),
    "way bent": (
        [lambda data: one(data, "pieces", "green--ash--elm")["line"].insert(1, (-100.3, 41.6))],
        ["GREEN: Ash - Elm (1 segment) runs another way"],
    ),
    "city to another region": (
        [field("cities", "elm", region="east")],
        ["city Elm moved from region West to East"],
    ),
    "city to another milepost": (
        [field("cities", "gum", milepost="hill")],
        ["milepost Hill is now a city's", "city Gum moved from milepost Fir/Gum to Hill"],
    ),
    "payoffs": (
        [payoff("ash", "dale", 5.0), payoff("elm", "fir", None), payoff("dale", "elm", 6.0, one_way=True)],
        ["3 payoffs: Ash - Dale 4.5 -> 5; Dale to Elm 5.5 -> 6; Elm - Fir 4.5 -> none"],
    ),
    "destinations": (
        [lambda data: data["destinations"]["east"]["odd"].update({"2": "fir", "3": None})],
        ["2 cells of the chart of East: odd 2: Dale -> Fir; odd 3: Fir -> empty"],
    ),
    "rules": (
        [lambda data: data["rules"]["purchase"].update(superchief_price=30000)],
        ["rule purchase.superchief_price: 40000 -> 30000"],
    ),
    "title": ([lambda data: data.update(title="Small")], ["title: Tiny -> Small"]),
}


@pytest.mark.parametrize("name", CASES)
def test_said_as_a_person_would_say_it(name: str) -> None:
    edits, sentences = CASES[name]
    assert sentences_of(diff(*edits)) == sentences


def test_payoffs_multiplied() -> None:
    def doubled(data: dict[str, dict[str, list[list[float]]]]) -> None:
        data["payoffs"]["thousands"] = [[2 * v for v in row] for row in data["payoffs"]["thousands"]]

    found = diff(doubled)
    # ten pairs of five cities, one of which is the twins'
    assert sentences_of(found) == ["every payoff is multiplied by 2 (9 cells)"]
    assert len(found.payoffs) == 9


def test_the_elements_of_an_insertion() -> None:
    edits, _ = CASES["milepost inserted on two railroads"]
    found = diff(*edits)
    assert [c.id for c in found.of("segment", "removed")] == ["blue--cedar--dale", "red--cedar--dale"]
    assert [c.id for c in found.of("segment", "added")] == [
        "blue--cedar--coy",
        "blue--coy--dale",
        "red--cedar--coy",
        "red--coy--dale",
    ]
    assert [c.id for c in found.of("milepost")] == ["coy"]
    assert set(found.story[0].elements) == {f"{c.kind}:{c.id}" for c in found.elements}


def test_track_shared_through_a_junction_is_reported() -> None:
    """Three arms at J make three segments that share pieces; with two arms one segment is left, which shares none."""
    found = diff(no_track("blue--hill--j"))
    (changed,) = found.of("segment", "changed")
    assert changed.id == "blue--cedar--fir-gum"
    (shared,) = changed.fields
    assert (shared.field, shared.a, shared.b) == (
        "shares_track_with",
        ["blue--cedar--hill", "blue--fir-gum--hill"],
        [],
    )
    assert [c.id for c in found.of("segment", "removed")] == ["blue--cedar--hill", "blue--fir-gum--hill"]


def test_page_positions_do_not_matter() -> None:
    shifted = TINY.model_copy(update={"mileposts": tuple(m.model_copy(update={"x": m.x + 1}) for m in TINY.mileposts)})
    assert diff_boards(TINY, shifted).same


def test_track_that_a_graph_straightened_runs_no_other_way(usa: Board) -> None:
    """A graph has nothing between its nodes; a node that is elsewhere still counts."""
    straight = usa.model_copy(
        update={"pieces": tuple(p.model_copy(update={"line": (p.line[0], p.line[-1])}) for p in usa.pieces)}
    )
    assert diff_boards(usa, straight).same
    assert diff_boards(straight, usa).same
    moved = edited(straight, field("mileposts", usa.mileposts[0].id, lat=usa.mileposts[0].lat + 0.1))
    assert [step.kind for step in diff_boards(usa, moved).story] == ["milepost moved"]


def test_equal_ids_win_over_places() -> None:
    """Two mileposts that exchange their places are moved, not renamed."""
    (x1, y1), (x2, y2) = PLACES["birch"][1], PLACES["hill"][1]
    other = edited(TINY, field("mileposts", "birch", lon=x2, lat=y2), field("mileposts", "hill", lon=x1, lat=y1))
    assert match_boards(TINY, other).mileposts == {m.id: m.id for m in TINY.mileposts}
    assert [s.kind for s in diff_boards(TINY, other).story] == ["milepost moved", "milepost moved"]


@given(changed_boards(), changed_boards())
@settings(max_examples=examples(40))
def test_every_change_is_in_the_story_and_the_way_back_is_the_mirror(a: Board, b: Board) -> None:
    there, back = diff_boards(a, b), diff_boards(b, a)
    explained = {element for step in there.story for element in step.elements}
    assert explained == {f"{c.kind}:{c.id}" for c in there.elements}
    assert there.same == (there.story == ())
    for kind in KINDS:
        gone, come = there.of(kind, "removed"), back.of(kind, "added")
        assert [c.id for c in gone] == [c.id for c in come]
    assert {(c.start, c.end) for c in there.payoffs if not c.one_way} == {
        (c.start, c.end) for c in back.payoffs if not c.one_way
    } or there.of("city")
    assert [(r.path, r.a, r.b) for r in there.rules] == [(r.path, r.b, r.a) for r in back.rules]
