"""Plain-English translations of library errors about foreign files: GDAL, SQLite, networkx, msgspec."""

import re
from typing import Final

_MAX_DETAIL: Final = 60
_TYPE_NAMES: Final = {"str": "a text", "int": "a number", "float": "a number", "array": "a list", "object": "an object",
                 "bool": "true or false", "null": "nothing"}  # fmt: skip
_TRANSLATIONS: Final = tuple((re.compile(pattern, re.DOTALL), words) for pattern, words in (
    (r"can't decode byte|decode to UTF-8", "a text in it is not UTF-8"),
    (r"database is locked", "another program has it open, which must close it"),
    (r"not recognized as being in a supported file format|file is not a database",
     "it is damaged, or of another format than its name says"),
    (r"disk image is malformed|malformed database|sqlite3_|no such (table|column)|SELECT ", "its database is damaged"),
    (r"Geometry of feature (?P<what>\d+)", "the geometry of feature {what} is damaged"),
    (r"DBF file|\.dbf", "its .dbf is damaged"),
    (r"\.shx|Invalid length for entity", "its .shx is damaged"),
    (r"^missing .?,? ?(or )?[\]\[]|non double value|^build[A-Z]|WKT", "its CRS is not valid"),
    (r"parsing feature|out of bounds for axis", "a feature in it is damaged"),
    (r"No attribute defined for=(?P<what>[^.]+)", "it uses an attribute {what} that it does not define"),
    (r"Bad GraphML data: no key (?P<what>\S+)", "it uses a key {what} that it does not define"),
    (r"could not convert string to \w+: '(?P<what>.*)'", "{what!r} is not a number"),
    (r"invalid literal for int\(\) with base 10: '(?P<what>.*)'", "{what!r} is not a whole number"),
    (r"KeyError: '(?P<what>\w+)'", "a {what} is missing in it"),
    (r"Expected `(?P<want>\w+)[^`]*`, got `(?P<got>\w+)`(?: - at `\$\.?(?P<at>.*)`)?", ""),
    (r"missing required field `(?P<what>\w+)`(?: - at `\$\.?(?P<at>.*)`)?", "{at}{what} is missing"),
))  # fmt: skip
"""Patterns of error texts, the first match counts, with their translations."""


def translate_error(error: BaseException) -> str:
    """Return a plain reason why a file is unreadable, such as `its database is damaged`; by default `it is damaged`.

    Args:
        error: What a library raised while it read the file.
    """
    error_text = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
    for pattern, words in _TRANSLATIONS:
        pattern_match = pattern.search(error_text)
        if pattern_match is not None:
            details = {name: (text or "")[:_MAX_DETAIL] for name, text in pattern_match.groupdict().items()}
            value_path = details.get("at", "")
            if "want" not in details:
                return words.format(**details | {"at": f"{value_path}." if value_path else ""})
            expected_type, actual_type = (_TYPE_NAMES.get(details[name], details[name]) for name in ("want", "got"))
            return f"{value_path or 'the whole'} is {actual_type}, not {expected_type}"
    return "it is damaged"
