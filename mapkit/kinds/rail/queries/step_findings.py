"""Findings that a step would cause, asked before a dialog closes."""

from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.findings import Severity
from mapkit.document.changes import apply
from mapkit.kinds.protocol import CommandJson, QueryResult
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.live.checks import live_findings
from mapkit.kinds.rail.queries.question import Asked, question

_LATER_WORK: Final = frozenset(
    {"N01", "N02", "N03", "N04", "N05", "N13", "N16", "N17", "N18", "D01", "D02", "D03", "P01", "P02"}
)
"""Checks that only ask for the next work, such as track for a new railroad."""


class StepFindingsQuestion(Frozen):
    """A command that is not done yet, as `do` takes it."""

    command: CommandJson


class StepFindings(QueryResult):
    """Errors and warnings that the step adds, except calls for the work that comes next."""

    findings: tuple[str, ...]


@question("step-findings", StepFindingsQuestion, StepFindings)
def find_step_findings(ask: StepFindingsQuestion, asked: Asked) -> StepFindings:
    """Return the findings that a command would cause; `CommandError` if it cannot be carried out."""
    document = apply(asked.document, read_command(ask.command).plan(asked.document).patch)
    known = {found.id for found in live_findings(asked.live).findings}
    caused = [
        found.message
        for found in live_findings(asked.live.recompile(document)).findings
        if found.id not in known
        and found.finding.severity is not Severity.NOTE
        and found.finding.code not in _LATER_WORK
        and (found.finding.follows or "").partition(":")[0] in ("", *_LATER_WORK)
    ]
    return StepFindings(findings=tuple(caused))
