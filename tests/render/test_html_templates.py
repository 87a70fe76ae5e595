"""Pages come from templates: what is not marked safe is escaped, a name that is missing is an error."""

import subprocess
import sys
from pathlib import Path

import jinja2
import pytest

import mapkit
from mapkit.formats.html import read_page_part, render_html

PACKAGE = Path(mapkit.__file__).parent


def test_texts_are_escaped_numbers_are_written_and_missing_names_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "escaped_pages"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    text = '<p title="{{ x }}">{{ x }} {{ y|as(",.1f") }} {{ z|safe }}</p>\n'
    (package / "page.html.jinja").write_text(text, encoding="utf-8")
    found = render_html(package.name, "page.html.jinja", x='<b> & "', y=1234.56, z="<i></i>")
    assert found == '<p title="&lt;b&gt; &amp; &#34;">&lt;b&gt; &amp; &#34; 1,234.6 <i></i></p>\n'
    with pytest.raises(jinja2.UndefinedError, match="'z' is undefined"):
        render_html(package.name, "page.html.jinja", x="", y=1.0)
    assert read_page_part(package.name, "page.html.jinja").endswith("</p>")


def test_no_module_writes_a_page_by_itself() -> None:
    wrong = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "<html" in path.read_text(encoding="utf-8").lower()
    ]
    assert wrong == []


def test_a_check_loads_no_templates(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['mapkit', 'new', 'x', '--workspace', {str(tmp_path)!r}]\n"
        "from mapkit.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"sys.argv = ['mapkit', 'check', 'x', '--workspace', {str(tmp_path)!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert 'mapkit.kinds.rail.checks.registry' in sys.modules\n"
        "assert 'jinja2' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
