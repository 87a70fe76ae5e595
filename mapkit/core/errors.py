"""What a user can fix.

```
MapkitError            anything below; the command line prints it and exits 1
├── SourceError        a source package, one of its files, rows or keys
├── PlaceError         a place name that cannot be looked up
├── RulesError         rules that contradict themselves, or a setting or option that they do not have
│   └── GapError       a figure that no source of the rules gives
├── TableError         a table that is shipped with mapkit, such as its themes
├── UnknownNameError   a board, railroad, city, region ... that does not exist
│   └── ChoiceError    a theme, format, paper, part ... that is not one of those that there are; exit code 2
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

from mapkit.core.plurals import counted


class MapkitError(Exception):
    """Something that the user can fix; its text says what, where and how."""


MOST_SHOWN = 50
"""More problems are counted, not printed."""


def shown(problems: Sequence[str]) -> list[str]:
    """Return problems as lines to print: of very many the first, and how many more there are."""
    more = len(problems) - MOST_SHOWN
    return [*problems[:MOST_SHOWN], *([f"... and {counted(more, 'more problem')}"] if more > 0 else [])]


_LONG = re.compile(r"(['\"][^'\"\s]{80})[^'\"\s]{20,}(['\"])")


def shortened(problem: str) -> str:
    """Return a problem with each value in quotes of at most 100 letters: the beginning is enough to find it."""
    return _LONG.sub(r"\1...\2", problem)


class _ProblemsError(MapkitError):
    """One or more problems; the text has a line each, and of very many the first."""

    def __init__(self, problems: str | Sequence[str]) -> None:
        listed = (problems,) if isinstance(problems, str) else problems
        self.problems: tuple[str, ...] = tuple(map(shortened, listed))
        super().__init__("\n".join(shown(self.problems)))


class SourceError(_ProblemsError):
    """One or more problems in a source package, each `file:row: what, what to do`."""


@contextmanager
def with_hints(hints: Sequence[str]) -> Iterator[None]:
    """Say before the problems of a file what may be their reason."""
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
    """A figure was asked for that the sources of the rules do not give."""


class TableError(_ProblemsError):
    """One or more problems in a table that is shipped with mapkit, each `file: key: what`."""


class UnknownNameError(MapkitError):
    """A name was given that nothing has."""


class ChoiceError(UnknownNameError):
    """A choice was given that mapkit does not have: a theme, a format, a paper; the command line exits with 2."""


class VariantError(_ProblemsError):
    """Problems of variants, each `file:row: operation: what, what to do`; nothing was applied."""


class WorkspaceError(MapkitError):
    """A folder or file is missing, or may not be read."""


class BoardError(MapkitError):
    """The checks found errors in a board, so it was not built; the text lists them."""


class ExportError(MapkitError):
    """A format cannot hold a board, or cannot be used; nothing was written."""


class PrintError(MapkitError):
    """A picture cannot be read or drawn, or does not fit the paper; nothing was written."""


class MissingError(MapkitError):
    """Something beside a board, such as a picture of its background, that is not there."""


class OutputError(MapkitError):
    """A file could not be written; what was there before is unchanged."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` for the closest known name, or an empty string.

    A last word that both share does not make them close: `fresno-ca` is as far from `kelso-ca` as fresno from kelso.
    """
    by_fold: dict[str, str] = {}
    for spelling in sorted(known):
        by_fold.setdefault(spelling.casefold(), spelling)
    given = name.casefold()
    near = get_close_matches(given, by_fold, n=_TRIED, cutoff=_CLOSE)
    close = [other for other in near if _close_but_for_the_end(given, other)]
    return f" (did you mean {by_fold[close[0]]!r}?)" if close else ""


_CLOSE = 0.6
_TRIED = 5


def _close_but_for_the_end(one: str, other: str) -> bool:
    """Return whether two names are close without the last word of an id, if they share it."""
    first, _, end = one.rpartition("-")
    second, _, its_end = other.rpartition("-")
    if not first or not second or end != its_end:
        return True
    return SequenceMatcher(None, second, first).ratio() >= _CLOSE
