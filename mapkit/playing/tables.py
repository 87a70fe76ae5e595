"""Figures of play-tests as tables for the console."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from mapkit.playing.figures import Mean, Share
    from mapkit.playing.game import Laddered, PlayTested, PolicyAbout, ReplayedGame
    from mapkit.playing.ladders import Ladder
    from mapkit.playing.paired_differences import FigureDifference
    from mapkit.playing.panels import PanelFigure
    from mapkit.playing.running import EndedRun

    class Comparison(Protocol):
        """Comparison of two boards, by a panel or not."""

        @property
        def panel(self) -> tuple[PanelFigure, ...]:
            """Return the figures by style."""


_PERCENT_FACTOR: Final = 100
_MAX_FIGURES: Final = 12
_MAX_ROWS: Final = 20
_AMOUNT_FIGURES: Final = ("fees", "payoffs", "worth", "margin", "paid", "income")
_NONE_IN_COMMON: Final = "A and B have none in common"
_SHARE_FIGURES: Final = ("wins", "sold out", "ties", "operates")


class StudyTable(NamedTuple):
    """Table of a study, for the terminal and its page; the columns in `right` are flush right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Sequence[int] = ()

    def as_text(self, most: int | None = None) -> str:
        """Lay out the table, or its first rows and how many more there are."""
        text = table(self.head, self.rows[:most], right=self.right)
        more = len(self.rows) - len(self.rows[:most])
        return f"{text}\n{more} more with --json or --html" if more else text


class StudyText(NamedTuple):
    """Study as sentences and tables, for the terminal and its page; a table without rows is left out.

    Attributes:
        facts: What was played and found, a sentence each; the first is the summary.
        tables: Its tables, all rows of each.
    """

    facts: Sequence[str]
    tables: Sequence[StudyTable]


def print_end(found: "EndedRun", played: str, *, head: str = "") -> None:
    """Print whether a run ended early, after games or matches `played`, and whether its checkpoint was not written."""
    if found.stopped:
        print_message(f"{head}stopped after {played}")
    for note in found.notes:
        print_message(f"{head}{note}")
    if found.unsaved:
        print_message(f"error: {found.unsaved}")


