"""18xx-maker: holdings as companies, railroads as trains, investors as privates, and the track as a market."""

from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.core.plurals import counted
from mapkit.exchange.plan import Exported
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.game import CardRailroad
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.others import effect_text, end_value, investor_title
from mapkit.kinds.cards.render.railroads import level_colour, railroad_title

_LOSSES: Final = (
    "second faces of railroads, except in words",
    "zones of holdings, decks and tokens, except as a number",
    "effects of investors, except in words",
    "settings of the rules, and the order of the stack",
)


def card_maker_game(job: CardJob) -> dict[str, Any]:
    """Return a game as 18xx-maker has it."""
    game, words = job.game, job.words
    values = [one.value for one in game.track if one.value is not None]
    starts = [one.value for one in game.track if one.start and one.value is not None]
    out: dict[str, Any] = {
        "info": {"title": game.title, "designer": "mapkit"},
        "players": [
            {
                "number": game.rules.setup.players,
                "certLimit": game.rules.limits.certificates,
                "capital": game.rules.setup.cash,
            }
        ],
        "companies": [
            {
                "name": one.name,
                "abbrev": one.short or job.codes[one.id],
                "color": one.colour,
                "tokens": ["" for _ in range(one.operators)],
                "shares": [
                    {
                        "quantity": 1,
                        "percent": share.percent,
                        "shares": max(1, round(share.percent / 10)),
                        **({"label": words("card.director")} if share.director else {}),
                    }
                    for share in one.certificates
                ],
            }
            for one in game.holdings
        ],
        "trains": [_train(job, one) for one in game.railroads],
        "privates": [
            {
                "name": investor_title(job, one),
                "price": one.value,
                "description": one.text or " ".join(effect_text(job, effect) for effect in one.effects),
            }
            for one in game.investors
        ],
        "turns": [
            {"name": words("overview.stock"), "steps": [words("overview.stock_text")], "ordered": False},
            {"name": words("overview.operating"), "steps": words("overview.steps").split(". "), "ordered": True},
        ],
    }
    if values:
        out["stock"] = {"type": "1D", "market": [*values], "par": {"values": starts}}
    end = end_value(game)
    if end is not None:
        out["info"]["subtitle"] = words("overview.end", value=end)
    return out


def _train(job: CardJob, railroad: CardRailroad) -> dict[str, Any]:
    """Return a railroad as a train; 18xx-maker has no back of a train, so its second face is given in words."""
    front, *others = railroad.faces
    income = job.words("card.income")
    said = [f"{railroad_title(job, railroad)}. {income}: {job.money(front.income)}"]
    said += [f"{face.level}, {job.money(face.cost)}. {income}: {job.money(face.income)}" for face in others]
    out: dict[str, Any] = {
        "name": front.level,
        "price": front.cost,
        "color": level_colour(job, front),
        "description": " / ".join(said),
        "quantity": railroad.count,
    }
    return out | ({"permanent": True} if front.gone_at is None else {"rust": str(front.gone_at)})


def _write(asked: CardExport) -> Exported:
    game = asked.job.game
    gaps = sum(one.value is None for one in game.track)
    missing = (f"{counted(gaps, 'space')} of the track without a value",) if gaps else ()
    return Exported({f"{asked.stem}.18xx-maker.json": json_text(card_maker_game(asked.job))}, (*_LOSSES, *missing))


FORMAT = CardFormat(
    "18xx-maker",
    "18xx-maker game",
    (".18xx-maker.json",),
    "certificates, investors, the track of share values, and railroads",
    _LOSSES,
    _write,
)
