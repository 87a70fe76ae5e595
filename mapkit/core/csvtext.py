"""Reproducible CSV text: commas, quotes where needed, LF."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, the header first; None is an empty cell."""
    csv_buffer = StringIO()
    csv.writer(csv_buffer, lineterminator="\n").writerows(rows)
    return csv_buffer.getvalue()
