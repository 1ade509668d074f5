"""Where the tests find files that are not part of the project."""

import os
from pathlib import Path

import pytest

_FOLDER = os.environ.get("AGGREGATE_LOCATION_DATA")
FOLDER = Path(_FOLDER) if _FOLDER else Path(__file__).parents[2] / "shared" / "data"


def needed(name):
    """A mark that skips a test, saying why, where the file is not there."""
    return pytest.mark.skipif(
        not (FOLDER / name).exists(),
        reason=f"{name} is neither in AGGREGATE_LOCATION_DATA nor in ../shared/data",
    )
