"""What `mapkit variant from` does."""

from pathlib import Path

from mapkit.api_exchange import variant_from
from mapkit.cli.printing import result, talk
from mapkit.jsontext import json_text


def edited(
    file: Path, name: str, *, of: str | None, title: str, overwrite: bool, workspace: Path | None, as_json: bool
) -> int:
    """Run `mapkit variant from`; return the exit code."""
    made = variant_from(file, name, of=of, title=title, overwrite=overwrite, workspace=workspace)
    if as_json:
        path = None if made.path is None else str(made.path)
        result(json_text({"variant": made.variant, "file": path, "left": list(made.left)}))
    elif made.path is not None:
        result("\n".join(f"{number}. {op.op}: {op.reason}" for number, op in enumerate(made.variant.operations, 1)))
    for line in made.left:
        talk(f"no operation says this: {line}")
    if made.path is None:
        talk(f"{file.name} holds {made.base.title} as it was; nothing written")
    else:
        talk(f"written: {made.path}; look: mapkit variant check {name}")
    return 1 if made.left else 0
