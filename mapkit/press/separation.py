"""Colour separation into PDF/X-4 (ISO 15930-7) for print shops, with the ICC profile of the press.

Screen colours (sRGB) are converted to CMYK by the profile, relative colorimetric with black point compensation. Greys
and black use black ink alone, so that misaligned inks cannot blur small text. Transparency and fonts are unchanged.
"""

import struct
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

import numpy as np
from PIL import Image, ImageCms

from mapkit.core import heavy
from mapkit.core.errors import PrintError
from mapkit.formats.files import read_bytes
from mapkit.version import __version__

MAX_PROFILE: Final = 16 * 2**20
"""Largest accepted profile, in bytes; profiles of presses have 0.5 to 3 million."""

Colour = tuple[float, ...]
if TYPE_CHECKING:
    Drawing = heavy.pikepdf.Page | heavy.pikepdf.Stream
    Step = heavy.pikepdf.ContentStreamInstruction | heavy.pikepdf.ContentStreamInlineImage

_HEADER_BYTES: Final = 128
_IMAGE_BITS: Final = 8
_MOST_IMAGE_COLOURS: Final = 1024
_PDF_VERSION: Final = "1.6"
_FIXED_DATE: Final = "2000-01-01T00:00:00Z"
"""Date of every file: the standard requires one, but the real date would make files of the same board differ."""
_COLOUR_SPACE_OPERATORS: Final = {"cs": "k", "CS": "K"}
_COLOUR_OPERATORS: Final = {"sc": "k", "scn": "k", "SC": "K", "SCN": "K", "g": "k", "G": "K", "rg": "k", "RG": "K"}
_SCREEN_SPACES: Final = frozenset({"/DeviceGray", "/DeviceRGB", "/CalGray", "/CalRGB"})


class PressProfile:
    """CMYK profile of a press, for converting screen colours to ink amounts."""

    def __init__(self, data: bytes, name: str) -> None:
        """Read a profile.

        Args:
            data: An ICC file.
            name: Name of the profile in messages.

        Raises:
            PrintError: The data is not a usable ICC profile of a CMYK printer.
        """
        if len(data) < _HEADER_BYTES or data[36:40] != b"acsp":
            raise PrintError(f"{name}: this is not an ICC profile; ask the print shop for the file of its press (.icc)")
        device_class, colour_space = data[12:16], data[16:20]
        if device_class != b"prtr" or colour_space != b"CMYK":
            raise PrintError(
                f"{name}: a profile of a {colour_space.decode('latin-1').strip()} device; a print shop needs one of a "
                "printer with CMYK inks"
            )
        if struct.unpack(">I", data[:4])[0] > len(data):
            raise PrintError(f"{name}: the profile is cut short; copy it again")
        try:
            icc_profile = ImageCms.ImageCmsProfile(BytesIO(data))
            self.title = (icc_profile.profile.profile_description or name).strip()
            self._transform = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"),
                icc_profile,
                "RGB",
                "CMYK",
                renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
            )
        except (ImageCms.PyCMSError, OSError, ValueError) as error:
            raise PrintError(f"{name}: the profile cannot be used: {error}") from error
        self.data = data

    def inks(self, colours: Iterable[Colour]) -> dict[Colour, Colour]:
        """Return the cyan, magenta, yellow and black of each screen colour, all from 0 to 1.

        Screen colours have one part (grey) or three (red, green, blue).
        """
        all_colours = sorted({*colours})
        chromatic = [colour for colour in all_colours if len({*colour}) > 1]
        inks_by_colour: dict[Colour, Colour] = {
            colour: (0.0, 0.0, 0.0, round(1 - colour[0], 4)) for colour in all_colours if len({*colour}) == 1
        }
        if chromatic:
            rgb_bytes = bytes(round(255 * min(1.0, max(0.0, part))) for colour in chromatic for part in colour)
            rgb_picture = Image.frombytes("RGB", (len(chromatic), 1), rgb_bytes)
            cmyk_picture = ImageCms.applyTransform(rgb_picture, self._transform)
            cmyk_bytes = cmyk_picture.tobytes() if cmyk_picture is not None else b""
            for colour_index, colour in enumerate(chromatic):
                inks_by_colour[colour] = tuple(
                    round(part / 255, 4) for part in cmyk_bytes[4 * colour_index : 4 * colour_index + 4]
                )
        return inks_by_colour


