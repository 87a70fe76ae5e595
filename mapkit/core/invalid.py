"""What is wrong with a value, in words: the one place that puts pydantic's errors into messages."""

from typing import Final

from pydantic_core import ErrorDetails

from mapkit.core.base import COLOUR, SLUG

_LONGEST: Final = 100
_FORMS: Final = {
    COLOUR: "write a colour as #rrggbb, in lower case, such as #1e7d4f",
    SLUG: "write small letters and digits, joined by hyphens, such as new-york-ny",
}


def dotted(item: ErrorDetails) -> str:
    """Return where the value stands: `spacing.gap_mi`."""
    return ".".join(map(str, item["loc"]))


def fault(item: ErrorDetails) -> str:
    """Return what is wrong with the value, to follow a colon: `input should be greater than 0`."""
    if item["type"] == "string_pattern_mismatch":
        form = _FORMS.get(str(item.get("ctx", {}).get("pattern")))
        if form is not None:
            return form
    message = item["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def invalid(item: ErrorDetails, *, where: str = "") -> str:
    """Return the whole sentence: `spacing.gap_mi is -3: input should be greater than 0`, `title is missing; add it`.

    Args:
        item: An error of pydantic.
        where: What to call the value; its dotted place by default.
    """
    if item["type"] == "missing":
        return f"{where or dotted(item)} is missing; add it"
    value = repr(item["input"])
    value = value if len(value) < _LONGEST else value[: _LONGEST - 3] + "..."
    return f"{where or dotted(item)} is {value}: {fault(item)}"
