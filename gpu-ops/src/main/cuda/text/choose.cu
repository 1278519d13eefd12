// The kernel that chooses among strings: see choose.cuh.
#include "text/choose.cuh"

// Any grid, block of whole warps, up to 128 threads.
ARIADNE_KERNEL(choose_text, 128, 1, 0) { choose::run(args); }
