"""Investors and overview cards."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.kinds.cards.game import CardGame, Effect, Investor
from mapkit.kinds.cards.render.emblems import draw_coin, draw_top_hat
from mapkit.kinds.cards.render.face import BACKS, SAFE, CardFace, draw_frame, draw_ground, draw_head, text_area
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

_GOLD_COLOUR: Final = "#d9a93a"


def investor_faces(job: CardJob) -> list[CardFace]:
    """Return the investors."""
    faces = []
    for one in job.game.investors:
        effect_texts = [
            ":".join(("" if v is None else str(v)) for v in (e.id, e.kind, e.amount, e.holding, e.level))
            for e in one.effects
        ]
        face_data = {
            "investor": one.id,
            "name": one.name,
            "value": one.value,
            "text": one.text,
            "effects": effect_texts,
        }
        faces.append(
            CardFace(
                f"investor-{one.id}",
                "investor",
                investor_title(job, one),
                face_data,
                partial(_draw_investor, job=job, one=one),
            )
        )
    return faces


def investor_title(job: CardJob, one: Investor) -> str:
    """Return an investor's name, or its value."""
    return one.name or job.words("card.investor_of", value=job.money(one.value))


def effect_text(job: CardJob, effect: Effect) -> str:
    """Return an effect in words."""
    holding = job.name_of(effect.holding)
    known_kinds = {"switch-priority", "income-each", "income-once", "discount", "director", "free-railroad"}
    text_key = effect.kind.replace("-", "_") if effect.kind in known_kinds else "other"
    amount_text = "" if effect.amount is None else str(effect.amount)
    if effect.amount is not None and effect.kind.startswith(("income", "director")):
        amount_text = job.money(effect.amount)
    return job.words(f"effect.{text_key}", amount=amount_text, holding=holding, level=effect.level, kind=effect.kind)


def overview_face(job: CardJob) -> CardFace:
    """Return the overview card."""
    return CardFace("overview", "overview", job.words("card.overview"), {}, partial(_draw_overview, job=job))


def obsolete_pairs(game: CardGame) -> tuple[tuple[int, int], ...]:
    """Return pairs of a level and the level that it makes obsolete, sorted (BA-X01 to BA-X03)."""
    all_faces = [face for one in game.railroads for face in one.faces]
    return tuple(sorted({(face.gone_at, face.number) for face in all_faces if face.gone_at is not None}))


def end_value(game: CardGame) -> int | None:
    """Return the share value that ends the game, if it is known."""
    return next((one.value for one in game.track if one.end), None)


def _investor_text(job: CardJob, one: Investor) -> str:
    if one.text:
        return one.text
    return " ".join(effect_text(job, effect) for effect in one.effects) or job.words("card.open_text")


def _draw_investor(pen: CardPen, job: CardJob, one: Investor) -> None:
    u = job.unit
    left, top, right, bottom = text_area(job)
    colour = job.colour(BACKS["investor"])
    band_foot = SAFE + 15.5 * u
    draw_ground(pen, job, colour, band_foot)
    draw_head(
        pen,
        job,
        (left, top - 0.2 * u, right, band_foot - 1.2 * u),
        investor_title(job, one),
        job.words("card.investor"),
        colour,
    )
    middle_x = (left + right) / 2
    r = min(12.5 * u, (bottom - band_foot) * 0.2)
    coin_at = (middle_x, band_foot + r + 11.5 * u)
    gold_colour = job.colour(_GOLD_COLOUR)
    draw_top_hat(pen, (middle_x, band_foot + 6.4 * u), 12 * u, job.theme.ink, colour)
    draw_coin(pen, coin_at, r, gold_colour, ink_on(gold_colour))
    value_type = TextStyle(points_to_mm(20) * u, bold=True, align="middle", fill=ink_on(gold_colour))
    pen.words(
        (coin_at[0] - r * 0.68, coin_at[1] - r * 0.5, coin_at[0] + r * 0.68, coin_at[1] + r * 0.5),
        job.money(one.value),
        value_type,
    )
    text_box = (left, coin_at[1] + r + 3 * u, right, bottom)
    pen.box(text_box, fill=job.theme.panel, edge=job.theme.quiet_ink, width=0.25, radius=1.6 * u)
    text_type = TextStyle(points_to_mm(11.5) * u, align="middle", lines=6)
    pen.words(
        (text_box[0] + 2 * u, text_box[1] + 1 * u, text_box[2] - 2 * u, text_box[3] - 1 * u),
        _investor_text(job, one),
        text_type,
    )
    draw_frame(pen, job, mix_colours(job.theme.ink, colour, 0.5))


def _draw_overview(pen: CardPen, job: CardJob) -> None:
    u, words, rules = job.unit, job.words, job.game.rules
    left, top, right, bottom = text_area(job)
    colour = job.colour(BACKS["overview"])
    band_foot = SAFE + 12.0 * u
    draw_ground(pen, job, colour, band_foot)
    draw_head(pen, job, (left, top - 0.4 * u, right, band_foot - 0.8 * u), words("card.overview"), job.title, colour)
    level_pairs = obsolete_pairs(job.game)
    blocks: list[tuple[str, list[str], float]] = [
        (f"{rules.rounds.stock} x {words('overview.stock')}", [words("overview.stock_text")], 13.0),
        (f"{rules.rounds.operating} x {words('overview.operating')}", [words("overview.steps")], 13.0),
    ]
    if level_pairs:
        lines = [words("overview.goes", gone=gone, level=level) for level, gone in level_pairs]
        blocks.append((words("overview.obsolete"), lines, 3.9 * len(lines)))
    last_lines = list(_last_lines(job))
    blocks.append(("", last_lines, 3.9 * len(last_lines)))
    y = band_foot + 2.4 * u
    room_mm = bottom - y
    height_scale = room_mm / (sum(block_units + 6.2 for _, _, block_units in blocks) * u)
    for title, lines, block_units in blocks:
        block_height = block_units * u * height_scale
        if title:
            pen.words((left, y, right, y + 4.6 * u * height_scale), title, TextStyle(points_to_mm(9.5) * u, bold=True))
            pen.path(f"M{left:.2f},{y + 4.9 * u * height_scale:.2f} H{right:.2f}", edge=colour, width=0.3 * u)
        y += 5.4 * u * height_scale
        line_height = block_height / max(1, len(lines))
        for line in lines:
            line_type = TextStyle(points_to_mm(8.5) * u, lines=4 if len(lines) == 1 else 1, top=len(lines) == 1)
            pen.words((left, y, right, y + line_height), line, line_type)
            y += line_height
        y += 0.8 * u * height_scale
    draw_frame(pen, job, mix_colours(job.theme.ink, paper_of(job.theme), 0.6))


def _last_lines(job: CardJob) -> Iterator[str]:
    yield job.words.count("overview.limit", job.game.rules.limits.certificates)
    value = end_value(job.game)
    if value is not None:
        yield job.words("overview.end", value=value)
