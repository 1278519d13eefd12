#include "parquet/byte_stream_split.cuh"

// Block of up to 128 threads, any grid; a warp takes 128 values at a time.
ARIADNE_KERNEL(parquet_byte_stream_split, 128, 4, 0) { split::run(args); }
