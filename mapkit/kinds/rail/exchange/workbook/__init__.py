"""XLSX workbooks of boards."""
