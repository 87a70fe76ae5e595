"""TOML of user files: every error becomes a message with the file and a cure."""

import re
import tomllib
from typing import Any

from mapkit.core.characters import refuse_characters, refuse_escapes
from mapkit.core.errors import SourceError


def parse_toml(text: str, *, file: str) -> dict[str, Any]:
    """Return the data of a TOML text.

    Args:
        text: The file's.
        file: Its name in messages.

    Raises:
        SourceError: It is not TOML, is nested too deeply, or holds a number of thousands of digits or a character that
            no text may hold.
    """
    refuse_characters(text, file=file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(_explain_toml_error(error, text, file)) from error
    except RecursionError as error:
        raise SourceError(f"{file}: nested too deeply; flatten it") from error
    except ValueError as error:  # Python's own conversion of numbers fails
        raise SourceError(f"{file}: a number in it has thousands of digits; shorten it") from error
    refuse_escapes(text, file=file, data=data)
    return data


def _explain_toml_error(error: tomllib.TOMLDecodeError, text: str, file: str) -> str:
    problem_text = str(error)
    place_match = re.search(r" \(at line (\d+), column (\d+)\)$", problem_text)
    row = place_match[1] if place_match else text.rstrip().count("\n") + 1
    problem_text = (
        f"{problem_text[: place_match.start()]} at column {place_match[2]}"
        if place_match
        else problem_text.replace("(at end of document)", "at the end")
    )
    return f"{file}:{row}: not valid TOML: {problem_text[:1].lower()}{problem_text[1:]}; correct it"
