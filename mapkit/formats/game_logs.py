"""Logs of games as JSON lines: reading with limits, checks of values, writing."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from mapkit.core.characters import refuse_escapes
from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.formats.json_reading import json_error_message

H = TypeVar("H", bound=BaseModel)

MOST_LINES: Final = 200_000
LONGEST_LINE: Final = 100_000
_MOST_SHOWN: Final = 60


@dataclass(frozen=True)
class GivenLog:
    """Log to judge, and what a user says of it.

    Attributes:
        text: Its lines.
        file: Its name, for messages.
        board: The board; None for the one that the log names.
        variants: Variants of the board; None for those that the log names, if it names the board too.
        workspace: Where boards are looked for.
        progress: Called with each stage.
        lenient: Whether steps that follow from others may be left out.
    """

    text: str
    file: str
    board: str | Path | None
    variants: Sequence[str] | None
    workspace: str | Path | None
    progress: Progress
    lenient: bool = False

    def choose_board(self, logged: str, logged_variants: Sequence[str]) -> tuple[str | Path, Sequence[str]]:
        """Return the board to load and its variants, of those that the user and the log name."""
        variants = self.variants if self.variants is not None else logged_variants if self.board is None else ()
        return logged if self.board is None else self.board, variants


def read_log_objects(text: str, *, file: str) -> list[dict[str, Any]]:
    """Return the objects of a log, a line each.

    Raises:
        SourceError: It is not a log, with line and cure.
    """
    refuse_escapes(text, file=file)
    lines = text.splitlines()
    if not lines:
        raise SourceError(f"{file}: it is empty; the first line of a log says what was played")
    if len(lines) > MOST_LINES:
        raise SourceError(f"{file}: it has {len(lines):,} lines; a log may have {MOST_LINES:,}")
    return [_parse_line(line, file, row) for row, line in enumerate(lines, start=1)]


def read_log(text: str, head_type: type[H], *, file: str) -> tuple[H, list[dict[str, Any]]]:
    """Return the head and the other objects of a log.

    Raises:
        SourceError: It is not a log, with line and cure.
    """
    objects = read_log_objects(text, file=file)
    try:
        return head_type.model_validate(objects[0]), objects[1:]
    except ValidationError as error:
        raise SourceError(f"{file}:1: {invalid_value_message(error.errors()[0])}") from error


def _parse_line(line: str, file: str, row: int) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise SourceError(f"{file}:{row}: the line has {len(line):,} characters; write one step a line")
    try:
        parsed_value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError(json_error_message(error, file=file, row=row)) from error
    if not isinstance(parsed_value, dict):
        raise SourceError(f"{file}:{row}: the line holds {_short_repr(parsed_value)}; write an object, {{...}}")
    return parsed_value


def check_log_value(where: str, key: str, value: object, fits: Callable[[Any], bool], cure: str) -> None:
    """Refuse a value of a log that does not fit.

    Raises:
        SourceError: With line, key, value and cure.
    """
    try:
        is_valid = fits(value)
    except TypeError:  # a list or an object where an id should be
        is_valid = False
    if not is_valid:
        raise SourceError(f"{where}: {key} is {_short_repr(value)}; {cure}")


def _short_repr(value: object) -> str:
    full_text = repr(value)
    return "missing" if value is None else full_text if len(full_text) <= _MOST_SHOWN else f"{full_text[:57]}..."


def write_log(path: str | Path, lines: Iterable[object]) -> None:
    """Write a log, a JSON line a step.

    Raises:
        OutputError: The log cannot be written; what was there is unchanged.
    """
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_files(Path(path).parent, {Path(path).name: text})
