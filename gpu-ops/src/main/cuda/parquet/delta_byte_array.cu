#include "parquet/delta_byte_array.cuh"

// Block of up to 256 threads, any grid; a warp takes a task at a time.
ARIADNE_KERNEL(parquet_delta_byte_array, 128, 1, 0) { delta::run(args); }

// Block of up to 1024 threads, any grid; a block takes a task at a time.
ARIADNE_KERNEL(parquet_delta_byte_array_fill, 32, 1, 0) { delta::fill(args); }
