"""Files of the source package of a draft."""

import json
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Final

from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.model.source import SHEETS_MM, Sheet
from mapkit.kinds.rail.sources.projections import choose_projection, projection_toml

MARGIN_MM: Final = 24
LEGEND_MM: Final = 64
_COMMENT_WIDTH: Final = 116


def draft_files(plan: Plan) -> dict[str, bytes]:
    """Return the files of a draft by path, text in UTF-8."""
    files = {
        "board.toml": board_toml(plan),
        "cities.csv": _csv_table(
            ("id", "name", "region", "lon", "lat", "milepost", "weight"),
            ((c.id, c.name, c.region, f"{c.lon:.5f}", f"{c.lat:.5f}", c.milepost, c.weight) for c in plan.cities),
        ),
        "places.csv": _csv_table(
            ("place", "lon", "lat", "note"),
            ((p.name, f"{p.lon:.5f}", f"{p.lat:.5f}", p.note) for p in plan.places),
        ),
        "railroads.csv": _csv_table(
            ("id", "name", "short", "price", "public", "colour", "pattern"),
            ((r.id, r.name, r.short, r.price, "false", r.colour, r.pattern) for r in plan.railroads),
        ),
    }
    for railroad in plan.railroads:
        station_rows = [
            (railroad.short, line.name, number, place, "milepost" if stops else "via")
            for line in railroad.lines
            for number, (place, stops) in enumerate(line.stations, 1)
        ]
        files[f"lines/{railroad.id}.csv"] = _csv_table(("railroad", "line", "seq", "place", "kind"), station_rows)
    return {path: text.encode() for path, text in sorted(files.items())}


def board_toml(plan: Plan) -> str:
    """Return the text of `board.toml`."""
    credit_lines = (
        "Place positions and populations: GeoNames (geonames.org), CC BY 4.0",
        "Land, lakes and borders: Natural Earth, public domain",
        *plan.credits,
    )
    parts = [
        *_comment_lines(
            (
                f"A draft; `{plan.command}` makes it again. Improve what you like: every file is yours.",
                "What was assumed stands at the end.",
            )
        ),
        f"title = {_toml_text(plan.title)}",
        'licence = "CC-BY-4.0"',
        "credits = [",
        *(f"  {_toml_text(sentence)}," for sentence in credit_lines),
        "]",
        "",
        *projection_toml(
            choose_projection(lon_0=plan.lon_0, lat_0=plan.lat_0, parallels=plan.extent[1::2], size=plan.size)
        ),
        "",
        "# millimetres; the legend strip lies below the map, which shows the land of the extent, in degrees, whole",
        "[page]",
        *(
            (f'sheet = "{plan.sheet}"', f"upright = {str(size[0] < size[1]).lower()}")
            if plan.sheet and (size := choose_sheet(plan.sheet, plan.size))
            else (f"width = {plan.page[0]}", f"height = {plan.page[1]}")
        ),
        f"margin = {MARGIN_MM}",
        f"legend = {LEGEND_MM}",
        f"extent = [{', '.join(f'{side:g}' for side in plan.extent)}]",
        "",
        "[gazetteer]",
        f"countries = [{', '.join(_toml_text(code) for code in plan.countries)}]",
        "",
        f"# for lines that you draw or import: drafted mileposts are about {plan.gap:g} miles apart",
        "[spacing]",
        f"gap_mi = {plan.gap:g}",
        "",
        "# the charts are solved from the weights in cities.csv: people, damped",
        "[destinations]",
        "solve = true",
        "",
        f"# thousands per 100 miles: about {plan.rate * plan.gap / 100:.2f} a milepost",
        "[payoffs]",
        'model = "rail"',
        "base = 0",
        f"rail = {plan.rate:g}",
        "step = 0.5",
        "",
        "# so that a game takes the usual number of trips",
        "[rules]",
        f"winning.cash = {plan.cash:_}",
    ]
    for region in plan.regions:
        parts += [
            "",
            "[[regions]]",
            f"id = {_toml_text(region.id)}",
            f"name = {_toml_text(region.name)}",
            f"short = {_toml_text(region.short)}",
            f"colour = {_toml_text(region.colour)}",
        ]
    parts += [
        "",
        "# mapkit check --all lists what was assumed; delete what holds no more. The options are for drafting again",
        "[extensions.draft]",
        *(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in plan.options),
        "assumed = [",
        *(f"  {_toml_text(sentence)}," for sentence in plan.assumed),
        "]",
    ]
    if plan.accepted:
        parts += ["", "# findings of mapkit check on the draft that were judged", "[accepted]"]
        parts += [f"{_toml_text(ident)} = {_toml_text(reason)}" for ident, reason in sorted(plan.accepted.items())]
    return "\n".join(parts) + "\n"


def choose_sheet(sheet: Sheet, land: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of a sheet in millimetres, upright if the land is larger on it so."""
    sizes = (SHEETS_MM[sheet][::-1], SHEETS_MM[sheet])
    return max(
        sizes,
        key=lambda size: min((size[0] - 2 * MARGIN_MM) / land[0], (size[1] - 2 * MARGIN_MM - LEGEND_MM) / land[1]),
    )


def _csv_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return csv_text([header, *([str(cell) for cell in row] for row in rows)])


def _comment_lines(sentences: Iterable[str]) -> list[str]:
    return [f"# {line}" for sentence in sentences for line in wrap(sentence, _COMMENT_WIDTH, subsequent_indent="  ")]


def _toml_text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
