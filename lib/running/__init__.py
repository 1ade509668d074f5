"""Running: parameters, chapters and sweeps of them, the pages of the book, studies by command."""

# One thread a process, and the same kernels on every processor: the same numbers everywhere.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",
}
