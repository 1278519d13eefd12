#include "parquet/fixed_binary.cuh"

// Any grid, block of any size; a warp takes 256 values of a task at a time.
ARIADNE_KERNEL(parquet_fixed_binary, 256, 8, 0) { fixed_binary::run(args); }
