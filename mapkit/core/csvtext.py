"""CSV text with the same bytes everywhere: commas, quotes where needed, LF."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, the header being the first; None is an empty cell."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
