"""A leaderboard of releases: each is attacked with the same attacks on the same population.

A release is a function `release(traces, groups, rng) -> counts`: what would be published about each
group, an array of shape (n_groups, n_rois, n_epochs). Its *risk* is the mean AUC of the best
attack, its *error* the share of counts in the wrong cell. `python -m lib.chapters.labs board
FOLDER` evaluates every release in a folder of Python files that define such a function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib import metrics
from lib.aggregation import aggregate, sample_member_groups
from lib.datasets import load
from lib.randomness import stream
from lib.traces import Traces

Release = Callable[[Traces, np.ndarray, np.random.Generator], np.ndarray]
SIZE, N_GROUPS, N_TARGETS, LEAST_VISITS = 200, 160, 5, 10


def population() -> Traces:
    """Load aircraft in the second week of the standard window, the population of the leaderboard.

    Returns
    -------
    Traces
        The traces.
    """
    return load("flights-by-tail").select(epochs=slice(168, 336))


def total(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """Sum the released counts over the target's cells.

    Parameters
    ----------
    released : ndarray of shape (n_groups, n_rois, n_epochs)
        The released counts.
    cells : ndarray of bool, shape (n_rois, n_epochs)
        The target's cells.
    *_ : object
        Ignored.

    Returns
    -------
    ndarray of shape (n_groups,)
        The scores.
    """
    return released[:, cells].sum(axis=1)


def weighted(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """Sum the target's cells, with larger weights where place and hour make a low count likely.

    Parameters
    ----------
    released : ndarray of shape (n_groups, n_rois, n_epochs)
        The released counts.
    cells : ndarray of bool, shape (n_rois, n_epochs)
        The target's cells.
    *_ : object
        Ignored.

    Returns
    -------
    ndarray of shape (n_groups,)
        The scores.
    """
    shares = np.maximum(released, 0)
    places, hours = shares.sum(axis=2), shares.sum(axis=1)
    among = np.maximum(places.sum(axis=1), 1)[:, None, None]
    expected = places[:, :, None] * hours[:, None, :] / among
    return (released * np.log1p(1 / (expected + 0.02)))[:, cells].sum(axis=1)


def seen(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """Count the target's cells with a released count of at least one.

    Parameters
    ----------
    released : ndarray of shape (n_groups, n_rois, n_epochs)
        The released counts.
    cells : ndarray of bool, shape (n_rois, n_epochs)
        The target's cells.
    *_ : object
        Ignored.

    Returns
    -------
    ndarray of shape (n_groups,)
        The scores.
    """
    return (released[:, cells] >= 0.5).sum(axis=1)


def learned(
    released: np.ndarray, cells: np.ndarray, examples: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Weigh the target's cells by what labelled releases of other groups show.

    Parameters
    ----------
    released : ndarray of shape (n_groups, n_rois, n_epochs)
        The released counts.
    cells : ndarray of bool, shape (n_rois, n_epochs)
        The target's cells.
    examples : ndarray of shape (n_examples, n_rois, n_epochs)
        Releases of groups that the attacker labels.
    members : ndarray of shape (n_examples,)
        Their labels: 1 with the target, 0 without.

    Returns
    -------
    ndarray of shape (n_groups,)
        The scores.
    """
    rows = examples[:, cells]
    apart = rows[members == 1].mean(axis=0) - rows[members == 0].mean(axis=0)
    return released[:, cells] @ (apart / (rows.var(axis=0) + 0.01))


ATTACKS = {"total": total, "weighted": weighted, "seen": seen, "learned": learned}


def evaluate(release: Release, traces: Traces, seed: int = 1) -> pd.DataFrame:
    """Attack a release with every attack.

    Parameters
    ----------
    release : callable
        The release.
    traces : Traces
        The population.
    seed : int, default 1
        Seed of targets, groups and the release.

    Returns
    -------
    pandas.DataFrame
        A row for each target: the AUC of each attack, and the release's error.

    Raises
    ------
    ValueError
        If the release does not have the shape of the counts, or has a value that is not finite.
    """
    visits = traces.visits().to_numpy()
    rng = stream(seed, "leaderboard", "targets")
    targets = rng.choice(np.flatnonzero(visits >= LEAST_VISITS), N_TARGETS, replace=False)
    rows = []
    for target in targets:
        rng = stream(seed, "leaderboard", int(target))
        everybody = np.arange(traces.n_users)
        known, asked = (
            sample_member_groups(everybody, int(target), N_GROUPS, SIZE, rng) for _ in range(2)
        )
        examples, published = (_checked(release, traces, each[0], rng) for each in (known, asked))
        cells = traces.trace(traces.users[target]) == 1
        row = {
            name: metrics.auc(asked[1], attack(published, cells, examples, known[1]))
            for name, attack in ATTACKS.items()
        }
        rows.append(row | {"error": misplaced(aggregate(traces, asked[0]), published)})
    return pd.DataFrame(rows, index=pd.Index(traces.users[targets], name="target"))


