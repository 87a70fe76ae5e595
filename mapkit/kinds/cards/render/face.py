"""Face of a card: its id, data and drawing; frames shared by faces, and backs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.render.emblems import draw_engine, draw_rails
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

SAFE: Final = 3.5
"""What stays free of text at the edge of a card, in millimetres."""
BACKS: Final = {
    "railroad": "#2f4a5e",
    "certificate": "#5b4a2c",
    "holding": "#45404f",
    "investor": "#5e2f3b",
    "overview": "#2f5a46",
}
"""Colour of the back of each sort of card."""


@dataclass(frozen=True)
class CardFace:
    """Face of a card.

    Attributes:
        id: Unique among a game's faces: `railroad-b-b-2`.
        kind: `railroad`, `certificate`, `holding`, `investor`, `overview`.
        title: For lists.
        data: What the face says, for programs.
        draw: Draws it.
    """

    id: str
    kind: str
    title: str
    data: Mapping[str, object]
    draw: Callable[[CardPen], None]


def face_svg(job: CardJob, face: CardFace) -> tuple[str, tuple[str, ...]]:
    """Return a face as an independent SVG, and the texts that did not fit."""
    description = job.words("sheet.card", title=face.title)
    canvas = Canvas(job.size, job.theme, title=f"{job.title}: {face.title}", description=description)
    pen = CardPen(canvas, canvas.layer).inside(face_attributes(face))
    face.draw(pen)
    return canvas.to_text(), tuple(pen.cut)


def face_attributes(face: CardFace) -> dict[str, str]:
    """Return the attributes of a face's group."""
    return {"id": face.id, "class": face.kind, **data_attributes({"kind": face.kind, **face.data})}


def text_area(job: CardJob) -> Area:
    """Return the text area of a card."""
    margin_mm = SAFE + 1.0 * job.unit
    return (margin_mm, margin_mm, job.size[0] - margin_mm, job.size[1] - margin_mm)


def draw_ground(pen: CardPen, job: CardJob, colour: str, band: float) -> None:
    """Draw the paper, and a coloured band at the top up to the edge, for the bleed."""
    width, height = job.size
    pen.box((0, 0, width, height), fill=paper_of(job.theme))
    pen.box((0, 0, width, band), fill=colour)
    pen.box((0, band, width, band + 0.7 * job.unit), fill=mix_colours("#000000", colour, 0.45))


def draw_frame(pen: CardPen, job: CardJob, ink: str) -> None:
    """Draw the frame: a line around the face, away from where it is cut."""
    width, height = job.size
    inset_mm = SAFE - 0.7
    pen.box((inset_mm, inset_mm, width - inset_mm, height - inset_mm), edge=ink, width=0.3, radius=1.8 * job.unit)


def draw_head(pen: CardPen, job: CardJob, area: Area, title: str, small: str, fill: str) -> None:
    """Write the sort of a card and its title in the band."""
    u = job.unit
    left, top, right, bottom = area
    ink = ink_on(fill)
    pen.words((left, top, right, top + 4.0 * u), small, TextStyle(points_to_mm(8) * u, fill=ink))
    pen.words(
        (left, top + 3.8 * u, right, bottom), title, TextStyle(points_to_mm(14) * u, bold=True, fill=ink, lines=2)
    )


def back_face(job: CardJob, kind: str) -> CardFace:
    """Return the back of a sort of cards: an engine between rails, and the game's name."""
    title = job.words(f"card.{kind}")

    def draw(pen: CardPen) -> None:
        width, height = job.size
        u = job.unit
        back_colour = job.colour(BACKS[kind])
        rail_colour = mix_colours("#ffffff", back_colour, 0.16)
        pen.box((0, 0, width, height), fill=back_colour)
        gauge = 4.6 * u
        row_count = int((height - 2 * SAFE) / (gauge * 2.1))
        row_step = (height - 2 * SAFE) / row_count
        for row in range(row_count):
            y = SAFE + (row + 0.72) * row_step
            draw_rails(pen, (SAFE, y - gauge, width - SAFE, y), rail_colour, gauge)
        ink, panel = job.theme.ink, job.theme.panel
        title_plate = (SAFE + 3 * u, height / 2 - 21 * u, width - SAFE - 3 * u, height / 2 + 21 * u)
        pen.box(title_plate, fill=panel, edge=ink, width=0.5, radius=3 * u)
        pen.box(shrink_area(title_plate, 1.2 * u), edge=ink, width=0.2, radius=2.2 * u)
        engine_colour = mix_colours(back_colour, panel, 0.85)
        draw_engine(
            pen,
            (title_plate[0] + 7 * u, title_plate[1] + 4 * u, title_plate[2] - 7 * u, title_plate[1] + 21 * u),
            3,
            engine_colour,
            ink,
        )
        draw_rails(
            pen,
            (title_plate[0] + 4 * u, title_plate[1], title_plate[2] - 4 * u, title_plate[1] + 23.6 * u),
            ink,
            3.6 * u,
        )
        title_type = TextStyle(points_to_mm(17) * u, bold=True, align="middle", lines=2)
        pen.words(
            (title_plate[0] + 3 * u, title_plate[1] + 24 * u, title_plate[2] - 3 * u, title_plate[3] - 8.5 * u),
            job.title,
            title_type,
        )
        kind_type = TextStyle(points_to_mm(9) * u, align="middle")
        pen.words(
            (title_plate[0] + 3 * u, title_plate[3] - 8.5 * u, title_plate[2] - 3 * u, title_plate[3] - 2.5 * u),
            title,
            kind_type,
        )

    return CardFace(f"back-{kind}", kind, job.words("sheet.back", kind=title), {"side": "back"}, draw)


def shrink_area(area: Area, by: float) -> Area:
    """Return a box shrunk at each side."""
    return (area[0] + by, area[1] + by, area[2] - by, area[3] - by)
