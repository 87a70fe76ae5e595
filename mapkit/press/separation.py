"""PDF/X-4 for print shops: colours as amounts of their inks, by the profile of their press (ISO 15930-7).

Colours of the screen (sRGB) become CMYK by the profile, relative colorimetric with black point compensation. Greys and
black become black ink alone, so that small text needs no register. Transparency and fonts stay as they are.
"""

import struct
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from PIL import Image, ImageCms

from mapkit.core import heavy
from mapkit.core.errors import PrintError
from mapkit.version import __version__

MAX_PROFILE: Final = 16 * 2**20
"""Bytes; profiles of presses have 0.5 to 3 million."""

Colour = tuple[float, ...]
if TYPE_CHECKING:
    Drawing = heavy.pikepdf.Page | heavy.pikepdf.Stream
    Step = heavy.pikepdf.ContentStreamInstruction | heavy.pikepdf.ContentStreamInlineImage

_HEAD: Final = 128
_VERSION: Final = "1.6"
_DATE: Final = "2000-01-01T00:00:00Z"
"""The standard demands dates; a real one would change the bytes of the same board."""
_SPACES: Final = {"cs": "k", "CS": "K"}
_SETS: Final = {"sc": "k", "scn": "k", "SC": "K", "SCN": "K", "g": "k", "G": "K", "rg": "k", "RG": "K"}
_OF_SCREENS: Final = frozenset({"/DeviceGray", "/DeviceRGB", "/CalGray", "/CalRGB"})


class PressProfile:
    """A CMYK profile, and the amounts of ink that it gives for colours."""

    def __init__(self, data: bytes, name: str) -> None:
        """Read a profile.

        Args:
            data: An ICC file.
            name: What messages call it.

        Raises:
            PrintError: It is not an ICC profile of a printer with four inks.
        """
        if len(data) < _HEAD or data[36:40] != b"acsp":
            raise PrintError(f"{name}: this is not an ICC profile; ask the print shop for the file of its press (.icc)")
        kind, space = data[12:16], data[16:20]
        if kind != b"prtr" or space != b"CMYK":
            raise PrintError(
                f"{name}: a profile of a {space.decode('latin-1').strip()} device; a print shop needs one of a printer "
                "with CMYK inks"
            )
        if struct.unpack(">I", data[:4])[0] > len(data):
            raise PrintError(f"{name}: the profile is cut short; copy it again")
        try:
            profile = ImageCms.ImageCmsProfile(BytesIO(data))
            self.title = (profile.profile.profile_description or name).strip()
            self._transform = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"),
                profile,
                "RGB",
                "CMYK",
                renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
            )
        except (ImageCms.PyCMSError, OSError, ValueError) as error:
            raise PrintError(f"{name}: the profile cannot be used: {error}") from error
        self.data = data

    def inks(self, colours: Iterable[Colour]) -> dict[Colour, Colour]:
        """Return colour of the screen -> cyan, magenta, yellow, black; all from 0 to 1.

        Colours have one part (grey) or three (red, green, blue).
        """
        some = sorted({*colours})
        bright = [colour for colour in some if len({*colour}) > 1]
        out: dict[Colour, Colour] = {
            colour: (0.0, 0.0, 0.0, round(1 - colour[0], 4)) for colour in some if len({*colour}) == 1
        }
        if bright:
            bits = bytes(round(255 * min(1.0, max(0.0, part))) for colour in bright for part in colour)
            picture = Image.frombytes("RGB", (len(bright), 1), bits)
            made = ImageCms.applyTransform(picture, self._transform)
            flat = made.tobytes() if made is not None else b""
            for at, colour in enumerate(bright):
                out[colour] = tuple(round(part / 255, 4) for part in flat[4 * at : 4 * at + 4])
        return out


