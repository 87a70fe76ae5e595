"""Findings on a payoff chart from its diagnosis, with P codes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.checks import Found
from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, shows_origin
from mapkit.kinds.rail.charts.payoffs.structural_slips import StructuralSlip, Structure
from mapkit.kinds.rail.checks.table import load_amount_check_rows, load_check_rows
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import finding_data

TITLES: Final[Mapping[str, str]] = {
    **{code: load_check_rows()[code].title for code in ("P02", "P03", "P04", "P05", "P06", "P07")},
    **{code: row.title for code, row in load_amount_check_rows().items()},
}
"""Codes of `mapkit payoffs check`: those of `mapkit check`, and P12 for charts without a board."""
_STRUCTURE_CODE = {
    Structure.SHIFTED: "P09",
    Structure.REPEATED: "P09",
    Structure.EXCHANGED: "P10",
    Structure.SCALED: "P11",
}
CERTAIN = 0.9
"""Least score of an error, which triangles prove where no track is known; any other cell is a warning."""


def list_payoff_findings(
    chart: PayoffChart,
    names: Mapping[str, str],
    form_errors: Iterable[tuple[str, Found]],
    diagnosis: Diagnosis | None,
    places: Mapping[tuple[int, int], Place],
    accepted: Callable[[Finding], str | None],
    is_computed: Callable[[Finding], bool],
) -> CheckReport:
    """Return all findings on a chart, the accepted ones last, the most serious first.

    Args:
        chart: The chart as typed.
        names: Names by id.
        form_errors: Codes and findings of `form_findings`.
        diagnosis: That of the same chart; None if its amounts were not judged.
        places: Places of cells, by indices of row and column city.
        accepted: Returns the reason why a finding is accepted, or None.
        is_computed: Returns whether mapkit computed the amounts of a finding; such amounts are never judged.
    """
    findings = [form_finding.finding(load_check_rows()[code]) for code, form_finding in form_errors]
    check_codes = [code for code in TITLES if code not in load_amount_check_rows()]
    if diagnosis is not None:
        city_names = [names.get(city, city) for city in chart.cities]
        amount_findings = (
            *_find_structural_slips(chart.cities, city_names, diagnosis),
            *_find_wrong_cells(chart.cities, city_names, diagnosis),
            *_find_triangle_faults(chart.cities, city_names, diagnosis),
        )
        findings += [finding for finding in amount_findings if not is_computed(finding)]
        check_codes = [code for code in TITLES if code != "P12" or diagnosis.basis != "board"]
    findings = [
        f if (accept_reason := accepted(f)) is None else f.model_copy(update={"accepted": accept_reason})
        for f in findings
    ]
    findings.sort(
        key=lambda f: (
            f.accepted is not None,
            SEVERITY_ORDER[f.severity],
            -float(finding_data(f).get("score") or 0),
            f.code,
            f.elements,
        )
    )
    findings = _add_places(findings, chart.cities, places)
    found_codes = {f.code for f in findings}
    check_statuses: dict[str, CheckStatus] = {
        code: "found" if code in found_codes else "passed" for code in check_codes
    }
    return CheckReport(findings=tuple(findings), checks=check_statuses)


def _add_places(
    findings: Sequence[Finding], cities: Sequence[str], places: Mapping[tuple[int, int], Place]
) -> list[Finding]:
    """Return findings with the row of their cell: in the row of the first city, else of the second."""
    city_index = {city: k for k, city in enumerate(cities)}
    placed_findings = []
    for finding in findings:
        first_row, second_row = city_index.get(finding.elements[0]), city_index.get(finding.elements[-1])
        if first_row is None or second_row is None:
            placed_findings.append(finding)
            continue
        is_empty = finding_data(finding).get("cause") == "missing"
        place = places.get((first_row, second_row)) or (
            _find_city_row(first_row, len(cities), places) if is_empty else None
        )
        place = place or places.get((second_row, first_row)) or places.get((first_row, 0)) or places.get((0, first_row))
        placed_findings.append(finding if place is None else finding.model_copy(update={"place": place}))
    return placed_findings


def _find_city_row(city: int, count: int, places: Mapping[tuple[int, int], Place]) -> Place | None:
    """Return the row of a city; None if cells have paths, each to a single cell."""
    first_place = next((places[city, k] for k in range(count) if (city, k) in places), None)
    return first_place if first_place is not None and first_place.path is None else None


def _finding_data(
    value: float | None, expected: float | None, suggested: float | None, cause: str, score: float | None = None
) -> dict[str, float | str | None]:
    return {
        "value": value,
        "expected": None if expected is None else round(float(expected), 2),
        "suggested": suggested,
        "cause": cause,
        "score": None if score is None else round(float(score), 4),
    }


def _find_wrong_cells(cities: Sequence[str], city_names: Sequence[str], diagnosis: Diagnosis) -> Iterator[Finding]:
    cell_scores = diagnosis.scores
    for k in diagnosis.flagged:
        i, j, score = int(cell_scores.rows[k]), int(cell_scores.cols[k]), float(cell_scores.score[k])
        cell_value, expected = float(diagnosis.corrected[i, j]), float(diagnosis.fit.expected[i, j])
        suggestion_basis = "from the slip" if shows_origin(diagnosis, int(k)) else "from the geometry alone"
        chance_text = "over 99 %" if score > 0.99 else f"{score * 100:.0f} %"  # noqa: PLR2004
        yield Finding(
            code="P08",
            name=load_amount_check_rows()["P08"].name,
            severity=Severity.ERROR if score >= CERTAIN and diagnosis.proved[k] else Severity.WARNING,
            elements=(cities[i], cities[j]),
            message=f"{city_names[i]} - {city_names[j]} is {cell_value:g}, expected {expected:.1f} +- "
            f"{diagnosis.fit.sd[i, j]:.1f}: wrong with a chance of {chance_text}; {cell_scores.slip[k]}; "
            f"perhaps {cell_scores.suggested[k]:g} ({suggestion_basis})",
            data=_finding_data(cell_value, expected, float(cell_scores.suggested[k]), str(cell_scores.slip[k]), score)
            | {"sd": round(float(diagnosis.fit.sd[i, j]), 3), "flag": FLAG},
        )


def _find_structural_slips(cities: Sequence[str], city_names: Sequence[str], diagnosis: Diagnosis) -> Iterator[Finding]:
    for slip in diagnosis.structure:
        slip_cities = [city_names[c] for c in slip.cities]
        yield Finding(
            code=_STRUCTURE_CODE[slip.kind],
            name=load_amount_check_rows()[_STRUCTURE_CODE[slip.kind]].name,
            severity=Severity.ERROR,
            elements=tuple(cities[c] for c in slip.cities),
            message=_describe_structure(slip, slip_cities),
            data={
                "cause": str(slip.kind),
                "gain": round(slip.gain, 1),
                "shift": slip.shift,
                "factor": round(slip.factor, 4),
                "cells": [
                    {
                        "a": cities[i],
                        "b": cities[j],
                        "value": None if np.isnan(old_amount) else old_amount,
                        "suggested": None if np.isnan(new_amount) else new_amount,
                    }
                    for i, j, old_amount, new_amount in slip.cells
                ],
            },
        )


def _describe_structure(slip: StructuralSlip, named: Sequence[str]) -> str:
    if slip.kind is Structure.SHIFTED:
        shift_direction = "late" if slip.shift > 0 else "early"
        return f"the amounts of {named[0]} from {named[1]} on are one cell too {shift_direction}; move them back"
    if slip.kind is Structure.REPEATED:
        return f"the amounts of {named[0]} repeat those of {named[1]}; write its own amounts"
    if slip.kind is Structure.EXCHANGED:
        listed_names = f"{', '.join(named[:-1])} and {named[-1]}"
        return f"the amounts of {listed_names} fit if swapped: each is in another's place"
    return f"the amounts of {named[0]} are {slip.factor:.3g} times what the distances suggest; divide them"


def _find_triangle_faults(cities: Sequence[str], city_names: Sequence[str], diagnosis: Diagnosis) -> Iterator[Finding]:
    if diagnosis.basis == "board":  # P08 knows the route of each trip, so it is more exact
        return
    for blamed_cell in diagnosis.triangles[1]:
        size_text = "large" if blamed_cell.too_large else "small"
        yield Finding(
            code="P12",
            name=load_amount_check_rows()["P12"].name,
            severity=Severity.NOTE,
            elements=(cities[blamed_cell.row], cities[blamed_cell.col]),
            message=f"{city_names[blamed_cell.row]} - {city_names[blamed_cell.col]} is "
            f"{diagnosis.values[blamed_cell.row, blamed_cell.col]:g}, which explains {blamed_cell.explained} trips "
            f"that pay more than their parts, by up to {blamed_cell.worst:g}: too {size_text}",
            data=_finding_data(
                float(diagnosis.values[blamed_cell.row, blamed_cell.col]),
                float(diagnosis.fit.expected[blamed_cell.row, blamed_cell.col]),
                None,
                f"triangles: too {size_text}",
            )
            | {"explained": blamed_cell.explained, "worst": blamed_cell.worst},
        )
