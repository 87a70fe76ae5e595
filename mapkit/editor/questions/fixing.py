"""What one click does about a finding."""

from typing import Any

from pydantic import Field

from mapkit.editor.live.fixes import fixes
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.model.findings import Finding, Severity


class FixesOf(Frozen):
    """A finding, as the page has it."""

    code: str = Field(pattern=r"^([GNDPVR]\d{2}|build)$")
    severity: Severity = Severity.WARNING
    elements: tuple[str, ...] = Field(default=(), max_length=10_000)
    accepted: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)


@question("fixes", FixesOf)
def fixes_of(ask: FixesOf, asked: Asked) -> dict[str, Any]:
    """Return `fixes`, `{label, command}` each, the likeliest first; only those that fit the board as it is."""
    if ask.code == "build":
        return {"fixes": []}
    finding = Finding(message="", **ask.model_dump())
    return {"fixes": [{"label": fix.label, "command": fix.command} for fix in fixes(finding, asked.live)]}
