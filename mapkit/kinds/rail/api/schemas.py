"""JSON Schemas of the board file, and of the JSON output of commands."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.version import __version__

if TYPE_CHECKING:
    from pydantic import BaseModel

SCHEMAS: Final = {
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
    "ladder": "mapkit.kinds.rail.model.ladder:Ladder",
    "match": "mapkit.kinds.rail.model.match:MatchHead",
    "match-event": "mapkit.kinds.rail.model.match:MatchEvent",
    "payoffs-check": "mapkit.kinds.rail.model.payoffs.diagnosis:PayoffDiagnosis",
    "payoffs-compute": "mapkit.kinds.rail.model.payoffs.model:ComputedPayoffs",
    "payoffs-diff": "mapkit.kinds.rail.charts.payoffs.diff:PayoffDiff",
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
}
"""What `mapkit schema` knows, and where its model is; a solver is imported only for its own."""


def schema(name: str = "board") -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of what the board file or a command's JSON holds.

    Args:
        name: `"board"` for the board file, or another of `SCHEMAS`.

    Raises:
        UnknownNameError: There is no such schema.
    """
    if name not in SCHEMAS:
        raise UnknownNameError(f"no schema {name!r}{did_you_mean(name, SCHEMAS)}; there are {', '.join(SCHEMAS)}")
    module, _, model = SCHEMAS[name].partition(":")
    found: type[BaseModel] = getattr(import_module(module), model)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **found.model_json_schema(mode="serialization"),
        "x-mapkit-version": __version__,
    }
