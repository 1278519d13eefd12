#include "parquet/fixed_binary.cuh"

// Block of up to 1024 threads, any grid; a block takes a task at a time.
ARIADNE_KERNEL(parquet_fixed_binary, 256, 4, 0) { fixed_binary::run(args); }