def misplaced(raw: np.ndarray, released: np.ndarray) -> float:
    """Return the mean share of a group's counts that is in the wrong cell; negative counts are 0.

    Parameters
    ----------
    raw, released : ndarray of shape (n_groups, n_rois, n_epochs)
        The counts and their release. A release without any count is entirely wrong: 1.

    Returns
    -------
    float
        The share.
    """
    flat, made = raw.reshape(len(raw), -1), np.maximum(released.reshape(len(raw), -1), 0)
    sums = made.sum(axis=1, keepdims=True)
    shares = np.divide(made, sums, out=np.zeros(made.shape), where=sums > 0)
    apart = np.abs(shares - flat / flat.sum(axis=1, keepdims=True)).sum(axis=1) / 2
    return float(np.where(sums[:, 0] > 0, apart, 1).mean())


def row(games: pd.DataFrame) -> dict[str, Any]:
    """Summarise the games of a release.

    Parameters
    ----------
    games : pandas.DataFrame
        What `evaluate` returns.

    Returns
    -------
    dict
        "risk", the mean AUC of the best attack; "by", its name; "error", the mean error.
    """
    aucs = games[list(ATTACKS)].mean()
    risk, error = float(aucs.max()), float(games["error"].mean())
    return {"risk": round(risk, 3), "by": str(aucs.idxmax()), "error": round(error, 3)}


def submit(name: str, release: Release, folder: str | Path = "releases") -> Path:
    """Write the source of a release to `<folder>/<name>.py`, to be handed in.

    Parameters
    ----------
    name : str
        Letters, digits and underscores.
    release : callable
        The release.
    folder : str or pathlib.Path, default "releases"
        Where to write.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError
        If the name cannot name a file, or the source of the release is unknown.
    """
    if not name.isidentifier():
        raise ValueError(f"name is {name!r}; letters, digits and _ were expected")
    try:
        source = inspect.getsource(release)
    except (OSError, TypeError):
        raise ValueError(f"the source of {release!r} is not known; give a function") from None
    file = Path(folder, f"{name}.py")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"import numpy as np\n\n\n{source}\n\nrelease = {release.__name__}\n")
    return file


def board(folder: str | Path, traces: Traces, seed: int = 1) -> pd.DataFrame:
    """Rank the releases of a folder; releases that no other beats come first.

    A release is *beaten* if another one has no more risk and no more error, and less of one of
    them.

    Parameters
    ----------
    folder : str or pathlib.Path
        Python files, each of which defines `release`.
    traces : Traces
        The population.
    seed : int, default 1
        Seed of all draws.

    Returns
    -------
    pandas.DataFrame
        Index: the file's name; columns: risk, by, error, beaten.

    Raises
    ------
    ValueError
        If the folder has no release, or a file defines none.
    """
    files = sorted(Path(folder).glob("*.py"))
    if not files:
        raise ValueError(f"{folder} holds no release; files as `submit` writes them were expected")
    rows = {file.stem: row(evaluate(_read(file), traces, seed)) for file in files}
    table = pd.DataFrame.from_dict(rows, "index").rename_axis("release")
    risk, error = table["risk"].to_numpy(), table["error"].to_numpy()
    as_good = (risk[:, None] >= risk) & (error[:, None] >= error)
    better = as_good & ((risk[:, None] > risk) | (error[:, None] > error))
    table["beaten"] = np.where(better.any(axis=1), "yes", "")
    return table.sort_values(["beaten", "risk", "error"])


def _checked(
    release: Release, traces: Traces, groups: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    made = np.asarray(release(traces, groups, rng), float)
    shape = (len(groups), traces.n_rois, traces.n_epochs)
    if made.shape != shape:
        raise ValueError(f"the release is {made.shape}; counts of {shape} were expected")
    if not np.isfinite(made).all():
        raise ValueError("the release holds a value that is not finite")
    return made


def _read(file: Path) -> Release:
    space: dict[str, Any] = {"__name__": file.stem}
    exec(compile(file.read_text(), str(file), "exec"), space)
    if not callable(space.get("release")):
        raise ValueError(f"{file.name} defines no function `release`")
    return space["release"]
