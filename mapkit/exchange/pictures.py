"""Names of pictures in exports."""

import hashlib


def hashed_name(stem: str, png: bytes) -> str:
    """Return the name of a picture with a hash of its content, so that clients that cache by URL fetch changed ones."""
    return f"{stem}-{hashlib.sha256(png).hexdigest()[:10]}.png"
