"""The audit's rule for a failing release, with other thresholds or fewer attacks."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from lib.audit import verdicts
from lib.audit.attacks import ATTACKS
from lib.papers.audit.experiments import FOUND


def failing_releases(
    rows: pd.DataFrame,
    identified: float = 0.1,
    end: str = "low",
    attacks: Sequence[str] | None = None,
    also_plausible: Sequence[str] = (),
    auc: float = 0.75,
) -> set[tuple[str, str]]:
    """Find the releases that attacks fail, under the audit's rule or with other thresholds.

    An attack fails a release if its knowledge is plausible, its controls are at chance level, it is
    significantly better than its baseline, and one of its measures reaches its threshold in
    `lib.audit.verdicts.FAILS`.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of `lib.papers.audit.experiments.audit_releases`.
    identified : float, default 0.1
        Threshold of the share of all members identified, in simulated releases and at full size.
    end : {"low", "value"}
        Whether the lower end of an interval or the estimate must reach the threshold.
    attacks : sequence of str, optional
        Ids of the attacks that are considered; by default all.
    also_plausible : sequence of str, optional
        Names of knowledge, as in `lib.threats.KNOWLEDGE`, that counts as plausible as well.
    auc : float, default 0.75
        Threshold of the AUC, in simulated releases and at full size; above 1, no AUC reaches it.

    Returns
    -------
    set of (str, str)
        Data and release.
    """
    keys = ["data", "release", "attack"]
    plausible = [
        each.id
        for each in ATTACKS
        if each.threat.plausible or each.threat.knowledge.name in also_plausible
    ]
    found = rows[(rows["part"] == "attack") & rows["attack"].isin(attacks or plausible)]
    found = found[found["attack"].isin(plausible)]
    better = found[found["low"].astype(float) > found["baseline"].astype(float)]
    found = found[found.set_index(keys).index.isin(better.set_index(keys).index)]
    of_members = found["measure"].str.contains("AUC|TPR")
    blind = of_members & ((found["control low"] > 0.5) | (found["control high"] < 0.5))
    found = found[~blind & found["measure"].isin(list(verdicts.FAILS))]
    thresholds = dict(verdicts.FAILS) | dict.fromkeys([FOUND, f"{FOUND}, full size"], identified)
    thresholds |= dict.fromkeys(["AUC", "AUC, full size"], auc)
    reached = found[end].astype(float) >= found["measure"].map(thresholds).astype(float)
    failed = found[reached & (found[end].astype(float) > 0)]
    return set(zip(failed["data"], failed["release"], strict=True))
