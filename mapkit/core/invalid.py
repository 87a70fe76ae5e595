"""What is wrong with a value, in words: the one place that puts pydantic's errors into messages."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import ErrorDetails

from mapkit.core.base import COLOUR, SLUG

_LONGEST: Final = 100
_FORMS: Final = {
    COLOUR: "write a colour as #rrggbb, in lower case, such as #1e7d4f",
    SLUG: "write small letters and digits, joined by hyphens, such as new-york-ny",
    "^[A-Z]{3}$": "write three capitals, such as USD",
}
_NUMBER: Final = "write a number"
_WHOLE: Final = "write a whole number"
_TEXT: Final = "write a text"
_TRUTH: Final = "write true or false"
_LIST: Final = "write a list"
_KEYS: Final = "write keys with values"
_SHAPES: Final = {
    "float_type": _NUMBER, "float_parsing": _NUMBER, "finite_number": "write a finite number",
    "int_type": _WHOLE, "int_parsing": _WHOLE, "int_parsing_size": _WHOLE, "int_from_float": _WHOLE,
    "string_type": _TEXT, "string_unicode": "write a text of valid characters",
    "bool_type": _TRUTH, "bool_parsing": _TRUTH,
    "list_type": _LIST, "tuple_type": _LIST, "set_type": _LIST, "frozen_set_type": _LIST,
    "dict_type": _KEYS, "mapping_type": _KEYS, "model_type": _KEYS, "model_attributes_type": _KEYS,
    "dataclass_type": _KEYS, "extra_forbidden": "this key is unknown; remove it", "missing": "it is missing; add it",
    "none_required": "leave it out", "recursion_loop": "it holds itself; write it out",
}  # fmt: skip
_BOUNDS: Final = {
    "greater_than": ("gt", "write a number above {}"),
    "greater_than_equal": ("ge", "write {} or more"),
    "less_than": ("lt", "write a number below {}"),
    "less_than_equal": ("le", "write {} or less"),
    "multiple_of": ("multiple_of", "write a multiple of {}"),
    "string_too_short": ("min_length", "write {} characters or more"),
    "string_too_long": ("max_length", "write {} characters or less"),
    "too_short": ("min_length", "give {} or more"),
    "too_long": ("max_length", "give {} or less"),
    "literal_error": ("expected", "write {}"),
    "enum": ("expected", "write {}"),
    "union_tag_invalid": ("expected_tags", "write one of {}"),
    "json_invalid": ("error", "not valid JSON: {}"),
}
"""For each type of error, which value of it goes into the words."""


def dotted(item: ErrorDetails) -> str:
    """Return where the value stands: `spacing.gap_mi`."""
    return ".".join(map(str, item["loc"]))


def fault(item: ErrorDetails) -> str:
    """Return what to write instead of the value, to follow a colon: `write a number above 0`."""
    kind, context = item["type"], item.get("ctx", {})
    if kind in _SHAPES:
        return _SHAPES[kind]
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return words.format(_plain(context, key))
    if kind == "string_pattern_mismatch":
        return _FORMS.get(str(context.get("pattern")), "it has letters or signs that cannot stand there; correct it")
    message = item["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def invalid(item: ErrorDetails, *, where: str = "", otherwise: str = "") -> str:
    """Return the whole sentence: `spacing.gap_mi is -3: write a number above 0`, `title is missing; add it`.

    Args:
        item: An error of pydantic.
        where: What to call the value; its dotted place by default.
        otherwise: What else would help: `build it again`.
    """
    if item["type"] == "missing":
        what = f"{where or dotted(item)} is missing; add it"
    else:
        what = f"{where or dotted(item)} is {_short(item['input'])}: {fault(item)}"
    if not otherwise:
        return what
    says_cure = item["type"] in _SHAPES or item["type"] in _BOUNDS or item["type"] == "string_pattern_mismatch"
    return f"{what}, or {otherwise}" if says_cure else f"{what}; correct it, or {otherwise}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < _LONGEST else text[: _LONGEST - 3] + "..."


def _plain(context: Mapping[str, Any], key: str) -> object:
    value = context.get(key)
    return int(value) if isinstance(value, float) and value.is_integer() else value
