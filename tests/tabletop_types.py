"""Saves of Tabletop Simulator, held against the declarations of its own types."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from optional import lacking, tsc

NODE = Path(__file__).parent / "exchange" / "tts"
DECLARED = NODE / "node_modules" / "@typed-tabletop-simulator" / "declaration" / "src"
INSTALL = "npm ci --prefix tests/exchange/tts"

TYPES = {
    "Custom_Tile": "TileData", "Custom_Token": "TokenData", "DeckCustom": "DeckCustomData", "Card": "CardCustomData",
    "Die_6": "DieData", "PlayerPawn": "ObjectData", "BlockSquare": "ObjectData", "BlockTriangle": "ObjectData",
    "Bag": "BagData", "Infinite_Bag": "BagInfiniteData",
}  # fmt: skip
"""Object -> its type in the declarations."""


def check_types(save: dict[str, Any]) -> None:
    """Run `tsc` over a save, each object as the type that the declarations have for it."""
    compiler = tsc(NODE, INSTALL)
    if not DECLARED.is_dir():
        lacking(f"the declarations of Tabletop Simulator are not installed: {INSTALL}")
    source = typescript(save)
    folder = NODE / "node_modules" / ".mapkit"
    folder.mkdir(exist_ok=True)
    path = folder / f"save-{os.getpid()}.ts"
    path.write_text(source, encoding="utf-8")
    try:
        options = (
            "--noEmit",
            "--strict",
            "--skipLibCheck",
            "--target",
            "es2020",
            "--lib",
            "es2020",
            "--pretty",
            "false",
        )
        done = subprocess.run(
            [*compiler, *options, DECLARED / "index.d.ts", path],
            capture_output=True, text=True, check=False, cwd=NODE,
        encoding="utf-8")  # fmt: skip
    finally:
        path.unlink()
    assert done.returncode == 0, done.stdout[:2000]


def typescript(save: dict[str, Any]) -> str:
    """Return a save as TypeScript.

    `Name` becomes a member of the enumeration `ObjectName`; `TabStates.*.id` a text, though saves have a number; and
    two keys of tiles that saves have and the declarations lack are left out.
    """
    enumeration = (DECLARED / "object.d.ts").read_text(encoding="utf-8").partition("const enum ObjectName {")[2]
    members = dict(re.findall(r'(\w+) = "([^"]+)"', enumeration.partition("}")[0]))
    known = {value: member for member, value in members.items()}
    lines = []
    for at, thing in enumerate(save["ObjectStates"]):
        lines.append(f"const thing{at}: {TYPES[thing['Name']]} = {literal(_declared(thing), known)};")
        inner = {one["Nickname"]: one for one in thing.get("ContainedObjects", ()) if "CustomImage" in one}
        for number, one in enumerate(inner.values()):
            lines.append(f"const inner{at}_{number}: {TYPES[one['Name']]} = {literal(_declared(one), known)};")
    outer = dict(save)
    del outer["ObjectStates"]
    outer["TabStates"] = {key: tab | {"id": str(tab["id"])} for key, tab in save["TabStates"].items()}
    assert all(tab["id"] == int(key) for key, tab in save["TabStates"].items())
    things = ", ".join(f"thing{at}" for at in range(len(save["ObjectStates"])))
    lines.append(f"const save: Partial<TTSSave> = {literal(outer, known)};")
    lines.append(f"save.ObjectStates = [{things}];")
    return "\n".join(lines)


def _declared(thing: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the keys of its picture that the declarations lack."""
    image = dict(thing.get("CustomImage", ()))
    if image:
        assert (image.pop("ImageScalar"), image.pop("WidthScale")) == (1, 0)
        thing = thing | {"CustomImage": image}
    if thing["Name"].endswith("Bag"):  # what is in it is held against its own type
        inner = [
            {key: value for key, value in one.items() if key != "CustomImage"} for one in thing["ContainedObjects"]
        ]
        thing = thing | {"ContainedObjects": inner}
    return thing


def literal(value: Any, names: dict[str, str]) -> str:
    if isinstance(value, dict):
        parts = (
            f"{json.dumps(key)}: {f'ObjectName.{names[item]}' if key == 'Name' else literal(item, names)}"
            for key, item in value.items()
        )
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item, names) for item in value) + "]"
    return json.dumps(value)
