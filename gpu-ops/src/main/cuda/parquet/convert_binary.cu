#include "parquet/convert_binary.cuh"

// Block of up to 256 threads, any grid; a warp takes 128 values at a time.
ARIADNE_KERNEL(parquet_convert_binary, 256, 4, 0) { convert::run(args); }
