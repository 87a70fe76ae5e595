"""Findings: results of checks as data."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject


class Severity(StrEnum):
    """Severity of a finding."""

    ERROR = "error"  # the board cannot be played or exported as it is
    WARNING = "warning"  # suspicious; a person should look
    NOTE = "note"  # not wrong, but it matters to play


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
    attachments: tuple[Attachment, ...] = Field(
        default=(), exclude_if=lambda pictures: not pictures, description="Pictures that show it"
    )

    @property
    def id(self) -> str:
        """Stable id for accepting the finding: code and sorted element ids."""
        return ":".join((self.code, *sorted(self.elements)))

    def accepted_reason(self, accepted: Mapping[str, str]) -> str | None:
        """Return why the author accepts the finding, listed under its id or its id with the name for the code."""
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
        """Whether there is no error and every check ran to its end."""
        return not self.errors and not {"crashed", "skipped"} & set(self.checks.values())


def counted(found: CheckReport) -> str:
    """Return the number of findings by kind, and of checks that did not run."""
    count_by_kind = Counter("accepted" if f.accepted is not None else f.severity.value for f in found.findings)
    count_texts = [
        f"{count_by_kind[kind]} {kind if count_by_kind[kind] == 1 or kind == 'accepted' else kind + 's'}"
        for kind in ("error", "warning", "note", "accepted")
        if count_by_kind[kind]
    ]
    status_counts = Counter(found.checks.values())
    count_texts += [
        f"{status_counts[check_status]} checks {check_status}"
        for check_status in ("skipped", "crashed")
        if status_counts[check_status]
    ]
    return f"{len(found.checks)} checks, " + (", ".join(count_texts) or "nothing found")


MOST_LISTED = 10
"""Findings of one check that are listed one by one; the rest are counted."""


def needs_attention(finding: Finding) -> bool:
    """Return whether a finding is an error or a warning that is not accepted."""
    return finding.accepted is None and finding.severity is not Severity.NOTE


def limit_findings(findings: Iterable[Finding], *, every: bool) -> Iterator[tuple[Finding, str]]:
    """Yield the findings to list, in their order; accepted ones are counted separately.

    Args:
        findings: All findings.
        every: Whether all of each check are listed, not only the first `MOST_LISTED`.

    Yields:
        A finding and an empty text; after the first of a check, its last finding and a sentence that counts the rest.
    """
    all_findings = tuple(findings)
    total_by_group = Counter((finding.code, finding_state(finding)) for finding in all_findings)
    seen_by_group: Counter[tuple[str, str]] = Counter()
    for finding in all_findings:
        group = finding.code, finding_state(finding)
        seen_by_group[group] += 1
        if every or seen_by_group[group] <= MOST_LISTED:
            yield finding, ""
        elif seen_by_group[group] == total_by_group[group]:
            rest_text, total_text = f"{total_by_group[group] - MOST_LISTED:,}", f"{total_by_group[group]:,}"
            yield (
                finding,
                f"{rest_text} more findings of this check; mapkit check with --all or --json lists all {total_text}",
            )


def finding_lines(findings: Iterable[Finding], *, every: bool = False) -> list[str]:
    """Return a line for each finding to list, as `limit_findings` selects them."""
    return [
        f"{finding.code} {finding_state(finding)}: {rest}" if rest else finding_line(finding)
        for finding, rest in limit_findings(findings, every=every)
    ]


def finding_line(finding: Finding) -> str:
    """Return `file:row: code severity: message [name]` for people and editors; the reason too, if it is accepted."""
    place = f"{finding.place.text}: " if finding.place.text else ""
    name = f" [{finding.name}]" if finding.name else ""
    return f"{place}{finding.code} {finding_state(finding)}: {finding_message(finding)}{name}"


def finding_state(finding: Finding) -> str:
    """Return `accepted`, or the severity of a finding."""
    return "accepted" if finding.accepted is not None else finding.severity.value


def finding_message(finding: Finding) -> str:
    """Return the message of a finding, with the reason if it is accepted."""
    return finding.message + (f" (reason: {finding.accepted})" if finding.accepted is not None else "")
