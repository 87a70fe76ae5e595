"""TOML of files that people write: whatever is wrong with it becomes a message with the file and a cure."""

import re
import tomllib
from typing import Any

from mapkit.core.characters import refuse_characters, refuse_escapes
from mapkit.core.errors import SourceError


def parse_toml(text: str, *, file: str) -> dict[str, Any]:
    """Return the data of a TOML text.

    Args:
        text: The file's.
        file: What to call it in messages.

    Raises:
        SourceError: It is not TOML, is nested too deeply, or holds a number of thousands of digits or a character that
            no text may hold.
    """
    refuse_characters(text, file=file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(_not_toml(error, text, file)) from error
    except RecursionError as error:
        raise SourceError(f"{file}: nested too deeply; flatten it") from error
    except ValueError as error:  # what Python's own conversion of numbers says
        raise SourceError(f"{file}: a number in it has thousands of digits; shorten it") from error
    refuse_escapes(text, file=file, data=data)
    return data


def _not_toml(error: tomllib.TOMLDecodeError, text: str, file: str) -> str:
    what = str(error)
    place = re.search(r" \(at line (\d+), column (\d+)\)$", what)
    row = place[1] if place else text.rstrip().count("\n") + 1
    what = (
        f"{what[: place.start()]} at column {place[2]}" if place else what.replace("(at end of document)", "at the end")
    )
    return f"{file}:{row}: not valid TOML: {what[:1].lower()}{what[1:]}; correct it"
