"""Problems that keep a part of a document out of its board, listed as findings by checks and builds."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.causes import ANY_KIND, MISSING, PROBLEM, CauseRule, group_by_cause, unknown_name
from mapkit.core.errors import shorten_problem
from mapkit.core.findings import CheckReport, Finding, Place, Severity
from mapkit.core.plurals import count_noun

NAME: Final = "unusable-source"
_TYPING_ERRORS: Final = 2
"""More unknown names than that are no typing errors."""
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
        names: Names in its row, and in rows that need it: findings about them may follow from it.
    """

    table: str
    key: str
    message: str
    part: int | None = None
    file: str | None = None
    row: int | None = None
    whole: bool = False
    names: tuple[str, ...] = ()

    @property
    def cure(self) -> str:
        """Cure, at the end of the message."""
        return self.message.rpartition("; ")[2]

    def __str__(self) -> str:
        """Return `file:row: message`."""
        place_text = ":".join(str(part) for part in (self.file, self.row) if part is not None)
        return f"{place_text}: {self.message}" if place_text else self.message


def texts_of(value: object) -> Iterator[str]:
    """Yield the texts in the fields of a row."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts_of(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_of(part)


def parse_problem(text: str, *, table: str, key: str = "") -> Problem:
    """Return a problem from a message with file, row, problem and cure; without a key its place identifies it."""
    text = shorten_problem(text)
    message_match = _PLACED_MESSAGE.fullmatch(text)
    if message_match is None:
        return Problem(table, key, text)
    row = int(message_match["row"]) if message_match["row"] else None
    place_text = message_match["file"] if row is None else f"{message_match['file']}:{row}"
    return Problem(table, key or place_text, message_match["message"], file=message_match["file"], row=row)


def number_problems(problems: Iterable[Problem]) -> Iterator[tuple[str, Problem]]:
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
            code=PROBLEM,
            name=NAME,
            severity=Severity.ERROR,
            elements=(name,),
            place=Place(file=problem.file, row=problem.row),
            message=problem.message,
        )
        for name, problem in number_problems(problems)
    )


def with_missing_tables(problems: Sequence[Problem], tables: Mapping[str, Collection[object]]) -> tuple[Problem, ...]:
    """Return problems with one for each table without rows that others name as the place of what they lack."""
    names_by_table: dict[str, set[str]] = {table: set() for table, rows in tables.items() if not rows}
    for table, names in names_by_table.items():
        names |= {unknown_name(problem.message) for problem in problems if f"{table}.csv" in problem.message}
    missing = [
        Problem(table, MISSING, "there is no such file, or it has no rows; write it", file=f"{table}.csv")
        for table, names in names_by_table.items()
        if len(names) > _TYPING_ERRORS
    ]
    return (*missing, *problems)


def prepend_problems(
    report: CheckReport, problems: Sequence[Problem], rules: Sequence[CauseRule] = ANY_KIND
) -> CheckReport:
    """Return a report with problems before the findings of checks, and what follows from what.

    Args:
        report: The findings of checks.
        problems: The problems.
        rules: Which findings follow from which.
    """
    named = {id_of(name): problem.names for name, problem in number_problems(problems)}
    findings = group_by_cause((*problem_findings(problems), *report.findings), rules, named)
    return CheckReport(findings=findings, checks={PROBLEM: "found", **report.checks} if problems else report.checks)


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Return problems as lines to print, one for each unknown name."""
    findings = group_by_cause(problem_findings(problems))
    followers = Counter(finding.follows for finding in findings)
    problem_by_id = {id_of(name): problem for name, problem in number_problems(problems)}
    return [
        f"{problem_by_id[finding.id]}{_count_rows(followers[finding.id])}"
        for finding in findings
        if finding.follows is None
    ]


def _count_rows(count: int) -> str:
    return f" (and {count_noun(count, 'more row')} with this name)" if count else ""


def id_of(name: str) -> str:
    """Return the id of the finding of a problem by its unique name."""
    return f"{PROBLEM}:{name}"
