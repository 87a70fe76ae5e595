"""Validation of computer players: published figures of play beside those of a panel."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.playtesting import RAIL_GAME, PlayTest
from mapkit.kinds.rail.model.study import Study
from mapkit.operations.options import Fields, Output, Workspace

MATCHES: Final = 4_000
_BOARD: Final = "usa"
_PERCENT: Final = 100
_FIRST, _END = "wins of the first buyer", "wins of the owner at the end"


class ValidatedFigure(Frozen):
    """A published figure, and the same of each style."""

    source: str
    says: str
    published: str
    styles: tuple[str, ...]
    values: tuple[float, ...]
    reached: bool


class Validation(Frozen):
    """Published figures beside those of a panel."""

    matches: int
    seed: int
    styles: tuple[str, ...]
    figures: tuple[ValidatedFigure, ...]


class _Published(NamedTuple):
    """A published figure, in percent: its range, and how to count it."""

    source: str
    says: str
    variant: str
    low: float
    high: float
    measure: Callable[[Study, Study], list[float]]


def _win_rates(railroad: str, figure: str, *, changed: bool = True) -> Callable[[Study, Study], list[float]]:
    """Return a measure of a railroad's win rate by style, on the changed board or on the printed one."""
    return lambda plain, other: [
        _PERCENT * value for value in _by_style(other if changed else plain, "railroad", railroad, figure)
    ]


def _shortening(plain: Study, other: Study) -> list[float]:
    """Return how many percent fewer rounds a match has, by style."""
    pairs = zip(_by_style(plain, "match", "", "rounds"), _by_style(other, "match", "", "rounds"), strict=True)
    return [_PERCENT * (before - after) / before for before, after in pairs]


def _by_style(study: Study, part: str, ident: str, figure: str) -> Sequence[float]:
    return next((f.values for f in study.panel if (f.part, f.id, f.figure) == (part, ident, figure)), ())


_EXTENSION: Final = "b-and-o-extension"
_PUBLISHED: Final = (
    _Published("FAQ, RB-X01", "The owner of the Pennsylvania wins almost half", "", 48, 52, _win_rates("pa", _END)),
    _Published(
        "study of the extension, RB-V15",
        "The same with the extension of the Baltimore and Ohio",
        _EXTENSION,
        31,
        35,
        _win_rates("pa", _END),
    ),
    _Published(
        "study of the extension, RB-V15",
        "The first buyer of the Baltimore and Ohio wins less than 20 % without it",
        _EXTENSION,
        0,
        20,
        _win_rates("bo", _FIRST, changed=False),
    ),
    _Published(
        "study of the extension, RB-V15",
        "The first buyer of the Baltimore and Ohio wins more than 25 % with it",
        _EXTENSION,
        25,
        100,
        _win_rates("bo", _FIRST),
    ),
    _Published("FAQ, RB-X04", "Own track free shortens a match by about 8 %", "own-track-free", 7, 9, _shortening),
)


def validate_players(
    how: Annotated[PlayTest | None, Fields("matches styles seed workers", matches=MATCHES)] = None,
    *,
    out: Annotated[str | Path | None, Output("-o", "FILE.md")] = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Validation:
    """Play the published studies of the classic board with a panel, and say which figures are missed.

    The styles are not chosen or tuned by these figures. All are shown. Ranges around published figures are ours.

    Args:
        how: As for `playtest`.
        matches: How many on each board.
        out: Write a page in Markdown too.

    Raises:
        ChoiceError: The page has another ending than .md.
        MapkitError: As for `playtest`.
    """
    how = how or PlayTest()
    if out is not None and Path(out).suffix != ".md":
        raise ChoiceError(f"{out}: the page is Markdown; give a name that ends in .md")
    played = replace(how, matches=how.matches or MATCHES)
    RAIL_GAME.refuse(played)
    studies = {}
    for variant in dict.fromkeys(row.variant for row in _PUBLISHED):
        variants = (variant,) if variant else ()
        table = RAIL_GAME.set_table(_BOARD, played, variants, workspace, progress)
        studies[variant] = RAIL_GAME.run_study(table, played, variants, progress).study
    plain = studies[""]
    figures = []
    for row in _PUBLISHED:
        values = row.measure(plain, studies[row.variant])
        mean_value = sum(values) / len(values)
        figures.append(
            ValidatedFigure(
                source=row.source,
                says=row.says,
                published=f"{row.low:g} to {row.high:g} %",
                styles=plain.styles,
                values=tuple(values),
                reached=row.low <= mean_value <= row.high,
            )
        )
    validation = Validation(matches=plain.matches, seed=how.seed, styles=plain.styles, figures=tuple(figures))
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: validation_page(validation).encode()})
    return validation


def validation_page(validation: Validation) -> str:
    """Return a validation as a page in Markdown."""
    command = f"mapkit playtest validate --matches {validation.matches} --seed {validation.seed}"
    rows = ["| source | published | counts as reached | mean | " + " | ".join(validation.styles) + " | |"]
    rows.append("| --- | --- | --- | " + " | ".join(["---:"] * (len(validation.styles) + 1)) + " | --- |")
    for figure in validation.figures:
        numbers = [sum(figure.values) / len(figure.values), *figure.values]
        cells = [figure.source, figure.says, figure.published, *(f"{number:.1f}" for number in numbers)]
        rows.append("| " + " | ".join([*cells, "reached" if figure.reached else "missed"]) + " |")
    return "\n".join(
        [
            "# Validation of computer players",
            "",
            f"Written by `{command}`. Percent, by style and as the mean over styles;",
            f"{validation.matches:,} matches on each board. The ids are those of [studies](studies.md).",
            'The ranges are ours; a published "about" states none.',
            "",
            *rows,
            "",
        ]
    )
