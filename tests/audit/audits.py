"""Documents of invented audits, to test their pages."""

import copy

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}",
    "javascript:alert(1)",
    "</style><script>alert(2)</script>",
    "<!-- words -->",
    "' onmouseover='alert(1)",
    "&lt;b&gt;",
    "\u202eevil",
]


def measure(value, low=None, high=None, baseline=None, unit=""):
    return {"value": value, "low": low, "high": high, "baseline": baseline, "unit": unit}


RISK = "TPR at 1.0% FPR, most exposed tenth"


def attack(key, name, severity="none", **changes):
    auc = measure(0.61, 0.58, 0.64, 0.5, "chance that a member scores higher")
    found = measure(0.31, 0.27, 0.35, 0.01, "share of members found, 1.0% of others taken for one")
    return {
        "id": key,
        "name": name,
        "goal": "membership",
        "goal_words": "was the target among those who were counted?",
        "knowledge": "some others",
        "knowledge_words": "the visits of the target and 30% of the others",
        "realistic": True,
        "paper": "Pyrgelis et al. 2018",
        "status": "tested",
        "why": None,
        "measures": {"AUC": auc, "TPR at 1.0% FPR": found},
        "control": {
            "words": "people who were never in",
            "people": 12,
            "AUC": measure(0.5, 0.47, 0.53),
            "at_chance": True,
        },
        "succeeded": severity != "none",
        "severity": severity,
        "statement": "A third of the members are found while one other in a hundred is taken for "
        "one.",
    } | changes


TRIED = {
    "zones": 100,
    "epochs": 200,
    "guarantee": {"epsilon": None, "delta": None, "holds": False, "sentence": "Nothing."},
    "plausible": None,
    "worst": None,
    "verdict": "review",
    "useful_enough": False,
}
_DOCUMENT = {
    "schema_version": 3,
    "verdict": "fail",
    "complete": True,
    "reasons": [
        "Knock-Knock: a third of the members are found.",
        "Small counts: 120 of 900 counts are from 1 to 9.",
    ],
    "at_risk": {
        "sentence": "Of 100 people like the most exposed tenth, 62 could be told to be in "
        "the data by somebody who knew 30% of the others.",
        "attack": "kk",
        "value": 0.62,
        "low": 0.55,
        "high": 0.69,
    },
    "assessment": {
        "plausible": {
            "attack": "kk",
            "name": "Knock-Knock, some others",
            "measure": "TPR at 1.0% FPR, full size",
            "knowledge": "the visits of the target and 30% of the others",
        }
        | {"value": 0.31, "low": 0.27, "high": 0.35, "baseline": 0.01},
        "worst": None,
        "base_rates": [
            {"prior": 0.5, "never_counted": 0.03},
            {"prior": 0.01, "never_counted": 0.76},
        ],
        "guarantee": {
            "epsilon": None,
            "delta": None,
            "holds": False,
            "sentence": "Nothing is guaranteed.",
        },
    },
    "data": {
        "label": "walkers",
        "users": 120,
        "zones": 48,
        "epochs": 504,
        "start": "2013-03-04",
        "end": "2013-03-25",
        "epoch_hours": 1.0,
        "visits": 15321,
        "has_coordinates": True,
        "loader": {
            "read": 16000,
            "kept": 15800,
            "set_aside": {"outside the grid": 200},
            "duplicates": 479,
            "notes": ["GPS of 120 walkers"],
        },
    },
    "settings": {
        "seed": 0,
        "quick": False,
        "releases": 200,
        "rules": {"fail": "one rule", "review": "another", "none-succeeded": "no other"},
        "marks": {"AUC": 0.75},
    },
    "release": {
        "name": "mds-k10",
        "mechanisms": [
            {
                "name": "suppress",
                "parameters": {"threshold": 10},
                "words": "counts below 10 people published as 0",
            }
        ],
        "unit": "none",
        "cap": None,
        "epsilon": None,
        "delta": None,
        "words": "Counts below 10 people published as 0. There is no noise, so no epsilon.",
    },
    "attacks": [
        attack(
            "kk",
            "Knock-Knock, some others",
            "fail",
            measures={
                "AUC": measure(0.61, 0.58, 0.64, 0.5),
                RISK: measure(0.62, 0.55, 0.69, 0.01, "share of members"),
            },
        ),
        attack("sum", "Sum over the cells of the target", "review"),
        attack("assignment", "Everyone at once from consecutive counts"),
        attack(
            "zk",
            "Zero auxiliary knowledge",
            status="not tested",
            measures={},
            control=None,
            why="zones have no coordinates",
        ),
    ],
    "epsilon": {
        "declared": None,
        "delta": None,
        "unit": "none",
        "empirical": [],
        "exceeded": False,
    },
    "disclosure": {"small_cells": 0, "zeros": 20000, "suppressed": 3000, "recovered": 0},
    "floor": {"measure": "error of totals by zone and day", "largest": 0.1},
    "usefulness": {
        "MRE": {
            "value": 0.31,
            "low": None,
            "high": None,
            "nothing": 0.48,
            "words": "a published count is off by this share",
        },
        "rank correlation of places": {
            "value": 0.98,
            "low": None,
            "high": None,
            "words": "the order of places",
        },
    },
    "alternatives": [
        {
            "release": "user-day-epsilon-1",
            "change_first": "Add noise for a person's day",
            "risk": {"attack": "kk"} | measure(0.08, 0.04, 0.13),
            "usefulness": {"MRE": {"value": 1.9, "low": None, "high": None, "words": "off"}},
            **TRIED,
            **TRIED,
            "words": "8 of 100 instead of 62; a count is off by 190% on average.",
        },
        {
            "release": "round-5",
            "change_first": "Round to 5 as well",
            "risk": {"attack": "kk"} | measure(0.5, 0.44, 0.56),
            "usefulness": {"MRE": {"value": 0.44, "low": None, "high": None, "words": "off"}},
            **TRIED,
            **TRIED,
            "words": "50 of 100 instead of 62; a count is off by 44% on average.",
        },
    ],
    "not_tested": [
        {"name": "Zero auxiliary knowledge", "why": "zones have no coordinates"},
        {"name": "other attacks", "why": "those that nobody has thought of yet"},
    ],
    "limits": ["Counts are taken to be published once."],
    "cite": ["Pyrgelis et al. 2018. Knock Knock, Who's There? NDSS."],
}


