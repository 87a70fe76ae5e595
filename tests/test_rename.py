"""The codemod that renames by a table: code, imports, mentions and files change, and nothing else."""

import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY

RENAME = REPOSITORY / "tools" / "rename.py"
TABLE = """kind,old,new
module,mapkit.things,mapkit.lines
name,mapkit.things:placed,place_line
name,mapkit.things:Thing,Line
"""
THINGS = '''"""Things."""


class Thing:
    """A thing."""


def placed(thing: Thing) -> Thing:
    """Return it."""
    return thing
'''
USER = '''"""Use of things."""

from mapkit.things import Thing, placed

WHERE = "mapkit.things:placed"


def run(text: str = "placed") -> Thing:
    """Call `mapkit.things.placed`."""
    placed_things = placed(Thing())
    return placed_things if text else Thing()
'''


def test_names_and_modules_are_renamed(tmp_path: Path) -> None:
    for file, text in {"things.py": THINGS, "user.py": USER, "__init__.py": ""}.items():
        (tmp_path / "mapkit").mkdir(exist_ok=True)
        (tmp_path / "mapkit" / file).write_text(text, encoding="utf-8")
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    for _ in range(2):  # the second time nothing is left to do
        done = subprocess.run(
            [sys.executable, RENAME, "table.csv"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )
    assert "0 files change" in done.stderr
    assert sorted(path.name for path in (tmp_path / "mapkit").glob("*.py")) == ["__init__.py", "lines.py", "user.py"]
    renamed = THINGS.replace("Thing:", "Line:").replace("-> Thing", "-> Line").replace("thing: Thing", "thing: Line")
    assert (tmp_path / "mapkit" / "lines.py").read_text(encoding="utf-8") == renamed.replace("placed(", "place_line(")
    user = (tmp_path / "mapkit" / "user.py").read_text(encoding="utf-8")
    assert "from mapkit.lines import Line, place_line\n" in user
    assert 'WHERE = "mapkit.lines:place_line"' in user
    assert 'def run(text: str = "placed") -> Line:' in user
    assert "Call `mapkit.lines.place_line`." in user
    assert "placed_things = place_line(Line())" in user
