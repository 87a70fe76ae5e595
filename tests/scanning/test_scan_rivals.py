"""Lines that several railroads claim, dots that a line goes by, and lines that part beside a dot."""

from dataclasses import replace

import numpy as np
import pytest

from mapkit.core.arrays import Floats
from mapkit.kinds.rail.scanning.arrays import Bools
from mapkit.kinds.rail.scanning.ink_assignment import LineClaim, Verdict, learn_vocabulary, make_claim
from mapkit.kinds.rail.scanning.ink_candidates import ScanSheet, settle_claims
from mapkit.kinds.rail.scanning.inks import colour_lab, find_grounds, pixels_to_keys, read_inks
from mapkit.kinds.rail.scanning.links import Evidence, Link, lower_repeated_confidence, weigh_verdict
from mapkit.kinds.rail.scanning.open_junctions import add_links_through_junctions, ease_turns_at_junctions
from mapkit.kinds.rail.scanning.places import find_served_symbols, place_symbols
from mapkit.kinds.rail.scanning.symbols import Symbol

EVIDENCE = Evidence(40, 1.0, 0.0, 0.0, 0, 0.8, 0.0)
INKS = np.stack([colour_lab("#aa4845"), colour_lab("#a0504a")])
PAPER = colour_lab("#f5f1e6")


def claim(railroad: int, ink: Floats, wide: int, seed: int) -> LineClaim:
    """Return a line of one ink, so many samples wide, with noise."""
    noise = np.random.default_rng(seed).normal(0, 0.01, (60, 7, 3))
    middle = np.abs(np.arange(7) - 3) <= wide // 2
    sections = np.where(middle[None, :, None], ink, PAPER) + noise
    return LineClaim(
        railroad, sections.reshape(60, -1).astype(np.float32), ink + noise[:, 3].mean(axis=0), 1.0, np.zeros(2)
    )


def test_a_line_is_of_the_railroad_whose_ink_it_has() -> None:
    """Both railroads claim every line, as inks that are alike do."""
    drawn = [(0, 5), (0, 5), (0, 5), (0, 5), (1, 1), (1, 1), (1, 1), (1, 1)]
    claims = [claim(by, INKS[of], wide, n) for by in (0, 1) for n, (of, wide) in enumerate(drawn)]
    right = [by == of for by in (0, 1) for of, _ in drawn]
    found = [verdict.own < verdict.rival for verdict in learn_vocabulary(claims, INKS).verdicts(claims)]
    assert found == right


def test_what_was_learned_judges_other_lines() -> None:
    known = learn_vocabulary([claim(by, INKS[by], 5, seed) for by in (0, 1) for seed in range(6)], INKS)
    later = [claim(0, INKS[of], 5, 40 + of) for of in (0, 1)]
    assert [verdict.own < verdict.rival for verdict in known.verdicts(later)] == [True, False]


def test_a_line_without_rivals_is_as_usual() -> None:
    claims = [claim(0, INKS[0], 5, seed) for seed in range(6)]
    for verdict in learn_vocabulary(claims, INKS[:1]).verdicts(claims):
        assert verdict.own < verdict.usual + 0.01
        assert verdict.rival > 1


def test_what_never_comes_near_the_ink_of_its_railroad_is_faint_and_does_not_teach() -> None:
    """Six lines of one railroad: two come near its colour, the others three times less so."""
    offs = (0.02, 0.02, 0.06, 0.06, 0.06, 0.06)
    claims = [
        replace(claim(0, INKS[0], 5 if i < 2 else 1, i), colour_distances=np.array([off, off]))
        for i, off in enumerate(offs)
    ]
    known = learn_vocabulary(claims, INKS[:1])
    assert [round(verdict.faint, 3) for verdict in known.verdicts(claims)] == [0, 0, *[0.693] * 4]


