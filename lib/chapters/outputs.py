"""Outputs of executed notebooks: smaller pictures, and the versions that made them."""

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
    """Return when and with which versions a page is executed.

    Returns
    -------
    dict of str to str
        "date", without a time, so that two executions on one day give the same bytes, and
        "versions".
    """
    names = {"Python": ".".join(map(str, sys.version_info[:3])), **results.packages()}
    versions = ", ".join(f"{name} {version}" for name, version in names.items())
    return {"date": datetime.now(UTC).date().isoformat(), "versions": versions}


def smaller(bundle: dict[str, Any]) -> None:
    """Give the PNG of a displayed bundle a palette, which takes a third of the bytes.

    The lines and texts of a figure have few colours, so the difference is invisible. The same
    picture gives the same bytes.

    Parameters
    ----------
    bundle : dict
        The data of an output by MIME type; changed in place.
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
