"""The text of `docs/reference/variants.md`: the variants that come with mapkit."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from board_file_text import MARK, filled

ROOT: Final = Path(__file__).resolve().parent.parent
KINDS: Final = {"": "Railroad boards", "hex": "Hexagon boards", "cards": "Card games"}
"""Folder of `variants/` -> what its variants are for."""


def variants_text() -> str:
    """Return `docs/reference/variants.md`."""
    parts: list[str] = []
    for folder, title in KINDS.items():
        parts += ["", f"## {title}", "", "| variant | board | what it does |", "| --- | --- | --- |"]
        parts += _rows(ROOT / "variants" / folder)
    return filled("variants", {"mark": MARK.format(page="variants"), "variants": "\n".join(parts).strip()})


def _rows(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.toml")):
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        about = " ".join(data.get("description", "").split()) or data["title"]
        board = f"`{data['board']}`" if "board" in data else "any"
        yield f"| `{path.stem}` | {board} | {about} |"
