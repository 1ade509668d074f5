"""What an executed notebook keeps of its run: pictures made small, and what it was made with."""

from __future__ import annotations

import base64
import io
import sys
from datetime import UTC, datetime
from typing import Any

from PIL import Image

from lib.execution import results

COLORS_OF_A_PICTURE = 128


def made_with() -> dict[str, str]:
    """When and with which versions a page is executed: a date without a time, so that two
    executions of a day give the same bytes."""
    names = {"Python": ".".join(map(str, sys.version_info[:3])), **results.packages()}
    versions = ", ".join(f"{name} {version}" for name, version in names.items())
    return {"date": datetime.now(UTC).date().isoformat(), "versions": versions}


def smaller(bundle: dict[str, Any]) -> None:
    """Gives the PNG of a displayed bundle a palette, which takes a third of the bytes.

    Text and lines of a figure have few colours; nobody sees the difference. The same picture gives
    the same bytes.
    """
    if "image/png" not in bundle:
        return
    picture = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    if picture.mode == "P":
        return
    packed = io.BytesIO()
    few = picture.convert("RGB").quantize(COLORS_OF_A_PICTURE, dither=Image.Dither.NONE)
    few.save(packed, "PNG", optimize=True)
    bundle["image/png"] = base64.b64encode(packed.getvalue()).decode()
