"""Figures of play-tests as tables for the console."""

from typing import TYPE_CHECKING, Final

from mapkit.console.printing import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mapkit.playing.comparing import FigureDifference
    from mapkit.playing.figures import Mean, Share

_PERCENT: Final = 100
_SHOWN: Final = 12
_AMOUNTS: Final = ("fees", "payoffs", "worth", "margin", "paid", "income")
_SHARES: Final = ("wins", "sold out", "ties", "operates")


def share_text(found: "Share") -> str:
    """Return a share in percent with half the width of its interval."""
    if found.of == 0:
        return "-"
    return f"{_PERCENT * found.share:.1f} ±{_PERCENT * (found.high - found.low) / 2:.1f}"


def mean_text(found: "Mean", digits: int) -> str:
    """Return a mean with half the width of its interval."""
    if found.of == 0:
        return "-"
    return f"{found.mean:,.{digits}f} ±{(found.high - found.low) / 2:,.{digits}f}"


def verdict_text(chance: float, *, different: bool) -> str:
    """Return whether two boards differ, and how often two play-tests of one board would differ as much."""
    verdict = "different" if different else "not told apart"
    return f"{verdict}: two play-tests of one board differ by as much in {_PERCENT * chance:.2g} % of cases"


def clearest_of(figures: "Iterable[FigureDifference]", most: int = _SHOWN) -> "list[FigureDifference]":
    """Return the figures that differ most clearly."""
    return sorted(figures, key=lambda f: (-_clear(f), f.figure, f.id))[:most]


def part_text(figure: "FigureDifference") -> str:
    """Return what a figure is of: nothing for the match itself."""
    return "" if figure.part == "match" else f"{figure.part} {figure.id}"


def difference_table(figures: "Iterable[FigureDifference]", name: "Callable[[FigureDifference], str]") -> str:
    """Lay out figures of two boards, a row each; `name` says what a figure is called."""
    return table(
        ("figure", "A", "B", "B less A", "", "variance saved"),
        (
            (
                name(f),
                _number(f, f.a),
                _number(f, f.b),
                f"{_number(f, f.difference, sign=True)} ±{_number(f, (f.high - f.low) / 2)}",
                "*" if f.low > 0 or f.high < 0 else "",
                "all" if f.saving is None else f"{f.saving:.1f} times",
            )
            for f in figures
        ),
        right=(1, 2, 3, 5),
    )


def _clear(figure: "FigureDifference") -> float:
    """Return how far a difference is from 0, in halves of its interval."""
    half = (figure.high - figure.low) / 2
    return abs(figure.difference) / half if half > 0 else 0.0


def _number(figure: "FigureDifference", value: float, *, sign: bool = False) -> str:
    """Write shares in percent, amounts without decimals, and counts with two."""
    plus = "+" if sign else ""
    if figure.figure.startswith(_SHARES):
        return f"{_PERCENT * value:{plus}.2f} %"
    if figure.figure.startswith(_AMOUNTS):
        return f"{value:{plus},.0f}"
    return f"{value:{plus}.2f}"