def test_a_single_good_line_teaches_alone() -> None:
    """One wide line is surely of the railroad; five thin ones, such as borders, are of nearly its colour."""
    claims = [
        replace(claim(0, INKS[0], 5 if i < 1 else 1, i), colour_distances=np.full(2, 0.02), good=1.0 if i < 1 else 0.8)
        for i in range(6)
    ]
    own = [verdict.own for verdict in learn_vocabulary(claims, INKS[:1]).verdicts(claims)]
    assert own[0] < 0.03
    assert min(own[1:]) > 0.1


def test_names_on_a_line_do_not_change_its_ink() -> None:
    """Black differs most from paper, and lies on half of a red line."""
    pixels = np.full((40, 60, 3), (245, 241, 230), np.uint8)
    pixels[18:23] = (170, 72, 69)
    pixels[10:30, 20:40] = (27, 27, 27)
    inked = read_inks(pixels, [INKS[0], colour_lab("#1b1b1b")])
    line = np.array(((2.0, 20.0), (58.0, 20.0)))
    found = make_claim(0, line, pixels_to_keys(pixels), inked, np.zeros((40, 60), np.bool_), good=1.0)
    assert np.linalg.norm(found.ink - INKS[0]) < 0.01


def test_a_line_between_symbols_that_touch_says_nothing() -> None:
    """All of it lies inside them, so there is no section to look at; others are judged as without it."""
    keys = pixels_to_keys(np.full((20, 40, 3), 200, np.uint8))
    inked = read_inks(np.full((20, 40, 3), 200, np.uint8), [*INKS])
    line = np.array(((5.0, 10.0), (30.0, 10.0)))
    hidden = make_claim(0, line, keys, inked, np.ones(keys.shape, dtype=bool), good=1.0)
    assert (len(hidden.sections), hidden.off) == (0, 9.0)
    claims = [claim(0, INKS[0], 5, seed) for seed in range(6)]
    known = learn_vocabulary([*claims, hidden], INKS[:1])
    assert known.verdicts([*claims, hidden])[:6] == learn_vocabulary(claims, INKS[:1]).verdicts(claims)


