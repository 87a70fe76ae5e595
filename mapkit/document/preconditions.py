"""Preconditions of steps: problems that the checks would reject, refused in the same words."""

from collections.abc import Iterable, Sequence

from mapkit.core.plurals import count_noun
from mapkit.core.problems import Problem
from mapkit.document.command import MOST_NAMED, CommandError


def refuse_new_problems(known: Iterable[Problem], after: Iterable[Problem]) -> None:
    """Raise an error for problems that did not exist before, regardless of moved rows.

    Raises:
        CommandError: There are some; it names the first.
    """
    known_keys = {_problem_key(problem) for problem in known}
    refuse_problems(problem for problem in after if _problem_key(problem) not in known_keys)


def refuse_problems(problems: Iterable[Problem]) -> None:
    """Raise an error for problems, with settings named by their key, since they have no row.

    Raises:
        CommandError: There are some; it names the first.
    """
    problem_texts = (problem.message if problem.table == "settings" else str(problem) for problem in problems)
    unique_texts: Sequence[str] = list(dict.fromkeys(problem_texts))
    if unique_texts:
        more_count = len(unique_texts) - MOST_NAMED
        raise CommandError(
            "; ".join(unique_texts[:MOST_NAMED]) + (f"; and {count_noun(more_count, 'more')}" if more_count > 0 else "")
        )


def _problem_key(problem: Problem) -> tuple[str, str, int | None, str]:
    return problem.table, problem.key, problem.part, problem.message
