"""HTML pages and plain texts from Jinja templates, which lie beside the modules that fill them.

In pages, whose templates end in `.html.jinja`, what is not marked safe is escaped.
"""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape


def html_page(package: str, template: str, **values: object) -> str:
    """Return a page.

    Args:
        package: The package that the template lies in.
        template: Its file. `{{ x|as(".2f") }}` formats a value as an f-string does.
        values: What it names; a name that is missing is an error.
    """
    return _environment(package).get_template(template).render(values)


def plain_text(package: str, template: str, **values: object) -> str:
    """Return a text, as `html_page` does; a line that begins with `%%` is a statement of the template."""
    return _text_environment(package).get_template(template).render(values)


def page_part(package: str, name: str) -> str:
    """Return a style or a script that lies beside a template."""
    return files(package).joinpath(name).read_text(encoding="utf-8").strip()


@cache
def _environment(package: str) -> Environment:
    found = Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["as"] = format
    return found


@cache
def _text_environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=select_autoescape(("html.jinja",), default=False),
        undefined=StrictUndefined,
        line_statement_prefix="%%",
    )
