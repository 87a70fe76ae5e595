"""Values of nested data, each with all its possible names: keys, indices and texts beside it."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.table import MAX_CELLS

_MAX_RECORD_ITEMS: Final = 100
"""Most items of a record, a list or object in which texts name the values beside them."""
_MAX_NAMING_FIGURES: Final = 12
"""The same, if figures are to be names too."""
_NAME_KEYS: Final = ("name", "city", "id", "label")


class JsonValue(NamedTuple):
    """A text, number or null of nested data.

    Args:
        value: What stands there.
        path: Where, such as `$.payoffs['Albany'][3]`.
        kinds: How it is nested: `k` for a key and `i` for an index, a letter a level.
        names: What names it, by slot: `k0` is the key (or index) of the first level, `s1.city` what stands at `city`
            in the object of the second level.
    """

    value: Plain
    path: str
    kinds: str
    names: Mapping[str, str]


def list_values(data: Plain, *, file: str) -> list[JsonValue]:
    """Return all values of nested data, in its order.

    Raises:
        SourceError: There are more than a million.
    """
    json_values: list[JsonValue] = []
    for json_value in _walk_values(data, "$", "", {}):
        json_values.append(json_value)
        if len(json_values) > MAX_CELLS:
            raise SourceError(f"{file}: more than {MAX_CELLS:,} values; a chart of 1000 cities has that many")
    return json_values


def _walk_values(data: Plain, path: str, kinds: str, names: dict[str, str]) -> Iterator[JsonValue]:
    if not isinstance(data, dict | list):
        yield JsonValue(data, path, kinds, names)
        return
    level = len(kinds)
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data))
    allows_figures = len(items) <= _MAX_NAMING_FIGURES
    naming_items = (
        [item for item in items if allows_figures or not isinstance(item[1], Digits)]
        if len(items) <= _MAX_RECORD_ITEMS
        else []
    )
    naming_texts = [(key, text) for key, value in naming_items if (text := name_of(value))]
    sibling_names = {f"s{level}.{key}": text for key, text in naming_texts}
    kind = "k" if isinstance(data, dict) else "i"
    for key, value in items:
        child_path = path_to(path, key)
        other_names = {slot: text for slot, text in sibling_names.items() if slot != f"s{level}.{key}"}
        yield from _walk_values(
            value, child_path, kinds + kind, {**names, **other_names, f"{kind}{level}": str(key).strip()}
        )


def name_of(value: Plain) -> str:
    """Return the name that a text, or an object with a name, stands for; empty if it is something else."""
    if isinstance(value, dict):
        return next((name_of(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    return value.strip() if isinstance(value, str) else ""


def path_to(path: str, key: str | int) -> str:
    """Return the path of a key or index below a path."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{key!r}]"
