"""Problems that keep a part of a document out of its board, listed as findings by checks and builds."""

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
_PLACED_MESSAGE = re.compile(r"(?P<file>[^\s:][^:\n]*\.\w+)(?::(?P<row>\d+))?: (?P<message>.*)", re.DOTALL)


@dataclass(frozen=True)
class Problem:
    """A problem that keeps a part of a document out of its board, or that was corrected.

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
        """Cure, at the end of the message."""
        return self.message.rpartition("; ")[2]

    def __str__(self) -> str:
        """Return `file:row: message`."""
        place_text = ":".join(str(part) for part in (self.file, self.row) if part is not None)
        return f"{place_text}: {self.message}" if place_text else self.message


def problem_of(text: str, *, table: str, key: str = "") -> Problem:
    """Return a problem from a message with file, row, problem and cure; without a key its place identifies it."""
    text = shortened(text)
    message_match = _PLACED_MESSAGE.fullmatch(text)
    if message_match is None:
        return Problem(table, key, text)
    row = int(message_match["row"]) if message_match["row"] else None
    place_text = message_match["file"] if row is None else f"{message_match['file']}:{row}"
    return Problem(table, key or place_text, message_match["message"], file=message_match["file"], row=row)


def numbered(problems: Iterable[Problem]) -> Iterator[tuple[str, Problem]]:
    """Yield each problem with a unique name: its table and row, and its number there from the second on."""
    count_by_key: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        count_by_key[problem.table, problem.key] += 1
        number = count_by_key[problem.table, problem.key]
        name_parts = [problem.table, problem.key, *([str(number)] if number > 1 else [])]
        yield "/".join(part for part in name_parts if part), problem


def problem_findings(problems: Iterable[Problem]) -> tuple[Finding, ...]:
    """Return problems as findings: errors that cannot be accepted."""
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
    """Return a report with problems before the findings of checks."""
    if not problems:
        return report
    return CheckReport(
        findings=(*problem_findings(problems), *report.findings), checks={CODE: "found", **report.checks}
    )


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Return problems as lines to print."""
    return [str(problem) for problem in problems]
