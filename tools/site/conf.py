"""How Sphinx makes the documentation site; `python tools/make_site.py` runs it."""

from pygments.lexers.data import JsonLexer
from pygments.lexers.html import XmlLexer
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from mapkit.version import __version__

project = "mapkit"
version = release = __version__
copyright = "the authors of mapkit, Apache License 2.0"  # noqa: A001 - Sphinx's name for it
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
source_suffix = {".md": "markdown"}
default_role = "code"  # as Markdown has it

myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]

autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "mapkit"
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_show_search_summary = False  # it asks for pages, which browsers refuse where the site is a folder of files
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}


def setup(app: Sphinx) -> None:
    """Name the languages of blocks that Pygments has under other names, or not at all."""
    app.add_lexer("csv", TextLexer)
    app.add_lexer("ebnf", TextLexer)  # the names of the rules of mapkit have hyphens, which Pygments does not know
    app.add_lexer("jsonl", JsonLexer)
    app.add_lexer("svg", XmlLexer)
