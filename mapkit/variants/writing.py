"""Writer of a variant as the TOML that `mapkit.variants.reading` reads."""

import json
from collections.abc import Mapping

from mapkit.variants.variant import Variant

_FIRST_KEYS = ("name", "title", "description", "board")


def variant_text(variant: Variant) -> str:
    """Return the text of `variants/<name>.toml`, without default values."""
    head_values = variant.model_dump(mode="json", exclude={"operations"}, exclude_none=True, exclude_defaults=True)
    key_order = [*_FIRST_KEYS, *(key for key in ("rules", "variants", "after") if key in head_values)]
    text_lines = [f"{key} = {toml_value(head_values[key])}" for key in key_order if key in head_values]
    for operation in variant.operations:
        operation_values = operation.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        reason = operation_values.pop("reason")
        if "file" in operation_values:  # the chart stands there
            operation_values = {
                key: value for key, value in operation_values.items() if key not in ("cities", "thousands")
            }
        text_lines += ["", "[[operations]]", f"op = {toml_value(operation.kind)}"]
        text_lines += [f"{key} = {toml_value(value)}" for key, value in operation_values.items() if key != "kind"]
        text_lines.append(f"reason = {toml_value(reason)}")
    return "\n".join(text_lines) + "\n"


def toml_value(value: object) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON string is a basic TOML string, except for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inner_text = ", ".join(
            f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items() if item is not None
        )
        return f"{{ {inner_text} }}" if inner_text else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e15 else repr(value)  # noqa: PLR2004
    return repr(value)


def toml_key(key: object) -> str:
    """Return a key as TOML."""
    key_text = str(key)
    bare_text = key_text.replace("-", "").replace("_", "")
    return key_text if bare_text.isascii() and bare_text.isalnum() else json.dumps(key_text)
