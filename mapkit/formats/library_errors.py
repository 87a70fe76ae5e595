"""What libraries say of a foreign file that they cannot read, in words of our own: GDAL, SQLite, networkx, msgspec."""

import re
from typing import Final

_LONGEST: Final = 60
_TYPES: Final = {"str": "a text", "int": "a number", "float": "a number", "array": "a list", "object": "an object",
                 "bool": "true or false", "null": "nothing"}  # fmt: skip
_SAID: Final = tuple((re.compile(pattern, re.DOTALL), words) for pattern, words in (
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
"""What is looked for in the text of an error, the first that fits, and the words for it."""


def translate_error(error: BaseException) -> str:
    """Return what is wrong with a file: `its database is damaged`; of what is not known, `it is damaged`.

    Args:
        error: What a library raised while it read the file.
    """
    text = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
    for pattern, words in _SAID:
        found = pattern.search(text)
        if found is not None:
            return _worded(words, found)
    return "it is damaged"


def _worded(words: str, found: re.Match[str]) -> str:
    said = {name: (text or "")[:_LONGEST] for name, text in found.groupdict().items()}
    at = said.get("at", "")
    if "want" not in said:
        return words.format(**said | {"at": f"{at}." if at else ""})
    want, got = (_TYPES.get(said[name], said[name]) for name in ("want", "got"))
    return f"{at or 'the whole'} is {got}, not {want}"
