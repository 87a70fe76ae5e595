"""Application of variants to a board: pure, in order, all operations or none."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from mapkit.core.errors import VariantError
from mapkit.core.garbage import gc_paused
from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.compiler.boards import Start, compiled_board
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.model.board import Board, SourceFile
from mapkit.variants.applying import PlacedVariant, Target, carry_out_all, refuse_other_boards

WITHOUT: Final = frozenset({"lines", "places", "wanted", "control_points", "files"})
"""Tables that a compiled board has not: what follows from them stands in others."""


@gc_paused()
def apply_variants(board: Board, variants: Sequence[PlacedVariant]) -> Board:
    """Return the board with variants applied in this order, each after its bases.

    Args:
        board: The base; it stays as it is.
        variants: As `mapkit.variants.shelf.VariantShelf.order` gives them.

    Raises:
        VariantError: A variant is for another board, operations do not fit, or variants contradict each other. Every
            operation is tried on a copy, so nothing is applied then.
    """
    refuse_other_boards(board.id, variants)
    start = compiled_board(board)
    draft = carry_out_all(make_target(start), variants)
    changed_board = _add_variant_files(_compile_variants(draft, start, variants), variants)
    railroad_by_mark: dict[str, str] = {}
    for railroad in changed_board.railroads:
        railroad_id = railroad_by_mark.setdefault(railroad.short, railroad.id)
        if railroad_id != railroad.id:
            raise VariantError(f"railroads {railroad_id!r} and {railroad.id!r} both have the mark {railroad.short!r}")
    return changed_board


def make_target(start: Compiled) -> Target:
    """Return the target that variants of a board are carried out on."""
    return Target(partial(make_draft, start), WITHOUT)


def make_draft(start: Compiled) -> Draft:
    """Return a draft of a board's document."""
    draft = Draft(start.document)
    draft.seed(Start(start))
    return draft


def compile_draft(draft: Draft, start: Compiled, where: str = "") -> Board:
    """Compile the board of a draft.

    Args:
        draft: A draft of the board's document, changed.
        start: The board before.
        where: What is named for a problem of which no row is known.

    Raises:
        VariantError: Something keeps it from being a board: rules that do not go together, track that leads nowhere.
    """
    compiled = start.recompile(draft.document, stamped=draft.stamped)
    problems = [str(p) if p.file or not where else f"{where}: {p}" for p in compiled.problems]
    if problems:
        raise VariantError(problems)
    return compiled.board


def _compile_variants(draft: Draft, start: Compiled, variants: Sequence[PlacedVariant]) -> Board:
    board = compile_draft(draft, start, ", ".join(placed.where(-1) for placed in variants))
    return board.model_copy(update={"variants": (*start.board.variants, *(placed.name for placed in variants))})


def _add_variant_files(board: Board, variants: Sequence[PlacedVariant]) -> Board:
    """Return the board with the files of variants among its sources."""
    file_by_path = {p.file: SourceFile(path=p.file, sha256=p.sha256) for p in variants if p.sha256}
    sources = (*board.provenance.sources, *(file_by_path[name] for name in sorted(file_by_path)))
    return board.model_copy(update={"provenance": board.provenance.model_copy(update={"sources": sources})})
