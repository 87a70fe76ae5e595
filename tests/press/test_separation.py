"""PDF/X-4: only inks remain, the standard is declared, greys are black ink, and other profiles are refused."""

import io
import os
import struct
from base64 import b64encode
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pikepdf
import pytest
from conftest import Run
from PIL import Image
from press_samples import drawing
from tiny import tiny_board

from mapkit.core.errors import PrintError, SourceError, WorkspaceError
from mapkit.press.job import PrintJob
from mapkit.press.printout import print_and_play
from mapkit.press.separation import PressProfile, read_profile, separate_colours

BOARD = drawing(
    300, 200, "Board", "#d0e4f0", '<rect x="5" y="5" width="50" height="50" fill="#c8321f" fill-opacity="0.5"/>'
)
LIGHT = {"rg", "RG", "g", "G", "cs", "CS", "sc", "SC", "scn", "SCN"}


def table(inputs: int, entries: Sequence[tuple[int, ...]]) -> bytes:
    """Return a table of an ICC profile (lut8Type) with two points in each direction."""
    outputs = len(entries[0])
    unit = struct.pack(">9i", *(65536 if n % 4 == 0 else 0 for n in range(9)))
    ramp = bytes(range(256))
    points = b"".join(bytes(entry) for entry in entries)
    return b"mft1" + bytes(4) + bytes([inputs, outputs, 2, 0]) + unit + ramp * inputs + points + ramp * outputs


def profile(kind: bytes = b"prtr", space: bytes = b"CMYK") -> bytes:
    """Return the profile of a made-up press: black where it is dark, else magenta or cyan, and yellow."""
    inks = [
        (0, 0, 0, 255) if not light else (0 if red else 255, 255 if red else 0, 255 if yellow else 0, 0)
        for light, red, yellow in product((0, 1), repeat=3)
    ]
    seen = [(255 - k, 128 + (m - c) // 3, 128 + y // 3) for c, m, y, k in product((0, 255), repeat=4)]
    name = b"Test press\0"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(name)) + name + bytes(78),
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": b"XYZ " + bytes(4) + struct.pack(">3i", 63190, 65536, 54061),
        b"A2B0": table(4, seen),
        b"B2A0": table(3, inks),
    }
    at = 128 + 4 + 12 * len(tags)
    rows, body = b"", b""
    for tag, data in tags.items():
        padded = data + bytes(-len(data) % 4)
        rows += tag + struct.pack(">2I", at + len(body), len(data))
        body += padded
    head = bytearray(128)
    head[8:12] = bytes([2, 64, 0, 0])
    head[12:16], head[16:20], head[20:24], head[36:40] = kind, space, b"Lab ", b"acsp"
    head[68:80] = struct.pack(">3i", 63190, 65536, 54061)
    whole = bytes(head) + struct.pack(">I", len(tags)) + rows + body
    return struct.pack(">I", len(whole)) + whole[4:]


