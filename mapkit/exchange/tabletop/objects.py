"""Objects on the table of Tabletop Simulator: ids, positions, and decks of cards."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from mapkit.drawing.sheet import Sheet
from mapkit.exchange.card_grid import CardSet

TOP: Final = 1.06
"""Height of the table, units."""
THICK: Final = 0.1
"""Of a board's tile."""
WHITE: Final = "#ffffff"


class TabletopObjects:
    """Factory of objects with ids of six hex digits, unique and reproducible for a board."""

    def __init__(self, board: str) -> None:
        """Start without objects.

        Args:
            board: The board's id.
        """
        self._board = board
        self._used_guids: set[str] = set()

    def thing(
        self,
        kind: str,
        role: str,
        at: tuple[float, float, float],
        *,
        title: str = "",
        scale: float = 1.0,
        colour: str = WHITE,
        **more: Any,  # noqa: ANN401 - JSON
    ) -> dict[str, Any]:
        """Return an object that is upright for seat White.

        Args:
            kind: Its type.
            role: What it is on this table, unique; its id follows from it.
            at: x, y, z in units.
            title: What players see.
            scale: Of all three sides.
            colour: `#rrggbb`.
            more: Other keys, which stand before those given here.
        """
        return {
            "GUID": self._new_guid(role),
            "Name": kind,
            "Transform": {
                **dict(zip(("posX", "posY", "posZ"), (round(value, 4) for value in at), strict=True)),
                "rotX": 0,
                "rotY": 180,
                "rotZ": 0,
                **dict.fromkeys(("scaleX", "scaleY", "scaleZ"), scale),
            },
            "Nickname": title,
            "Description": "",
            "GMNotes": "",
            "ColorDiffuse": rgb(colour),
            "Tags": [],
            "Locked": False,
            "Grid": False,
            "Snap": True,
            "Autoraise": True,
            "Sticky": True,
            "Tooltip": True,
            "GridProjection": False,
            "DragSelectable": True,
            "HideWhenFaceDown": False,
            "Hands": False,
            "LuaScript": "",
            "LuaScriptState": "",
            "XmlUI": "",
            **more,
        }

    def _new_guid(self, role: str) -> str:
        attempt = 0
        while True:
            guid = hashlib.sha256(f"{self._board}/{role}/{attempt}".encode()).hexdigest()[:6]
            if guid not in self._used_guids:
                self._used_guids.add(guid)
                return guid
            attempt += 1


def rgb(colour: str) -> dict[str, float]:
    """Return `#rrggbb` as fractions from 0 to 1."""
    return {key: round(int(colour[at : at + 2], 16) / 255, 4) for key, at in (("r", 1), ("g", 3), ("b", 5))}


def snap_place(x: float, y: float, page: tuple[float, float], aspect: float) -> dict[str, float]:
    """Return the position of a point of the picture in the tile's own frame.

    Args:
        x: From the left edge of the page.
        y: From its top edge.
        page: Width and height of the page, in the unit of `x` and `y`.
        aspect: Width of the picture by its height.
    """
    return {
        "x": round(-(2 * x / page[0] - 1) * aspect, 5) + 0.0,
        "y": THICK,
        "z": round(2 * y / page[1] - 1, 5) + 0.0,
    }


@dataclass(frozen=True)
class Deck:
    """A stack of cards.

    Attributes:
        title: What players see.
        group: Of the sheets; what it is called in the save's identifiers.
        cards: From the top.
        pictures: Of the cards.
        urls: Addresses of the pictures' grids.
        back: Address of the back.
        backs: Addresses of the grids of backs, one for each of `urls`, if cards have different ones.
        key: Number of the first grid among all of the save, from 1.
    """

    title: str
    group: str
    cards: Sequence[Sheet]
    pictures: CardSet
    urls: Sequence[str]
    back: str
    key: int
    backs: Sequence[str] = ()


def deck_object(table: TabletopObjects, given: Deck, at: tuple[float, float, float]) -> Any:  # noqa: ANN401 - JSON
    """Return a deck, face up, or a single card."""
    pictures, first_key = given.pictures, given.key
    custom_decks = {
        str(first_key + number): {
            "FaceURL": face_url,
            "BackURL": given.backs[number] if given.backs else given.back,
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": not given.backs,
            "UniqueBack": bool(given.backs),
            "Type": 0,
        }
        for number, (grid, face_url) in enumerate(zip(pictures.grids, given.urls, strict=True))
    }
    card_ids = [100 * (first_key + grid) + cell for grid, cell in pictures.places]
    card_objects = [
        table.thing(
            "Card",
            f"card/{card.id}",
            at,
            title=card.title.partition(": ")[2] or card.title,
            Hands=True,
            CardID=card_id,
            CustomDeck={str(first_key + grid): custom_decks[str(first_key + grid)]},
        )
        for card, card_id, (grid, _) in zip(given.cards, card_ids, pictures.places, strict=True)
    ]
    if len(card_objects) == 1:
        return card_objects[0]
    return table.thing(
        "DeckCustom",
        f"deck/{given.group}",
        at,
        title=given.title,
        DeckIDs=card_ids,
        CustomDeck=custom_decks,
        ContainedObjects=card_objects,
    )
