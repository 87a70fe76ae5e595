"""Sheets for the table: charts, deeds, engines, markers, rules, pads, as SVG pages and cards."""

from mapkit.kinds.rail.render.sheets.every import GROUPS, sheets
from mapkit.kinds.rail.render.sheets.sheet import CARD, PAPERS, Paper, Sheet

__all__ = ["CARD", "GROUPS", "PAPERS", "Paper", "Sheet", "sheets"]
