"""A leaderboard of releases: each played against the same toolbox of attacks, on one population.

A release is a function `release(traces, groups, rng) -> counts`: what would be published of each
group, (n_groups, n_rois, n_epochs). Its *risk* is the mean AUC of the best attack, its *error* the
share of counts in the wrong cell. `python -m lib.chapters.labs board FOLDER` plays every release of
a folder: Python files that define such a function.
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
    """Aircraft in the second week of the standard four: what every release is played on."""
    return load("flights-by-tail").select(epochs=slice(168, 336))


def total(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """The sum over the target's cells."""
    return released[:, cells].sum(axis=1)


def weighted(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """That sum, each cell weighed by how few its place and its hour let expect."""
    shares = np.maximum(released, 0)
    places, hours = shares.sum(axis=2), shares.sum(axis=1)
    among = np.maximum(places.sum(axis=1), 1)[:, None, None]
    expected = places[:, :, None] * hours[:, None, :] / among
    return (released * np.log1p(1 / (expected + 0.02)))[:, cells].sum(axis=1)


def seen(released: np.ndarray, cells: np.ndarray, *_: Any) -> np.ndarray:
    """The number of the target's cells in which at least one is counted."""
    return (released[:, cells] >= 0.5).sum(axis=1)


def learned(
    released: np.ndarray, cells: np.ndarray, examples: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """A weight for each of the target's cells, from releases of other groups that she labels."""
    rows = examples[:, cells]
    apart = rows[members == 1].mean(axis=0) - rows[members == 0].mean(axis=0)
    return released[:, cells] @ (apart / (rows.var(axis=0) + 0.01))


ATTACKS = {"total": total, "weighted": weighted, "seen": seen, "learned": learned}


def played(release: Release, traces: Traces, seed: int = 1) -> pd.DataFrame:
    """Plays a release against each attack. A row a target: the attacks' AUCs, and the error.

    Raises ValueError if the release has not the shape of the counts, or a value that is not finite.
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
    """The mean share of a group's counts that is in the wrong cell; negative counts are 0.

    raw, released  (n_groups, n_rois, n_epochs). A release without any count is all wrong: 1.
    """
    flat, made = raw.reshape(len(raw), -1), np.maximum(released.reshape(len(raw), -1), 0)
    sums = made.sum(axis=1, keepdims=True)
    shares = np.divide(made, sums, out=np.zeros(made.shape), where=sums > 0)
    apart = np.abs(shares - flat / flat.sum(axis=1, keepdims=True)).sum(axis=1) / 2
    return float(np.where(sums[:, 0] > 0, apart, 1).mean())


def row(games: pd.DataFrame) -> dict[str, Any]:
    """A release's line: the best attack's mean AUC over targets, its name, and the mean error."""
    aucs = games[list(ATTACKS)].mean()
    risk, error = float(aucs.max()), float(games["error"].mean())
    return {"risk": round(risk, 3), "by": str(aucs.idxmax()), "error": round(error, 3)}


def submit(name: str, release: Release, folder: str | Path = "releases") -> Path:
    """Writes the source of a release to <folder>/<name>.py, to be handed in.

    Raises ValueError for a name that is no file's, and for a release whose source is not known.
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
    """The leaderboard of a folder of releases, a row each: those that nothing beats come first.

    A release is *beaten* if another has no more risk and no more error, and less of one of them.
    Raises ValueError if there is none, or one that defines no `release`.
    """
    files = sorted(Path(folder).glob("*.py"))
    if not files:
        raise ValueError(f"{folder} holds no release; files as `submit` writes them were expected")
    rows = {file.stem: row(played(_read(file), traces, seed)) for file in files}
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
