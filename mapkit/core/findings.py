"""Findings: results of checks as data."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.plurals import MOST_LISTED


class Severity(StrEnum):
    """Severity of a finding."""

    ERROR = "error"  # the board cannot be played or exported as it is
    WARNING = "warning"  # suspicious; a person should look
    NOTE = "note"  # not wrong, but relevant to play


SEVERITY_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class Place(Frozen):
    """Location of a finding: file and row of the source package, and a position on the map (EPSG:4326)."""

    file: str | None = None
    row: int | None = None
    path: str | None = Field(
        default=None,
        exclude_if=lambda path: path is None,
        description="Path to a value of a file without rows, such as `$.payoffs[3][4]`",
    )
    lon: float | None = None
    lat: float | None = None

    @property
    def text(self) -> str:
        """`file:row` or `file:path`, as far as they are known."""
        return ":".join(str(part) for part in (self.file, self.row, self.path) if part is not None)


class Attachment(Frozen):
    """A picture that illustrates a finding: file, description, and relevant part.

    `box` is left, top, right, bottom in pixels; null for all of it.
    """

    file: str
    about: str
    box: tuple[int, int, int, int] | None = None


class Finding(Frozen):
    """A single result of a check; its message states the problem and the cure."""

    code: str = Field(pattern=r"^[A-Z]\d{2}$")
    name: str = Field(
        default="",
        pattern=r"^[a-z0-9-]*$",
        exclude_if=lambda name: not name,
        description="Name of the check, such as `line-ends-short-of-city`",
    )
    severity: Severity
    elements: tuple[str, ...]
    place: Place = Place()
    message: str
    accepted: str | None = Field(default=None, description="The author's reason, if accepted")
    data: JsonObject = Field(default_factory=dict)
    follows: str | None = Field(
        default=None, exclude_if=lambda cause: cause is None, description="Id of the finding that it follows from"
    )
    attachments: tuple[Attachment, ...] = Field(
        default=(), exclude_if=lambda pictures: not pictures, description="Pictures that show it"
    )

    @property
    def id(self) -> str:
        """Stable id for accepting the finding: code and sorted element ids."""
        return ":".join((self.code, *sorted(self.elements)))

    def accepted_reason(self, accepted: Mapping[str, str]) -> str | None:
        """Return the author's reason for accepting the finding, or None.

        Args:
            accepted: Reasons by id; in these ids, the name of a check may replace its code.
        """
        named_id = ":".join((self.name, *sorted(self.elements)))
        return accepted.get(self.id, accepted.get(named_id))


CheckStatus = Literal["passed", "found", "skipped", "crashed"]


class CheckReport(Frozen):
    """All findings, most serious first, and the status of every check."""

    findings: tuple[Finding, ...]
    checks: dict[str, CheckStatus]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The errors that are not accepted."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR and f.accepted is None)

    @property
    def ok(self) -> bool:
        """Whether all errors are accepted and every check ran to its end."""
        return not self.errors and not {"crashed", "skipped"} & set(self.checks.values())


def count_findings(found: CheckReport) -> str:
    """Return a summary: counts of checks, findings by severity, their followers, and checks skipped or crashed."""
    count_by_kind = Counter("following" if f.follows else finding_state(f) for f in found.findings)
    count_texts = [
        f"{count_by_kind[kind]} {kind if count_by_kind[kind] == 1 or kind == 'accepted' else kind + 's'}"
        for kind in ("error", "warning", "note", "accepted")
        if count_by_kind[kind]
    ]
    if count_by_kind["following"]:
        verb = "follows" if count_by_kind["following"] == 1 else "follow"
        count_texts.append(f"{count_by_kind['following']} that {verb} from them")
    status_counts = Counter(found.checks.values())
    count_texts += [
        f"{status_counts[check_status]} checks {check_status}"
        for check_status in ("skipped", "crashed")
        if status_counts[check_status]
    ]
    return f"{len(found.checks)} checks, " + (", ".join(count_texts) or "nothing found")


def needs_attention(finding: Finding) -> bool:
    """Return whether a finding is an error or a warning that is not accepted."""
    return finding.accepted is None and finding.severity is not Severity.NOTE


class ListedFinding(NamedTuple):
    """A finding to list.

    Attributes:
        finding: The finding.
        below: A sentence to print below it, or nothing.
        is_rest: Whether the finding stands for the rest of its check, with their count in `below`.
    """

    finding: Finding
    below: str = ""
    is_rest: bool = False


def limit_findings(findings: Iterable[Finding], *, every: bool) -> Iterator[ListedFinding]:
    """Yield the findings to list, in order, each followed by its followers or with their count.

    Args:
        findings: All findings; the limit applies to each severity of a check, and to its accepted findings, separately.
        every: Whether to list all findings, instead of the first `MOST_LISTED` of each check without their followers.

    Yields:
        Findings; if a check has more than the limit, its last finding stands for the rest, with their count.
    """
    all_findings = tuple(findings)
    present_ids = {finding.id for finding in all_findings}
    followers_by_cause: dict[str, list[Finding]] = defaultdict(list)
    causes: list[Finding] = []
    for finding in all_findings:
        if finding.follows in present_ids:
            followers_by_cause[finding.follows or ""].append(finding)
        else:
            causes.append(finding)
    total_by_group = Counter((finding.code, finding_state(finding)) for finding in causes)
    seen_by_group: Counter[tuple[str, str]] = Counter()
    for finding in causes:
        group = finding.code, finding_state(finding)
        seen_by_group[group] += 1
        followers = followers_by_cause[finding.id]
        if every:
            yield ListedFinding(finding)
            yield from (ListedFinding(follower, f"follows from {finding.id}") for follower in followers)
        elif seen_by_group[group] <= MOST_LISTED:
            rest = f"and {len(followers):,} that follow{'s' * (len(followers) == 1)} from it" if followers else ""
            yield ListedFinding(finding, rest and f"{rest}: mapkit check --all lists them")
        elif seen_by_group[group] == total_by_group[group]:
            rest, total = f"{total_by_group[group] - MOST_LISTED:,}", f"{total_by_group[group]:,}"
            sentence = f"{rest} more findings of this check; mapkit check with --all or --json lists all {total}"
            yield ListedFinding(finding, sentence, is_rest=True)


def finding_lines(findings: Iterable[Finding], *, every: bool = False) -> list[str]:
    """Return a line for each finding selected by `limit_findings`."""
    return [
        f"{listed.finding.code} {finding_state(listed.finding)}: {listed.below}"
        if listed.is_rest
        else finding_line(listed.finding) + (f" ({listed.below})" if listed.below else "")
        for listed in limit_findings(findings, every=every)
    ]


def finding_line(finding: Finding) -> str:
    """Return `file:row: code severity: message [name]`, for people and editors, with the reason if it is accepted."""
    place = f"{finding.place.text}: " if finding.place.text else ""
    name = f" [{finding.name}]" if finding.name else ""
    return f"{place}{finding.code} {finding_state(finding)}: {finding_message(finding)}{name}"


def finding_state(finding: Finding) -> str:
    """Return `accepted`, or the severity of a finding."""
    return "accepted" if finding.accepted is not None else finding.severity.value


def finding_message(finding: Finding) -> str:
    """Return the message of a finding, with the reason if it is accepted."""
    return finding.message + (f" (reason: {finding.accepted})" if finding.accepted is not None else "")
