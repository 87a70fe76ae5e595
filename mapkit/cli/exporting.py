"""What `mapkit export` and `mapkit formats` do."""

from collections.abc import Sequence
from pathlib import Path

from mapkit import api
from mapkit.cli.printing import result, stages, table, talk
from mapkit.errors import ExportError
from mapkit.exchange.form import Format, ReadingFormat
from mapkit.exchange.registry import format_names, get_format
from mapkit.jsontext import json_text


def export(
    board: str,
    *,
    to: str,
    out: Path,
    variants: Sequence[str],
    base_url: str | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit export`."""
    with stages(f"export {board}") as progress:
        done = api.export(
            board, to=to, out=out, variants=variants, base_url=base_url, workspace=workspace, progress=progress
        )
    if as_json:
        files = [str(path) for path in done.files]
        summary = {"board": done.board.id, "variants": list(done.board.variants), "folder": str(out), "files": files}
        result(json_text({**summary, "losses": dict(done.losses)}))
        return
    result("\n".join(str(path) for path in done.files))
    for name, losses in done.losses.items():
        if losses:
            talk(f"{name} does not hold: {'; '.join(losses)}")
    whole = [name for name, losses in done.losses.items() if not losses]
    if whole:
        talk(f"Nothing is lost in: {', '.join(whole)}")


def formats(*, as_json: bool) -> None:
    """Run `mapkit formats`."""
    found: list[Format] = []
    for name in format_names():
        try:
            found.append(get_format(name))
        except ExportError as error:
            talk(f"warning: {error}")
    if as_json:
        result(json_text([described(form) for form in found]))
        return
    head = ("format", "name", "files", "reads", "carries", "cannot carry")
    rows = (
        (f.name, f.title, " ".join(f.suffixes), "yes" if isinstance(f, ReadingFormat) else "no", f.carries, f.loses)
        for f in found
    )
    result(table(head, rows))


def described(form: Format) -> dict[str, object]:
    """Return a format as `mapkit formats --json` prints it."""
    return {
        "name": form.name,
        "title": form.title,
        "suffixes": form.suffixes,
        "reads": isinstance(form, ReadingFormat),
        "carries": form.carries,
        "loses": form.loses,
    }
