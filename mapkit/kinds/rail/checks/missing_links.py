"""Links that may be missing on a board, ranked by evidence.

A candidate joins the end of a railroad to a milepost ahead of it: to its own track across a gap, to a city, or to the
track of others. Evidence adds up: findings on gaps that the author has not accepted, pieces of the railroad that the
link joins, an end that faces back, neighbours whose track runs there, cities that the railroad would serve, and the
distance. The weights were set on the United States. Of ten links removed at random, the first fifteen ends name 8.9
there (30 trials), 9.6 in Mexico and 9.5 in Portugal (20 trials each), without the chart.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from pydantic import Field

from mapkit.core import heavy
from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.checks import gaps, network
from mapkit.kinds.rail.checks.check import CheckedRails, Links
from mapkit.kinds.rail.checks.gaps import EndSearch, RailroadEnd, count_steps
from mapkit.kinds.rail.checks.nearest_track import LAST_SNAP_MI

_REACH_STEPS: Final = 3.0
"""How far from an end a link may lead, in steps of the board."""
_MIN_COSINE: Final = 0.25
_DETOUR_STEPS: Final = 6
_FEWEST_RAILROADS: Final = 2
_MAX_SHOWN: Final = 15
_GAP_CODES: Final = frozenset({"N01", "N02", "N03", "N04", "N05", "N16", "N17"})
"""Checks whose findings are evidence of a missing link at their ends."""
_REPORT_WEIGHT: Final = 4.0


class NearestTrack(Frozen):
    """The nearest milepost of some track, and the straight miles to it."""

    name: str
    miles: float


class MissingLink(Frozen):
    """An end of a railroad with the link that is most likely missing there."""

    railroad: str
    end: str = Field(description="Milepost at which the railroad ends")
    end_name: str
    own: NearestTrack | None = Field(description="The railroad's own nearest track across a gap, ahead of the end")
    foreign: NearestTrack | None = Field(description="The nearest milepost of others that the railroad does not touch")
    to: str = Field(description="Milepost to which the link leads")
    to_name: str
    miles: float
    snap_mi: float | None = Field(description="`tracing.snap_mi` that joins a drawn end there; None above its limit")
    score: float = Field(description="Sum of the evidence; above 0 a link is likely")
    evidence: tuple[str, ...]
    command: JsonObject = Field(description="Command for `mapkit do` that adds the link")

    def text(self, number: int, board: str) -> str:
        """Return the end and its link for people."""
        nearest = [
            f"{whose} {track.name} {track.miles:,.1f} miles" if track else f"{whose} none ahead"
            for whose, track in (("own track:", self.own), ("others:", self.foreign))
        ]
        snap_text = f"; snap_mi {self.snap_mi:g} joins them" if self.snap_mi is not None else ""
        reasons = "; ".join(self.evidence) or "it lies ahead"
        return (
            f"{number}. {self.railroad} ends at {self.end_name}; link to {self.to_name}, {self.miles:,.1f} miles "
            f"(score {self.score:g}: {reasons})\n   {', '.join(nearest)}{snap_text}\n"
            f"   mapkit do {board} '{json.dumps(self.command)}'"
        )


class GapReport(Frozen):
    """Ends of railroads off any city or before a gap, the likeliest missing links first."""

    board: str
    links: tuple[MissingLink, ...]

    def text(self, *, every: bool = False) -> str:
        """Return the likeliest fifteen, or all, for people: what is near each end, why, and the command to add it."""
        last = None if every else _MAX_SHOWN
        blocks = [link.text(number, self.board) for number, link in enumerate(self.links[:last], start=1)]
        if len(self.links) > len(blocks):
            blocks.append(f"and {count_noun(len(self.links) - len(blocks), 'less likely end')}; --all lists them")
        return "\n".join(blocks) or "no railroad ends where a link may be missing"


class _Candidate(NamedTuple):
    score: float
    miles: float
    milepost: str
    evidence: tuple[str, ...]


class _LinkSearch:
    """Search for the candidates of each end."""

    def __init__(self, c: CheckedRails) -> None:
        self.c, self.ends = c, EndSearch(c)
        self.ends_at: dict[tuple[str, str], RailroadEnd] = {(end.railroad, end.at): end for end in self.ends.ends}
        self.owners_between: defaultdict[frozenset[str], set[str]] = defaultdict(set)
        for railroad, links in c.links_by_railroad.items():
            for link in links:
                self.owners_between[frozenset((link.a, link.b))].add(railroad)
        self.reports = _list_reports(c)
        self.piece_of = {railroad: _number_pieces(ties) for railroad, ties in c.ties_by_railroad.items()}

    def rank(self) -> list[MissingLink]:
        """Return the best candidate of each end, by score; of two ends that face each other once."""
        found: dict[tuple[str, frozenset[str]], MissingLink] = {}
        for end in self.ends.ends:
            candidates = list(self._candidates(end))
            if not candidates:
                continue
            best = max(candidates, key=lambda each: (each.score, -each.miles, each.milepost))
            link = self._describe(end, best, candidates)
            key = (end.railroad, frozenset((end.at, best.milepost)))
            if key not in found or found[key].score < link.score:
                found[key] = link
        return sorted(found.values(), key=lambda link: (-link.score, link.miles, link.railroad, link.end))

    def _candidates(self, end: RailroadEnd) -> Iterator[_Candidate]:
        c, search = self.c, self.ends
        miles, cosines = search.seen_from(end)
        steps_to = count_steps(end.at, c.links_by_railroad.get(end.railroad, ()))
        is_ahead = (miles <= _REACH_STEPS * search.step) & (cosines >= _MIN_COSINE) & (miles > 0)
        for number in np.flatnonzero(is_ahead).tolist():
            milepost = search.ids[number]
            if steps_to.get(milepost, _DETOUR_STEPS) >= _DETOUR_STEPS:
                evidence = self._weigh(end, milepost)
                score = sum(weight for weight, _ in evidence) + float(cosines[number])
                for elements in self.reports:
                    is_named = end.railroad in elements or elements <= search.number.keys()
                    score += _REPORT_WEIGHT * (is_named and end.at in elements)
                    score += _REPORT_WEIGHT / 2 * (is_named and {end.at, milepost} <= elements)
                yield _Candidate(
                    score - 1.5 * float(miles[number]) / search.step,
                    float(miles[number]),
                    milepost,
                    tuple(text for _, text in evidence if text),
                )

    def _weigh(self, end: RailroadEnd, milepost: str) -> list[tuple[float, str]]:
        """Return the weights of the evidence for a link, each with its reason."""
        c, search = self.c, self.ends
        mark, owners = c.short[end.railroad], search.serves.get(milepost, set())
        evidence: list[tuple[float, str]] = []
        if end.railroad in owners:
            is_apart = self.piece_of[end.railroad].get(milepost) != self.piece_of[end.railroad].get(end.at)
            evidence.append((3.5 if is_apart else 1.0, f"{mark} runs on there" + (", in another piece" * is_apart)))
            facing_end = self.ends_at.get((end.railroad, milepost))
            if facing_end is not None:
                back = search.xyz[search.number[end.at]] - search.xyz[search.number[milepost]]
                if float(back @ facing_end.ahead) > 0:
                    evidence.append((2.0, "the other end faces this one"))
        elif len(owners) >= _FEWEST_RAILROADS and milepost in c.cities_at:
            evidence.append((1.5, f"{mark} would serve {c.names[milepost]}, as {len(owners)} others do"))
        elif not owners and milepost in c.cities_at:
            evidence.append((2.5, f"{c.names[milepost]} has no track"))
        neighbours = self.owners_between.get(frozenset((end.at, milepost)), set()) - {end.railroad}
        if neighbours:
            evidence.append((1.5, f"{', '.join(sorted(c.short[r] for r in neighbours))} runs there"))
        if end.at not in c.cities_at:
            evidence.append((4.0, "it ends off any city"))
        return evidence

    def _describe(self, end: RailroadEnd, best: _Candidate, candidates: list[_Candidate]) -> MissingLink:
        c = self.c

        def nearest(*, own: bool) -> NearestTrack | None:
            serves = self.ends.serves
            matches = [each for each in candidates if (end.railroad in serves.get(each.milepost, ())) == own]
            match = min(matches, key=lambda each: (each.miles, each.milepost), default=None)
            return match and NearestTrack(name=c.names[match.milepost], miles=round(match.miles, 1))

        command: JsonObject = {"kind": "add-piece", "railroad": end.railroad, "a": end.at, "b": best.milepost}
        return MissingLink(
            railroad=end.railroad,
            end=end.at,
            end_name=c.names[end.at],
            own=nearest(own=True),
            foreign=nearest(own=False),
            to=best.milepost,
            to_name=c.names[best.milepost],
            miles=round(best.miles, 1),
            snap_mi=math.ceil(best.miles * 10) / 10 if best.miles <= LAST_SNAP_MI else None,
            score=round(best.score, 2),
            evidence=best.evidence,
            command=command,
        )


def _list_reports(c: CheckedRails) -> list[frozenset[str]]:
    """Return the elements of the findings on gaps that the author has not accepted."""
    accepted = {frozenset(ident.split(":")[1:]) for ident in c.board.provenance.accepted}
    checks = [check for check in (*gaps.CHECKS, *network.CHECKS) if check.code in _GAP_CODES]
    reports = {frozenset(found.elements) for check in checks for found in check.find(c)}
    return sorted(reports - accepted, key=sorted)


def _number_pieces(ties: Links) -> dict[str, int]:
    """Return the connected part of a railroad for each of its nodes."""
    graph: heavy.networkx.Graph[str] = heavy.networkx.Graph()
    graph.add_edges_from((tie.a, tie.b) for tie in ties)
    parts = heavy.networkx.connected_components(graph)
    return {node: number for number, part in enumerate(parts) for node in part}


def find_missing_links(c: CheckedRails) -> list[MissingLink]:
    """Return the ends of railroads with a likely missing link, the likeliest first."""
    return _LinkSearch(c).rank()
