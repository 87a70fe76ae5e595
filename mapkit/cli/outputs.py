"""Console output for exports, imports, drawings and printouts, for boards of every kind."""

from typing import TYPE_CHECKING, Annotated

from mapkit.console.printing import print_message, print_result, table
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.api.importing import ImportedBoard
    from mapkit.api.outputs import Drawn, ExportedFiles, ListedFormats
    from mapkit.api.printing import Printed
    from mapkit.drawing.theme.theme import Theme


def show_exported(done: "ExportedFiles") -> None:
    """Print the written files, and the data that each format loses."""
    print_result("\n".join(str(path) for path in done.files))
    for name, losses in done.losses.items():
        if losses:
            print_message(f"{name} does not hold: {'; '.join(losses)}")
    whole = [name for name, losses in done.losses.items() if not losses]
    if whole:
        print_message(f"Nothing is lost in: {', '.join(whole)}")
    for name, reason in done.left_out.items():
        print_message(f"left out {name}: {reason}")


def show_formats(
    found: "ListedFormats",
    every: Annotated[bool, Flag("--all", help="Say what each carries, and what it cannot.")] = False,
    *,
    as_json: bool,
) -> None:
    """Print formats, and warn of those that cannot be loaded."""
    for text in found.wrong:
        print_message(f"warning: {text}")
    if not as_json:
        head = ("format", "name", "files", "reads", *(("carries", "cannot carry") if every else ()))
        rows = (
            (
                *(row["name"], row["title"], " ".join(form.suffixes), "yes" if row["reads"] else "no"),
                *((row["carries"], row["loses"]) if every else ()),
            )
            for row, form in zip(found.as_json(), found.formats, strict=True)
        )
        print_result(table(head, rows))
        if not every:
            print_message("mapkit list formats --all says what each carries")


def show_imported(found: "ImportedBoard", into: str | None, *, dry_run: bool) -> None:
    """Print the contents of an imported file, and the resulting changes of the board."""
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
    """Print the paths of the drawn pictures, and notes on them."""
    for line in done.notes:
        print_message(line)
    if not as_json:
        print_result("\n".join(str(path) for path in done.files))


def show_themes(found: "tuple[Theme, ...]") -> None:
    """Print themes."""
    print_result(table(("theme", "what it is"), ((theme.name, theme.about) for theme in found)))
    print_message("A file of yours can change them: mapkit draw usa --theme FILE.toml; see docs/how-to/themes.md")


def show_printed(done: "Printed") -> None:
    """Print the paths of a printout, the pages of each section, and notes."""
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
    """Print the path of a picture, and notes on it."""
    print_result(str(done[0]))
    for line in done[1]:
        print_message(f"note: {line}")
