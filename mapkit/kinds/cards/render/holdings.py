"""Certificates, and cards of holdings with their circles (BA-C08 to BA-C14, BA-C31)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.kinds.cards.game import CardZone, Certificate, Holding
from mapkit.kinds.cards.render.emblems import emblem, pattern, rails, rosette, top_hat
from mapkit.kinds.cards.render.face import SAFE, CardFace, frame, ground, inner
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_PART: Final = 10


def certificate_faces(job: CardJob) -> list[CardFace]:
    """Return the certificates of all holdings."""
    return [_certificate(job, holding, one) for holding in job.game.holdings for one in holding.certificates]


def holding_faces(job: CardJob) -> list[CardFace]:
    """Return the cards of the holdings."""
    out = []
    for one in job.game.holdings:
        data = {
            "holding": one.id,
            "name": one.name,
            "short": one.short,
            "colour": one.colour,
            "operators": one.operators,
        }
        zones = [zone.meaning for zone in job.game.zones]
        out.append(
            CardFace(
                f"holding-{one.id}",
                "holding",
                one.name,
                {**data, "zones": zones},
                partial(_holding, job=job, holding=one),
            )
        )
    return out


def _certificate(job: CardJob, holding: Holding, one: Certificate) -> CardFace:
    title = f"{holding.short or holding.name} {job.words.percent(one.percent)}"
    data = {"holding": holding.id, "certificate": one.id, "percent": one.percent, "director": one.director}
    return CardFace(
        f"certificate-{one.id}", "certificate", title, data, partial(_share, job=job, holding=holding, one=one)
    )


def _band(pen: CardPen, job: CardJob, holding: Holding, band: float) -> str:
    """Draw the band of a holding: its colour, its pattern, its emblem and its name."""
    u = job.unit
    colour = job.colour(holding.colour)
    ground(pen, job, colour, band)
    left, top, right, _ = inner(job)
    r = 6.0 * u
    number = job.numbers[holding.id]
    pattern(pen, (0.0, 0.0, job.size[0], band), number, colour, 2.4 * u)
    ink = ink_on(colour)
    plate = (left + 2 * r + 0.5 * u, top - 0.6 * u, right + 0.4 * u, band - 1.4 * u)
    pen.box(plate, fill=colour, radius=1.2 * u)
    emblem(pen, (left + r - 1.2 * u, (top + band) / 2 - 1.0 * u), r, number, job.codes[holding.id], colour, ring=ink)
    kind = Type(pt(12.5) * u, bold=True, fill=ink, lines=2)
    pen.words((plate[0] + 1.0 * u, plate[1], plate[2] - 0.6 * u, plate[3]), holding.name, kind)
    return colour


def _share(pen: CardPen, job: CardJob, holding: Holding, one: Certificate) -> None:
    u, words = job.unit, job.words
    left, _, right, bottom = inner(job)
    band = SAFE + 15.5 * u
    colour = _band(pen, job, holding, band)
    light = mixed(mixed(job.theme.ink, colour, 0.25), paper_of(job.theme), 0.55)
    foot = bottom - 17.0 * u
    middle = ((left + right) / 2, (band + foot) / 2 + 1.0 * u)
    r = min((right - left) / 2, (foot - band) / 2 - 1.0 * u)
    rosette(pen, middle, r, light)
    pen.circle(middle, r * 0.66, fill=paper_of(job.theme), edge=mixed(colour, job.theme.ink, 0.5), width=0.35)
    up = r * 0.18 if one.director else 0.0
    strong = Type(pt(27) * u, bold=True, align="middle")
    box = (middle[0] - r * 0.6, middle[1] - r * 0.35 + up, middle[0] + r * 0.6, middle[1] + r * 0.35 + up)
    pen.words(box, words.percent(one.percent), strong)
    if one.director:
        top_hat(pen, (middle[0], middle[1] - r * 0.34), r * 0.36, job.theme.ink, colour)
    said = words("card.director") if one.director else words("card.share")
    plate = (left, foot, right, foot + 7.4 * u)
    if one.director:
        pen.box(plate, fill=colour, edge=job.theme.ink, width=0.3, radius=1.2 * u)
    kind = Type(pt(12) * u, bold=True, align="middle", fill=ink_on(colour) if one.director else job.theme.ink)
    pen.words(plate, said, kind)
    parts = max(1, round(one.percent / _PART))
    price = words.count("card.price", parts)
    pen.words((left, foot + 8.0 * u, right, bottom - 3.6 * u), price, Type(pt(8) * u, align="middle", lines=2))
    step = min(3.6 * u, (right - left) / parts)
    for n in range(parts):
        x = middle[0] + (n - (parts - 1) / 2) * step
        pen.circle((x, bottom - 1.4 * u), 1.1 * u, fill=colour, edge=job.theme.ink, width=0.2)
    frame(pen, job, mixed(job.theme.ink, colour, 0.5))


def _holding(pen: CardPen, job: CardJob, holding: Holding) -> None:
    u, words = job.unit, job.words
    left, _, right, bottom = inner(job)
    band = SAFE + 15.5 * u
    colour = _band(pen, job, holding, band)
    zones = {zone.meaning: zone for zone in job.game.zones}
    top = band + 2.6 * u
    foot = bottom - (8.4 * u if "network" in zones else 0.0)
    start = left + (7.0 * u if "cash" in zones else 0.0)
    if "cash" in zones:
        side = Type(pt(8.5) * u, bold=True, align="middle", turned=True)
        pen.box(
            (left, top, start - 1.6 * u, foot - 1.4 * u), fill=job.theme.panel, edge=job.theme.quiet_ink, radius=1.0 * u
        )
        pen.words((left, top, start - 1.6 * u, foot - 1.4 * u), words("card.cash"), side)
    if "network" in zones:
        pen.box((left, foot, right, bottom), fill=job.theme.panel, edge=job.theme.quiet_ink, radius=1.0 * u)
        pen.words((left + 2 * u, foot, left + 18 * u, bottom), words("card.network"), Type(pt(8.5) * u, bold=True))
        rails(pen, (left + 19 * u, foot, right - 2 * u, bottom - 2.2 * u), job.theme.ink, 3.6 * u)
    circled = [zones[name] for name in ("add", "keep") if name in zones]
    high = (foot - 1.4 * u - top) / max(1, len(circled))
    for at, zone in enumerate(circled):
        area = (start, top + at * high, right, top + (at + 1) * high - (1.4 * u if at + 1 < len(circled) else 0.0))
        _circles(pen, job, area, zone, holding.operators, colour)
    frame(pen, job, mixed(job.theme.ink, colour, 0.5))


def _circles(pen: CardPen, job: CardJob, area: Area, zone: CardZone, count: int, colour: str) -> None:
    """Draw a place of operators: a circle for each, and what they do there."""
    left, top, right, bottom = area
    u = job.unit
    pen.box(area, fill=mixed(colour, paper_of(job.theme), 0.1), edge=job.theme.quiet_ink, radius=1.4 * u)
    sign = "(+)" if zone.meaning == "add" else "( )"
    label = f"{sign} {job.words(f'card.{zone.meaning}')}"
    pen.words((left + 2 * u, top + 0.8 * u, right - 2 * u, top + 5.4 * u), label, Type(pt(9) * u, bold=True))
    rows = _rows(count)
    across = max(rows, default=1)
    room = (bottom - top - 6.4 * u) / max(1, len(rows))
    r = min((right - left - 3 * u) / across / 2 - 0.7 * u, room / 2 - 0.5 * u, 6.5 * u)
    for row, cells in enumerate(rows):
        y = top + 5.6 * u + room * (row + 0.5)
        for cell in range(cells):
            x = (left + right) / 2 + (cell - (cells - 1) / 2) * (2 * r + 1.4 * u)
            pen.circle((x, y), r, fill=paper_of(job.theme), edge=job.theme.ink, width=0.35)
            if zone.meaning == "add":
                s = r * 0.42
                d = f"M{x - s:.2f},{y:.2f} h{2 * s:.2f} M{x:.2f},{y - s:.2f} v{2 * s:.2f}"
                pen.path(d, edge=mixed(job.theme.ink, paper_of(job.theme), 0.45), width=0.22 * r)


def _rows(count: int) -> Sequence[int]:
    """Return how many circles stand in each row."""
    if count <= 3:  # noqa: PLR2004 - one row has room for three
        return (count,) if count else ()
    rows = -(-count // 4)
    return [count // rows + (1 if row < count % rows else 0) for row in range(rows)]
