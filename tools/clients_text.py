"""The text of `docs/reference/clients.md`: the programs that exports were opened in, with their versions."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

SEEN: Final = Path(__file__).resolve().parent.parent / "tests" / "clients" / "seen.json"
_BY_HAND: Final = {
    "Google Earth": ("`kml`", "*File*, *Open*; all six folders have features"),
    "Gephi": ("`gexf`", "*File*, *Open*, *Undirected*; the report shows as many edges as `mapkit export` wrote"),
    "yEd": ("`graphml`", "*File*, *Open*; nodes and edges are counted in the status bar"),
    "Tabletop Simulator": ("`tts`", "copy the save to `Saves`, load it, drop a pawn beside a milepost: it snaps"),
    "Board Game Arena": ("`bga`", "upload the folder to a project, start a table, compare places with the picture"),
    "18xx-maker": ("`18xx-maker`", "load the file as a game; open the pages of map, cards and market"),
    "18xx.games": ("`18xx-games`", "put the file into `lib/engine/game/` of a checkout; open its map page"),
    "Rail Baron Player": ("`rb3`", "`--encoding windows-1252`; open the map and start a game"),
    "Boxcars": ("`rb3`", "open the map and start a game"),
    "nanDECK": ("`csv`", "`LINK` the file and draw the deck"),
}
_TEXT: Final = """\
# Programs that exports were opened in

Written by `tools/make_docs.py` from `tests/clients/seen.json`; do not edit.

`tests/clients/run.py` writes exports, opens them in these programs and compares what they show with the last time;
`--write` keeps what is seen. `tests/clients/Dockerfile` has the programs of Debian, and a workflow runs it every week.

| program | version | exports | what was done | what was seen |
| --- | --- | --- | --- | --- |
{seen}

## By hand

Debian, PyPI and npm do not have these programs; nobody has opened exports in them for this page.

| program | exports | how |
| --- | --- | --- |
{by_hand}
"""


def clients_text() -> str:
    """Return `docs/reference/clients.md`."""
    seen: dict[str, Any] = json.loads(SEEN.read_text(encoding="utf-8"))
    rows = (
        f"| {name} | {one['version']} | {one['exports']} | {one['steps']} | {', '.join(_figures(one['figures']))} |"
        for name, one in seen.items()
    )
    by_hand = (f"| {name} | {exports} | {steps} |" for name, (exports, steps) in _BY_HAND.items())
    return _TEXT.format(seen="\n".join(rows), by_hand="\n".join(by_hand))


def _figures(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, value in figures.items():
        if name.endswith("picture"):
            yield name
        elif isinstance(value, Mapping):
            yield f"{name} ({', '.join(_figures(value))})"
        elif value != []:
            yield f"{name} {'yes' if value is True else value}"
