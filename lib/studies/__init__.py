"""What is measured: one function a figure or table of the papers, tidy rows out, one row a unit.

`python -m lib studies` lists them all with what they answer and whether their kept rows are fresh.
"""

from lib.studies.core import Study, adopt, called, play, recheck, state, studies, study

__all__ = ["Study", "adopt", "called", "play", "recheck", "state", "studies", "study"]
