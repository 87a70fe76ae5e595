"""Sheets for the table: charts, deeds, engines, markers, rules, pads, as SVG pages and cards."""

from mapkit.kinds.rail.render.sheets.all_sheets import GROUPS, group_sheets, sheets

__all__ = ["GROUPS", "group_sheets", "sheets"]
