"""Accepted corrections of a payoff chart, as a variant file."""

import json
from collections.abc import Collection, Iterable

from mapkit.core.errors import MapkitError
from mapkit.core.findings import Finding
from mapkit.kinds.rail.model.board import Payoffs
from mapkit.kinds.rail.model.payoffs.diagnosis import Correction, PayoffDiagnosis, PayoffRepairs, judged

_PAIR = 2


def accepted_repairs(
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
    taken = _accepted(found, accept, least)
    corrections = tuple(
        Correction(
            finding=f.id,
            a=f.elements[0],
            b=f.elements[1],
            was=amount(own, f.elements[0], f.elements[1]),
            value=value,
            reason=f.message if judged(f)["value"] == amount(own, *f.elements) else f"{found.chart}: {f.message}",
        )
        for f, value in sorted(taken, key=lambda one: one[0].id)
    )
    _refuse_two_amounts(corrections)
    corrections = tuple(each for each in corrections if each.was != each.value)
    if not corrections and not empty:
        raise MapkitError(
            f"the payoff chart of {board} has all accepted amounts already, so there is nothing to correct; only "
            f"{found.chart} is wrong"
        )
    return PayoffRepairs(board=board, corrections=corrections, variant=_variant(name, board, corrections))


def accepted_amounts(
    found: PayoffDiagnosis, *, accept: Collection[str] = (), least: float | None = None
) -> dict[tuple[str, str], float]:
    """Return what was accepted as amounts of the chart that was judged: two cities -> thousands.

    Raises:
        MapkitError: Nothing was accepted, or a finding named is not in the chart.
    """
    return {(f.elements[0], f.elements[1]): value for f, value in _accepted(found, accept, least)}


def _accepted(found: PayoffDiagnosis, accept: Collection[str], least: float | None) -> list[tuple[Finding, float]]:
    pairs = [f for f in found.findings if len(f.elements) == _PAIR]
    able = {f.id: (f, value) for f in pairs if (value := judged(f).get("suggested")) is not None}
    unknown = sorted(set(accept) - set(able))
    if unknown:
        raise MapkitError(
            f"{unknown[0]!r} is not a finding of {found.chart} with a suggested value; see mapkit payoffs check "
            "--format json"
        )
    taken = [(f, value) for f, value in able.values() if f.id in accept or (least is not None and _score(f) >= least)]
    if not taken:
        raise MapkitError("nothing was accepted; name findings with --accept ID, or all above a score with --least 0.9")
    return taken


def amount(payoffs: Payoffs, row: str, column: str) -> float | None:
    """Return the amount in the row of one city and the column of another, thousands; None where there is none."""
    at = {city: number for number, city in enumerate(payoffs.cities)}
    return payoffs.thousands[at[row]][at[column]] if {row, column} <= at.keys() else None


def _score(finding: Finding) -> float:
    return float(judged(finding).get("score") or 0)


def _refuse_two_amounts(corrections: Iterable[Correction]) -> None:
    seen: dict[tuple[str, str], Correction] = {}
    for each in corrections:
        other = seen.setdefault((each.a, each.b), each)
        if other.value != each.value:
            raise MapkitError(
                f"{other.finding} suggests {other.value:g} for {each.a} - {each.b}, {each.finding} suggests "
                f"{each.value:g}; accept one of them"
            )


def _variant(name: str, board: str, corrections: Iterable[Correction]) -> str:
    lines = [f"name = {json.dumps(name, ensure_ascii=False)}", f"board = {json.dumps(board, ensure_ascii=False)}", ""]
    done = set()
    for each in corrections:
        if (each.a, each.b) in done:
            continue
        done.add((each.a, each.b))
        lines += [
            "[[operations]]",
            'op = "set-payoff"',
            f"a = {json.dumps(each.a)}",
            f"b = {json.dumps(each.b)}",
            *([f"was = {each.was:g}"] if each.was is not None else []),
            f"value = {each.value:g}",
            f"reason = {json.dumps(each.reason, ensure_ascii=False)}",
            "",
        ]
    return "\n".join(lines)
