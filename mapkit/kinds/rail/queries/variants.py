"""Variants of this board: a list, their effects, making one of edits, and taking one over."""

from collections.abc import Mapping, Sequence

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.document.changes import apply
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.commands import Command, read_command
from mapkit.kinds.rail.commands.destinations import SetDestination
from mapkit.kinds.rail.commands.payoffs import SetPayoff
from mapkit.kinds.rail.compiler.compile import refit
from mapkit.kinds.rail.compiler.package import own_model
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.queries.versions import (
    DrawnBoard,
    ShownStep,
    Version,
    drawn_board,
    shown_steps,
    variants_in_order,
    version_board,
    workspace_of,
)
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.as_variant import AsVariant, variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.chart_imports import fill_in_charts
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.variants.shelf import FOLDER

_MOST_STEPS = 20


class VariantList(Frozen):
    """Nothing more to say."""


class ShownOperation(Frozen):
    """Operation of a variant, and its reason; `label` is its short text without common parts."""

    op: str
    reason: str
    label: str


class ListedVariant(Frozen):
    """A variant; one with an error has nothing else but its name. `own` are those of this workspace."""

    name: str
    own: bool
    error: str | None = None
    title: str = ""
    description: str = ""
    board: str | None = None
    fits: bool = False
    bases: tuple[str, ...] = ()
    operations: tuple[ShownOperation, ...] = ()
    count: int = 0


class VariantsFound(QueryResult):
    """All variants of the workspace and the shipped ones."""

    variants: tuple[ListedVariant, ...]


@question("variants", VariantList, VariantsFound)
def variants(_ask: VariantList, asked: Asked) -> VariantsFound:
    """Return all variants, also those that are wrong."""
    space = workspace_of(asked.folder)
    shelf = rail_shelf(space)
    out = []
    for path, found in shelf.all():
        name, own = path.stem, path.parent == space.root / FOLDER
        if isinstance(found, MapkitError):
            out.append(ListedVariant(name=name, own=own, error=str(found)))
            continue
        variant = found.variant
        out.append(
            ListedVariant(
                name=name,
                own=own,
                title=variant.title or name,
                description=variant.description,
                board=variant.board,
                fits=variant.board in (None, asked.live.id),
                bases=variant.variants,
                operations=_operations(variant.operations[:60], asked.live.document),
                count=len(variant.operations),
            )
        )
    return VariantsFound(variants=tuple(out))


def _operations(operations: Sequence[Command], document: RailDocument) -> tuple[ShownOperation, ...]:
    names = {ident: row.name for ident, row in document.railroads.items()}
    names |= {ident: row.name for ident, row in document.cities.items()}
    names |= {ident: row.name for ident, row in document.regions.items()}
    return tuple(ShownOperation(op=one.kind, reason=one.reason, label=_label(one, names)) for one in operations)


def _label(command: Command, names: Mapping[str, str]) -> str:
    """Return the short text of an operation: `odd 4: Plains`, `Albany - Boston: 7.5`, or the words of its fields."""
    if isinstance(command, SetDestination):
        value = "empty" if command.item is None else names.get(command.item, command.item)
        return f"{command.parity} {command.total}: {value}"
    said = command.model_dump(mode="json", exclude={"kind", "reason", "was"}, exclude_defaults=True)
    value = said.pop("thousands" if isinstance(command, SetPayoff) else "value", None)
    words = ", ".join(_words(one, names) for one in said.values())
    return words if value is None else f"{words}: {_words(value, names)}"


def _words(value: object, names: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return ", ".join(_words(one, names) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one, names)}" for key, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return names.get(str(value), str(value))


class Stack(Frozen):
    """Variants, in order, and the version that they are applied to."""

    variants: tuple[str, ...] = Field(min_length=1, max_length=50)
    at: Version = Version()


class Layer(Frozen):
    """Effect of a variant of a stack, by meaning; `asked` is false for a base of another."""

    name: str
    title: str
    asked: bool
    steps: tuple[ShownStep, ...]


class Stacked(QueryResult):
    """Effect of each variant of a stack, and the boards before and after."""

    layers: tuple[Layer, ...]
    before: DrawnBoard
    after: DrawnBoard


@question("variant-stack", Stack, Stacked)
def stack(ask: Stack, asked: Asked) -> Stacked:
    """Return the effect of each variant of a stack, including bases."""
    board = start = version_board(asked, ask.at)
    layers = []
    for placed in variants_in_order(asked, ask.variants):
        after = apply_variants(board, [fill_in_charts(placed, start, own_model(asked.live))])
        steps = shown_steps(diff_boards(board, after), board, after)
        asked_for = placed.name in ask.variants
        layers.append(Layer(name=placed.name, title=placed.variant.title, asked=asked_for, steps=steps))
        board = after
    return Stacked(layers=tuple(layers), before=drawn_board(start), after=drawn_board(board))


class VariantDraft(Frozen):
    """Two versions for a variant from one to the other."""

    before: Version = Version(at="saved")
    after: Version = Version()


def drafted(asked: Asked, base: Version, after: Version, *, name: str, title: str = "") -> AsVariant:
    """Return the variant from one version to another, and the differences that it cannot express."""
    return variant_of(version_board(asked, base), version_board(asked, after), name=name, title=title)


class Drafted(QueryResult):
    """Operations of a variant between two versions, and the differences that none expresses."""

    operations: tuple[ShownOperation, ...]
    left: tuple[str, ...]


@question("variant-draft", VariantDraft, Drafted)
def draft(ask: VariantDraft, asked: Asked) -> Drafted:
    """Return the operations of a variant between two versions."""
    made = drafted(asked, ask.before, ask.after, name="draft")
    return Drafted(operations=_operations(made.variant.operations, asked.live.document), left=tuple(made.left))


class TakeVariants(Frozen):
    """Variants, in order."""

    variants: tuple[str, ...] = Field(min_length=1, max_length=50)


class TakingOver(QueryResult):
    """Command that gives the document the board with its variants, as one step.

    `left` says what the document cannot hold of it; where there is something, `command` is null.
    """

    command: SentCommand | None
    left: tuple[str, ...]


@question("take-variants", TakeVariants, TakingOver)
def take(ask: TakeVariants, asked: Asked) -> TakingOver:
    """Return the command that takes variants over."""
    live = asked.live
    placed = [fill_in_charts(one, live.board, own_model(live)) for one in variants_in_order(asked, ask.variants)]
    target = apply_variants(live.board, placed)
    if diff_boards(live.board, target).same:
        return TakingOver(command=None, left=())
    operations = [one for variant in placed for one in (*variant.variant.head(), *variant.variant.operations)]
    commands = [one.model_dump(mode="json", exclude_defaults=True) | {"kind": one.kind} for one in operations]
    label = f"Take over {', '.join(ask.variants)}"
    try:
        command = read_command({"kind": "batch", "label": label, "commands": commands})
        after = apply(live.document, command.plan(live.document).patch)
    except MapkitError as error:
        return TakingOver(command=None, left=(str(error),))
    done = live.recompile(after)
    if done.settings.config.page != live.settings.config.page or target.projection != live.board.projection:
        done = refit(done)
    named = {m.id: m.name for m in done.board.mileposts}
    # a place's state is shown only where another has its name
    same = {f"milepost:{m.id}" for m in target.mileposts if m.name.rpartition(" ")[0] == named.get(m.id)}
    steps = diff_boards(done.board, target).story
    left = [s.text for s in steps if s.kind != "milepost renamed" or not same.issuperset(s.elements)][:_MOST_STEPS]
    return TakingOver(command=None if left else command, left=tuple(left))
