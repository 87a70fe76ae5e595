"""Railroad cards: level, cost, income, and when they are obsolete (BA-C15 to BA-C25)."""

from functools import partial
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on
from mapkit.kinds.cards.game import CardRailroad, Face
from mapkit.kinds.cards.render.emblems import coin, engine, rails
from mapkit.kinds.cards.render.face import SAFE, CardFace, frame, ground, head, inner
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_LEVELS: Final = ("#4d6b2f", "#2f6f8f", "#6b4a8a", "#a3552b", "#8a2f45", "#26605a", "#2c3342")
"""Colour of each level, from 2 on; the number is printed large."""
_GOLD: Final = "#d9a93a"


def level_colour(job: CardJob, face: Face) -> str:
    """Return the colour of a face's level."""
    return job.colour(_LEVELS[(face.number - 2) % len(_LEVELS)])


def railroad_faces(job: CardJob) -> list[list[CardFace]]:
    """Return the faces of each railroad."""
    return [[_face(job, one, face) for face in one.faces] for one in job.game.railroads]


def railroad_title(job: CardJob, railroad: CardRailroad) -> str:
    """Return a railroad's name, or its category where the source gives none."""
    return railroad.name or job.words("card.category", category=railroad.category)


def _face(job: CardJob, railroad: CardRailroad, face: Face) -> CardFace:
    title = railroad_title(job, railroad)
    data = {
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
    whole = job.words("card.side", title=title, level=face.level)
    draw = partial(_draw, job=job, railroad=railroad, face=face)
    return CardFace(f"railroad-{railroad.id}-{face.id}", "railroad", whole, data, draw)


def _draw(pen: CardPen, job: CardJob, railroad: CardRailroad, face: Face) -> None:
    u, words = job.unit, job.words
    left, top, right, bottom = inner(job)
    colour = level_colour(job, face)
    band = SAFE + 15.5 * u
    ground(pen, job, colour, band)
    title = railroad_title(job, railroad)
    disc = 7.2 * u
    at = (left + disc - 0.6 * u, band - 0.8 * u)
    small = words("card.railroad") if not railroad.name else words("card.category", category=railroad.category)
    head(pen, job, (at[0] + disc + 1.6 * u, top - 0.2 * u, right, band - 1.2 * u), title, small, colour)
    picture = (left, band + 3.2 * u, right, bottom - 31.5 * u)
    _landscape(pen, job, picture, face, colour)
    pen.circle(at, disc, fill="#ffffff", edge=job.theme.ink, width=0.5 * u)
    pen.circle(at, disc - 1.0 * u, edge=colour, width=0.7 * u)
    number = Type(pt(23) * u, bold=True, align="middle", fill="#111111")
    pen.words((at[0] - disc * 0.8, at[1] - disc * 0.85, at[0] + disc * 0.8, at[1] + disc * 0.4), face.level, number)
    tiny = Type(pt(6.5) * u, align="middle", fill="#333333")
    pen.words(
        (at[0] - disc * 0.7, at[1] + disc * 0.34, at[0] + disc * 0.7, at[1] + disc * 0.8), words("card.level"), tiny
    )
    row = bottom - 28.5 * u
    middle = (left + right) / 2
    _amount(pen, job, (left, row, middle - 0.9 * u, row + 16 * u), words("card.cost"), job.money(face.cost), None)
    income = (middle + 0.9 * u, row, right, row + 16 * u)
    _amount(pen, job, income, words("card.income"), job.money(face.income), colour)
    foot = row + 17.8 * u
    others = [one.level for one in railroad.faces if one.id != face.id]
    end = bottom - (4.2 * u if others else 0.6 * u)
    lasting = face.gone_at is None
    said = words("card.lasting") if lasting else words("card.obsolete", level=face.gone_at)
    fill = mixed(_GOLD, job.theme.panel, 0.5) if lasting and job.theme.lines != "ink" else job.theme.panel
    pen.box((left, foot, right, end), fill=fill, edge=job.theme.quiet_ink, width=0.25, radius=1.2 * u)
    sign = (left + 5.4 * u, (foot + end) / 2)
    ink = job.theme.ink if not lasting else ink_on(fill)
    _signal(pen, sign, 2.5 * u, ink, lasting=lasting)
    pen.words((left + 10.2 * u, foot, right - 1.5 * u, end), said, Type(pt(10) * u, bold=True, fill=ink, lines=2))
    if others:
        back = words("card.other", level=", ".join(others))
        pen.words((left, end + 0.4 * u, right, bottom + 0.8 * u), back, Type(pt(7.5) * u, align="middle", italic=True))
    frame(pen, job, mixed(job.theme.ink, colour, 0.5))


def _landscape(pen: CardPen, job: CardJob, area: Area, face: Face, colour: str) -> None:
    """Draw an engine before hills and a sun."""
    left, top, right, bottom = area
    u, theme = job.unit, job.theme
    high = bottom - top
    if high < 9 * u:
        return
    sky = mixed(colour, theme.panel, 0.14)
    pen.box(area, fill=sky, radius=1.6 * u)
    wide = right - left
    sun = (left + wide * 0.78, top + high * 0.34)
    pen.circle(sun, high * 0.17, fill=mixed(_GOLD if theme.lines != "ink" else "#ffffff", sky, 0.75))
    for lift, rise, share in ((0.42, 0.30, 0.22), (0.30, 0.24, 0.36)):
        y = bottom - high * lift
        d = (
            f"M{left:.2f},{y:.2f} C{left + wide * 0.2:.2f},{y - high * rise:.2f} {left + wide * 0.32:.2f},"
            f"{y - high * rise * 0.7:.2f} {left + wide * 0.48:.2f},{y:.2f} S{left + wide * (0.7 + lift / 3):.2f},"
            f"{y - high * rise:.2f} {right:.2f},{y:.2f} V{bottom - 0.2:.2f} H{left:.2f}Z"
        )
        pen.path(d, fill=mixed(colour, sky, share))
    pen.box((left, bottom - high * 0.14, right, bottom), fill=mixed(theme.ink, sky, 0.25))
    ink = theme.ink
    gauge = high * 0.11
    rails(pen, (left, top, right, bottom - high * 0.03), ink, gauge)
    foot = bottom - high * 0.03 - gauge * 0.75
    engine(pen, (left + wide * 0.1, top + high * 0.16, right - wide * 0.1, foot), face.number, colour, ink)


def _amount(pen: CardPen, job: CardJob, area: Area, label: str, amount: str, coins: str | None) -> None:
    """Draw a panel with an amount: what a card costs, or with coins what it brings."""
    left, top, right, bottom = area
    u = job.unit
    pen.box(area, fill=job.theme.panel, edge=job.theme.quiet_ink, width=0.25, radius=1.4 * u)
    pen.box((left + 0.6, top + 0.6, right - 0.6, bottom - 0.6), edge=job.theme.border, width=0.12, radius=1.0 * u)
    kind = Type(pt(8) * u, fill=job.theme.quiet_ink)
    pen.words((left + 2 * u, top + 1.0 * u, right - 8.5 * u, top + 5.0 * u), label, kind)
    strong = Type(pt(20) * u, bold=True, align="middle")
    pen.words((left + 1.5 * u, top + 5.0 * u, right - 1.5 * u, bottom - 1.0 * u), amount, strong)
    x, y = right - 4.6 * u, top + 3.6 * u
    if coins is None:
        ticket = (x - 3.2 * u, y - 1.8 * u, x + 2.8 * u, y + 1.8 * u)
        pen.box(ticket, fill="none", edge=job.theme.ink, width=0.35 * u, radius=0.6 * u)
        pen.path(f"M{x + 0.9 * u:.2f},{y - 1.5 * u:.2f} v{3.0 * u:.2f}", edge=job.theme.ink, width=0.25 * u)
    else:
        gold = job.colour(_GOLD)
        for n in range(2, -1, -1):
            coin(pen, (x - 1.6 * u + n * 1.4 * u, y), 1.9 * u, gold, ink_on(gold))


def _signal(pen: CardPen, at: tuple[float, float], r: float, ink: str, *, lasting: bool) -> None:
    """Draw a crossing sign: the railroad goes; or a closed loop: it stays."""
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
