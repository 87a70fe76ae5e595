"""The text of `docs/reference/source-package.md`: the keys of `board.toml` and the columns of the tables."""

from collections.abc import Iterator, Mapping
from typing import get_args

from board_file_text import MARK, filled
from operations_text import default_text, model_in, value_text
from pydantic import BaseModel

from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.model.boxes import PageBox
from mapkit.kinds.rail.model.source import BoardConfig, RegionConfig

_ELSEWHERE = {
    "rules": "the rules of the game: a preset, options, single settings",
    "sizes": "sizes in millimetres; `mapkit list themes --json` lists them",
}
_LISTED: Mapping[str, type[BaseModel]] = {"regions": RegionConfig, "page.boxes": PageBox}
_VALUES = {"page.boxes.NAME.at": "`[x, y]` or `auto`", "page.boxes.NAME.size": "`[width, height]`, 15 or more"}
_WORDS = {
    "page.boxes.NAME.kind": "Content; a box of kind `legend` takes the place of the strip",
    "kind": "`hex` and `cards` have other keys",
    "title": "Name of the board, as drawn",
    "credits": "Where the data comes from",
    "licence": "Licence of the board's data",
    "units.currency": "ISO 4217 code",
    "units.symbol": "Sign to print",
    "units.payoff": "Currency units that 1 in the payoff chart is worth",
    "units.distance": "Always the statute mile",
    "projection.lon_0": "Centre",
    "projection.lat_0": "Centre",
    "projection.lat_1": "Standard parallel",
    "projection.lat_2": "Standard parallel",
    "page.width": "Millimetres",
    "page.height": "Millimetres",
    "page.margin": "Millimetres kept free around the map",
    "gazetteer.countries": "ISO 3166 codes; places are looked up there",
    "regions.id": "Stable id",
    "regions.name": "As printed",
    "regions.short": "Up to 6 characters",
    "regions.colour": "Tint",
    "accepted": "Id of a finding -> reason, see [findings](checks.md#accept-a-finding)",
    "layers.land": "GeoJSON file in `layers/`",
}


def package_text() -> str:
    """Return `docs/reference/source-package.md`."""
    patterns = ", ".join(f"`{name}`" for name in get_args(Pattern))
    head = ["| key | value | default | meaning |", "| --- | --- | --- | --- |"]
    settings = "\n".join([*head, *_keys(BoardConfig, "")])
    return filled(
        "source-package", {"mark": MARK.format(page="source-package"), "settings": settings, "patterns": patterns}
    )


def _keys(model: type[BaseModel], before: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        key = f"{before}{name}"
        inner = _LISTED.get(key) or model_in(field.annotation)
        if inner is not None and name not in _ELSEWHERE:
            yield from _keys(inner, f"{key}.NAME." if inner is PageBox else f"{key}.")
            continue
        meaning = _ELSEWHERE.get(name) or field.description or _WORDS.get(key, "")
        value = "table" if inner is not None else _VALUES.get(key) or value_text(field.annotation, field.metadata)
        yield f"| `{key}` | {value} | {default_text(field)} | {' '.join(meaning.split())} |".replace("  ", " ")
