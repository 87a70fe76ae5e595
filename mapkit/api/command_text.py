"""Commands as people and scripts write them: data, JSON, or files of it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import MapkitError
from mapkit.document.command import Command, CommandError, Commands
from mapkit.formats.files import MAX_BYTES, read_text

_NO_QUOTES: Final = "; the shell took the quotes away, as those of Windows do: put the command into a file, and name it"


@dataclass(frozen=True)
class CommandText:
    """Commands as JSON: one, a list, or one a line.

    Attributes:
        text: The JSON.
        where: Where it stands, for messages.
    """

    text: str
    where: str = "the command"


def read_commands(given: Mapping[str, Any] | CommandText | str, known: Commands) -> Iterator[Command]:
    """Yield the commands that somebody gave.

    Args:
        given: A command as data; commands as JSON; or the name of a file of it.
        known: The commands that there are.

    Raises:
        MapkitError: It is something else, or a command is wrong.
    """
    if isinstance(given, Mapping):
        yield known.read(dict(given))
        return
    found = _text(given) if isinstance(given, str) else given
    if len(found.text) > MAX_BYTES:
        raise CommandError(f"{found.where}: more than {MAX_BYTES} characters; split it")
    for number, data in _values(found.text, found.where):
        try:
            yield known.read(data)
        except MapkitError as error:
            raise CommandError(f"{found.where}{number}: {error}") from error


def _text(given: str) -> CommandText:
    if given.lstrip().startswith(("{", "[", "'")):
        return CommandText(given)
    return CommandText(read_text(Path(given), name=given), given)


def _values(text: str, where: str) -> Iterator[tuple[str, Any]]:
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise CommandError(f"{where}: nested too deep") from error
    except ValueError:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
        for number, line in lines:
            try:
                yield f":{number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                hint = "" if '"' in line else _NO_QUOTES
                raise CommandError(f"{where}:{number}: no JSON: {error}{hint}") from error
        return
    rows = data if isinstance(data, list) else [data]
    for number, row in enumerate(rows, start=1):
        yield (f" {number}" if len(rows) > 1 else ""), row
