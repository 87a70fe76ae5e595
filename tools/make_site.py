"""Build the documentation site: `python tools/make_site.py`, into `site/VERSION/` or below the folder given with --out.

The pages are the documents of the project, the docstrings of what `import mapkit` gives, and an interactive report of
each shipped board. Sphinx makes them (tools/site/conf.py); no page asks another host for anything. Every warning is an
error, so a link that leads nowhere stops the build. Versions that were built before stay; `versions.js` names them all,
and each page lists them.
"""

import argparse
import ast
import inspect
import shutil
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sphinx.cmd.build import build_main

import mapkit
from mapkit.version import __version__

ROOT: Final = Path(__file__).resolve().parent.parent
SETTINGS: Final = ROOT / "tools" / "site"
BOARDS: Final = (
    "usa",
    "north-america",
    "great-britain",
    "ireland",
    "india",
    "germany",
    "france",
    "japan",
    "south-africa",
    "carrow",
    "mexico",
    "portugal",
)
PAGES: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE",
    "NOTICE",
    "mapkit/editor/web/README.md",
    "mapkit/editor/web/board/README.md",
)
MARKS: Final = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    "<pre>": '<pre tabindex="0">',
}
"""Levels and names of landmarks; what scrolls must take the focus."""
SWITCH: Final = """\
const here = document.currentScript.getAttribute("src").split("/").length - 2;
const path = location.pathname.split("/").slice(-1 - here);
const label = document.createElement("label");
const choice = document.createElement("select");
label.append("Version ", choice);
const now = location.pathname.split("/").at(-2 - here);
for (const name of VERSIONS) choice.append(new Option(name, name, false, name === now));
choice.onchange = () => { location.href = "../".repeat(here + 1) + choice.value + "/" + path.join("/"); };
(document.querySelector(".sidebar-brand") ?? document.body).after(label);
label.style = "display: block; padding: 0 1rem 0.5rem";
"""
"""What each page runs: a list of versions, which leads to the same page of another one."""
LEAVE_OUT: Final = shutil.ignore_patterns("*.journal*", "*.csv", "drawings", "lines", "charts")


def gather(folder: Path) -> None:
    """Copy what the site is made of, each file at its place in the project, so that links between them hold."""
    for name in PAGES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in ("docs", "sources", "variants"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEAVE_OUT)
    shutil.copy(SETTINGS / "index.md", folder / "index.md")
    (folder / "docs" / "reference" / "api.md").write_text(calls(), encoding="utf-8", newline="\n")
    gallery = folder / "docs" / "gallery.md"
    links = "\n".join(
        f'- <a href="../gallery/{name}.html">{mapkit.load(name, workspace=ROOT).title}</a>' for name in BOARDS
    )
    gallery.write_text(
        f"{gallery.read_text(encoding='utf-8')}\n## Boards to click on\n\n{links}\n", encoding="utf-8", newline="\n"
    )


def calls() -> str:
    """Return the page of all public names, each with its docstring, by the module that has it."""
    stub = ast.parse(Path(mapkit.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    modules: dict[str, list[str]] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [alias.name for alias in node.names if callable(getattr(mapkit, alias.name))]
            modules.setdefault(node.module, []).extend(names)
    parts = ["# Python, call by call", "", "[python.md](python.md) lists all names in one table."]
    for module, names in modules.items():
        if names:
            title = (inspect.getdoc(import_module(module)) or module).partition("\n")[0].rstrip(".")
            parts += ["", f"## {title}", "", f"In `{module}`:", "", "```{eval-rst}", *map(directive, names), "```"]
    return "\n".join(parts) + "\n"


def directive(name: str) -> str:
    """Return what tells Sphinx to write down a public name."""
    kind = "class" if inspect.isclass(getattr(mapkit, name)) else "function"
    return f".. auto{kind}:: mapkit.{name}\n"


def reports(folder: Path) -> None:
    """Write the interactive report of each shipped board."""
    folder.mkdir(parents=True)
    for name in BOARDS:
        mapkit.report_page(name, out=folder / f"{name}.html", workspace=ROOT)


def accessible(text: str, depth: int) -> str:
    """Return a page with what the theme leaves out for screen readers and keyboards, and the list of versions.

    Args:
        text: The page.
        depth: How many folders it lies below that of its version.
    """
    for plain, marked in MARKS.items():
        text = text.replace(plain, marked)
    return text.replace("</body>", f'<script src="{"../" * (depth + 1)}versions.js"></script></body>')


def write_versions(out: Path) -> None:
    """Write the list of versions, newest first, and a start page that leads to the newest."""
    found = sorted((path.parent.name for path in out.glob("*/index.html")), key=version_key, reverse=True)
    names = ", ".join(f'"{name}"' for name in found)
    (out / "versions.js").write_text(f"const VERSIONS = [{names}];\n{SWITCH}", encoding="utf-8", newline="\n")
    (out / "index.html").write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>mapkit</title>'
        f'<meta http-equiv="refresh" content="0; url={found[0]}/index.html">'
        f'<a href="{found[0]}/index.html">Documents of mapkit {found[0]}</a></html>\n',
        encoding="utf-8",
        newline="\n",
    )


def version_key(name: str) -> tuple[int, ...]:
    """Return a version as numbers, to sort by."""
    return tuple(int(part) if part.isdigit() else -1 for part in name.split("."))


def build(out: Path) -> int:
    """Build the pages of this version; return 0, or what Sphinx ends with."""
    with TemporaryDirectory() as work:
        source = Path(work) / "source"
        source.mkdir()
        gather(source)
        extra = Path(work) / "extra"
        reports(extra / "gallery")
        options = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(SETTINGS), "-D", f"html_extra_path={extra}"]
        ended = build_main([*options, str(source), str(out)])
    for page in out.rglob("*.html"):
        if page.parent.name != "gallery":
            depth = len(page.relative_to(out).parts) - 1
            page.write_text(accessible(page.read_text(encoding="utf-8"), depth), encoding="utf-8", newline="\n")
    return ended


def main() -> int:
    """Build the site where --out says."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="the folder to write to (site)")
    out = parser.parse_args().out.resolve()
    ended = build(out / __version__)
    if not ended:
        write_versions(out)
        print(f"{out / 'index.html'}: open it in a browser")
    return ended


if __name__ == "__main__":
    sys.exit(main())
