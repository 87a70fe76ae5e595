"""What was read from a picture against what was drawn."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import shapely

from boardscans.truth import TrueLink, Truth
from boardscans.wear import Moved
from mapkit.kinds.rail.scanning.scan import ScannedBoard, ScannedLink

LEAST = 0.5
WIDTHS = 1.5
"""How far a followed line may lie off, in line widths."""


@dataclass(frozen=True)
class Score:
    """How many dots and links there are, were found, and are false.

    Attributes:
        off: How far off dots are at most, and at 95 of 100, in widths of a dot.
        near: Share of the followed length that lies within `WIDTHS` of the truth.
        by: By pattern and by case, how many links there are and were found.
        false: Links that are not drawn there: railroad, ends, confidence.
        lost: Links that were not found.
        joined: Links found and false without regard to their railroads.
    """

    dots: int
    dots_found: int
    dots_false: int
    off: tuple[float, float]
    links: int
    links_found: int
    near: float
    by: dict[str, tuple[int, int]]
    false: list[tuple[str, str, str, float]]
    lost: list[TrueLink]
    joined: tuple[int, int]


def score(board: ScannedBoard, truth: Truth, moved: Moved, *, partial: bool = False) -> Score:
    """Compare what was read with what was drawn.

    Args:
        board: What was read.
        truth: What was drawn.
        moved: Where spots of the drawing lie in the picture.
        partial: The picture is a part; links to what lies at its edge are left out.
    """
    at, off = _matched(board, truth, moved)
    wanted: dict[tuple[str, str, str], list[TrueLink]] = defaultdict(list)
    for link in truth.links:
        wanted[link.key].append(link)
    false: list[tuple[str, str, str, float]] = []
    near = total = 0.0
    for seen in sorted(board.links, key=lambda one: -one.confidence):
        if seen.confidence < LEAST:
            continue
        ends = sorted((at.get(seen.a, "?"), at.get(seen.b, "?")))
        key = (seen.railroad, ends[0], ends[1])
        if not wanted[key]:
            if not (partial and _at_edge(seen, board)):
                false.append((*key, seen.confidence))
            continue
        shares = [_near(seen, one, moved) for one in wanted[key]]
        best = int(np.argmax([share for share, _ in shares]))
        wanted[key].pop(best)
        near += shares[best][0] * shares[best][1]
        total += shares[best][1]
    lost = [link for links in wanted.values() for link in links]
    by: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for links, place in ((truth.links, 0), (lost, 1)):
        for link in links:
            for group in (f"pattern {link.pattern}", *(f"case {case}" for case in link.cases)):
                by[group][place] += 1
    false_dots = len(board.symbols) - sum(number < len(board.symbols) for number in at)
    return Score(
        len(truth.spots),
        len(at),
        false_dots,
        (float(np.max(off)), float(np.percentile(off, 95))),
        len(truth.links),
        len(truth.links) - len(lost),
        near / max(total, 1.0),
        {name: (all_, all_ - gone) for name, (all_, gone) in sorted(by.items())},
        false,
        lost,
        _joined(board, truth, at),
    )


def _joined(board: ScannedBoard, truth: Truth, at: dict[int, str]) -> tuple[int, int]:
    """Return how many links were found, and are false, whatever their railroad."""
    wanted: Counter[tuple[str, ...]] = Counter(link.key[1:] for link in truth.links)
    seen: Counter[tuple[str, ...]] = Counter(
        tuple(sorted((at.get(link.a, "?"), at.get(link.b, "?")))) for link in board.links if link.confidence >= LEAST
    )
    found = (wanted & seen).total()
    return found, seen.total() - found


def _matched(board: ScannedBoard, truth: Truth, moved: Moved) -> tuple[dict[int, str], list[float]]:
    """Return which milepost each symbol is, and how far off those are, in widths of a dot."""
    names = list(truth.spots)
    places = moved(np.array([truth.spots[name][1:] for name in names]))
    width = 2 * board.sizes.dot
    everything = (*board.symbols, *board.stray)
    at: dict[int, str] = {}
    taken: set[str] = set()
    off = [0.0]
    for number, symbol in enumerate(everything):
        far = np.hypot(*(places - (symbol.x + 0.5, symbol.y + 0.5)).T)
        best = int(far.argmin())
        if truth.spots[names[best]][0] == symbol.kind and names[best] not in taken and far[best] < width:
            at[number] = names[best]
            taken.add(names[best])
            off.append(float(far[best]) / width)
    return at, off


def _at_edge(link: ScannedLink, board: ScannedBoard) -> bool:
    low, high = link.line.min(axis=0), link.line.max(axis=0)
    margin = 8 * board.sizes.dot
    return bool(low.min() < margin or high[0] > board.width - margin or high[1] > board.height - margin)


def _near(found: ScannedLink, link: TrueLink, moved: Moved) -> tuple[float, float]:
    """Return which share of a followed line lies near the truth, and its length, pixels."""
    line = shapely.LineString(found.line + 0.5)
    course = shapely.LineString(moved(link.line))
    points = shapely.line_interpolate_point(line, np.arange(0.0, line.length, 1.0))
    return float((shapely.distance(points, course) <= WIDTHS * link.width).mean()), float(line.length)


def texts(s: Score) -> list[str]:
    """Return a score in words, a line each."""
    head = (
        f"dots {_share(s.dots_found, s.dots)} false {_share(s.dots_false, s.dots_found + s.dots_false)}, "
        f"off {s.off[0]:.2f} widths at most, {s.off[1]:.2f} in 95 of 100; links {_share(s.links_found, s.links)} "
        f"false {_share(len(s.false), s.links_found + len(s.false))}; {100 * s.near:.1f} % of their length is near"
    )
    joined, wrong = s.joined
    marks = (
        ("dots", s.dots_found, s.dots_false, s.dots),
        ("links", s.links_found, len(s.false), s.links),
        ("links of any railroad", joined, wrong, s.links),
    )
    f1 = ", ".join(f"{name} {2 * found / max(found + false + all_, 1):.3f}" for name, found, false, all_ in marks)
    return [head, f"  F1: {f1}", *(f"  {name}: {found} of {all_}" for name, (all_, found) in sorted(s.by.items()))]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.2f} %"
