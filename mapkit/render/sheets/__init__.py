"""Sheets for the table: pages and cards as SVG."""
