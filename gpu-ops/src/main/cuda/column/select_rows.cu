#include "column/select_rows.cuh"

// Any grid, block of up to 256 threads; a thread takes the mask of 32 rows.
ARIADNE_KERNEL(select_rows, 256, 32, 0) { selection::run(args); }
