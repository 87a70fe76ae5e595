"""Report on rules: options that are on, gaps of the sources, and findings."""

from collections.abc import Iterable

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.findings import Finding, Severity
from mapkit.kinds.rail.rules.active_options import options_on, own_settings
from mapkit.kinds.rail.rules.gaps import RuleGap, gaps
from mapkit.kinds.rail.rules.rules import Rules


class RulesReport(Frozen):
    """Result of `mapkit rules check`."""

    name: str
    preset: str
    options: tuple[str, ...] = Field(description="Options that are on beyond the preset")
    own: tuple[str, ...] = Field(description="Settings that neither the preset nor an option explains")
    gaps: tuple[RuleGap, ...]
    findings: tuple[Finding, ...] = Field(description="Of the checks V01 and so on; none without a board")

    @property
    def ok(self) -> bool:
        """Return whether there is no error that is not accepted."""
        return not any(f.severity is Severity.ERROR and f.accepted is None for f in self.findings)

    @property
    def exit_code(self) -> int:
        """Return 1 if a check finds an error."""
        return int(not self.ok)


def rules_report(name: str, rules: Rules, findings: Iterable[Finding] = ()) -> RulesReport:
    """Return a report on rules.

    Args:
        name: What to call them.
        rules: The rules; they do not contradict themselves, or they would not be.
        findings: What the checks of the letter R found on the board that they are played on.
    """
    return RulesReport(
        name=name,
        preset=rules.preset,
        options=options_on(rules),
        own=tuple(path for path, _ in own_settings(rules)),
        gaps=gaps(rules),
        findings=tuple(findings),
    )
