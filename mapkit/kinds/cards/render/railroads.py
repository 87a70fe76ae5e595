"""Railroad cards: level, cost, income, and obsolescence (BA-C15 to BA-C25)."""

from functools import partial
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on
from mapkit.kinds.cards.game import CardRailroad, Face
from mapkit.kinds.cards.render.emblems import draw_coin, draw_engine, draw_rails
from mapkit.kinds.cards.render.face import SAFE, CardFace, draw_frame, draw_ground, draw_head, text_area
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_LEVEL_COLOURS: Final = ("#4d6b2f", "#2f6f8f", "#6b4a8a", "#a3552b", "#8a2f45", "#26605a", "#2c3342")
"""Colour of each level, from 2 on; the number is printed large."""
_GOLD_COLOUR: Final = "#d9a93a"


def level_colour(job: CardJob, face: Face) -> str:
    """Return the colour of a face's level."""
    return job.colour(_LEVEL_COLOURS[(face.number - 2) % len(_LEVEL_COLOURS)])


def railroad_faces(job: CardJob) -> list[list[CardFace]]:
    """Return the faces of each railroad."""
    return [[_make_face(job, railroad, face) for face in railroad.faces] for railroad in job.game.railroads]


def railroad_title(job: CardJob, railroad: CardRailroad) -> str:
    """Return a railroad's name, or its category if the source gives none."""
    return railroad.name or job.words("card.category", category=railroad.category)


def _make_face(job: CardJob, railroad: CardRailroad, face: Face) -> CardFace:
    title = railroad_title(job, railroad)
    face_data = {
        "railroad": railroad.id,
        "face": face.id,
        "category": railroad.category,
        "name": railroad.name,
        "count": railroad.count,
        "level": face.level,
        "cost": face.cost,
        "income": face.income,
        "gone-at": "" if face.gone_at is None else face.gone_at,
    }
    side_title = job.words("card.side", title=title, level=face.level)
    draw_face = partial(_draw_face, job=job, railroad=railroad, face=face)
    return CardFace(f"railroad-{railroad.id}-{face.id}", "railroad", side_title, face_data, draw_face)


def _draw_face(pen: CardPen, job: CardJob, railroad: CardRailroad, face: Face) -> None:
    u, words = job.unit, job.words
    left, top, right, bottom = text_area(job)
    colour = level_colour(job, face)
    band_foot = SAFE + 15.5 * u
    draw_ground(pen, job, colour, band_foot)
    title = railroad_title(job, railroad)
    disc = 7.2 * u
    at = (left + disc - 0.6 * u, band_foot - 0.8 * u)
    kind_text = words("card.railroad") if not railroad.name else words("card.category", category=railroad.category)
    draw_head(pen, job, (at[0] + disc + 1.6 * u, top - 0.2 * u, right, band_foot - 1.2 * u), title, kind_text, colour)
    picture_area = (left, band_foot + 3.2 * u, right, bottom - 31.5 * u)
    _draw_landscape(pen, job, picture_area, face, colour)
    pen.circle(at, disc, fill="#ffffff", edge=job.theme.ink, width=0.5 * u)
    pen.circle(at, disc - 1.0 * u, edge=colour, width=0.7 * u)
    level_type = TextStyle(points_to_mm(23) * u, bold=True, align="middle", fill="#111111")
    pen.words((at[0] - disc * 0.8, at[1] - disc * 0.85, at[0] + disc * 0.8, at[1] + disc * 0.4), face.level, level_type)
    label_type = TextStyle(points_to_mm(6.5) * u, align="middle", fill="#333333")
    pen.words(
        (at[0] - disc * 0.7, at[1] + disc * 0.34, at[0] + disc * 0.7, at[1] + disc * 0.8),
        words("card.level"),
        label_type,
    )
    amounts_top = bottom - 28.5 * u
    middle_x = (left + right) / 2
    _draw_amount(
        pen,
        job,
        (left, amounts_top, middle_x - 0.9 * u, amounts_top + 16 * u),
        words("card.cost"),
        job.money(face.cost),
        None,
    )
    income_area = (middle_x + 0.9 * u, amounts_top, right, amounts_top + 16 * u)
    _draw_amount(pen, job, income_area, words("card.income"), job.money(face.income), colour)
    notice_top = amounts_top + 17.8 * u
    other_levels = [other_face.level for other_face in railroad.faces if other_face.id != face.id]
    notice_foot = bottom - (4.2 * u if other_levels else 0.6 * u)
    is_lasting = face.gone_at is None
    notice_text = words("card.lasting") if is_lasting else words("card.obsolete", level=face.gone_at)
    notice_fill = (
        mix_colours(_GOLD_COLOUR, job.theme.panel, 0.5) if is_lasting and job.theme.lines != "ink" else job.theme.panel
    )
    pen.box(
        (left, notice_top, right, notice_foot), fill=notice_fill, edge=job.theme.quiet_ink, width=0.25, radius=1.2 * u
    )
    sign_centre = (left + 5.4 * u, (notice_top + notice_foot) / 2)
    sign_ink = job.theme.ink if not is_lasting else ink_on(notice_fill)
    _draw_signal(pen, sign_centre, 2.5 * u, sign_ink, lasting=is_lasting)
    pen.words(
        (left + 10.2 * u, notice_top, right - 1.5 * u, notice_foot),
        notice_text,
        TextStyle(points_to_mm(10) * u, bold=True, fill=sign_ink, lines=2),
    )
    if other_levels:
        other_text = words("card.other", level=", ".join(other_levels))
        pen.words(
            (left, notice_foot + 0.4 * u, right, bottom + 0.8 * u),
            other_text,
            TextStyle(points_to_mm(7.5) * u, align="middle", italic=True),
        )
    draw_frame(pen, job, mix_colours(job.theme.ink, colour, 0.5))


