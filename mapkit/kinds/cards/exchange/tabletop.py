"""Tabletop Simulator: a save with decks, the track of share values, and bags of tokens, and its pictures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.drawing.sheet import CARD
from mapkit.exchange.card_grid import card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import Exported
from mapkit.exchange.tabletop.objects import THICK, TOP, Deck, TabletopObjects, deck, snap_place
from mapkit.exchange.tabletop.save import base_address, save_of
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import decks
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.rules_pages import card_rule_parts
from mapkit.kinds.cards.render.tokens import TOKEN, token_svg, token_title
from mapkit.kinds.cards.render.track import marker_places, track_lines, track_sheets
from mapkit.press.raster import svg_to_png

_LOSSES: Final = ("logic: the game does not check moves", "money; rules, except as notes")
_LOCAL: Final = (
    "addresses that other players can reach: without --base-url the game reads the pictures from this folder, "
    "on this machine only"
)
_NO_ADDRESS: Final = "addresses of the pictures; the save has only their names: give base_url or folder"
MARKER: Final = "marker"
"""The tag of markers that snap to the track, and of its points."""
_TRACK_PIXELS: Final = 2000
_TOKEN_PIXELS: Final = 256
_SCALE: Final = 7.0
_INCH: Final = 25.4
_ACROSS: Final = 5

_Put = Callable[[str, bytes], str]


def _write(asked: CardExport) -> Exported:
    """Return `GAME.json` and its pictures, which have hashes of their content in their names.

    Raises:
        ExportError: `base_url` is not an address.
    """
    base = base_address(asked.base_url, asked.folder)
    job = replace(asked.job, size=CARD)
    game = job.game
    files: dict[str, str | bytes] = {}

    def put(stem: str, png: bytes) -> str:
        name = hashed_name(f"{asked.stem}-{stem}", png)
        files[name] = png
        return base + name

    table = TabletopObjects(game.id)
    things = [*_track(table, job, put), *_decks(table, job, put), *_bags(table, job, put)]
    players = game.rules.setup.players
    notes = {
        str(at): {
            "title": part.title,
            "body": "\n".join(part.points),
            "color": "Grey",
            "visibleColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "id": at,
        }
        for at, part in enumerate(card_rule_parts(job))
    }
    save = save_of(
        game.title, things, players=(players, players), notes=notes, labels=(MARKER,), tags=("Card Games", "Trains")
    )
    files[f"{asked.stem}.json"] = json_text(save)
    missing = () if asked.base_url is not None else (_NO_ADDRESS if asked.folder is None else _LOCAL,)
    return Exported(files, (*_LOSSES, *missing))


def _track(table: TabletopObjects, job: CardJob, put: _Put) -> list[Any]:
    """Return the track: a tile a page, with a snap point for each marker on each line."""
    out = []
    for number, (sheet, lines) in enumerate(zip(track_sheets(job), track_lines(job), strict=True)):
        size = (sheet.width_mm, sheet.height_mm)
        url = put(sheet.id, svg_to_png(sheet.svg, width=_TRACK_PIXELS, name=sheet.id))
        points = [
            {"Position": snap_place(*at, size, size[0] / size[1]), "Tags": [MARKER]}
            for space, area in lines
            if space.value is not None
            for at in marker_places(job, area)
        ]
        picture = {"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True}
        tile = table.thing(
            "Custom_Tile",
            sheet.id,
            (-14.0 * number, TOP, 0),
            title=sheet.title,
            Locked=True,
            CustomImage={"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, "CustomTile": picture},
            AttachedSnapPoints=points,
        )
        tile["Transform"] |= {"scaleX": _SCALE, "scaleY": 1, "scaleZ": _SCALE}
        out.append(tile)
    return out


def _decks(table: TabletopObjects, job: CardJob, put: _Put) -> list[Any]:
    out, key = [], 1
    for number, one in enumerate(decks(job)):
        made = card_set(one.cards)
        urls = [put(f"{one.id}-{at}", grid.png) for at, grid in enumerate(made.grids)]
        backs = [put(f"{one.id}-backs-{at}", grid.png) for at, grid in enumerate(made.backs)]
        back = backs[0] if backs else put(f"back-{one.id.partition('-')[0]}", made.back)
        row, column = divmod(number, _ACROSS)
        at = (8.0 + 3.0 * column, 1.5, 6.0 - 4.5 * row)
        out.append(deck(table, Deck(one.title, one.id, one.cards, made, urls, back, key, backs), at))
        key += len(urls)
    return out


def _bags(table: TabletopObjects, job: CardJob, put: _Put) -> list[Any]:
    """Return a bag of tokens for each holding and use."""
    out = []
    for number, one in enumerate(job.game.tokens):
        url = put(f"token-{one.id}", svg_to_png(token_svg(job, one), width=_TOKEN_PIXELS, name=one.id))
        title = token_title(job, one)
        picture = {"Thickness": THICK, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": False}
        held = [
            table.thing(
                "Custom_Token",
                f"token/{one.id}/{at}",
                (0, 1, 0),
                title=title,
                scale=round(TOKEN / _INCH / 2, 4),
                Tags=[MARKER] if one.use == "marker" else [],
                CustomImage={"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, "CustomToken": picture},
            )
            for at in range(one.count)
        ]
        colour = next((holding.colour for holding in job.game.holdings if holding.id == one.holding), "#8a8272")
        row, column = divmod(number, 2)
        at = (-9.0 - 2.4 * column, TOP + 1, 7.0 - 2.4 * row)
        out.append(
            table.thing("Bag", f"bag/{one.id}", at, title=title, scale=0.7, colour=colour, ContainedObjects=held)
        )
    return out


FORMAT = CardFormat(
    "tts",
    "Tabletop Simulator save",
    (".json",),
    "decks with both faces, the track with snap points for markers, tokens in bags, rules as notes",
    _LOSSES,
    _write,
)
