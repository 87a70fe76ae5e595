"""What `mapkit variant apply` and `check` do."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api
from mapkit.cli.boards import counted
from mapkit.cli.printing import result, stages, talk
from mapkit.errors import VariantError
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.output import write_files
from mapkit.sources.workspace import open_workspace
from mapkit.variants.shelf import Shelf

DEFAULT = "usa"


def board_for(names: Sequence[str], board: str | None, workspace: Path | None) -> str:
    """Return the board that is meant: the one named, else the one that the variants are for, else the classic one.

    Raises:
        VariantError: Variants are for different boards; likewise what reading them raises.
    """
    if board is not None:
        return board
    found = {p.variant.board: p for p in Shelf(open_workspace(workspace)).order(names) if p.variant.board is not None}
    if len(found) > 1:
        each = ", ".join(f"{p.name} for {b}" for b, p in sorted(found.items(), key=lambda item: item[0] or ""))
        raise VariantError(f"the variants are for different boards: {each}; use those of one")
    return next(iter(found), None) or DEFAULT


def apply(names: Sequence[str], *, board: str | None, out: Path | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit variant apply`."""
    base = board_for(names, board, workspace)
    with stages(f"apply {' '.join(names)}") as progress:
        made = api.load(base, variants=names, workspace=workspace, progress=progress)
    if out is not None:
        path = open_workspace(workspace).root / out
        write_files(path.parent, {path.name: json_text(made)})
    result(json_text(_summary(made, out)) if as_json else _sentence(made))
    if out is not None:
        talk(f"written: {out}")


def _summary(made: Board, out: Path | None) -> dict[str, object]:
    return {
        "board": made.id,
        "variants": list(made.variants),
        "file": None if out is None else str(out),
        "mileposts": len(made.mileposts),
        "segments": len(made.segments),
        "junctions": len(made.junctions),
        "railroads": len(made.railroads),
        "cities": len(made.cities),
        "regions": len(made.regions),
    }


def _sentence(made: Board) -> str:
    return (
        f"{made.title} with {', '.join(made.variants)}: {len(made.mileposts)} mileposts, "
        f"{len(made.segments)} segments, {len(made.railroads)} railroads, {len(made.cities)} cities"
    )


def check(names: Sequence[str], *, board: str | None, workspace: Path | None, as_json: bool) -> int:
    """Run `mapkit variant check`; return the exit code."""
    base = board_for(names, board, workspace)
    with stages(f"check {' '.join(names)}") as progress:
        plain = api.load(base, workspace=workspace, progress=progress)
        progress("applying variants")
        made = api.apply(plain, names, workspace=workspace)
        progress("checking")
        before, after = api.check(plain, drawing=False), api.check(made, drawing=False)
    known = {f.id for f in before.findings}
    fresh = after.model_copy(update={"findings": tuple(f for f in after.findings if f.id not in known)})
    if as_json:
        result(json_text(fresh))
    else:
        if fresh.findings:
            result("\n".join(api.finding_line(f) for f in fresh.findings))
        gone = len(known - {f.id for f in after.findings})
        talk(f"{_sentence(made)}; new: {counted(fresh)}; {gone} findings of the base are gone")
    return 0 if after.ok else 1
