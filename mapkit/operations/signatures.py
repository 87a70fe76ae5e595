"""Signatures of operations, read from source text to spare help the slow import of their modules."""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin

from mapkit.operations import options
from mapkit.operations.options import Argument, BoardName, Fields, Flag, Hidden

REQUIRED: Final = object()
"""Marker in place of a default, for a parameter without one."""
_REPORTING: Final = ("progress", "tell", "ask")
"""Parameters for functions that report stages and messages, and ask on a terminal."""
_SECTIONS: Final = ("Args:", "Attributes:", "Returns:", "Raises:", "Yields:")


class Unresolved:
    """Base class of placeholders for names in annotations; the names are not imported."""

    module: str
    name: str

    def __class_getitem__(cls, _: object) -> type["Unresolved"]:
        """Return the class itself, and ignore its type parameters."""
        return cls


@dataclass(frozen=True)
class Parameter:
    """Parameter of an operation, or field of the class of such a parameter.

    Attributes:
        name: Its name.
        types: Alternatives of its type, without None.
        mark: Its mark as an option.
        default: Its default, or `REQUIRED`.
        help: Its help.
        owner: Parameter to which it belongs, if it is a field of that parameter's class.
        key: Name of its value in the command: `board`, `name`, or `owner_name` if the operation has a parameter `name`.
        marked: Whether its annotation has a mark.
    """

    name: str
    types: tuple[Any, ...]
    mark: Flag
    default: Any
    help: str
    owner: str = ""
    key: str = ""
    marked: bool = False


class Owner(NamedTuple):
    """Class of a parameter that takes fields.

    Attributes:
        where: Its module and name.
        values: Values of fields that are no options.
    """

    where: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """Operation as its source defines it.

    Attributes:
        where: Module and name of the function.
        about: Its docstring without sections.
        parameters: Options and arguments, in order.
        owners: Class of each parameter that takes fields.
        reports: Its parameters among `progress`, `tell` and `ask`.
        titled: Whether `about` is the docstring of a kind's class of options instead of the function's.
    """

    where: str
    about: str
    parameters: tuple[Parameter, ...]
    owners: Mapping[str, Owner] = field(default_factory=dict)
    reports: frozenset[str] = frozenset()
    titled: bool = False

    def load(self) -> Callable[..., Any]:
        """Import the function."""
        found: Callable[..., Any] = load_attribute(self.where)
        return found


def load_attribute(where: str) -> Any:  # noqa: ANN401 - whatever is named
    """Import an attribute of a module, `module:name`."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def has_name(module: str, name: str) -> bool:
    """Return whether a module defines a name, without importing it."""
    return name in _Source.of(module).nodes


@cache
def read_operation(
    where: str, extra: str = "", classes: tuple[tuple[str, str], ...] = (), without: tuple[str, ...] = ()
) -> Operation:
    """Read an operation from the source of its module.

    Args:
        where: Module and name of the function, `mapkit.api.outputs:export`.
        extra: Module and name of a class; its fields take the place of the function's `**options`. A field with the
            name of a parameter replaces that parameter's mark and help. If the docstring of the class has several
            paragraphs, it replaces the function's.
        classes: Parameters with the module and name of the class that has their fields, in place of the annotated one.
        without: Parameters that are left out; those of `extra` may have their names.
    """
    module, _, name = where.partition(":")
    source = _Source.of(module)
    node = source.nodes[name]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{where} is not a function")
    about, texts = split_docstring(ast.get_docstring(node, clean=False) or "")
    found: list[Parameter] = []
    owners: dict[str, Owner] = {}
    reports = set()
    arguments = [*_arguments(node)]
    own = {argument.arg for argument, _, _ in arguments}
    of_all = {*own, node.args.kwarg.arg} if node.args.kwarg else own
    of_fields = {key: text for key, text in texts.items() if key not in of_all}
    for argument, default, positional in arguments:
        if argument.arg in _REPORTING:
            reports.add(argument.arg)
        elif argument.annotation is not None:
            own_class = dict(classes).get(argument.arg, "")
            found += source.parameters(argument, default, texts, of_fields, owners, own_class, positional=positional)
    found = [one for one in found if one.name not in without]
    titled = False
    if extra:
        module, _, name = extra.partition(":")
        more, extra_about = _Source.of(module).fields(name, texts)
        changed = {one.name: one for one in more}
        replaced = {one.name for one in found if one.name in changed and _is_same_option(one, changed[one.name])}
        found = [
            replace(one, mark=changed[one.name].mark, help=changed[one.name].help)
            if one.name in replaced and _is_same_option(one, changed[one.name])
            else one
            for one in found
        ]
        added = [one for one in more if one.name not in replaced]
        own |= {one.name for one in added}
        found = _insert_before_variants(found, added)
        titled = "\n\n" in extra_about
        about = extra_about if titled else about
    found = [replace(one, key=_value_name(one, own)) for one in found]
    return Operation(where, about, tuple(found), owners, frozenset(reports), titled)


def _is_same_option(one: Parameter, other: Parameter) -> bool:
    """Return whether a kind's option is the operation's; fields of classes with different flags are two options."""
    return not one.owner or one.mark.flags == other.mark.flags


def _value_name(one: Parameter, own: Collection[str]) -> str:
    """Return the name of a parameter's value in the command: `board` for one that names the board."""
    if one.mark in get_args(BoardName):
        return "board"
    return f"{one.owner}_{one.name}" if one.owner and one.name in own else one.name


