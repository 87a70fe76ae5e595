"""Results of exports, imports, drawings and printouts of boards of every kind, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.api.importing import ImportedBoard
    from mapkit.api.outputs import Drawn, ExportedFiles, ListedFormats, Printed
    from mapkit.drawing.theme.theme import Theme


def show_exported(done: "ExportedFiles") -> None:
    """Print the files, and the losses of their formats."""
    print_result("\n".join(str(path) for path in done.files))
    for name, losses in done.losses.items():
        if losses:
            print_message(f"{name} does not hold: {'; '.join(losses)}")
    whole = [name for name, losses in done.losses.items() if not losses]
    if whole:
        print_message(f"Nothing is lost in: {', '.join(whole)}")


def show_formats(found: "ListedFormats", *, as_json: bool) -> None:
    """Print formats, and warn of those that cannot be loaded."""
    for text in found.wrong:
        print_message(f"warning: {text}")
    if not as_json:
        rows = (
            (row["name"], row["title"], " ".join(form.suffixes), "yes" if row["reads"] else "no", *_holds(row))
            for row, form in zip(found.as_json(), found.formats, strict=True)
        )
        print_result(table(("format", "name", "files", "reads", "carries", "cannot carry"), rows))


def _holds(row: dict[str, object]) -> tuple[object, object]:
    return row["carries"], row["loses"]


def show_imported(found: "ImportedBoard", into: str | None, *, dry_run: bool) -> None:
    """Print the contents of a file and the changes."""
    print_result(f"{found.title}: {found.summary}")
    for note in found.notes:
        print_message(note)
    if found.changed is not None:
        print_message(f"{found.changed:,} rows {'would change' if dry_run else 'changed'}")
    for path in found.written:
        print_message(f"written: {path}")
    if into is None:
        print_message("nothing written; give --into BOARD")
    elif dry_run:
        print_message("nothing written; leave out --dry-run to do it")


def show_drawn(done: "Drawn", *, as_json: bool) -> None:
    """Print the pictures and notes on them."""
    for line in done.notes:
        print_message(line)
    if not as_json:
        print_result("\n".join(str(path) for path in done.files))


def show_themes(found: "tuple[Theme, ...]") -> None:
    """Print themes."""
    print_result(table(("theme", "what it is"), ((theme.name, theme.about) for theme in found)))
    print_message("A file of yours can change them: mapkit draw usa --theme FILE.toml; see docs/how-to/themes.md")


def show_printed(done: "Printed") -> None:
    """Print the files, the contents of their pages, and notes."""
    print_result("\n".join(str(path) for path in done.files))
    rows = [(section.title, _pages(section.first, section.pages)) for section in done.printout.sections]
    print_message(table(("what", "pages"), rows))
    if plan := done.printout.plan:
        sheet = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
        print_message(
            f"The board takes {plan.columns} x {plan.rows} sheets of {sheet}. Print at 100 % and measure the ruler."
        )
    for line in done.printout.notes:
        print_message(f"note: {line}")


def _pages(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} to {first + count - 1}"


def show_picture(done: "tuple[Path, tuple[str, ...]]") -> None:
    """Print the file and notes on it."""
    print_result(str(done[0]))
    for line in done[1]:
        print_message(f"note: {line}")
