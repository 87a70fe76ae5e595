"""What one click does about a finding."""

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.findings import Finding, Severity
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.live.fixes import fixes
from mapkit.kinds.rail.questions.question import Asked, question


class FixesOf(Frozen):
    """A finding, as the page has it."""

    code: str = Field(pattern=r"^([GNDPVR]\d{2}|build)$")
    severity: Severity = Severity.WARNING
    elements: tuple[str, ...] = Field(default=(), max_length=10_000)
    accepted: str | None = None
    data: JsonObject = Field(default_factory=dict)


class OfferedFix(Frozen):
    """What the button says, and what it does."""

    label: str
    command: SentCommand


class FixesFound(QueryResult):
    """What one click can do, the likeliest first; only what fits the board as it is."""

    fixes: tuple[OfferedFix, ...]


@question("fixes", FixesOf, FixesFound)
def fixes_of(ask: FixesOf, asked: Asked) -> FixesFound:
    """Return what one click can do about a finding."""
    if ask.code == "build":
        return FixesFound(fixes=())
    found = fixes(Finding(message="", **ask.model_dump()), asked.live)
    return FixesFound(fixes=tuple(OfferedFix(label=fix.label, command=read_command(fix.command)) for fix in found))
