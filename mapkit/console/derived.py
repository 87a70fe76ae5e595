"""Commands derived from operations: options, arguments and help come from a function's signature and docstring."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Annotated, Any, Final, Literal, cast, get_args, get_origin

import typer

from mapkit.console import texts
from mapkit.console.options import JsonOpt, written_option
from mapkit.console.printing import ask, can_ask, print_message, print_result, split_commas, stages
from mapkit.core.errors import MapkitError, PrintError, RulesError, did_you_mean
from mapkit.operations.options import Argument
from mapkit.operations.signatures import REQUIRED, Operation, Parameter, has_name, load_attribute, read_operation

# Values given as text on the command line: settings as `PATH=VALUE`, and percentages.

_PERCENT = 100


def parsed(settings: Sequence[str]) -> dict[str, object]:
    """Return `PATH=VALUE` pairs: whole numbers, true, false, none, or a word.

    Raises:
        RulesError: A pair has no value, or a path is given twice.
    """
    out: dict[str, object] = {}
    for pair in settings:
        path, _, value = pair.partition("=")
        if not path or not value:
            raise RulesError(f"--set {pair!r}: write PATH=VALUE, as fees.own=0")
        if path in out:
            raise RulesError(f"--set {path}: given twice; leave one out")
        out[path] = _value(value)
    return out


def _value(text: str) -> object:
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    plain = text.replace("_", "").removeprefix("-")
    if plain.isascii() and plain.isdecimal() and len(plain) <= 12:  # noqa: PLR2004 - more than any amount
        return int(text)
    return words.get(text.lower(), text)


def precision(text: str | None, option: str) -> float | None:
    """Return a percentage, `0.5%`, as a share of 1; None stays None.

    Raises:
        BadParameter: It is not a number.
    """
    if text is None:
        return None
    try:
        return float(text.strip().removesuffix("%")) / _PERCENT
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not a percentage; write it as 0.5%", param_hint=option) from error


_JSON: Final = "as_json"
_PERCENTAGE: Final = re.compile(r"\s*\d+(\.\d+)?\s*%?\s*")


@dataclass(frozen=True)
class Entry:
    """Entry of a table of commands.

    Attributes:
        where: Module and name of its function, `mapkit.api.boards:check_board`; the docstring of the function is the
            help.
        short: The first sentence of that help.
        hidden: Whether it is a former name, not listed in help.
        show: Module and name of the function that prints the result, if the command is derived from an operation.
        options: Module and name of a class of options that a kind of board adds to the operation.
        classes: Parameters of the operation with the module and name of a class whose fields a kind of board has for
            them, in place of the annotated one.
        without: Parameters of the operation that the command does not have.
        addon: Package of the add-on that it needs.
        stays: Whether it runs until the user ends it, and so shows no progress.
    """

    where: str
    short: str
    hidden: bool = False
    show: str = ""
    options: str = ""
    classes: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    addon: str = ""
    stays: bool = False


def entries_of(api: str, cli: str) -> Callable[..., Entry]:
    """Return a function that makes an entry of a table from an operation, the function that prints it, and short help.

    Args:
        api: Package of the operations, named `module:name` within it.
        cli: Package of the functions that print, likewise.
    """

    def make_entry(where: str, show: str, short: str, **attributes: Any) -> Entry:  # noqa: ANN401 - those of an entry
        return Entry(f"{api}.{where}", short, show=f"{cli}.{show}", **attributes)

    return make_entry


def extra_entries(package: ModuleType) -> dict[str, Entry]:
    """Return the commands of a package, one for each module, from the function with the module's name."""
    entries = {}
    for name in sorted(one.name for one in iter_modules(package.__path__)):
        where = f"{package.__name__}.{name}"
        short = read_operation(f"{where}:{name}").about.partition("\n\n")[0]
        show = f"{where}:show" if has_name(where, "show") else f"{__name__}:show_json"
        entries[name.replace("_", "-")] = Entry(f"{where}:{name}", " ".join(short.split()), show=show)
    return entries


