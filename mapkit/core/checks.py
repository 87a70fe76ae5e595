"""Checks: their definition, and running all of a kind of board."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import JsonValue

from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.core.garbage import gc_paused
from mapkit.core.processes.forked import start_in_fork

NOWHERE = Place()
B = TypeVar("B")

MANY: Final = 50
"""Findings of one check from which on the worst come first, not the first by id."""


class CheckIdentity(Protocol):
    """Code, name and severity of a check, as its findings have them."""

    @property
    def code(self) -> str:
        """Return its code, a letter and two digits."""
        ...

    @property
    def name(self) -> str:
        """Return its name, such as `line-ends-short-of-city`; `[accepted]` takes it for the code."""
        ...

    @property
    def severity(self) -> Severity:
        """Return how bad a finding is."""
        ...


@dataclass(frozen=True)
class Found:
    """Result of a check about some elements."""

    message: str
    elements: tuple[str, ...]
    place: Place = NOWHERE
    data: Mapping[str, JsonValue] | None = None
    severity: Severity | None = None
    """That of the check, if not given."""

    def finding(self, check: CheckIdentity) -> Finding:
        """Return it as a finding of a check."""
        return Finding(
            code=check.code,
            name=check.name,
            severity=self.severity or check.severity,
            elements=self.elements,
            place=self.place,
            message=self.message,
            data=dict(self.data or {}),
        )


class AnyCheck(CheckIdentity, Protocol):
    """Interface of a check for the runner: its title, the codes that must pass first, and its function."""

    @property
    def title(self) -> str:
        """Statement that is true if nothing is found."""
        ...

    @property
    def find(self) -> Callable[[Any], Iterable[Found]]:
        """Search function; its docstring explains the check."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """Codes of checks that must pass first."""
        ...

    @property
    def measure(self) -> str:
        """Key of `data` that ranks findings, with `-` in front if less is worse; or empty."""
        ...

    def run(self, board: Any) -> Iterable[Finding]:  # noqa: ANN401 - the board of any kind
        """Return the findings on a board."""
        ...


@dataclass(frozen=True)
class Check(Generic[B]):
    """A check: code, title, severity, function, codes that must pass first, and measure."""

    code: str
    title: str
    severity: Severity
    find: Callable[[B], Iterable[Found]]
    needs: tuple[str, ...] = ()
    measure: str = ""

    @property
    def name(self) -> str:
        """Name of the search function without `find`, with hyphens."""
        name = self.find.__name__.strip("_").removeprefix("find_")
        return name.replace("_", "-") if name.isidentifier() else ""

    def run(self, board: B) -> Iterable[Finding]:
        """Yield the findings on a board."""
        for found in self.find(board):
            yield found.finding(self)


C = TypeVar("C", bound=AnyCheck)


@gc_paused()
def run_checks(
    checks: Iterable[C],
    run: Callable[[C], Iterable[Finding]],
    accepted: Mapping[str, str],
    *,
    without: Collection[str] = (),
    long: Collection[str] = (),
) -> CheckReport:
    """Run checks and return their findings, the most serious first.

    A check that raises an exception is `crashed`, with an error finding; one that builds on a check with findings is
    `skipped`. Neither is a pass. Findings of one check are sorted by their elements; where there are more than `MANY`
    and the check measures them, the worst come first.

    Args:
        checks: Those to run.
        run: How a check is run.
        accepted: Finding id -> why it is right as it is.
        without: First letters of the codes of checks that have nothing to look at.
        long: Codes of checks that take long; the others, which do not build on these, may be run beside them.
    """
    in_order = sorted(checks, key=lambda c: c.code)
    short_checks = [check for check in in_order if check.code not in long]
    long_checks = [check for check in in_order if check.code in long]
    wait_for_short = start_in_fork(lambda: _run_in_order(short_checks, run, without)) if long_checks else None
    long_outcome = _run_in_order(long_checks, run, without)
    short_outcome = wait_for_short() if wait_for_short else _run_in_order(short_checks, run, without)
    rank_by_id = short_outcome.worst | long_outcome.worst
    all_findings = [
        _set_acceptance(one, one.accepted_reason(accepted)) for one in (*short_outcome.findings, *long_outcome.findings)
    ]
    all_findings.sort(
        key=lambda f: (
            f.accepted is not None,
            SEVERITY_ORDER[f.severity],
            f.code,
            rank_by_id.get(f.id, 0.0),
            f.elements,
        )
    )
    return CheckReport(
        findings=tuple(all_findings), checks=dict(sorted((short_outcome.statuses | long_outcome.statuses).items()))
    )


class _ChecksOutcome(NamedTuple):
    """Outcome of some checks."""

    findings: list[Finding]
    statuses: dict[str, CheckStatus]
    worst: dict[str, float]
    """Finding id -> what sorts the worst first, where there are many of a check."""


def _run_in_order(
    checks: Iterable[C], run: Callable[[C], Iterable[Finding]], without: Collection[str]
) -> _ChecksOutcome:
    findings: list[Finding] = []
    statuses: dict[str, CheckStatus] = {}
    rank_by_id: dict[str, float] = {}
    for check in checks:
        if check.code[0] in without or any(statuses.get(code, "passed") != "passed" for code in check.needs):
            statuses[check.code] = "skipped"
            continue
        try:
            check_findings = list(run(check))
        except Exception as error:  # noqa: BLE001 - any defect of a check must be reported, not hide the rest
            statuses[check.code] = "crashed"
            findings.append(_crash_finding(check, error))
            continue
        statuses[check.code] = "found" if check_findings else "passed"
        findings.extend(check_findings)
        if check.measure and len(check_findings) > MANY:
            rank_by_id |= _rank_findings(check_findings, check.measure)
    return _ChecksOutcome(findings, statuses, rank_by_id)


def _rank_findings(found: Iterable[Finding], measure: str) -> dict[str, float]:
    """Return id -> rank that sorts the worst finding first."""
    key, sign = measure.removeprefix("-"), 1.0 if measure.startswith("-") else -1.0
    value_by_id = {finding.id: finding.data.get(key) for finding in found}
    return {ident: sign * value for ident, value in value_by_id.items() if isinstance(value, int | float)}


def _set_acceptance(finding: Finding, accepted: str | None) -> Finding:
    return finding if finding.accepted == accepted else finding.model_copy(update={"accepted": accepted})


def _crash_finding(check: AnyCheck, error: Exception) -> Finding:
    return Finding(
        code=check.code,
        name=check.name,
        severity=Severity.ERROR,
        elements=("crashed",),
        message=f"the check {check.title!r} crashed ({type(error).__name__}: {error}), so it passed nothing; "
        "please report it",
    )
