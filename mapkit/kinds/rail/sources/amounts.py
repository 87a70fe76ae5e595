"""Amounts as people type them: thousands or whole money, with point or comma; the unit inferred from all of them."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from mapkit.core.errors import SourceError
from mapkit.formats.cells.table import MAX_TEXT, Cell
from mapkit.formats.marks import NOT_FINITE, VULGAR, is_mark

THOUSAND = 1000
UNITS = {"dollars": 1, "whole": 1, "thousands": THOUSAND}
SMALL = 200
"""Amounts in thousands are less: no chart pays 200,000 for a trip."""
LARGE = 100
"""Whole amounts are at least this, and whole numbers."""
TYPICAL_WHOLE = 1000
NEARLY_ALL = 0.95
LARGEST = 1e9
"""An amount in any unit is less."""

_TOO_LARGE = f"too large; give an amount up to {LARGEST:,.0f}"
_CURRENCY = re.compile(r"^(?:US|C|A)?[$£€¥]\s*|^(?:USD|EUR|GBP)\s+|\s*[$£€¥]$|\s+(?:USD|EUR|GBP)$", re.IGNORECASE)
_BLANK = "['\u2019 \u00a0\u2009\u202f]"
_PLAIN = {
    point: re.compile(
        rf"\d{{1,3}}(?:{group}\d{{3}})+(?:{dec}\d+)?|\d{{1,3}}(?:{_BLANK}\d{{3}})+(?:{dec}\d+)?|\d+(?:{dec}\d*)?|{dec}\d+"
    )
    for point, group, dec in ((".", ",", r"\."), (",", r"\.", ","))
}
_FRACTION = re.compile(r"(?:(?P<whole>\d{1,3})(?:\s+|\s*-\s*))?(?P<above>\d{1,2})\s?[/\u2044]\s?(?P<below>\d{1,2})")
_PARTS = (2, 4, 5, 8, 10)
"""Denominators of fractions of an amount."""
_EXPONENT = re.compile(r"\d+(?:\.\d+)?[eE][+-]?\d{1,3}")
_NEGATIVE = re.compile(r"[-−–]\s*[$£€¥]?\s*[\d.,]+|[$£€¥]\s*[-−–]\s*[\d.,]+|\([$£€¥]?[\d.,]+\)")  # noqa: RUF001
_LETTERS_FOR_DIGITS = str.maketrans("OoQlIi|ZzSsB", "000111122558")


@dataclass(frozen=True)
class Amounts:
    """What cells amount to.

    Args:
        values: Currency units divided by `payoff_unit`; None where a cell is a mark or could not be read.
        why_not: For each cell why it could not be read; empty if it could, or is a mark.
        unit: Currency units that 1 in the file stands for.
        unit_why: What this follows from.
        decimal: The decimal sign.
        odd: Indices of cells whose size is not that of the others.
        corrected: Indices of cells in which letters were taken for digits.
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
    """Read amounts and find out together whether they are thousands, and whether the comma is a decimal sign.

    Args:
        cells: All amounts of a chart.
        file: What to call it in messages.
        unit: Currency units that 1 in the file stands for; inferred from the numbers by default.
        decimal: `.` or `,`; inferred from the numbers by default.
        payoff_unit: Currency units that one unit of the board's payoff chart is worth.
        ocr: Take letters among digits for the digits that they look like.

    Raises:
        SourceError: The unit or the decimal sign is not certain.
    """
    typed = cells
    cells = [_with_digits(cell) for cell in typed] if ocr else typed
    parsed = {sign: _parse_all(cells, sign) for sign in ((decimal,) if decimal else (".", ","))}
    failures = {sign: sum(bool(why) for _, _, why in numbers) for sign, numbers in parsed.items()}
    kept = [_judge(parsed[sign], sign, unit) for sign in parsed if failures[sign] == min(failures.values())]
    sure = [h for h in kept if h.unit is not None] or kept[:1]
    sure = [h for h in sure if len(h.odd) == min(len(other.odd) for other in sure)]
    best = sure[0]
    if best.unit is None:
        raise SourceError(
            f"{file}: the amounts may be in thousands or in whole money: {best.unit_why}; give --unit thousands or "
            "dollars"
        )
    values = _values(best, payoff_unit)
    if any(_values(other, payoff_unit) != values for other in sure[1:]):
        raise SourceError(f"{file}: a comma may separate thousands or decimals; give --decimal . or --decimal ,")
    corrected = tuple(k for k, (old, new) in enumerate(zip(typed, cells, strict=True)) if old.text != new.text)
    return Amounts(values, best.why_not, best.unit, best.unit_why, best.decimal, best.odd, corrected)


def _with_digits(cell: Cell) -> Cell:
    """Return a cell with digits in place of letters that look like them, if that makes an amount of it."""
    if cell.problem or cell.number is not None or not any(letter.isdigit() for letter in cell.text):
        return cell
    if any(not _parse(cell.text, sign)[2] for sign in (".", ",")):
        return cell
    text = cell.text.translate(_LETTERS_FOR_DIGITS)
    return cell._replace(text=text) if any(not _parse(text, sign)[2] for sign in (".", ",")) else cell


