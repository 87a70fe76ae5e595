"""Frame of a save, and the base address of its pictures."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mapkit.core.errors import ExportError

NO_ADDRESS: Final = (
    "addresses of the pictures; the save has only their names: give --base-url, for this machine alone file:///FOLDER/"
)
_ADDRESS_PATTERN: Final = re.compile(r"(?:https?|file)://[A-Za-z0-9._~:/\[\]@!$&()*+,;=%-]+")
_LONGEST_URL: Final = 1000


def base_address(url: str | None) -> str:
    """Return the prefix of picture names, with a slash at its end; nothing without an address.

    Raises:
        ExportError: `base_url` is not an address that the game can open.
    """
    if url is None:
        return ""
    if len(url) > _LONGEST_URL or not _ADDRESS_PATTERN.fullmatch(url):
        raise ExportError(
            f"--base-url {url[:80]!r}: give the address of the folder that holds the pictures, such as "
            "https://example.org/maps/, without spaces, quotes, ? or #; write other letters as %XX"
        )
    return url.rstrip("/") + "/"


def make_save(
    title: str,
    things: list[Any],
    *,
    players: tuple[int, int],
    notes: Mapping[str, Any],
    labels: Sequence[str] = (),
    tags: Sequence[str] = ("Board Games", "Trains"),
) -> dict[str, Any]:
    """Return a save.

    Args:
        title: What it is called.
        things: What lies on the table.
        players: The least number of them, and the most.
        notes: The pages of the notebook.
        labels: The tags of pieces that snap to points.
        tags: What the game is about.
    """
    return {
        "SaveName": title,
        "EpochTime": 0,
        "Date": "",
        "VersionNumber": "",
        "GameMode": title,
        "GameType": "Game",
        "GameComplexity": "Medium Complexity",
        "Tags": [*tags],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "PlayingTime": [0, 0],
        "PlayerCounts": [*players],
        "Table": "Table_RPG",
        "Sky": "Sky_Museum",
        "Note": "",
        "TabStates": notes,
        "Grid": {
            "Type": 0,
            "Lines": False,
            "Color": {"r": 0, "g": 0, "b": 0},
            "Opacity": 0.75,
            "ThickLines": False,
            "Snapping": False,
            "Offset": False,
            "BothSnapping": False,
            "xSize": 2,
            "ySize": 2,
            "PosOffset": {"x": 0, "y": 1, "z": 0},
        },
        "Lighting": {
            "LightIntensity": 0.54,
            "LightColor": {"r": 1, "g": 0.98, "b": 0.89},
            "AmbientIntensity": 1.3,
            "AmbientType": 0,
            "AmbientSkyColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientEquatorColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientGroundColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "ReflectionIntensity": 1,
            "LutIndex": 0,
            "LutContribution": 1,
            "LutURL": "",
        },
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ComponentTags": {"labels": [{"displayed": label, "normalized": label} for label in labels]},
        "Turns": {
            "Enable": False,
            "Type": 0,
            "TurnOrder": [],
            "Reverse": False,
            "SkipEmpty": False,
            "DisableInteractions": False,
            "PassTurns": True,
            "TurnColor": "White",
        },
        "DecalPallet": [],
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "SnapPoints": [],
        "ObjectStates": things,
    }
