"""Findings on a payoff chart in each form: lines of text, CSV, JSON, SARIF, or a page."""

from collections.abc import Sequence
from typing import Final, Literal

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import MapkitError
from mapkit.core.findings import finding_lines
from mapkit.core.jsontext import json_text
from mapkit.drawing.words.language import OWN, find_language
from mapkit.formats.sarif import file_sarif
from mapkit.kinds.rail.checks.payoff_chart.findings import TITLES
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.diagnosis import TOO_FEW, PayoffDiagnosis
from mapkit.kinds.rail.render.payoff_page.page import render_payoff_page
from mapkit.kinds.rail.render.words import words_in

Form = Literal["text", "json", "csv", "sarif", "html"]
COLUMNS: Final = (
    "code",
    "severity",
    "a",
    "b",
    "value",
    "expected",
    "suggested",
    "cause",
    "score",
    "where",
    "accepted",
    "message",
)


def format_diagnosis(found: PayoffDiagnosis, form: Form, *, board: Board | None = None, language: str = OWN) -> str:
    """Format the findings; the page shows routes if it gets the board, and is the only form in a language.

    Raises:
        ChoiceError: mapkit does not print in that language.
        MapkitError: The page would show amounts that were not judged.
    """
    language_code = find_language(language)
    if form == "html":
        if found.sd is None:
            raise MapkitError(f"{found.chart}: {TOO_FEW}; the findings on its form are in the other formats")
        return render_payoff_page(found, board=board, words=None if language_code is None else words_in(language_code))
    if form == "json":
        return json_text(found)
    if form == "csv":
        return format_findings_csv(found)
    if form == "sarif":
        return json_text(file_sarif(found, titles=TITLES))
    return "".join(f"{line}\n" for line in finding_lines(found.findings, every=True))


def format_findings_csv(found: PayoffDiagnosis) -> str:
    """Format the findings as CSV, a row for each; amounts in thousands."""
    csv_rows: list[Sequence[object]] = [COLUMNS]
    for finding in found.findings:
        a, b = (*finding.elements, "", "")[:2]
        data_cells = [finding.data.get(name) for name in ("value", "expected", "suggested", "cause", "score")]
        csv_rows.append(
            [finding.code, finding.severity, a, b, *data_cells, finding.place.text, finding.accepted, finding.message]
        )
    return csv_text(csv_rows)
