"""What a chapter accepts, declared in `notebooks/params/<chapter>.yml`, and the checks of it.

`Parameter.check` checks a value alone. `check_together` checks what only holds between several
values, such as a number below another, once all values of a run are known.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from operator import le, lt
from pathlib import Path
from typing import Any

import pandas as pd

from lib.datasets import cards, files, is_file, label, records
from lib.execution import environment, yaml_text
from lib.reading import times
from lib.validation import format_value

_NAMED = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false"}


class ParameterError(ValueError):
    """A parameter that a chapter does not have or does not accept."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a chapter.

    Parameters
    ----------
    name, type, default, help : object
        The name; int, float, bool, str, list[...] or dict[str, ...] of these; the default value;
        the help text.
    choices : tuple
        Values that are allowed; for a list or a mapping, of each of its values.
    keys : tuple of str
        Names that a mapping may have; "datasets" also allows the chosen datasets.
    min, max, above : float or str, optional
        Bounds of every number; `min` and `max` are themselves allowed, `above` is not.
    even, ascending, distinct : bool
        Whether every number is even; whether the numbers of a list increase; whether none is
        repeated.
    most : int, optional
        Largest length of a list.
    nonempty : bool
        Whether an empty list or text is refused.
    duration, whole : bool and str
        The text is a length of time, such as 12h or 7D. `min` and `max` are then such texts, and
        the value is a multiple of `whole`.
    path : bool
        The text names a file or folder, relative to the reader's folder; empty for none.
    of : str
        The dataset that is read from this path; a path is refused if `datasets` does not name it.
    own : bool
        A value may also be a reader's file, a table or a card.
    below, up_to, among : str or tuple of str
        Other parameters: every number is below this one, at most this one, or one of theirs.
    """

    name: str
    type: str
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    keys: tuple[str, ...] = ()
    min: Any = None
    max: Any = None
    above: float | None = None
    even: bool = False
    ascending: bool = False
    distinct: bool = False
    most: int | None = None
    nonempty: bool = True
    duration: bool = False
    whole: str = ""
    path: bool = False
    of: str = ""
    own: bool = False
    below: str = ""
    up_to: str = ""
    among: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """Check a value.

        Parameters
        ----------
        value : object
            The value.

        Returns
        -------
        object
            The value as the chapter gets it.

        Raises
        ------
        ParameterError
            If it is not accepted; the message says what would be.
        """
        try:
            found = _read(value, self.type)
        except TypeError:
            raise self._refused(value, _in_words(self.type)) from None
        for key in found if isinstance(found, dict) and self.keys else ():
            if key not in self.keys and not self.own:
                raise self._refused(
                    value, f"names among {', '.join(self.keys)}{_near(key, self.keys)}"
                )
        for each in _inside(found):
            self._check_one(value, each)
        self._check_list(value, found)
        return found

    def _check_one(self, value: Any, each: Any) -> None:
        """One number or text of the value."""
        if self.own and self.choices and is_file(each):
            if not _is_there(each) or not Path(each).expanduser().is_file():
                raise self._refused(value, f"a file that is there, unlike {format_value(each)},")
            if label(each) in self.choices:
                raise self._refused(value, f"a file of another name: {label(each)} is a dataset")
        elif self.choices and each not in self.choices:
            own = ", or your own table or card (.csv, .yml)" if self.own else ""
            near = _near(each, self.choices)
            raise self._refused(value, f"one of {', '.join(map(str, self.choices))}{own}{near}")
        if self.duration:
            self._check_duration(value, each)
        elif not self._in_range(each):
            raise self._refused(value, self._range())
        if self.even and each % 2:
            raise self._refused(value, f"an even number, unlike {format_value(each)},")
        if self.path and each and not _is_there(each):
            raise self._refused(value, "a file or folder that is there")

    def _check_duration(self, value: Any, each: str) -> None:
        try:
            found = times.parse_duration(self.name, each)
        except ValueError:
            raise self._refused(value, "a length of time such as 12h or 7D") from None
        low, high = (pd.Timedelta(end) if end else found for end in (self.min, self.max))
        if not low <= found <= high:
            raise self._refused(value, self._range())
        if self.whole and found % pd.Timedelta(self.whole):
            raise self._refused(value, f"a multiple of {self.whole}")

    def _check_list(self, value: Any, found: Any) -> None:
        """How many values there are, and in which order."""
        if not isinstance(found, list):
            return
        if self.nonempty and not found:
            raise self._refused(value, "at least one value")
        if self.most is not None and len(found) > self.most:
            raise self._refused(value, f"at most {self.most} values")
        if self.ascending and any(low >= high for low, high in pairwise(found)):
            raise self._refused(value, "each value above the one before")
        labels = [label(each) if self.own else repr(each) for each in found]
        if self.distinct and len(set(labels)) < len(labels):
            raise self._refused(value, "no value twice")

    def check_beside(self, value: Any, values: Mapping[str, Any]) -> None:
        """Check a value against the values of other parameters.

        Parameters
        ----------
        value : object
            The value, which `check` accepts.
        values : mapping
            The values of all parameters.

        Raises
        ------
        ParameterError
            If they do not go together.
        """
        numbers = list(_inside(value))
        for name, allowed, word in ((self.below, lt, "below"), (self.up_to, le, "at most")):
            if name and not all(allowed(each, values[name]) for each in numbers):
                raise self._refused(value, f"{word} {name}, which is {values[name]},")
        if self.of and value and self.of not in values["datasets"]:
            named = ", ".join(values["datasets"])
            raise self._refused(value, f"{self.of} among datasets, which are {named},")
        theirs = [each for name in self.among for each in _inside(values[name])]
        if self.among and not set(numbers) <= set(theirs):
            known = ", ".join(map(str, sorted(set(theirs))))
            raise self._refused(value, f"nothing but values of {' or '.join(self.among)} ({known})")
        if self.own and isinstance(value, dict):
            names = [*self.keys, *map(label, values["datasets"])]
            for key in value:
                if key not in names:
                    raise self._refused(value, f"names among {', '.join(names)}{_near(key, names)}")

    def _in_range(self, value: Any) -> bool:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return True
        return (
            (self.min is None or value >= self.min)
            and (self.max is None or value <= self.max)
            and (self.above is None or value > self.above)
        )

    def _range(self) -> str:
        bounds = [("at least", self.min), ("above", self.above), ("at most", self.max)]
        said = [(word, value) for word, value in bounds if value is not None]
        return " and ".join(f"{word} {_plainly(value)}" for word, value in said)

    def _refused(self, value: Any, expected: str) -> ParameterError:
        return ParameterError(
            f"{self.name} is {format_value(value)}; {expected} was expected ({self})"
        )

    def __str__(self) -> str:
        said = [self.type, self._range()]
        said += [f"one of {', '.join(map(str, self.choices))}"] if self.choices else []
        said += ["or your own table or card"] if self.own and self.choices else []
        yours = ", or of your own data" if self.own else ""
        said += [f"names: {', '.join(self.keys)}{yours}"] if self.keys else []
        said += [word for word in ("even", "ascending", "distinct") if getattr(self, word)]
        said += [f"at most {self.most} values"] if self.most is not None else []
        said += [f"a multiple of {self.whole}"] if self.whole else []
        said += [f"below {self.below}"] if self.below else []
        said += [f"at most {self.up_to}"] if self.up_to else []
        said += [f"among those of {', '.join(self.among)}"] if self.among else []
        return ", ".join(filter(None, said)) + f": {self.help}"


def _read(value: Any, kind: str) -> Any:
    """Convert a value to a type (YAML reads 1e-3 as text); TypeError if impossible."""
    outer, _, inner = kind.partition("[")
    inner = inner.removesuffix("]")
    if outer == "list" and isinstance(value, list):
        return [_read(each, inner) for each in value]
    if outer == "dict" and isinstance(value, dict):
        of = inner.partition(",")[2].strip()
        return {_read(key, "str"): _read(each, of) for key, each in value.items()}
    if outer == "float" and not isinstance(value, bool) and isinstance(value, (int, float, str)):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            raise TypeError from None
        if math.isfinite(number):
            return number
    if outer in ("int", "str", "bool") and type(value).__name__ == outer:
        return value
    raise TypeError


def _in_words(kind: str) -> str:
    outer, _, inner = kind.partition("[")
    inner = inner.removesuffix("]")
    if outer == "list":
        return f"a list, each of it {_in_words(inner)},"
    if outer == "dict":
        return f"a mapping from names to {_in_words(inner.partition(',')[2].strip())}"
    return _NAMED.get(outer, kind)


def _inside(value: Any) -> Iterator[Any]:
    """Yield every single value in lists and mappings; of a mapping, without its names."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _inside(each)
    else:
        yield value