def _insert_before_variants(found: list[Parameter], more: Iterable[Parameter]) -> list[Parameter]:
    """Insert the parameters of a kind before the final parameters `variants` and `workspace`."""
    at = next((i for i, one in enumerate(found) if one.name in ("variants", "workspace")), len(found))
    return [*found[:at], *more, *found[at:]]


def split_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return a docstring without its sections, and the text of each argument or attribute."""
    about, texts = [], {}
    section, name = "", ""
    for line in cleandoc(text).split("\n"):
        if line in _SECTIONS:
            section, name = line, ""
        elif not section:
            about.append(line)
        elif section in _SECTIONS[:2] and line.strip():
            if not line.startswith("     "):
                name, _, rest = line.strip().partition(": ")
                texts[name] = rest
            else:
                texts[name] += f" {line.strip()}"
    return "\n".join(about).strip(), texts


def _arguments(node: ast.FunctionDef) -> Iterator[tuple[ast.arg, ast.expr | None, bool]]:
    """Yield each parameter with its default and whether it is positional."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    yield from ((argument, default, True) for argument, default in zip(positional, defaults, strict=True))
    yield from ((argument, default, False) for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True))


class _Source:
    """Source of a module: its functions, classes and constants by name, and its imports."""

    def __init__(self, module: str) -> None:
        self.module = module
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            raise ImportError(f"no module {module}")
        self.nodes: dict[str, ast.AST] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.nodes[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.nodes[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self.nodes[node.target.id] = node.value
            elif isinstance(node, ast.ImportFrom):
                self.imported |= {one.asname or one.name: (str(node.module), one.name) for one in node.names}

    @staticmethod
    @cache
    def of(module: str) -> "_Source":
        """Return the source of a module, parsed once."""
        return _Source(module)

    def parameters(
        self,
        argument: ast.arg,
        default: ast.expr | None,
        texts: Mapping[str, str],
        of_fields: Mapping[str, str],
        owners: dict[str, Owner],
        own_class: str = "",
        *,
        positional: bool,
    ) -> Iterator[Parameter]:
        """Yield an argument as a parameter, or the fields of its class as parameters."""
        types, marks = _resolve_aliases(*_split_type(self.evaluate(argument.annotation)))
        if any(isinstance(mark, type) and issubclass(mark, Hidden) for mark in marks):
            return
        chosen = next((mark for mark in marks if isinstance(mark, Fields)), None)
        group = next((one for one in types if isinstance(one, type) and issubclass(one, Unresolved)), None)
        if chosen is not None or (group is not None and len(types) == 1):
            if group is None:
                raise TypeError(f"{self.module}: {argument.arg} has no class with fields")
            where = own_class or f"{group.module}:{group.name}"
            module, _, class_name = where.partition(":")
            fields = {one.name: one for one in _Source.of(module).fields(class_name, of_fields)[0]}
            chosen = chosen or Fields()
            hidden = {name: value for name, value in chosen.defaults.items() if name not in fields}
            owners[argument.arg] = Owner(where, hidden)
            for name in chosen.names or [name for name in fields if name not in chosen.without]:
                one = replace(fields[name], owner=argument.arg)
                yield replace(one, default=chosen.defaults[name]) if name in chosen.defaults else one
            return
        yield self._parameter(argument.arg, types, marks, default, texts, positional=positional)

    def fields(self, name: str, texts: Mapping[str, str]) -> tuple[list[Parameter], str]:
        """Return the fields of a class as parameters, and its docstring without sections."""
        node = self.nodes.get(name)
        if node is None:
            module, name = self.imported[name]
            return _Source.of(module).fields(name, texts)
        if not isinstance(node, ast.ClassDef):
            raise TypeError(f"{self.module}:{name} is not a class")
        about, own = split_docstring(ast.get_docstring(node, clean=False) or "")
        found = {
            one.name: one
            for base in node.bases
            if isinstance(base, ast.Name) and (base.id in self.nodes or base.id in self.imported)
            for one in self.fields(base.id, {**own, **texts})[0]
        }
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                types, marks = _resolve_aliases(*_split_type(self.evaluate(part.annotation)))
                if not any(isinstance(mark, type) and issubclass(mark, Hidden) for mark in marks):
                    key = part.target.id
                    found[key] = self._parameter(key, types, marks, part.value, {**own, **texts}, positional=False)
        return list(found.values()), about

    def _parameter(
        self,
        name: str,
        types: tuple[Any, ...],
        marks: Iterable[object],
        default: ast.expr | None,
        texts: Mapping[str, str],
        *,
        positional: bool,
    ) -> Parameter:
        own = next((mark for mark in marks if isinstance(mark, Flag)), None)
        mark = own or (Argument() if positional else Flag())
        if isinstance(default, ast.Call):  # `field(default_factory=dict)`
            default = ast.Constant(None)
        value = REQUIRED if default is None else self.evaluate(default)
        return Parameter(name, types, mark, value, mark.help or texts.get(name, ""), marked=own is not None)

    def evaluate(self, node: ast.expr | None) -> Any:  # noqa: ANN401 - types and defaults
        """Return the value of an annotation or default, without importing its names."""
        text = ast.unparse(node) if node is not None else "None"
        return eval(text, {"__builtins__": __builtins__}, _Names(self))  # noqa: S307 - mapkit's own source


class _Names(dict[str, Any]):
    """Namespace to evaluate a module's annotations and defaults in."""

    def __init__(self, source: _Source) -> None:
        super().__init__(_KNOWN)
        self.source = source

    def __missing__(self, name: str) -> Any:  # noqa: ANN401 - types and defaults
        node = self.source.nodes.get(name)
        if isinstance(node, ast.expr):
            return self.source.evaluate(node)
        module, attribute = self.source.imported.get(name, (self.source.module, name))
        if node is None and name not in self.source.imported:
            raise KeyError(name)  # `eval` goes on to the builtins
        if module == options.__name__:
            return getattr(options, attribute)
        elsewhere = module.startswith("mapkit") and module != self.source.module
        if elsewhere and (name.isupper() or module.endswith("options")):
            return _Names(_Source.of(module))[attribute]
        return type(name, (Unresolved,), {"module": module, "name": attribute})


_KNOWN: Final = {
    **{name: value for name, value in vars(options).items() if not name.startswith("_")},
    "Collection": Collection,
    "Iterable": Iterable,
    "Union": Union,
}


def _resolve_aliases(types: tuple[Any, ...], marks: tuple[object, ...]) -> tuple[tuple[Any, ...], tuple[object, ...]]:
    """Replace the name of an alias in another module, such as an alias of literals, by its types and marks."""
    if len(types) == 1 and isinstance(types[0], type) and issubclass(types[0], Unresolved):
        source = _Source.of(types[0].module)
        node = source.nodes.get(types[0].name)
        if isinstance(node, ast.expr):
            found, more = _split_type(source.evaluate(node))
            return found, (*marks, *more)
    return types, marks


def _split_type(annotation: Any) -> tuple[tuple[Any, ...], tuple[object, ...]]:  # noqa: ANN401 - any type
    """Return the alternatives of a type without None, and the marks in it, outermost first."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        types, more = _split_type(inner)
        return types, (*reversed(marks), *more)
    if get_origin(annotation) in (Union, UnionType):
        parts = [_split_type(part) for part in get_args(annotation)]
        return tuple(one for types, _ in parts for one in types), tuple(mark for _, marks in parts for mark in marks)
    return (() if annotation is NoneType or annotation is None else (annotation,)), ()
