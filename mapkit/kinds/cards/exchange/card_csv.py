"""CSV for card makers such as nanDECK: a row for each card with its figures, and a picture of each face."""

from typing import Final

from mapkit.core.csvtext import csv_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.render.cards import card_plans
from mapkit.kinds.cards.render.face import CardFace, back_face, face_svg
from mapkit.kinds.cards.render.job import CardJob
from mapkit.press.raster import svg_to_png

COLUMNS: Final = (
    *("id", "kind", "title", "count", "front", "back", "holding", "percent", "director", "name", "colour", "operators"),
    *("category", "level", "cost", "income", "gone-at", "back-level", "back-cost", "back-income", "back-gone-at"),
    *("value", "text"),
)
_DPI: Final = 300.0
_BACK_COLUMNS: Final = ("level", "cost", "income", "gone-at")
_LOSSES: Final = ("rules, the track of share values, tokens, decks and money", "effects of investors, except in words")


def card_rows(job: CardJob) -> list[dict[str, object]]:
    """Return a row for each distinct card, with the number of copies."""
    rows = []
    for card_id, faces, count in card_plans(job):
        front_face = faces[0]
        back_side = faces[1] if len(faces) > 1 else back_face(job, front_face.kind)
        row: dict[str, object] = {"id": card_id, "kind": front_face.kind, "title": front_face.title, "count": count}
        row |= {"front": _picture_path(front_face), "back": _picture_path(back_side)}
        row |= {name: value for name, value in front_face.data.items() if name in COLUMNS and name != "count"}
        if len(faces) > 1:
            row |= {f"back-{name}": back_side.data[name] for name in _BACK_COLUMNS}
        rows.append(row)
    return rows


def _picture_path(face: CardFace) -> str:
    return f"cards/{face.id}.png"


def _write_csv(asked: CardExport) -> ExportedBoard:
    job = asked.job
    row_list = card_rows(job)
    csv_content = csv_text([list(COLUMNS), *([_cell_text(row.get(name, "")) for name in COLUMNS] for row in row_list)])
    file_by_name: dict[str, str | bytes] = {f"{asked.stem}-cards.csv": csv_content}
    for _, faces, _ in card_plans(job):
        for face in (*faces, back_face(job, faces[0].kind)):
            if _picture_path(face) not in file_by_name:
                file_by_name[_picture_path(face)] = svg_to_png(face_svg(job, face)[0], _DPI, name=face.id)
    return ExportedBoard(file_by_name, _LOSSES)


def _cell_text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


FORMAT = CardFormat(
    "csv",
    "CSV for card makers (nanDECK)",
    (".csv",),
    "a row a card with its figures, and each face as PNG",
    _LOSSES,
    _write_csv,
)
