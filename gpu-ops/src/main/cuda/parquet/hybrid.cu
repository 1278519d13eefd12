#include "parquet/hybrid.cuh"

// Blocks of 64 to 256 threads, any grid; a block takes a task at a time.
ARIADNE_KERNEL(parquet_validity, 256, 4, 0) { hybrid::run_validity(args); }

ARIADNE_KERNEL(parquet_levels, 256, 4, 0) { hybrid::run_levels(args); }

ARIADNE_KERNEL(parquet_codes, 256, 4, 0) { hybrid::run_codes(args); }

ARIADNE_KERNEL(parquet_bits, 256, 4, 0) { hybrid::run_bits(args); }