def _values(found: _Hypothesis, payoff_unit: int) -> tuple[float | None, ...]:
    unit = found.unit or 1
    worth: dict[tuple[float | None, int], float | None] = {
        (number, own): None if number is None else round(number * (own or unit) / payoff_unit, 9)
        for number, own in set(found.numbers)
    }
    return tuple(map(worth.__getitem__, found.numbers))


_Parsed = tuple[float | None, int, str]


def _parse_all(cells: Sequence[Cell], decimal: str) -> list[_Parsed]:
    """Parse each text once, however often it stands."""
    cache: dict[str, _Parsed] = {}
    out = []
    for text, _, number, problem, _ in cells:
        if problem or number is not None:
            out.append(_own_number(number, problem))
            continue
        if text not in cache:
            cache[text] = _parse(text, decimal)
        out.append(cache[text])
    return out


def _judge(parsed: Sequence[_Parsed], decimal: str, unit: int | None) -> _Hypothesis:
    plain = [(k, number) for k, (number, own, _) in enumerate(parsed) if number and not own]
    found, reason, odd = _unit_of(plain, has_own=any(own for _, own, _ in parsed))
    if unit is not None:
        found, reason = unit, "as said"
    numbers = tuple((number, own) for number, own, _ in parsed)
    return _Hypothesis(decimal, numbers, tuple(why for _, _, why in parsed), found, reason, odd)


def _own_number(number: float | None, problem: str) -> _Parsed:
    if problem or number is None:
        return None, 0, problem
    if not math.isfinite(number):
        return None, 0, "not a finite number"
    if number < 0:
        return None, 0, "negative; give 0 or more"
    return (None, 0, _TOO_LARGE) if number > LARGEST else (number, 0, "")


def _parse(text: str, decimal: str) -> tuple[float | None, int, str]:
    """Return `(number, currency units that its own suffix gives or 0, why it is not a number)`."""
    if is_mark(text):
        return None, 0, ""
    if len(text) > MAX_TEXT:
        return None, 0, "too long for an amount"
    if NOT_FINITE.fullmatch(text):
        return None, 0, "not a finite number"
    if _NEGATIVE.fullmatch(text):
        return None, 0, "negative; give 0 or more"
    bare = _CURRENCY.sub("", _CURRENCY.sub("", text, count=1), count=1)
    own = 0
    if bare[-1:] in ("k", "K"):
        bare, own = bare[:-1].rstrip(), THOUSAND
    number = _number(bare, decimal)
    if number is not None:
        return (None, 0, _TOO_LARGE) if number > LARGEST else (number, own, "")
    corrected = _number(bare.translate(_LETTERS_FOR_DIGITS), decimal)
    return None, 0, "no amount" if corrected is None else f"letters among digits; did you mean {corrected:g}?"


def _number(text: str, decimal: str) -> float | None:
    text, part = _without_fraction(text)
    if part is None:
        return None
    if _EXPONENT.fullmatch(text):
        value = float(text)
        return value if math.isfinite(value) else None
    if not text.isascii() and not re.fullmatch(rf"(?:[0-9.,]|{_BLANK})+", text):
        return None
    if not _PLAIN[decimal].fullmatch(text):
        return None
    plain = re.sub(_BLANK, "", text.replace("," if decimal == "." else ".", "")).replace(decimal, ".")
    return float(plain) + part


def _without_fraction(text: str) -> tuple[str, float | None]:
    """Return an amount without its fraction, `18 1/2` or `18½`, and the fraction; None if that is no amount."""
    if text[-1:] in VULGAR:
        whole, part = text[:-1].rstrip(), VULGAR[text[-1]]
    elif found := _FRACTION.fullmatch(text):
        above, below = int(found["above"]), int(found["below"])
        if below not in _PARTS or above >= below:
            return text, None
        whole, part = found["whole"] or "", above / below
    else:
        return text, 0.0
    return (whole or "0", part) if not whole or whole.isdecimal() else (text, None)


def _unit_of(plain: list[tuple[int, float]], *, has_own: bool) -> tuple[int | None, str, tuple[int, ...]]:
    """Tell the unit from the sizes of the amounts that are not 0; also name those of another size."""
    if not plain:
        return (THOUSAND, "all amounts have a K", ()) if has_own else (None, "no amount is above 0", ())
    values = [value for _, value in plain]
    small = {k for k, value in plain if value < SMALL}
    large = {k for k, value in plain if value >= LARGE and value.is_integer()}
    middle = median(values)
    span = f"{min(values):g} to {max(values):g}, half of them up to {middle:g}"
    if len(small) >= NEARLY_ALL * len(plain) and 2 * len(large) < len(plain):
        return THOUSAND, f"amounts are {span}", tuple(k for k, _ in plain if k not in small)
    if len(large) >= NEARLY_ALL * len(plain) and middle >= TYPICAL_WHOLE:
        return 1, f"amounts are {span}", tuple(k for k, _ in plain if k not in large)
    return None, f"they are {span}", ()
