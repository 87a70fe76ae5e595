"""What is wrong with the findings that an author has accepted: ids that match nothing, and missing reasons."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from mapkit.core.checks import CheckIdentity
from mapkit.core.findings import SEVERITY_ORDER, CheckReport, Finding, Place, Severity

UNUSED: Final = "S02"
UNUSED_TITLE: Final = "every accepted finding is there"
UNEXPLAINED: Final = "S03"
UNEXPLAINED_TITLE: Final = "every accepted finding has a reason"
_FILE: Final = "board.toml"
_RAN: Final = ("passed", "found")
_CODE: Final = re.compile(r"[A-Z]\d\d")
NAMES: Final = {UNUSED: "unused-acceptance", UNEXPLAINED: "acceptance-without-reason"}
TITLES: Final = {UNUSED: UNUSED_TITLE, UNEXPLAINED: UNEXPLAINED_TITLE}


def with_acceptances(
    report: CheckReport,
    accepted: Mapping[str, str],
    *,
    checks: Iterable[CheckIdentity],
    elsewhere: Collection[str] = (),
) -> CheckReport:
    """Return a report with what is wrong with accepted findings; of checks that did not run nothing is known.

    Args:
        report: Of all checks of the kind of board, or all but those of whole letters, such as the drawing's.
        accepted: Finding id, or that with the name of the check for its code -> why it is right as it is.
        checks: All checks of the kind of board.
        elsewhere: Codes of findings that another command makes, of which nothing is known here.
    """
    codes = {check.name: check.code for check in checks}
    more = (*_unused(report, accepted, codes, elsewhere), *_unexplained(accepted))
    if not more:
        return report
    found = [*report.findings, *more]
    found.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    statuses = dict.fromkeys(sorted({finding.code for finding in more}), "found")
    return CheckReport(findings=tuple(found), checks={**statuses, **report.checks})


def _unused(
    report: CheckReport, accepted: Mapping[str, str], codes: Mapping[str, str], elsewhere: Collection[str]
) -> Iterator[Finding]:
    there = {finding.id for finding in report.findings}
    letters = {code[:1] for code, status in report.checks.items() if status in _RAN}
    for ident in sorted(accepted):
        written, _, elements = ident.partition(":")
        code = codes.get(written, written)
        status = report.checks.get(code)
        if f"{code}:{elements}" in there or code in elsewhere:
            continue
        if status is None:
            if _CODE.fullmatch(code) and code[0] not in letters:
                continue
            what = f"no check has the code or name {code[:40]!r}; write an id as `mapkit check --json` has it"
        elif status not in _RAN:
            continue
        else:
            near = sorted(other for other in there if other.startswith(f"{code}:") and other not in accepted)
            hint = f", such as {near[0]}" if near else ""
            what = (
                f"{written} finds nothing about {elements or 'it'} any more; correct the id{hint}, or delete the line"
            )
        yield _finding(UNUSED, ident, f"[accepted] {ident!r}: {what}")


def _unexplained(accepted: Mapping[str, str]) -> Iterator[Finding]:
    for ident, reason in sorted(accepted.items()):
        if not reason.strip():
            yield _finding(UNEXPLAINED, ident, f"[accepted] {ident!r} has no reason; say why it is right as it is")


def _finding(code: str, ident: str, message: str) -> Finding:
    return Finding(
        code=code,
        name=NAMES[code],
        severity=Severity.WARNING,
        elements=(ident,),
        place=Place(file=_FILE),
        message=message,
    )
