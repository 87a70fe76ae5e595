"""Operations of variants on the rules, and on what the author accepts."""

from typing import Literal

from pydantic import Field

from mapkit.model.variant_board import Op

Value = bool | int | float | str | None | list[object] | dict[str, object]
"""A value of a rule, as TOML writes it; None is written by leaving it out."""


class SetRule(Op):
    """Set a parameter, table or choice of the rules, named by its dotted path: `fees.own`."""

    op: Literal["set-rule"] = "set-rule"
    path: str = Field(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$", max_length=200)
    was: Value = None
    value: Value = None


class SwitchOption(Op):
    """Switch an option on by its id (`own-track-free`), or a switch by its path (`options.free_upgrade`)."""

    op: Literal["switch-option"] = "switch-option"
    option: str = Field(pattern=r"^[a-z_][a-z0-9_.-]*$", max_length=200)
    on: bool = True
    amount: int | None = Field(default=None, ge=0, le=1_000_000_000, description="Of options that have one: extra cash")


class ChoosePreset(Op):
    """Start the rules from a preset; what the board's own rules changed is dropped (RB-V19)."""

    op: Literal["choose-preset"] = "choose-preset"
    preset: str = Field(min_length=1, max_length=50)


class AcceptFinding(Op):
    """Accept a finding of the checks as right, the reason being the operation's."""

    op: Literal["accept-finding"] = "accept-finding"
    finding: str = Field(min_length=1, max_length=1000, description="Its id: code and sorted ids, `N04:somewhere`")
