"""18xx-maker: holdings as companies, railroads as trains, investors as privates, and the track as a market."""

from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.core.plurals import count_noun
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.game import CardRailroad
from mapkit.kinds.cards.render.investors import effect_text, end_value, investor_title
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.railroads import level_colour, railroad_title

_LOSSES: Final = (
    "second faces of railroads, except in words",
    "zones of holdings, decks and tokens, except as a number",
    "effects of investors, except in words",
    "settings of the rules, and the order of the stack",
)


def card_maker_game(job: CardJob) -> dict[str, Any]:
    """Return a game in the format of 18xx-maker."""
    game, words = job.game, job.words
    share_values = [space.value for space in game.track if space.value is not None]
    start_values = [space.value for space in game.track if space.start and space.value is not None]
    maker_game: dict[str, Any] = {
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
                "name": holding.name,
                "abbrev": holding.short or job.codes[holding.id],
                "color": holding.colour,
                "tokens": ["" for _ in range(holding.operators)],
                "shares": [
                    {
                        "quantity": 1,
                        "percent": share.percent,
                        "shares": max(1, round(share.percent / 10)),
                        **({"label": words("card.director")} if share.director else {}),
                    }
                    for share in holding.certificates
                ],
            }
            for holding in game.holdings
        ],
        "trains": [_make_train(job, railroad) for railroad in game.railroads],
        "privates": [
            {
                "name": investor_title(job, investor),
                "price": investor.value,
                "description": investor.text or " ".join(effect_text(job, effect) for effect in investor.effects),
            }
            for investor in game.investors
        ],
        "turns": [
            {"name": words("overview.stock"), "steps": [words("overview.stock_text")], "ordered": False},
            {"name": words("overview.operating"), "steps": words("overview.steps").split(". "), "ordered": True},
        ],
    }
    if share_values:
        maker_game["stock"] = {"type": "1D", "market": [*share_values], "par": {"values": start_values}}
    game_end_value = end_value(game)
    if game_end_value is not None:
        maker_game["info"]["subtitle"] = words("overview.end", value=game_end_value)
    return maker_game


def _make_train(job: CardJob, railroad: CardRailroad) -> dict[str, Any]:
    """Return a railroad as a train; its second face is given in words, because trains of 18xx-maker have no back."""
    front_face, *other_faces = railroad.faces
    income_word = job.words("card.income")
    face_texts = [f"{railroad_title(job, railroad)}. {income_word}: {job.money(front_face.income)}"]
    face_texts += [
        f"{face.level}, {job.money(face.cost)}. {income_word}: {job.money(face.income)}" for face in other_faces
    ]
    train: dict[str, Any] = {
        "name": front_face.level,
        "price": front_face.cost,
        "color": level_colour(job, front_face),
        "description": " / ".join(face_texts),
        "quantity": railroad.count,
    }
    if front_face.gone_at is None:
        return train | {"permanent": True}
    # 18xx-maker looks up the train by its name: 8a where an 8 makes others rust.
    fronts = [other.faces[0] for other in job.game.railroads]
    rusting_levels = [face.level for face in fronts if face.number == front_face.gone_at]
    return train | ({"rust": rusting_levels[0]} if rusting_levels else {})


def _write_maker(asked: CardExport) -> ExportedBoard:
    game = asked.job.game
    gap_count = sum(space.value is None for space in game.track)
    missing_notes = (f"{count_noun(gap_count, 'space')} of the track without a value",) if gap_count else ()
    return ExportedBoard(
        {f"{asked.stem}.18xx-maker.json": json_text(card_maker_game(asked.job))}, (*_LOSSES, *missing_notes)
    )


FORMAT = CardFormat(
    "18xx-maker",
    "18xx-maker game",
    (".18xx-maker.json",),
    "certificates, investors, the track of share values, and railroads",
    _LOSSES,
    _write_maker,
)
