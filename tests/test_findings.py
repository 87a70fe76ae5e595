"""Findings as people read them: of many of one check the worst, and a count."""

from collections.abc import Iterator

from mapkit.core.checks import Check, Found, run_checks
from mapkit.core.findings import Severity, finding_line, finding_lines
from mapkit.core.plurals import MOST_LISTED


def many(count: int) -> Iterator[Found]:
    """Yield findings of which the later are worse."""
    for n in range(count):
        yield Found(f"{n} mm too long", (f"m{n:04}",), data={"mm": n})


def checks(count: int, measure: str) -> tuple[Check[int], ...]:
    return (
        Check("R90", "few", Severity.WARNING, lambda _: many(3)),
        Check("R91", "many", Severity.WARNING, lambda _: many(count), measure=measure),
    )


def test_ten_findings_of_a_check_are_listed_as_they_are() -> None:
    report = run_checks(checks(MOST_LISTED, "mm"), lambda check: check.run(0), {})
    assert finding_lines(report.findings) == [finding_line(finding) for finding in report.findings]
    assert [f.data["mm"] for f in report.findings if f.code == "R91"] == list(range(MOST_LISTED))


def test_of_more_the_worst_ten_are_listed_and_the_rest_counted() -> None:
    report = run_checks(checks(1_234, "mm"), lambda check: check.run(0), {"R91:m0005": "known"})
    assert len(report.findings) == 3 + 1_234
    lines = finding_lines(report.findings)
    assert len(lines) == 3 + MOST_LISTED + 1 + 1
    assert lines[3] == "R91 warning: 1233 mm too long"
    assert lines[12] == "R91 warning: 1224 mm too long"
    assert (
        lines[13] == "R91 warning: 1,223 more findings of this check; mapkit check with --all or --json lists all 1,233"
    )
    assert lines[14] == "R91 accepted: 5 mm too long (reason: known)"


def test_less_may_be_worse() -> None:
    report = run_checks(checks(60, "-mm"), lambda check: check.run(0), {})
    assert [f.data["mm"] for f in report.findings if f.code == "R91"] == list(range(60))
    assert run_checks(checks(60, ""), lambda check: check.run(0), {}) == report
