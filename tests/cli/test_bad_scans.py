"""Bad PDFs and pictures: every command that reads scans refuses them in words, quickly, and writes nothing."""

import io
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from conftest import Run
from fuzz.readers import RAW
from PIL import Image
from scans.pdf_writer import PdfPage, pdf

pytestmark = pytest.mark.slow

COMMANDS = {
    "payoffs read": ("--out", "out/chart.csv", "--html", "out/doubts.html"),
    "payoffs check": ("--format", "json", "--out", "out/found.json"),
    "destinations read": ("--out", "out/charts.csv"),
    "destinations check": ("--out", "out/charts.csv"),
    "railroads read": ("--out", "out/prices.csv"),
    "trace-scan": ("--crops", "out/crops"),
    "place-scan": (),
}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(wide: int, high: int, data: bytes, *more: bytes) -> bytes:
    """Return a grey PNG of any size that its header says."""
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def text_bomb() -> bytes:
    """Return a small picture with texts that unpack to 240 MB."""
    texts = [_chunk(b"zTXt", b"a%d\0\0" % i + zlib.compress(b"x" * 60_000_000)) for i in range(4)]
    return png(300, 300, zlib.compress(b"\xff" * 301 * 300), *texts)


def saved(picture: Image.Image, kind: str) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind)
    return stream.getvalue()


def encrypted() -> bytes:
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf([PdfPage()]))) as document:
        document.save(stream, encryption=pikepdf.Encryption(owner="a", user="b"))
    return stream.getvalue()


def many_pages() -> bytes:
    """Return a PDF of 10,000 pages."""
    stream = io.BytesIO()
    with pikepdf.new() as document:
        for _ in range(10_000):
            document.add_blank_page()
        document.save(stream)
    return stream.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "encrypted.pdf": encrypted,
    "cut.pdf": lambda: pdf([PdfPage()])[:200],
    "damaged.pdf": lambda: b"%PDF-1.7\nnothing\n%%EOF\n",
    "pages.pdf": many_pages,
    "objects.pdf": lambda: b"%PDF-1.4\n" + b"1 0 obj\n1\nendobj\n" * 1_000_000 + b"trailer<<>>\n%%EOF\n",
    "huge.png": lambda: png(100_000, 100_000, zlib.compress(b"\0" * 1000)),
    "long.png": lambda: png(100_000, 40, zlib.compress(b"\0" * 100_001 * 40)),
    "texts.png": text_bomb,
    "cut.jpg": lambda: saved(Image.effect_noise((400, 300), 80), "JPEG")[:5000],
    "other.gif": lambda: saved(Image.new("L", (300, 300), 200), "GIF"),
    "empty.png": bytes,
    "name.tif": lambda: b"II*\0" + b"\xff" * 400,
}


@cache
def content(name: str) -> bytes:
    return FILES[name]()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", FILES)
def test_it_is_refused_in_words_and_nothing_is_written(
    name: str, command: str, example: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content(name))
    (example / "control_points.csv").unlink(missing_ok=True)
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    done = run(*command.split(), name, "--board", "example", *COMMANDS[command])
    assert (done.code, done.out) == (1, "")
    assert name in done.err
    assert not RAW.search(done.err), done.err
    assert {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()} == before
    assert not (tmp_path / "out").exists()
