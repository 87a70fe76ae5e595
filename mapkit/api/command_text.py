"""Commands as people and scripts write them: data, JSON, or files of it."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from mapkit.core.characters import refuse_characters
from mapkit.core.errors import MapkitError
from mapkit.document.command import Command, CommandError, Commands
from mapkit.formats.files import MAX_BYTES, decode_text, read_text
from mapkit.formats.json_reading import json_error_message

_BETWEEN: Final = " \t\n\r,"
_NO_QUOTES: Final = "the shell took the quotes away, as those of Windows do: put the command into a file, and name it"


@dataclass(frozen=True)
class CommandText:
    """Commands as JSON: one, a list, or one a line.

    Attributes:
        text: The JSON.
        where: The name of the file, for messages; empty if it was typed.
    """

    text: str
    where: str = ""


class Placed(NamedTuple):
    """A command and where it stands.

    Attributes:
        command: The command.
        where: For messages: `steps.json:3, command 2 of 4`, `command 2 of 4`; empty if it was typed alone.
    """

    command: Command
    where: str


Given = Mapping[str, Any] | CommandText | str


def typed_commands() -> CommandText:
    """Return the text on standard input, read as UTF-8 on every system."""
    where = "standard input"
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if not data.strip():
        raise CommandError(f"{where}: no command in it; nothing was done")
    return CommandText(decode_text(data, name=where), where)


def read_commands(given: Iterable[Given], known: Commands) -> list[Placed]:
    """Return the commands of the arguments, the file or standard input.

    Args:
        given: Commands as data or as JSON, or names of files of it.
        known: The commands that there are.

    Raises:
        MapkitError: It is something else, or a command is wrong.
    """
    found = [placed for one in given for placed in _values(one)]
    typed = sum(not where for _, where in found)
    out: list[Placed] = []
    number = 0
    for data, stands in found:
        number += not stands
        where = stands or (f"command {number} of {typed}" if typed > 1 else "")
        try:
            out.append(Placed(known.read(data), where))
        except MapkitError as error:
            raise CommandError(f"{where or 'the command'}: {error}") from error
    return out


def _values(given: Given) -> Iterator[tuple[Any, str]]:
    """Yield the data of each command and where it stands in its file."""
    if isinstance(given, Mapping):
        yield dict(given), ""
        return
    found = _text(given) if isinstance(given, str) else given
    if len(found.text) > MAX_BYTES:
        raise CommandError(f"{found.where or 'the command'}: more than {MAX_BYTES} characters; split it")
    refuse_characters(found.text, file=found.where or "the command")
    listed = list(_numbered(found.text, found.where))
    for number, (data, line) in enumerate(listed, start=1):
        which = f", command {number} of {len(listed)}" if len(listed) > 1 else ""
        yield data, f"{found.where}:{line}{which}" if found.where else ""


def _text(given: str) -> CommandText:
    if given.lstrip().startswith(("{", "[", "'")):
        return CommandText(given)
    return CommandText(read_text(Path(given), name=given), given)


def _numbered(text: str, file: str) -> Iterator[tuple[Any, int]]:
    """Yield each value of a list, of lines of JSON or of a JSON text, with its line."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield from _of_lines(text, file, error)
        return
    if not isinstance(data, list):
        yield data, 1
        return
    decoder = json.JSONDecoder()
    at, line, counted = text.index("[") + 1, 1, 0
    for _ in data:
        while text[at] in _BETWEEN:
            at += 1
        line, counted = line + text.count("\n", counted, at), at
        value, at = decoder.raw_decode(text, at)
        yield value, line


def _of_lines(text: str, file: str, whole: Exception) -> Iterator[tuple[Any, int]]:
    """Yield the value of each line; an error of the first line is reported as one of the whole text."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for at, (number, line) in enumerate(lines):
        try:
            yield json.loads(line), number
        except (ValueError, RecursionError) as error:
            wrong, row = (error, number) if at else (whole, 1)
            cure = "correct it" if file or '"' in line else _NO_QUOTES
            raise CommandError(json_error_message(wrong, file=file or "the command", cure=cure, row=row)) from error
