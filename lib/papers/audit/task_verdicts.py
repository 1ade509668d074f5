"""Whether the statements about defenses and tasks hold by the stored results.

Source: Pyrgelis, Troncoso and De Cristofaro, Measuring membership privacy on aggregate location
time-series (2020). `STATEMENTS` lists what its abstract states, and `judged` decides on each.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from lib import metrics
from lib.papers.audit.task_experiments import DATA, DEFENSES
from lib.papers.figures import label

SPARSE = ("flights-by-number", "valleybike")  # counts of mean below one
KEEPS, TAKES = 0.8, 0.5  # share of a task that must be left, share of the attack's lead taken away
STATEMENTS = (
    ("suppression", "hotspot ranking", DATA),
    ("generalization", "forecasting", DATA),
    ("generalization", "hotspot discovery", DATA),
    ("generalization", "map inference", DATA),
    ("sampling", "location labelling", SPARSE),
    ("sampling", "anomaly detection", SPARSE),
)


def _decided(values: np.ndarray, bar: float, above: bool) -> str:
    """Whether a mean is at least the bar (or at most): yes, no, or inconclusive."""
    low = high = float(np.mean(values))
    if np.ptp(values):
        low, high = metrics.mean_interval(values)
    if above:
        return "yes" if low >= bar else "no" if high < bar else "inconclusive"
    return "yes" if high <= bar else "no" if low > bar else "inconclusive"


def summarize(rows: pd.DataFrame) -> pd.DataFrame:
    """Decide for each defense whether it protects, and which tasks it keeps.

    A defense protects if it takes away at least `TAKES` of the lead that the attack has on raw
    counts, by a paired interval over targets. It keeps a task if at least `KEEPS` of it is left,
    by an interval over draws where the defense is random.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `task_experiments.tasks`.

    Returns
    -------
    pandas.DataFrame
        A row for each dataset, defense and measure. Columns: data, defense, family, measure, mean
        (of the share of the task, or of the lead of the attack), decided ("yes", "no",
        "inconclusive"; "undefined" if the task cannot be done on true counts).
    """
    raw = rows[(rows["measure"] == "attack") & (rows["defense"] == "raw")]
    lead = raw.set_index(["data", "number"])["value"].rename("raw")
    found = []
    keys = ["data", "defense", "measure"]
    for key, each in rows.join(lead, on=["data", "number"]).groupby(keys, sort=False):
        values, (data, name, measure) = each["value"].to_numpy(), map(str, key)
        if measure == "attack":
            decided = _decided(values - (1 - TAKES) * each["raw"].to_numpy(), 0.0, above=False)
        elif np.isnan(values).any():
            decided = "undefined"
        else:
            decided = _decided(values, KEEPS, above=True)
        found.append([data, name, DEFENSES[name].family, measure, values.mean(), decided])
    columns = ["data", "defense", "family", "measure", "mean", "decided"]
    return pd.DataFrame(found, columns=columns)


def works(summary: pd.DataFrame, family: str, task: str, data: str) -> tuple[str, str]:
    """Decide whether a family of defenses can be used for a task: it protects and keeps the task.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `summarize` returns.
    family, task, data : str
        A family of `DEFENSES`, a task, and a dataset.

    Returns
    -------
    tuple of (str, str)
        "yes" with the defense that does both and keeps most of the task; "inconclusive" with one
        for which an interval does not decide; "no" or "undefined" without a defense.
    """
    part = summary[(summary["data"] == data) & (summary["family"] == family)]
    table = part.pivot(index="defense", columns="measure", values="decided")
    left = part[part["measure"] == task].set_index("defense")["mean"].sort_values(ascending=False)
    if (table[task] == "undefined").any():
        return "undefined", ""
    both = table.loc[left.index, [task, "attack"]]
    for answer, kept in (
        ("yes", (both == "yes").all(axis=1)),
        ("inconclusive", (both != "no").all(axis=1)),
    ):
        if kept.any():
            return answer, str(both.index[kept][0])
    return "no", ""


def judged(summary: pd.DataFrame) -> pd.DataFrame:
    """Judge each statement of the paper's abstract on each dataset.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `summarize` returns.

    Returns
    -------
    pandas.DataFrame
        Index: family, task. A column for each dataset: "yes", "no", "inconclusive" or "undefined",
        with the defense in words; empty where the statement is not about such data.
    """
    table = {}
    for family, task, of in STATEMENTS:
        found = {data: works(summary, family, task, data) for data in of}
        table[family, task] = {
            label(data): f"{answer}: {DEFENSES[name].words}" if name else answer
            for data, (answer, name) in found.items()
        }
    frame = pd.DataFrame.from_dict(table, orient="index").reindex(columns=list(map(label, DATA)))
    return frame.fillna("").rename_axis(["family", "task"])


def families_that_work(summary: pd.DataFrame) -> pd.DataFrame:
    """Tabulate for every family and task on which datasets it works, stated by the paper or not.

    Parameters
    ----------
    summary : pandas.DataFrame
        What `summarize` returns.

    Returns
    -------
    pandas.DataFrame
        Index: task. A column for each family: the datasets on which it works, or "none".
    """
    families = [each for each in dict.fromkeys(summary["family"]) if each != "none"]
    data = list(dict.fromkeys(summary["data"]))
    tasks_ = [each for each in dict.fromkeys(summary["measure"]) if each != "attack"]
    found = {
        task: {
            family: ", ".join(
                label(each) for each in data if works(summary, family, task, each)[0] == "yes"
            )
            or "none"
            for family in families
        }
        for task in tasks_
    }
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("task")
