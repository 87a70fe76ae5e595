"""Variants of railroad boards: their commands, and a rules preset in the head of the file."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from mapkit.document.command import Command, Commands
from mapkit.document.workspace import Workspace
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.commands.single_rules import ChoosePreset
from mapkit.variants import reading
from mapkit.variants import shelf as frame
from mapkit.variants import variant as base
from mapkit.variants.applying import PlacedVariant


class Variant(base.Variant):
    """`variants/<name>.toml`: the base of a variant, and its changes in order."""

    commands: ClassVar[Commands] = COMMANDS

    rules: str | None = Field(default=None, description="The rules preset that it starts from; it is chosen first")

    def head(self) -> tuple[Command, ...]:
        """Return the commands that the head of the file implies."""
        return () if self.rules is None else (ChoosePreset(preset=self.rules),)


def rail_shelf(workspace: Workspace) -> frame.VariantShelf:
    """Return the available variants of a workspace."""
    return frame.VariantShelf(workspace, Variant)


def parse_variant(text: str, *, file: str) -> PlacedVariant:
    """Parse the text of a variant's file.

    Raises:
        VariantError: It is not TOML, or not a valid variant; every problem is listed with its line.
    """
    return reading.parse_variant(text, file=file, model=Variant)


def read_variant(path: Path, *, name: str | None = None) -> PlacedVariant:
    """Read a variant's file.

    Raises:
        VariantError: It is too large, not TOML, or not a valid variant; every problem is listed with its line.
    """
    return reading.read_variant(path, model=Variant, name=name)
