"""Figures and tables of Knock-Knock behind noise, from rows of `lib.studies.knock_knock_defenses`.

A mechanism has one colour in all of them: that of its place in the paper's list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from lib import summaries
from lib.mechanisms import Mechanism
from lib.plots import look
from lib.plots.knock_knock import titled
from lib.studies.knock_knock_defenses import BOUNDS, gains

PRIVACY_UNITS = {
    "LPA(Δ/ε)": "one user",
    "GSM": "one user",
    "FPA": "one user in one ROI",
    "EFPAG": "one user in one ROI",
    "LPA(1/ε)": "one visit",
}
BEHIND = ["data", "mechanism", "ε"]


def by_budget(means: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """The means of a table that has ε as its last label: a column for each."""
    values = means["mean"] if isinstance(means, pd.DataFrame) else means
    table = values.unstack("ε", sort=False)
    return table.add_prefix("ε = ").rename_axis(columns=None)


def noise(mechanisms: Mapping[str, Mechanism]) -> pd.DataFrame:
    """What each mechanism's promise costs: scale and standard deviation of one noisy number."""
    rows = {}
    for label, each in mechanisms.items():
        mechanism: Any = each
        normal = hasattr(mechanism, "delta")
        rows[label] = {
            "privacy unit": PRIVACY_UNITS[label],
            "sensitivity": mechanism.sensitivity,
            "noise": "Gaussian" if normal else "Laplace",
            "scale": mechanism.scale,
            "standard deviation": mechanism.scale * (1 if normal else 2**0.5),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("mechanism")


def spent_under_fpa(spent: pd.DataFrame) -> pd.DataFrame:
    """What users spend under FPA of a promised 1, a row a dataset."""
    table = spent.set_index("data").filter(like="FPA, ")
    table = table.rename(columns=lambda name: name.removeprefix("FPA, "))
    table.insert(0, "promised ε", 1.0)
    worst = spent.set_index("data")["most ROIs of a user"] ** 0.5
    return table.assign(**{"worst case, √k": worst})


def spent_under_efpag(spent: pd.DataFrame) -> pd.DataFrame:
    """What users spend under EFPAG of a promised 1, a row a dataset."""
    rows = spent.set_index("data")
    choices, worst = rows["EFPAG, choices"], (1 + rows["most ROIs of a user"] ** 0.5) / 2
    table = pd.DataFrame({"promised ε": 1.0, "noise": 0.5, "choices, largest of a user": choices})
    return table.assign(both=0.5 + choices, **{"worst case": worst})


def under_both_bounds(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Mean errors over releases with intervals, by the reading of the sanity bound and `by`."""
    each = {bound: summaries.means(rows, by, bound) for bound in BOUNDS}
    return pd.concat(each, names=["γ"])


def mean_gains(games: pd.DataFrame) -> pd.DataFrame:
    """Mean gain over targets with its interval, mean gain as printed and mean AUC."""
    rows, keys = gains(games), ["attacker", *BEHIND]
    means = rows.groupby(keys, sort=False)[["PG as printed", "AUC"]].mean().add_prefix("mean ")
    return summaries.means(rows, keys, "PG").join(means)


def show_gains(means: pd.DataFrame, data: str) -> None:
    """Two panels, passive and strategic: mean gain against ε, a line a mechanism.

    means  as `mean_gains` gives them
    """
    figure, axes = plt.subplots(2, 1, figsize=(6, 6.2), sharex=True, sharey=True)
    for ax, attacker in zip(axes, ("passive", "strategic"), strict=True):
        rows: Any = means.xs((attacker, data), level=["attacker", "data"])
        for i, (label, row) in enumerate(rows.groupby(level="mechanism", sort=False)):
            at = row.index.get_level_values("ε").to_numpy() * 1.12 ** (i - 2)
            spread = [row["mean"] - row["95% low"], row["95% high"] - row["mean"]]
            ax.errorbar(at, row["mean"], yerr=spread, capsize=3, **look(str(label)))
        ax.set(title=f"{attacker}, {titled(data)}", ylabel="privacy gain", ylim=(-0.1, 1.15))
        ax.set_xscale("log")
    axes[-1].set_xlabel("ε (points moved apart)")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3)
    plt.show()
