#include "parquet/delta_length.cuh"

// Block of up to 256 threads, any grid; a warp takes a task at a time.
ARIADNE_KERNEL(parquet_delta_length, 128, 1, 0) { delta::run(args); }
