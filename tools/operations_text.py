"""The commands of railroad boards as Markdown: every one, with the values that its keys take, and their defaults."""

import inspect
import re
import textwrap
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from board_file_text import MARK, filled
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mapkit.document.command import Command, Makes, Names
from mapkit.kinds.rail.variants.variant import Variant

GROUPS = {
    "Mileposts and other places": (
        "add-milepost", "edit-place", "delete-place",
    ),
    "Track": (
        "add-line", "add-piece", "delete-piece", "delete-segments", "reassign-segments", "add-junction",
    ),
    "Lines of station lists": (
        "edit-line", "delete-line", "split-line", "join-lines", "copy-line",
        "extend-line", "reshape-line", "add-stop", "delete-stop", "set-stop-kind",
        "respace-lines", "place-drawings",
    ),
    "Railroads": ("add-railroad", "edit-railroad", "delete-railroad", "merge-railroads", "split-railroad"),
    "Regions and cities": (
        "add-region", "edit-region", "delete-region", "add-city", "edit-city",
        "delete-city", "twin-cities", "change-id",
    ),
    "Payoff chart": (
        "set-payoff", "set-payoffs", "scale-payoffs", "recompute-payoffs", "import-payoffs", "start-payoffs",
        "clear-payoffs",
    ),
    "Destination charts": (
        "set-destination", "swap-destinations", "set-chart", "clear-charts", "solve-destinations", "set-declared",
        "set-wanted",
    ),
    "Rules": ("set-rule", "switch-option", "choose-preset", "edit-rules", "add-house-rule", "delete-house-rule"),
    "The board": (
        "edit-board", "restrict-board", "set-settings", "reorder", "put-control-point",
        "delete-control-point", "accept-finding", "unaccept-finding",
    ),
    "Several changes at once": ("batch", "set-rows"),
}  # fmt: skip
"""The operations by topic, in the order of the page; a test sees that all are there."""

NAMED = {
    "node": "milepost or junction",
    "sections": "segment",
    "segments": "segment",
    "way": "milepost",
    "item": "city or region",
}
"""What ids are of, where commands say it shorter."""

_SIMPLE = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    dict: "table",
    object: "any value",
}
_BOUNDS = {"gt": "more than {}", "ge": "{} or more", "lt": "less than {}", "le": "up to {}"}


def operations_text() -> str:
    """Return `docs/reference/operations.md`: all operations, by topic."""
    parts = []
    for title, words in GROUPS.items():
        parts += [f"## {title}", ""]
        for word in words:
            parts += [*_operation(word, Variant.commands[word]), ""]
    operations = "\n".join(parts).strip()
    return filled("operations", {"mark": MARK.format(page="operations"), "operations": operations})


def _operation(word: str, model: type[Command]) -> list[str]:
    """Return an operation: its keys first, because the words of its description name them."""
    rows = list(_rows(model, ""))
    text = re.sub(r"\s*\n\s*", " ", inspect.cleandoc(model.__doc__ or ""))
    words = textwrap.fill(text, 120, break_on_hyphens=False)
    return [f"### `{word}`", "", words, "", "| key | value | default |", "| --- | --- | --- |", *rows]


def _rows(model: type[BaseModel], before: str) -> list[str]:
    out = []
    for name, field in model.model_fields.items():
        if not before and name in ("kind", "reason"):
            continue
        inner = model_in(field.annotation)
        said = f"; {field.description[0].lower()}{field.description[1:]}" if field.description else ""
        value = "table" if inner is not None else value_text(field.annotation, field.metadata)
        out.append(f"| `{before}{name}` | {_cell(value + said)} | {default_text(field)} |")
        if inner is not None and not before:
            out += _rows(inner, f"{name}.")
    return out


def model_in(annotation: object) -> type[BaseModel] | None:
    """Return the model that a value is, if it is one."""
    found = [arg for arg in (annotation, *get_args(annotation)) if isinstance(arg, type) and issubclass(arg, BaseModel)]
    return found[0] if found and get_origin(annotation) not in (tuple, dict) else None


def default_text(field: FieldInfo) -> str:
    """Return the default of a key, as TOML has it."""
    if field.is_required():
        return "needed"
    value = field.get_default(call_default_factory=True)
    if value is None or value in ((), {}, "") or isinstance(value, BaseModel):
        return "-"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def value_text(annotation: Any, metadata: list[Any]) -> str:  # noqa: ANN401, PLR0911 - types as typing has them
    """Return what a key takes, in words."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        flat = [m for one in more for m in (one.metadata if isinstance(one, FieldInfo) else [one])]
        return value_text(inner, [*flat, *metadata])
    if origin in (Union, types.UnionType):
        kinds = [arg for arg in get_args(annotation) if arg is not type(None)]
        if len(kinds) > 2:  # noqa: PLR2004 - what a rule may be set to
            return "any value"
        return _either([value_text(arg, metadata) for arg in kinds])
    if origin is Literal:
        return _either([f"`{value}`" for value in get_args(annotation)])
    if origin is tuple:
        return _list(get_args(annotation), metadata)
    if origin is dict:
        key, value = get_args(annotation)
        return f"table of {value_text(value, [])} by {value_text(key, metadata)}"
    named = next((m for m in metadata if isinstance(m, (Names, Makes))), None)
    if named is not None:
        what = NAMED.get(named.what, named.what)
        return f"id of a new {what}" if isinstance(named, Makes) else f"id of a {what}"
    return _SIMPLE.get(origin or annotation, "text") + _bounds(metadata)


def _list(args: tuple[Any, ...], metadata: list[Any]) -> str:
    items = [arg for arg in args if arg is not Ellipsis]
    if len(items) == 2 and len(args) == 2:  # noqa: PLR2004 - a point
        return "`[lon, lat]`"
    named = [m for m in metadata if isinstance(m, (Names, Makes))]
    one = value_text(items[0], named)
    least = next((m.min_length for m in metadata if hasattr(m, "min_length") and m.min_length > 1), 0)
    plural = re.sub(r"^id of an? (new )?(.*)$", r"ids of \1\2s", one).replace("citys", "cities")
    plural = plural.replace("city or regions", "cities or regions").replace(
        "milepost or junctions", "mileposts or junctions"
    )
    return f"list of {plural}" + (f", {least} or more" if least else "")


def _either(values: list[str]) -> str:
    return " or ".join(part for part in (", ".join(values[:-1]), values[-1]) if part)


def _bounds(metadata: list[Any]) -> str:
    limits = {name: getattr(m, name) for m in metadata for name in _BOUNDS if getattr(m, name, None) is not None}
    if {"ge", "le"} <= limits.keys():
        return f", {_figure(limits['ge'])} to {_figure(limits['le'])}"
    said = [text.format(_figure(limits[name])) for name, text in _BOUNDS.items() if name in limits]
    return f", {' and '.join(said)}" if said else ""


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
