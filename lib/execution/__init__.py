"""Running: parameters, chapters and sweeps of them, the pages of the book, experiments by
command."""

# One thread a process, and the same kernels on every processor: the same numbers everywhere.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell"}
# glibc keeps what is freed for the next array, instead of having each page of it zeroed anew.
MEMORY_KEPT = dict.fromkeys(["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"], "1073741824")
