#include "parquet/spread.cuh"

// Any grid, block of up to 256 threads; a thread takes the validity of 32 rows.
ARIADNE_KERNEL(parquet_spread, 256, 32, 0) { spread::run(args); }
