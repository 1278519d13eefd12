// Kernel that reads values out of strings: see parse.cuh.
#include "text/parse.cuh"

// Any grid, block of whole warps, up to 128 threads.
ARIADNE_KERNEL(parse_text, 128, 1, 0) { text::parse_text(args); }
