"""All cards of a game: their faces, and sheets to print, a sheet for each copy."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.cards.game import CardZone, Certificate, Holding
from mapkit.kinds.cards.render.emblems import draw_emblem, draw_pattern, draw_rails, draw_rosette, draw_top_hat
from mapkit.kinds.cards.render.face import SAFE, CardFace, back_face, draw_frame, draw_ground, face_svg, text_area
from mapkit.kinds.cards.render.investors import investor_faces, overview_face
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen
from mapkit.kinds.cards.render.railroads import railroad_faces

# Certificates, and cards of holdings with their circles (BA-C08 to BA-C14, BA-C31).

_PERCENT_A_PART: Final = 10


def certificate_faces(job: CardJob) -> list[CardFace]:
    """Return the certificates of all holdings."""
    return [_make_certificate(job, holding, one) for holding in job.game.holdings for one in holding.certificates]


def holding_faces(job: CardJob) -> list[CardFace]:
    """Return the cards of the holdings."""
    faces = []
    for one in job.game.holdings:
        face_data = {
            "holding": one.id,
            "name": one.name,
            "short": one.short,
            "colour": one.colour,
            "operators": one.operators,
        }
        zones = [zone.meaning for zone in job.game.zones]
        faces.append(
            CardFace(
                f"holding-{one.id}",
                "holding",
                one.name,
                {**face_data, "zones": zones},
                partial(_draw_holding, job=job, holding=one),
            )
        )
    return faces


def _make_certificate(job: CardJob, holding: Holding, one: Certificate) -> CardFace:
    title = f"{holding.short or holding.name} {job.words.percent(one.percent)}"
    face_data = {"holding": holding.id, "certificate": one.id, "percent": one.percent, "director": one.director}
    return CardFace(
        f"certificate-{one.id}",
        "certificate",
        title,
        face_data,
        partial(_draw_certificate, job=job, holding=holding, one=one),
    )


def _draw_band(pen: CardPen, job: CardJob, holding: Holding, band: float) -> str:
    """Draw the band of a holding: its colour, its pattern, its emblem and its name."""
    u = job.unit
    colour = job.colour(holding.colour)
    draw_ground(pen, job, colour, band)
    left, top, right, _ = text_area(job)
    r = 6.0 * u
    number = job.numbers[holding.id]
    draw_pattern(pen, (0.0, 0.0, job.size[0], band), number, colour, 2.4 * u)
    ink = ink_on(colour)
    name_plate = (left + 2 * r + 0.5 * u, top - 0.6 * u, right + 0.4 * u, band - 1.4 * u)
    pen.box(name_plate, fill=colour, radius=1.2 * u)
    draw_emblem(
        pen, (left + r - 1.2 * u, (top + band) / 2 - 1.0 * u), r, number, job.codes[holding.id], colour, ring=ink
    )
    name_type = TextStyle(points_to_mm(12.5) * u, bold=True, fill=ink, lines=2)
    pen.words((name_plate[0] + 1.0 * u, name_plate[1], name_plate[2] - 0.6 * u, name_plate[3]), holding.name, name_type)
    return colour


def _draw_certificate(pen: CardPen, job: CardJob, holding: Holding, one: Certificate) -> None:
    u, words = job.unit, job.words
    left, _, right, bottom = text_area(job)
    band_foot = SAFE + 15.5 * u
    colour = _draw_band(pen, job, holding, band_foot)
    rosette_colour = mix_colours(mix_colours(job.theme.ink, colour, 0.25), paper_of(job.theme), 0.55)
    foot = bottom - 17.0 * u
    middle = ((left + right) / 2, (band_foot + foot) / 2 + 1.0 * u)
    r = min((right - left) / 2, (foot - band_foot) / 2 - 1.0 * u)
    draw_rosette(pen, middle, r, rosette_colour)
    pen.circle(middle, r * 0.66, fill=paper_of(job.theme), edge=mix_colours(colour, job.theme.ink, 0.5), width=0.35)
    text_offset = r * 0.18 if one.director else 0.0
    percent_type = TextStyle(points_to_mm(27) * u, bold=True, align="middle")
    percent_box = (
        middle[0] - r * 0.6,
        middle[1] - r * 0.35 + text_offset,
        middle[0] + r * 0.6,
        middle[1] + r * 0.35 + text_offset,
    )
    pen.words(percent_box, words.percent(one.percent), percent_type)
    if one.director:
        draw_top_hat(pen, (middle[0], middle[1] - r * 0.34), r * 0.36, job.theme.ink, colour)
    share_text = words("card.director") if one.director else words("card.share")
    share_plate = (left, foot, right, foot + 7.4 * u)
    if one.director:
        pen.box(share_plate, fill=colour, edge=job.theme.ink, width=0.3, radius=1.2 * u)
    share_type = TextStyle(
        points_to_mm(12) * u, bold=True, align="middle", fill=ink_on(colour) if one.director else job.theme.ink
    )
    pen.words(share_plate, share_text, share_type)
    part_count = max(1, round(one.percent / _PERCENT_A_PART))
    price_text = words.count("card.price", part_count)
    pen.words(
        (left, foot + 8.0 * u, right, bottom - 3.6 * u),
        price_text,
        TextStyle(points_to_mm(8) * u, align="middle", lines=2),
    )
    dot_step = min(3.6 * u, (right - left) / part_count)
    for n in range(part_count):
        x = middle[0] + (n - (part_count - 1) / 2) * dot_step
        pen.circle((x, bottom - 1.4 * u), 1.1 * u, fill=colour, edge=job.theme.ink, width=0.2)
    draw_frame(pen, job, mix_colours(job.theme.ink, colour, 0.5))


def _draw_holding(pen: CardPen, job: CardJob, holding: Holding) -> None:
    u, words = job.unit, job.words
    left, _, right, bottom = text_area(job)
    band_foot = SAFE + 15.5 * u
    colour = _draw_band(pen, job, holding, band_foot)
    zone_by_meaning = {zone.meaning: zone for zone in job.game.zones}
    top = band_foot + 2.6 * u
    foot = bottom - (8.4 * u if "network" in zone_by_meaning else 0.0)
    start = left + (7.0 * u if "cash" in zone_by_meaning else 0.0)
    if "cash" in zone_by_meaning:
        cash_type = TextStyle(points_to_mm(8.5) * u, bold=True, align="middle", turned=True)
        pen.box(
            (left, top, start - 1.6 * u, foot - 1.4 * u), fill=job.theme.panel, edge=job.theme.quiet_ink, radius=1.0 * u
        )
        pen.words((left, top, start - 1.6 * u, foot - 1.4 * u), words("card.cash"), cash_type)
    if "network" in zone_by_meaning:
        pen.box((left, foot, right, bottom), fill=job.theme.panel, edge=job.theme.quiet_ink, radius=1.0 * u)
        pen.words(
            (left + 2 * u, foot, left + 18 * u, bottom),
            words("card.network"),
            TextStyle(points_to_mm(8.5) * u, bold=True),
        )
        draw_rails(pen, (left + 19 * u, foot, right - 2 * u, bottom - 2.2 * u), job.theme.ink, 3.6 * u)
    circled = [zone_by_meaning[name] for name in ("add", "keep") if name in zone_by_meaning]
    zone_height = (foot - 1.4 * u - top) / max(1, len(circled))
    for index, zone in enumerate(circled):
        area = (
            start,
            top + index * zone_height,
            right,
            top + (index + 1) * zone_height - (1.4 * u if index + 1 < len(circled) else 0.0),
        )
        _draw_circles(pen, job, area, zone, holding.operators, colour)
    draw_frame(pen, job, mix_colours(job.theme.ink, colour, 0.5))


def _draw_circles(pen: CardPen, job: CardJob, area: Area, zone: CardZone, count: int, colour: str) -> None:
    """Draw a place of operators: a circle for each, and a label of their use."""
    left, top, right, bottom = area
    u = job.unit
    pen.box(area, fill=mix_colours(colour, paper_of(job.theme), 0.1), edge=job.theme.quiet_ink, radius=1.4 * u)
    sign = "(+)" if zone.meaning == "add" else "( )"
    label = f"{sign} {job.words(f'card.{zone.meaning}')}"
    pen.words(
        (left + 2 * u, top + 0.8 * u, right - 2 * u, top + 5.4 * u), label, TextStyle(points_to_mm(9) * u, bold=True)
    )
    circle_rows = _circles_by_row(count)
    most_in_row = max(circle_rows, default=1)
    row_height = (bottom - top - 6.4 * u) / max(1, len(circle_rows))
    r = min((right - left - 3 * u) / most_in_row / 2 - 0.7 * u, row_height / 2 - 0.5 * u, 6.5 * u)
    for row, cells in enumerate(circle_rows):
        y = top + 5.6 * u + row_height * (row + 0.5)
        for cell in range(cells):
            x = (left + right) / 2 + (cell - (cells - 1) / 2) * (2 * r + 1.4 * u)
            pen.circle((x, y), r, fill=paper_of(job.theme), edge=job.theme.ink, width=0.35)
            if zone.meaning == "add":
                s = r * 0.42
                d = f"M{x - s:.2f},{y:.2f} h{2 * s:.2f} M{x:.2f},{y - s:.2f} v{2 * s:.2f}"
                pen.path(d, edge=mix_colours(job.theme.ink, paper_of(job.theme), 0.45), width=0.22 * r)


def _circles_by_row(count: int) -> Sequence[int]:
    """Return the number of circles in each row."""
    if count <= 3:  # noqa: PLR2004 - one row has room for three
        return (count,) if count else ()
    row_count = -(-count // 4)
    return [count // row_count + (1 if row < count % row_count else 0) for row in range(row_count)]


KINDS: Final = ("holding", "certificate", "railroad", "investor", "overview")
"""The sorts of cards, in the order of printing."""


def all_faces(job: CardJob) -> list[CardFace]:
    """Return all distinct faces, without backs."""
    railroad_sides = [face for faces in railroad_faces(job) for face in faces]
    return [*holding_faces(job), *certificate_faces(job), *railroad_sides, *investor_faces(job), overview_face(job)]


def cut_texts(job: CardJob) -> list[tuple[str, str]]:
    """Return the texts that do not fit their cards, each with the id of its face."""
    return [(face.id, text) for face in all_faces(job) for text in face_svg(job, face)[1]]


def card_sheets(job: CardJob) -> list[Sheet]:
    """Return every copy of every card, with its back; a second face is the back (BA-C25)."""
    return [sheet for _, sheets in card_groups(job) for sheet in sheets]


def card_groups(job: CardJob) -> list[tuple[str, list[Sheet]]]:
    """Return the cards by sort."""
    back_by_kind = {kind: face_svg(job, back_face(job, kind))[0] for kind in KINDS}
    sheets_by_kind: dict[str, list[Sheet]] = {kind: [] for kind in KINDS}
    for ident, faces, count in card_plans(job):
        kind = faces[0].kind
        front_svg = face_svg(job, faces[0])[0]
        back_svg = face_svg(job, faces[1])[0] if len(faces) > 1 else back_by_kind[kind]
        for number in range(1, count + 1):
            sheet_id = f"{ident}-{number}" if count > 1 else ident
            sheets_by_kind[kind].append(Sheet(sheet_id, faces[0].title, front_svg, *job.size, "card", back_svg))
    return [(kind, sheets) for kind, sheets in sheets_by_kind.items() if sheets]


def card_plans(job: CardJob) -> Iterator[tuple[str, list[CardFace], int]]:
    """Yield id, faces and number of copies of each distinct card."""
    for face in (*holding_faces(job), *certificate_faces(job)):
        yield face.id, [face], 1
    for railroad, faces in zip(job.game.railroads, railroad_faces(job), strict=True):
        yield f"railroad-{railroad.id}", faces, railroad.count
    for face in investor_faces(job):
        yield face.id, [face], 1
    yield "overview", [overview_face(job)], overview_count(job)


def overview_count(job: CardJob) -> int:
    """Return the number of overview cards: that of the decks, or one for each player (BA-S07)."""
    deck_counts = [deck.count for deck in job.game.decks if deck.cards == "overviews" and deck.count is not None]
    return deck_counts[0] if deck_counts else job.game.rules.setup.players
