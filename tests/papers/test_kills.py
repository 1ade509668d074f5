"""`tests.papers.kills` kills a hundred; one of them in every run of the tests."""

import pytest

from tests.papers import kills


@pytest.mark.slow
def test_a_killed_experiment_goes_on_to_the_same_rows(tmp_path):
    (found,) = kills.kills("experiment", 1, tmp_path)
    assert not found.wrong, found
