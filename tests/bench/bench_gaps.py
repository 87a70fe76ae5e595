"""How many links that are taken from a board the checks on gaps and the ranked gaps name.

    python tests/bench/bench_gaps.py [TRIALS]

A trial takes ten links away, at random, with a seed. A link is named if a finding that the whole board does not have
names its railroad and one of its ends; any other new finding is a false alarm. Of the first fifteen of `mapkit check
--gaps`, with the payoff chart and without, it counts the links that are the first named of a place, the first or
second, and those at whose ends a link is named. Dead ends that the author of the board accepted are not made there. The
weights were set on other trials of the United States; Mexico and India are held out.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import mapkit
from mapkit.kinds.rail.checks import gaps, network
from mapkit.kinds.rail.checks.check import CheckedRails
from mapkit.kinds.rail.checks.missing_links import find_missing_links
from mapkit.kinds.rail.model.board import Board, Segment

BUILD = Path(__file__).resolve().parents[2] / "build"
LINKS = 10
FIRST = 15
GAPS = {"N05", "N16", "N17", "N18"}
CHECKS = tuple(c for c in (*gaps.CHECKS, *network.CHECKS) if c.code in {*GAPS, "N01", "N02", "N03", "N04"})
PLACES = {"N01", "N03", "N04", "N18"}
"""Checks whose findings name places and no railroad."""

Key = tuple[str, frozenset[str]]


def found(board: Board) -> set[Key]:
    """Return the findings by code and elements."""
    checked = CheckedRails(board)
    return {(check.code, frozenset(item.elements)) for check in CHECKS for item in check.find(checked)}


def without(board: Board, gone: set[str]) -> Board:
    """Return a board without some segments and the track that only they use."""
    segments = tuple(segment for segment in board.segments if segment.id not in gone)
    used = {piece for segment in segments for piece in segment.pieces}
    pieces = tuple(piece for piece in board.pieces if piece.id in used)
    return board.model_copy(update={"segments": segments, "pieces": pieces})


def names(key: Key, link: Segment) -> bool:
    """Return whether a finding names a link."""
    code, elements = key
    return bool({link.a, link.b} & elements) and (code in PLACES or link.railroad in elements)


def kinds_of(board: Board) -> dict[str, Callable[[Segment], bool]]:
    """Return the sorts of links that are taken away."""
    cities = {city.milepost for city in board.cities}
    serves: defaultdict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        serves[segment.a].add(segment.railroad)
        serves[segment.b].add(segment.railroad)

    def great(link: Segment) -> bool:
        ends = [end for end in (link.a, link.b) if end in cities]
        return len(ends) == 1 and len(serves[ends[0]]) >= 3

    return {
        "from a dot to a city of three railroads or more": great,
        "between two dots": lambda link: link.a not in cities and link.b not in cities,
        "any": lambda _: True,
    }


def without_chart(board: Board) -> Board:
    """Return a board without amounts in its payoff chart."""
    thousands = tuple((None,) * len(row) for row in board.payoffs.thousands)
    return board.model_copy(update={"payoffs": board.payoffs.model_copy(update={"thousands": thousands})})


def rank_removed(board: Board, trials: int) -> None:
    """Print how many of ten removed links the first fifteen gaps name, with the chart and without."""
    accepted = [set(ident.split(":")[1:]) for ident in board.provenance.accepted]
    links = [
        link
        for link in board.segments
        if len(link.pieces) == 1 and not any(link.railroad in e and {link.a, link.b} & e for e in accepted)
    ]
    for title, changed in (("with the chart", board), ("without it", without_chart(board))):
        chance, first, either, ends = random.Random(1), 0, 0, 0  # noqa: S311
        for _ in range(trials):
            gone = chance.sample(links, LINKS)
            top = find_missing_links(CheckedRails(without(changed, {link.id for link in gone})))[:FIRST]
            for link in gone:
                here = [gap for gap in top if gap.railroad == link.railroad]
                pair = {link.a, link.b}
                first += any({gap.end, gap.to} == pair for gap in here)
                either += any(pair in ({gap.end, gap.to}, {gap.end, gap.or_to}) for gap in here)
                ends += any({gap.end, gap.to} & pair for gap in here)
        print(
            f"{board.id}, {title}: of {LINKS} links, the first {FIRST} places name {first / trials:.2f} first, "
            f"{either / trials:.2f} first or second, {ends / trials:.2f} by an end"
        )


def main() -> None:
    """Print a row for each board and sort of link."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for name in ("usa", "mexico", "india"):
        rank_removed(mapkit.load(BUILD / name / "board.json"), min(trials, 30))
    for name in ("usa", "portugal", "mexico"):
        board = mapkit.load(BUILD / name / "board.json")
        before = found(board)
        print(f"{name}: {dict(sorted(Counter(code for code, _ in before).items()))} on the whole board")
        for title, wanted in kinds_of(board).items():
            links = [link for link in board.segments if len(link.pieces) == 1 and wanted(link)]
            if len(links) < LINKS:
                continue
            chance, named, by_gaps, false = random.Random(1), 0, 0, 0  # noqa: S311
            for _ in range(trials):
                gone = chance.sample(links, LINKS)
                new = found(without(board, {link.id for link in gone})) - before
                hits = [{key for key in new if names(key, link)} for link in gone]
                named += sum(map(bool, hits))
                by_gaps += sum(any(code in GAPS for code, _ in hit) for hit in hits)
                false += len(new - set().union(*hits))
            of = trials * LINKS
            print(
                f"  {title} ({len(links)}): named {named / of:.1%}, by N05 and N16 to N18 {by_gaps / of:.1%}, "
                f"false alarms {false / trials:.2f} a trial"
            )


if __name__ == "__main__":
    main()
