"""What a check of a board refuses outright: a step that makes it is refused with the same words."""

from collections.abc import Iterable, Sequence

from mapkit.core.plurals import counted
from mapkit.core.problems import Problem
from mapkit.document.command import MOST_NAMED, CommandError


def refuse_new_problems(before: Iterable[Problem], after: Iterable[Problem]) -> None:
    """Refuse problems that were not there before, wherever their rows stand now.

    Raises:
        CommandError: There are some; it names the first.
    """
    known = {_problem_key(problem) for problem in before}
    refuse_problems(problem for problem in after if _problem_key(problem) not in known)


def refuse_problems(problems: Iterable[Problem]) -> None:
    """Refuse problems; a setting is named by its key, for it has no row.

    Raises:
        CommandError: There are some; it names the first.
    """
    said = (problem.message if problem.table == "settings" else str(problem) for problem in problems)
    texts: Sequence[str] = list(dict.fromkeys(said))
    if texts:
        more = len(texts) - MOST_NAMED
        raise CommandError("; ".join(texts[:MOST_NAMED]) + (f"; and {counted(more, 'more')}" if more > 0 else ""))


def _problem_key(problem: Problem) -> tuple[str, str, int | None, str]:
    return problem.table, problem.key, problem.part, problem.message
