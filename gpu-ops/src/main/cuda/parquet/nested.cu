#include "parquet/nested.cuh"

// Block of up to 1024 threads, any grid; a thread takes 4 entries.
ARIADNE_KERNEL(parquet_nested, 256, 4, 0) { nested::run(args); }
