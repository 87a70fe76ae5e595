"""A board with errors is not built; amounts that are only doubted do not stop it."""

import pytest

from mapkit.core.findings import CheckReport, CheckStatus, Finding, Severity
from mapkit.kinds.rail.api.boards import stops_build


def report(*findings: Finding, status: CheckStatus = "passed") -> CheckReport:
    return CheckReport(findings=findings, checks={"N01": status})


def error(code: str, accepted: str | None = None) -> Finding:
    return Finding(code=code, severity=Severity.ERROR, elements=("a", "b"), message="is wrong", accepted=accepted)


@pytest.mark.parametrize("code", ["P08", "P09", "P10", "P11"])
def test_doubted_amounts_stop_nothing(code: str) -> None:
    assert not stops_build(report(error(code)))
    assert stops_build(report(error(code), error("P02")))


def test_errors_stop_unless_they_are_accepted() -> None:
    assert stops_build(report(error("N01")))
    assert not stops_build(report(error("N01", accepted="a ferry")))
    assert not stops_build(report())


@pytest.mark.parametrize("status", ["crashed", "skipped"])
def test_a_check_that_did_not_run_stops(status: CheckStatus) -> None:
    assert stops_build(report(status=status))
