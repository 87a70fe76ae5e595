"""What `import mapkit` gives: each name is listed once, in the stub, and is there."""

import ast
from collections import Counter
from inspect import getdoc
from pathlib import Path

import pytest
from conftest import REPOSITORY

import mapkit

STUB = Path(mapkit.__file__).with_suffix(".pyi")
IMPORTS = [node for node in ast.parse(STUB.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)]
NAMES = [alias.name for node in IMPORTS for alias in node.names]
SHOWN = {
    path.name: path.read_text(encoding="utf-8")
    for path in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md")))
}


def test_the_stub_lists_each_name_once_and_nothing_else() -> None:
    assert len(IMPORTS) == len(ast.parse(STUB.read_text(encoding="utf-8")).body)
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert all(alias.asname == alias.name for node in IMPORTS for alias in node.names)
    assert dir(mapkit) == sorted(vars(mapkit)["__all__"]) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(mapkit, name)
    assert name == "__version__" or getdoc(found)


def test_a_public_name_is_not_hidden_by_a_package() -> None:
    assert [name for name in NAMES if (STUB.parent / name).exists() or (STUB.parent / f"{name}.py").exists()] == []


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'mapkit' has no attribute 'lode'"):
        mapkit.lode  # type: ignore[attr-defined] # noqa: B018
