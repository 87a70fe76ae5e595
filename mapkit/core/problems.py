"""Problems: what keeps a part of a document out of its board; checks and builds list them as findings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import shortened
from mapkit.core.findings import CheckReport, Finding, Place, Severity

CODE: Final = "S01"
"""The code of a problem as a finding."""
NAME: Final = "unusable-source"
TITLE: Final = "everything in the sources can be used"
_WHERE = re.compile(r"(?P<file>[^\s:][^:\n]*\.\w+)(?::(?P<row>\d+))?: (?P<message>.*)", re.DOTALL)


@dataclass(frozen=True)
class Problem:
    """Something that keeps a part of a document out of its board, or was corrected, so that no board is built.

    Args:
        table: The table of the document.
        key: The row of the table; of what never became a row, where it stands; empty for the whole table.
        message: What is wrong and what to do.
        part: Which part of the row it is, such as a stop of a line, counted from 0.
        file: The file that it stands in.
        row: The row of the file, the header being 1.
        whole: Whether the table could not be read at all, so that checks of what it holds say nothing.
    """

    table: str
    key: str
    message: str
    part: int | None = None
    file: str | None = None
    row: int | None = None
    whole: bool = False

    @property
    def cure(self) -> str:
        """What to do, as the message ends."""
        return self.message.rpartition("; ")[2]

    def __str__(self) -> str:
        """Return `file:row: message`."""
        where = ":".join(str(part) for part in (self.file, self.row) if part is not None)
        return f"{where}: {self.message}" if where else self.message


def problem_of(text: str, *, table: str, key: str = "") -> Problem:
    """Return a problem of a message `file:row: what, what to do`; without a key it is known by where it stands."""
    text = shortened(text)
    found = _WHERE.fullmatch(text)
    if found is None:
        return Problem(table, key, text)
    row = int(found["row"]) if found["row"] else None
    where = found["file"] if row is None else f"{found['file']}:{row}"
    return Problem(table, key or where, found["message"], file=found["file"], row=row)


def numbered(problems: Iterable[Problem]) -> Iterator[tuple[str, Problem]]:
    """Yield each problem with a name of its own: its table and row, and its number there from the second on."""
    count: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        count[problem.table, problem.key] += 1
        number = count[problem.table, problem.key]
        parts = [problem.table, problem.key, *([str(number)] if number > 1 else [])]
        yield "/".join(part for part in parts if part), problem


def problem_findings(problems: Iterable[Problem]) -> tuple[Finding, ...]:
    """Return problems as findings: errors that nobody can accept."""
    return tuple(
        Finding(
            code=CODE,
            name=NAME,
            severity=Severity.ERROR,
            elements=(name,),
            place=Place(file=problem.file, row=problem.row),
            message=problem.message,
        )
        for name, problem in numbered(problems)
    )


def with_problems(report: CheckReport, problems: Sequence[Problem]) -> CheckReport:
    """Return a report with problems before all that the checks found."""
    if not problems:
        return report
    return CheckReport(
        findings=(*problem_findings(problems), *report.findings), checks={CODE: "found", **report.checks}
    )


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Return problems as lines to print."""
    return [str(problem) for problem in problems]
