"""What `mapkit variant diff` and `mapkit variant rebase` do."""

from pathlib import Path

from mapkit import api
from mapkit.cli.printing import result, talk
from mapkit.jsontext import json_text
from mapkit.model.board_diff import BoardDiff
from mapkit.output import write_files
from mapkit.render.diff import render_diff
from mapkit.render.diff_legend import counts, names
from mapkit.variants.board_diff import diff_boards


def diff(a: str, b: str, *, svg: Path | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit variant diff`."""
    one, other = (api.load(given, workspace=workspace) for given in (a, b))
    found = diff_boards(one, other)
    result(json_text(found) if as_json else diff_text(found))
    if svg is not None:
        write_files(svg.parent, {svg.name: render_diff(one, other, found)})
        talk(f"The drawing is {svg}")


def diff_text(found: BoardDiff) -> str:
    """Lay out a difference: the steps, and what they come to."""
    if found.same:
        return f"{names(found)}: no difference"
    totals = (f"{how}: {counts(found, how)}" for how in ("added", "removed", "changed"))
    return "\n".join((names(found), *(f"- {step.text}" for step in found.story), "; ".join(totals)))
