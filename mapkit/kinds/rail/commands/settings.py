"""Checks of a railroad board's settings."""

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.document.document import Setting
from mapkit.document.toml_file import settings_data
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.model.board import Page, Units
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.tables import RailDocument


@COMMANDS.checks_settings("regions")
def check_config(draft: Draft) -> None:
    """Refuse settings that are not allowed in `board.toml`.

    Raises:
        CommandError: A key is unknown, or a value wrong.
    """
    if draft.table("compiled"):
        # Rules are checked together later.
        model_of_group: dict[str, type[Frozen]] = {"units": Units, "projection": Projection, "page": Page}
        values_by_group: dict[str, dict[str, object]] = {name: {} for name in model_of_group}
        for key, row in draft.rows("settings", Setting).items():
            group_name, _, name = key.partition(".")
            if group_name in values_by_group:
                values_by_group[group_name][name] = row.value
            elif group_name not in ("title", "credits", "licence", "rules", "extensions", "drawing"):
                raise CommandError(f"{key!r} is a setting of sources, which a compiled board does not have")
        for name, values in values_by_group.items():
            model_of_group[name].model_validate(values)
        drawing_settings = settings_data(RailDocument({"settings": draft.table("settings")})).get("drawing", {})
        DrawingSettings.model_validate(drawing_settings)
        return
    try:
        config = config_of(draft.document)
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error
    for kind, known_ids in (("railroads", draft.table("railroads")), ("regions", draft.table("regions"))):
        for ident in getattr(config.spacing, kind):
            if ident not in known_ids:
                raise CommandError(
                    f"spacing.{kind}.{ident}: there is no such {kind[:-1]}{did_you_mean(ident, known_ids)}"
                )