def show_json(result: Any) -> None:  # noqa: ANN401 - of any operation
    """Print the result of an operation as JSON, for lack of a function that prints it for people."""
    print_result(texts.json_text(_json_form(result)))


def derived_command(name: str, entry: Entry) -> Callable[..., None]:
    """Return the function of a command that runs an operation and prints its result.

    The function `entry.show` gets the result, and the values of options with the names of its parameters. If it has a
    parameter `as_json`, it is also called after JSON was printed. Its own marked parameters, such as `--csv`, become
    options of the command.
    """
    operation = read_operation(entry.where, entry.options, entry.classes, entry.without)
    listed = operation.parameters
    names = {one.key for one in listed}
    shown_as = [one for one in read_operation(entry.show).parameters if one.marked and one.key not in names]

    def command(**values: Any) -> None:  # noqa: ANN401 - those of any command
        as_json = values.pop(_JSON)
        values |= {one.key: _read_value(one, values[one.key]) for one in shown_as}
        _refuse_two_forms(values, (*listed, *shown_as), as_json=as_json)
        given = _arguments(operation, listed, values)
        title = f"{name} {_first_name(values, listed)}".strip()
        with stages(title, as_json=as_json) as progress:
            reports = {"progress": progress, "tell": print_message, "ask": ask if can_ask() else None}
            failed: MapkitError | None = None
            try:
                result = operation.load()(**given, **{key: reports[key] for key in operation.reports})
            except MapkitError as error:  # an error with a partial result is raised after printing that result
                if not hasattr(error, "result"):
                    raise
                result, failed = error.result, error
        if as_json:
            print_result(texts.json_text(_json_form(result)))
        shown = load_attribute(entry.show)
        wanted = inspect.signature(shown).parameters
        if not as_json or _JSON in wanted:
            values |= {_JSON: as_json}
            shown(result, **{key: values[key] for key in list(wanted)[1:]})
        if failed is not None:
            raise failed
        if code := getattr(result, "exit_code", 0):
            raise typer.Exit(code)

    parameters = [_typer_parameter(one) for one in (*listed, *shown_as)]
    parameters.append(inspect.Parameter(_JSON, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JsonOpt))
    setattr(command, "__signature__", inspect.Signature(parameters))  # noqa: B010 - mypy does not know it
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    rest = operation.about.partition("\n\n")[2]
    command.__doc__ = operation.about if operation.titled else f"{entry.short}\n\n{rest}"
    return command


def _refuse_two_forms(values: Mapping[str, Any], options: Sequence[Parameter], *, as_json: bool) -> None:
    """Refuse `--json` together with another form of printing; with `--out` that is the form of the file."""
    for one in options:
        form = values[one.key]
        if as_json and "--format" in one.mark.flags and form not in ("json", one.default) and not values.get("out"):
            raise typer.BadParameter(f"--json and --format {form} contradict each other; give one of them")


def _json_form(result: Any) -> object:  # noqa: ANN401 - of any operation
    """Return the JSON form of a result."""
    if hasattr(result, "as_json"):
        return cast("object", result.as_json())
    return [_json_form(one) for one in result] if isinstance(result, list | tuple) else result


def _first_name(values: Mapping[str, Any], listed: Sequence[Parameter]) -> str:
    """Return the text of the first argument, for the progress line."""
    for one in listed:
        if isinstance(one.mark, Argument) and values.get(one.key):
            first = values[one.key][0] if isinstance(values[one.key], list) else values[one.key]
            return first.name if isinstance(first, Path) else str(first)
    return ""