def read_profile(path: Path) -> PressProfile:
    """Return the profile of a press from a file.

    Raises:
        PrintError: It cannot be read, is too large, or is not such a profile.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_PROFILE + 1)
    except OSError as error:
        raise PrintError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_PROFILE:
        raise PrintError(f"{path}: more than {MAX_PROFILE} bytes; this is not the profile of a press")
    return PressProfile(data, str(path))


def separated(pdf: bytes, profile: PressProfile) -> bytes:
    """Return a PDF of mapkit as PDF/X-4; the same file and profile give the same bytes.

    Raises:
        PrintError: It holds pictures of dots or shadings, which are not separated.
    """
    with heavy.pikepdf.Pdf.open(BytesIO(pdf)) as document:
        drawn = [(owner, heavy.pikepdf.parse_content_stream(owner)) for owner in _drawings(document)]
        found = {colour for _, steps in drawn for colour in _colours(steps)}
        inks = profile.inks(found)
        for owner, steps in drawn:
            words = heavy.pikepdf.unparse_content_stream([*_in_ink(steps, inks)])
            if isinstance(owner, heavy.pikepdf.Page):
                owner.Contents = document.make_stream(words)
            else:
                owner.write(words)
            if "/Resources" in owner and "/ColorSpace" in owner.Resources:
                del owner.Resources.ColorSpace
        for page in document.pages:
            if "/TrimBox" not in page:
                page.TrimBox = page.MediaBox
        _declare(document, profile)
        out = BytesIO()
        document.save(
            out,
            deterministic_id=True,
            force_version=_VERSION,
            object_stream_mode=heavy.pikepdf.ObjectStreamMode.generate,
        )
        return out.getvalue()


def _drawings(document: "heavy.pikepdf.Pdf") -> "list[Drawing]":
    """Return all that has drawing steps: the pages, and the forms that they show."""
    out: list[Drawing] = list(document.pages)
    for part in document.objects:
        if not isinstance(part, heavy.pikepdf.Stream):
            if isinstance(part, heavy.pikepdf.Dictionary) and "/ShadingType" in part:
                raise PrintError("the drawing has colour gradients, which cannot be separated")
            continue
        if part.get("/Subtype") == "/Image":
            raise PrintError("the drawing has pictures made of dots, which cannot be separated")
        if part.get("/Subtype") == "/Form" or part.get("/PatternType") == 1:
            out.append(part)
    for owner in out:
        _refuse_spaces(owner)
    return out


def _refuse_spaces(owner: "Drawing") -> None:
    """Refuse colour spaces other than those of a screen.

    Raises:
        PrintError: There is one.
    """
    resources = owner.get("/Resources")
    spaces = None if resources is None else resources.get("/ColorSpace")
    for name, space in () if spaces is None else spaces.items():
        kind = str(space[0]) if isinstance(space, heavy.pikepdf.Array) else str(space)
        if kind not in _OF_SCREENS and not (kind == "/ICCBased" and int(space[1].N) in {1, 3}):
            raise PrintError(f"the drawing has a colour space that cannot be separated: {name} is {kind}")


def _colours(steps: Iterable["Step"]) -> Iterator[Colour]:
    for step in steps:
        if str(step.operator) in _SETS:
            yield tuple(float(part) for part in step.operands)


def _in_ink(steps: Iterable["Step"], inks: dict[Colour, Colour]) -> "Iterator[Step]":
    """Return the same steps with ink in place of light; a colour space without a colour means its black."""
    for step in steps:
        word = str(step.operator)
        if word in _SPACES:
            yield _set(_SPACES[word], (0.0, 0.0, 0.0, 1.0))
        elif word in _SETS:
            yield _set(_SETS[word], inks[tuple(float(part) for part in step.operands)])
        else:
            yield step


def _set(word: str, inks: Colour) -> "Step":
    return heavy.pikepdf.ContentStreamInstruction([*inks], heavy.pikepdf.Operator(word))


def _declare(document: "heavy.pikepdf.Pdf", profile: PressProfile) -> None:
    """State the standard, the inks, and what else PDF/X-4 demands."""
    stream = document.make_stream(profile.data)
    stream.N = 4
    document.Root.OutputIntents = heavy.pikepdf.Array(
        [
            heavy.pikepdf.Dictionary(
                Type=heavy.pikepdf.Name("/OutputIntent"),
                S=heavy.pikepdf.Name("/GTS_PDFX"),
                OutputConditionIdentifier="Custom",
                OutputCondition=profile.title,
                Info=profile.title,
                DestOutputProfile=document.make_indirect(stream),
            )
        ]
    )
    title = str(document.docinfo.get("/Title", ""))
    document.docinfo["/Trapped"] = heavy.pikepdf.Name("/False")
    document.docinfo["/GTS_PDFXVersion"] = "PDF/X-4"
    document.docinfo["/CreationDate"] = document.docinfo["/ModDate"] = "D:20000101000000Z"
    with document.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as about:
        about["dc:title"] = title
        about["xmp:CreatorTool"] = f"mapkit {__version__}"
        for key in ("CreateDate", "ModifyDate", "MetadataDate"):
            about[f"xmp:{key}"] = _DATE
        about["pdf:Trapped"] = "False"
        about["{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"] = "PDF/X-4"
        about["xmpMM:DocumentID"] = f"uuid:{uuid5(NAMESPACE_URL, title)}"
        about["xmpMM:VersionID"] = "1"
        about["xmpMM:RenditionClass"] = "default"
