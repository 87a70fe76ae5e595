"""Mileposts by rule: how many, where, and what they are called."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyproj import Geod
from sampling import examples

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.core.names import slug
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.trace.naming import NameBid, NameSlot, NearbyPlaces, give_names
from mapkit.kinds.rail.trace.spacing.measure import measure_corridors
from mapkit.kinds.rail.trace.spacing.mileposts import (
    Anchor,
    AnchorKind,
    Section,
    SpacingResult,
    SpacingRule,
    count_new_mileposts,
    space_mileposts,
)
from mapkit.kinds.rail.trace.spacing.names import make_milepost_bids

GEOD = Geod(ellps="WGS84")
NATURAL_EARTH = Path(__file__).parents[2].parent / "shared" / "data" / "naturalearth"
RAILROADS = NATURAL_EARTH / "ne_10m_railroads_north_america.json"
TOWNS = NATURAL_EARTH / "ne_50m_populated_places.json"
CENTIMETRE = 0.01 / METRES_PER_MILE
ROUNDING = 2 / METRES_PER_MILE  # five decimals of a degree, at both ends


def going(start: Point, azimuth: float, miles: float) -> Point:
    lon, lat, _ = GEOD.fwd(*start, azimuth, miles * METRES_PER_MILE)
    return lon, lat


def anchor(ident: str, at: Point, kind: AnchorKind = "milepost", name: str | None = None) -> Anchor:
    return Anchor(ident, kind, *at, name=ident.title() if name is None else name)


def straight(
    miles: float,
    *,
    ident: str = "s",
    railroads: tuple[str, ...] = ("pa",),
    kinds: tuple[AnchorKind, AnchorKind] = ("milepost", "milepost"),
) -> Section:
    start = (-100.0, 40.0)
    end = going(start, 60, miles)
    a, b = anchor(f"{ident}-west", start, kinds[0]), anchor(f"{ident}-zeast", end, kinds[1])
    return Section(ident, a, b, (start, end), railroads)


def place(name: str, at: Point, population: int = 1000, division: str = "") -> GazetteerPlace:
    return GazetteerPlace(name, division, "US", *at, population)


def spaced(
    *sections: Section,
    rule: SpacingRule,
    places: Sequence[GazetteerPlace] = (),
    taken: Sequence[str] = (),
    cities: Sequence[tuple[str, float, float]] = (),
) -> SpacingResult:
    return space_mileposts(sections, rule=rule, gazetteer_places=places, taken_names=taken, cities=cities)


def miles_of(result: SpacingResult, section: str = "s") -> list[float]:
    return sorted(m.miles for m in result.mileposts if m.section == section)


# How many and where


@pytest.mark.parametrize("azimuth", [0, 37, 90, 181, 300])
@pytest.mark.parametrize("start", [(-100.0, 40.0), (179.5, -17.0), (10.0, 69.0)])
def test_a_straight_line_is_cut_into_equal_geodesic_steps(start: Point, azimuth: float) -> None:
    end = going(start, azimuth, 300)
    section = Section("s", anchor("a", start), anchor("b", end), (start, end), ("pa",))
    result = spaced(section, rule=SpacingRule(50))
    expected = [going(start, azimuth, 50 * step) for step in range(1, 6)]
    found = sorted(result.mileposts, key=lambda m: m.number)
    assert [m.miles for m in found] == pytest.approx([50, 100, 150, 200, 250], abs=CENTIMETRE)
    assert [m.lat for m in found] == pytest.approx([lat for _, lat in expected], abs=6e-6)
    assert [math.remainder(m.lon - lon, 360) for m, (lon, _) in zip(found, expected, strict=True)] == pytest.approx(
        [0] * 5, abs=6e-6
    )
    assert result.sections[0].gap_miles == pytest.approx(50, abs=CENTIMETRE)


def test_steps_follow_the_real_line() -> None:
    line = [(-100.0, 40.0)]
    for step in range(200):
        line.append(going(line[-1], 90 + 70 * math.sin(step), 0.1 + step % 7))
    section = Section("s", anchor("a", line[0]), anchor("b", line[-1]), tuple(line), ("pa",))
    (made,) = spaced(section, rule=SpacingRule(35)).sections
    steps = round(line_miles(line) / 35)
    assert len(made.pieces) == steps == len(made.mileposts) + 1
    assert [line_miles(piece) for piece in made.pieces] == pytest.approx(
        [line_miles(line) / steps] * steps, abs=ROUNDING
    )
    cuts = {piece[0] for piece in made.pieces[1:]}
    assert [p for piece in made.pieces for p in piece if p not in cuts] == line
    assert all(one[-1] == other[0] for one, other in pairwise(made.pieces))


@pytest.mark.parametrize(
    ("miles", "steps", "tie"),
    [
        (1, 1, False), (19.9, 1, False), (20, 1, False), (40, 1, False), (59.99, 1, False), (60, 2, True),
        (60.01, 2, False), (80, 2, False), (100, 3, True), (99.99, 2, False), (140, 4, True), (400, 10, False),
    ],
)  # fmt: skip
def test_steps_are_rounded_and_ties_go_up(miles: float, steps: int, tie: bool) -> None:  # noqa: FBT001
    result = spaced(straight(miles), rule=SpacingRule(40))
    assert len(result.mileposts) == steps - 1
    assert [n.elements for n in result.notes if n.kind == "tie"] == ([("s",)] if tie else [])
    assert miles_of(result) == pytest.approx([miles / steps * i for i in range(1, steps)], abs=CENTIMETRE)


def test_the_note_on_a_tie_says_what_was_chosen() -> None:
    (note,) = [n for n in spaced(straight(100), rule=SpacingRule(40)).notes if n.kind == "tie"]
    assert note.message == (
        "section 's' of 100.00 miles is half-way between 1 and 2 new mileposts at a target of 40 miles; "
        "mapkit chose the larger"
    )


@given(st.floats(0.01, 5000), st.floats(1, 200))
def test_between_mileposts_there_is_the_rounded_number_of_steps(miles: float, target: float) -> None:
    steps = count_new_mileposts(miles, target) + 1
    assert steps >= 1
    assert steps == 1 or abs(miles / target - steps) <= 0.5 + 1e-5


def test_overrides_and_their_order() -> None:
    rule = SpacingRule(50, railroads={"public": 10, "far": 100}, regions={"plains": 25})

    def target(*railroads: str, region: str = "") -> float:
        cities = [(region, -100.0, 40.0)]
        (made,) = spaced(straight(300, railroads=railroads), rule=rule, cities=cities).sections
        assert len(made.mileposts) == 300 / made.target_miles - 1
        return made.target_miles

    assert target("pa") == 50
    assert target("pa", region="plains") == 25
    assert target("public", region="plains") == 10
    assert target("far", region="plains") == 100
    assert target("far", "pa") == 50
    assert target("far", "pa", region="plains") == 25
    assert target("far", "pa", "public") == 10


def test_where_a_line_passes_from_region_to_region_the_gaps_change_without_a_milepost_at_the_border() -> None:
    """110 miles at 20 are 5.5 steps and 90 at 40 are 2.25: 8 steps of 0.96875, 5.68 of which lie before the border."""
    section = straight(200)
    at = section.line[0]
    cities = [("hills", *going(at, 60, 40)), ("plains", *going(at, 60, 180))]
    rule = SpacingRule(99, regions={"hills": 20, "plains": 40}, shift=0)
    result = spaced(section, rule=rule, cities=cities)
    step = 7.75 / 8
    before = [20 * step * n for n in range(1, 6)]
    after = [200 - 40 * step * n for n in (2, 1)]
    assert miles_of(result) == pytest.approx([*before, *after], abs=0.01)
    (made,) = result.sections
    assert made.target_miles == pytest.approx(200 / 7.75, abs=0.001)
    assert made.gap_miles == pytest.approx(200 / 8, abs=0.001)
    assert not [note for note in result.notes if note.kind in {"unused", "tie"}]
    turned = replace(section, a=section.b, b=section.a, line=section.line[::-1])
    assert spaced(turned, rule=rule, cities=cities[::-1]).mileposts == result.mileposts
    elsewhere = spaced(section, rule=rule, cities=[*cities, ("coast", -70.0, 40.0)])
    assert elsewhere.mileposts == result.mileposts


def test_a_railroad_with_a_gap_of_its_own_keeps_it_in_every_region() -> None:
    section = straight(200, railroads=("pa", "public"))
    at = section.line[0]
    cities = [("hills", *going(at, 60, 40)), ("plains", *going(at, 60, 180))]
    rule = SpacingRule(99, railroads={"public": 25}, regions={"plains": 40})
    result = spaced(section, rule=rule, cities=cities)
    assert miles_of(result) == pytest.approx([25.0 * n for n in range(1, 8)], abs=CENTIMETRE)


@given(st.sets(st.integers(2, 65), min_size=1, max_size=6), st.sampled_from([(10, 30), (25, 25), (50, 15)]))
def test_the_steps_of_any_mix_of_regions_have_the_same_measure(thirds: set[int], gaps: tuple[int, int]) -> None:
    spots = sorted(3 * third for third in thirds)
    section = straight(200)
    at = section.line[0]
    cities = [("odd" if n % 2 else "even", *going(at, 60, miles)) for n, miles in enumerate(spots)]
    rule = SpacingRule(99, regions={"even": gaps[0], "odd": gaps[1]})
    made = miles_of(spaced(section, rule=rule, cities=cities))
    borders = [(one + two) / 2 for one, two in pairwise(spots)]

    def measure(miles: float) -> float:
        ends = [0.0, *(border for border in borders if border < miles), miles]
        return sum((two - one) / gaps[n % 2] for n, (one, two) in enumerate(pairwise(ends)))

    steps = max(1, math.floor(measure(200) + 0.5))
    assume(abs(measure(200) + 0.5 - round(measure(200) + 0.5)) > 0.001)
    assert [measure(miles) for miles in made] == pytest.approx(
        [measure(200) * n / steps for n in range(1, steps)], abs=0.001
    )


def test_an_override_that_nothing_has_is_noted() -> None:
    rule = SpacingRule(50, railroads={"pensy": 10}, regions={"plains": 10})
    notes = [n for n in spaced(straight(60, railroads=("pensey",)), rule=rule).notes if n.kind == "unused"]
    assert [n.message for n in notes] == [
        "the spacing rule names railroad 'pensy', which no line has (did you mean 'pensey'?)",
        "the spacing rule names region 'plains', which no line has",
    ]


def test_the_way_through_a_junction_is_as_long_as_other_steps() -> None:
    west = straight(140, ident="a", kinds=("milepost", "junction"))
    end = going((west.b.lon, west.b.lat), 60, 140)
    east = Section("b", west.b, anchor("zz", end), ((west.b.lon, west.b.lat), end), ("pa",))
    result = spaced(west, east, rule=SpacingRule(40))
    assert miles_of(result, "a") == pytest.approx([40, 80, 120], abs=CENTIMETRE)
    assert miles_of(result, "b") == pytest.approx([20, 60, 100], abs=CENTIMETRE)
    like_mileposts = spaced(west, east, rule=SpacingRule(40, junction_share=1))
    assert miles_of(like_mileposts, "a") == pytest.approx([35, 70, 105], abs=CENTIMETRE)
    short = spaced(straight(15, kinds=("junction", "junction")), rule=SpacingRule(40))
    assert short.mileposts == ()


def test_a_corridor_of_several_railroads_is_spaced_once() -> None:
    one = straight(200, ident="m", railroads=("pa",))
    other = replace(one, id="k", a=one.b, b=one.a, line=one.line[::-1], railroads=("nyc",))
    third = replace(one, id="z", railroads=("public",))
    result = spaced(one, other, third, rule=SpacingRule(50, railroads={"public": 20}))
    assert len(result.mileposts) == 9
    assert {m.railroads for m in result.mileposts} == {("nyc", "pa", "public")}
    made = {s.section: s for s in result.sections}
    assert {s.corridor for s in result.sections} == {"k"}
    assert made["m"].mileposts == made["z"].mileposts == made["k"].mileposts[::-1]
    assert made["m"].pieces == made["z"].pieces
    assert made["k"].pieces == tuple(piece[::-1] for piece in made["m"].pieces[::-1])
    assert made["m"].pieces[0][0] == one.line[0]
    assert made["k"].pieces[0][0] == one.line[-1]


def test_a_loop_has_no_step_from_a_milepost_to_itself() -> None:
    start = (-100.0, 40.0)
    ring = [start, going(start, 0, 10), going(start, 45, 14), going(start, 90, 10), start]

    def loop(target: float) -> SpacingResult:
        return spaced(
            Section("s", anchor("a", start), anchor("a", start), tuple(ring), ("pa",)), rule=SpacingRule(target)
        )

    assert len(loop(10).mileposts) == 3
    assert len(loop(20).mileposts) == 2
    assert len(loop(100).mileposts) == 0
    assert [n.kind for n in loop(100).notes] == ["loop"]


# Names


def test_a_milepost_is_named_after_the_place_and_moves_a_little_towards_it() -> None:
    section = straight(100)
    at = section.line[0]
    places = [place("Midway", going(at, 60, 53), division="KS"), place("Far Off", going(going(at, 60, 50), 150, 6))]
    (milepost,) = spaced(section, rule=SpacingRule(50), places=places).mileposts
    assert (milepost.id, milepost.name, milepost.place) == ("midway-ks", "Midway KS", "Midway KS")
    assert milepost.miles == pytest.approx(53, abs=0.01)
    assert milepost.shift_miles == pytest.approx(3, abs=0.01)
    bounded = spaced(section, rule=SpacingRule(50, shift=0.02), places=places).mileposts[0]
    assert bounded.miles == pytest.approx(51, abs=CENTIMETRE)
    still = spaced(section, rule=SpacingRule(50, shift=0), places=places).mileposts[0]
    assert (still.name, still.shift_miles) == ("Midway KS", 0)
    assert still.miles == pytest.approx(50, abs=CENTIMETRE)


def test_distance_and_population_are_balanced() -> None:
    section = straight(100)
    at = section.line[0]

    def named(*places: GazetteerPlace) -> str:
        return spaced(section, rule=SpacingRule(50), places=places).mileposts[0].name

    near, far = going(at, 60, 51), going(at, 60, 55)  # a tenfold population is worth 5 miles of a gap of 50
    assert named(place("Near", near), place("Far", far)) == "Near"
    assert named(place("Near", near), place("Far", far, 5_000)) == "Near"
    assert named(place("Near", near), place("Far", far, 10_000)) == "Far"
    beside = going(near, 150, 2.2)  # off the line counts twice
    assert named(place("Beside", beside), place("Far", far)) == "Far"


@pytest.mark.parametrize("taken", [("Midway",), ("Midway KS",), ("MIDWAY",)])
def test_taken_names_are_not_given_again(taken: tuple[str, ...]) -> None:
    section = straight(100)
    places = [place("Midway", going(section.line[0], 60, 50), 9000, "KS")]
    result = spaced(section, rule=SpacingRule(50), places=places, taken=taken)
    assert [m.name for m in result.mileposts] == ["S-West - S-Zeast 1"]
    pinned = replace(section, a=replace(section.a, name="Midway KS"))
    assert spaced(pinned, rule=SpacingRule(50), places=places).mileposts[0].place == ""


def test_without_a_place_the_name_describes_and_a_note_says_so() -> None:
    start, end = (-71.06, 42.36), (-73.75, 42.65)
    section = Section(
        "s", anchor("boston-ma", start, name="Boston MA"), anchor("albany-ny", end, name="Albany NY"), (start, end), ()
    )
    result = spaced(section, rule=SpacingRule(45))
    assert [(m.id, m.name, m.place) for m in result.mileposts] == [
        ("albany-boston-1", "Albany - Boston 1", ""),
        ("albany-boston-2", "Albany - Boston 2", ""),
    ]
    assert [n.message for n in result.notes] == [
        f"milepost {number} of section 's' is called 'Albany - Boston {number}': no place beside it has a free name; "
        "pin a milepost there to name it"
        for number in (1, 2)
    ]
    assert result.sections[0].mileposts == ("albany-boston-2", "albany-boston-1")


def test_two_corridors_between_the_same_anchors_have_different_names() -> None:
    one = straight(100, ident="s")
    bend = going(going(one.line[0], 60, 50), 150, 30)
    more = [replace(one, id=f"s{n}", line=(one.line[0], bend, going(bend, 20, n), one.line[-1])) for n in (1, 2)]
    names = [m.name for m in spaced(one, *more, rule=SpacingRule(50)).mileposts]
    assert names == ["S-West - S-Zeast 1", "S-West - S-Zeast (pa) 1", "S-West - S-Zeast (s2) 1"]


def test_ends_and_nameless_pins_are_named_where_they_stand() -> None:
    section = straight(30, kinds=("end", "milepost"))
    section = replace(section, a=replace(section.a, name=""), b=replace(section.b, name=""))
    places = [place("Landing", going(section.line[0], 240, 3)), place("Far", going(section.line[-1], 60, 20), 10**6)]
    result = spaced(section, rule=SpacingRule(50), places=places)
    by_anchor = {m.anchor: m for m in result.mileposts}
    assert by_anchor["s-west"].name == "Landing"
    assert (by_anchor["s-west"].lon, by_anchor["s-west"].lat) == section.line[0]
    assert by_anchor["s-zeast"].name == "PA Stop"  # no position, which says nothing to players
    assert by_anchor["s-zeast"].railroads == ("pa",)
    assert [n.elements for n in result.notes] == [("s-zeast",)]


def test_a_place_goes_to_the_milepost_that_it_suits_best() -> None:
    one = straight(100, ident="a")
    apart = going(one.line[0], 150, 4)
    other = Section(
        "b", anchor("b1", apart), anchor("b2", going(apart, 60, 100)), (apart, going(apart, 60, 100)), ("bo",)
    )
    middle = going(one.line[0], 60, 50)
    near_b, between = going(middle, 150, 3), going(middle, 150, 1.5)
    result = spaced(one, other, rule=SpacingRule(50), places=[place("Only", near_b)])
    assert {m.section: m.place for m in result.mileposts} == {"a": "", "b": "Only"}
    result = spaced(one, other, rule=SpacingRule(50), places=[place("Only", near_b), place("Second", between)])
    assert {m.section: m.place for m in result.mileposts} == {"a": "Second", "b": "Only"}


def test_names_go_to_the_cheapest_bid_and_ties_to_the_smaller_slot() -> None:
    def bid(cost: float, name: str) -> NameBid:
        return NameBid(cost, slug(name), name, 0.0)

    bids = {
        NameSlot("b", 1): [bid(1, "Alpha"), bid(2, "Beta")],
        NameSlot("a", 1): [bid(1, "Alpha")],
        NameSlot("c", 2): [bid(1.5, "Beta"), bid(3, "Gamma")],
        NameSlot("c", 1): [bid(1.5, "Beta")],
    }
    assert {slot: bid.name for slot, bid in give_names(bids).items()} == {
        NameSlot("a", 1): "Alpha",
        NameSlot("c", 1): "Beta",
        NameSlot("c", 2): "Gamma",
    }


# What a user or a caller may get wrong


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (SpacingRule(0), "spacing: miles is 0; write the gap in miles, at least 0.01"),
        (SpacingRule(math.nan), "spacing: miles is nan; write the gap in miles, at least 0.01"),
        (SpacingRule(9, railroads={"pa": -1}), "spacing: railroads.pa is -1; write the gap in miles, at least 0.01"),
        (SpacingRule(9, regions={"x": math.inf}), "spacing: regions.x is inf; write the gap in miles, at least 0.01"),
        (SpacingRule(9, shift=0.5), "spacing: shift is 0.5; write a number from 0 to 0.4"),
        (SpacingRule(9, junction_share=0.4), "spacing: junction_share is 0.4; write a number from 0.5 to 1"),
        (SpacingRule(9, reach_miles=math.nan), "spacing: reach_miles is nan; write a number from 0 to 1000"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(rule: SpacingRule, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        spaced(straight(100), rule=rule)
    assert str(caught.value) == said


def test_a_gap_too_small_for_the_board_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        spaced(straight(2000), rule=SpacingRule(0.01))
    assert str(caught.value) == (
        "spacing: the rule gives 199,999 mileposts, 199,999 of them on section 's' (2000.0 miles, target 0.01); "
        "at most 100,000 are allowed; choose a larger gap"
    )


def test_what_is_no_noded_network_is_a_defect_of_the_caller() -> None:
    section = straight(100)
    for bad, said in (
        ([section, section], "given twice"),
        ([replace(section, line=section.line[::-1])], "does not reach its anchor"),
        ([replace(section, line=(section.line[0],))], "not a line"),
        ([replace(section, line=((math.nan, 1.0), section.line[1]))], "not a line"),
        ([section, replace(section, id="t", a=replace(section.a, name="Other"))], "not the same in every section"),
        ([replace(section, b=section.a, line=(section.line[0],) * 2)], "no length"),
    ):
        with pytest.raises(ValueError, match=said):
            spaced(*bad, rule=SpacingRule(50))


def test_nothing_gives_nothing() -> None:
    assert spaced(rule=SpacingRule(50)) == SpacingResult((), (), ())


# Stability

COORDINATES = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: (p[0] / 20 - 100, p[1] / 20 + 40))
PLACES = st.lists(st.tuples(COORDINATES, st.sampled_from([500, 5000, 50_000])), max_size=80).map(
    lambda found: [place(f"Place{n % 60:02}", at, size) for n, (at, size) in enumerate(found)]
)
KINDS: tuple[AnchorKind, ...] = ("milepost", "junction")
RULE = SpacingRule(12, reach_miles=4)


@st.composite
def networks(draw: st.DrawFn) -> list[Section]:
    spots = draw(st.lists(COORDINATES, min_size=3, max_size=8, unique=True))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=len(spots), max_size=len(spots)))
    anchors = [anchor(f"n{number}", at, kind) for number, (at, kind) in enumerate(zip(spots, kinds, strict=True))]
    index = st.integers(0, len(spots) - 1)
    pairs = draw(st.lists(st.tuples(index, index).filter(lambda p: p[0] != p[1]), min_size=2, max_size=6, unique=True))
    return [
        Section(
            f"s{n}", anchors[a], anchors[b], (spots[a], *draw(st.lists(COORDINATES, max_size=2)), spots[b]), ("pa",)
        )
        for n, (a, b) in enumerate(pairs)
    ]


@settings(max_examples=examples(150), deadline=None)
@given(networks(), PLACES, COORDINATES, st.integers(0, 5))
def test_a_moved_section_changes_others_only_through_names_that_both_want(
    network: list[Section], places: list[GazetteerPlace], via: Point, which: int
) -> None:
    old = network[which % len(network)]
    new = replace(old, line=(old.line[0], via, old.line[-1]))
    moved = [new if section is old else section for section in network]

    def bids(sections: Sequence[Section]) -> dict[NameSlot, set[str]]:
        index = NearbyPlaces(places, {a for s in network for a in (s.a.id, s.b.id)})
        return {
            slot: {bid.slug for bid in own}
            for slot, own in make_milepost_bids(measure_corridors(sections, RULE), index, RULE).items()
        }

    contested = set().union(*bids([old]).values(), *bids([new]).values())
    wants = bids([section for section in network if section is not old])
    before = {NameSlot(m.section, m.number): m for m in spaced(*network, rule=RULE, places=places).mileposts}
    after = {NameSlot(m.section, m.number): m for m in spaced(*moved, rule=RULE, places=places).mileposts}
    lines = Counter(min(s.line, s.line[::-1]) for s in [*network, new])
    for slot in before.keys() | after.keys():
        section = next(s for s in network if s.id == slot.owner)
        if section is old or lines[min(section.line, section.line[::-1])] > 1:
            continue
        assert before[slot].number == after[slot].number
        if not wants.get(slot, set()) & contested:
            assert before[slot] == after[slot]


@settings(max_examples=examples(60), deadline=None)
@given(networks(), PLACES, st.randoms(use_true_random=False))
def test_neither_order_nor_direction_matters(
    network: list[Section], places: list[GazetteerPlace], random: Random
) -> None:
    shuffled = list(network)
    random.shuffle(shuffled)
    turned = [replace(s, a=s.b, b=s.a, line=s.line[::-1]) for s in shuffled]
    first = spaced(*network, rule=RULE, places=places)
    second = spaced(*turned, rule=RULE, places=places[::-1])
    assert first.mileposts == second.mileposts
    assert [s.mileposts for s in first.sections] == [s.mileposts[::-1] for s in second.sections]


@settings(max_examples=examples(60), deadline=None)
@given(networks(), PLACES)
def test_ids_are_unique_and_steps_even_within_the_shift(network: list[Section], places: list[GazetteerPlace]) -> None:
    check_invariants(network, places, RULE)


def check_invariants(network: Sequence[Section], places: Sequence[GazetteerPlace], rule: SpacingRule) -> SpacingResult:
    """Assert what holds for every network."""
    result = spaced(*network, rule=rule, places=places)
    sections = {section.id: section for section in network}
    ids = [m.id for m in result.mileposts] + [a for s in network for a in {s.a.id, s.b.id}]
    assert max(Counter(m.id for m in result.mileposts).values(), default=1) == 1
    assert not {m.id for m in result.mileposts} & set(ids[len(result.mileposts) :])
    assert all(m.id == slug(m.name) for m in result.mileposts)
    names = {p.full_name for p in places} | {p.name for p in places}
    assert all(m.place in names for m in result.mileposts if m.place)
    by_id = {m.id: m for m in result.mileposts}
    assert [s.section for s in result.sections] == sorted(sections)
    for made in result.sections:
        section = sections[made.section]
        junctions = (section.a.kind == "junction") + (section.b.kind == "junction")
        assert made.miles == pytest.approx(line_miles(section.line), abs=1e-6)
        loop = section.a == section.b
        count = count_new_mileposts(made.miles, made.target_miles, junctions=junctions)
        assert len(made.mileposts) == (max(count, 2) if loop and count else count)
        assert len(made.pieces) == len(made.mileposts) + 1
        assert (made.pieces[0][0], made.pieces[-1][-1]) == (section.line[0], section.line[-1])
        lengths = [line_miles(piece) if len(piece) > 1 else 0.0 for piece in made.pieces]
        assert sum(lengths) == pytest.approx(made.miles, abs=ROUNDING * len(lengths))
        most = rule.shift * made.gap_miles + 1e-5
        assert all(abs(by_id[ident].shift_miles) <= most for ident in made.mileposts)
        for length in lengths[1:-1]:
            assert abs(length - made.gap_miles) <= 2 * most + ROUNDING
    return result


@pytest.mark.slow
def test_the_railroads_of_north_america() -> None:
    if not (RAILROADS.is_file() and TOWNS.is_file()):
        pytest.skip("the folder ../shared/data/naturalearth with the reference data is not there")
    features = json.loads(RAILROADS.read_text(encoding="utf-8"))["features"]
    shapes = [feature["geometry"] for feature in features]
    lines = [
        tuple((x, y) for x, y in line)
        for shape in shapes
        for line in (shape["coordinates"] if shape["type"] == "MultiLineString" else [shape["coordinates"]])
    ]
    arms = Counter(f"n{x:.4f}-{y:.4f}" for line in lines for x, y in (line[0], line[-1]))

    def end(at: Point) -> Anchor:
        ident = f"n{at[0]:.4f}-{at[1]:.4f}"
        return Anchor(ident, "end" if arms[ident] == 1 else "junction", round(at[0], 4), round(at[1], 4))

    network = [Section(f"s{n}", end(line[0]), end(line[-1]), line, ("ne",)) for n, line in enumerate(lines)]
    towns = [
        GazetteerPlace(p["NAME"], "", p["ISO_A2"], p["LONGITUDE"], p["LATITUDE"], int(p["POP_MAX"]))
        for p in (feature["properties"] for feature in json.loads(TOWNS.read_text(encoding="utf-8"))["features"])
    ]
    result = check_invariants(network, towns, SpacingRule(40, reach_miles=10))
    ends = {ident for ident, count in arms.items() if count == 1}
    assert {m.anchor for m in result.mileposts if m.anchor} == ends
    assert result == spaced(*network[::-1], rule=SpacingRule(40, reach_miles=10), places=towns[::-1])
    assert len(network) == len(result.sections) == 1127
