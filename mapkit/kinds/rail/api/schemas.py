"""JSON Schemas of the board file, and of the JSON output of commands."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from mapkit.core.addons import select_present
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.exchange.json_schemas import model_schema
from mapkit.exchange.typescript import typescript_declarations

if TYPE_CHECKING:
    from pydantic import BaseModel

_BOARD_MODELS: Final = select_present(
    {"hex": "mapkit.kinds.hex.model.board:HexBoard", "cards": "mapkit.kinds.cards.game:CardGame"}
)
"""Where the models of boards of other kinds are, as their JSON exports hold them."""
_ACCEPTED: Final = "-accepted"
"""Ending of names of schemas of what mapkit reads, rather than of what it writes."""
SCHEMAS: Final[dict[str, str]] = {
    "board": "mapkit.kinds.rail.model.file:BoardFile",
    "board-dots": "mapkit.kinds.rail.model.board_scan:SymbolsFound",
    "board-diff": "mapkit.kinds.rail.model.difference:BoardDiff",
    "board-scan": "mapkit.kinds.rail.model.board_scan:BoardScan",
    "destination-diff": "mapkit.kinds.rail.charts.destinations.diff:DestinationDiff",
    "destination-odds": "mapkit.kinds.rail.network.odds:OddsReport",
    "destination-regions": "mapkit.kinds.rail.charts.destinations.regions:ProposedRegions",
    "destinations": "mapkit.kinds.rail.api.destinations:SolvedDestinations",
    "findings": "mapkit.core.findings:CheckReport",
    "georeference": "mapkit.kinds.rail.model.georeference:GeoreferenceReport",
    "holding": "mapkit.kinds.rail.network.travel:Holding",
    "judgement": "mapkit.kinds.rail.refereeing.log:Judgement",
    "ladder": "mapkit.playing.ladders:Ladder",
    "match": "mapkit.kinds.rail.model.match:MatchHead",
    "match-event": "mapkit.kinds.rail.model.match:MatchEvent",
    "payoffs-check": "mapkit.kinds.rail.model.payoffs.diagnosis:PayoffDiagnosis",
    "payoffs-compute": "mapkit.kinds.rail.model.payoffs.model:ComputedPayoffs",
    "payoffs-diff": "mapkit.kinds.rail.charts.payoffs.chart_comparison:PayoffDiff",
    "payoffs-read": "mapkit.kinds.rail.model.payoffs.chart:PayoffsRead",
    "payoffs-repair": "mapkit.kinds.rail.model.payoffs.diagnosis:PayoffRepairs",
    "places": "mapkit.kinds.rail.api.places:PlacesLookedUp",
    "playtest": "mapkit.kinds.rail.model.study:Study",
    "playtest-compare": "mapkit.kinds.rail.model.comparison:Comparison",
    "playtest-prices": "mapkit.kinds.rail.model.pricing:Pricing",
    "report": "mapkit.kinds.rail.network.report:Report",
    "route": "mapkit.kinds.rail.network.routes:Route",
    "rules": "mapkit.kinds.rail.rules.rules:Rules",
    "scan-placing": "mapkit.kinds.rail.model.scan_placing:ScanPlacing",
    "variant": "mapkit.kinds.rail.variants.variant:Variant",
    **{f"board-{kind}": place for kind, place in _BOARD_MODELS.items()},
    f"board{_ACCEPTED}": "mapkit.kinds.rail.model.file:BoardFile",
    **{f"board-{kind}{_ACCEPTED}": place for kind, place in _BOARD_MODELS.items()},
}
"""What `mapkit schema` knows, and where its model is; a solver is imported only for its own."""


def schema(name: str = "board") -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of what the board file or a command's JSON holds.

    Args:
        name: `"board"` for the board file as mapkit writes it, `"board-accepted"` as it reads it, or another of
            `SCHEMAS`.

    Raises:
        UnknownNameError: There is no such schema.
    """
    if name not in SCHEMAS:
        raise UnknownNameError(f"no schema {name!r}{did_you_mean(name, SCHEMAS)}; there are {join_some(SCHEMAS)}")
    module, _, model = SCHEMAS[name].partition(":")
    found: type[BaseModel] = getattr(import_module(module), model)
    return model_schema(found, name, "validation" if name.endswith(_ACCEPTED) else "serialization")


def declare_types(name: str = "board") -> str:
    """Return TypeScript declarations of what a schema describes; likewise raises UnknownNameError."""
    return typescript_declarations(schema(name))
