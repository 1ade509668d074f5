"""What long computations share: stored results, freshness, processes, resumption."""

# One thread a process, and the same kernels on every processor: the same numbers everywhere.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell"}
# glibc keeps what is freed for the next array, instead of zeroing each page of it again.
MEMORY_KEPT = dict.fromkeys(["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"], "1073741824")
