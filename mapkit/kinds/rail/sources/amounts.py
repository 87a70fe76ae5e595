"""Amounts in any spelling: thousands or whole money, with point or comma; the unit is inferred from all amounts."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from mapkit.core.errors import SourceError
from mapkit.formats.cells.table import MAX_TEXT, Cell
from mapkit.formats.marks import CURRENCY_SIGN, NOT_FINITE, VULGAR, is_mark

THOUSAND = 1000
UNITS = {"dollars": 1, "whole": 1, "thousands": THOUSAND}
SMALL = 200
"""Upper limit of amounts in thousands; no chart pays 200,000 for a trip."""
LARGE = 100
"""Lower limit of amounts in whole money, which are whole numbers."""
TYPICAL_WHOLE = 1000
NEARLY_ALL = 0.95
LARGEST = 1e9
"""Upper limit of amounts in any unit."""

_TOO_LARGE = f"too large; give an amount up to {LARGEST:,.0f}"
_CURRENCY_CODE = r"(?:USD|EUR|GBP|BRL|INR|MXN|CAD|kr\.?)"
_CURRENCY = re.compile(
    rf"^{CURRENCY_SIGN}\s*|^{_CURRENCY_CODE}\s+|\s*{CURRENCY_SIGN}$|\s+{_CURRENCY_CODE}$|\$00$|,[-–—]$",  # noqa: RUF001
    re.IGNORECASE,
)
_FOOTNOTE_MARK = re.compile(r"(?<=[\d½])\s?(?:[*\u2020\u2021\u00a7]{1,3}|[\u00b9\u00b2\u00b3\u2074-\u2079])$")
_BLANKS = "['\u2019 \u00a0\u2009\u202f]"
_PLAIN_NUMBERS = {
    point: re.compile(
        rf"\d{{1,3}}(?:{group}\d{{3}})+(?:{dec}\d+)?|\d{{1,3}}(?:{_BLANKS}\d{{3}})+(?:{dec}\d+)?|\d+(?:{dec}\d*)?|{dec}\d+"
    )
    for point, group, dec in ((".", ",", r"\."), (",", r"\.", ","))
}
_FRACTION = re.compile(
    r"(?:(?P<whole>\d{1,3})(?:\s+|\s*[-+]\s*|\s+and\s+))?(?P<above>\d{1,2})\s?[/\u2044]\s?(?P<below>\d{1,2})"
)
_DENOMINATORS = (2, 4, 5, 8, 10)
"""Denominators of fractions of an amount."""
_EXPONENT = re.compile(r"\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_NEGATIVE = re.compile(r"[-−–]\s*[$£€¥]?\s*[\d.,]+|[$£€¥]\s*[-−–]\s*[\d.,]+|\([$£€¥]?[\d.,]+\)")  # noqa: RUF001
_LETTERS_FOR_DIGITS = str.maketrans("OoQlIi|ZzSsB", "000111122558")


@dataclass(frozen=True)
class Amounts:
    """Parsed values of cells with amounts.

    Args:
        values: Currency units divided by `payoff_unit`; None for a mark or an unreadable cell.
        why_not: Problem of each cell; empty for readable cells and marks.
        unit: Currency units per 1 in the file.
        unit_why: Reason for the unit.
        decimal: The decimal sign.
        odd: Indices of cells with a size that differs from the others.
        corrected: Indices of cells in which letters were replaced by digits.
    """

    values: tuple[float | None, ...]
    why_not: tuple[str, ...]
    unit: int
    unit_why: str
    decimal: str
    odd: tuple[int, ...]
    corrected: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Hypothesis:
    decimal: str
    numbers: tuple[tuple[float | None, int], ...]
    why_not: tuple[str, ...]
    unit: int | None
    unit_why: str
    odd: tuple[int, ...]


def read_amounts(
    cells: Sequence[Cell],
    *,
    file: str,
    unit: int | None = None,
    decimal: str | None = None,
    payoff_unit: int = THOUSAND,
    ocr: bool = False,
) -> Amounts:
    """Read amounts, and infer from all of them the unit and the decimal sign.

    Args:
        cells: All amounts of a chart.
        file: Name of the file in messages.
        unit: Currency units per 1 in the file; inferred from the numbers by default.
        decimal: `.` or `,`; inferred from the numbers by default.
        payoff_unit: Currency units per unit of the board's payoff chart.
        ocr: Replace letters among digits by the digits that they look like.

    Raises:
        SourceError: The unit or the decimal sign is not certain.
    """
    typed_cells = cells
    cells = [_replace_letters(cell) for cell in typed_cells] if ocr else typed_cells
    parsed_by_sign = {
        decimal_sign: _parse_all(cells, decimal_sign) for decimal_sign in ((decimal,) if decimal else (".", ","))
    }
    failure_counts = {
        decimal_sign: sum(bool(problem) for _, _, problem in numbers)
        for decimal_sign, numbers in parsed_by_sign.items()
    }
    hypotheses = [
        _make_hypothesis(parsed_by_sign[decimal_sign], decimal_sign, unit)
        for decimal_sign in parsed_by_sign
        if failure_counts[decimal_sign] == min(failure_counts.values())
    ]
    certain_hypotheses = [h for h in hypotheses if h.unit is not None] or hypotheses[:1]
    certain_hypotheses = [
        h
        for h in certain_hypotheses
        if len(h.odd) == min(len(other_hypothesis.odd) for other_hypothesis in certain_hypotheses)
    ]
    best_hypothesis = certain_hypotheses[0]
    if best_hypothesis.unit is None:
        raise SourceError(
            f"{file}: the amounts may be in thousands or in whole money: {best_hypothesis.unit_why}; "
            "give --unit thousands or "
            "dollars"
        )
    scaled_values = _scale_values(best_hypothesis, payoff_unit)
    if any(
        _scale_values(other_hypothesis, payoff_unit) != scaled_values for other_hypothesis in certain_hypotheses[1:]
    ):
        raise SourceError(f"{file}: a comma may separate thousands or decimals; give --decimal . or --decimal ,")
    corrected = tuple(
        k
        for k, (typed_cell, corrected_cell) in enumerate(zip(typed_cells, cells, strict=True))
        if typed_cell.text != corrected_cell.text
    )
    return Amounts(
        scaled_values,
        best_hypothesis.why_not,
        best_hypothesis.unit,
        best_hypothesis.unit_why,
        best_hypothesis.decimal,
        best_hypothesis.odd,
        corrected,
    )


def _replace_letters(cell: Cell) -> Cell:
    """Return a cell with look-alike letters replaced by digits, if that makes it an amount."""
    if cell.problem or cell.number is not None or not any(letter.isdigit() for letter in cell.text):
        return cell
    if any(not _parse_text(cell.text, decimal_sign)[2] for decimal_sign in (".", ",")):
        return cell
    digit_text = cell.text.translate(_LETTERS_FOR_DIGITS)
    return (
        cell._replace(text=digit_text)
        if any(not _parse_text(digit_text, decimal_sign)[2] for decimal_sign in (".", ","))
        else cell
    )


def _scale_values(hypothesis: _Hypothesis, payoff_unit: int) -> tuple[float | None, ...]:
    own_or_inferred_unit = hypothesis.unit or 1
    value_by_number: dict[tuple[float | None, int], float | None] = {
        (number, own_unit): None
        if number is None
        else round(number * (own_unit or own_or_inferred_unit) / payoff_unit, 9)
        for number, own_unit in set(hypothesis.numbers)
    }
    return tuple(map(value_by_number.__getitem__, hypothesis.numbers))


_ParsedAmount = tuple[float | None, int, str]


def _parse_all(cells: Sequence[Cell], decimal: str) -> list[_ParsedAmount]:
    """Parse all cells, each distinct text once."""
    parsed_by_text: dict[str, _ParsedAmount] = {}
    parsed_cells = []
    for text, _, number, problem, _ in cells:
        if problem or number is not None:
            parsed_cells.append(_check_number(number, problem))
            continue
        if text not in parsed_by_text:
            parsed_by_text[text] = _parse_text(text, decimal)
        parsed_cells.append(parsed_by_text[text])
    return parsed_cells


def _make_hypothesis(parsed: Sequence[_ParsedAmount], decimal: str, unit: int | None) -> _Hypothesis:
    plain_numbers = [(k, number) for k, (number, own_unit, _) in enumerate(parsed) if number and not own_unit]
    inferred_unit, reason, odd_cells = _infer_unit(plain_numbers, has_own=any(own_unit for _, own_unit, _ in parsed))
    if unit is not None:
        inferred_unit, reason = unit, "as said"
    numbers = tuple((number, own_unit) for number, own_unit, _ in parsed)
    return _Hypothesis(decimal, numbers, tuple(problem for _, _, problem in parsed), inferred_unit, reason, odd_cells)


def _check_number(number: float | None, problem: str) -> _ParsedAmount:
    if problem or number is None:
        return None, 0, problem
    if not math.isfinite(number):
        return None, 0, "not a finite number"
    if number < 0:
        return None, 0, "negative; give 0 or more"
    return (None, 0, _TOO_LARGE) if number > LARGEST else (number, 0, "")


def _parse_text(text: str, decimal: str) -> tuple[float | None, int, str]:
    """Return `(number, currency units of its own suffix or 0, problem)`."""
    if is_mark(text):
        return None, 0, ""
    if len(text) > MAX_TEXT:
        return None, 0, "too long for an amount"
    if NOT_FINITE.fullmatch(text):
        return None, 0, "not a finite number"
    if _NEGATIVE.fullmatch(text):
        return None, 0, "negative; give 0 or more"
    bare_text = _CURRENCY.sub("", _CURRENCY.sub("", _FOOTNOTE_MARK.sub("", text), count=1), count=1)
    own_unit = 0
    if bare_text[-1:] in ("k", "K"):
        bare_text, own_unit = bare_text[:-1].rstrip(), THOUSAND
    number = _parse_number(bare_text, decimal)
    if number is not None:
        return (None, 0, _TOO_LARGE) if number > LARGEST else (number, own_unit, "")
    corrected_number = _parse_number(bare_text.translate(_LETTERS_FOR_DIGITS), decimal)
    return (
        None,
        0,
        "no amount" if corrected_number is None else f"letters among digits; did you mean {corrected_number:g}?",
    )


def _parse_number(text: str, decimal: str) -> float | None:
    text, fraction = _split_fraction(text)
    if fraction is None:
        return None
    if _EXPONENT.fullmatch(text):
        exponent_value = float(text)
        return exponent_value if math.isfinite(exponent_value) else None
    if not text.isascii() and not re.fullmatch(rf"(?:[0-9.,]|{_BLANKS})+", text):
        return None
    if not _PLAIN_NUMBERS[decimal].fullmatch(text):
        return None
    plain_text = re.sub(_BLANKS, "", text.replace("," if decimal == "." else ".", "")).replace(decimal, ".")
    return float(plain_text) + fraction


def _split_fraction(text: str) -> tuple[str, float | None]:
    """Return an amount without its fraction, `18 1/2` or `18½`, and the fraction; None without an amount."""
    if text[-1:] in VULGAR:
        whole_text, fraction = text[:-1].rstrip(), VULGAR[text[-1]]
    elif fraction_match := _FRACTION.fullmatch(text):
        numerator, denominator = int(fraction_match["above"]), int(fraction_match["below"])
        is_proper = numerator < denominator or (denominator == 2 and not fraction_match["whole"])  # noqa: PLR2004 - 37/2
        if denominator not in _DENOMINATORS or not is_proper:
            return text, None
        whole_text, fraction = fraction_match["whole"] or "", numerator / denominator
    else:
        return text, 0.0
    return (whole_text or "0", fraction) if not whole_text or whole_text.isdecimal() else (text, None)


def _infer_unit(plain: list[tuple[int, float]], *, has_own: bool) -> tuple[int | None, str, tuple[int, ...]]:
    """Infer the unit from the sizes of the non-zero amounts, and list those of a different size."""
    if not plain:
        return (THOUSAND, "all amounts have a K", ()) if has_own else (None, "no amount is above 0", ())
    plain_values = [value for _, value in plain]
    small_indices = {k for k, value in plain if value < SMALL}
    large_indices = {k for k, value in plain if value >= LARGE and value.is_integer()}
    middle_value = median(plain_values)
    range_text = f"{min(plain_values):g} to {max(plain_values):g}, half of them up to {middle_value:g}"
    if len(small_indices) >= NEARLY_ALL * len(plain) and 2 * len(large_indices) < len(plain):
        return THOUSAND, f"amounts are {range_text}", tuple(k for k, _ in plain if k not in small_indices)
    if len(large_indices) >= NEARLY_ALL * len(plain) and middle_value >= TYPICAL_WHOLE:
        return 1, f"amounts are {range_text}", tuple(k for k, _ in plain if k not in large_indices)
    return None, f"they are {range_text}", ()
