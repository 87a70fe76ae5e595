"""What `mapkit destinations check` and `mapkit destinations diff` do."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import typer

from mapkit import api
from mapkit.api_destinations import check_destinations, diff_destinations
from mapkit.charts.destination_diff import DestinationDiff
from mapkit.cli.printing import result, table, talk
from mapkit.jsontext import json_text


def check(
    file: Path,
    *,
    board: str | None,
    declared: Path | None,
    chart: str | None,
    sheet: str | None,
    accept: Iterable[str],
    out: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """Run `mapkit destinations check`; return the exit code.

    Raises:
        SourceError: The file holds no charts, or names are wrong.
    """
    found = check_destinations(
        file,
        board=board,
        declared=declared,
        chart=chart,
        sheet=sheet,
        accept=_accepted(accept),
        out=out,
        workspace=workspace,
    )
    if as_json:
        result(json_text(found.checks))
    else:
        result("\n".join(api.finding_line(f) for f in found.checks.findings) or "nothing found")
        filled = sum(
            value is not None for one in found.charts.values() for value in (*one.odd.values(), *one.even.values())
        )
        talk(f"{len(found.charts)} charts, {filled} of {22 * len(found.charts)} cells filled")
    if out is not None:
        talk(f"The charts are {out}")
    return 0 if found.checks.ok else 1


def _accepted(given: Iterable[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for item in given:
        typed, sign, name = item.rpartition("=")
        if not sign or not typed.strip() or not name.strip():
            raise typer.BadParameter(f"{item!r} is no TYPED=NAME, such as Pitsburg=pittsburgh", param_hint="--accept")
        out[typed.strip()] = "" if name.strip() == "-" else name.strip()
    return out


def diff(a: str, b: str, *, board: str | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit destinations diff`.

    Raises:
        MapkitError: One of the two cannot be read.
    """
    found = diff_destinations(a, b, board=board, workspace=workspace)
    result(json_text(found) if as_json else diff_text(found, found.names))


def diff_text(found: DestinationDiff, names: Mapping[str, str]) -> str:
    """Lay out a difference: cells, then odds."""
    if not (found.cells or found.odds or found.missing):
        return "no difference"

    def name(item: str | None) -> str:
        return "(empty)" if item is None else names.get(item, item)

    cells = table(
        ("chart", "cell", "A", "B"),
        ((name(c.chart), f"{c.column} {c.sum}", name(c.a), name(c.b)) for c in found.cells),
    )
    odds = table(
        ("chart", "name", "A", "B", "change %"),
        ((name(o.chart), name(o.item), o.a, o.b, f"{o.percent:+.3f}") for o in found.odds),
        right=(2, 3, 4),
    )
    missing = [f"in one only: {', '.join(name(m) for m in found.missing)}"] if found.missing else []
    return "\n\n".join([*([cells] if found.cells else []), *([odds] if found.odds else []), *missing])
