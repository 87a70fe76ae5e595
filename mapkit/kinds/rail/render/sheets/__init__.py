"""Sheets for the table: charts, deeds, engines, markers, rules, pads, as SVG pages and cards."""

from mapkit.kinds.rail.render.sheets.every import GROUPS, sheets

__all__ = ["GROUPS", "sheets"]
