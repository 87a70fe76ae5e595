"""Card games, loaded."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mapkit.core.errors import BoardError, RulesError
from mapkit.core.findings import finding_lines
from mapkit.document.changes import apply
from mapkit.document.draft import CommandError
from mapkit.document.workspace import open_workspace
from mapkit.kinds.cards.compiler import CompiledCards
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.tables import CardDocument


def load_cards(
    name: str,
    *,
    variants: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
) -> CompiledCards:
    """Return a card game without errors.

    Args:
        name: A game of the workspace, a shipped one, or the folder of a source package.
        variants: Variants to apply, in order.
        settings: Rules to change on top: path -> value, `setup.bids` -> `face`.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        BoardError: The checks find errors, which are listed.
        RulesError: There is no such setting, or it cannot have that value.
        MapkitError: There is no such game or variant.
    """
    space = open_workspace(workspace)
    compiled, unread = CARDS.load(space, name, variants)
    if settings:
        document = CARDS.vary(space, CARDS.read(CARDS.read_files(space.board_folder(name))).document, name, variants)
        compiled = CARDS.compile(_with_rules(document, settings), board_id=compiled.board.id)
    report = CARDS.check(compiled, unread)
    if not report.ok:
        raise BoardError("\n".join([f"{name} cannot be used as it is:", *finding_lines(report.errors)]))
    return compiled


def _with_rules(document: CardDocument, settings: Mapping[str, object]) -> CardDocument:
    for path, value in settings.items():
        command = {"kind": "set-settings", "values": {f"rules.{path.removeprefix('rules.')}": value}}
        try:
            document = apply(document, CARDS.commands.read(command).plan(document).patch)
        except CommandError as error:
            raise RulesError(f"--set {path}: {error}") from error
    return document
