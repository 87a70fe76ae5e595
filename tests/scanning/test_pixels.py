"""Pictures that are read: what is refused before and while their pixels are decoded."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.formats import pixels as reader
from mapkit.formats.pixels import read_pixels


def saved(path: Path, mode: str = "RGB", exif: Image.Exif | None = None) -> Path:
    image = Image.new(mode, (64, 48))
    if exif is None:
        image.save(path)
    else:
        image.save(path, exif=exif)
    return path


def test_a_picture_is_read_as_red_green_and_blue(tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), (10, 20, 30)).save(tmp_path / "a.png")
    found = read_pixels(tmp_path / "a.png")
    assert found.shape == (48, 64, 3)
    assert found.dtype == np.uint8
    assert found[5, 5].tolist() == [10, 20, 30]


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif"])
def test_formats(suffix: str, tmp_path: Path) -> None:
    assert read_pixels(saved(tmp_path / f"a.{suffix}")).shape == (48, 64, 3)


def test_exif_turns_the_picture(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert read_pixels(saved(tmp_path / "a.jpg", exif=exif)).shape == (64, 48, 3)


def test_an_opaque_alpha_channel_is_dropped(tmp_path: Path) -> None:
    Image.new("RGBA", (64, 48), (1, 2, 3, 255)).save(tmp_path / "a.png")
    assert read_pixels(tmp_path / "a.png")[0, 0].tolist() == [1, 2, 3]


def test_a_picture_in_grey_or_with_a_palette_is_read(tmp_path: Path) -> None:
    for mode in ("L", "P", "1"):
        assert read_pixels(saved(tmp_path / f"{mode}.png", mode)).shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("mode", "name", "said"),
    [
        ("RGBA", "a.png", "a.png: parts of the picture are transparent; save it on white"),
        ("CMYK", "a.tif", "a.tif: the picture is in CMYK, the inks of a press; save it as RGB"),
        ("I;16", "a.png", "a.png: the picture has more than 8 bits a channel; save it with 8"),
        ("F", "a.tif", "a.tif: the picture has more than 8 bits a channel; save it with 8"),
    ],
)
def test_channels_that_are_not_read(mode: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        read_pixels(saved(tmp_path / name, mode))
    assert str(error.value) == said


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    (tmp_path / "bomb.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )
    with pytest.raises(SourceError, match=r"^bomb\.png: far more than the 60,000,000 pixels that are read"):
        read_pixels(tmp_path / "bomb.png")


def test_more_pixels_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_PIXELS", 3000)
    with pytest.raises(SourceError, match=r"a\.png: 64 by 48 pixels; at most 3,000 in all, so save a smaller copy"):
        read_pixels(saved(tmp_path / "a.png"))


def test_a_picture_that_is_far_longer_than_wide_is_refused(tmp_path: Path) -> None:
    Image.new("L", (32, 961)).save(tmp_path / "long.tif")
    with pytest.raises(
        SourceError, match=r"^long\.tif: 32 by 961 pixels; no page is so long, cut out what is to be read"
    ):
        read_pixels(tmp_path / "long.tif")
    Image.new("L", (32, 960)).save(tmp_path / "long.tif")
    assert read_pixels(tmp_path / "long.tif").shape == (960, 32, 3)


def test_a_picture_whose_last_row_is_half_covered_is_read(tmp_path: Path) -> None:
    """As mapkit's own drawings are, and those of other programs that draw pages."""
    picture = Image.new("RGBA", (64, 48), (10, 20, 30, 255))
    picture.paste((10, 20, 30, 64), (0, 47, 64, 48))
    picture.save(tmp_path / "a.png")
    pixels = read_pixels(tmp_path / "a.png")
    assert pixels[:47].reshape(-1, 3).tolist() == [[10, 20, 30]] * (47 * 64)
    assert pixels[47, 0].min() > 190
    picture.putpixel((30, 20), (10, 20, 30, 64))
    picture.save(tmp_path / "a.png")
    with pytest.raises(SourceError, match="parts of the picture are transparent"):
        read_pixels(tmp_path / "a.png")


def test_more_bytes_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_BYTES", 10)
    with pytest.raises(SourceError, match="is more than the limit of 10; save a smaller copy"):
        read_pixels(saved(tmp_path / "a.png"))


def test_a_tiny_picture_is_refused(tmp_path: Path) -> None:
    Image.new("RGB", (20, 400)).save(tmp_path / "a.png")
    with pytest.raises(SourceError, match="20 by 400 pixels; nothing can be seen in it"):
        read_pixels(tmp_path / "a.png")


@pytest.mark.parametrize("kept", [60, 200, 2000])
def test_a_damaged_picture_is_refused(kept: int, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (80, 80, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "a.png")
    (tmp_path / "a.png").write_bytes((tmp_path / "a.png").read_bytes()[:kept])
    with pytest.raises(SourceError, match=r"^a\.png: "):
        read_pixels(tmp_path / "a.png")


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tif"])
def test_a_picture_cut_or_changed_anywhere_is_read_or_refused(suffix: str, tmp_path: Path) -> None:
    """Pillow warns of some damage, and warnings are errors here."""
    path, chance = tmp_path / f"a.{suffix}", np.random.default_rng(26)
    Image.fromarray(chance.integers(0, 256, (40, 48, 3), dtype=np.uint8)).save(path)
    good = path.read_bytes()
    ends: set[object] = set()
    for at in chance.integers(1, len(good), 60).tolist():
        for data in (good[:at], good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :]):
            path.write_bytes(data)
            try:
                ends.add(read_pixels(path).shape)
            except SourceError as error:
                ends.add(str(error).partition(":")[0])
    assert f"a.{suffix}" in ends


def test_another_file_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("railroad,colour\n", encoding="utf-8")
    with pytest.raises(SourceError, match="not a picture that can be read; save it as PNG or JPEG"):
        read_pixels(tmp_path / "a.png")


def test_a_missing_picture(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"gone\.png: cannot be read from"):
        read_pixels(tmp_path / "gone.png")
