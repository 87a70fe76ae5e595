"""`mapkit variant apply` and `mapkit variant check`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import mapkit
from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.options import JsonOpt, WorkspaceOpt, written_option
from mapkit.console.printing import result, stages, talk
from mapkit.console.variants import NamesArg
from mapkit.core.plurals import counted
from mapkit.kinds.rail.cli.variants.options import BoardOpt

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board


def apply(
    names: NamesArg,
    board: BoardOpt = None,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.json", help="Write the changed board there.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Apply variants to a board and report the result; --out writes the board file.

    Without --out nothing is written. For the whole bundle use mapkit build BOARD --variant NAME.
    """
    with stages(f"apply {' '.join(names)}") as progress:
        made = mapkit.apply_to_file(names, board=board, out=out, workspace=workspace, progress=progress)
    result(texts.json_text(_summary(made, out)) if as_json else _sentence(made))
    if out is not None:
        talk(f"written: {out}")


def check(
    names: NamesArg,
    board: BoardOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Check that variants fit their board and each other, and check the board that they give.

    Tries every operation first. Prints the findings that the base does not have. Exits 0 if there is
    no error, 1 if there is one.
    """
    with stages(f"check {' '.join(names)}") as progress:
        found = mapkit.check_variants(names, board=board, workspace=workspace, progress=progress)
    if as_json:
        result(texts.json_text(found.new))
    else:
        show_report(found.new, f"{_sentence(found.board)}; new", every=True)
        talk(f"findings of the base that are gone: {found.gone}")
        same = texts.counted(found.checks) if not found.checks.ok and found.new.ok else ""
        if same:
            talk(f"the board has errors that its base has too; mapkit check BOARD lists them: {same}")
    sys.exit(0 if found.checks.ok else 1)


def _summary(made: "Board", out: Path | None) -> dict[str, object]:
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


def _sentence(made: "Board") -> str:
    return (
        f"{made.title} with {', '.join(made.variants)}: {counted(len(made.mileposts), 'milepost')}, "
        f"{counted(len(made.segments), 'segment')}, {counted(len(made.railroads), 'railroad')}, "
        f"{counted(len(made.cities), 'city', 'cities')}"
    )