def _arguments(operation: Operation, listed: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of an operation from the values of its command; options not given keep their defaults."""
    given: dict[str, Any] = {}
    fields: dict[str, dict[str, Any]] = {name: dict(owner.values) for name, owner in operation.owners.items()}
    for one in listed:
        value = _read_value(one, values[one.key])
        if value is not None and value != []:
            (fields[one.owner] if one.owner else given)[one.name] = value
    return given | {name: load_attribute(owner.where)(**fields[name]) for name, owner in operation.owners.items()}


def _read_value(one: Parameter, value: Any) -> Any:  # noqa: ANN401 - of any option
    if one.mark.parse:
        try:
            return load_attribute(one.mark.parse)(value) if value else None
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint=_flags(one)[0]) from error
    if one.mark.reading == "commas":
        return split_commas(value) if value is not None else None
    if one.mark.reading == "settings":
        return parsed(value) if value else None
    if one.mark.reading == "percent":
        if isinstance(one.default, float) and not _PERCENTAGE.fullmatch(value):
            raise PrintError(f"{one.name} {value!r}: give a percentage, such as 80")
        return precision(value, _flags(one)[0])
    choices = _choices(one)
    if value is not None and choices and value not in choices:
        hint = did_you_mean(str(value), [str(choice) for choice in choices])
        raise typer.BadParameter(
            f"{value!r} is not one of {', '.join(map(str, choices))}{hint}",
            param_hint=one.mark.metavar if isinstance(one.mark, Argument) else _flags(one)[0],
        )
    return value


def _choices(one: Parameter) -> tuple[object, ...]:
    return tuple(choice for kind in one.types if get_origin(kind) is Literal for choice in get_args(kind))


def _flags(one: Parameter) -> list[str]:
    """Return the flags of an option, the long one first."""
    flags = one.mark.flags.split()
    if any(flag.startswith("--") for flag in flags):
        return flags
    return [f"--{one.name.rstrip('_').replace('_', '-')}", *flags]


def _typer_parameter(one: Parameter) -> inspect.Parameter:
    """Convert a parameter of an operation to one of a Typer command."""
    mark, kind = one.mark, _value_type(one)
    several = getattr(kind, "__origin__", None) is list
    optional = one.default is None or (several and one.default is not REQUIRED)
    settings: dict[str, Any] = {"help": one.help or None, "metavar": mark.metavar or None}
    if kind in (int, float):
        settings |= {"min": mark.least, "max": mark.most}
    if isinstance(mark, Argument):
        option = typer.Argument(**settings)
    elif mark.written:
        option = written_option(*_flags(one), metavar=mark.metavar, help=one.help)
    else:
        option = typer.Option(*_flags(one), **settings)
    default = inspect.Parameter.empty if one.default is REQUIRED else None if optional else one.default
    if mark.reading in ("commas", "settings") and default is not inspect.Parameter.empty:
        default = None
    elif mark.reading == "percent" and isinstance(default, float):
        default = f"{100 * default:g}"
    given: Any = kind | None if default is None else kind
    annotation = Annotated[given, option]
    return inspect.Parameter(one.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _value_type(one: Parameter) -> Any:  # noqa: ANN401 - any type
    """Return the type of a parameter on the command line, as declared to Typer."""
    reading = one.mark.reading
    if one.mark.parse and reading == "as it is":
        reading = "name"  # its function reads a text
    if reading in ("commas", "percent") or (reading == "name" and (str in one.types or one.mark.parse)):
        return str
    if one.mark.reading == "settings":
        return list[str]
    if choices := _choices(one):
        return type(choices[0])
    inner = [part for kind in one.types for part in get_args(kind) if part is not Ellipsis]
    if inner:  # a sequence
        paths = any(Path in (part, *get_args(part)) for part in inner) and one.mark.reading != "name"
        return list[Path] if paths else list[str]
    if Path in one.types and one.mark.reading != "name":
        return Path
    plain = [kind for kind in one.types if kind in (bool, int, float, str)]
    if not plain:
        raise TypeError(f"parameter {one.name} has no type that a command line can give: {one.types}")
    return plain[0]
