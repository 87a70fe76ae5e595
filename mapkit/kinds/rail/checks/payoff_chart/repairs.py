"""Accepted corrections of a payoff chart, as a variant file."""

import json
from collections.abc import Collection, Iterable

from mapkit.core.errors import MapkitError
from mapkit.core.findings import Finding
from mapkit.kinds.rail.model.board import Payoffs
from mapkit.kinds.rail.model.payoffs.diagnosis import Correction, PayoffDiagnosis, PayoffRepairs, finding_data

_PAIR = 2


def make_repairs(
    found: PayoffDiagnosis,
    *,
    board: str,
    own: Payoffs,
    name: str,
    accept: Collection[str] = (),
    least: float | None = None,
    empty: bool = False,
) -> PayoffRepairs:
    """Return the corrections that were accepted, and the variant that makes them.

    Args:
        found: The diagnosis of the chart.
        board: The board that the variant is of.
        own: The board's own amounts: the variant corrects those, and where one is right already, it leaves it alone.
        name: Name of the variant.
        accept: Ids of findings that suggest an amount.
        least: Accept every finding with this score or more.
        empty: Whether a variant that corrects nothing will do.

    Raises:
        MapkitError: Nothing was accepted, the board has all accepted amounts already, a finding named is not in the
            chart, or two suggest different amounts for one cell.
    """
    accepted_findings = _select_accepted(found, accept, least)
    corrections = tuple(
        Correction(
            finding=finding.id,
            a=finding.elements[0],
            b=finding.elements[1],
            was=get_payoff_amount(own, finding.elements[0], finding.elements[1]),
            value=suggested_amount,
            reason=finding.message
            if finding_data(finding)["value"] == get_payoff_amount(own, *finding.elements)
            else f"{found.chart}: {finding.message}",
        )
        for finding, suggested_amount in sorted(accepted_findings, key=lambda one: one[0].id)
    )
    _refuse_conflicting_amounts(corrections)
    corrections = tuple(correction for correction in corrections if correction.was != correction.value)
    if not corrections and not empty:
        raise MapkitError(
            f"the payoff chart of {board} has all accepted amounts already, so there is nothing to correct; only "
            f"{found.chart} is wrong"
        )
    return PayoffRepairs(board=board, corrections=corrections, variant=_format_variant(name, board, corrections))


def list_accepted_amounts(
    found: PayoffDiagnosis, *, accept: Collection[str] = (), least: float | None = None
) -> dict[tuple[str, str], float]:
    """Return the accepted corrections as amounts of the judged chart: two cities -> thousands.

    Raises:
        MapkitError: Nothing was accepted, or a finding named is not in the chart.
    """
    return {
        (finding.elements[0], finding.elements[1]): suggested_amount
        for finding, suggested_amount in _select_accepted(found, accept, least)
    }


def _select_accepted(
    diagnosis: PayoffDiagnosis, accept: Collection[str], least: float | None
) -> list[tuple[Finding, float]]:
    pairs = [f for f in diagnosis.findings if len(f.elements) == _PAIR]
    suggestion_by_id = {
        f.id: (f, suggested_amount) for f in pairs if (suggested_amount := finding_data(f).get("suggested")) is not None
    }
    unknown_ids = sorted(set(accept) - set(suggestion_by_id))
    if unknown_ids:
        raise MapkitError(
            f"{unknown_ids[0]!r} is not a finding of {diagnosis.chart} with a suggested value; see mapkit payoffs "
            "check --format json"
        )
    accepted_findings = [
        (f, suggested_amount)
        for f, suggested_amount in suggestion_by_id.values()
        if f.id in accept or (least is not None and float(finding_data(f).get("score") or 0) >= least)
    ]
    if not accepted_findings:
        raise MapkitError("nothing was accepted; name findings with --accept ID, or all above a score with --least 0.9")
    return accepted_findings


def get_payoff_amount(payoffs: Payoffs, row: str, column: str) -> float | None:
    """Return the amount in the row of one city and the column of another, thousands; None if there is none."""
    city_row = {city: number for number, city in enumerate(payoffs.cities)}
    return payoffs.thousands[city_row[row]][city_row[column]] if {row, column} <= city_row.keys() else None


def _refuse_conflicting_amounts(corrections: Iterable[Correction]) -> None:
    correction_by_cell: dict[tuple[str, str], Correction] = {}
    for correction in corrections:
        first_correction = correction_by_cell.setdefault((correction.a, correction.b), correction)
        if first_correction.value != correction.value:
            raise MapkitError(
                f"{first_correction.finding} suggests {first_correction.value:g} for {correction.a} - {correction.b}, "
                f"{correction.finding} suggests {correction.value:g}; accept one of them"
            )


def _format_variant(name: str, board: str, corrections: Iterable[Correction]) -> str:
    toml_lines = [
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"board = {json.dumps(board, ensure_ascii=False)}",
        "",
    ]
    written_cells = set()
    for correction in corrections:
        if (correction.a, correction.b) in written_cells:
            continue
        written_cells.add((correction.a, correction.b))
        toml_lines += [
            "[[operations]]",
            'op = "set-payoff"',
            f"a = {json.dumps(correction.a)}",
            f"b = {json.dumps(correction.b)}",
            *([f"was = {correction.was:g}"] if correction.was is not None else []),
            f"value = {correction.value:g}",
            f"reason = {json.dumps(correction.reason, ensure_ascii=False)}",
            "",
        ]
    return "\n".join(toml_lines)
