"""What `mapkit variant list`, `show` and `new` do."""

import json
from pathlib import Path

from mapkit.cli.printing import result, table, talk
from mapkit.errors import MapkitError, OutputError, VariantError
from mapkit.jsontext import json_text
from mapkit.model.variant import Operation, Variant
from mapkit.output import write_files
from mapkit.sources.names import slug
from mapkit.sources.workspace import open_workspace
from mapkit.variants.apply import Placed
from mapkit.variants.read import parse_variant
from mapkit.variants.shelf import FOLDER, Shelf

_HIDDEN = {"op", "reason"}


def list_variants(*, board: str | None, workspace: Path | None, as_json: bool) -> int:
    """Run `mapkit variant list`; return the exit code."""
    found = list(Shelf(open_workspace(workspace)).all())
    wrong = [error for _, error in found if isinstance(error, MapkitError)]
    fits = [p for _, p in found if isinstance(p, Placed) and board in (None, p.variant.board, p.variant.board or board)]
    if as_json:
        rows = [p.variant.model_dump(include={"name", "title", "board", "rules", "variants", "after"}) for p in fits]
        result(json_text({"variants": rows, "problems": [str(error) for error in wrong]}))
    else:
        result(
            table(
                ("variant", "board", "title"),
                ((p.name, p.variant.board or "any", p.variant.title) for p in fits),
            )
        )
        for error in wrong:
            talk(str(error))
    return 1 if wrong else 0


def show(name: str, *, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit variant show`."""
    placed = Shelf(open_workspace(workspace)).read(name)
    if as_json:
        result(json_text(placed.variant))
        return
    result(variant_text(placed))


def variant_text(placed: Placed) -> str:
    """Return a variant in words: head, then each operation with its line and reason."""
    v = placed.variant
    lines = [f"{v.name}: {v.title}" if v.title else v.name]
    if v.description:
        lines += ["", v.description.strip(), ""]
    based = [f"board {v.board}"] if v.board else []
    based += [f"rules {v.rules}"] if v.rules else []
    based += [f"variants {', '.join(v.variants)}"] if v.variants else []
    lines.append(f"based on: {'; '.join(based) or 'any board'}")
    if v.after:
        lines.append(f"comes after: {', '.join(v.after)}")
    for number, operation in enumerate(v.operations):
        lines += ["", f"{placed.where(number)}: {operation.op} {_arguments(operation)}", f"  {operation.reason}"]
    return "\n".join(lines)


def _arguments(operation: Operation) -> str:
    given = operation.model_dump(exclude_unset=True, mode="json")
    shown = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items() if key not in _HIDDEN]
    return ", ".join(shown)


def new(name: str, *, board: str | None, title: str, source: str | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit variant new`.

    Raises:
        VariantError: The name gives no id.
        OutputError: There is such a variant already, or the folder may not be written to.
        UnknownNameError: There is no such board, or no variant to copy.
    """
    space = open_workspace(workspace)
    if not name or slug(name) != name:
        raise VariantError(f"{name!r} is no name for a variant; use small letters, digits and hyphens: {slug(name)!r}")
    path = space.root / FOLDER / f"{name}.toml"
    if path.exists():
        raise OutputError(f"{path} is there already; choose another name")
    if board is not None:
        space.board_folder(board)
    shelf = Shelf(space)
    text = _copied(shelf, source, name) if source is not None else _started(name, board, title)
    write_files(path.parent, {path.name: text})
    if as_json:
        result(json_text({"variant": name, "file": str(path)}))
        return
    result(str(path))
    talk(f"change its operations, then look: mapkit variant check {name}")


def _started(name: str, board: str | None, title: str) -> str:
    """Return a variant with one operation that works, on the board or on the rules alone."""
    return "\n".join(
        [
            f"name = {json.dumps(name)}",
            f"title = {json.dumps(title or name, ensure_ascii=False)}",
            *([f"board = {json.dumps(board)}"] if board else []),
            "",
            "# All operations: docs/variants.md",
            "[[operations]]",
            'op = "set-rule"',
            'path = "setup.starting_cash"',
            "value = 25000",
            'reason = "Say why."',
            "",
        ]
    )


def _copied(shelf: Shelf, source: str, name: str) -> str:
    placed = shelf.read(source)
    text = shelf.path(source).read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.split("=")[0].strip() == "name":
            lines[number] = f"name = {json.dumps(name)}"
            break
    copied = "\n".join(lines)
    made: Variant = parse_variant(copied, file=f"{FOLDER}/{name}.toml").variant
    if made != placed.variant.model_copy(update={"name": name}):
        raise VariantError(f"{placed.file}: its name stands where it cannot be changed; copy the file by hand")
    return copied
