"""Grouping of findings by cause: if one mistake leads to many findings, one is listed and the others are counted.

The rules of a kind of board link findings to their causes. Problems with the same unknown name have one cause.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import cos, hypot, radians
from string import ascii_uppercase
from typing import Final

from mapkit.core import heavy
from mapkit.core.findings import SEVERITY_ORDER, Finding, needs_attention
from mapkit.core.names import fold

PROBLEM: Final = "S01"
"""Code of findings for problems of the source files."""
_NEAR_DEGREES: Final = 0.045
"""Largest distance of findings about the same place, in degrees of latitude (about 3 miles)."""
_ALIKE: Final = 0.8
_MOST_MISSPELLED: Final = 100
"""So many unknown names may be misspelled; of more, none is compared with the names of other findings."""
_QUOTED: Final = re.compile(r"'([^'\n]+)'")
_UNKNOWN: Final = re.compile(
    r"'([^'\n]+)'(?: of '[^']*')?(?: is (?:not (?:in|a) |one of \d|only )|, which (?:\S+ lacks|is not in ))"
)
_LOST_ROW: Final = re.compile(r"\.csv:\d+$")
_POSITION: Final = re.compile(r"\d+-\d+")
MISSING: Final = "missing"
"""Key of the problem of an empty table that other tables need."""
_STATE: Final = re.compile(r"\w-[a-z]{2}$")
_PARTS: Final = re.compile(r"--|:| - ")


@dataclass(frozen=True)
class CauseRule:
    """Rule for findings that may follow from others.

    Attributes:
        causes: Codes of causes or prefixes of codes, separated by spaces; `S01:lines` matches problems of that table,
            `G10:projection/` findings on that element.
        followers: Codes of followers or prefixes of codes, likewise.
        shared: Whether both must name the same element or be near each other.
    """

    causes: str
    followers: str
    shared: bool = True

    def _has(self, codes: str, finding: Finding) -> bool:
        code = f"{finding.code}:{finding.elements[0]}/" if finding.elements else finding.code
        return code.startswith(tuple(codes.split()))

    def is_cause(self, finding: Finding) -> bool:
        """Return whether a finding may be a cause."""
        return self._has(self.causes, finding)

    def is_follower(self, finding: Finding) -> bool:
        """Return whether a finding may follow from a cause."""
        return self._has(self.followers, finding)


ANY_KIND: Final = (
    CauseRule(PROBLEM, " ".join(ascii_uppercase.replace("S", ""))),
    CauseRule(PROBLEM, "H12 K05 S02", shared=False),
)
"""Rules for kinds without their own: findings with an element of a problem follow from it, as do wrong counts."""


def group_by_cause(
    findings: Iterable[Finding],
    rules: Sequence[CauseRule] = ANY_KIND,
    names: Mapping[str, Iterable[str]] | None = None,
) -> tuple[Finding, ...]:
    """Set `follows` of each finding that has a cause, and sort the findings by severity.

    Only errors and warnings that are not accepted are grouped. A cause is at least as severe as its followers. Accepted
    findings come last.

    Args:
        findings: All findings of a board.
        rules: Rules, in order of precedence.
        names: Id of a problem's finding -> names in the row of the problem.
    """
    all_findings = tuple(findings)
    groups = _Groups([finding for finding in all_findings if needs_attention(finding)], names or {})
    groups.join_problems()
    for rule in rules:
        groups.apply(rule)
    causes = groups.root_by_id
    worst = {finding.id: finding.severity for finding in all_findings}
    for finding in all_findings:
        if (cause := causes.get(finding.id)) is not None:
            worst[cause] = min(worst[cause], finding.severity, key=SEVERITY_ORDER.__getitem__)
    grouped = [
        finding.model_copy(update={"follows": causes.get(finding.id), "severity": worst[finding.id]})
        if finding.id in causes or worst[finding.id] is not finding.severity
        else finding
        for finding in all_findings
    ]
    return tuple(sorted(grouped, key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity])))


class _Groups:
    """Open findings of a board, with the root cause of each follower."""

    def __init__(self, findings: Sequence[Finding], names: Mapping[str, Iterable[str]]) -> None:
        self._findings = findings
        self._given_names = names
        self._names = {finding.id: frozenset(self._read_names(finding)) for finding in findings}
        self._unknown = {f.id: fold(name) for f in findings if f.code == PROBLEM and (name := unknown_name(f.message))}
        self._number = {finding.id: number for number, finding in enumerate(findings)}
        self._followers: dict[str, list[str]] = defaultdict(list)
        self.root_by_id: dict[str, str] = {}

    def _read_names(self, finding: Finding) -> Iterator[str]:
        is_problem = finding.code == PROBLEM
        texts = list(finding.elements)
        if is_problem:
            texts = [texts[0].partition("/")[2], *_QUOTED.findall(finding.message)]
        for text in (*texts, *self._given_names.get(finding.id, ())):
            for part in (text, *_PARTS.split(text)):
                folded = part if _POSITION.fullmatch(part) else fold(part)
                if not folded.isdecimal():
                    yield folded
                if not is_problem and _STATE.search(part):  # names of lines omit the state
                    yield fold(part[:-3])

    def join_problems(self) -> None:
        """Group problems with the same unknown name under the first of them, or under the lost row or table."""
        problems = [finding for finding in self._findings if finding.code == PROBLEM]
        missing = [(f"{table}.csv", f.id) for f in problems if (table := _missing_table(f))]
        first_by_name: dict[str, str] = {}
        for problem in problems:
            if _LOST_ROW.search(problem.id) and problem.id not in self._unknown:
                id_and_name = islice(self._given_names.get(problem.id, ()), 2)
                first_by_name |= {fold(name): problem.id for name in id_and_name if name}
        for problem in problems:
            lost_table = next((ident for file, ident in missing if file in problem.message), None)
            name = self._unknown.get(problem.id)
            first = lost_table or (first_by_name.setdefault(name, problem.id) if name else problem.id)
            if first != problem.id:
                self._set_cause(problem.id, first)
                self._names[first] |= self._names[problem.id]

    def apply(self, rule: CauseRule) -> None:
        """Apply a rule to the findings without a cause."""
        causes = [finding for finding in self._findings if rule.is_cause(finding)]
        if not causes:
            return
        index = _CauseIndex(causes, self._names, self._unknown) if rule.shared else None
        for finding in self._findings:
            if finding.id in self.root_by_id or not rule.is_follower(finding):
                continue
            must_be_earlier = rule.is_cause(finding)
            for cause in index.find_related(finding) if index else causes:
                root = self.root_by_id.get(cause.id, cause.id)
                if root != finding.id and not (must_be_earlier and self._number[cause.id] >= self._number[finding.id]):
                    self._set_cause(finding.id, root)
                    break

    def _set_cause(self, ident: str, root: str) -> None:
        moved = [ident, *self._followers.pop(ident, ())]
        self.root_by_id.update(dict.fromkeys(moved, root))
        self._followers[root] += moved


class _CauseIndex:
    """Causes of one rule by name, by unknown name and by latitude."""

    def __init__(
        self, causes: Sequence[Finding], names: Mapping[str, Collection[str]], unknown: Mapping[str, str]
    ) -> None:
        self._names = names
        self._by_name: dict[str, list[Finding]] = defaultdict(list)
        self._by_unknown: dict[str, Finding] = {}
        for cause in causes:
            for name in names[cause.id]:
                self._by_name[name].append(cause)
            if unknown_text := unknown.get(cause.id):
                self._by_unknown.setdefault(unknown_text, cause)
        placed = [cause for cause in causes if cause.place.lon is not None and cause.place.lat is not None]
        self._by_latitude = sorted(placed, key=_latitude)

    def find_related(self, finding: Finding) -> Iterator[Finding]:
        """Yield causes that share an element with a finding, then those with a similar unknown name, then near ones."""
        names = sorted(self._names[finding.id])
        for name in names:
            yield from self._by_name.get(name, ())
        if 0 < len(self._by_unknown) <= _MOST_MISSPELLED:
            for name in names:
                match = heavy.process.extractOne(
                    name, self._by_unknown.keys(), scorer=heavy.fuzz.ratio, score_cutoff=100 * _ALIKE
                )
                if match:
                    yield self._by_unknown[match[0]]
        if finding.place.lon is not None and finding.place.lat is not None:
            first = bisect_left(self._by_latitude, finding.place.lat - _NEAR_DEGREES, key=_latitude)
            last = bisect_right(self._by_latitude, finding.place.lat + _NEAR_DEGREES, key=_latitude)
            yield from (cause for cause in self._by_latitude[first:last] if _is_near(cause, finding))


def _latitude(finding: Finding) -> float:
    return finding.place.lat or 0.0


def unknown_name(message: str) -> str:
    """Return the name reported as unknown or ambiguous in a message, or an empty string."""
    found = _UNKNOWN.search(message)
    return found[1] if found else ""


def _missing_table(problem: Finding) -> str:
    table, _, key = problem.elements[0].partition("/")
    return table if key == MISSING else ""


def _is_near(finding: Finding, other: Finding) -> bool:
    a, b = finding.place, other.place
    if a.lon is None or a.lat is None or b.lon is None or b.lat is None:
        return False
    return hypot((a.lon - b.lon) * cos(radians(a.lat)), a.lat - b.lat) <= _NEAR_DEGREES
