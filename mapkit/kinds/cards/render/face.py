"""A face of a card: its id, its data, and how it is drawn; the frame that faces share, and backs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.render.emblems import engine, rails
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
    """A face.

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
    """Return a face as an SVG of its own, and the texts that did not fit."""
    said = job.words("sheet.card", title=face.title)
    canvas = Canvas(job.size, job.theme, title=f"{job.title}: {face.title}", description=said)
    pen = CardPen(canvas, canvas.layer).inside(attributes_of(face))
    face.draw(pen)
    return canvas.to_text(), tuple(pen.cut)


def attributes_of(face: CardFace) -> dict[str, str]:
    """Return the attributes of a face's group."""
    return {"id": face.id, "class": face.kind, **data_attributes({"kind": face.kind, **face.data})}


def inner(job: CardJob) -> Area:
    """Return what texts have of a card."""
    edge = SAFE + 1.0 * job.unit
    return (edge, edge, job.size[0] - edge, job.size[1] - edge)


def ground(pen: CardPen, job: CardJob, colour: str, band: float) -> None:
    """Draw the paper, and a band of a colour at the top as far as the edge, so that bleed carries it on."""
    width, height = job.size
    pen.box((0, 0, width, height), fill=paper_of(job.theme))
    pen.box((0, 0, width, band), fill=colour)
    pen.box((0, band, width, band + 0.7 * job.unit), fill=mixed("#000000", colour, 0.45))


def frame(pen: CardPen, job: CardJob, ink: str) -> None:
    """Draw the frame: a line around the face, away from where it is cut."""
    width, height = job.size
    edge = SAFE - 0.7
    pen.box((edge, edge, width - edge, height - edge), edge=ink, width=0.3, radius=1.8 * job.unit)


def head(pen: CardPen, job: CardJob, area: Area, title: str, small: str, fill: str) -> None:
    """Set the sort of a card and its title in the band."""
    u = job.unit
    left, top, right, bottom = area
    ink = ink_on(fill)
    pen.words((left, top, right, top + 4.0 * u), small, Type(pt(8) * u, fill=ink))
    pen.words((left, top + 3.8 * u, right, bottom), title, Type(pt(14) * u, bold=True, fill=ink, lines=2))


def back_face(job: CardJob, kind: str) -> CardFace:
    """Return the back of a sort of cards: an engine between rails, and the game's name."""
    title = job.words(f"card.{kind}")

    def draw(pen: CardPen) -> None:
        width, height = job.size
        u = job.unit
        fill = job.colour(BACKS[kind])
        light = mixed("#ffffff", fill, 0.16)
        pen.box((0, 0, width, height), fill=fill)
        gauge = 4.6 * u
        rows = int((height - 2 * SAFE) / (gauge * 2.1))
        step = (height - 2 * SAFE) / rows
        for row in range(rows):
            y = SAFE + (row + 0.72) * step
            rails(pen, (SAFE, y - gauge, width - SAFE, y), light, gauge)
        ink, panel = job.theme.ink, job.theme.panel
        plate = (SAFE + 3 * u, height / 2 - 21 * u, width - SAFE - 3 * u, height / 2 + 21 * u)
        pen.box(plate, fill=panel, edge=ink, width=0.5, radius=3 * u)
        pen.box(drawn_in(plate, 1.2 * u), edge=ink, width=0.2, radius=2.2 * u)
        body = mixed(fill, panel, 0.85)
        engine(pen, (plate[0] + 7 * u, plate[1] + 4 * u, plate[2] - 7 * u, plate[1] + 21 * u), 3, body, ink)
        rails(pen, (plate[0] + 4 * u, plate[1], plate[2] - 4 * u, plate[1] + 23.6 * u), ink, 3.6 * u)
        name = Type(pt(17) * u, bold=True, align="middle", lines=2)
        pen.words((plate[0] + 3 * u, plate[1] + 24 * u, plate[2] - 3 * u, plate[3] - 8.5 * u), job.title, name)
        small = Type(pt(9) * u, align="middle")
        pen.words((plate[0] + 3 * u, plate[3] - 8.5 * u, plate[2] - 3 * u, plate[3] - 2.5 * u), title, small)

    return CardFace(f"back-{kind}", kind, job.words("sheet.back", kind=title), {"side": "back"}, draw)


def drawn_in(area: Area, by: float) -> Area:
    """Return a box drawn in at each side."""
    return (area[0] + by, area[1] + by, area[2] - by, area[3] - by)