def _near(value: Any, known: Iterable[Any]) -> str:
    near = get_close_matches(str(value), map(str, known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _plainly(value: Any) -> str:
    """Write a bound as people do: 100000, 1e-06, 12h."""
    return str(value) if isinstance(value, (int, str)) else f"{value:g}"


# -- of a chapter ----------------------------------------------------------------------------------


def chapters() -> list[str]:
    """List the notebooks that take parameters.

    Returns
    -------
    list of str
        Names of chapters.
    """
    return sorted(file.stem for file in environment.notebooks().glob("*.py"))


def parameters(chapter: str) -> list[Parameter]:
    """Read the parameters of a chapter.

    Parameters
    ----------
    chapter : str
        Its name.

    Returns
    -------
    list of Parameter
        The parameters in the order in which they are declared.

    Raises
    ------
    ParameterError
        If there is no such chapter (the message names the nearest one), or if a declaration is
        wrong.
    """
    entries = _declared(chapter).get("parameters") or {}
    return [_parameter(chapter, name, entry) for name, entry in entries.items()]


def _declared(chapter: str) -> dict[str, Any]:
    if chapter not in chapters():
        near = get_close_matches(chapter, chapters(), 1, 0)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        known = ", ".join(chapters())
        raise ParameterError(f"no notebook {format_value(chapter)}{meant} There are: {known}")
    file = environment.notebooks() / "params" / f"{chapter}.yml"
    try:
        return _entries(file.read_text(encoding="utf-8"))
    except yaml_text.YamlError as error:
        raise ParameterError(f"{file}, {error}") from None


@lru_cache(maxsize=32)
def _entries(text: str) -> dict[str, Any]:
    """Parse a declaration once; a sweep asks for it with every value."""
    found: dict[str, Any] = yaml_text.read(text) or {}
    return found


def _parameter(chapter: str, name: str, entry: Mapping[str, Any]) -> Parameter:
    known = {field.name for field in fields(Parameter)}
    for key in entry:
        if key not in known:
            near = get_close_matches(key, known, 1, 0)[0]
            raise ParameterError(f"{chapter}: {name} has {key!r}; did you mean {near!r}?")
    for key in ("type", "default", "help"):
        if key not in entry:
            raise ParameterError(f"{chapter}: {name} declares no {key!r}")
    several = {key: tuple(entry[key]) for key in ("choices", "keys", "among") if key in entry}
    found = Parameter(**{"name": name, **entry, **several})
    return Parameter(**{**vars(found), "default": found.check(found.default)})


def check_together(chapter: str, values: Mapping[str, Any]) -> None:
    """Check all values of a run against each other.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        Values of all its parameters.

    Raises
    ------
    ParameterError
        If some do not go together.
    """
    for p in parameters(chapter):
        p.check_beside(values[p.name], values)


def check(chapter: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Check each of some values alone.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        Values of some of its parameters.

    Returns
    -------
    dict
        The values as the chapter gets them.

    Raises
    ------
    ParameterError
        For an unknown parameter, or a value that is not accepted.
    """
    known = {p.name: p for p in parameters(chapter)}
    for name in values:
        if name not in known:
            near = get_close_matches(name, known, 1, 0)
            meant = f"; did you mean {near[0]!r} ({known[near[0]]})?" if near else ";"
            raise ParameterError(
                f"{chapter} has no parameter {format_value(name)}{meant} It has: {', '.join(known)}"
            )
    return {name: known[name].check(value) for name, value in values.items()}


def book_values(chapter: str) -> dict[str, Any]:
    """Return all values of a chapter in the book.

    Parameters
    ----------
    chapter : str
        The chapter.

    Returns
    -------
    dict
        The defaults, replaced by the declaration's `book` entry.
    """
    defaults = {p.name: p.default for p in parameters(chapter)}
    return defaults | check(chapter, _declared(chapter).get("book") or {})


def over_book(chapter: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values of the book by a reader's, and check them alone and together.

    Paths become relative to the folder in which chapters run, so that no name of a machine is
    stored.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        The reader's values.

    Returns
    -------
    dict
        The values of all parameters.

    Raises
    ------
    ParameterError
        For values that are not accepted.
    """
    usual = book_values(chapter)
    check_together(chapter, usual | check(chapter, values))
    return usual | from_book(chapter, values)


def from_book(chapter: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Check a reader's values alone, and make their paths relative to where chapters run.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        The reader's values.

    Returns
    -------
    dict
        The values as the chapter gets them.

    Raises
    ------
    ParameterError
        For values that are not accepted.
    """
    found = check(chapter, values)
    for p in parameters(chapter):
        if p.path and found.get(p.name):
            found[p.name] = _from_there(found[p.name])
        if p.own and p.choices and p.name in found:
            found[p.name] = [_from_there(x) if is_file(x) else x for x in found[p.name]]
    return found


def check_headers(chapter: str, several: Iterable[Mapping[str, Any]]) -> None:
    """Check the columns of the files that the values of runs name; each file is read once.

    Parameters
    ----------
    chapter : str
        The chapter.
    several : iterable of mapping
        The values of each run.

    Raises
    ------
    ParameterError
        If a file lacks a column.
    """
    looked_at: list[tuple[str, Any]] = []
    for values in several:
        for table, columns in _tables(chapter, values):
            if (table, columns) in looked_at:
                continue
            looked_at.append((table, columns))
            try:
                records.check_header(environment.book() / table, columns)
            except ValueError as error:
                raise ParameterError(str(error)) from error


def _tables(chapter: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield a reader's own tables and cards, each with the meaning of its columns."""
    for p in parameters(chapter):
        for each in values[p.name] if p.own and p.choices else ():
            if is_file(each):
                yield each, None
    if values.get("records"):
        yield values["records"], values.get("columns") or None


def _is_there(path: str) -> bool:
    try:
        return files.find(path).exists()
    except (FileNotFoundError, ValueError):  # also ~nobody, NUL, a name too long
        return False


def _from_there(path: str) -> str:
    return os.path.relpath(Path(path).expanduser(), environment.book())


def paths(chapter: str, values: Mapping[str, Any]) -> dict[str, Path]:
    """Return the files and folders that values name; for a card, also its table.

    Parameters
    ----------
    chapter : str
        The chapter.
    values : mapping
        Its values.

    Returns
    -------
    dict of str to pathlib.Path
        Path by name of the parameter; for datasets, by name of the file.

    Raises
    ------
    ValueError
        For a card that is wrong.
    """
    known = parameters(chapter)
    named = {p.name: values[p.name] for p in known if p.path and values.get(p.name)}
    files = {name: environment.book() / each for name, each in named.items()}
    for p in known:
        for each in values.get(p.name, ()) if p.own and p.choices else ():
            file = environment.book() / each
            if is_file(each):
                used = cards.read(file).files if cards.is_card(file) else [file]
                for one in used:  # two folders may have files of the same name
                    files[one.name if files.get(one.name, one) == one else str(one)] = one
    return files
