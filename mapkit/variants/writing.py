"""Writing a variant as the TOML that `mapkit.variants.reading` reads."""

import json
from collections.abc import Mapping

from mapkit.variants.variant import Variant

_FIRST = ("name", "title", "description", "board")


def variant_text(variant: Variant) -> str:
    """Return the text of `variants/<name>.toml`; what is as by default is left out."""
    said = variant.model_dump(mode="json", exclude={"operations"}, exclude_none=True, exclude_defaults=True)
    order = [*_FIRST, *(key for key in ("rules", "variants", "after") if key in said)]
    lines = [f"{key} = {toml_value(said[key])}" for key in order if key in said]
    for operation in variant.operations:
        given = operation.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        reason = given.pop("reason")
        if "file" in given:  # the chart stands there
            given = {key: value for key, value in given.items() if key not in ("cities", "thousands")}
        lines += ["", "[[operations]]", f"op = {toml_value(operation.kind)}"]
        lines += [f"{key} = {toml_value(value)}" for key, value in given.items() if key != "kind"]
        lines.append(f"reason = {toml_value(reason)}")
    return "\n".join(lines) + "\n"


def toml_value(value: object) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a basic TOML string, except for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items() if item is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e15 else repr(value)  # noqa: PLR2004
    return repr(value)


def toml_key(key: object) -> str:
    """Return a key as TOML."""
    text = str(key)
    bare = text.replace("-", "").replace("_", "")
    return text if bare.isascii() and bare.isalnum() else json.dumps(text)
