"""Many targets, each on her own: the same rows for any number of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

from lib import FINISHED_VARIABLE, metrics
from lib.membership.game import Task
from lib.membership.knock_knock import CLASSIFIERS, best, permuted_best, play

_SHUFFLES = 200  # of the test's labels, for the floor under BEST

_call = count()  # a chapter makes its calls in the same order every time


def over_targets(
    rows_of: Callable[[int], list[dict[str, Any]]],
    targets: Iterable[int],
    label: str,
    processes: int = 1,
) -> pd.DataFrame:
    """The rows of every target, in the targets' order, with a progress bar.

    rows_of    one target's position -> her rows; it must draw its randomness from the target alone
    processes  how many run at once, at least 1

    Where the environment names a folder for it (`FINISHED_VARIABLE`: the runner does), a target's
    rows are kept there as soon as she is finished, and read from there if the run is started again.
    """
    if processes < 1:
        raise ValueError(f"processes is {processes}; at least 1")
    targets = list(targets)
    folder = os.environ.get(FINISHED_VARIABLE)
    kept = Path(folder) / f"{next(_call):03d}-{label}" if folder else None
    done = Parallel(n_jobs=processes, return_as="generator")(
        delayed(_once)(rows_of, target, kept) for target in targets
    )
    rows = [row for each in tqdm(done, total=len(targets), desc=label) for row in each]
    return pd.DataFrame(rows)


def _once(
    rows_of: Callable[[int], list[dict[str, Any]]], target: int, folder: Path | None
) -> list[dict[str, Any]]:
    """A target's rows: from the folder, or played and, in one step, put there."""
    if folder is None:
        return rows_of(target)
    file = folder / f"{target}.json"
    if not file.exists():
        text = json.dumps(rows_of(target), default=lambda number: number.item())
        folder.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(f".{os.getpid()}")
        partial.write_text(text)
        partial.replace(file)
    found: list[dict[str, Any]] = json.loads(file.read_text())
    return found


def trial_rng(seed: int, *key: int) -> np.random.Generator:
    """The stream of one trial, named by whole numbers (a target, a group size, ...)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def attack(
    task: Task, rng: np.random.Generator, classifiers: Sequence[str] = CLASSIFIERS
) -> list[dict[str, Any]]:
    """One row a classifier with its AUC, one for BEST, and one for BEST on shuffled labels.

    BEST is the oracle that picks the classifier by its AUC on the test itself; the shuffled labels
    are its floor. Both only with several classifiers. Source: KK, Sec. VI-A.
    """
    scores = play(task, rng, classifiers)
    members = task.test_members
    rows = [{"classifier": c, "AUC": metrics.auc(members, s)} for c, s in scores.items()]
    if len(scores) > 1:
        floor = permuted_best(members, scores, rng, _SHUFFLES).mean()
        rows.append({"classifier": "BEST", "AUC": best(members, scores)[1]})
        rows.append({"classifier": "BEST, labels shuffled", "AUC": float(floor)})
    return rows
