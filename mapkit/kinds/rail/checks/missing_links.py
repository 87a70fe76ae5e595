"""Links that may be missing on a board, ranked by evidence.

A candidate joins two places within three steps: milepost of a railroad and its own track across a gap, a city, or the
track of others. Its score is a log-odds: a logistic regression of evidence on links that were removed from the United
States at random, ten at a time. Evidence is the distance, ends of the railroad and how they face, pieces that the link
joins, cities that it would serve, findings on gaps that the author has not accepted, and payoffs that fit better.
`tests/bench/bench_gaps.py` counts how many of ten removed links the first fifteen places name. The price of a railroad
says nothing of a single link: with it, as many are named.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from pydantic import Field

from mapkit.core import heavy
from mapkit.core.arrays import Floats
from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.checks import gaps, network
from mapkit.kinds.rail.checks.chart_evidence import ChartEvidence
from mapkit.kinds.rail.checks.check import CheckedRails
from mapkit.kinds.rail.checks.gaps import EndSearch, count_steps
from mapkit.kinds.rail.checks.nearest_track import LAST_SNAP_MI

_REACH_STEPS: Final = 3.0
"""How far apart the ends of a link may be, in steps of the board."""
_DETOUR_STEPS: Final = 4
"""Fewest steps of the way along the railroad that a missing link would shorten."""
_SHARP_COSINE: Final = 0.5
"""Cosine: track of the railroad that leaves within 60 degrees of the link is evidence against it."""
_MAX_SHOWN: Final = 15
_MOST_CERTAIN: Final = 2.0
"""Largest log-odds of a link to a city without track: its track may be missing elsewhere."""
_LIKELY_SCORE: Final = -2.0
"""Score above which a link is likely; no link of a whole shipped board scores that much."""
_GAP_CODES: Final = frozenset({"N01", "N02", "N03", "N04", "N05", "N16", "N17"})
"""Checks whose findings are evidence of a missing link at their ends."""
_MAX_REPORTS: Final = 2


class NearestTrack(Frozen):
    """The nearest milepost of some track, and the straight miles to it."""

    name: str
    miles: float


class MissingLink(Frozen):
    """A place of a railroad with the link that is most likely missing there."""

    railroad: str
    end: str = Field(description="Milepost of the railroad, most often its end")
    is_end: bool = Field(description="Whether the railroad ends there")
    end_name: str
    own: NearestTrack | None = Field(description="The railroad's own nearest track across a gap, ahead of the end")
    foreign: NearestTrack | None = Field(description="The nearest milepost of others that the railroad does not touch")
    to: str = Field(description="Milepost to which the link leads")
    to_name: str
    miles: float
    snap_mi: float | None = Field(description="`tracing.snap_mi` that joins a drawn end there; None above its limit")
    score: float = Field(description="Log-odds of the link by the evidence; above -2 it is likely")
    evidence: tuple[str, ...]
    or_to: str | None = Field(description="Milepost to which the second likeliest link leads, if any")
    or_to_name: str | None
    command: JsonObject = Field(description="Command for `mapkit do` that adds the link")

    @property
    def is_likely(self) -> bool:
        """Whether the evidence speaks for the link."""
        return self.score > _LIKELY_SCORE

    def text(self, number: int, board: str) -> str:
        """Return the end and its link for people."""
        nearest = [
            f"{whose} {track.name} {track.miles:,.1f} miles" if track else f"{whose} none ahead"
            for whose, track in (("own track:", self.own), ("others:", self.foreign))
        ]
        snap_text = f"; snap_mi {self.snap_mi:g} joins them" if self.snap_mi is not None else ""
        reasons = "; ".join(self.evidence) or "it lies ahead"
        return (
            f"{number}. {self.railroad} {'ends at' if self.is_end else 'runs through'} {self.end_name}; link to "
            f"{self.to_name}, {self.miles:,.1f} miles{f', or to {self.or_to_name}' if self.or_to_name else ''} "
            f"(score {self.score:g}: {reasons})\n   {', '.join(nearest)}{snap_text}\n"
            f"   mapkit do {board} '{json.dumps(self.command)}'"
        )


class GapReport(Frozen):
    """Places of railroads where a link may be missing, the likeliest first."""

    board: str
    links: tuple[MissingLink, ...]

    def commands(self, *, every: bool = False) -> str:
        """Return the commands that add the likely links, or all, one a line, for `mapkit do`."""
        commands = [json.dumps(link.command) + "\n" for link in self.links if every or link.is_likely]
        return "".join(commands)

    def text(self, *, every: bool = False) -> str:
        """Return the likeliest fifteen, or all, for people: what is near each place, why, and the command to add it."""
        last = None if every else _MAX_SHOWN
        blocks = [link.text(number, self.board) for number, link in enumerate(self.links[:last], start=1)]
        if len(self.links) > len(blocks):
            blocks.append(f"and {count_noun(len(self.links) - len(blocks), 'less likely place')}; --all lists them")
        likely_count = sum(link.is_likely for link in self.links)
        if likely_count > 1:
            blocks.append(
                f"{likely_count} are likely (score above {_LIKELY_SCORE:g}); add them all with "
                f"mapkit check {self.board} --gaps --format commands | mapkit do {self.board} -"
            )
        return "\n".join(blocks) or "no railroad ends where a link may be missing"


class _Candidate(NamedTuple):
    """Link of a railroad from one milepost to another, whose track may be its own."""

    score: float
    miles: float
    railroad: str
    end: str
    to: str
    evidence: tuple[str, ...]


class _LinkSearch:
    """Search for candidates, and their scores."""

    def __init__(self, c: CheckedRails) -> None:
        self.c, self.search = c, EndSearch(c)
        self.ahead: dict[tuple[str, str], Floats] = {(end.railroad, end.at): end.ahead for end in self.search.ends}
        self.owners_between: defaultdict[frozenset[str], set[str]] = defaultdict(set)
        for railroad, links in c.links_by_railroad.items():
            for link in links:
                self.owners_between[frozenset((link.a, link.b))].add(railroad)
        accepted = {frozenset(ident.split(":")[1:]) for ident in c.board.provenance.accepted}
        self.accepted_ends = {end for end in self.ahead if any(accepted_set >= set(end) for accepted_set in accepted)}
        self.reports_at: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        checks = [check for check in (*gaps.CHECKS, *network.CHECKS) if check.code in _GAP_CODES]
        reports = {frozenset(found.elements) for check in checks for found in check.find(c)}
        for elements in sorted(reports - accepted, key=sorted):
            for element in elements & self.search.number.keys():
                self.reports_at[element].append(elements)
        self.chart = ChartEvidence(c.board, self.search.ids, self.search.xyz)

    def rank(self) -> list[MissingLink]:
        """Return the best candidate of each place of a railroad, and the second best beside it."""
        candidates = sorted(
            self._rate_tracks_to_trackless_cities(list(self._candidates())),
            key=lambda each: (-each.score, each.miles, each.railroad, each.end, each.to),
        )
        best: dict[tuple[str, str], int] = {}
        groups: list[list[_Candidate]] = []
        for candidate in candidates:
            railroad, end, to = candidate.railroad, candidate.end, candidate.to
            places = [(railroad, end)]
            if to in self.c.cities_at or railroad in self.search.serves.get(to, ()):
                places.append((railroad, to))
            known_groups = {best[place] for place in places if place in best}
            for number in known_groups:
                groups[number].append(candidate)
            if not known_groups:
                best.update(dict.fromkeys(places, len(groups)))
                groups.append([candidate])
        return [self._describe(group) for group in groups]

    def _candidates(self) -> Iterator[_Candidate]:
        search = self.search
        for railroad, links in sorted(self.c.links_by_railroad.items()):
            graph: heavy.networkx.Graph[str] = heavy.networkx.Graph()
            graph.add_edges_from((tie.a, tie.b) for tie in self.c.ties_by_railroad.get(railroad, links))
            pieces = enumerate(heavy.networkx.connected_components(graph))
            piece_of = {node: number for number, nodes in pieces for node in nodes}
            arms: defaultdict[str, set[str]] = defaultdict(set)
            for link in links:
                arms[link.a].add(link.b)
                arms[link.b].add(link.a)
            for end in sorted(arms):
                miles = np.linalg.norm(search.xyz - search.xyz[search.number[end]], axis=1)
                steps_to = count_steps(end, links)
                for number in np.flatnonzero((miles <= _REACH_STEPS * search.step) & (miles > 0)).tolist():
                    to = search.ids[number]
                    if to in arms and (to < end or steps_to.get(to, _DETOUR_STEPS) < _DETOUR_STEPS):
                        continue
                    is_apart = to in arms and piece_of.get(end) != piece_of.get(to)
                    evidence = [
                        *self._weigh(railroad, end, to, is_apart=is_apart),
                        *self._weigh_ends(railroad, end, to, arms),
                    ]
                    score = sum(weight for weight, _ in evidence) - 2.6 - 3.4 * float(miles[number]) / search.step
                    ends = (
                        (to, end) if (railroad, to) in self.ahead and (railroad, end) not in self.ahead else (end, to)
                    )
                    yield _Candidate(
                        score, float(miles[number]), railroad, *ends, tuple(text for _, text in evidence if text)
                    )

    def _rate_tracks_to_trackless_cities(self, candidates: Sequence[_Candidate]) -> Iterator[_Candidate]:
        """Yield the candidates; those to a city without track by their odds against one another, for one is missing."""
        scores_to: defaultdict[str, list[float]] = defaultdict(list)
        for each in candidates:
            if each.to in self.c.cities_at and not self.search.serves.get(each.to):
                scores_to[each.to].append(each.score)
        for each in candidates:
            scores = scores_to.get(each.to)
            if scores is None:
                yield each
                continue
            best_score = max(scores)
            share = math.exp(each.score - best_score) / sum(math.exp(score - best_score) for score in scores)
            odds = min(math.log(share / (1 - share)) if share < 1 else _MOST_CERTAIN, _MOST_CERTAIN)
            yield each._replace(score=max(each.score, odds))

    def _weigh(self, railroad: str, end: str, to: str, *, is_apart: bool) -> Iterator[tuple[float, str]]:
        """Yield the weights of what the link would join, each with its reason."""
        c, owners = self.c, self.search.serves.get(to, set())
        mark = c.short[railroad]
        if railroad in owners:
            yield (2.3 if is_apart else 1.8), f"{mark} runs on there" + ", in another piece" * is_apart
        elif to not in c.cities_at:
            yield -2.1, ""
        elif owners:
            as_others = f"as {count_noun(len(owners), 'other')} {'does' if len(owners) == 1 else 'do'}"
            yield 2.0 * math.log1p(len(owners)), f"{mark} would serve {c.names[to]}, {as_others}"
        else:
            yield 0.9, f"{c.names[to]} has no track"
        neighbours = sorted(
            c.short[owner] for owner in self.owners_between.get(frozenset((end, to)), set()) - {railroad}
        )
        if neighbours:
            yield (0.3 if len(neighbours) == 1 else -1.8), f"{', '.join(neighbours)} runs there"
        gain, pairs = self.chart.gain(end, to)
        if pairs:
            better = f"{count_noun(pairs, 'payoff')} would fit better" if gain > 1 else ""
            yield 0.32 * math.log1p(gain) if gain > 0 else -0.54 * math.log1p(-gain), better

    def _weigh_ends(
        self, railroad: str, end: str, to: str, arms: Mapping[str, set[str]]
    ) -> Iterator[tuple[float, str]]:
        """Yield the weights of the railroad's track at both places, each with its reason."""
        search, c = self.search, self.c
        vector = search.xyz[search.number[to]] - search.xyz[search.number[end]]
        vector /= np.linalg.norm(vector)
        both_end = (railroad, end) in self.ahead and (railroad, to) in self.ahead
        for place, direction in ((end, vector), (to, -vector)):
            arm_vectors = [
                search.xyz[search.number[arm]] - search.xyz[search.number[place]] for arm in arms.get(place, ())
            ]
            sharpness = max(
                (float(direction @ arm) / max(float(np.linalg.norm(arm)), 1e-9) for arm in arm_vectors), default=0.0
            )
            yield -2.3 * max(sharpness, _SHARP_COSINE), ""
            ahead = self.ahead.get((railroad, place))
            if ahead is not None:
                yield 2.1 * float(direction @ ahead), ""
                if place not in c.cities_at:
                    yield 1.75, f"it ends off any city at {c.names[place]}"
                if (railroad, place) in self.accepted_ends:
                    yield -1.8, "its end was accepted"
        if both_end:
            yield 0.8, "two ends of it"
        named = {
            elements
            for place in (end, to)[: 1 + (to in arms)]
            for elements in self.reports_at.get(place, ())
            if railroad in elements or elements <= search.number.keys()
        }
        yield 0.65 * min(len(named), _MAX_REPORTS), ""
        yield 1.75 * min(sum({end, to} <= elements for elements in named), _MAX_REPORTS), ""

    def _describe(self, group: list[_Candidate]) -> MissingLink:
        c, best = self.c, group[0]
        serves = self.search.serves

        def nearest(*, own: bool) -> NearestTrack | None:
            matches = [
                each for each in group if each.end == best.end and (best.railroad in serves.get(each.to, ())) == own
            ]
            match = min(matches, key=lambda each: (each.miles, each.to), default=None)
            return match and NearestTrack(name=c.names[match.to], miles=round(match.miles, 1))

        others_here = ({each.end, each.to} - {best.end} for each in group[1:] if best.end in (each.end, each.to))
        alternative = next((milepost for pair in others_here for milepost in pair), None)
        command: JsonObject = {"kind": "add-piece", "railroad": best.railroad, "a": best.end, "b": best.to}
        return MissingLink(
            railroad=best.railroad,
            end=best.end,
            is_end=(best.railroad, best.end) in self.ahead,
            end_name=c.names[best.end],
            own=nearest(own=True),
            foreign=nearest(own=False),
            to=best.to,
            to_name=c.names[best.to],
            miles=round(best.miles, 1),
            snap_mi=math.ceil(best.miles * 10) / 10 if best.miles <= LAST_SNAP_MI else None,
            score=round(best.score, 2),
            evidence=best.evidence,
            or_to=alternative,
            or_to_name=alternative and c.names[alternative],
            command=command,
        )


def find_missing_links(c: CheckedRails) -> list[MissingLink]:
    """Return the places of railroads where a link may be missing, the likeliest first."""
    return _LinkSearch(c).rank()
