"""Picture of all different cards of a game side by side, with the track of share values below."""

from typing import Final

from mapkit.drawing.canvas import Canvas
from mapkit.kinds.cards.render.cards import all_faces
from mapkit.kinds.cards.render.face import face_attributes
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen
from mapkit.kinds.cards.render.track import draw_line

_GAP_MM: Final = 4.0
_CARDS_A_ROW: Final = 8
_LINE_HEIGHT_MM: Final = 12.0


def draw_cards(job: CardJob) -> str:
    """Return all different cards and the track as one SVG in millimetres.

    Each card and each space of the track is a group with its id and data.
    """
    faces = all_faces(job)
    column_width, row_height = (side + _GAP_MM for side in job.size)
    row_count = -(-len(faces) // _CARDS_A_ROW)
    track_top = row_count * row_height + _GAP_MM
    line_count = len(job.game.track)
    track_columns = max(1, round(_CARDS_A_ROW * column_width / 180.0))
    lines_a_column = -(-line_count // track_columns)
    picture_size = (
        _CARDS_A_ROW * column_width + _GAP_MM,
        track_top + lines_a_column * _LINE_HEIGHT_MM + (_GAP_MM if line_count else 0.0),
    )
    canvas = Canvas(picture_size, job.theme, title=job.title, description=job.game.description or job.title)
    pen = CardPen(canvas, canvas.layer)
    for number, face in enumerate(faces):
        row, column = divmod(number, _CARDS_A_ROW)
        face_pen = pen.inside(
            {
                **face_attributes(face),
                "transform": f"translate({_GAP_MM + column * column_width:g} {_GAP_MM + row * row_height:g})",
            }
        )
        face.draw(face_pen)
        face_pen.box((0, 0, *job.size), edge=job.theme.quiet_ink, width=0.2)
    track_column_width = (picture_size[0] - _GAP_MM) / track_columns
    for number, space in enumerate(job.game.track):
        column, line = divmod(number, lines_a_column)
        x, y = _GAP_MM + column * track_column_width, track_top + (lines_a_column - 1 - line) * _LINE_HEIGHT_MM
        draw_line(pen, job, space, (x, y, x + track_column_width - _GAP_MM, y + _LINE_HEIGHT_MM))
    return canvas.to_text()
