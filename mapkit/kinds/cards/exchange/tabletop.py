"""Tabletop Simulator save with decks, the track of share values, bags of tokens, and its pictures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.drawing.sheet import CARD
from mapkit.exchange.card_grid import draw_card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.tabletop.objects import THICK, TOP, Deck, TabletopObjects, deck_object, snap_place
from mapkit.exchange.tabletop.save import NO_ADDRESS, base_address, make_save
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import make_decks
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.rules_pages import card_rule_parts
from mapkit.kinds.cards.render.tokens import TOKEN, token_svg, token_title
from mapkit.kinds.cards.render.track import marker_places, track_lines, track_sheets
from mapkit.press.raster import svg_to_png

_LOSSES: Final = ("logic: the game does not check moves", "money; rules, except as notes")
MARKER: Final = "marker"
"""The tag of markers that snap to the track, and of its points."""
_TRACK_PIXELS: Final = 2000
_TOKEN_PIXELS: Final = 256
_TRACK_SCALE: Final = 7.0
_MM_AN_INCH: Final = 25.4
_DECKS_A_ROW: Final = 5

_PutPicture = Callable[[str, bytes], str]


def _write_save(asked: CardExport) -> ExportedBoard:
    """Write `GAME.json` and its pictures, named by hashes of their content.

    Raises:
        ExportError: `base_url` is not an address.
    """
    base_url = base_address(asked.base_url)
    job = replace(asked.job, size=CARD)
    game = job.game
    files: dict[str, str | bytes] = {}

    def put(stem: str, png: bytes) -> str:
        file_name = hashed_name(f"{asked.stem}-{stem}", png)
        files[file_name] = png
        return base_url + file_name

    table = TabletopObjects(game.id)
    table_objects = [*_make_track(table, job, put), *_make_decks(table, job, put), *_make_bags(table, job, put)]
    players = game.rules.setup.players
    rule_notes = {
        str(number): {
            "title": part.title,
            "body": "\n".join(part.points),
            "color": "Grey",
            "visibleColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "id": number,
        }
        for number, part in enumerate(card_rule_parts(job))
    }
    save = make_save(
        game.title,
        table_objects,
        players=(players, players),
        notes=rule_notes,
        labels=(MARKER,),
        tags=("Card Games", "Trains"),
    )
    files[f"{asked.stem}.json"] = json_text(save)
    missing_notes = () if asked.base_url is not None else (NO_ADDRESS,)
    return ExportedBoard(files, (*_LOSSES, *missing_notes))


def _make_track(table: TabletopObjects, job: CardJob, put: _PutPicture) -> list[Any]:
    """Return the track: a tile for each page, with a snap point for each marker on each line."""
    track_tiles = []
    for number, (sheet, lines) in enumerate(zip(track_sheets(job), track_lines(job), strict=True)):
        page_size = (sheet.width_mm, sheet.height_mm)
        url = put(sheet.id, svg_to_png(sheet.svg, width=_TRACK_PIXELS, name=sheet.id))
        snap_points = [
            {"Position": snap_place(*marker_place, page_size, page_size[0] / page_size[1]), "Tags": [MARKER]}
            for space, area in lines
            if space.value is not None
            for marker_place in marker_places(job, area)
        ]
        tile_fields = {"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True}
        tile = table.thing(
            "Custom_Tile",
            sheet.id,
            (-14.0 * number, TOP, 0),
            title=sheet.title,
            Locked=True,
            CustomImage={"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, "CustomTile": tile_fields},
            AttachedSnapPoints=snap_points,
        )
        tile["Transform"] |= {"scaleX": _TRACK_SCALE, "scaleY": 1, "scaleZ": _TRACK_SCALE}
        track_tiles.append(tile)
    return track_tiles


def _make_decks(table: TabletopObjects, job: CardJob, put: _PutPicture) -> list[Any]:
    table_decks, key = [], 1
    for number, pile in enumerate(make_decks(job)):
        pictures = draw_card_set(pile.cards)
        urls = [put(f"{pile.id}-{index}", grid.png) for index, grid in enumerate(pictures.grids)]
        back_urls = [put(f"{pile.id}-backs-{index}", grid.png) for index, grid in enumerate(pictures.backs)]
        back_url = back_urls[0] if back_urls else put(f"back-{pile.id.partition('-')[0]}", pictures.back)
        row, column = divmod(number, _DECKS_A_ROW)
        table_place = (8.0 + 3.0 * column, 1.5, 6.0 - 4.5 * row)
        table_decks.append(
            deck_object(
                table, Deck(pile.title, pile.id, pile.cards, pictures, urls, back_url, key, back_urls), table_place
            )
        )
        key += len(urls)
    return table_decks


def _make_bags(table: TabletopObjects, job: CardJob, put: _PutPicture) -> list[Any]:
    """Return a bag of tokens for each holding and use."""
    token_bags = []
    for number, token in enumerate(job.game.tokens):
        url = put(f"token-{token.id}", svg_to_png(token_svg(job, token), width=_TOKEN_PIXELS, name=token.id))
        title = token_title(job, token)
        token_fields = {"Thickness": THICK, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": False}
        held = [
            table.thing(
                "Custom_Token",
                f"token/{token.id}/{index}",
                (0, 1, 0),
                title=title,
                scale=round(TOKEN / _MM_AN_INCH / 2, 4),
                Tags=[MARKER] if token.use == "marker" else [],
                CustomImage={"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, "CustomToken": token_fields},
            )
            for index in range(token.count)
        ]
        colour = next((holding.colour for holding in job.game.holdings if holding.id == token.holding), "#8a8272")
        row, column = divmod(number, 2)
        table_place = (-9.0 - 2.4 * column, TOP + 1, 7.0 - 2.4 * row)
        token_bags.append(
            table.thing(
                "Bag", f"bag/{token.id}", table_place, title=title, scale=0.7, colour=colour, ContainedObjects=held
            )
        )
    return token_bags


FORMAT = CardFormat(
    "tts",
    "Tabletop Simulator save",
    (".json",),
    "decks with both faces, the track with snap points for markers, tokens in bags, rules as notes",
    _LOSSES,
    _write_save,
)
