"""Findings on payoff charts, and corrections, for people."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.console import texts
from mapkit.console.finding_table import show_findings
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.payoffs.name_questions import unknown_names_text
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.payoffs.diagnosis import PayoffDiagnosis, PayoffRepairs
    from mapkit.kinds.rail.render.payoff_page.diagnosis_formats import Form

_BY = {
    "board": "the rail and great-circle miles of the board",
    "coordinates": "great-circle miles",
    "chart": "the chart alone",
}
MOST_NAMED = 5


def show_checked(
    found: "PayoffDiagnosis",
    chart: list[Path],
    form: "Form | None",
    out: Path | None,
    *,
    every: Annotated[bool, Flag("--all", help="List notes and accepted findings too.")] = False,
    as_json: bool,
) -> None:
    """Print the findings on a chart, and what they rest on."""
    form = form or "text"
    is_text = form == "text" and not as_json
    hidden = ""
    if out is not None:
        print_message(f"The {'page' if out.suffix.casefold() == '.html' else 'result'} is {out}")
    elif is_text:
        hidden = show_findings(found, every=every)
    elif not as_json:
        print_result(late.format_diagnosis(found, form))
    if is_text or out is not None:
        print_message(f"{chart[0]}: {texts.count_findings(found)}{hidden}{_basis_text(found)}")
        if found.detours:
            print_message(_detours_text(found))
        if found.in_doubt:
            print_message(_doubts_text(found))
    if found.left_out:
        print_message(unknown_names_text(found.left_out))
    raise typer.Exit(0 if found.ok and not found.in_doubt and not found.left_out else 1)


def _basis_text(found: "PayoffDiagnosis") -> str:
    """Return the basis of the judgement, and the smallest visible slip."""
    if found.sd is None:
        return f"; the chart has {count_noun(len(found.cities), 'city', 'cities')}, {late.TOO_FEW}"
    if found.cells and all(cell.score is None for cell in found.cells):
        return "; mapkit computed the amounts, so they are not judged"
    return (
        f", by {_BY[found.basis]}; an amount is predicted by the others to {found.sd:.2f} thousand (1 sd), so slips "
        f"far smaller than {3 * found.sd:.1f} cannot be seen: compare copies (mapkit payoffs diff)"
    )


def _doubts_text(found: "PayoffDiagnosis") -> str:
    """Lay out the doubtful cells of a picture, each with the verdict of the other amounts."""
    expected = {pair: cell.expected for cell in found.cells for pair in ((cell.a, cell.b), (cell.b, cell.a))}
    rows = [
        (
            f"{cell.a}:{cell.b}",
            cell.text,
            ", ".join(cell.candidates[1:]),
            f"{expected[cell.a, cell.b]:.1f}" if (cell.a, cell.b) in expected else "",
            cell.where,
        )
        for cell in found.in_doubt
    ]
    return (
        f"{count_noun(len(rows), 'cell')} in doubt, judged as first read; settle them with mapkit payoffs read --html "
        f"or --accept CITY:CITY=AMOUNT:\n{table(('cities', 'read', 'or', 'expected', 'where'), rows, right=(3,))}"
    )


def _detours_text(found: "PayoffDiagnosis") -> str:
    named = dict(zip(found.cities, found.names, strict=True))
    some = ", ".join(f"{named[a]} - {named[b]}" for a, b in found.detours[:MOST_NAMED])
    more = len(found.detours) - MOST_NAMED
    return (
        f"{count_noun(len(found.detours), 'more amount is', 'more amounts are')} far off what is expected, "
        f"but the rows of the cities allow that: {some}{f' and {more} more' if more > 0 else ''}. "
        "They may be detours, around a bay or up a valley; only the board's track (--board) or another copy can tell"
    )


def show_repairs(repairs: "PayoffRepairs", out: Path | None, variant: Path | None, *, as_json: bool) -> None:
    """Print the files of corrections, and how many there are."""
    if out is None and variant is None and not as_json:
        raise typer.BadParameter("say what to write: --out chart.csv or --variant fixed.toml", param_hint="--out")
    if not as_json:
        print_result("\n".join(str(path) for path in (out, variant) if path is not None))
    is_variant = out is not None and out.suffix.casefold() == ".toml"
    if out is not None and not is_variant:
        print_message(f"{repairs.cells} cells of the chart corrected")
    if variant is not None or is_variant:
        print_message(count_noun(len(repairs.corrections), "correction"))
