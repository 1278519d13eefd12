#include "column/gather.cuh"

// Any grid, block of up to 256 threads.
ARIADNE_KERNEL(gather_rows, 256, 8, 0) { gather::run(args); }