def _draw_landscape(pen: CardPen, job: CardJob, area: Area, face: Face, colour: str) -> None:
    """Draw an engine before hills and a sun."""
    left, top, right, bottom = area
    u, theme = job.unit, job.theme
    high = bottom - top
    if high < 9 * u:
        return
    sky_colour = mix_colours(colour, theme.panel, 0.14)
    pen.box(area, fill=sky_colour, radius=1.6 * u)
    wide = right - left
    sun_centre = (left + wide * 0.78, top + high * 0.34)
    pen.circle(
        sun_centre, high * 0.17, fill=mix_colours(_GOLD_COLOUR if theme.lines != "ink" else "#ffffff", sky_colour, 0.75)
    )
    for lift, rise, share in ((0.42, 0.30, 0.22), (0.30, 0.24, 0.36)):
        y = bottom - high * lift
        d = (
            f"M{left:.2f},{y:.2f} C{left + wide * 0.2:.2f},{y - high * rise:.2f} {left + wide * 0.32:.2f},"
            f"{y - high * rise * 0.7:.2f} {left + wide * 0.48:.2f},{y:.2f} S{left + wide * (0.7 + lift / 3):.2f},"
            f"{y - high * rise:.2f} {right:.2f},{y:.2f} V{bottom - 0.2:.2f} H{left:.2f}Z"
        )
        pen.path(d, fill=mix_colours(colour, sky_colour, share))
    pen.box((left, bottom - high * 0.14, right, bottom), fill=mix_colours(theme.ink, sky_colour, 0.25))
    ink = theme.ink
    gauge = high * 0.11
    draw_rails(pen, (left, top, right, bottom - high * 0.03), ink, gauge)
    engine_foot = bottom - high * 0.03 - gauge * 0.75
    draw_engine(pen, (left + wide * 0.1, top + high * 0.16, right - wide * 0.1, engine_foot), face.number, colour, ink)


def _draw_amount(pen: CardPen, job: CardJob, area: Area, label: str, amount: str, coins: str | None) -> None:
    """Draw a panel with an amount: the cost of a card, or with coins its income."""
    left, top, right, bottom = area
    u = job.unit
    pen.box(area, fill=job.theme.panel, edge=job.theme.quiet_ink, width=0.25, radius=1.4 * u)
    pen.box((left + 0.6, top + 0.6, right - 0.6, bottom - 0.6), edge=job.theme.border, width=0.12, radius=1.0 * u)
    label_type = TextStyle(points_to_mm(8) * u, fill=job.theme.quiet_ink)
    pen.words((left + 2 * u, top + 1.0 * u, right - 8.5 * u, top + 5.0 * u), label, label_type)
    amount_type = TextStyle(points_to_mm(20) * u, bold=True, align="middle")
    pen.words((left + 1.5 * u, top + 5.0 * u, right - 1.5 * u, bottom - 1.0 * u), amount, amount_type)
    x, y = right - 4.6 * u, top + 3.6 * u
    if coins is None:
        ticket_box = (x - 3.2 * u, y - 1.8 * u, x + 2.8 * u, y + 1.8 * u)
        pen.box(ticket_box, fill="none", edge=job.theme.ink, width=0.35 * u, radius=0.6 * u)
        pen.path(f"M{x + 0.9 * u:.2f},{y - 1.5 * u:.2f} v{3.0 * u:.2f}", edge=job.theme.ink, width=0.25 * u)
    else:
        gold_colour = job.colour(_GOLD_COLOUR)
        for n in range(2, -1, -1):
            draw_coin(pen, (x - 1.6 * u + n * 1.4 * u, y), 1.9 * u, gold_colour, ink_on(gold_colour))


def _draw_signal(pen: CardPen, at: tuple[float, float], r: float, ink: str, *, lasting: bool) -> None:
    """Draw a crossing sign for a railroad that becomes obsolete, or a closed loop for one that stays."""
    x, y = at
    if lasting:
        d = (
            f"M{x:.2f},{y:.2f} C{x - r:.2f},{y - r * 1.2:.2f} {x - r * 1.7:.2f},{y - r * 0.6:.2f} {x - r * 1.3:.2f},"
            f"{y:.2f} C{x - r * 1.7:.2f},{y + r * 0.6:.2f} {x - r:.2f},{y + r * 1.2:.2f} {x:.2f},{y:.2f} "
            f"C{x + r:.2f},{y - r * 1.2:.2f} {x + r * 1.7:.2f},{y - r * 0.6:.2f} {x + r * 1.3:.2f},{y:.2f} "
            f"C{x + r * 1.7:.2f},{y + r * 0.6:.2f} {x + r:.2f},{y + r * 1.2:.2f} {x:.2f},{y:.2f}Z"
        )
        pen.path(d, edge=ink, width=r * 0.28)
        return
    s = r * 0.75
    pen.circle(at, r, edge=ink, width=r * 0.24)
    pen.path(f"M{x - s:.2f},{y - s:.2f} L{x + s:.2f},{y + s:.2f} M{x + s:.2f},{y - s:.2f} L{x - s:.2f},{y + s:.2f}",
             edge=ink, width=r * 0.3)  # fmt: skip
