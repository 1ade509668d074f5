"""Tables of interpretations, the best first; see `lib.papers.interpretations`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import pandas as pd

BEST = 5  # that are shown


def table(tried: pd.DataFrame, literal: Hashable, mark: str = "literal") -> pd.DataFrame:
    """Show the best interpretations and the literal one.

    Parameters
    ----------
    tried : pandas.DataFrame
        All interpretations, as `rank_interpretations` returns them.
    literal : object
        The literal one.
    mark : str, default "literal"
        Name of the column that marks it.

    Returns
    -------
    pandas.DataFrame
        A row each, as text; the last column marks the literal one.
    """
    place = tried.index.get_loc(literal)
    shown = tried.iloc[sorted({*range(min(BEST, len(tried))), place})]
    found = pd.DataFrame(
        {
            "numbers met": _of(shown["met"], shown["numbers"]),
            "within 0.01": shown["within 0.01"],
            "mean difference": shown["mean difference"].map(_four),
        }
    )
    if shown["trends"].any():
        found.insert(1, "statements that hold", _of(shown["statements that hold"], shown["trends"]))
    found[mark] = ["yes" if each == literal else "" for each in shown.index]
    return found


def chance_table(tried: pd.DataFrame, chance: Mapping[str, float]) -> pd.DataFrame:
    """Compare the best interpretation with the baseline of permuted numbers.

    The rule also asks for short intervals. Permuted numbers are counted however wide the intervals
    are, so the best interpretation is counted in this way, too.

    Parameters
    ----------
    tried : pandas.DataFrame
        All interpretations, as `rank_interpretations` returns them.
    chance : mapping of str to float
        The baseline, as `permutation_baseline` returns it.

    Returns
    -------
    pandas.DataFrame
        One column, "numbers met".
    """
    met, moving = tried["met, of those that move"], tried["that move"].iloc[0]
    rows = {
        "the best interpretation": f"{met.max()} of {moving}",
        "the best, however wide its intervals": f"{chance['best, observed']:.0f} of {moving}",
        "the best, published numbers permuted": f"{chance['best, mean']:.1f} "
        f"(95% at most {chance['best, 95%']:.0f})",
        "permutations that reach as many": f"{chance['best, as many']:.1%}",
        "any, published numbers permuted": f"{chance['any, mean']:.1f}",
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["numbers met"])


def _four(number: float) -> str:
    """Write four decimals below 1, and four digits above."""
    return f"{number:.4f}" if number < 1 else f"{number:.4g}"


def _of(part: pd.Series, whole: pd.Series) -> pd.Series:
    return part.astype(str) + " of " + whole.astype(str)
