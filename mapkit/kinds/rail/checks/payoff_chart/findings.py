"""What the diagnosis of a payoff chart says, as findings with P codes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, better_reading, shows_origin
from mapkit.kinds.rail.charts.payoffs.structure import StructuralSlip, Structure
from mapkit.kinds.rail.checks.payoff_chart import form
from mapkit.kinds.rail.checks.table import check_rows, judged_rows
from mapkit.kinds.rail.model.payoffs.chart import PayoffChart
from mapkit.kinds.rail.model.payoffs.diagnosis import judged

Matrix = NDArray[np.float64]


TITLES: Final[Mapping[str, str]] = {
    **{code: check_rows()[code].title for code in ("P02", "P03", "P04", "P05", "P06", "P07")},
    **{code: row.title for code, row in judged_rows().items()},
}
"""Codes of `mapkit payoffs check`: those of `mapkit check`, and P12."""
_STRUCTURE_CODE = {Structure.SHIFTED: "P09", Structure.EXCHANGED: "P10", Structure.SCALED: "P11"}
CERTAIN = 0.9
"""A score from which a cell is an error; below it is a warning."""


def _nothing_accepted(_: Finding) -> str | None:
    return None


def payoff_findings(
    chart: PayoffChart,
    names: Mapping[str, str],
    found: Diagnosis,
    twins: NDArray[np.bool_],
    places: Mapping[tuple[int, int], Place] | None = None,
    *,
    lacking: Sequence[str] = (),
    accepted: Callable[[Finding], str | None] = _nothing_accepted,
) -> CheckReport:
    """Return all findings on a chart: form first, then what the geometry says, each most serious first.

    Args:
        chart: The chart as typed.
        names: Names by id.
        found: The diagnosis of the same chart.
        twins: Pairs that share a milepost.
        places: Where cells stand, by indices of row and column city.
        lacking: Cities of the board that the chart has not.
        accepted: Says why a finding is right as it is, if it is.
    """
    given, cities = chart.given, chart.cities
    label = [names.get(city, city) for city in cities]
    findings = [
        *_without_amounts(cities, label, given, {city: names.get(city, city) for city in lacking}),
        *_form(given, cities, label, found, twins, square=chart.square),
        *_structures(cities, label, found),
        *_cells(cities, label, found),
        *_triangles(cities, label, found),
    ]
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
    if places:
        findings = _placed(findings, cities, places)
    seen = {f.code for f in findings}
    checks: dict[str, CheckStatus] = {code: "found" if code in seen else "passed" for code in TITLES}
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


def _without_amounts(
    cities: Sequence[str], label: Sequence[str], given: Matrix, lacking: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the cities that the chart lacks, ids and names, and those without any amount."""
    for city, name in lacking.items():
        yield _error("P02", (city,), f"the chart lacks {name}, a city of the board", _data(None, None, None, "missing"))
    for i in form.blank_cities(given):
        says = f"the chart has no amounts for {label[i]}"
        yield _error("P02", (cities[i],), says, _data(None, None, None, "missing"))


def _form(
    given: Matrix,
    cities: Sequence[str],
    label: Sequence[str],
    found: Diagnosis,
    twins: NDArray[np.bool_],
    *,
    square: bool,
) -> Iterator[Finding]:
    step, fit = found.step, found.fit

    def near(i: int, j: int) -> float:
        """Return what is expected, on the grid."""
        return 0.0 if twins[i, j] else max(float(np.round(fit.expected[i, j] / step)), 1.0) * step

    def error(code: str, cell: tuple[int, int], says: str, expected: float, suggested: float, cause: str) -> Finding:
        i, j = cell
        value = None if np.isnan(given[cell]) else float(given[cell])
        pair = (cities[i],) if i == j else (cities[i], cities[j])
        return _error(code, pair, f"{label[i]} - {label[j]} {says}", _data(value, expected, suggested, cause))

    for i, j in form.paid_to_itself(given):
        yield error("P04", (i, j), f"is {given[i, i]:g}; from a city to itself it must be 0", 0.0, 0.0, "diagonal")
    for i, j in form.two_readings(given):
        one, other, expected = float(given[i, j]), float(given[j, i]), float(fit.expected[i, j])
        better, chance = better_reading(one, other, expected, fit.sd[i, j])
        yield _error(
            "P03",
            (cities[i], cities[j]),
            f"{label[i]} - {label[j]} is {one:g} in the row of {label[i]}, {other:g} in the row of {label[j]}; about "
            f"{expected:.1f} is expected, so {better:g} is more likely ({chance:.0%})",
            _data(one, expected, better, "asymmetric", chance) | {"mirrored": other},
        )
    for i, j in form.gaps(given, square=square):
        expected, other = 0.0 if twins[i, j] else float(fit.expected[i, j]), float(given[j, i])
        if np.isnan(other):
            yield error("P02", (i, j), f"is missing; about {expected:.1f} is expected", expected, near(i, j), "missing")
        else:
            rows = f"is empty in the row of {label[i]}, {other:g} in the row of {label[j]}"
            says = f"{rows}; about {expected:.1f} is expected"
            yield error("P02", (i, j), says, expected, other, "missing")
    for i, j in form.paid_between_twins(given, twins):
        yield error("P05", (i, j), f"is {given[i, j]:g}; they share a milepost, so it must be 0", 0.0, 0.0, "twins")
    for i, j in form.not_positive(given, twins):
        expected = float(fit.expected[i, j])
        says = f"is {given[i, j]:g}; about {expected:.1f} is expected"
        yield error("P07", (i, j), says, expected, near(i, j), "not positive")
    for i, j in form.off_the_grid(given, step):
        says = f"is {given[i, j]:g}, which is not a multiple of {step:g}"
        yield error("P06", (i, j), says, 0.0 if i == j else float(fit.expected[i, j]), near(i, j), "off the grid")


def _error(code: str, pair: tuple[str, ...], message: str, data: dict[str, float | str | None]) -> Finding:
    return Finding(code=code, severity=Severity.ERROR, elements=pair, message=message, data=data)


def _cells(cities: Sequence[str], label: Sequence[str], found: Diagnosis) -> Iterator[Finding]:
    s = found.scores
    for k in found.flagged:
        i, j, score = int(s.rows[k]), int(s.cols[k]), float(s.score[k])
        value, expected = float(found.corrected[i, j]), float(found.fit.expected[i, j])
        how = "from the slip" if shows_origin(found, int(k)) else "from the geometry alone"
        yield Finding(
            code="P08",
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
    for blamed in found.triangles[1]:
        size = "large" if blamed.too_large else "small"
        yield Finding(
            code="P12",
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