def print_study(tested: "PlayTested", text: str, played: str, board: str) -> None:
    """Print the text of a study if there is one, how it ended, and its files."""
    if text:
        print_result(text)
    print_end(tested, played, head=f"{board}: ")
    for file in tested.files:
        print_message(f"{board}: {file} written")


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study as its kind describes it, how it ended, and its files."""
    text = ""
    if tested.text is not None and not as_json:
        facts = "\n".join(tested.text.facts)
        text = "\n\n".join([facts, *(one.as_text(_MAX_ROWS) for one in tested.text.tables if one.rows)])
    print_study(tested, text, f"{tested.study.matches:,} games", board)


def show_replay(found: "ReplayedGame", show_log: "Path | None", html: "Path | None") -> None:
    """Print a game in words, or its files."""
    written = [str(path) for path in (show_log, html) if path is not None]
    print_result("\n".join(written or found.lines))


def show_policies(found: "Mapping[str, PolicyAbout]") -> None:
    """Print computer players, with their weights if they have any."""
    print_result(table(("policy", "what it does"), ((name, one.about) for name, one in found.items())))
    weights = [one.weights for one in found.values()]
    if weights[0]:
        rows = ((name, *(f"{one[name]:g}" for one in weights)) for name in weights[0])
        print_result("\n" + table(("weight", *found), rows, right=range(1, len(found) + 1)))


def show_ladder(found: "Laddered", board: str, *, as_json: bool) -> None:
    """Print a ladder, and how it ended."""
    if not as_json:
        print_result(ladder_text(found.ladder))
    print_end(found, f"{found.ladder.matches:,} matches", head=f"{board}: ")


def ladder_text(found: "Ladder") -> str:
    """Lay out a ladder as tables."""
    names = [rung.policy for rung in found.rungs]
    rows = (
        (
            rung.policy,
            f"{rung.rating:+.0f} ±{rung.margin:.0f}",
            *(share_text(rung.against[name]) if name in rung.against else "" for name in names),
        )
        for rung in found.rungs
    )
    seats = ", ".join(f"{number}. {share_text(seat)}" for number, seat in enumerate(found.seats, start=1))
    rules = f", rules {found.preset}" if found.preset else ""
    facts = [
        f"{found.matches:,} matches of {found.players} players, seed {found.seed}{rules}"
        + (f" with {', '.join(found.options)}" if found.options else ""),
        f"wins % by order of play: {seats}",
        "",
        table(("policy", "rating", *names), rows, right=range(1, len(names) + 2)),
    ]
    return "\n".join(facts)


def share_text(found: "Share") -> str:
    """Return a share in percent with half the width of its interval."""
    if found.of == 0:
        return "-"
    return f"{_PERCENT_FACTOR * found.share:.1f} ±{_PERCENT_FACTOR * (found.high - found.low) / 2:.1f}"


def mean_text(found: "Mean", digits: int) -> str:
    """Return a mean with half the width of its interval."""
    if found.of == 0:
        return "-"
    return f"{found.mean:,.{digits}f} ±{(found.high - found.low) / 2:,.{digits}f}"


def verdict_text(chance: float, *, different: bool) -> str:
    """Return whether two boards differ, and how often two play-tests of one board would differ as much."""
    verdict = "different" if different else "not told apart"
    percent = float(f"{_PERCENT_FACTOR * chance:.2g}")
    return f"{verdict}: two play-tests of one board differ by as much in {percent:g} % of cases"


def clearest_of(figures: "Iterable[FigureDifference]") -> "list[FigureDifference]":
    """Return the figures with the most significant differences."""
    return sorted(figures, key=lambda f: (-_significance(f), f.figure, f.id))[:_MAX_FIGURES]


def part_text(figure: "FigureDifference | PanelFigure") -> str:
    """Return the subject of a figure; nothing for the match itself."""
    return "" if figure.part == "match" else f"{figure.part} {figure.id}"


def difference_table(figures: "Iterable[FigureDifference]", name: "Callable[[FigureDifference], str]") -> str:
    """Format figures of two boards as a table, a row each; `name` returns the name of a figure."""
    rows = [
        (
            name(f),
            _figure_text(f, f.a),
            _figure_text(f, f.b),
            f"{_figure_text(f, f.difference, sign=True)} ±{_figure_text(f, (f.high - f.low) / 2)}",
            "*" if f.low > 0 or f.high < 0 else "",
            "all" if f.saving is None else f"{f.saving:.1f} times",
        )
        for f in figures
    ]
    head = ("figure", "A", "B", "B less A", "", "variance saved")
    return table(head, rows, right=(1, 2, 3, 5)) if rows else _NONE_IN_COMMON


def sign_text(figure: "PanelFigure") -> str:
    """Return in how many styles a figure keeps its sign, and whether it depends on the style."""
    if figure.sign is None:
        return ""
    held = f"{figure.sign} of {len(figure.values)}"
    if figure.depends:
        return f"{held}, depends on the style"
    return held if figure.sign == len(figure.values) else f"{held}, open"


def panel_difference_table(
    figures: "Iterable[PanelFigure]", name: "Callable[[FigureDifference | PanelFigure], str]"
) -> str:
    """Format differences of a panel as a table, a row each; `name` returns the name of a figure."""
    rows = [
        (
            name(f),
            _figure_text(f, f.estimate, sign=True),
            f"±{_figure_text(f, f.dice)}",
            f"±{_figure_text(f, f.players)}",
            f"{_figure_text(f, f.low, sign=True)} to {_figure_text(f, f.high, sign=True)}",
            sign_text(f),
        )
        for f in figures
    ]
    head = ("figure", "B less A", "by dice", "by styles", "range over styles", "sign holds in")
    return table(head, rows, right=(1, 2, 3, 4)) if rows else _NONE_IN_COMMON


def panel_study_table(panel: "Iterable[PanelFigure]", parts: "Sequence[str]" = ("match", "seat")) -> StudyTable:
    """Return figures of a study by style as a table, a row each."""
    rows = [
        (
            f"{part_text(f)} {f.figure}".strip(),
            _figure_text(f, f.estimate),
            f"±{_figure_text(f, f.dice)}",
            f"±{_figure_text(f, f.players)}",
            f"{_figure_text(f, f.low)} to {_figure_text(f, f.high)}",
            sign_text(f),
        )
        for part in parts
        for f in panel
        if f.part == part
    ]
    head = ("figure", "estimate", "by dice", "by styles", "range over styles", "sign holds in")
    return StudyTable("Styles of players", head, rows, right=(1, 2, 3, 4))


def compared_table(
    found: "Comparison",
    figures: "Iterable[FigureDifference]",
    name: "Callable[[FigureDifference | PanelFigure], str]",
) -> str:
    """Format figures of two boards as a table; those of a panel with both intervals."""
    if not found.panel:
        return difference_table(figures, name)
    known = {(f.part, f.id, f.figure): f for f in found.panel}
    return panel_difference_table((known[key] for f in figures if (key := (f.part, f.id, f.figure)) in known), name)


def _significance(figure: "FigureDifference") -> float:
    """Return the distance of a difference from 0, in half widths of its interval."""
    half_width = (figure.high - figure.low) / 2
    return abs(figure.difference) / half_width if half_width > 0 else 0.0


def _figure_text(figure: "FigureDifference | PanelFigure", value: float, *, sign: bool = False) -> str:
    """Format shares in percent, amounts without decimals, and counts with two."""
    sign_option = "+" if sign else ""
    if figure.figure.startswith(_SHARE_FIGURES):
        return f"{_PERCENT_FACTOR * value:{sign_option}.2f} %"
    if figure.figure.startswith(_AMOUNT_FIGURES):
        return f"{value:{sign_option},.0f}"
    return f"{value:{sign_option}.2f}"
