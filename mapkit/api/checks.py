"""Checks of boards of all kinds, with their explanations."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Annotated

from mapkit.core.acceptances import NAMES, TITLES
from mapkit.core.base import Frozen, docstring_of
from mapkit.core.causes import PROBLEM
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.findings import Severity
from mapkit.core.problems import NAME, TITLE
from mapkit.formats.sarif import page_of
from mapkit.kinds.registry import get_kind, kind_names
from mapkit.operations.options import Argument


class CheckAbout(Frozen):
    """A check: its code, name and severity, what holds where it finds nothing, and its explanation."""

    code: str
    name: str
    severity: Severity
    title: str
    explanation: str
    page: str

    def text(self) -> str:
        """Return the check with its explanation for people."""
        paragraphs = [" ".join(part.split()) for part in self.explanation.split("\n\n")]
        head = f"{self.code} {self.name} ({self.severity.value}): {self.title}"
        return "\n\n".join(filter(None, [head, *paragraphs, self.page]))


def list_checks(
    names: Annotated[
        Sequence[str],
        Argument("", "[CHECK]...", "Codes or names of checks to explain, such as N16.", reading="name"),
    ] = (),
) -> tuple[CheckAbout, ...]:
    """List the checks of boards, or explain some of them.

    Raises:
        UnknownNameError: There is no such check; the nearest is offered.
    """
    checks = tuple(_all_checks())
    known = {**{check.code.casefold(): check for check in checks}, **{check.name: check for check in checks}}
    for name in names:
        if name.casefold() not in known:
            hint = did_you_mean(name, [check.name for check in checks]) or "; mapkit list checks lists them"
            raise UnknownNameError(f"there is no check {name!r}{hint}")
    return tuple(dict.fromkeys(known[name.casefold()] for name in names)) or checks


def _all_checks() -> Iterator[CheckAbout]:
    yield _about(PROBLEM, NAME, Severity.ERROR, TITLE)
    for code, title in TITLES.items():
        yield _about(code, NAMES[code], Severity.WARNING, title)
    for kind in kind_names():
        for check in get_kind(kind).all_checks():
            yield _about(check.code, check.name, check.severity, check.title, docstring_of(check.find) or "")


def _about(code: str, name: str, severity: Severity, title: str, explanation: str = "") -> CheckAbout:
    text = inspect.cleandoc(explanation)
    return CheckAbout(code=code, name=name, severity=severity, title=title, explanation=text, page=page_of(code))
