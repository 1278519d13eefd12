#include "parquet/snappy.cuh"

// Block of any number of warps, any grid; a warp takes a task at a time.
ARIADNE_KERNEL(parquet_snappy, 128, 1, 0) { snappy::run(args); }
