"""Messages about invalid values: the only translation of pydantic's errors."""

from typing import Final

from pydantic_core import ErrorDetails

from mapkit.core.base import COLOUR, SLUG

_MAX_SHOWN: Final = 100
_PATTERN_CURES: Final = {
    COLOUR: "write a colour as #rrggbb, in lower case, such as #1e7d4f",
    SLUG: "write small letters and digits, joined by hyphens, such as new-york-ny",
    "^[A-Z]{3}$": "write three capitals, such as USD",
}
_NUMBER_CURE: Final = "write a number"
_WHOLE_CURE: Final = "write a whole number"
_TEXT_CURE: Final = "write a text"
_TRUTH_CURE: Final = "write true or false"
_LIST_CURE: Final = "write a list"
_KEYS_CURE: Final = "write keys with values"
_CURE_BY_TYPE: Final = {
    "float_type": _NUMBER_CURE, "float_parsing": _NUMBER_CURE, "finite_number": "write a finite number",
    "int_type": _WHOLE_CURE, "int_parsing": _WHOLE_CURE, "int_parsing_size": _WHOLE_CURE, "int_from_float": _WHOLE_CURE,
    "string_type": _TEXT_CURE, "string_unicode": "write a text of valid characters",
    "bool_type": _TRUTH_CURE, "bool_parsing": _TRUTH_CURE,
    "list_type": _LIST_CURE, "tuple_type": _LIST_CURE, "set_type": _LIST_CURE, "frozen_set_type": _LIST_CURE,
    "dict_type": _KEYS_CURE, "mapping_type": _KEYS_CURE, "model_type": _KEYS_CURE, "model_attributes_type": _KEYS_CURE,
    "dataclass_type": _KEYS_CURE,
    "extra_forbidden": "this key is unknown; remove it", "missing": "it is missing; add it",
    "none_required": "leave it out", "recursion_loop": "it holds itself; write it out",
}  # fmt: skip
_BOUND_CURES: Final = {
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


def dotted_location(item: ErrorDetails) -> str:
    """Return the location of the value: `spacing.gap_mi`."""
    return ".".join(map(str, item["loc"]))


def value_cure(item: ErrorDetails) -> str:
    """Return the correction of the value, to follow a colon: `write a number above 0`."""
    error_type, context = item["type"], item.get("ctx", {})
    if error_type in _CURE_BY_TYPE:
        return _CURE_BY_TYPE[error_type]
    if error_type in _BOUND_CURES:
        key, cure_text = _BOUND_CURES[error_type]
        value = context.get(key)
        return cure_text.format(int(value) if isinstance(value, float) and value.is_integer() else value)
    if error_type == "string_pattern_mismatch":
        return _PATTERN_CURES.get(
            str(context.get("pattern")), "it has letters or signs that cannot stand there; correct it"
        )
    message = item["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def invalid_value_message(item: ErrorDetails, *, where: str = "", otherwise: str = "") -> str:
    """Return the whole sentence: `spacing.gap_mi is -3: write a number above 0`, `title is missing; add it`.

    Args:
        item: An error of pydantic.
        where: What to call the value; its dotted place by default.
        otherwise: What else would help: `build it again`.
    """
    if item["type"] == "missing":
        problem_text = f"{where or dotted_location(item)} is missing; add it"
    else:
        problem_text = f"{where or dotted_location(item)} is {_shorten_value(item['input'])}: {value_cure(item)}"
    if not otherwise:
        return problem_text
    says_cure = (
        item["type"] in _CURE_BY_TYPE or item["type"] in _BOUND_CURES or item["type"] == "string_pattern_mismatch"
    )
    return f"{problem_text}, or {otherwise}" if says_cure else f"{problem_text}; correct it, or {otherwise}"


def _shorten_value(value: object) -> str:
    value_text = repr(value)
    return value_text if len(value_text) < _MAX_SHOWN else value_text[: _MAX_SHOWN - 3] + "..."
