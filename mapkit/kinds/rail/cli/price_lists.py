"""Prices of railroads that were read from a file, for people."""

from pathlib import Path
from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.price_list import PriceList


def show_prices(found: "PriceList", out: Path | None, *, as_json: bool) -> None:
    """Print a price list, and its file."""
    if not as_json:
        print_result(list_text(found))
    if out is not None and not found.in_doubt:
        print_message(f"The list is {out}")


def list_text(found: "PriceList") -> str:
    """Lay out a price list: notes, prices and differences."""
    lines = [
        f"{found.file}: {found.kind}, {count_noun(len(found.prices), 'price')}, 1 is {found.unit:,} ({found.unit_why})",
        *(f"note: {note}" for note in found.notes),
    ]
    sections: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = [
        ("prices in doubt, to be settled with --accept ID=AMOUNT", ("railroad", "read", "or", "why", "where"),
         [(p.railroad, p.text, ", ".join(p.candidates[1:]), p.doubt, p.where) for p in found.in_doubt]),
        ("prices that are not the board's", ("railroad", "file", "board", "where"),
         [(p.name, f"{p.price:,}", f"{p.board:,}", p.where) for p in found.differing]),
        ("railroads of the board that the file has not", ("railroad",), [(name,) for name in found.lacking]),
    ]  # fmt: skip
    for title, head, rows in sections:
        if rows:
            lines += ["", f"{title}:", table(head, rows)]
    if not (found.differing or found.lacking or found.in_doubt):
        lines.append("every railroad of the board has its price")
    return "\n".join(lines)
