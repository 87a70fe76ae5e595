"""CSV for card makers such as nanDECK: a row a card, with its figures, and a picture of each face beside."""

from typing import Final

from mapkit.core.csvtext import csv_text
from mapkit.exchange.plan import Exported
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
_BACK: Final = ("level", "cost", "income", "gone-at")
_LOSSES: Final = ("rules, the track of share values, tokens, decks and money", "effects of investors, except in words")


def card_rows(job: CardJob) -> list[dict[str, object]]:
    """Return a row for each card that looks different, with how many there are."""
    out = []
    for ident, faces, count in card_plans(job):
        front = faces[0]
        back = faces[1] if len(faces) > 1 else back_face(job, front.kind)
        row: dict[str, object] = {"id": ident, "kind": front.kind, "title": front.title, "count": count}
        row |= {"front": _picture(front), "back": _picture(back)}
        row |= {name: value for name, value in front.data.items() if name in COLUMNS and name != "count"}
        if len(faces) > 1:
            row |= {f"back-{name}": back.data[name] for name in _BACK}
        out.append(row)
    return out


def _picture(face: CardFace) -> str:
    return f"cards/{face.id}.png"


def _write(asked: CardExport) -> Exported:
    job = asked.job
    rows = card_rows(job)
    text = csv_text([list(COLUMNS), *([_cell(row.get(name, "")) for name in COLUMNS] for row in rows)])
    files: dict[str, str | bytes] = {f"{asked.stem}-cards.csv": text}
    for _, faces, _ in card_plans(job):
        for face in (*faces, back_face(job, faces[0].kind)):
            if _picture(face) not in files:
                files[_picture(face)] = svg_to_png(face_svg(job, face)[0], _DPI, name=face.id)
    return Exported(files, _LOSSES)


def _cell(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


FORMAT = CardFormat(
    "csv",
    "CSV for card makers (nanDECK)",
    (".csv",),
    "a row a card with its figures, and each face as PNG",
    _LOSSES,
    _write,
)
