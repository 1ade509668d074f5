"""Inputs that nobody would write, and what has to become of every one of them.

Each module has a strategy `cases` and a function `judge(case, ...)` that says "refused" or
"accepted"; whatever else happens is an error:

    refused   a ValueError or FileNotFoundError that `lib` raised itself, in at most 2,000
              characters
    accepted  a result that passes the check that stands beside the case
"""

from __future__ import annotations

import dataclasses
import linecache
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import NotFittedError

LIB = Path(__file__).parents[2] / "lib"
LONGEST = 2_000  # characters of a message


class WrongError(AssertionError):
    """What must not happen."""


def judged(call: Callable[[], Any], sane: Callable[[Any], Any], *words: str) -> str:
    """ "refused" or "accepted"; an error if it is neither.

    sane   what is wrong with a result, in words; nothing if nothing is
    words  of which a refusal must hold at least one
    """
    try:
        with np.errstate(all="ignore"):
            found = call()
    except (ValueError, FileNotFoundError) as error:
        check_refusal(error, words)
        return "refused"
    except Exception as error:
        raise WrongError(f"{type(error).__name__}: {str(error)[:300]}") from error
    wrong = sane(found)
    if wrong:
        raise WrongError(f"accepted, but {wrong}")
    return "accepted"


def check_refusal(error: ValueError | FileNotFoundError, words: tuple[str, ...] = ()) -> None:
    """A refusal is `lib`'s own, short, and says what it is about."""
    said = str(error)
    if not isinstance(error, NotFittedError) and not _raised_in_lib(error):
        raise WrongError(f"not refused but stumbled over: {said[:300]}") from error
    if not 10 <= len(said) <= LONGEST:
        raise WrongError(f"a refusal of {len(said)} characters: {said[:300]}") from error
    if words and not any(word in said for word in words):
        raise WrongError(f"a refusal without any of {words}: {said[:300]}") from error


def _raised_in_lib(error: BaseException) -> bool:
    """Whether the last line of the traceback is a `raise` in a module of `lib`."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    file = trace.tb_frame.f_code.co_filename
    line = linecache.getline(file, trace.tb_lineno).strip()
    return Path(file).is_relative_to(LIB) and line.startswith("raise")


def not_finite(found: Any) -> str:
    """Where a result holds NaN or an infinity, in words; nothing if it does not."""
    for number in _numbers(found):
        if number.dtype.kind in "fc" and not np.isfinite(number).all():
            return f"the result holds {number[~np.isfinite(number)].flat[0]}"
    return ""


def _numbers(found: Any) -> Iterator[np.ndarray]:
    if isinstance(found, (pd.DataFrame, pd.Series)):
        found = found.to_numpy()
    if sparse.issparse(found):
        found = found.data
    if isinstance(found, (int, float, complex, np.generic)):
        yield np.atleast_1d(np.asarray(found))
    elif isinstance(found, np.ndarray):
        yield from [found] if found.dtype != object else map(np.atleast_1d, map(np.asarray, found))
    elif isinstance(found, Mapping):
        for each in found.values():
            yield from _numbers(each)
    elif isinstance(found, (list, tuple)):
        for each in found:
            yield from _numbers(each)
    elif dataclasses.is_dataclass(found) and not isinstance(found, type):
        for field in dataclasses.fields(found):
            yield from _numbers(getattr(found, field.name))
