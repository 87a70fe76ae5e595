"""Files of sheets: fronts and backs, and a list of them."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.errors import OutputError
from mapkit.core.jsontext import json_text
from mapkit.drawing.sheet import Sheet

LIST: Final = "sheets.json"
"""The file that lists the others."""

_LONGEST_NAME: Final = 200


def list_sheet_files(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return the files of sheets by name: a front for each, a back once for all cards that share it, and a list.

    Raises:
        OutputError: The id of a railroad is too long for the name of a file.
    """
    file_texts: dict[str, str] = {}
    back_names: dict[str, str] = {}
    sheet_rows = []
    for sheet in sheets:
        file_name = f"{sheet.id}.svg"
        if len(file_name) > _LONGEST_NAME:
            raise OutputError(f"{file_name}: too long for the name of a file; give the railroad a shorter id")
        file_texts[file_name] = sheet.svg
        if sheet.back is not None and sheet.back not in back_names:
            back_names[sheet.back] = f"back-{sheet.id.split('-')[0]}.svg"
            file_texts[back_names[sheet.back]] = sheet.back
        sheet_rows.append(
            {
                "file": file_name,
                "back": None if sheet.back is None else back_names[sheet.back],
                "id": sheet.id,
                "title": sheet.title,
                "kind": sheet.kind,
                "width_mm": sheet.width_mm,
                "height_mm": sheet.height_mm,
            }
        )
    return file_texts | {LIST: json_text(sheet_rows)}