def inks_of(pdf: pikepdf.Pdf) -> set[tuple[float, ...]]:
    """Return all colours of a file, and see that they are inks."""
    owners = [*pdf.pages, *(o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form")]
    steps = [step for owner in owners for step in pikepdf.parse_content_stream(owner)]
    assert {str(step.operator) for step in steps} & LIGHT == set()
    return {tuple(float(part) for part in step.operands) for step in steps if str(step.operator) in {"k", "K"}}


def with_picture(colours: int) -> str:
    """Return the board with a picture of dots, half transparent."""
    image = Image.new("RGBA", (64, 64))
    image.putdata([(n % colours, n % colours // 256 * 40, 7 * (n % colours) % 256, 128) for n in range(64 * 64)])
    content = io.BytesIO()
    image.save(content, "PNG")
    data = b64encode(content.getvalue()).decode()
    return BOARD.replace(
        "<rect x=",
        f'<image x="60" y="5" width="50" height="50" xlink:href="data:image/png;base64,{data}" /><rect x=',
        1,
    ).replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ', 1)


def test_pictures_of_few_colours_are_ink_too() -> None:
    press = PressProfile(profile(), "press.icc")
    plain = print_and_play(with_picture(90), [], PrintJob("poster"), title="Test").pdf
    with pikepdf.open(io.BytesIO(separate_colours(plain, press))) as pdf:
        images = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image"]
        (picture,) = [image for image in images if "/SMask" in image]
        assert str(picture.ColorSpace) == "/DeviceCMYK"
        assert len(picture.read_bytes()) == 64 * 64 * 4
        assert set(picture.read_bytes()[:4]) == {0, 255}  # black is black ink alone
        assert str(picture.SMask.ColorSpace) == "/DeviceGray"
    many = print_and_play(with_picture(4096), [], PrintJob("poster"), title="Test").pdf
    with pytest.raises(PrintError, match=r"a picture of .* colours, which cannot be separated; leave it out"):
        separate_colours(many, press)


def test_every_colour_is_ink_and_the_standard_is_declared() -> None:
    press = PressProfile(profile(), "press.icc")
    plain = print_and_play(BOARD, [], PrintJob("poster", bleed=3), title="Test").pdf
    done = separate_colours(plain, press)
    assert done == separate_colours(plain, press)
    with pikepdf.open(io.BytesIO(done)) as pdf:
        inks = inks_of(pdf)
        assert (0.0, 0.0, 0.0, 1.0) in inks  # black words
        red = press.inks([(200 / 255, 50 / 255, 31 / 255)])[200 / 255, 50 / 255, 31 / 255]
        assert any(one == pytest.approx(red, abs=0.01) for one in inks)
        assert red[1] > red[0] + 0.1
        assert red[2] > red[0]
        assert pdf.pdf_version == "1.6"
        (intent,) = list(pdf.Root.OutputIntents)
        assert (str(intent.S), str(intent.Info)) == ("/GTS_PDFX", "Test press")
        assert intent.DestOutputProfile.read_bytes() == profile()
        assert int(intent.DestOutputProfile.N) == 4
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-4"
        assert str(pdf.docinfo["/Trapped"]) == "/False"
        with pdf.open_metadata() as about:
            assert about["{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"] == "PDF/X-4"
            assert about["dc:title"] == "Test"
        for page in pdf.pages:
            trim, media = ([float(v) for v in box] for box in (page.TrimBox, page.MediaBox))
            assert media[0] <= trim[0] < trim[2] <= media[2]
        assert not any("ICCBased" in str(page.resources) for page in pdf.pages)


def test_greys_are_black_ink_alone() -> None:
    found = PressProfile(profile(), "press.icc").inks([(0.0,), (0.25, 0.25, 0.25), (1.0, 1.0, 1.0)])
    assert found == {(0.0,): (0, 0, 0, 1), (0.25, 0.25, 0.25): (0, 0, 0, 0.75), (1.0, 1.0, 1.0): (0, 0, 0, 0)}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"no profile", "this is not an ICC profile"),
        (profile(b"mntr", b"RGB "), "a profile of a RGB device"),
        (profile()[:-900], "cut short"),
        (struct.pack(">I", 140) + profile()[4:128] + bytes(12), "cannot be used"),
    ],
)
def test_other_files_are_refused(data: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "p.icc"
    file.write_bytes(data)
    with pytest.raises(PrintError, match=says):
        read_profile(file)
    with pytest.raises(WorkspaceError, match="cannot be read"):
        read_profile(tmp_path / "gone.icc")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.icc")
    with pytest.raises(SourceError, match="this is a pipe or a device"):
        read_profile(tmp_path / "p.icc")


def test_the_command_writes_it_or_nothing(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "tiny.json"
    board.write_text(tiny_board().model_dump_json(), encoding="utf-8")
    (tmp_path / "p.icc").write_bytes(profile())
    out = tmp_path / "p.pdf"
    done = run("print", board, "--paper", "poster", "--only", "board", "--cmyk", tmp_path / "p.icc", "--out", out)
    assert done.code == 0
    assert "PDF/X-4 in the inks of 'Test press'" in done.err
    with pikepdf.open(out) as pdf:
        assert inks_of(pdf)
    (tmp_path / "p.icc").write_bytes(b"no")
    done = run("print", board, "--cmyk", tmp_path / "p.icc", "--out", tmp_path / "q.pdf")
    assert done.code == 1
    assert "p.icc: this is not an ICC profile" in done.err
    assert not (tmp_path / "q.pdf").exists()