def read_profile(path: Path) -> PressProfile:
    """Read the profile of a press from a file.

    Raises:
        MapkitError: The file cannot be read, is too large, or is not a profile of a press.
    """
    cure = "this is not the profile of a press"
    return PressProfile(read_bytes(path, name=str(path), limit=MAX_PROFILE, cure=cure), str(path))


def separate_colours(pdf: bytes, profile: PressProfile) -> bytes:
    """Convert a PDF of mapkit to PDF/X-4; the same file and profile give the same bytes.

    Raises:
        PrintError: The PDF has photographs, gradients or colour spaces that cannot be separated.
    """
    with heavy.pikepdf.Pdf.open(BytesIO(pdf)) as document:
        steps_by_owner = [(owner, heavy.pikepdf.parse_content_stream(owner)) for owner in _collect_drawings(document)]
        screen_colours = {colour for _, drawing_steps in steps_by_owner for colour in _collect_colours(drawing_steps)}
        inks = profile.inks(screen_colours)
        for owner, drawing_steps in steps_by_owner:
            content_bytes = heavy.pikepdf.unparse_content_stream([*_convert_steps(drawing_steps, inks)])
            if isinstance(owner, heavy.pikepdf.Page):
                owner.Contents = document.make_stream(content_bytes)
            else:
                owner.write(content_bytes)
            if "/Resources" in owner and "/ColorSpace" in owner.Resources:
                del owner.Resources.ColorSpace
        _separate_images(document, profile)
        for page in document.pages:
            if "/TrimBox" not in page:
                page.TrimBox = page.MediaBox
        _declare_standard(document, profile)
        pdf_bytes = BytesIO()
        document.save(
            pdf_bytes,
            deterministic_id=True,
            force_version=_PDF_VERSION,
            object_stream_mode=heavy.pikepdf.ObjectStreamMode.generate,
        )
        return pdf_bytes.getvalue()


def _collect_drawings(document: "heavy.pikepdf.Pdf") -> "list[Drawing]":
    """Return the owners of all content streams: pages, forms and tiling patterns.

    Raises:
        PrintError: A gradient or colour space cannot be separated.
    """
    drawings: list[Drawing] = list(document.pages)
    for part in document.objects:
        if not isinstance(part, heavy.pikepdf.Stream):
            if isinstance(part, heavy.pikepdf.Dictionary) and "/ShadingType" in part:
                raise PrintError("the drawing has colour gradients, which cannot be separated")
            continue
        if part.get("/Subtype") == "/Form" or part.get("/PatternType") == 1:
            drawings.append(part)
    for owner in drawings:
        resources = owner.get("/Resources")
        spaces = None if resources is None else resources.get("/ColorSpace")
        for name, space in () if spaces is None else spaces.items():
            space_kind = str(space[0]) if isinstance(space, heavy.pikepdf.Array) else str(space)
            if space_kind not in _SCREEN_SPACES and not (space_kind == "/ICCBased" and int(space[1].N) in {1, 3}):
                raise PrintError(f"the drawing has a colour space that cannot be separated: {name} is {space_kind}")
    return drawings


