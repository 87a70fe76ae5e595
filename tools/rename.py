"""Codemod that renames modules, functions, classes and local variables by a table, in code, stubs, tests and documents.

    python tools/rename.py tools/renames.csv           carry out every row that still applies
    python tools/rename.py tools/renames.csv --check   list rows that cannot be carried out, and change nothing

Columns of the table: `kind`, `old`, `new`.

- `module`: full dotted paths. The file moves, and every import and dotted mention follows.
- `name`: `module:function` or `module:Class`, and the new bare name. References are resolved through imports and stubs.
- `member`: `module:Class.method`, and the new bare name. Refused unless only one class has a member of that name.
- `local`: `module:function:variable`, and the new bare name. Parameters are refused: callers may name them.
- `summary`: `module:qualified.name` (or `module`), and the new first sentence of its docstring.

Rows name modules as they are called before the run. Rows that are done already are passed over.
"""

import argparse
import ast
import builtins
import csv
import keyword
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path.cwd()
CODE = ("mapkit", "tests", "tools")
TEXT = (
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "hatch_build.py",
    "mapkit",
    "tests",
    "tools",
    ".github",
)
TEXT_SUFFIXES = frozenset({".md", ".toml", ".py", ".pyi", ".yml", ".json", ".ts", ".mjs"})


@dataclass
class Table:
    """Rows of the table by kind, keyed by full old name."""

    modules: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    local_names: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    summaries: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))


@dataclass(frozen=True)
class Edit:
    """Replacement of the text between two offsets."""

    start: int
    end: int
    new: str


def read_table(paths: Iterable[Path]) -> Table:
    """Read the rows of one or more tables."""
    table = Table()
    for path in paths:
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                kind, old, new = row["kind"], row["old"].strip(), row["new"].strip()
                module, _, qualified = old.partition(":")
                if kind == "module":
                    table.modules[old] = new
                elif kind == "name":
                    table.names[f"{module}.{qualified}"] = new
                elif kind == "member":
                    table.members[f"{module}.{qualified}"] = new
                elif kind == "local":
                    table.local_names[module][qualified] = new
                elif kind == "summary":
                    table.summaries[module][qualified] = new
                else:
                    raise SystemExit(f"{path}: unknown kind {kind!r}")
    return table


def list_code_files() -> list[Path]:
    """List the Python files and stubs that git tracks."""
    command = ["git", "ls-files", "-z", "--", *(f"{folder}/**.py" for folder in CODE), *(f"{f}/**.pyi" for f in CODE)]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return [ROOT / name for name in sorted(set(listing.split("\0"))) if name and (ROOT / name).is_file()]


def module_of(path: Path) -> str:
    """Return the dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Resolver:
    """Resolution of re-exported names to the module that defines them."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.exports: dict[str, str] = {}
        self.modules: set[str] = set()
        for path in files:
            module = module_of(path)
            self.modules.add(module)
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    for alias in node.names:
                        self.exports[f"{module}.{alias.asname or alias.name}"] = f"{node.module}.{alias.name}"

    def resolve(self, name: str) -> str:
        """Return the full name under which something is defined."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            head, _, leaf = name.rpartition(".")
            if name in self.exports:
                name = self.exports[name]
            elif head in self.exports:
                name = f"{self.exports[head]}.{leaf}"
        return name


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Scope:
    """Names that a module, class, function or comprehension binds."""

    kind: str
    name: str
    parent: "Scope | None" = None
    bound: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    imported: dict[str, str] = field(default_factory=dict)

    def find(self, name: str) -> "Scope | None":
        """Return the scope in which a name is bound, seen from here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    @property
    def function(self) -> "Scope":
        """The scope, or the function around a comprehension."""
        return self.parent.function if self.kind == "comprehension" and self.parent else self


