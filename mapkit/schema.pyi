# The models of mapkit.schema, each with the module that it is imported from when it is first used.
from mapkit.core.findings import CheckReport, Finding
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.rail.model.board import (
    City,
    DestinationChart,
    Junction,
    Milepost,
    Page,
    Payoffs,
    Piece,
    Provenance,
    Railroad,
    Region,
    Segment,
    Units,
)
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.model.file import BoardFile as Board
from mapkit.kinds.rail.model.file import Crossing
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.network.routes import Route
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.variants.variant import Variant

__all__ = [
    "Board",
    "BoardDiff",
    "CardGame",
    "CheckReport",
    "City",
    "Crossing",
    "DestinationChart",
    "Finding",
    "HexBoard",
    "Junction",
    "MatchEvent",
    "MatchHead",
    "Milepost",
    "Page",
    "Payoffs",
    "Piece",
    "Provenance",
    "Railroad",
    "Region",
    "Report",
    "Route",
    "Rules",
    "Segment",
    "Units",
    "Variant",
]
