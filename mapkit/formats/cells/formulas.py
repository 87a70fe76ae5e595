"""Constant spreadsheet formulas, such as the truth values that LibreOffice writes: `=FALSE()`."""

import re
from typing import Final

_TRUTH_FORMULA: Final = re.compile(r"=\s*(TRUE|FALSE)\s*(?:\(\s*\))?\s*", re.IGNORECASE)
_NUMBER_FORMULA: Final = re.compile(r"=\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d{1,3})?)\s*", re.IGNORECASE)
_TEXT_FORMULA: Final = re.compile(r'=\s*"((?:[^"]|"")*+)"\s*')


def parse_constant(formula: object) -> bool | float | str | None:
    """Return the value of a formula that is a constant: a truth value, a number or a text; None if it is not."""
    formula_text = str(formula)
    if found := _TRUTH_FORMULA.fullmatch(formula_text):
        return found[1].upper() == "TRUE"
    if found := _NUMBER_FORMULA.fullmatch(formula_text):
        number = float(found[1])
        return int(number) if number.is_integer() else number
    if found := _TEXT_FORMULA.fullmatch(formula_text):
        return found[1].replace('""', '"')
    return None
