"""Audit of one release by every applicable attack: may these counts be published?

    release = audit.parse({"preset": "mds-k10"})
    results = {step.name: step.run() for step in audit.steps(traces, release)}
    audit.document(traces, release, results)["verdict"]

Verdicts are "fail", "review", "none-succeeded" and "guaranteed": never "safe".
"""

from lib.audit.releases import Release, catalogue, parse
from lib.audit.run import AuditStep, audit, document, steps
from lib.audit.small_counts import structure
from lib.audit.verdicts import VERDICTS

__all__ = [
    "VERDICTS",
    "AuditStep",
    "Release",
    "audit",
    "catalogue",
    "document",
    "parse",
    "steps",
    "structure",
]