def _separate_images(document: "heavy.pikepdf.Pdf", profile: PressProfile) -> None:
    """Convert images of few colours, such as a relief; their masks stay.

    Raises:
        PrintError: An image has too many colours, or is not in screen colours of 8 bits.
    """
    images = [
        part for part in document.objects if isinstance(part, heavy.pikepdf.Stream) and part.get("/Subtype") == "/Image"
    ]
    masks = {image.SMask.objgen for image in images if "/SMask" in image}
    for image in images:
        if image.objgen in masks:
            continue
        pixels = np.frombuffer(image.read_bytes(), np.uint8)
        channels, rest = divmod(len(pixels), int(image.Width) * int(image.Height))
        if rest or channels not in (1, 3) or int(image.BitsPerComponent) != _IMAGE_BITS:
            raise PrintError("the drawing has a picture that is not in screen colours, which cannot be separated")
        colours, index = np.unique(pixels.reshape(-1, channels), axis=0, return_inverse=True)
        if len(colours) > _MOST_IMAGE_COLOURS:
            raise PrintError(
                f"the drawing has a picture of {len(colours):,} colours, which cannot be separated; leave it out"
            )
        screen_colours = [tuple(float(part) / 255 for part in colour) for colour in colours]
        inks = profile.inks(set(screen_colours))
        ink_table = np.rint(255 * np.array([inks[colour] for colour in screen_colours])).astype(np.uint8)
        image.write(ink_table[index.ravel()].tobytes())
        image.ColorSpace = heavy.pikepdf.Name("/DeviceCMYK")


def _collect_colours(steps: Iterable["Step"]) -> Iterator[Colour]:
    for step in steps:
        if str(step.operator) in _COLOUR_OPERATORS:
            yield tuple(float(part) for part in step.operands)


def _convert_steps(steps: Iterable["Step"], inks: dict[Colour, Colour]) -> "Iterator[Step]":
    """Yield the steps with ink colours; steps that select a colour space set its initial colour, black, instead."""
    for step in steps:
        operator = str(step.operator)
        if operator in _COLOUR_SPACE_OPERATORS:
            yield _ink_step(_COLOUR_SPACE_OPERATORS[operator], (0.0, 0.0, 0.0, 1.0))
        elif operator in _COLOUR_OPERATORS:
            yield _ink_step(_COLOUR_OPERATORS[operator], inks[tuple(float(part) for part in step.operands)])
        else:
            yield step


def _ink_step(word: str, inks: Colour) -> "Step":
    return heavy.pikepdf.ContentStreamInstruction([*inks], heavy.pikepdf.Operator(word))


def _declare_standard(document: "heavy.pikepdf.Pdf", profile: PressProfile) -> None:
    """Declare the standard, the output intent, and other metadata that PDF/X-4 requires."""
    profile_stream = document.make_stream(profile.data)
    profile_stream.N = 4
    document.Root.OutputIntents = heavy.pikepdf.Array(
        [
            heavy.pikepdf.Dictionary(
                Type=heavy.pikepdf.Name("/OutputIntent"),
                S=heavy.pikepdf.Name("/GTS_PDFX"),
                OutputConditionIdentifier="Custom",
                OutputCondition=profile.title,
                Info=profile.title,
                DestOutputProfile=document.make_indirect(profile_stream),
            )
        ]
    )
    document_title = str(document.docinfo.get("/Title", ""))
    document.docinfo["/Trapped"] = heavy.pikepdf.Name("/False")
    document.docinfo["/GTS_PDFXVersion"] = "PDF/X-4"
    document.docinfo["/CreationDate"] = document.docinfo["/ModDate"] = "D:20000101000000Z"
    with document.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["dc:title"] = document_title
        metadata["xmp:CreatorTool"] = f"mapkit {__version__}"
        for key in ("CreateDate", "ModifyDate", "MetadataDate"):
            metadata[f"xmp:{key}"] = _FIXED_DATE
        metadata["pdf:Trapped"] = "False"
        metadata["{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"] = "PDF/X-4"
        metadata["xmpMM:DocumentID"] = f"uuid:{uuid5(NAMESPACE_URL, document_title)}"
        metadata["xmpMM:VersionID"] = "1"
        metadata["xmpMM:RenditionClass"] = "default"
