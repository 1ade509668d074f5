"""Docstrings of everything public have the sections that `[tool.numpydoc_validation]` names."""

import importlib
import inspect
import pkgutil
import tomllib
from pathlib import Path

import pytest
from numpydoc.validate import validate

import lib

ROOT = Path(__file__).parents[2]
CHECKS = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "numpydoc_validation"
    ]["checks"]
)
SIGNATURE = {"PR01", "PR02", "PR03", "RT01"}
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(lib.__path__, "lib.")
    if not module.ispkg and not module.name.endswith("__main__")
)


def public(module):
    """Yield the names of a module's public classes, functions and methods.

    With each comes what need not be documented there: the signature of a method that overrides
    another, and of a class that documents attributes or has no constructor of its own.
    """
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield f"{module.__name__}.{name}", set()
        if inspect.isclass(value):
            built = "__init__" in vars(value) and not getattr(value, "_is_protocol", False)
            listed = "Attributes\n" in (value.__doc__ or "")
            yield f"{module.__name__}.{name}", SIGNATURE if listed or not built else set()
            for method, found in vars(value).items():
                function = getattr(found, "__func__", found)
                own = inspect.isfunction(function) and function.__name__ == method
                if own and not method.startswith("_"):
                    overrides = any(hasattr(base, method) for base in value.__bases__)
                    yield f"{module.__name__}.{name}.{method}", SIGNATURE if overrides else set()


@pytest.mark.parametrize("name", MODULES)
def test_a_docstring_tells_what_goes_in_and_what_comes_out(name):
    found = [
        f"{at}: {code} {message}"
        for at, exempt in public(importlib.import_module(name))
        for code, message in validate(at)["errors"]
        if code in CHECKS - exempt
    ]
    assert found == []
