"""Running chapters: parameters, execution, pages, runs and sweeps."""
