"""A board as an XLSX workbook."""
