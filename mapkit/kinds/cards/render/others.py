"""Investors and overview cards."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.kinds.cards.game import CardGame, Effect, Investor
from mapkit.kinds.cards.render.emblems import coin, top_hat
from mapkit.kinds.cards.render.face import BACKS, SAFE, CardFace, frame, ground, head, inner
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_GOLD: Final = "#d9a93a"


def investor_faces(job: CardJob) -> list[CardFace]:
    """Return the investors."""
    out = []
    for one in job.game.investors:
        effects = [
            ":".join(("" if v is None else str(v)) for v in (e.id, e.kind, e.amount, e.holding, e.level))
            for e in one.effects
        ]
        data = {"investor": one.id, "name": one.name, "value": one.value, "text": one.text, "effects": effects}
        out.append(
            CardFace(
                f"investor-{one.id}", "investor", investor_title(job, one), data, partial(_investor, job=job, one=one)
            )
        )
    return out


def investor_title(job: CardJob, one: Investor) -> str:
    """Return an investor's name, or what it is worth."""
    return one.name or job.words("card.investor_of", value=job.money(one.value))


def effect_text(job: CardJob, effect: Effect) -> str:
    """Return what an effect does, in words."""
    holding = job.name_of(effect.holding)
    known = {"switch-priority", "income-each", "income-once", "discount", "director", "free-railroad"}
    name = effect.kind.replace("-", "_") if effect.kind in known else "other"
    amount = "" if effect.amount is None else str(effect.amount)
    if effect.amount is not None and effect.kind.startswith(("income", "director")):
        amount = job.money(effect.amount)
    return job.words(f"effect.{name}", amount=amount, holding=holding, level=effect.level, kind=effect.kind)


def overview_face(job: CardJob) -> CardFace:
    """Return the overview card."""
    return CardFace("overview", "overview", job.words("card.overview"), {}, partial(_overview, job=job))


def obsolete_pairs(game: CardGame) -> tuple[tuple[int, int], ...]:
    """Return each level that comes and the level that it makes obsolete, sorted (BA-X01 to BA-X03)."""
    faces = [face for one in game.railroads for face in one.faces]
    return tuple(sorted({(face.gone_at, face.number) for face in faces if face.gone_at is not None}))


def end_value(game: CardGame) -> int | None:
    """Return the share value at which the game ends, if it is known."""
    return next((one.value for one in game.track if one.end), None)


def _said(job: CardJob, one: Investor) -> str:
    if one.text:
        return one.text
    return " ".join(effect_text(job, effect) for effect in one.effects) or job.words("card.open_text")


def _investor(pen: CardPen, job: CardJob, one: Investor) -> None:
    u = job.unit
    left, top, right, bottom = inner(job)
    colour = job.colour(BACKS["investor"])
    band = SAFE + 15.5 * u
    ground(pen, job, colour, band)
    head(
        pen,
        job,
        (left, top - 0.2 * u, right, band - 1.2 * u),
        investor_title(job, one),
        job.words("card.investor"),
        colour,
    )
    middle = (left + right) / 2
    r = min(12.5 * u, (bottom - band) * 0.2)
    at = (middle, band + r + 11.5 * u)
    gold = job.colour(_GOLD)
    top_hat(pen, (middle, band + 6.4 * u), 12 * u, job.theme.ink, colour)
    coin(pen, at, r, gold, ink_on(gold))
    strong = Type(pt(20) * u, bold=True, align="middle", fill=ink_on(gold))
    pen.words((at[0] - r * 0.68, at[1] - r * 0.5, at[0] + r * 0.68, at[1] + r * 0.5), job.money(one.value), strong)
    box = (left, at[1] + r + 3 * u, right, bottom)
    pen.box(box, fill=job.theme.panel, edge=job.theme.quiet_ink, width=0.25, radius=1.6 * u)
    kind = Type(pt(11.5) * u, align="middle", lines=6)
    pen.words((box[0] + 2 * u, box[1] + 1 * u, box[2] - 2 * u, box[3] - 1 * u), _said(job, one), kind)
    frame(pen, job, mixed(job.theme.ink, colour, 0.5))


def _overview(pen: CardPen, job: CardJob) -> None:
    u, words, rules = job.unit, job.words, job.game.rules
    left, top, right, bottom = inner(job)
    colour = job.colour(BACKS["overview"])
    band = SAFE + 12.0 * u
    ground(pen, job, colour, band)
    head(pen, job, (left, top - 0.4 * u, right, band - 0.8 * u), words("card.overview"), job.title, colour)
    pairs = obsolete_pairs(job.game)
    blocks: list[tuple[str, list[str], float]] = [
        (f"{rules.rounds.stock} x {words('overview.stock')}", [words("overview.stock_text")], 13.0),
        (f"{rules.rounds.operating} x {words('overview.operating')}", [words("overview.steps")], 13.0),
    ]
    if pairs:
        lines = [words("overview.goes", gone=gone, level=level) for level, gone in pairs]
        blocks.append((words("overview.obsolete"), lines, 3.9 * len(lines)))
    last = list(_last(job))
    blocks.append(("", last, 3.9 * len(last)))
    y = band + 2.4 * u
    room = bottom - y
    share = room / (sum(high + 6.2 for _, _, high in blocks) * u)
    for title, lines, high in blocks:
        h = high * u * share
        if title:
            pen.words((left, y, right, y + 4.6 * u * share), title, Type(pt(9.5) * u, bold=True))
            pen.path(f"M{left:.2f},{y + 4.9 * u * share:.2f} H{right:.2f}", edge=colour, width=0.3 * u)
        y += 5.4 * u * share
        each = h / max(1, len(lines))
        for line in lines:
            kind = Type(pt(8.5) * u, lines=4 if len(lines) == 1 else 1, top=len(lines) == 1)
            pen.words((left, y, right, y + each), line, kind)
            y += each
        y += 0.8 * u * share
    frame(pen, job, mixed(job.theme.ink, paper_of(job.theme), 0.6))


def _last(job: CardJob) -> Iterator[str]:
    yield job.words.count("overview.limit", job.game.rules.limits.certificates)
    value = end_value(job.game)
    if value is not None:
        yield job.words("overview.end", value=value)
