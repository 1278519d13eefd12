#include "parquet/delta.cuh"

// Block of up to 256 threads, any grid; a warp takes a task at a time.
ARIADNE_KERNEL(parquet_delta, 128, 1, 0) { delta::run(args); }
