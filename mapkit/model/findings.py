"""Findings: what a check has to say, as data."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from mapkit.model.base import Frozen


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"  # the board cannot be played or exported as it is
    WARNING = "warning"  # suspicious; a person should look
    NOTE = "note"  # not wrong, but it matters to play


SEVERITY_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class Place(Frozen):
    """Where to look: file and row of the source package, and a position on the map (EPSG:4326)."""

    file: str | None = None
    row: int | None = None
    lon: float | None = None
    lat: float | None = None


class Finding(Frozen):
    """One thing a check found. `message` says what is wrong and what to do."""

    code: str = Field(pattern=r"^[GNDPVR]\d{2}$")
    severity: Severity
    elements: tuple[str, ...]
    place: Place = Place()
    message: str
    accepted: str | None = Field(default=None, description="The author's reason, if accepted")
    data: dict[str, Any] = Field(default_factory=dict)

    @property
    def id(self) -> str:
        """The stable id under which a board accepts the finding: code and sorted element ids."""
        return ":".join((self.code, *sorted(self.elements)))


CheckStatus = Literal["passed", "found", "skipped", "crashed"]


class CheckReport(Frozen):
    """All findings, most serious first, and how every check ended."""

    findings: tuple[Finding, ...]
    checks: dict[str, CheckStatus]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The errors that nobody accepted."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR and f.accepted is None)

    @property
    def ok(self) -> bool:
        """True if there is no error and every check ran to its end."""
        return not self.errors and not {"crashed", "skipped"} & set(self.checks.values())
