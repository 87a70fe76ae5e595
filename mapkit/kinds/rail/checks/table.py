"""What `checks.toml` holds: the title of each check, how bad its findings are, and the checks that it needs."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen
from mapkit.core.findings import Severity
from mapkit.core.package_data import read_table

Code = Annotated[str, Field(pattern=r"^[A-Z]\d\d$")]
Text = Annotated[str, Field(min_length=1)]


class CheckRow(Frozen):
    """A check of `mapkit check`."""

    code: Code
    title: Text = Field(description="What holds where nothing is found; of a note, what it lists")
    severity: Severity = Field(description="How bad a finding is")
    needs: tuple[Code, ...] = Field(default=(), description="Checks that must pass first")
    measure: str = Field(
        default="",
        pattern=r"^-?[a-z_]*$",
        description="Key of the number in `data` that says how bad a finding is, with `-` in front if less is worse",
    )


class OtherRow(Frozen):
    """A check that another command than `mapkit check` makes, or makes too."""

    code: Code
    title: Text
    severity: Text = Field(description="How bad a finding is, in words")
    explained: Text = Field(description="What it means, for docs/reference/checks.md")


class CheckTable(Frozen):
    """`checks.toml`: every check.

    `judged` are those of amounts against each other, of which `mapkit check` makes all but P12, with those of the
    drawing; `compared` are those of charts in files, which `mapkit destinations check` makes; `scanned` are those of
    scans of boards, which `mapkit scan trace` makes.
    """

    checks: tuple[CheckRow, ...]
    judged: tuple[OtherRow, ...]
    compared: tuple[OtherRow, ...]
    scanned: tuple[OtherRow, ...]

    @model_validator(mode="after")
    def _refer(self) -> Self:
        """See that codes are unique, and that checks need checks."""
        codes = [
            *(row.code for row in self.checks),
            *(row.code for row in (*self.judged, *self.compared, *self.scanned)),
        ]
        for code in codes:
            if codes.count(code) > 1:
                raise ValueError(f"check {code!r} appears twice")
        for row in self.checks:
            for other in row.needs:
                if other not in codes:
                    raise ValueError(f"check {row.code!r} needs {other!r}, which does not exist")
        return self


@cache
def check_rows() -> Mapping[str, CheckRow]:
    """Return every check of `mapkit check` by its code."""
    return MappingProxyType({row.code: row for row in _table().checks})


@cache
def judged_rows() -> Mapping[str, OtherRow]:
    """Return every check of amounts against each other, by its code."""
    return MappingProxyType({row.code: row for row in _table().judged})


@cache
def compared_rows() -> Mapping[str, OtherRow]:
    """Return every check of charts in files against their board, by its code."""
    return MappingProxyType({row.code: row for row in _table().compared})


@cache
def scanned_rows() -> Mapping[str, OtherRow]:
    """Return every check of scans of boards, by its code."""
    return MappingProxyType({row.code: row for row in _table().scanned})


@cache
def _table() -> CheckTable:
    return read_table(__package__, "checks", CheckTable)
