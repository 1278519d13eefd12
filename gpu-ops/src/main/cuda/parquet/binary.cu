#include "parquet/binary.cuh"

// Block of 256 threads and no other, any grid; a block takes a task at a time.
ARIADNE_KERNEL(parquet_binary, 256, 4, 0) { binary::run(args); }
