"""Links that no sure link of their railroad is joined to are half as sure."""

import numpy as np

from mapkit.kinds.rail.scanning.links import Evidence, describe_doubts
from mapkit.kinds.rail.scanning.scan import ScannedLine, ScannedLink, lower_isolated_confidence

EVIDENCE = Evidence(40, 1.0, 0.0, 0.0, 0, 0.8, 0.0)
LINE = np.zeros((2, 2))


def link(a: int, b: int, confidence: float) -> ScannedLink:
    return ScannedLink("est", a, b, confidence, EVIDENCE, LINE)


def line(a: int | None, b: int | None, confidence: float) -> ScannedLine:
    return ScannedLine("est", a, b, confidence, LINE)


def test_what_hangs_on_a_sure_link_stays_and_what_hangs_on_nothing_is_half_as_sure() -> None:
    """Links 3 to 4 and 4 to 5 are joined to each other alone; what is less sure than a half joins nothing."""
    links = [link(0, 1, 0.95), link(1, 2, 0.6), link(3, 4, 0.8), link(4, 5, 0.8), link(6, 7, 0.4), link(7, 8, 0.7)]
    found, _ = lower_isolated_confidence([*links, link(2, 6, 0.4)], [])
    assert [one.confidence for one in found] == [0.95, 0.6, 0.4, 0.4, 0.2, 0.35, 0.4]
    assert describe_doubts(found[2].evidence) == ("no sure link of its railroad is joined to it",)
    assert found[1] == links[1]


def test_lines_are_as_their_links_and_those_between_junctions_stay() -> None:
    lines = [line(0, 1, 0.95), line(3, 4, 0.8), line(None, 4, 0.8), line(None, None, 0.8)]
    _, found = lower_isolated_confidence([link(0, 1, 0.95), link(3, 4, 0.8)], lines)
    assert [one.confidence for one in found] == [0.95, 0.4, 0.8, 0.8]


def test_a_railroad_without_a_sure_link_stays_as_it_is() -> None:
    links, lines = [link(0, 1, 0.8), link(2, 3, 0.6)], [line(0, 1, 0.8)]
    assert lower_isolated_confidence(links, lines) == (links, lines)
