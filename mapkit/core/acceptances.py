"""Problems of accepted findings: ids that match nothing, and missing reasons."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from mapkit.core.checks import CheckIdentity
from mapkit.core.findings import SEVERITY_ORDER, CheckReport, Finding, Place, Severity

UNUSED: Final = "S02"
UNUSED_TITLE: Final = "every accepted finding is there"
UNEXPLAINED: Final = "S03"
UNEXPLAINED_TITLE: Final = "every accepted finding has a reason"
_BOARD_FILE: Final = "board.toml"
_RAN_STATUSES: Final = ("passed", "found")
_CODE_PATTERN: Final = re.compile(r"[A-Z]\d\d")
NAMES: Final = {UNUSED: "unused-acceptance", UNEXPLAINED: "acceptance-without-reason"}
TITLES: Final = {UNUSED: UNUSED_TITLE, UNEXPLAINED: UNEXPLAINED_TITLE}


def add_acceptance_findings(
    report: CheckReport,
    accepted: Mapping[str, str],
    *,
    checks: Iterable[CheckIdentity],
    elsewhere: Collection[str] = (),
) -> CheckReport:
    """Add findings to a report about unused acceptances, and about acceptances without a reason.

    Skip acceptances of findings from checks that did not run.

    Args:
        report: The report of all checks of the kind of board; it may lack whole groups (letters of the codes), such as
            the checks of the drawing.
        accepted: The reason for each accepted finding by its id; the name of a check may replace its code in the id.
        checks: All checks of the kind of board.
        elsewhere: Codes of findings from other commands; their acceptances are skipped.
    """
    codes = {check.name: check.code for check in checks}
    new_findings = (*_find_unused(report, accepted, codes, elsewhere), *_find_unexplained(accepted))
    if not new_findings:
        return report
    all_findings = [*report.findings, *new_findings]
    all_findings.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    statuses = dict.fromkeys(sorted({finding.code for finding in new_findings}), "found")
    return CheckReport(findings=tuple(all_findings), checks={**statuses, **report.checks})


def _find_unused(
    report: CheckReport, accepted: Mapping[str, str], codes: Mapping[str, str], elsewhere: Collection[str]
) -> Iterator[Finding]:
    present_ids = {finding.id for finding in report.findings}
    run_letters = {code[:1] for code, status in report.checks.items() if status in _RAN_STATUSES}
    for ident in sorted(accepted):
        written, _, elements = ident.partition(":")
        code = codes.get(written, written)
        status = report.checks.get(code)
        if f"{code}:{elements}" in present_ids or code in elsewhere:
            continue
        if status is None:
            if _CODE_PATTERN.fullmatch(code) and code[0] not in run_letters:
                continue
            problem_text = f"no check has the code or name {code[:40]!r}; write an id as `mapkit check --json` has it"
        elif status not in _RAN_STATUSES:
            continue
        else:
            similar_ids = sorted(
                present_id
                for present_id in present_ids
                if present_id.startswith(f"{code}:") and present_id not in accepted
            )
            hint = f", such as {similar_ids[0]}" if similar_ids else ""
            problem_text = (
                f"{written} finds nothing about {elements or 'it'} any more; correct the id{hint}, or delete the line"
            )
        yield _acceptance_finding(UNUSED, ident, f"[accepted] {ident!r}: {problem_text}")


def _find_unexplained(accepted: Mapping[str, str]) -> Iterator[Finding]:
    for ident, reason in sorted(accepted.items()):
        if not reason.strip():
            yield _acceptance_finding(
                UNEXPLAINED, ident, f"[accepted] {ident!r} has no reason; write why it is right as it is"
            )


def _acceptance_finding(code: str, ident: str, message: str) -> Finding:
    return Finding(
        code=code,
        name=NAMES[code],
        severity=Severity.WARNING,
        elements=(ident,),
        place=Place(file=_BOARD_FILE),
        message=message,
    )
