"""Measures of the code of `mapkit`: style, duplicated statements, and names that nothing in it uses."""

import ast
import gc
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from conftest import REPOSITORY

PACKAGE = REPOSITORY / "mapkit"
WORD = re.compile(r"[A-Za-z_]\w*")
VAGUE = re.compile(r"\b(what|which|whose|whatever|somebody|anybody|nobody)\b", re.IGNORECASE)
PLAIN_DECORATORS = {"property", "staticmethod", "classmethod", "cached_property", "cache", "override", "dataclass"}
"""Decorators that do not hand a function or class to a registry."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the modules of the package, parsed."""
    files = sorted(path for path in PACKAGE.rglob("*.py") if "node_modules" not in path.parts)
    gc.disable()  # it would go over millions of nodes again and again
    try:
        return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Return all nodes of each module."""
    return {path: list(ast.walk(tree)) for path, tree in trees().items()}


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def vague_share() -> float:
    """Return the share of docstrings whose first line has a vague word."""
    docstrings = [
        text
        for module in nodes().values()
        for node in module
        if isinstance(node, ast.Module | ast.ClassDef | Function) and (text := ast.get_docstring(node))
    ]
    return sum(bool(VAGUE.search(text.splitlines()[0])) for text in docstrings) / len(docstrings)


def compound_share() -> float:
    """Return the share of variables with a name of several words."""
    names = [
        node.id
        for module in nodes().values()
        for node in module
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return sum("_" in name.strip("_") for name in names) / len(names)


def called_once_share() -> float:
    """Return the share of private functions that their module mentions once besides their definition."""
    private = once = 0
    for path, module in nodes().items():
        mentions = Counter(re.findall(r"\b_[a-z]\w*", path.read_text(encoding="utf-8")))
        for node in module:
            if isinstance(node, Function) and node.name.startswith("_") and not node.name.startswith("__"):
                private += 1
                once += mentions[node.name] == 2
    return once / private


def parameters_called(name: str) -> int:
    """Return the number of parameters of a name."""
    return sum(isinstance(node, ast.arg) and node.arg == name for module in nodes().values() for node in module)


def duplicated_places(length: int) -> list[list[str]]:
    """Return the places of runs of so many statements that are equal but for local names; a longer run counts once."""
    places: dict[tuple[str, ...], list[tuple[Path, int, int]]] = defaultdict(list)
    for path, module in nodes().items():
        lines = path.read_text(encoding="utf-8").splitlines()
        for function in (node for node in module if isinstance(node, Function)):
            local = local_names(function)
            for block in blocks(function):
                if len(block) < length:
                    continue
                texts = [
                    WORD.sub(
                        lambda word, local=local: "_" if word[0] in local else word[0],  # type: ignore[misc]
                        " ".join(map(str.strip, lines[one.lineno - 1 : one.end_lineno])),
                    )
                    for one in block
                ]
                for start in range(len(texts) - length + 1):
                    place = (path, block[0].lineno, block[start].lineno)
                    places[tuple(texts[start : start + length])].append(place)
    found: dict[tuple[int, ...], list[str]] = {}
    for where in places.values():
        if len(where) > 1:  # the next run of the same blocks goes on with this one
            names = [f"{path.relative_to(REPOSITORY).as_posix()}:{line}" for path, _, line in where]
            found.setdefault(tuple(block for _, block, _ in where), names)
    return list(found.values())


def local_names(function: Function) -> set[str]:
    """Return the parameters and variables of a function."""
    inner = list(ast.walk(function))
    stored = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in inner if isinstance(node, ast.arg)}


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a function without docstrings, not those of functions in it."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            statements = [one for one in block if isinstance(one, ast.stmt) and not is_docstring(one)]
            if statements:
                yield statements
            for one in block:
                if not isinstance(one, Function | ast.ClassDef):
                    yield from blocks(one)


@cache
def uses() -> tuple[Counter[tuple[Path, str]], Counter[str], set[tuple[str, str]]]:
    """Return how often each module reads a name, names that are reached otherwise, and imported (module, name)."""
    read: Counter[tuple[Path, str]] = Counter()
    reached: Counter[str] = Counter()
    imported: set[tuple[str, str]] = set()
    for path, module in nodes().items():
        docstrings = {id(node.value) for node in module if is_docstring(node)}  # type: ignore[attr-defined]
        for node in module:
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    read[path, name] += 1
                case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                    reached[name] += 1
                case ast.MatchClass(kwd_attrs=names):
                    reached.update(names)
                case ast.Constant(value=str(text)) if id(node) not in docstrings:
                    reached.update(WORD.findall(text))
                case ast.ImportFrom(module=str(source), names=names):
                    imported.update((source, alias.name) for alias in names)
    others = ("*.toml", "*.jinja", "*.js", "*.ts", "*.tsx", "*.html")
    texts = [
        path
        for pattern in others
        for path in PACKAGE.rglob(pattern)
        if not {"node_modules", "static"} & set(path.parts)
    ]
    for path in [*texts, PACKAGE / "__init__.pyi", REPOSITORY / "pyproject.toml"]:
        reached.update(WORD.findall(path.read_text(encoding="utf-8")))
    return read, reached, imported


def unused_names() -> Iterator[str]:
    """Yield functions, classes, methods and constants that nothing in the package uses, as `file: name`."""
    read, reached, imported = uses()
    for path, tree in trees().items():
        dotted = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")
        for statement in tree.body:
            for name in defined(statement):
                if not (
                    read[path, name] > reads_itself(statement, name) or reached[name] or (dotted, name) in imported
                ):
                    yield f"{path.relative_to(REPOSITORY).as_posix()}: {name}"
            if isinstance(statement, ast.ClassDef):
                for name in (
                    name for member in statement.body if isinstance(member, Function) for name in defined(member)
                ):
                    if not (reached[name] or read[path, name]):
                        yield f"{path.relative_to(REPOSITORY).as_posix()}: {statement.name}.{name}"


def reads_itself(statement: ast.stmt, name: str) -> int:
    """Return how often a function reads its own name."""
    inner = ast.walk(statement) if isinstance(statement, Function) else ()
    return sum(isinstance(node, ast.Name) and node.id == name for node in inner)


def defined(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines; none that a decorator hands on, and no special names."""
    names: list[str] = []
    if isinstance(statement, Function | ast.ClassDef):
        decorators = [one.func if isinstance(one, ast.Call) else one for one in statement.decorator_list]
        if all(isinstance(one, ast.Name) and one.id in PLAIN_DECORATORS for one in decorators):
            names = [statement.name]
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    yield from (name for name in names if not name.startswith("__"))