def document(**changes):
    """The document of a failed audit, or with other parts."""
    return copy.deepcopy(_DOCUMENT) | changes


def epsilon(declared=1.0, lower=0.8, exceeded=False):
    """A declared epsilon and a lower bound on it."""
    seen = {
        "attack": "a crowd in one cell",
        "method": "Clopper-Pearson",
        "lower": lower,
        "confidence": 0.983,
        "ceiling": 4.2,
        "comparable": True,
        "declared": declared,
    }
    return {
        "declared": declared,
        "delta": 0.0,
        "unit": "everything one person does on one day",
        "empirical": [seen],
        "exceeded": exceeded,
    }


def hostile():
    """A document in which every text that may come from a reader's records is an attack."""
    text = " ".join(HOSTILE)
    found = document()
    found["data"] |= {"label": text}
    found["data"]["loader"] |= {"set_aside": {text: 3}, "notes": [text, *HOSTILE]}
    found["release"] |= {"name": text, "words": text, "unit": text}
    found["release"]["mechanisms"][0] |= {"name": text, "words": text, "parameters": {text: text}}
    found["alternatives"][0] |= {"release": text, "change_first": text, "words": text}
    found["attacks"][0] |= {"name": text, "statement": text, "control": {text: text}}
    found["attacks"][0]["measures"] |= {text: measure(1.0, unit=text)}
    found["settings"] = {"intervals": text}
    found["disclosure"] = {"cells": [text]}
    found["at_risk"] |= {"sentence": text, "people": [{"rank": 1, "AUC": 0.9, "id": text}]}
    found["not_tested"] = [{"name": text, "why": text}]
    found["limits"] = found["cite"] = found["reasons"] = HOSTILE
    return found
