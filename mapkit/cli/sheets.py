"""What `mapkit sheets` does."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api_sheets
from mapkit.cli.printing import result, stages, table, talk
from mapkit.jsontext import json_text
from mapkit.render.sheets.files import LIST


def sheets(
    board: str,
    *,
    variants: Sequence[str],
    only: str | None,
    paper: str,
    theme: str,
    out: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit sheets`."""
    with stages(f"sheets of {board}") as progress:
        done = api_sheets.write_sheets(
            board,
            variants=variants,
            only=[name.strip() for name in only.split(",")] if only is not None else (),
            paper=paper,
            theme=theme,
            out=out,
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        files = [str(path) for path in done.files]
        result(json_text({"board": done.board.id, "folder": str(done.folder), "files": files}))
        return
    rows = ((done.folder / f"{s.id}.svg", s.kind, f"{s.width_mm:g} x {s.height_mm:g}", s.title) for s in done.sheets)
    result(table(("file", "kind", "mm", "what it is"), rows))
    cards = sum(sheet.kind == "card" for sheet in done.sheets)
    talk(f"{done.board.title}: {len(done.sheets) - cards} pages, {cards} cards; {LIST} lists them with their backs")
