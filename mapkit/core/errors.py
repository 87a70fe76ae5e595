"""Errors that a user can fix.

```
MapkitError            anything below; the command line prints it and exits 1
├── SourceError        a source package, one of its files, rows or keys
├── PlaceError         a place name that cannot be looked up
├── RulesError         rules that contradict themselves, or a setting or option that they do not have
│   └── GapError       a figure that no source of the rules gives
├── TableError         a table that is shipped with mapkit, such as its themes
├── UnknownNameError   a board, railroad, city, region ... that does not exist
│   └── ChoiceError    an option that does not exist, does not apply or contradicts another; exit code 2
├── VariantError       a variant's file, or operations that do not fit the board
├── WorkspaceError     a folder or file that is missing or may not be read
├── BoardError         a board that the checks refuse
├── ExportError        a board that a format cannot hold, or a format that cannot be used
├── MissingError       something beside a board that is not there
├── PrintError         a picture, a paper or a layout that cannot be printed
└── OutputError        something that could not be written
```

Every other exception is a defect of mapkit.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from pathlib import PurePath

from mapkit.core.plurals import MOST_LISTED, count_noun


class MapkitError(Exception):
    """An error that the user can fix, with a cure in its text."""


@contextmanager
def explain_cut_modules() -> Iterator[None]:
    """Name a module in place of the error of Python about it: its compiled file was cut off by a full disk or a limit.

    Raises:
        MapkitError: A module could not be imported for this reason.
    """
    try:
        yield
    except EOFError as error:
        trace, path = error.__traceback__, None
        while trace is not None:
            path, trace = trace.tb_frame.f_locals.get("bytecode_path", path), trace.tb_next
        if path is None:
            raise
        raise MapkitError(
            f"{path}: this compiled module of Python was cut off, by a full disk or a limit of the size of files; "
            "delete the file"
        ) from error


def limit_problems(problems: Sequence[str]) -> list[str]:
    """Return problems as lines to print: if there are very many, the first and the number of the others."""
    more_count = len(problems) - MOST_LISTED
    return [*problems[:MOST_LISTED], *([f"... and {count_noun(more_count, 'more problem')}"] if more_count > 0 else [])]


_LONG_VALUE = re.compile(r"(['\"][^'\"\s]{80})[^'\"\s]{20,}(['\"])")


def shorten_problem(problem: str) -> str:
    """Return a problem with quoted values cut to 100 letters, enough to find them."""
    return _LONG_VALUE.sub(r"\1...\2", problem)


class _ProblemsError(MapkitError):
    """One or more problems, a line each; if there are very many, only the first."""

    def __init__(self, problems: str | Sequence[str]) -> None:
        problem_list = (problems,) if isinstance(problems, str) else problems
        self.problems: tuple[str, ...] = tuple(map(shorten_problem, problem_list))
        super().__init__("\n".join(limit_problems(self.problems)))


class SourceError(_ProblemsError):
    """One or more problems in a source package, each with file, row, problem and cure."""


@contextmanager
def prepend_hints(hints: Sequence[str]) -> Iterator[None]:
    """Prepend hints about possible reasons to the problems of a file."""
    try:
        yield
    except SourceError as error:
        raise SourceError([*hints, *error.problems]) from error


class SpacingError(SourceError):
    """A rule asks for more mileposts than boards have."""


class PlaceError(MapkitError):
    """A place name is unknown or ambiguous."""


class RulesError(_ProblemsError):
    """One or more problems in the rules of a game."""


class GapError(RulesError):
    """A figure is missing in the sources of the rules."""


class TableError(_ProblemsError):
    """One or more problems in a table that mapkit ships, each with file and key."""


class UnknownNameError(MapkitError):
    """A name does not exist."""


class ChoiceError(UnknownNameError):
    """An option or its value does not exist, does not apply or contradicts another; the command line exits with 2."""


class VariantError(_ProblemsError):
    """Problems of variants, each with file, row, operation, problem and cure; nothing was applied."""


class WorkspaceError(MapkitError):
    """A folder or file is missing, or may not be read."""


def read_failure(name: str, path: PurePath, error: OSError) -> WorkspaceError:
    """Return the error of a file that the system cannot read, with the file's path if its name does not say it."""
    where = "" if str(path) == name else f" from {path}"
    cure = "; check its name and folder" if isinstance(error, FileNotFoundError) else ""
    return WorkspaceError(f"{name}: cannot be read{where}: {error.strerror or error}{cure}")


class BoardError(MapkitError):
    """The checks found errors in a board, so it was not built; the text lists them."""


class ExportError(MapkitError):
    """A format cannot hold a board, or cannot be used; nothing was written."""


class PrintError(MapkitError):
    """A picture cannot be read or drawn, or does not fit the paper; nothing was written."""


class MissingError(MapkitError):
    """Something beside a board, such as a picture of its background, is missing."""


class OutputError(MapkitError):
    """A file could not be written; the previous files are unchanged."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` for the closest known name, or an empty string.

    A common last word does not make names close: `fresno-ca` is as far from `kelso-ca` as fresno from kelso.
    """
    spelling_by_fold: dict[str, str] = {}
    for spelling in sorted(known):
        spelling_by_fold.setdefault(spelling.casefold(), spelling)
    folded_name = name.casefold()
    near_names = get_close_matches(folded_name, spelling_by_fold, n=_MAX_TRIED, cutoff=_CLOSE_RATIO)
    close_names = [other for other in near_names if _are_stems_close(folded_name, other)]
    return f" (did you mean {spelling_by_fold[close_names[0]]!r}?)" if close_names else ""


_CLOSE_RATIO = 0.6
_MAX_TRIED = 5


def _are_stems_close(one: str, other: str) -> bool:
    """Return whether two names are close even without the common last word of their ids."""
    first_stem, _, last_word = one.rpartition("-")
    second_stem, _, other_last_word = other.rpartition("-")
    if not first_stem or not second_stem or last_word != other_last_word:
        return True
    return SequenceMatcher(None, second_stem, first_stem).ratio() >= _CLOSE_RATIO
