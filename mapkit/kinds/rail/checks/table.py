"""Contents of `checks.toml`: the title, severity and needs of each check."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Self

from pydantic import Field, model_validator

from mapkit.core.base import Frozen
from mapkit.core.findings import Severity
from mapkit.core.package_data import read_table

Code = Annotated[str, Field(pattern=r"^[A-Z]\d\d$")]
Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="What a finding is; also its function")]
Text = Annotated[str, Field(min_length=1)]


class CheckRow(Frozen):
    """Row of a check of `mapkit check`."""

    code: Code
    name: Name
    title: Text = Field(description="What holds where nothing is found; of a note, what it lists")
    severity: Severity = Field(description="How bad a finding is")
    needs: tuple[Code, ...] = Field(default=(), description="Checks that must pass first")
    measure: str = Field(
        default="",
        pattern=r"^-?[a-z_]*$",
        description="Key of the number in `data` that says how bad a finding is, with `-` in front if less is worse",
    )


class OtherCheckRow(Frozen):
    """Row of a check of other commands than `mapkit check`, or of both."""

    code: Code
    name: Name
    title: Text
    severity: Text = Field(description="How bad a finding is, in words")
    explained: Text = Field(description="What it means, for docs/reference/checks.md")


class CheckTable(Frozen):
    """`checks.toml`: every check.

    `judged` are the checks of amounts against each other, run by `mapkit check` except P12, with those of the drawing;
    `compared` are the checks of charts in files, run by `mapkit destinations check`; `scanned` are the checks of scans
    of boards, run by `mapkit scan trace`.
    """

    checks: tuple[CheckRow, ...]
    judged: tuple[OtherCheckRow, ...]
    compared: tuple[OtherCheckRow, ...]
    scanned: tuple[OtherCheckRow, ...]

    @model_validator(mode="after")
    def _check_references(self) -> Self:
        """Validate that codes are unique, and that needed checks exist."""
        all_codes = [
            *(row.code for row in self.checks),
            *(row.code for row in (*self.judged, *self.compared, *self.scanned)),
        ]
        for code in all_codes:
            if all_codes.count(code) > 1:
                raise ValueError(f"check {code!r} appears twice")
        for row in self.checks:
            for needed_code in row.needs:
                if needed_code not in all_codes:
                    raise ValueError(f"check {row.code!r} needs {needed_code!r}, which does not exist")
        return self


@cache
def load_check_rows() -> Mapping[str, CheckRow]:
    """Return every check of `mapkit check` by its code."""
    return MappingProxyType({row.code: row for row in _table().checks})


@cache
def load_amount_check_rows() -> Mapping[str, OtherCheckRow]:
    """Return every check of amounts against each other, by its code."""
    return MappingProxyType({row.code: row for row in _table().judged})


@cache
def load_chart_check_rows() -> Mapping[str, OtherCheckRow]:
    """Return every check of charts in files against their board, by its code."""
    return MappingProxyType({row.code: row for row in _table().compared})


@cache
def load_scan_check_rows() -> Mapping[str, OtherCheckRow]:
    """Return every check of scans of boards, by its code."""
    return MappingProxyType({row.code: row for row in _table().scanned})


@cache
def _table() -> CheckTable:
    return read_table(__package__, "checks", CheckTable)