def bind_names(scope: Scope, nodes: Iterable[ast.AST]) -> None:
    """Collect the names that statements bind in a scope, without the scopes inside."""
    stack = list(nodes)
    unbound: set[str] = set()
    while stack:
        node = stack.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            scope.bound.add(node.name)
            stack += node.decorator_list
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, COMPREHENSIONS):
            walruses = (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            scope.bound.update(n.target.id for n in walruses if isinstance(n.target, ast.Name))
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            scope.bound.add(node.id)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope.bound.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            unbound.update(node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                scope.bound.add(local)
                scope.imported[local] = alias.name if alias.asname else local
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                scope.bound.add(alias.asname or alias.name)
                scope.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        stack += ast.iter_child_nodes(node)
    scope.bound -= unbound


class Collector:
    """Edits of one file."""

    def __init__(self, module: str, text: str, table: Table, resolver: Resolver, members: Mapping[str, str]) -> None:
        self.module, self.text, self.table, self.resolver, self.members = module, text, table, resolver, members
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.local_names = table.local_names.get(module, {})
        self.used: set[str] = set()
        self.edits: list[Edit] = []
        self.problems: list[str] = []
        self.words = set(re.findall(r"[A-Za-z_]\w*", text))
        self.strings: list[ast.JoinedStr] = []

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position of the syntax tree, whose columns count bytes."""
        source = self.lines[line - 1]
        return self.starts[line - 1] + (column if source.isascii() else len(source.encode()[:column].decode()))

    def replace(self, old: str, new: str, start: int) -> None:
        """Replace a word at an offset; inside an f-string, wherever a placeholder holds it."""
        if self.strings:
            string = self.strings[0]
            first = self.offset(string.lineno, string.col_offset)
            last = self.offset(string.end_lineno or 1, string.end_col_offset or 0)
            for hole in re.finditer(r"\{[^{}]*\}", self.text[first:last]):
                for word in re.finditer(rf"(?<![\w.\"']){re.escape(old)}(?![\w=\"'])", hole[0]):
                    begin = first + hole.start() + word.start()
                    self.edits.append(Edit(begin, begin + len(old), new))
        elif self.text[start : start + len(old)] == old:
            self.edits.append(Edit(start, start + len(old), new))
        else:
            self.problems.append(f"{self.module}: {old} is not at offset {start}")

    def replace_after(self, pattern: str, old: str, new: str, node: ast.AST) -> None:
        """Replace the first word behind a pattern, from the start of a node."""
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        found = re.compile(pattern + rf"(?P<word>{re.escape(old)})\b").search(self.text, start)
        if found:
            self.edits.append(Edit(found.start("word"), found.end("word"), new))

    def new_leaf(self, full: str) -> str | None:
        """Return the new bare name of a module, function or class."""
        resolved = self.resolver.resolve(full)
        if resolved in self.table.modules:
            return self.table.modules[resolved].rpartition(".")[2]
        return self.table.names.get(resolved)

    def full_name(self, node: ast.expr, scope: Scope) -> str | None:
        """Return the dotted name that an expression stands for, if it comes from an import."""
        if isinstance(node, ast.Name):
            holder = scope.find(node.id)
            return holder.imported.get(node.id) if holder else None
        if isinstance(node, ast.Attribute):
            base = self.full_name(node.value, scope)
            return f"{base}.{node.attr}" if base else None
        return None

    def new_word(self, name: str, scope: Scope) -> str | None:
        """Return the new form of a bare name, seen from a scope."""
        holder = scope.find(name)
        if holder is None:
            return None
        if name in holder.imported:
            full = holder.imported[name]
            return self.new_leaf(full) if full.rpartition(".")[2] == name else None
        if holder.kind == "module":
            return self.table.names.get(f"{self.module}.{name}")
        function = holder.function
        key = f"{function.name}:{name}"
        if key not in self.local_names:
            return None
        self.used.add(key)
        new = self.local_names[key]
        if name in function.parameters:
            self.problems.append(f"{self.module}:{key} is a parameter")
        elif new in self.words or keyword.iskeyword(new) or hasattr(builtins, new):
            taken = scope.find(new) or hasattr(builtins, new) or keyword.iskeyword(new) or new in function.bound
            if taken:
                self.problems.append(f"{self.module}:{key}: {new} is taken")
                return None
            return new
        else:
            return new
        return None

    def collect(self) -> None:
        """Collect all edits."""
        tree = ast.parse(self.text)
        scope = Scope("module", "")
        bind_names(scope, tree.body)
        for node in tree.body:
            self.visit(node, scope)
        missing = set(self.local_names) - self.used
        self.problems.extend(f"{self.module}:{key}: no such variable" for key in sorted(missing))

    def visit_children(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child, scope)

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        arguments = node.args
        for default in (*arguments.defaults, *(d for d in arguments.kw_defaults if d)):
            self.visit(default, scope)
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [a for a in (arguments.vararg, arguments.kwarg) if a]
        for argument in every:
            if argument.annotation:
                self.visit(argument.annotation, scope)
        if isinstance(node, ast.Lambda):
            lambda_scope = Scope(
                "lambda", scope.name, scope, bound={a.arg for a in every}, parameters={a.arg for a in every}
            )
            self.visit(node.body, lambda_scope)
            return
        for decorator in node.decorator_list:
            self.visit(decorator, scope)
        if node.returns:
            self.visit(node.returns, scope)
        new = self.table.names.get(f"{self.module}.{node.name}") if scope.kind == "module" else None
        if new is None and scope.kind == "class" and f"{self.module}.{scope.name}.{node.name}" in self.table.members:
            new = self.members.get(node.name)
        if new is None and scope.kind not in {"module", "class"}:
            new = self.new_word(node.name, scope)
        if new:
            self.replace_after(r"def\s+", node.name, new, node)
        inner = Scope("function", f"{scope.name}.{node.name}" if scope.name else node.name, scope)
        inner.parameters = {a.arg for a in every}
        inner.bound = set(inner.parameters)
        bind_names(inner, node.body)
        for child in node.body:
            self.visit(child, inner)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        """Collect the edits of a node and all below it."""
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            self.visit_function(node, scope)
        elif isinstance(node, ast.ClassDef):
            for part in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
                self.visit(part, scope)
            new = self.table.names.get(f"{self.module}.{node.name}") if scope.kind == "module" else None
            if new:
                self.replace_after(r"class\s+", node.name, new, node)
            inner = Scope("class", f"{scope.name}.{node.name}" if scope.name else node.name, scope)
            bind_names(inner, node.body)
            for child in node.body:
                if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                    member = child.target.id
                    if f"{self.module}.{inner.name}.{member}" in self.table.members and member in self.members:
                        self.replace(member, self.members[member], self.offset(child.lineno, child.col_offset))
                    self.visit_children(child, inner)
                else:
                    self.visit(child, inner)
        elif isinstance(node, COMPREHENSIONS):
            inner = Scope("comprehension", scope.name, scope)
            for generator in node.generators:
                bind_names(inner, [generator.target])
            self.visit_children(node, inner)
        elif isinstance(node, ast.JoinedStr):
            self.strings.append(node)
            self.visit_children(node, scope)
            self.strings.pop()
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in self.table.modules:
                    self.replace(
                        alias.name, self.table.modules[alias.name], self.offset(alias.lineno, alias.col_offset)
                    )
        elif isinstance(node, ast.ImportFrom):
            self.visit_import(node)
        elif isinstance(node, ast.Attribute):
            full = self.full_name(node, scope)
            new = self.new_leaf(full) if full else self.members.get(node.attr)
            if new:
                end = self.offset(node.end_lineno or 1, node.end_col_offset or 0)
                self.replace(node.attr, new, end - len(node.attr))
            self.visit(node.value, scope)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[\w.\[\], |]+", node.value)
            and node.lineno == node.end_lineno
        ):
            start = self.offset(node.lineno, node.col_offset)
            source = self.text[start : self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)]
            for word in re.finditer(r"(?<![\w.])[A-Za-z_]\w*", source):
                if word[0] != node.value or word[0][:1].isupper() or word[0][:2].lstrip("_")[:1].isupper():
                    holder = scope.find(word[0])
                    if holder is not None and word[0].lstrip("_")[:1].isupper():
                        new = self.new_word(word[0], scope)
                        if new:
                            self.edits.append(Edit(start + word.start(), start + word.end(), new))
        elif isinstance(node, ast.Name):
            new = self.new_word(node.id, scope)
            if new:
                self.replace(node.id, new, self.offset(node.lineno, node.col_offset))
        elif isinstance(node, ast.keyword):
            if node.arg is not None and node.arg in self.members:
                self.replace(node.arg, self.members[node.arg], self.offset(node.lineno, node.col_offset))
            self.visit(node.value, scope)
        else:
            if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                new = self.new_word(node.name, scope)
                if new:
                    self.replace_after(r"(?:\bas\s+|\*|)\b", node.name, new, node)
            elif isinstance(node, ast.Nonlocal | ast.Global):
                for name in node.names:
                    new = self.new_word(name, scope)
                    if new:
                        self.replace_after(r"\b", name, new, node)
            self.visit_children(node, scope)

    def visit_import(self, node: ast.ImportFrom) -> None:
        """Follow renamed modules and names in `from ... import ...`."""
        if node.module is None or node.level:
            return
        package = self.table.modules.get(node.module, node.module)
        moved: list[tuple[ast.alias, str]] = []
        for alias in node.names:
            start = self.offset(alias.lineno, alias.col_offset)
            full = f"{node.module}.{alias.name}"
            new = self.table.modules.get(full)
            if new is not None and new.rpartition(".")[0] != package:
                moved.append((alias, new))
                continue
            leaf = new.rpartition(".")[2] if new else self.table.names.get(self.resolver.resolve(full))
            if leaf:
                self.replace(alias.name, leaf, start)
                if alias.asname == alias.name:  # `x as x` of stubs
                    self.replace(
                        alias.name,
                        leaf,
                        self.offset(alias.end_lineno or 1, alias.end_col_offset or 0) - len(alias.name),
                    )
        if node.module in self.table.modules:
            self.replace_after(r"from\s+", node.module, package, node)
        for alias, new in moved:
            head, _, leaf = new.rpartition(".")
            if len(node.names) == 1:
                self.replace_after(r"from\s+", node.module, head, node)
                self.replace(alias.name, leaf, self.offset(alias.lineno, alias.col_offset))
            else:
                self.problems.append(f"{self.module}: split by hand: from {node.module} import {alias.name} -> {new}")


def unique_members(table: Table, files: Iterable[Path], problems: list[str]) -> dict[str, str]:
    """Return the new names of members that only one class has."""
    owners: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                        owners[item.name].add(f"{module_of(path)}.{node.name}")
                    elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                        owners[item.target.id].add(f"{module_of(path)}.{node.name}")
    chosen: dict[str, str] = {}
    for full, new in table.members.items():
        old = full.rpartition(".")[2]
        if owners[old] != {full.rpartition(".")[0]}:
            problems.append(f"{full}: members of this name: {sorted(owners[old])}")
        else:
            chosen[old] = new
    return chosen


def edit_summaries(text: str, summaries: Mapping[str, str], module: str, problems: list[str]) -> Iterator[Edit]:
    """Yield the edits that replace the first sentences of docstrings."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: set[str] = set()

    def walk(node: ast.AST, name: str) -> Iterator[Edit]:
        body = getattr(node, "body", [])
        if name in summaries and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            literal = body[0].value
            line = text.splitlines(keepends=True)[literal.lineno - 1]
            column = len(line.encode()[: literal.col_offset].decode())
            start = starts[literal.lineno - 1] + column
            source = text[start : text.index('"""', start + 4) + 3]
            inner = source.strip("r")[3:-3]
            head, blank, rest = inner.partition("\n\n")
            first, newline, more = head.partition("\n")
            new = summaries[name]
            if newline and not first.rstrip().endswith((".", ":", "?")):
                new_inner = new + blank + rest  # a summary of several lines
            else:
                new_inner = new + newline + more + blank + rest
            found.add(name)
            if '"""' not in new and "\\" not in new:
                offset = source.index('"""') + 3
                yield Edit(start + offset, start + offset + len(inner), new_inner)
        for item in body if isinstance(body, list) else []:
            if isinstance(item, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from walk(item, f"{name}.{item.name}" if name else item.name)

    yield from walk(ast.parse(text), "")
    problems.extend(f"{module}:{name}: no docstring" for name in sorted(set(summaries) - found))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with its edits, the last one first."""
    for edit in sorted(set(edits), key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def rewrite_mentions(text: str, table: Table) -> str:
    """Replace dotted and slashed mentions of renamed modules, and dotted mentions of renamed functions."""
    names = dict(table.modules)
    for full, new in table.names.items():
        module, _, _ = full.rpartition(".")
        names[full] = f"{table.modules.get(module, module)}.{new}"
    if not names:
        return text
    pattern = re.compile(r"(?<![\w./])(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")(?!\w)")
    text = pattern.sub(lambda found: names[found[1]], text)
    colons = {}
    for full, new in table.names.items():
        module, _, name = full.rpartition(".")
        colons[f"{module}:{name}"] = f"{table.modules.get(module, module)}:{new}"
        colons.setdefault(f"{table.modules.get(module, module)}:{name}", f"{table.modules.get(module, module)}:{new}")
    if colons:
        pattern = re.compile(
            r"(?<![\w./])(" + "|".join(map(re.escape, sorted(colons, key=len, reverse=True))) + r")(?!\w)"
        )
        text = pattern.sub(lambda found: colons[found[1]], text)
    for old, new in sorted(table.modules.items(), key=lambda item: -len(item[0])):
        text = re.sub(rf"(?<![\w.]){re.escape(old.replace('.', '/'))}(?=\.py\b|/)", new.replace(".", "/"), text)
    return text


def main() -> int:
    """Carry out the table; return 1 if a row cannot be carried out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    table = read_table(options.tables)
    files = list_code_files()
    known = {module_of(path) for path in files}
    problems = [
        f"{old}: no such module" for old in table.modules if old not in known and table.modules[old] not in known
    ]
    table.modules = {old: new for old, new in table.modules.items() if old in known}
    resolver = Resolver(files)
    members = unique_members(table, files, problems)
    words = {full.rpartition(".")[2] for full in (*table.modules, *table.names)} | set(members)
    changed: dict[Path, str] = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        module = module_of(path)
        edits: list[Edit] = []
        if table.summaries.get(module):
            edits += edit_summaries(text, table.summaries[module], module, problems)
        if table.local_names.get(module) or words & set(re.findall(r"\w+", text)):
            collector = Collector(module, text, table, resolver, members)
            collector.collect()
            edits += collector.edits
            problems += collector.problems
        if edits:
            changed[path] = apply_edits(text, edits)
    print(f"{len(changed)} files change", file=sys.stderr)
    print("\n".join(dict.fromkeys(problems)), file=sys.stderr)
    if options.check:
        return bool(problems)
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", *TEXT], cwd=ROOT, check=True, capture_output=True, encoding="utf-8"
    )
    for name in filter(None, listing.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in TEXT_SUFFIXES and path.is_file() and path.parent.name != "fuzz":
            text = path.read_text(encoding="utf-8")
            new = rewrite_mentions(text, table)
            if new != text:
                path.write_text(new, encoding="utf-8", newline="\n")
    for old, new in table.modules.items():
        base, target = ROOT / old.replace(".", "/"), ROOT / new.replace(".", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        sources = [base] if base.is_dir() else [base.with_suffix(s) for s in (".py", ".pyi")]
        for source in sources:
            if source.exists():
                goal = target if source.is_dir() else target.with_suffix(source.suffix)
                subprocess.run(["git", "mv", str(source), str(goal)], cwd=ROOT, check=True)
    subprocess.run(
        ["ruff", "check", "-q", "--fix", "--select", "I", "mapkit", "tests", "tools"],
        cwd=ROOT,
        check=False,
    )
    subprocess.run(["ruff", "format", "-q", "mapkit", "tests", "tools"], cwd=ROOT, check=False)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
