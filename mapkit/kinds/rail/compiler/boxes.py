"""Boxes of a document's page, with their pictures."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from mapkit.core.errors import MapkitError, did_you_mean
from mapkit.core.problems import Problem
from mapkit.document.document import File, Setting
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.settings import setting
from mapkit.kinds.rail.model.boxes import BoardBox, PageBox
from mapkit.kinds.rail.reading import late
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.tables import RailDocument

BOXES: Final = "boxes"
"""The boxes of the page, among what a board says of itself."""


@dataclass(frozen=True)
class FoundBoxes:
    """Boxes by name, and the problems of those that are left out."""

    boxes: dict[str, BoardBox] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@tracked
def find_boxes(db: Reader) -> FoundBoxes:
    """Read the boxes of a document's page; a box with an unusable picture or an unknown name is left out."""
    document: RailDocument = db.document
    if document.is_of_board:
        row = db.rows("compiled").get(BOXES)
        values = cast("dict[str, Any]", row.value) if isinstance(row, Setting) else {}
        return FoundBoxes({name: BoardBox.model_validate(value) for name, value in values.items()})
    boxes: Mapping[str, PageBox] = setting(db, "page").boxes
    found: dict[str, BoardBox] = {}
    problems: list[Problem] = []
    for name, box in boxes.items():
        if trouble := _find_unknown_name(document, box):
            problems.append(
                Problem("settings", f"page.boxes.{name}", f"page.boxes.{name}: {trouble}", file=CONFIG_FILE)
            )
            continue
        content = None
        if box.file is not None:
            file = cast("File | None", db.rows("files").get(box.file))
            if file is None:
                there = sorted(other for other in document.files if other.startswith("pictures/"))
                hint = did_you_mean(box.file, there) or "; put it there, or delete the box"
                text = f"page.boxes.{name}.file names {box.file!r}, which is not in the package{hint}"
                problems.append(Problem("settings", f"page.boxes.{name}.file", text, file=CONFIG_FILE))
                continue
            content = file.content
            try:
                late.measure_picture(base64.b64decode(content), box.file)
            except MapkitError as error:
                problems.append(Problem("settings", f"page.boxes.{name}.file", str(error), file=CONFIG_FILE))
                continue
        found[name] = BoardBox(**box.model_dump(), content=content)
    return FoundBoxes(found, tuple(problems))


def _find_unknown_name(document: RailDocument, box: PageBox) -> str:
    """Return why a city, chart or railroad of a box is unknown; nothing if all are known."""
    known = {
        "inset": ("city", document.cities),
        "destinations": ("destination chart", {"regions": None, **document.regions}),
        "deeds": ("railroad", document.railroads),
    }
    if box.kind not in known:
        return ""
    noun, names = known[box.kind]
    for ident in (*box.only, *([] if box.around is None else [box.around])):
        if ident not in names:
            return f"there is no {noun} {ident!r}{did_you_mean(ident, names)}; name one by its id"
    return ""
