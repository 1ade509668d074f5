"""Privacy of aggregate location data: attacks, defenses and bounds behind one vocabulary.

Importing this package defines names and does nothing else; each submodule is imported when it is
first used (`lib.metrics.auc(...)`).
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    from pkgutil import iter_modules  # here, for whoever imports the package waits for it

    if name in {module.name for module in iter_modules(__path__)} and not name.startswith("_"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'lib' has no attribute {name!r}")
