"""All different cards of a game side by side in one picture, with the track of share values below them."""

from typing import Final

from mapkit.drawing.canvas import Canvas
from mapkit.kinds.cards.render.cards import all_faces
from mapkit.kinds.cards.render.face import attributes_of
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen
from mapkit.kinds.cards.render.track import draw_line

_GAP: Final = 4.0
_COLUMNS: Final = 8
_LINE: Final = 12.0


def draw_cards(job: CardJob) -> str:
    """Return all different cards and the track as one SVG in millimetres: a group for each, with its id and data."""
    faces = all_faces(job)
    wide, high = (side + _GAP for side in job.size)
    rows = -(-len(faces) // _COLUMNS)
    below = rows * high + _GAP
    lines = len(job.game.track)
    columns = max(1, round(_COLUMNS * wide / 180.0))
    deep = -(-lines // columns)
    size = (_COLUMNS * wide + _GAP, below + deep * _LINE + (_GAP if lines else 0.0))
    canvas = Canvas(size, job.theme, title=job.title, description=job.game.description or job.title)
    pen = CardPen(canvas, canvas.layer)
    for number, face in enumerate(faces):
        row, column = divmod(number, _COLUMNS)
        group = pen.inside(
            {**attributes_of(face), "transform": f"translate({_GAP + column * wide:g} {_GAP + row * high:g})"}
        )
        face.draw(group)
        group.box((0, 0, *job.size), edge=job.theme.quiet_ink, width=0.2)
    across = (size[0] - _GAP) / columns
    for number, space in enumerate(job.game.track):
        column, line = divmod(number, deep)
        x, y = _GAP + column * across, below + (deep - 1 - line) * _LINE
        draw_line(pen, job, space, (x, y, x + across - _GAP, y + _LINE))
    return canvas.to_text()
