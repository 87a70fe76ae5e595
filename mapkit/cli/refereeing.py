"""Console output for judgements of logs."""

from typing import TYPE_CHECKING, Protocol

from mapkit.console.printing import names_rules, print_result

if TYPE_CHECKING:
    from mapkit.formats.rulings import Ruling


class Judged(Protocol):
    """Judgement of a log, of any kind of board."""

    @property
    def file(self) -> str:
        """Return the name of the log."""

    @property
    def broken(self) -> "Ruling | None":
        """Return the first illegal step."""

    def summary(self) -> str:
        """Return the contents of a legal log in one sentence."""


def show_judgement(found: Judged) -> None:
    """Print the first step that breaks a rule, or the contents of the log."""
    if found.broken is None:
        print_result(found.summary())
    else:
        rule = f" ({found.broken.rule})" if found.broken.rule and names_rules() else ""
        print_result(f"{found.file}:{found.broken.line}: {found.broken.message}{rule}")
