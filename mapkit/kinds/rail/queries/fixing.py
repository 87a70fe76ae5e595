"""Fixes of a finding by one click."""

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.findings import Finding, Severity
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.live.fixes import fixes
from mapkit.kinds.rail.queries.question import Asked, question


class FixesOf(Frozen):
    """A finding, as the page has it."""

    code: str = Field(pattern=r"^([GNDPVR]\d{2}|build)$")
    severity: Severity = Severity.WARNING
    elements: tuple[str, ...] = Field(default=(), max_length=10_000)
    accepted: str | None = None
    data: JsonObject = Field(default_factory=dict)


class OfferedFix(Frozen):
    """Fix of a finding: the label of its button, and its command."""

    label: str
    command: SentCommand


class FixesFound(QueryResult):
    """Fixes of a finding that fit the present board, the likeliest first."""

    fixes: tuple[OfferedFix, ...]


@question("fixes", FixesOf, FixesFound)
def fixes_of(ask: FixesOf, asked: Asked) -> FixesFound:
    """Return the fixes of a finding."""
    if ask.code == "build":
        return FixesFound(fixes=())
    found = fixes(Finding(message="", **ask.model_dump()), asked.live)
    return FixesFound(fixes=tuple(OfferedFix(label=fix.label, command=read_command(fix.command)) for fix in found))
