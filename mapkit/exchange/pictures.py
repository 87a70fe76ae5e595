"""Pictures that exports carry."""

import hashlib


def hashed_name(stem: str, png: bytes) -> str:
    """Return the name of a picture with a hash of its content: clients that cache by address fetch a changed one."""
    return f"{stem}-{hashlib.sha256(png).hexdigest()[:10]}.png"
