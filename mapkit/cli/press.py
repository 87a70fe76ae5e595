"""What `mapkit print` and `mapkit picture` do."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api_print
from mapkit.cli.printing import result, stages, table, talk
from mapkit.errors import PrintError
from mapkit.jsontext import json_text
from mapkit.render.press.job import PrintJob


def print_board(
    board: str,
    job: PrintJob,
    *,
    variants: Sequence[str],
    workspace: Path | None,
    theme: str,
    low_ink: bool,
    only: str | None,
    dpi: float | None,
    out: Path,
    as_json: bool,
) -> None:
    """Run `mapkit print`."""
    parts = [part.strip() for part in (only or "").split(",") if part.strip()]
    with stages(f"print {board}") as progress:
        done = api_print.print_board(
            board,
            job,
            out=out,
            variants=variants,
            workspace=workspace,
            theme=theme,
            low_ink=low_ink,
            only=parts,
            dpi=dpi,
            progress=progress,
        )
    if as_json:
        result(json_text(printed_summary(done, job)))
        return
    result("\n".join(str(path) for path in done.files))
    rows = [(section.title, _pages(section.first, section.pages)) for section in done.printout.sections]
    talk(table(("what", "pages"), rows))
    plan = done.printout.plan
    if plan is not None:
        sheet = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
        talk(f"The board takes {plan.columns} x {plan.rows} sheets of {sheet}. Print at 100 % and measure the ruler.")
    for line in done.printout.told:
        talk(f"note: {line}")


def printed_summary(done: api_print.Printed, job: PrintJob) -> dict[str, object]:
    """Return what `mapkit print --json` prints."""
    plan = done.printout.plan
    return {
        "board": done.board.id,
        "variants": list(done.board.variants),
        "files": [str(path) for path in done.files],
        "paper": job.paper.lower(),
        "sheet_paper": job.for_sheets[0],
        "pages": done.printout.pages,
        "sections": [
            {"title": section.title, "first": section.first, "pages": section.pages}
            for section in done.printout.sections
        ],
        "tiles": None if plan is None else {"columns": plan.columns, "rows": plan.rows, "overlap": plan.overlap},
        "told": list(done.printout.told),
    }


def scale_of(text: str) -> float:
    """Return a scale as a factor, from a percentage such as `80` or `80%`.

    Raises:
        PrintError: It is no number.
    """
    try:
        return float(text.strip().removesuffix("%").strip()) / 100
    except ValueError:
        raise PrintError(f"scale {text!r}: give a percentage, such as 80") from None


def picture(file: Path, *, to: str, out: Path | None, dpi: float, fonts: str, as_json: bool) -> None:
    """Run `mapkit picture`."""
    with stages(f"picture {file.name}") as progress:
        progress(f"drawing {to}")
        written, told = api_print.convert_picture(file, to=to, out=out, dpi=dpi, fonts=fonts)
    if as_json:
        result(json_text({"file": str(written), "told": list(told)}))
        return
    result(str(written))
    for line in told:
        talk(f"note: {line}")


def _pages(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} to {first + count - 1}"
