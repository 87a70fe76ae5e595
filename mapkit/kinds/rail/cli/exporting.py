"""Variants made of edited files, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.api.exchange import EditedVariant


def show_edited(made: "EditedVariant", file: "Path", name: str, *, as_json: bool) -> None:
    """Print the written operations, and the differences that none expresses."""
    if made.path is not None and not as_json:
        numbered = enumerate(made.variant.operations, 1)
        print_result("\n".join(f"{number}. {one.kind}: {one.reason}" for number, one in numbered))
    for line in made.left:
        print_message(f"no operation says this: {line}")
    if made.path is None:
        print_message(f"{file.name} holds {made.base.title} as it was; nothing written")
    else:
        print_message(f"written: {made.path}; look: mapkit variant check {name}")
