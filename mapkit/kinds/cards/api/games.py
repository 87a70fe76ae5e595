"""Card games, loaded."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.errors import BoardError
from mapkit.core.findings import finding_lines
from mapkit.document.workspace import open_workspace
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.kind import CARDS


def load_cards(name: str, *, variants: Sequence[str] = (), workspace: str | Path | None = None) -> CompiledCards:
    """Return a card game without errors.

    Args:
        name: A game of the workspace, a shipped one, or the folder of a source package.
        variants: Variants to apply, in order.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        BoardError: The checks find errors, which are listed.
        MapkitError: There is no such game or variant.
    """
    compiled, unread = CARDS.load(open_workspace(workspace), name, variants)
    report = CARDS.check(compiled, unread)
    if not report.ok:
        raise BoardError("\n".join([f"{name} cannot be used as it is:", *finding_lines(report.errors)]))
    return compiled
