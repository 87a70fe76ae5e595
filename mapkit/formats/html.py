"""HTML pages and plain texts from Jinja templates beside the modules that fill them.

In pages (templates with the suffix `.html.jinja`), every value is escaped unless it is marked safe.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape


def render_html(package: str, template: str, **values: object) -> str:
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


def read_page_part(package: str, name: str) -> str:
    """Return a style sheet or script that is stored beside a template; a page holds modules in one script."""
    part_text = files(package).joinpath(name).read_text(encoding="utf-8").strip()
    return re.sub("^export (?=function )", "", part_text, flags=re.MULTILINE)


def content_security_policy(style: str, *scripts: str) -> str:
    """Return the Content-Security-Policy of a page that loads only this style, these scripts and embedded fonts."""
    script_hashes = " ".join(f"'{_content_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; style-src '{_content_hash(style)}'; script-src {script_hashes}; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _content_hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode("ascii")


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["as"] = format
    return environment


@cache
def _text_environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=select_autoescape(("html.jinja",), default=False),
        undefined=StrictUndefined,
        line_statement_prefix="%%",
    )
