"""How every long computation continues after an interruption: results of finished parts as JSON.

The folder of the parts is named by the hash of everything that they depend on. So the same command
finds them again, and a command with other inputs does not.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from lib.execution import environment, results


class Checkpoints:
    """Results of the finished parts of a computation.

    Parameters
    ----------
    folder : pathlib.Path
        Where they are stored; created when the first is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, part: Hashable) -> Any:
        """Return the result of a part.

        Parameters
        ----------
        part : hashable
            Its name, or what identifies it.

        Returns
        -------
        object
            The result as JSON has it; None if the part is not finished.
        """
        try:
            return json.loads(self._file(part).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write(self, part: Hashable, result: Any) -> None:
        """Store the result of a part, completely or not at all.

        Parameters
        ----------
        part : hashable
            Its name, or what identifies it.
        result : object
            Numbers, text, lists and mappings, but not None.
        """
        environment.write(self._file(part), json.dumps(result, default=results.as_plain))

    def remove(self) -> None:
        """Delete all results."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, part: Hashable) -> Path:
        name = part.replace(" ", "-") if isinstance(part, str) else ""
        if not name.replace("-", "").isalnum():
            text = json.dumps(part, default=results.as_plain)
            name = hashlib.sha256(text.encode()).hexdigest()[:16]
        return self.folder / f"{name}.json"
