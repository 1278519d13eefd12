#include "parquet/convert.cuh"

// Block of up to 256 threads, any grid; a warp takes 128 values at a time.
ARIADNE_KERNEL(parquet_convert, 256, 4, 0) { convert::run(args); }
