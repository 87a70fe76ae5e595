"""What the diagnosis of a payoff chart says, as findings with P codes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.checks import Found
from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, shows_origin
from mapkit.kinds.rail.charts.payoffs.structure import StructuralSlip, Structure
from mapkit.kinds.rail.checks.table import check_rows, judged_rows
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import judged

TITLES: Final[Mapping[str, str]] = {
    **{code: check_rows()[code].title for code in ("P02", "P03", "P04", "P05", "P06", "P07")},
    **{code: row.title for code, row in judged_rows().items()},
}
"""Codes of `mapkit payoffs check`: those of `mapkit check`, and P12 for charts without a board."""
_STRUCTURE_CODE = {Structure.SHIFTED: "P09", Structure.EXCHANGED: "P10", Structure.SCALED: "P11"}
CERTAIN = 0.9
"""A score from which a cell is an error; below it is a warning."""


def payoff_findings(
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
        places: Where cells stand, by indices of row and column city.
        accepted: Says why a finding is right as it is, if it is.
        is_computed: Says whether mapkit itself computed the amounts of a finding: those are never judged.
    """
    findings = [found.finding(check_rows()[code]) for code, found in form_errors]
    codes = [code for code in TITLES if code not in judged_rows()]
    if diagnosis is not None:
        label = [names.get(city, city) for city in chart.cities]
        amounts = (
            *_structures(chart.cities, label, diagnosis),
            *_cells(chart.cities, label, diagnosis),
            *_triangles(chart.cities, label, diagnosis),
        )
        findings += [finding for finding in amounts if not is_computed(finding)]
        codes = [code for code in TITLES if code != "P12" or diagnosis.basis != "board"]
    findings = [f if (why := accepted(f)) is None else f.model_copy(update={"accepted": why}) for f in findings]
    findings.sort(
        key=lambda f: (
            f.accepted is not None,
            SEVERITY_ORDER[f.severity],
            -float(judged(f).get("score") or 0),
            f.code,
            f.elements,
        )
    )
    findings = _placed(findings, chart.cities, places)
    seen = {f.code for f in findings}
    checks: dict[str, CheckStatus] = {code: "found" if code in seen else "passed" for code in codes}
    return CheckReport(findings=tuple(findings), checks=checks)


def _placed(
    findings: Sequence[Finding], cities: Sequence[str], places: Mapping[tuple[int, int], Place]
) -> list[Finding]:
    """Return findings with the row of their cell: in the row of the first city, else of the second."""
    at = {city: k for k, city in enumerate(cities)}
    out = []
    for finding in findings:
        one, other = at.get(finding.elements[0]), at.get(finding.elements[-1])
        if one is None or other is None:
            out.append(finding)
            continue
        empty = judged(finding).get("cause") == "missing"
        place = places.get((one, other)) or (_row_of(one, len(cities), places) if empty else None)
        place = place or places.get((other, one)) or places.get((one, 0)) or places.get((0, one))
        out.append(finding if place is None else finding.model_copy(update={"place": place}))
    return out


def _row_of(city: int, count: int, places: Mapping[tuple[int, int], Place]) -> Place | None:
    """Return the row of a city; None where cells have paths, which name one cell each."""
    found = next((places[city, k] for k in range(count) if (city, k) in places), None)
    return found if found is not None and found.path is None else None


def _data(
    value: float | None, expected: float | None, suggested: float | None, cause: str, score: float | None = None
) -> dict[str, float | str | None]:
    return {
        "value": value,
        "expected": None if expected is None else round(float(expected), 2),
        "suggested": suggested,
        "cause": cause,
        "score": None if score is None else round(float(score), 4),
    }


def _cells(cities: Sequence[str], label: Sequence[str], found: Diagnosis) -> Iterator[Finding]:
    s = found.scores
    for k in found.flagged:
        i, j, score = int(s.rows[k]), int(s.cols[k]), float(s.score[k])
        value, expected = float(found.corrected[i, j]), float(found.fit.expected[i, j])
        how = "from the slip" if shows_origin(found, int(k)) else "from the geometry alone"
        yield Finding(
            code="P08",
            name=judged_rows()["P08"].name,
            severity=Severity.ERROR if score >= CERTAIN else Severity.WARNING,
            elements=(cities[i], cities[j]),
            message=f"{label[i]} - {label[j]} is {value:g}, expected {expected:.1f} +- {found.fit.sd[i, j]:.1f}: wrong "
            f"with a chance of {_percent(score)}; {s.slip[k]}; perhaps {s.suggested[k]:g} ({how})",
            data=_data(value, expected, float(s.suggested[k]), str(s.slip[k]), score)
            | {"sd": round(float(found.fit.sd[i, j]), 3), "flag": FLAG},
        )


def _percent(score: float) -> str:
    return "over 99 %" if score > 0.99 else f"{score * 100:.0f} %"  # noqa: PLR2004


def _structures(cities: Sequence[str], label: Sequence[str], found: Diagnosis) -> Iterator[Finding]:
    for slip in found.structure:
        named = [label[c] for c in slip.cities]
        yield Finding(
            code=_STRUCTURE_CODE[slip.kind],
            name=judged_rows()[_STRUCTURE_CODE[slip.kind]].name,
            severity=Severity.ERROR,
            elements=tuple(cities[c] for c in slip.cities),
            message=_structure_text(slip, named),
            data={
                "cause": str(slip.kind),
                "gain": round(slip.gain, 1),
                "shift": slip.shift,
                "factor": round(slip.factor, 4),
                "cells": [
                    {
                        "a": cities[i],
                        "b": cities[j],
                        "value": None if np.isnan(old) else old,
                        "suggested": None if np.isnan(new) else new,
                    }
                    for i, j, old, new in slip.cells
                ],
            },
        )


def _structure_text(slip: StructuralSlip, named: Sequence[str]) -> str:
    if slip.kind is Structure.SHIFTED:
        way = "late" if slip.shift > 0 else "early"
        return f"the amounts of {named[0]} from {named[1]} on are one cell too {way}; move them back"
    if slip.kind is Structure.EXCHANGED:
        return f"the amounts of {named[0]} and {named[1]} fit if swapped: each is in the other's place"
    return f"the amounts of {named[0]} are {slip.factor:.3g} times what the distances suggest; divide them"


def _triangles(cities: Sequence[str], label: Sequence[str], found: Diagnosis) -> Iterator[Finding]:
    if found.basis == "board":  # P08 knows the way of each trip, so it tells more
        return
    for blamed in found.triangles[1]:
        size = "large" if blamed.too_large else "small"
        yield Finding(
            code="P12",
            name=judged_rows()["P12"].name,
            severity=Severity.NOTE,
            elements=(cities[blamed.row], cities[blamed.col]),
            message=f"{label[blamed.row]} - {label[blamed.col]} is {found.values[blamed.row, blamed.col]:g}, which "
            f"explains {blamed.explained} trips that pay more than their parts, by up to {blamed.worst:g}: too {size}",
            data=_data(
                float(found.values[blamed.row, blamed.col]),
                float(found.fit.expected[blamed.row, blamed.col]),
                None,
                f"triangles: too {size}",
            )
            | {"explained": blamed.explained, "worst": blamed.worst},
        )
