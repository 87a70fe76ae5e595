"""Drawing settings of an author: theme, sizes, and own layers in place of the base map."""

from typing import Annotated, Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.drawing.theme.sizes import Sizes, ThemeName
from mapkit.drawing.words.languages import Language

Relief = Literal["none", "plain", "hypsometric"]
USUAL_RELIEF_STRENGTH: Final = 0.5
NOT_ON_PLANE: Final = "an invented land (projection plane) lies nowhere on the earth"


class DrawingSettings(Frozen):
    """`[drawing]`: theme, language and sizes, unless a command gives others."""

    theme: ThemeName = Field(default="classic", description="The theme that the board is drawn in")
    language: Language = Field(
        default="en",
        exclude_if=lambda language: language == "en",
        description="The language of the words on board, sheets and reports; left out where it is English",
    )
    relief: Relief = Field(
        default="none",
        exclude_if=lambda relief: relief == "none",
        description="Shading of mountains, `plain` or over tints by height (`hypsometric`)",
    )
    relief_strength: float = Field(
        default=USUAL_RELIEF_STRENGTH,
        ge=0,
        le=1,
        exclude_if=lambda strength: strength == USUAL_RELIEF_STRENGTH,
        description="How strong the relief is",
    )
    graticule: float | None = Field(
        default=None,
        ge=0.5,
        le=45,
        exclude_if=lambda step: step is None,
        description="Degrees between meridians, and between parallels; none are drawn without it",
    )
    compass: bool = Field(default=False, exclude_if=lambda is_drawn: not is_drawn, description="Draw a compass")
    water_names: bool = Field(
        default=False, exclude_if=lambda are_drawn: not are_drawn, description="Name seas, lakes and rivers"
    )
    sizes: Sizes = Field(default=Sizes(), description="Sizes of symbols, lines and text, millimetres of the page")

    @property
    def earth_settings(self) -> tuple[str, ...]:
        """Names of the settings in force that show something of the earth, which an invented land does not have."""
        usual = DrawingSettings()
        return tuple(
            name
            for name in ("relief", "graticule", "compass", "water_names")
            if getattr(self, name) != getattr(usual, name)
        )


_LAYER_FILE: Final = r"^layers/[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,190}\.(geo)?json$"
_LayerFile = Annotated[str, Field(pattern=_LAYER_FILE)]


class LayerFiles(Frozen):
    """`[layers]`: GeoJSON files of the package, in `layers/`, that are drawn in place of the base map's."""

    land: _LayerFile | None = Field(default=None, description="Areas of land; the rest is sea")
    lakes: _LayerFile | None = Field(default=None, description="Areas of water on land")
    rivers: _LayerFile | None = Field(default=None, description="Lines of rivers")
    borders: _LayerFile | None = Field(default=None, description="Lines of borders")
    mountains: _LayerFile | None = Field(default=None, description="Lines of ridges, or outlines of mountains")
    labels: _LayerFile | None = Field(
        default=None, description="Points with names of seas, bays and ranges: `name` of a feature"
    )
    regions: _LayerFile | None = Field(
        default=None, description="Areas of the regions; `region` of a feature is the region's id or name"
    )
