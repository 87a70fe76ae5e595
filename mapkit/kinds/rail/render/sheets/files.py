"""Sheets as files: fronts and backs, and a list of them."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.errors import OutputError
from mapkit.core.jsontext import json_text
from mapkit.drawing.sheet import Sheet

LIST: Final = "sheets.json"
"""The file that lists the others."""

_LONGEST: Final = 200


def sheet_files(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return the files of sheets by name: a front each, a back once however many cards have it, and a list.

    Raises:
        OutputError: The id of a railroad is too long for the name of a file.
    """
    files: dict[str, str] = {}
    backs: dict[str, str] = {}
    rows = []
    for sheet in sheets:
        name = f"{sheet.id}.svg"
        if len(name) > _LONGEST:
            raise OutputError(f"{name}: too long for the name of a file; give the railroad a shorter id")
        files[name] = sheet.svg
        if sheet.back is not None and sheet.back not in backs:
            backs[sheet.back] = f"back-{sheet.id.split('-')[0]}.svg"
            files[backs[sheet.back]] = sheet.back
        rows.append(
            {
                "file": name,
                "back": None if sheet.back is None else backs[sheet.back],
                "id": sheet.id,
                "title": sheet.title,
                "kind": sheet.kind,
                "width_mm": sheet.width_mm,
                "height_mm": sheet.height_mm,
            }
        )
    return files | {LIST: json_text(rows)}