def test_what_hides_a_line_does_not_count_against_it() -> None:
    """Names lie on three of ten sections."""
    claims = [claim(0, INKS[0], 5, seed) for seed in range(6)]
    known = learn_vocabulary(claims, INKS)
    named = replace(claims[0], sections=claims[0].sections.copy())
    named.sections[: len(named.sections) * 3 // 10] = 0.0
    (plain, seen, told) = known.verdicts([claims[0], named, replace(named, hidden=0.3)])
    assert seen.own > plain.own + 0.02
    assert told.own == pytest.approx(plain.own, abs=0.005)


def test_nothing_is_claimed() -> None:
    assert learn_vocabulary([], INKS).verdicts([]) == []


@pytest.mark.parametrize(
    ("heard", "evidence", "sure"),
    [
        (Verdict(0.02, 0.02, 0.20), EVIDENCE, 0.992),
        (Verdict(0.02, 0.02, 0.02), EVIDENCE, 0.940),
        (Verdict(0.20, 0.02, 0.05), EVIDENCE, 0.000),
        (Verdict(0.12, 0.02, 0.40), EVIDENCE, 0.900),
        (Verdict(0.02, 0.02, 0.20), replace(EVIDENCE, bend=95.0), 0.378),
        (Verdict(0.02, 0.02, 0.20), replace(EVIDENCE, covered=0.5), 0.909),
        (Verdict(0.02, 0.02, 0.20), replace(EVIDENCE, gap=0.2), 0.310),
        (Verdict(0.12, 0.02, 0.40), replace(EVIDENCE, length=6), 0.988),
        (Verdict(0.02, 0.02, 0.20, faint=1.0), EVIDENCE, 0.858),
    ],
)
def test_a_link_is_as_sure_as_what_is_known_of_it(heard: Verdict, evidence: Evidence, sure: float) -> None:
    spots = np.arange(40, dtype=np.int32)
    link = weigh_verdict(Link(0, 1, spots, spots, evidence, 1.0), heard)
    assert link.confidence == pytest.approx(sure, abs=0.001)


@pytest.mark.parametrize(("ink", "sure"), [(0.44, 0.3), (0.45, 0.6)])
def test_a_line_of_which_too_little_is_seen_stays_doubtful(ink: float, sure: float) -> None:
    spots = np.arange(40, dtype=np.int32)
    link = Link(0, 1, spots, spots, replace(EVIDENCE, ink=ink), 0.3)
    assert weigh_verdict(link, Verdict(0.02, 0.02, 0.20)).confidence == pytest.approx(sure)


def test_of_the_links_of_a_railroad_between_the_same_symbols_only_the_surest_stays_as_sure() -> None:
    spots = np.arange(9, dtype=np.int32)
    given = [(0, 1, 0.8), (1, 2, 0.7), (0, 1, 1.0), (0, 1, 0.9), (0, 2, 1.0)]
    found = lower_repeated_confidence([Link(a, b, spots, spots, EVIDENCE, sure) for a, b, sure in given])
    assert [(link.a, link.b, round(link.confidence, 3)) for link in found] == [
        (0, 1, 0.44),
        (1, 2, 0.7),
        (0, 1, 1.0),
        (0, 1, 0.495),
        (0, 2, 1.0),
    ]


@pytest.mark.parametrize(("row", "stops"), [(40, [True]), (52, [False])])
def test_a_line_that_goes_by_a_dot_does_not_stop(row: int, stops: list[bool]) -> None:
    ink = np.zeros((80, 80), np.bool_)
    ink[row - 2 : row + 3] = True
    places = place_symbols([Symbol("dot", 40, 40, 6, 1.0)], ink.shape, 22)
    ink &= places.inside < 0
    assert find_served_symbols(places, ink, 6.0).tolist() == stops


def test_a_line_that_nearly_touches_a_dot_does_not_stop() -> None:
    """Two pixels of paper are left between. A line that ends there, beside another, is partly under the dot."""
    ink = np.zeros((80, 80), np.bool_)
    ink[49:54] = True
    places = place_symbols([Symbol("dot", 40, 40, 6, 1.0)], ink.shape, 22)
    assert find_served_symbols(places, ink & (places.inside < 0), 6.0).tolist() == [False]
    passed = find_served_symbols(places, ink & (places.inside < 0), 5.0, passing=3.0)
    assert passed.tolist() == [True], "on boards with shared inks it serves the dot"
    beside = np.zeros((80, 80), np.bool_)
    beside[42:47] = True
    assert find_served_symbols(places, beside & (places.inside < 0), 6.0).tolist() == [True]


@pytest.mark.parametrize(("gap", "stops"), [(3, [True]), (9, [False])])
def test_a_line_in_two_parts_stops_at_the_dot_between_them(gap: int, stops: list[bool]) -> None:
    """Both parts lead past its middle, as where two lines of one railroad bend towards a dot."""
    ink = np.zeros((80, 80), np.bool_)
    ink[30:34, : 34 - gap] = True
    ink[46:50, 46 + gap :] = True
    places = place_symbols([Symbol("dot", 40, 40, 6, 1.0)], ink.shape, 30)
    assert find_served_symbols(places, ink & (places.inside < 0), 6.0).tolist() == stops


@pytest.mark.parametrize(("far", "wide", "stops"), [(12, 7, [True]), (12, 3, [False])])
def test_a_speck_before_a_dot_is_no_line_to_it(far: int, wide: int, stops: list[bool]) -> None:
    """A dash that begins after a gap has as many pixels as a dot of a dotted line; a speck has not."""
    ink = np.zeros((80, 80), np.bool_)
    ink[39:42, 40 + far : 40 + far + wide] = True
    places = place_symbols([Symbol("dot", 40, 40, 6, 1.0)], ink.shape, 22)
    assert find_served_symbols(places, ink, 6.0).tolist() == stops


@pytest.mark.parametrize(("begin", "stops"), [(53, [False]), (50, [True])])
def test_the_end_of_a_line_at_another_dot_is_no_line_to_this_one(begin: int, stops: list[bool]) -> None:
    """A stroke, somewhat longer than wide, before a dot: it counts if it does not touch the dot behind it."""
    ink = np.zeros((80, 120), np.bool_)
    ink[37:43, begin : begin + 8] = True
    symbols = [Symbol("dot", 36, 40, 6, 1.0), Symbol("dot", 68, 40, 6, 1.0)]
    places = place_symbols(symbols, ink.shape, 22)
    assert find_served_symbols(places, ink & (places.inside < 0), 6.0).tolist()[:1] == stops


def parting(turn: float, together: int) -> tuple[list[Link], Bools]:
    """Return two links that run together from symbol 0 and then part at an angle, and where symbols are."""
    links = []
    for number, angle in ((1, -turn / 2), (2, turn / 2)):
        along = np.arange(60.0)
        x = np.concatenate((np.arange(float(together)), together + along * np.cos(np.radians(angle))))
        y = np.concatenate((np.zeros(together), along * np.sin(np.radians(angle)))) + 100
        rows, columns = np.rint(y).astype(np.int32), np.rint(x).astype(np.int32)
        links.append(Link(0, number, rows, columns, replace(EVIDENCE, bend=turn / 2), 1.0))
    inside = np.zeros((200, 200), np.bool_)
    inside[95:106, :6] = True
    return links, inside


@pytest.mark.parametrize(
    ("turn", "together", "count"),
    [(90.0, 30, 3), (40.0, 30, 3), (20.0, 30, 2), (90.0, 11, 3), (40.0, 11, 2), (150.0, 7, 3)],
)
def test_lines_that_part_meet_at_a_junction_unless_the_angle_is_small(turn: float, together: int, count: int) -> None:
    """Lines that ran together for long may part at a smaller angle: side by side they would not touch."""
    found = add_links_through_junctions(*parting(turn, together))
    assert len(found) == count


def test_a_sharp_turn_at_a_junction_counts_half() -> None:
    links, inside = parting(120.0, 30)
    assert [link.evidence.bend for link in ease_turns_at_junctions(links, inside)] == [pytest.approx(30, abs=6)] * 2
    hidden = [replace(link, evidence=replace(link.evidence, covered=0.1)) for link in links]
    assert ease_turns_at_junctions(hidden, inside) == hidden
    assert ease_turns_at_junctions(links[:1], inside) == links[:1]


@pytest.mark.parametrize(("share", "grounds"), [(0.01, 1), (0.05, 2)])
def test_a_frame_as_dark_as_inks_is_no_ground(share: float, grounds: int) -> None:
    """A grey that covers 1 of 100 is a frame; one that covers 5 is a ground."""
    pixels = np.full((100, 100, 3), (245, 241, 230), np.uint8)
    pixels[: int(100 * share)] = (74, 74, 72)
    assert (
        len(find_grounds(pixels_to_keys(pixels), np.stack([colour_lab("#b18406"), colour_lab("#1b1b1b")]))) == grounds
    )


@pytest.mark.parametrize(("density", "kept"), [(0.1, [1, 1]), (0.8, [1, 0])])
def test_a_line_close_beside_another_is_its_own_where_the_other_has_no_ink(density: float, kept: list[int]) -> None:
    """Two ways a pixel apart: the second is the first one's line only if the first one's ink reaches so far."""
    page = np.full((80, 120, 3), 255, np.uint8)
    sheet = ScanSheet.of(read_inks(page, [*INKS, PAPER]), place_symbols([], (80, 120), 22), 5.0)
    steps = np.arange(5, 45, dtype=np.int32)
    rows = [np.full(40, 20 + number, np.int32) for number in (0, 1)]
    found = [
        [(Link(0, 1, row, steps, EVIDENCE, 1.0), Verdict(0.02, 0.02, rival))]
        for row, rival in zip(rows, (0.30, 0.20), strict=True)
    ]
    inks = [np.full((40, 60), density, np.float32), np.full((40, 60), 0.8, np.float32)]
    assert [len(links) for links in settle_claims(sheet, found, inks)] == kept
